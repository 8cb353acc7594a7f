"""Known entities in the entity dictionary and in the resolution of names."""

from __future__ import annotations

import numpy as np

from tetragraph.language.entity_resolution.model import Merge, Stated
from tetragraph.language.entity_resolution.resolve import resolve
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.dictionary import Dictionary, build_dictionary
from tetragraph.language.lexicon.gazetteer import NO_GAZETTEER, Gazetteer, KnownEntity
from tetragraph.model import Chunk

TEXTS = (
    "The RA opened in the harbour. Its scrimshaw is old.",
    "Elva Kron taught at the Reyer Academy.",
    "Elva Kron left the RA. The ra of Egypt is another.",
)
KNOWN = Gazetteer(
    (
        KnownEntity("Reyer Academy", "SCHOOL", ("RA",)),
        KnownEntity("scrimshaw"),
        KnownEntity("Nobody Here", "", ("Nix",)),
    )
)


def chunks(*texts: str) -> list[Chunk]:
    return [Chunk(str(place), "d", "", "", text, place, 0, len(text), 1) for place, text in enumerate(texts)]


def build(gazetteer: Gazetteer) -> Dictionary:
    found = chunks(*TEXTS)
    return build_dictionary(found, analyse_chunks(found), gazetteer)


def mentions(dictionary: Dictionary) -> set[tuple[int, str, int]]:
    columns = (dictionary.mention_row, dictionary.mention_entity, dictionary.mention_count)
    return {(row, dictionary.labels[entity], count) for row, entity, count in zip(*(c.tolist() for c in columns))}  # noqa: B905


def test_an_alias_stands_for_its_entity_and_one_mention_is_enough() -> None:
    dictionary = build(KNOWN)
    assert mentions(dictionary) == {
        (0, "Reyer Academy", 1),
        (0, "scrimshaw", 1),
        (1, "Elva Kron", 1),
        (1, "Reyer Academy", 1),
        (2, "Elva Kron", 1),
        (2, "Reyer Academy", 1),
    }
    assert dictionary.names == ["elva kron", "reyer academy", "scrimshaw"]
    words = analyse_chunks(chunks(*TEXTS)).words
    ra = np.array([words.index("ra")], dtype=np.int32)
    found, _ = dictionary.phrases.longest(ra, np.array([0]), np.array([True]))
    assert dictionary.names[found[0]] == "reyer academy"


def test_without_a_gazetteer_nothing_changes() -> None:
    plain, given = build(NO_GAZETTEER), build(Gazetteer((KnownEntity("Nobody Here", "", ("Nix",)),)))
    assert mentions(plain) == mentions(given) == {(1, "Elva Kron", 1), (2, "Elva Kron", 1), (0, "RA", 1), (2, "RA", 1)}
    assert plain.names == given.names
    assert (plain.phrases.phrase == given.phrases.phrase).all()


def stated(document: str, *names: str) -> Stated:
    people = tuple(Participant(name, "", "object", 1.0) for name in names)
    return Stated(document, document, [Fact("", "join", 1.0, people, 0, 1)])


def test_known_names_are_merged_into_the_given_one_before_all_others() -> None:
    passages = [stated("one", "RA", "Elva Kron"), stated("two", "RA", "Tomas"), stated("three", "Reyer Academy", "Ida")]
    assert resolve(passages, None, ()).merges == ()
    assert resolve(passages, None, (), gazetteer=KNOWN).merges == (
        Merge("ra", "reyer academy", "RA", "gazetteer", 1.0),
    )
