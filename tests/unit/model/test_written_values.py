"""Values that are written on the command line and on the page."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.model.written_values import read_value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1999", 1999),
        (" -3 ", -3),
        ("0.30", 0.3),
        (".5", 0.5),
        ("1.", 1.0),
        ("1e-6", 1e-6),
        ("9" * 400, int("9" * 400)),
        ("true", True),
        ("False", False),
        ("'007'", "007"),
        ('"a|b"', "a|b"),
        ("''", ""),
        (r"'it\'s'", "it's"),
        (r'"\"\u00e9\ud83d\ude00\n\\d"', '"é😀\n\\d'),
        (r"'C:\docs'", r"C:\docs"),
        ("[]", []),
        ("['en', \"de\", 3, -.5, true,]", ["en", "de", 3, -0.5, True]),
        ("('dense', 'keyword')", ("dense", "keyword")),
        ("[[1, 2], (3, 4)]", [[1, 2], (3, 4)]),
    ],
)
def test_numbers_booleans_quoted_texts_and_lists_are_read(text: str, expected: Any) -> None:
    found = read_value(text)
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "Ida Brandt", "007", "1_000", "0x10", "+3", "-", "٣", "1 2", "1,2"),
        *("1e400", "-1e400", "[1e400]", "nan", "inf", "NaN", "Infinity", "3+4j", "2**8"),
        *("None", "null", "...", "{1}", "{'a': 1}", "b'a'"),
        *("'a", 'a"', "O'Brien", "'a' 'b'", '5" pipe', "[", "[1", "[1)", "[1 2]", "[,]", "[en]", "[1] [2]", "]"),
        *("9" * 5_000, "[" * 100_000, "(1," * 100_000, "'\\" * 100_000),
    ],
)
def test_everything_else_is_a_text(text: str) -> None:
    assert read_value(text) == text
