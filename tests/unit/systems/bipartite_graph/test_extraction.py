"""Storage of extracted facts, and identities of extractors."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.errors import LlmNotConfigured
from tetragraph.language.facts.dependency import REVISION
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.stores.corpus import raise_llm_not_configured
from tetragraph.systems.bipartite_graph.extraction import pack, unpack
from tetragraph.systems.bipartite_graph.extractors import choose
from tetragraph.systems.bipartite_graph.options import BuildOptions

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
CONFIDENCE = st.floats(0, 1)
PARTICIPANTS = st.lists(
    st.builds(Participant, TEXTS.filter(normalise_name), TEXTS, TEXTS, CONFIDENCE),
    min_size=2,
    max_size=4,
    unique_by=lambda participant: normalise_name(participant.name),
)
FACTS = st.builds(
    lambda description, kind, confidence, participants, start, length: Fact(
        description, kind, confidence, tuple(participants), start, start + length
    ),
    TEXTS,
    TEXTS,
    CONFIDENCE,
    PARTICIPANTS,
    st.integers(0, 10_000),
    st.integers(1, 100),
)


@given(st.lists(FACTS, max_size=5))
def test_facts_come_back_as_they_were_stored(facts: list[Fact]) -> None:
    assert unpack(pack(facts)) == facts


def name(extractor: str, before: str = "") -> str:
    """What facts of an extractor are known by; they are asked of nobody."""
    return choose(
        BuildOptions(extractor=extractor), before, raise_llm_not_configured, extracts_again=False, corpus_size=1
    ).name


def test_the_parser_is_known_by_the_revision_of_its_rules() -> None:
    assert name("dependency", "dependency 0") == f"dependency {REVISION}"


def test_a_file_of_triples_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    file, copy = tmp_path / "triples.jsonl", tmp_path / "copy.jsonl"
    file.write_text("one")
    copy.write_text("one")
    known = name(str(file))
    assert known == name(str(copy), "something else")
    file.write_text("two")
    assert name(str(file), known) != known


def test_a_file_that_went_is_known_by_what_it_was(tmp_path: Path) -> None:
    assert name(str(tmp_path / "gone.jsonl"), "recorded 0123456789abcdef") == "recorded 0123456789abcdef"


def test_facts_of_another_model_are_held_by_an_update_and_extracted_again_by_a_build() -> None:
    update = choose(
        BuildOptions(extractor="llm"), "llm small 0123", raise_llm_not_configured, extracts_again=False, corpus_size=1
    )
    assert update.name == "llm small 0123"
    assert [update.holds(known) for known in ("llm small 0123", "llm large 4567", "dependency 1")] == [
        True,
        True,
        False,
    ]
    with pytest.raises(LlmNotConfigured):
        choose(
            BuildOptions(extractor="llm"),
            "llm small 0123",
            raise_llm_not_configured,
            extracts_again=True,
            corpus_size=1,
        )
