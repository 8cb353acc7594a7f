"""Run files are read back as they were written, and other tools compute the same figures from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, R, nDCG

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.metrics import score_run
from tetragraph.evaluate.model import Found, Gold, GoldQuestion, Run, RunAnswer
from tetragraph.evaluate.trec import format_qrels, format_run, passage_name, read_qrels, read_run

IDS = st.text(min_size=1, max_size=12).filter(lambda text: not any(0xD800 <= ord(letter) < 0xE000 for letter in text))
PLACES = st.none() | st.tuples(st.integers(0, 99), st.integers(100, 999))
SCORES = st.floats(allow_nan=False, allow_infinity=False)


def run_of(rankings: Mapping[str, Sequence[tuple[str, tuple[int, int] | None, float]]]) -> Run:
    found = {
        question: tuple(
            Found("c", document, "", place and place[0], place and place[1], score)
            for document, place, score in ranking
        )
        for question, ranking in rankings.items()
    }
    return Run("mine", "dense", {}, found)


def told(run: Run) -> dict[str, list[tuple[Any, ...]]]:
    return {
        question: [(one.document, one.start, one.end, one.score) for one in ranking]
        for question, ranking in run.rankings.items()
        if ranking
    }


def read(folder: Path, text: str, **options: Any) -> Run:
    file = folder / "r.trec"
    file.write_text(text, encoding="utf-8")
    return read_run(file, **options)


@given(
    st.dictionaries(IDS, st.lists(st.tuples(IDS, PLACES, SCORES), min_size=1, max_size=4, unique_by=lambda x: x[:2]))
)
def test_a_run_reads_back_with_its_ids_places_order_and_scores(
    tmp_path_factory: pytest.TempPathFactory, rankings: dict[str, list[tuple[str, tuple[int, int] | None, float]]]
) -> None:
    run = run_of(rankings)
    text = format_run(run)
    assert all(len(line.split()) == 6 for line in text.split("\n")[:-1])
    if rankings:
        back = read(tmp_path_factory.mktemp("r"), text)
        assert told(back) == told(run)
        assert format_run(back) == text
        assert (back.name, back.method) == ("mine", "mine")


def test_the_lines_of_a_run_are_those_that_trec_tools_expect() -> None:
    run = run_of({"q 2": [("a b", (0, 9), 0.5)], "q1": [("d@1", None, 2.0), ("50%", None, 1e-9)]})
    assert format_run(run) == ("q%202 Q0 a%20b@0-9 1 0.5 mine\nq1 Q0 d%401 1 2.0 mine\nq1 Q0 50%25 2 1e-09 mine\n")


def test_a_document_and_its_parts_have_different_names() -> None:
    assert passage_name(Gold("d@0-9")) == "d%400-9"
    assert passage_name(Gold("d", 0, 9)) == "d@0-9"


def test_a_foreign_run_needs_only_ids_of_documents_and_is_ordered_by_its_ranks(tmp_path: Path) -> None:
    lines = "q1 Q0 d2 2 0.1 HippoRAG\nq1 0 d1 1 0.1 HippoRAG\n\nq2 Q0 d1 0 7 HippoRAG\n"
    (tmp_path / "a.jsonl").write_text('{"id": "q1", "answer": "yes"}', encoding="utf-8")
    run = read(tmp_path, lines, name="hippo", answers=tmp_path / "a.jsonl")
    assert told(run) == {"q1": [("d1", None, None, 0.1), ("d2", None, None, 0.1)], "q2": [("d1", None, None, 7.0)]}
    assert (run.name, run.method, run.answers) == ("hippo", "HippoRAG", {"q1": RunAnswer("yes")})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("q1 Q0 d2 2 0.5", r"r\.trec:2: a line must be 'question Q0 passage rank score tag' .*, got 'q1 Q0 d2 2 0.5'"),
        ("q1 Q0 d2 two 0.5 x", r"r\.trec:2: a line must be"),
        ("q1 Q0 d2 2 high x", r"r\.trec:2: a line must be"),
        ("q1 Q0 d2 2 nan x", r"r\.trec:2: a line must be .* with finite numbers, got 'q1 Q0 d2 2 nan x'"),
        ("q1 Q0 d2 2 -inf x", r"r\.trec:2: a line must be .* with finite numbers"),
        ("q1 Q0 d2 2 1e999 x", r"r\.trec:2: a line must be .* with finite numbers"),
        ("q1 Q0 d2 1 0.5 x", r"r\.trec:2: rank and passage must be unique within a question, got rank 1 and 'd2'"),
        ("q1 Q0 d1 2 0.5 x", r"r\.trec:2: rank and passage must be unique"),
    ],
)
def test_a_broken_line_is_told_with_file_and_line(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        read(tmp_path, f"q1 Q0 d1 1 0.7 x\n{line}\n")


def test_a_byte_order_mark_is_no_part_of_the_first_question(tmp_path: Path) -> None:
    assert list(read(tmp_path, "\ufeffq1 Q0 d1 1 1.0 a\nq2 Q0 d1 1 1.0 a\n").rankings) == ["q1", "q2"]
    (tmp_path / "qrels").write_text("\ufeffq1 0 d1 1\n", encoding="utf-8")
    assert dict(read_qrels(tmp_path / "qrels")) == {"q1": (Gold("d1"),)}


def test_a_stretch_of_qrels_that_ends_before_it_begins_is_told_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 d@5-9 1\nq1 0 d@9-5 1\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"qrels:2: a stretch must have integers 0 <= start < end, got 9 and 5"):
        read_qrels(tmp_path / "qrels")


def test_a_number_that_no_text_reaches_belongs_to_the_id(tmp_path: Path) -> None:
    endless = f"d@1-{'9' * 5000}"
    assert told(read(tmp_path, f"q1 Q0 {endless} 1 1.0 a")) == {"q1": [(endless, None, None, 1.0)]}
    longest = 10**15 - 1
    assert told(read(tmp_path, f"q1 Q0 d@1-{longest} 1 1.0 a")) == {"q1": [("d", 1, longest, 1.0)]}


def test_a_run_file_must_exist_and_have_a_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="must have at least one line"):
        read(tmp_path, "\n")
    with pytest.raises(InvalidInput, match="must be text that can be read"):
        read_run(tmp_path / "none.trec")


def test_other_tools_give_our_figures_though_gold_is_a_document_or_a_stretch(tmp_path: Path) -> None:
    questions = [
        GoldQuestion("q1", "?", (Gold("a"), Gold("b"))),
        GoldQuestion("q2", "?", (Gold("a", 10, 20), Gold("c d", 0, 5))),
        GoldQuestion("q3", "?", (Gold("e"),)),
        GoldQuestion("q4", "?"),
    ]
    run = run_of(
        {
            "q1": [("x", (0, 9), 5), ("a", (0, 9), 4), ("a", (9, 20), 3), ("b", (0, 9), 2)],
            "q2": [("a", (0, 10), 5), ("a", (15, 30), 4), ("a", (30, 40), 3)],
            "q4": [("a", (0, 9), 5)],
        }
    )
    ours = score_run(run, questions, (2, 4)).each
    (tmp_path / "run").write_text(format_run(run), encoding="utf-8")
    (tmp_path / "qrels").write_text(format_qrels(run, questions), encoding="utf-8")
    names: dict[Any, str] = {R @ 2: "recall@2", R @ 4: "recall@4", nDCG @ 4: "ndcg@4", RR: "mrr"}
    read_qrels: Callable[[str], Any] = ir_measures.read_trec_qrels
    read_rankings: Callable[[str], Any] = ir_measures.read_trec_run
    theirs = ir_measures.iter_calc(
        list(names), read_qrels(str(tmp_path / "qrels")), read_rankings(str(tmp_path / "run"))
    )
    values = {(names[one.measure], one.query_id): one.value for one in theirs}
    assert values == {
        (name, question): pytest.approx(ours[name][question])
        for name in names.values()
        for question in ("q1", "q2", "q3")
    }
