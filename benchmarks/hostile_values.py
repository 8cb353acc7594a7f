"""Hostile texts and values, drawn by a generator of random numbers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, TypeVar

import numpy as np

Item = TypeVar("Item")

ATOMS = (
    *("", " ", "\u00a0", "\t", "\r\n", "\x00", "\x1b[31m", "\x7f", "\ufeff", "\u200b", "\u2028", "\ufffd"),
    *("\u202eneddih", "e" + "\u0301" * 40, "👩‍👩‍👧‍👦", "🇩🇪🇩", "𝔘𝔫𝔦", "ﬃ", "İ", "ß", "ǅ"),
    *("東京はどこですか", "مرحبا بالعالم", "שלום", "ไม่มีช่องว่าง", "\ud800", "\udfff\ud800"),
    *('"', "'", "`", "\\", "(", ")", "[", "{", "}", "_", ".", "-", "*", "?", "!", "~", "^", ":", "/", "|", "&", "#"),
    *("'}) DETACH DELETE n //", "` MATCH (n) DETACH DELETE n", "$corpus", "{{ 7 * 7 }}", "${HOME}", "%s%n%99999d"),
    *("title:/(a+)+$/ AND *", "AND OR NOT", "name:[* TO *]", '"unclosed', "~0.999999999", "^1e309", "&& || !"),
    *(
        "<script>alert(1)</script>",
        "<![CDATA[",
        "&#0;",
        "</document>",
        "<|im_end|>",
        "[link](javascript:0)",
        "# H\n## I",
    ),
    *(
        "../../up",
        "con",
        "a" * 300,
        "1e400",
        "-0",
        "NaN",
        "null",
        "0x10",
        "1,000,000,000",
        "#1 #2",
        "#0",
        "#99",
        "{var1}",
    ),
    *(
        "who",
        "When was",
        "the director of",
        "born?",
        "of the of the of",
        "Halvik",
        "Ida Brandt",
        "Low Tide",
        "Old Port",
    ),
)
"""Parts of hostile texts: control characters, scripts without blanks, half surrogates, syntax of the stores, of files
and of models, numbers, marks of variables, words of questions and names of the corpus."""
SEPARATORS = ("", " ", "\n", ", ", ". ", "' ", ' "')
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 3, 10**30, -(10**30), 2**63, 2**31, 0.0, 0.5, -0.5, 1e308, 5e-324),
    *(
        float("nan"),
        float("inf"),
        float("-inf"),
        1j,
        Decimal("0.5"),
        np.float64(0.5),
        np.int64(3),
        np.array([1.0, 2.0]),
    ),
    *("", "x", "1", "auto", "\x00", "\ud800", b"x", bytearray(b"x"), dt.date(2000, 1, 1), dt.timedelta(days=1)),
    *(
        (),
        [],
        {},
        set(),
        frozenset({"x"}),
        range(3),
        [None],
        [[]],
        ("x",),
        ("dense", "dense"),
        (1.0,),
        (1, -1),
        {"gt": 1},
    ),
    *({"x": None}, {1: 2}, {None: None}, {"gte": "a", "lte": []}, object(), object, len, NotImplemented, Ellipsis),
)
"""Values of types and ranges that arguments do not have, and some that they have."""


def pick(rng: np.random.Generator, items: Sequence[Item]) -> Item:
    """One of the items."""
    return items[int(rng.integers(len(items)))]


def text(rng: np.random.Generator, longest: int) -> str:
    """A hostile text of at most ``longest`` characters: some parts, of which one may be repeated many times."""
    parts = [pick(rng, ATOMS) for _ in range(int(rng.integers(1, 7)))]
    if rng.random() < 0.2:
        place = int(rng.integers(len(parts)))
        parts[place] = (parts[place] + pick(rng, SEPARATORS)) * int(longest / (1 + len(parts[place])))
    return pick(rng, SEPARATORS).join(parts)[:longest]


def value(rng: np.random.Generator, longest: int) -> Any:
    """A hostile value: a text, one of :data:`VALUES`, or a list or mapping of some."""
    kind = rng.random()
    if kind < 0.2:
        return text(rng, longest)
    if kind < 0.3:
        return [pick(rng, VALUES) for _ in range(int(rng.integers(1, 4)))]
    if kind < 0.4:
        return {text(rng, 20): pick(rng, VALUES) for _ in range(int(rng.integers(1, 3)))}
    return pick(rng, VALUES)


def shown(given: Any) -> str:
    """A value in at most 200 characters of ASCII, for a message."""
    return ascii(given) if len(ascii(given)) <= 200 else f"{ascii(given)[:200]}… ({len(ascii(given))} characters)"
