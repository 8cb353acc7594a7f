"""Encodings by the labels that web pages and servers state, read as browsers read them."""

from __future__ import annotations

import codecs

_READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
}
"""Encodings that browsers read as one with more characters, by Python's names."""
_KNOWN = frozenset(
    {"utf-8", "cp866", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "euc_jp", "iso2022_jp"}
    | {*_READ_AS.values(), *(f"cp125{last}" for last in range(9))}
    | {f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)}
)


def find_web_encoding(label: str) -> str | None:
    """Python's name of the encoding that a label stands for; None where browsers read none by it.

    Source:
        WHATWG, Encoding Standard, section 4.2. Deviation: labels that Python does not have are unknown.

    >>> find_web_encoding("ISO-8859-1"), find_web_encoding("euc-kr"), find_web_encoding("utf-7")
    ('cp1252', 'cp949', None)
    """
    try:
        name = codecs.lookup(label.strip()).name
    except (LookupError, ValueError):
        return None
    name = _READ_AS.get(name, name)
    return name if name in _KNOWN else None
