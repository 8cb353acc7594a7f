"""Tables of words in the code: a line for each entry, longer ones with further lines that are indented."""

from __future__ import annotations

from collections.abc import Iterator


def read_table(table: str) -> Iterator[tuple[str, list[str]]]:
    r"""Yield the name of each entry, which a colon follows, and its words.

    >>> list(read_table("film: movie\nartist: painter\n    sculptor"))
    [('film', ['movie']), ('artist', ['painter', 'sculptor'])]
    """
    for line in table.replace("\n    ", " ").strip().splitlines():
        name, words = line.split(":")
        yield name, words.split()
