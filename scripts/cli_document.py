"""Write the reference of docs/cli.md from the help texts of the command line.

Usage: cli_document.py

The text between the two marks of the page is generated; the rest of the page is written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from generated import replace_generated
from tetragraph.cli import app

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"
VALUES = {int: "N", float: "X", Path: "PATH", list[Path]: "PATH"}
"""Placeholder of an option's value by its type; ``TEXT`` for all others."""


def commands() -> dict[str, Any]:
    """Commands by full name, in the order of ``tetragraph --help``; a group is followed by its commands."""
    found: dict[str, Any] = {}
    for name, command in _members(typer.main.get_command(app)):
        found[name] = command
        found |= {f"{name} {part}": one for part, one in _members(command)}
    return found


def reference() -> str:
    """An index of all commands, then a section for each."""
    every = commands()
    rows = [f"| [`{name}`](#{_anchor(name)}) | {_summary(one)} |" for name, one in every.items()]
    index = "\n".join(["| command | purpose |", "| --- | --- |", *rows, ""])
    return "\n".join([index, *(_section(name, one) for name, one in every.items())])


def update_page(page: str) -> str:
    """Return the page with the current reference."""
    return replace_generated(page, Path(__file__).name, reference())


def _members(command: Any) -> Iterator[tuple[str, Any]]:
    yield from getattr(command, "commands", {}).items()


def _anchor(name: str) -> str:
    return f"tetragraph-{name.replace(' ', '-')}"


def _summary(command: Any) -> str:
    return _cell(command.help.split("\n\n")[0])


def _section(name: str, command: Any) -> str:
    lines = [f"### tetragraph {name}", "", " ".join(command.help.split()), ""]
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = " ".join([f"tetragraph {name}", *map(_argument, arguments), *(["[OPTIONS]"] if options else [])])
    if not hasattr(command, "commands"):
        lines += ["```text", usage, "", *_examples(command.epilog or ""), "```", ""]
    rows = [*((one.name.upper(), one) for one in arguments), *((_names(one), one) for one in options)]
    if rows:
        lines += ["| argument or option | meaning | default |", "| --- | --- | --- |"]
        lines += [f"| `{left}` | {_cell(one.help or '')} | {_default(one)} |" for left, one in rows]
        lines.append("")
    return "\n".join(lines)


def _argument(argument: Any) -> str:
    name = argument.name.upper() + ("…" if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _examples(epilog: str) -> list[str]:
    """The examples at the end of a help text, one for each line."""
    label, _, examples = epilog.partition(": ")
    return [one.strip() for one in examples.split(" | ")] if label.startswith("Example") else []


def _names(option: Any) -> str:
    names = ", ".join(sorted([*option.opts, *option.secondary_opts], key=len, reverse=True))
    return names if option.is_flag else f"{names} {VALUES.get(option.type_descriptor.annotation, 'TEXT')}"


def _default(param: Any) -> str:
    if param.required:
        return "required"
    return "" if param.default in (None, False, ()) else f"`{param.default}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
