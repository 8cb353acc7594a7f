"""Refuses options that have no effect together with another option, or a later one, of the same command."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import typer
from typer.core import TyperCommand

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


class OneCorpusCommand(TyperCommand):
    """A command whose ``--corpus``, if it takes one corpus, can be given once: the last one would win silently."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line.

        Raises:
            InvalidInput: several corpora are given to a command that takes one.
        """
        given = list(args)
        rest = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            _, _, order = self.make_parser(ctx).parse_args(args=given)
            times = sum("--corpus" in one.opts and not getattr(one, "multiple", False) for one in order)
            if times > 1:
                raise InvalidInput(f"--corpus can be given once, got it {times} times: run the command for each corpus")
        return rest
