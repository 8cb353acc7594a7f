"""Metrics of answers, compared with SQuAD's script, and citations of gold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.answer_metrics import (
    character_f1,
    citation_score,
    exact_match,
    normalise,
    read_answers,
    score_answers,
    string_accuracy,
    token_f1,
)
from tetragraph.evaluate.model import Gold, GoldQuestion, RunAnswer

MATCHED = {"em": 1, "f1": 1, "str_acc": 1, "char_f1": 1}
"""Metrics of an answer that equals an accepted one."""


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The Beatles", "beatles"),
        ("a  man,\tan apple", "man apple"),
        ("U.S.A.", "usa"),
        ("Anatole the theatre", "anatole theatre"),
        ("30 June 1905", "30 june 1905"),
        ("The", ""),
    ],
)
def test_case_punctuation_articles_and_blanks_do_not_count(answer: str, expected: str) -> None:
    assert normalise(answer) == expected


def test_any_accepted_answer_matches() -> None:
    assert exact_match("the USA", ["United States", "U.S.A."]) == 1
    assert exact_match("America", ["United States", "U.S.A."]) == 0


def test_f1_is_the_harmonic_mean_of_precision_and_recall_with_the_best_accepted_answer() -> None:
    precision, recall = 2 / 3, 2 / 4
    assert token_f1("old port town", ["the old port of Sund"]) == pytest.approx(
        2 * precision * recall / (precision + recall)
    )
    assert token_f1("old port town", ["Halvik", "old port"]) == pytest.approx(4 / 5)
    assert token_f1("port port", ["port"]) == pytest.approx(2 / 3)
    assert token_f1("Halvik", ["Old Port"]) == 0


def test_an_answer_that_contains_an_accepted_one_is_accurate() -> None:
    assert string_accuracy("It was built in the Old Port, in 1890.", ["Halvik", "old port"]) == 1
    assert string_accuracy("a party", ["art"]) == 0
    assert string_accuracy("old", ["old port"]) == 0
    assert (string_accuracy("Halvik", ["The"]), string_accuracy("an", ["The"])) == (0, 1)


def test_f1_of_characters_counts_them_without_blanks() -> None:
    assert character_f1("Halvick", ["Halvik"]) == pytest.approx(2 * 6 / (7 + 6))
    assert character_f1("the old port", ["Halvik", "oldport"]) == 1
    assert character_f1("xyz", ["Halvik"]) == 0


def test_an_answer_of_articles_only_matches_another_such_alone() -> None:
    assert token_f1("the", ["a"]) == 1
    assert token_f1("the", ["Halvik"]) == 0


def test_citations_score_the_share_that_is_gold() -> None:
    assert citation_score(RunAnswer("x", ("a", "b", "b", "c")), frozenset("ab")) == 2 / 3
    assert citation_score(RunAnswer("x"), frozenset("ab")) == 0


def test_each_metric_needs_what_it_is_about() -> None:
    question = GoldQuestion("q", "?", (Gold("d"),), ("Halvik",))
    cited = {"q": RunAnswer("Halvik", ("d", "e"))}
    assert score_answers(cited, question) == {**MATCHED, "citations": 1 / 2}
    assert score_answers({"q": RunAnswer("Halvik")}, question) == MATCHED
    assert score_answers(cited, GoldQuestion("q", "?", (Gold("d"),))) == {"citations": 1 / 2}
    unmatched = {**dict.fromkeys(MATCHED, 0), "citations": 0}
    assert score_answers(cited, GoldQuestion("other", "?", (Gold("d"),), ("x",))) == unmatched
    assert score_answers({}, question) == {}


def test_answers_are_read_by_question(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"id": "a", "answer": "Halvik", "citations": ["d"]}\n\n{"id": "b", "answer": ""}\n', "utf-8")
    assert read_answers(file) == {"a": RunAnswer("Halvik", ("d",)), "b": RunAnswer("")}


def test_an_answer_may_contain_separators_of_lines_and_paragraphs(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"id": "a", "answer": "Halvik\u2028Kron\u0085"}\r\n', encoding="utf-8", newline="")
    assert read_answers(file) == {"a": RunAnswer("Halvik\u2028Kron\u0085")}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("{", "a.jsonl:2: an answer must be a JSON object"),
        ("[]", "a.jsonl:2: an answer must have 'id' and 'answer' as texts"),
        ('{"id": 1, "answer": "x"}', "a.jsonl:2: an answer must have 'id' and 'answer' as texts"),
        ('{"id": "b", "answer": "x", "citations": [1]}', "a.jsonl:2: an answer must have"),
        ('{"id": "a", "answer": "x"}', "a.jsonl:2: a question must be answered once, 'a' is again"),
    ],
)
def test_a_broken_answer_is_told_with_file_and_line(tmp_path: Path, row: str, words: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "a", "answer": "x"}\n' + row, encoding="utf-8")
    with pytest.raises(InvalidInput, match=words):
        read_answers(file)


def test_a_file_of_answers_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="must be text that can be read"):
        read_answers(tmp_path / "none.jsonl")
