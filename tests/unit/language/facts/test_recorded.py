"""Facts read from files of triples."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.language.facts.recorded import RecordedExtractor
from tetragraph.model import Chunk, content_id

TEXT = "Marta Olsen was born in Oslo. She married Peter Varga in 1921."


def chunk(text: str = TEXT, *, chunk_id: str = "c", document_id: str = "d") -> Chunk:
    return Chunk(chunk_id, document_id, "Marta Olsen", "Marta Olsen", text, 0, 0, len(text), 0)


def row(passage_id: str, *triples: list[str], **more: Any) -> dict[str, Any]:
    return {"passage_id": passage_id, "triples": list(triples), "entities": [], **more}


def file(folder: Path, *rows: object) -> Path:
    place = folder / "openie.jsonl.gz"
    with gzip.open(place, "wt", encoding="utf-8") as lines:
        lines.writelines(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in rows)
    return place


def test_a_triple_is_a_fact_of_two_at_the_sentence_that_names_both(tmp_path: Path) -> None:
    place = file(tmp_path, row("d", ["Marta Olsen", "Married to", "Peter Varga"]))
    (fact,) = RecordedExtractor(place).extract([chunk()])[0]
    assert [(part.name, part.role) for part in fact.participants] == [
        ("Marta Olsen", "subject"),
        ("Peter Varga", "object"),
    ]
    assert (fact.type, fact.description) == ("married to", "Marta Olsen Married to Peter Varga")
    assert TEXT[fact.start : fact.end] == "Marta Olsen was born in Oslo."


def test_the_sentence_with_most_of_the_words_states_it(tmp_path: Path) -> None:
    place = file(tmp_path, row("d", ["Peter Varga", "married in", "1921"]))
    (fact,) = RecordedExtractor(place).extract([chunk()])[0]
    assert TEXT[fact.start : fact.end] == "She married Peter Varga in 1921."


@pytest.mark.parametrize("key", ["c", "d", content_id("Marta Olsen", TEXT)])
def test_a_passage_is_known_by_its_chunk_its_document_or_its_content(tmp_path: Path, key: str) -> None:
    extractor = RecordedExtractor(file(tmp_path, row(key, ["Marta Olsen", "born in", "Oslo"])))
    assert [len(found) for found in extractor.extract([chunk()])] == [1]
    assert extractor.missing == 0


def test_a_chunk_of_a_longer_document_has_the_triples_that_it_can_state(tmp_path: Path) -> None:
    triples = (["Marta Olsen", "born in", "Oslo"], ["Marta Olsen", "won", "the Northern Prize"])
    extractor = RecordedExtractor(file(tmp_path, row("d", *triples)))
    found = extractor.extract([chunk("Marta Olsen was born in Oslo."), chunk("She won the Northern Prize.")])
    assert [[fact.type for fact in facts] for facts in found] == [["born in"], ["won"]]


def test_a_chunk_that_the_file_lacks_has_no_facts_and_is_counted(tmp_path: Path) -> None:
    extractor = RecordedExtractor(file(tmp_path, row("d", ["Marta Olsen", "born in", "Oslo"])))
    found = extractor.extract([chunk(document_id="e"), chunk(), chunk(document_id="f")])
    assert ([len(facts) for facts in found], extractor.missing) == ([0, 1, 0], 2)


def test_triples_that_join_nothing_are_left_out(tmp_path: Path) -> None:
    place = file(tmp_path, row("d", ["Oslo", "is", "oslo"], ["Oslo", "is", ""], ["?", "is", "Oslo"]))
    assert RecordedExtractor(place).extract([chunk()]) == [[]]


def test_types_of_the_file_are_those_of_the_participants(tmp_path: Path) -> None:
    types = {"entities": ["Marta Olsen", "Oslo"], "entity_types": ["person", "PLACE"]}
    place = file(tmp_path, row("d", ["marta olsen", "born in", "Oslo"], **types))
    (fact,) = RecordedExtractor(place).extract([chunk()])[0]
    assert [part.type for part in fact.participants] == ["PERSON", "PLACE"]


def test_a_chunk_without_text_has_no_facts(tmp_path: Path) -> None:
    assert RecordedExtractor(file(tmp_path, row("d", ["A1", "b", "C1"]))).extract([chunk("")]) == [[]]


def test_an_unpacked_file_is_read_too(tmp_path: Path) -> None:
    place = tmp_path / "openie.jsonl"
    place.write_text(json.dumps(row("d", ["Marta Olsen", "born in", "Oslo"])) + "\n", encoding="utf-8")
    assert len(RecordedExtractor(place).extract([chunk()])[0]) == 1


BAD = {
    "no JSON": ("{not json", "got no JSON"),
    "no object": ([1, 2], r"got \[1, 2\]"),
    "no passage": ({"triples": []}, "got {'triples'"),
    "no triples": ({"passage_id": "d"}, "got {'passage_id'"),
    "a triple of two": (row("d", ["a", "b"]), "got the triple"),
    "a triple with a number": ({"passage_id": "d", "triples": [["a", "b", 3]]}, "got the triple"),
}


@pytest.mark.parametrize(("bad", "message"), BAD.values(), ids=BAD)
def test_a_bad_row_is_named_by_its_file_and_line(tmp_path: Path, bad: object, message: str) -> None:
    place = file(tmp_path, row("d", ["a", "b", "c"]), bad)
    with pytest.raises(InvalidInput, match=rf"openie\.jsonl\.gz:2: each line must be .* {message}"):
        RecordedExtractor(place)


def test_a_file_that_is_absent_or_not_packed_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"absent\.jsonl is not: "):
        RecordedExtractor(tmp_path / "absent.jsonl")
    plain = tmp_path / "plain.jsonl.gz"
    plain.write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"plain\.jsonl\.gz is not: "):
        RecordedExtractor(plain)
