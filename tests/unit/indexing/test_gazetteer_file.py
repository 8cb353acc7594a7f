"""The file of known entities, and the rules that these meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.indexing.gazetteer_file import read_gazetteer
from tetragraph.language.lexicon import gazetteer as known
from tetragraph.language.lexicon.gazetteer import Gazetteer, KnownEntity, gazetteer_of

WANTED = (
    KnownEntity("Orla Brandt", "PERSON", ("O. Brandt", "the engineer of Halvik")),
    KnownEntity("Reyer Academy", "ORGANIZATION", ("RA",)),
    KnownEntity("scrimshaw"),
)


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_tables_and_lines_give_the_same_entities_in_any_order(tmp_path: Path) -> None:
    table = (
        "name,type,aliases\nReyer Academy,organization,RA|Reyer  academy\nscrimshaw,,\n"
        "Orla Brandt,PERSON,the engineer of Halvik | O. Brandt\n"
    )
    lines = (
        '{"name": "scrimshaw"}\n{"name": "Reyer Academy", "type": "ORGANIZATION", "aliases": ["RA"]}\n'
        '{"name": "Orla Brandt", "type": "PERSON", "aliases": ["O. Brandt", "the engineer of Halvik"]}\n'
    )
    read = [read_gazetteer(write(tmp_path, *one)) for one in (("k.csv", table), ("k.jsonl", lines))]
    assert [one.entities for one in read] == [WANTED, WANTED]
    assert read[0].sha256 == read[1].sha256
    assert gazetteer_of({"gazetteer": read[0].setting}) == read[0]
    assert gazetteer_of({}).expand("RA?") == "RA?"


def test_a_quoted_cell_may_contain_line_ends_and_separators_of_lines(tmp_path: Path) -> None:
    file = write(tmp_path, "k.csv", 'name,aliases\nElva,"The\nmayor"\nOrla\u2028Brandt,\n')
    assert [one.name for one in read_gazetteer(file).entities] == ["Elva", "Orla\u2028Brandt"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("name,type\n", "must have a row for each known entity"),
        ("name,type\n,PERSON\n", "must have a name"),
        ("name,type\nElva,P 1\n", "must be a word such as PERSON, k.csv:2 has 'P 1'"),
        ("name,kind\nElva,PERSON\n", "columns name, type, aliases, got 'kind'"),
        ("name,aliases\nElva,X\nTomas,x\n", "must belong to one entity, got 'x' of 'Elva' and 'Tomas'"),
        ("name,aliases\nElva,\nelva,\n", "k.csv:3 repeats 'elva'"),
        ("name,aliases\nElva,?!\n", "must have a letter or digit"),
    ],
)
def test_a_faulty_file_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(InvalidInput, match=fault):
        read_gazetteer(write(tmp_path, "k.csv", text))


def test_a_gazetteer_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "MOST_FORMS", 2)
    with pytest.raises(InvalidInput, match="at most 2 names and aliases, got 3"):
        Gazetteer((KnownEntity("A", "", ("B", "C")),))


@pytest.mark.parametrize(
    ("question", "expanded"),
    [
        ("Who founded RA?", "Who founded RA (Reyer Academy)?"),
        ("who founded ra?", "who founded ra (Reyer Academy)?"),
        ("Is the ra of RA's sun?", "Is the ra of RA's (Reyer Academy) sun?"),
        ("Is RA the Reyer Academy?", "Is RA the Reyer Academy?"),
        ("Did O. Brandt know RA, and RA him?", "Did O. Brandt (Orla Brandt) know RA (Reyer Academy), and RA him?"),
        ("What is scrimshaw?", "What is scrimshaw?"),
    ],
)
def test_an_alias_of_a_question_is_followed_by_its_name(question: str, expanded: str) -> None:
    gazetteer = Gazetteer(WANTED)
    assert gazetteer.expand(question) == expanded
    assert gazetteer.expand(expanded) == expanded
