"""Equations inside the paragraphs of a Word document, written as text at their places.

kreuzberg moves each in front of its paragraph. An equation that is a paragraph by itself is left to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_SCRIPTS = {"sub": "_", "sup": "^"}
_DEFAULT_NARY = "∫"
"""Operator of an integral, a sum or the like that names none."""


def write_equations(root: _Element) -> None:
    """Replace equations that have words beside them by runs of text."""
    for equation in list(root.iter(f"{_MATH}oMath")):
        holder = next(equation.iterancestors(f"{_WORD}p", f"{_WORD}del"), None)
        if holder is None or holder.tag != f"{_WORD}p" or not _has_words(holder):
            continue
        parent = equation.getparent()
        stands_alone = parent.tag == f"{_MATH}oMathPara"  # in a line of its own
        run = equation.makeelement(f"{_WORD}r")
        text = equation.makeelement(f"{_WORD}t", {_SPACE: "preserve"})
        text.text = f"\n{describe_equation(equation)}\n" if stands_alone else describe_equation(equation)
        run.append(text)
        (parent if stands_alone else equation).addprevious(run)
        parent.remove(equation)


def _has_words(paragraph: _Element) -> bool:
    return any((text.text or "").strip() for text in paragraph.iter(f"{_WORD}t"))


def describe_equation(element: _Element) -> str:
    """The text of an equation, or of a part of it, in one line: ``r^2``, ``a/(b+c)``, ``√x``."""
    name = str(element.tag).removeprefix(_MATH)
    if name == "t":
        return element.text or ""
    if name == "f":
        return "/".join(_enclose(_part(element, part)) for part in ("num", "den"))
    if name in _SCRIPTS:
        words = "".join(map(describe_equation, element))
        return f"{_SCRIPTS[name]}{_enclose(words)}" if words else ""
    if name == "rad":
        return f"{_part(element, 'deg')}√{_enclose(_part(element, 'e'))}"
    if name == "nary":
        return _property(element, "chr", _DEFAULT_NARY) + "".join(map(describe_equation, element))
    if name == "d":
        between = _property(element, "sepChr", "|").join(map(describe_equation, element.findall(f"{_MATH}e")))
        return f"{_property(element, 'begChr', '(')}{between}{_property(element, 'endChr', ')')}"
    return "".join(map(describe_equation, element))


def _part(element: _Element, name: str) -> str:
    part = element.find(f"{_MATH}{name}")
    return "" if part is None else describe_equation(part)


def _property(element: _Element, name: str, default: str) -> str:
    found = element.find(f"./*/{_MATH}{name}")
    return default if found is None else found.get(f"{_MATH}val", "")


def _enclose(words: str) -> str:
    """Words in parentheses unless they are one number, or one letter."""
    return words if len(words) < 2 or words.isdecimal() else f"({words})"
