"""Titles that a question marks in other ways than by double quotation marks."""

from __future__ import annotations

import re

_CONTENT = r"[^\W_](?:[^{mark}\n]*[^{mark}\s])?"
_QUOTED = r"(?<![\w'])'(?=[A-Z\d])((?:[^'\n]|(?<=\w)'(?=\w))+)'(?![\w'])"
_CURLY = r"(?<!\w)‘((?:[^‘’\n]|(?<=\w)’(?=\w))+)’(?!\w)"
_STARRED = rf"(?<![\w*])\*({_CONTENT.format(mark='*')})\*(?![\w*])"
_STRONG = rf"(?<![\w*])\*\*({_CONTENT.format(mark='*')})\*\*(?![\w*])"
_UNDERSCORED = rf"(?<!\w)_(?=[A-Z\d])({_CONTENT.format(mark='_')})_(?!\w)"
_TITLE = re.compile("|".join((_STRONG, _STARRED, _UNDERSCORED, _QUOTED, _CURLY)))


def quote_titles(question: str) -> str:
    r"""Put titles in Markdown emphasis or single quotation marks into double ones; all other characters stay.

    An underscore belongs to the word beside it (``max_count``), so that ``_Jessica Jones_`` would be other words than
    those of the documents; and single quotation marks are apostrophes elsewhere.

    >>> quote_titles("Who directed *Blue Vase*, _Agent Carter_ and 'Ant-Man's War', the players' favourites?")
    'Who directed "Blue Vase", "Agent Carter" and "Ant-Man\'s War", the players\' favourites?'
    >>> quote_titles("What is max_count * 2, _private_ and rock 'n' roll?")
    "What is max_count * 2, _private_ and rock 'n' roll?"
    """
    return _TITLE.sub(lambda found: f'"{next(filter(None, found.groups()))}"', question)
