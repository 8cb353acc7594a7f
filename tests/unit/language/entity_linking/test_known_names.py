"""Known names in a text."""

from __future__ import annotations

import pytest

from tetragraph.language.entity_linking.known_names import find_phrases, longest_names
from tetragraph.language.lexicon.analysis import analyse_text
from tetragraph.model import content_id

KNOWN = {content_id(name) for name in ("new york", "new york times", "reading")}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("who owns the new york times", ["new york times"]),
        ("New York and New York's Times", ["new york", "new york times"]),
        ("reading is fun", []),
        ("the Reading festival", ["reading"]),
        ("It was New. York is old.", []),
        ("", []),
    ],
)
def test_the_longest_name_counts_and_single_words_need_a_capital(text: str, found: list[str]) -> None:
    assert longest_names(list(find_phrases(analyse_text(text))), KNOWN) == [content_id(name) for name in found]
