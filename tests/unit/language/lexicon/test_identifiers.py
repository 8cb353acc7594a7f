"""Identifiers in technical text are names."""

import pytest

from tetragraph.language.lexicon.analysis import CAPITAL, LOWER, analyse_text
from tetragraph.language.lexicon.identifiers import find_identifiers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Set hot_standby_feedback to on.", ["hot_standby_feedback"]),
        ("Use --max-count=3 or `--all`.", ["--max-count", "--all"]),
        ("See /etc/app/main.conf and ~/notes/today.", ["/etc/app/main.conf", "~/notes/today"]),
        ("It calls maxTasksPerChild once.", ["maxTasksPerChild"]),
        ("He and/or she ran 3/4 of a mile - well-known -- on 1/2/2020.", []),
        ("https://example.org/a/b is a link, _so_ is this_ one.", []),
    ],
)
def test_what_is_an_identifier(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in find_identifiers(text)] == expected


def test_the_words_of_an_identifier_are_one_capitalised_span() -> None:
    analysis = analyse_text("give --max-count here")
    words = [analysis.words[row] for row in analysis.word.tolist()]
    assert words == ["give", "max", "count", "here"]
    assert [bool(flags & CAPITAL) for flags in analysis.flags.tolist()] == [False, True, True, False]
    assert [bool(flags & LOWER) for flags in analysis.flags.tolist()] == [True, False, False, True]
    assert analysis.span.tolist() == [0, 2, 0, 0]


def test_the_parts_of_a_path_are_one_span() -> None:
    assert analyse_text("in /etc/app.conf there").span.tolist() == [0, 3, 0, 0, 0]
