"""Benchmarks in their published formats: the same questions, and passages that contain their gold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import Gold, GoldQuestion
from tetragraph.evaluate.questions import read_questions
from tetragraph.indexing.sources import read_documents
from tetragraph.model import Document, Unreadable, content_id

KRON = ("Elva Kron", "Elva Kron was born in Halvik. She painted.")
HALVIK = ("Halvik", "Halvik lies in Sund County.")
OTHER = ("Low Tide", "Low Tide is a poem.")
MUSIQUE: dict[str, Any] = {
    "id": "3hop1__12_34_56",
    "paragraphs": [
        {"idx": place, "title": title, "paragraph_text": text, "is_supporting": title != "Low Tide"}
        for place, (title, text) in enumerate((OTHER, KRON, HALVIK))
    ],
    "question": "In which county was the painter born?",
    "question_decomposition": [{"id": 12, "question": "x", "answer": "y", "paragraph_support_idx": 1}],
    "answer": "Sund County",
    "answer_aliases": ["Sund", "Sund County"],
    "answerable": True,
}
HOTPOT: dict[str, Any] = {
    "_id": "5a7a",
    "question": "In which county was the painter born?",
    "answer": "Sund County",
    "supporting_facts": [["Halvik", 0], ["Elva Kron", 0], ["Halvik", 1]],
    "context": [
        ["Low Tide", ["Low Tide is a poem."]],
        ["Elva Kron", ["Elva Kron was born in Halvik.", " She painted."]],
        ["Halvik", ["Halvik lies in Sund County."]],
    ],
    "type": "bridge",
    "level": "hard",
}
DPR: dict[str, Any] = {
    "dataset": "nq_dev",
    "question": "Where was Kron born?",
    "answers": ["Halvik"],
    "positive_ctxs": [{"title": title, "text": text, "score": 1000} for title, text in (KRON, HALVIK)],
    "hard_negative_ctxs": [{"title": OTHER[0], "text": OTHER[1]}],
    "negative_ctxs": [],
}
TRIVIA: dict[str, Any] = {
    "Data": [
        {
            "Answer": {"Value": "Halvik", "Aliases": ["Old Halvik", "Halvik"], "NormalizedAliases": ["halvik"]},
            "Question": "Where was Kron born?",
            "QuestionId": "tc_2",
        }
    ],
    "Version": 1.0,
}
HUB: dict[str, Any] = {
    **{key: value for key, value in HOTPOT.items() if key != "_id"},
    "id": "5a7a",
    "supporting_facts": {"title": ["Halvik", "Elva Kron", "Halvik"], "sent_id": [0, 0, 1]},
    "context": {"title": [title for title, _ in HOTPOT["context"]], "sentences": [s for _, s in HOTPOT["context"]]},
}
TWO_WIKI: dict[str, Any] = {
    **HOTPOT,
    "context": [
        *HOTPOT["context"][::2],
        ["Elva Kron", ["Elva Kron was born in Halvik.", "She painted."]],
        ["Halvik", ["Another page of that title."]],
    ],
    "type": "compositional",
    "evidences": [["Elva Kron", "place of birth", "Halvik"]],
}
POPQA = (
    "id\tsubj\tprop\tobj\tquestion\tpossible_answers\n"
    '42\tGeorge "G" Rankin\toccupation\tpolitician\tWhat is George Rankin\'s occupation?\t'
    '"[""politician"", ""political leader"", ""politician""]"\n'
)
BAMBOOGLE = 'Question,Answer\n"Who, in the year 1812, was president?",James Madison\nWhen?,1823\n'


def gold(*passages: tuple[str, str]) -> tuple[Gold, ...]:
    return tuple(Gold(content_id(title, text)) for title, text in passages)


def written(folder: Path, name: str, content: Any) -> Path:
    file = folder / name
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "musique.jsonl",
            MUSIQUE,
            [
                GoldQuestion(
                    "3hop1__12_34_56",
                    "In which county was the painter born?",
                    gold(KRON, HALVIK),
                    ("Sund County", "Sund"),
                    3,
                    "3hop1",
                )
            ],
        ),
        (
            "hotpot.json",
            [HOTPOT],
            [GoldQuestion("5a7a", HOTPOT["question"], gold(HALVIK, KRON), ("Sund County",), 2, "bridge")],
        ),
        (
            "hub.json",
            HUB,
            [GoldQuestion("5a7a", HOTPOT["question"], gold(HALVIK, KRON), ("Sund County",), 2, "bridge")],
        ),
        (
            "2wiki.json",
            [TWO_WIKI],
            [GoldQuestion("5a7a", HOTPOT["question"], gold(HALVIK, KRON), ("Sund County",), 2, "compositional")],
        ),
        (
            "popqa.tsv",
            POPQA,
            [
                GoldQuestion(
                    "42",
                    "What is George Rankin's occupation?",
                    (),
                    ("politician", "political leader"),
                    1,
                    "occupation",
                )
            ],
        ),
        (
            "popqa.json",
            [{"id": 42, "question": "What?", "prop": "occupation", "possible_answers": ["politician"]}],
            [GoldQuestion("42", "What?", (), ("politician",), 1, "occupation")],
        ),
        (
            "bamboogle.csv",
            BAMBOOGLE,
            [
                GoldQuestion("bamboogle-000", "Who, in the year 1812, was president?", (), ("James Madison",), 2),
                GoldQuestion("bamboogle-001", "When?", (), ("1823",), 2),
            ],
        ),
        (
            "nq.jsonl",
            {"question": "who painted low tide", "answer": ["Kron", "Elva Kron"]},
            [GoldQuestion("nq-0000", "who painted low tide", (), ("Kron", "Elva Kron"), 1)],
        ),
        (
            "dpr.json",
            [DPR, {"question": "When?", "answers": ["1823"], "positive_ctxs": []}],
            [
                GoldQuestion("dpr-0000", "Where was Kron born?", (Gold(content_id(*KRON)),), ("Halvik",), 1),
                GoldQuestion("dpr-0001", "When?", (), ("1823",), 1),
            ],
        ),
        (
            "triviaqa.json",
            json.dumps(TRIVIA, indent=4),
            [GoldQuestion("tc_2", "Where was Kron born?", (), ("Halvik", "Old Halvik", "halvik"), 1)],
        ),
        (
            "bamboogle.json",
            [{"Question": "When?", "Answer": "1823"}],
            [GoldQuestion("bamboogle-000", "When?", (), ("1823",), 2)],
        ),
    ],
)
def test_a_release_is_told_by_its_first_row_and_read(
    tmp_path: Path, name: str, content: Any, expected: list[GoldQuestion]
) -> None:
    assert list(read_questions(written(tmp_path, name, content))) == expected


def test_a_question_of_our_own_may_leave_out_all_but_id_and_text(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "question": "Why?"},
        {
            "id": 7,
            "question": "Where?",
            "answers": ["here", "there", "here"],
            "supporting": ["d1", {"document": "d2"}, {"document": "d2", "start": 0, "end": 40}],
            "hops": 2,
            "type": "bridge",
            "level": "hard",
        },
        {"id": "c", "question": "Who?", "answers": None, "supporting": [], "hops": None, "type": None},
    ]
    file = written(tmp_path, "own.jsonl", "\n".join(map(json.dumps, rows)))
    assert read_questions(file) == (
        GoldQuestion("a", "Why?"),
        GoldQuestion("7", "Where?", (Gold("d1"), Gold("d2"), Gold("d2", 0, 40)), ("here", "there"), 2, "bridge"),
        GoldQuestion("c", "Who?"),
    )


@pytest.mark.parametrize(
    ("loader", "name", "content", "passages"),
    [
        ("musique", "m.jsonl", MUSIQUE, (OTHER, KRON, HALVIK)),
        ("hotpotqa", "h.json", [HOTPOT, {**HOTPOT, "_id": "x"}], (OTHER, KRON, HALVIK)),
        ("hotpotqa", "h.json", HUB, (OTHER, KRON, HALVIK)),
        ("dpr", "d.json", [DPR], (KRON, HALVIK, OTHER)),
        ("2wikimultihopqa", "w.json", [TWO_WIKI], (OTHER, HALVIK, KRON, ("Halvik", "Another page of that title."))),
    ],
)
def test_the_passages_of_a_release_are_documents_named_by_their_content(
    tmp_path: Path, loader: str, name: str, content: Any, passages: tuple[tuple[str, str], ...]
) -> None:
    file = written(tmp_path, name, content)
    documents = list(read_documents(file, loader))
    found = [one for one in documents if isinstance(one, Document)]
    assert found == documents
    assert [(one.id, one.title, one.text) for one in found] == [
        (content_id(title, text), title, text) for title, text in passages
    ]
    wanted = {one.document for question in read_questions(file) for one in question.gold}
    assert wanted <= {one.id for one in found}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({**MUSIQUE, "id": "q1"}, "an id must begin like '2hop__'"),
        ({**MUSIQUE, "question": " "}, "'question' must hold text, got none"),
        ({**MUSIQUE, "paragraphs": "none"}, "'paragraphs' must be a list, got str"),
        ({**MUSIQUE, "paragraphs": ["text"]}, "'paragraphs' must be a list of objects, got str in it"),
        ({**MUSIQUE, "paragraphs": [{"title": "t", "is_supporting": True}]}, "a row must have 'paragraph_text'"),
        ({**HOTPOT, "supporting_facts": [["Nowhere", 0]]}, "'Nowhere' has none; take the file with gold passages"),
        ({**HOTPOT, "supporting_facts": ["Halvik"]}, "'supporting_facts' must be a list of .title, sent_id., got str"),
        ({**HOTPOT, "context": [["Halvik", "one text"]]}, "the sentences of 'Halvik' must be a list of texts"),
        ({**HOTPOT, "_id": None}, "'_id' must be a string, got null"),
        ({"question": "x", "possible_answers": "[", "id": 1}, "'possible_answers' must be a JSON list"),
        ({"question": "x", "possible_answers": [1], "id": 1}, "must be a list of texts, got a number in it"),
        ({"question": "x", "possible_answers": []}, "a row must have 'id', this one has"),
        ({"Question": "x", "Answer": ""}, "'Answer' must hold text, got none"),
        ({"id": "a", "question": "x", "supporting": [3]}, "'supporting' must hold ids of documents, .* got a number"),
        ({"id": "a", "question": "x", "supporting": [{"start": 1}]}, "must name its 'document'"),
        ({"id": "a", "question": "x", "supporting": ["d", "d"]}, "must name each passage once, got 'd' twice"),
        (
            {"id": "a", "question": "x", "supporting": [{"document": "d", "start": 5, "end": 5}]},
            "a stretch must have integers 0 <= start < end, got 5 and 5 for 'd'",
        ),
        (
            {"id": "a", "question": "x", "supporting": [{"document": "d", "start": 5}]},
            "a stretch must have integers 0 <= start < end, got 5 and None",
        ),
        ({"id": "a", "question": "x", "hops": "2"}, "hops must be an integer of at least 1, got '2'"),
        ({"id": "a", "question": "x", "answers": "x"}, "'answers' must be a list, got str"),
    ],
)
def test_a_broken_row_is_told_with_file_and_line(tmp_path: Path, row: dict[str, Any], words: str) -> None:
    file = written(tmp_path, "broken.jsonl", "\n" + json.dumps(row))
    with pytest.raises(InvalidInput, match=rf"broken\.jsonl:2: .*{words}"):
        read_questions(file)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"Data": [{"Question": "x"', "must be one JSON object in UTF-8: .*; mend it"),
        ('{"Data": [3]}', r"\(row 1\): a row of 'Data' must be an object, got a number"),
        ('{"Data": [{"QuestionId": "a", "Question": "x", "Answer": "y"}]}', "'Answer' must be an object with 'Value'"),
        ('{"Data": [{"QuestionId": "a", "Question": "x", "Answer": {}}]}', "a row must have 'Value'"),
        ('{"Data": [{"QuestionId": "a", "Answer": {"Value": "y"}}]}', "a row must have 'Question'"),
    ],
)
def test_a_broken_file_of_triviaqa_is_refused_with_the_place(tmp_path: Path, content: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=rf"t\.json.*{words}"):
        read_questions(written(tmp_path, "t.json", content))


def test_an_object_without_data_is_no_file_of_triviaqa(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="must be an object whose 'Data' is a list"):
        read_questions(written(tmp_path, "t.json", '{"Rows": []}'), format_name="triviaqa")


def test_a_row_that_has_no_passages_costs_that_row_only(tmp_path: Path) -> None:
    rows = [{**HOTPOT, "context": [["Empty", [""]]]}, {"question": "x"}, HOTPOT]
    (tmp_path / "d").mkdir()
    found = list(read_documents(written(tmp_path / "d", "h.jsonl", "\n".join(map(json.dumps, rows))), "hotpotqa"))
    assert [one.source for one in found] == ["d/h.jsonl:1", "d/h.jsonl:2", *["d/h.jsonl:3"] * 3]
    assert found[:2] == [
        Unreadable("d/h.jsonl:1", "a passage must have text, 'Empty' has none; remove it"),
        Unreadable("d/h.jsonl:2", "a row must have 'context', this one has not; take the file with contexts"),
    ]


def test_a_release_without_rows_has_no_documents(tmp_path: Path) -> None:
    (only,) = read_documents(written(tmp_path, "h.json", "[]"), "hotpotqa")
    assert isinstance(only, Unreadable)
