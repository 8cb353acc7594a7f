"""Pictures and other data that a text contains in base64, as exports of editors do: no words, and mostly long."""

from __future__ import annotations

import re

LEFT_OUT = "data in base64, such as pictures, are left out"
"""Note on a text from which data were cut."""
_DATA = re.compile(r"data:[\w.+-]+/[\w.+-]+(?:;[\w.+=-]+)*;base64,[A-Za-z0-9+/=_%-]{200,}", re.IGNORECASE)


def cut_data(text: str) -> str:
    """The text with ``data:…`` in place of each address that has 200 characters of base64 or more.

    >>> cut_data(f"![Map](data:image/png;base64,{'A' * 200})")
    '![Map](data:…)'
    """
    return _DATA.sub("data:…", text)
