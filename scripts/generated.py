"""The generated parts of pages in docs, for the scripts that write them."""

from __future__ import annotations

import re


def replace_generated(page: str, script: str, text: str) -> str:
    """The page with another text between the two marks of a script; the rest was written by hand.

    Args:
        page: Content of the page.
        script: File name of the script, which its marks contain.
        text: The generated part, which ends with a line end.
    """
    begin, end = (f"<!-- made by scripts/{script}: {mark} -->\n" for mark in ("begin", "end"))
    before, rest = page.split(begin)
    return before + begin + "\n" + text + "\n" + end + rest.split(end)[1]


def as_markdown(docstring: str) -> str:
    """A docstring with code in single backticks."""
    return re.sub(r"``([^`]+)``", r"`\1`", docstring)
