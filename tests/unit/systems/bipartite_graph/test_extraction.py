"""How extracted facts are kept, and what an extractor is known by."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.facts.dependency import REVISION
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.names import normalise_name
from tetragraph.systems.bipartite_graph.extraction import identify, pack, unpack

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


def test_the_parser_is_known_by_the_revision_of_its_rules() -> None:
    assert identify("dependency", "dependency 0") == f"dependency {REVISION}"


def test_a_file_of_triples_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    file, copy = tmp_path / "triples.jsonl", tmp_path / "copy.jsonl"
    file.write_text("one")
    copy.write_text("one")
    known = identify(str(file), "")
    assert known == identify(str(copy), "something else")
    file.write_text("two")
    assert identify(str(file), known) != known


def test_a_file_that_went_is_known_by_what_it_was(tmp_path: Path) -> None:
    assert identify(str(tmp_path / "gone.jsonl"), "recorded 0123456789abcdef") == "recorded 0123456789abcdef"
