"""Refuses options that have no effect together with another option of the same command."""

from __future__ import annotations

from collections.abc import Collection

import typer

from tetragraph.errors import InvalidInput


def refuse_ignored(context: typer.Context, names: Collection[str], reason: str) -> None:
    """Raise if an option was given that would have no effect.

    Args:
        context: Context of the command.
        names: Names of the parameters that have no effect.
        reason: The option that makes them so, and what it does.

    Raises:
        InvalidInput: one of the parameters stands on the command line, also with the value of its default.
    """
    given = [
        max(one.opts, key=len)
        for one in context.command.params
        if one.name in names and (source := context.get_parameter_source(one.name)) and source.name == "COMMANDLINE"
    ]
    if given:
        raise InvalidInput(f"{reason}, and cannot be given with {', '.join(given)}: leave out one or the other")
