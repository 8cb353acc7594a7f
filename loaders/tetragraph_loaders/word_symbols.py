"""Characters that a Word document has by the number of a sign in a font, as Word's Insert Symbol writes them.

The number is that of a sign in the font's own encoding, mostly with 0xF000 added. Of the fonts Symbol and Wingdings the
signs that change the meaning of a text are known; those of other fonts are letters and digits by their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

_PRIVATE = range(0xE000, 0xF900)
_SHIFTED = range(0xF020, 0xF100)
"""Numbers of signs of a font whose encoding is its own."""
_ASCII = range(0x20, 0x7F)


def _from(start: int, signs: str) -> Mapping[int, str]:
    return dict(enumerate(signs, start=start))


_SYMBOL = {
    **_from(0x20, " !∀#∃%&∋()∗+,−./0123456789:;<=>?"),
    **_from(0x40, "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"),
    **_from(0x61, "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"),
    **_from(0xA1, "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…"),
    **_from(0xC0, "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"),
    **_from(0xF1, "〉∫"),
}
"""Adobe's encoding of the font, without the pieces of large brackets."""
_WINGDINGS = {
    **_from(0x4A, "☺😐☹"),
    0x6C: "●",
    0x6E: "■",
    0x6F: "□",
    0x71: "❑",
    0x76: "❖",
    0x77: "◆",
    0x9F: "•",
    0xA1: "○",
    0xA7: "▪",
    0xA8: "□",
    0xD8: "➢",
    0xE8: "➔",
    **_from(0xDF, "←→↑↓↖↗↙↘"),
    **_from(0xEF, "⇦⇨⇧⇩⬄"),
    **_from(0xFB, "✗✓☒☑"),
}
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0xA3: "☐"}
_FONTS: Mapping[str, Mapping[int, str]] = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": {},
    "webdings": {},
    "marlett": {},
}
"""Signs of fonts whose letters are no letters."""


def find_character(font: str, number: str) -> str:
    """The character of a sign; empty for one that is not known.

    Args:
        font: Name of the font.
        number: Hexadecimal number of the sign.

    >>> find_character("Symbol", "F0B1"), find_character("Times New Roman", "2264"), find_character("Arial", "F041")
    ('±', '≤', 'A')
    """
    try:
        code = int(number, 16)
    except ValueError:
        return ""
    own = code - 0xF000 if code in _SHIFTED else code
    signs = _FONTS.get(font.strip().lower())
    if signs is not None and own < 0x100:
        return signs.get(own, "")
    if code in _SHIFTED and own in _ASCII:
        return chr(own)
    return chr(code) if code < 0x110000 and code not in _PRIVATE and chr(code).isprintable() else ""
