"""Files of questions: recognised by their first row, and rejected if they are not valid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import Gold, GoldQuestion
from tetragraph.evaluate.questions import check_questions, read_questions


def written(folder: Path, *rows: object) -> Path:
    file = folder / "q.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return file


def test_questions_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    rows = [{"id": letter, "question": f"{letter}?"} for letter in "cab"]
    assert [one.id for one in read_questions(written(tmp_path, *rows))] == ["c", "a", "b"]
    assert [one.id for one in read_questions(str(tmp_path / "q.jsonl"), format_name="tetragraph")] == ["c", "a", "b"]


def test_two_questions_with_one_id_are_told_with_both_places(tmp_path: Path) -> None:
    rows = [{"id": letter, "question": "?x"} for letter in "aba"]
    with pytest.raises(InvalidInput, match=r"q\.jsonl:3: ids must be unique, 'a' is taken by .*q\.jsonl:1; remove"):
        read_questions(written(tmp_path, *rows))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"must have at least one, '.*q\.jsonl' is empty"):
        read_questions(written(tmp_path))
    with pytest.raises(InvalidInput, match=r"must have at least one, '.*q\.jsonl' has none"):
        read_questions(written(tmp_path), format_name="tetragraph")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="a file of questions must exist"):
        read_questions(tmp_path / "none.jsonl")


@pytest.mark.parametrize("row", [{"text": "no question"}, ["id", "question"], {"question": "without id"}])
def test_a_file_of_no_known_format_is_refused_with_the_list(tmp_path: Path, row: object) -> None:
    known = (
        "2wikimultihopqa, bamboogle, beir, dpr, hotpotqa, ir-datasets, musique, nq_open, popqa, tetragraph, trec, "
        "triviaqa"
    )
    with pytest.raises(InvalidInput, match=f"its first row fits none of {known}; name the format"):
        read_questions(written(tmp_path, row))


def test_a_format_that_is_named_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"the format of questions must be one of 2wiki.*, got 'squad'"):
        read_questions(written(tmp_path, {"id": "a", "question": "?"}), format_name="squad")


@pytest.mark.parametrize("given", [5, [{"question": "a"}], ["Who?"], [GoldQuestion("a", "?"), None]])
def test_what_is_no_list_of_questions_is_refused(given: Any) -> None:
    with pytest.raises(InvalidInput, match="questions must be the path of a file, or a list of GoldQuestion such as"):
        check_questions(given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"id": 5}, "the id of a question must be a text that is not blank, got 5"),
        ({"text": " "}, "the text of a question must be a text that is not blank, got ' '"),
        ({"gold": ("teams",)}, r"gold must be a list of Gold, such as \[Gold\('teams.md'\)\], got \('teams',\)"),
        ({"gold": Gold("teams")}, r"gold must be a list of Gold, .*, got Gold\(document='teams'"),
        ({"gold": [Gold("a"), Gold("b"), Gold("a")]}, "gold must name each passage once, got 'a' twice"),
        ({"answers": "Jonas Berg"}, "answers must be a list of texts, such as .*, got 'Jonas Berg'"),
        ({"answers": [1]}, r"answers must be a list of texts, .*, got \[1\]"),
        ({"hops": 0}, "hops must be an integer of at least 1, got 0"),
        ({"kind": ["bridge"]}, "the kind of a question must be a text"),
    ],
)
def test_a_question_of_the_caller_is_checked_like_one_of_a_file(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        GoldQuestion(**{"id": "a", "text": "?", **given})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("",), "the document of gold must be a text that is not blank, got ''"),
        ((7,), "the document of gold must be a text that is not blank, got 7"),
        (("teams", 50, 10), "a stretch must have integers 0 <= start < end, got 50 and 10 for 'teams'"),
        (("teams", -1, 10), "a stretch must have integers 0 <= start < end, got -1 and 10"),
        (("teams", 0, True), "a stretch must have integers 0 <= start < end, got 0 and True"),
        (("teams", 0), "a stretch must have integers 0 <= start < end, got 0 and None"),
    ],
)
def test_gold_of_the_caller_is_checked_like_that_of_a_file(given: tuple[Any, ...], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        Gold(*given)


def test_gold_and_answers_may_be_lists() -> None:
    lists: dict[str, Any] = {"gold": [Gold("teams", 0, 9)], "answers": ["Jonas Berg"]}
    assert GoldQuestion("a", "?", **lists) == GoldQuestion("a", "?", (Gold("teams", 0, 9),), ("Jonas Berg",))


def test_questions_of_the_caller_must_be_there_and_have_ids_of_their_own() -> None:
    one = GoldQuestion("a", "?")
    assert check_questions([one]) == (one,)
    with pytest.raises(InvalidInput, match="at least one question, got none"):
        check_questions([])
    with pytest.raises(InvalidInput, match="must be unique, got 'a' more than once"):
        check_questions([one, GoldQuestion("b", "?"), one])
