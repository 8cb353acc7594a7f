"""Facts of the rows of tables, and of the text around tables, with the real English model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.facts.dependency import DependencyExtractor
from tetragraph.language.facts.model import Fact
from tetragraph.language.facts.tables import find_tables, without_tables
from tetragraph.model import Chunk

MILLS = """\
| name | town | mayor | height | open |
| --- | --- | --- | --- | --- |
| Mill House | Ebern | Jonas Reck | 31 m | yes |
| Old Forge | Tarnow |  | 1,200 | 1871 |
"""


def facts(text: str, title: str = "") -> list[Fact]:
    return DependencyExtractor().extract([Chunk("c", "d", title, title, text, 0, 0, len(text), 0)])[0]


def roles(fact: Fact) -> dict[str, str]:
    return {participant.name: participant.role for participant in fact.participants}


def test_a_row_is_one_fact_of_its_cells_with_the_headers_as_roles() -> None:
    first, second = facts(MILLS, "Mills")
    assert first.type == second.type == "listed"
    assert first.description == "Mill House: town Ebern, mayor Jonas Reck, height 31 m, open yes"
    assert roles(first) == {"Mill House": "subject", "Ebern": "town", "Jonas Reck": "mayor"}
    assert second.description == "Old Forge: town Tarnow, height 1,200, open 1871"
    assert roles(second) == {"Old Forge": "subject", "Tarnow": "town", "1871": "open"}
    assert MILLS[second.start : second.end] == "Old Forge | Tarnow |  | 1,200 | 1871"


@pytest.mark.parametrize(
    ("table", "description", "participants"),
    [
        (
            "| property | value |\n|---|---|\n| Capital | Ebern |",
            "Veld: Capital: value Ebern",
            {"Veld": "topic", "Capital": "subject", "Ebern": "value"},
        ),
        (
            "| | 2021 | 2022 |\n|--|-:|-:|\n| Revenue | $ 1,200 | 1,300 |",
            "Veld: Revenue: 2021 $ 1,200, 2022 1,300",
            {"Veld": "topic", "Revenue": "subject"},
        ),
        (
            "| | |\n|---|---|\n| Mina \\| Holt | 4 May 1990 |",
            "Veld: Mina | Holt: 4 May 1990",
            {"Veld": "topic", "Mina | Holt": "subject", "4 May 1990": "attribute"},
        ),
    ],
    ids=["two columns", "one name", "no names of columns"],
)
def test_the_title_takes_part_in_rows_that_describe_it(
    table: str, description: str, participants: dict[str, str]
) -> None:
    (fact,) = facts(table, "Veld")
    assert (fact.description, roles(fact)) == (description, participants)


@pytest.mark.parametrize(
    "text",
    [
        "| name | town |",
        "| name | town |\n| --- | --- |",
        "| name | town |\n| Mill House | Ebern |",
        "| a | b |\n|---|---|\n| 1 | 2 |\n| | |\n| yes | no |",
    ],
    ids=["a header", "no rows", "no line of dashes", "no names"],
)
def test_lines_without_a_header_or_names_state_nothing(text: str) -> None:
    assert facts(text, "Veld") == []


def test_the_text_around_a_table_is_read_without_it() -> None:
    found = facts(f"Mina Holt leads the council\n\n{MILLS}\nJonas Reck was born in Tarnow.")
    assert [fact.type for fact in found] == ["leads", "listed", "listed", "born"]
    assert found[-1].description == "Jonas Reck was born in Tarnow"


def test_a_long_cell_is_parsed_as_prose_and_takes_no_part_in_its_row() -> None:
    prose = "Anna Frey founded the Salt Barn with the help of three farmers from the villages around Ebern in 1871"
    text = f"| name | town | history |\n|---|---|---|\n| Salt Barn | Ebern | {prose} |"
    listed, founded = facts(text)
    assert listed.description == "Salt Barn: town Ebern"
    assert founded.type == "founded"
    assert text[founded.start : founded.end] in prose
    assert roles(founded)["Anna Frey"] == "subject"


def test_items_of_a_list_are_sentences_of_their_own() -> None:
    found = facts(
        "They are:\n- Anna Frey founded the Salt Barn\n  * Jonas Reck leads Ebern\n2. Mina Holt wrote Grey Dawn"
    )
    assert [fact.description for fact in found] == [
        "Anna Frey founded the Salt Barn",
        "Jonas Reck leads Ebern",
        "Mina Holt wrote Grey Dawn",
    ]


@given(st.text("|-a \\\n", max_size=60))
def test_the_text_without_tables_keeps_the_places_of_the_rest(text: str) -> None:
    tables = find_tables(text)
    rest = without_tables(text, tables)
    assert len(rest) == len(text)
    assert all(kept in (given, "\n") for kept, given in zip(rest, text, strict=True))
    for table in tables:
        assert rest[table.start : table.end].strip("\n") == ""
