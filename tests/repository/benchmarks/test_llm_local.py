"""What is made of judgements and answers of a language model, against a scripted one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from benchmarks import llm_local
from benchmarks.__main__ import ON_DEMAND, PARTS
from benchmarks.llm_local import Spent

from scripted_llm import ScriptedLlm
from tetragraph.errors import UnusableReply
from tetragraph.language.llm_steps import gain
from tetragraph.llm import LanguageModel, Operation
from tetragraph.model import Chunk, Evidence
from tetragraph.model.answers import Answer, Citation
from tetragraph.settings import Settings

CHUNKS = [Chunk(name, name, name, name, f"About {name}.", 0, 0, 9, 3) for name in ("Lisbon", "Tagus", "Porto")]
PAIRS = np.array([[0, 1], [0, 2], [1, 2]])


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    """Says that Tagus adds most; of Porto it says nothing that can be read, when it is beside Tagus."""

    def answer(body: dict[str, object]) -> str:
        asked = str(body["messages"])
        if "About Tagus" in asked and "About Porto" in asked:
            return "I cannot say."
        return f'{{"judgements": [{{"passage": 1, "gain": {0.9 if "About Tagus" in asked else 0.2}}}]}}'

    with ScriptedLlm(answer) as llm:
        yield llm


@pytest.fixture
def operation(llm: ScriptedLlm, settings: Settings) -> Operation:
    return LanguageModel.open(llm.settings(settings)).operation("bench")


def test_a_reply_that_cannot_be_used_is_counted_and_left_out(operation: Operation) -> None:
    found = llm_local._judged(operation, "score", CHUNKS, PAIRS)
    assert found[:2].tolist() == [0.9, 0.2]
    assert np.isnan(found[2])
    row = llm_local._auc_row([found[:1], found[1:]])
    assert (row["pairs"], row["usable"], row["AUC"]) == (3, 2, 1.0)


def test_without_any_usable_reply_on_one_side_there_is_no_figure() -> None:
    row = llm_local._auc_row([np.array([np.nan]), np.array([0.5])])
    assert (row["usable"], row["AUC"]) == (1, None)


def test_a_call_costs_what_it_did_when_it_was_paid_for(llm: ScriptedLlm, operation: Operation) -> None:
    request = gain.request("score", CHUNKS[0].passage, [CHUNKS[1].passage])
    paid, again = Spent(), Spent()
    paid.add(operation, request)
    again.add(operation, request)
    assert llm.calls == 1
    assert (paid.calls, paid.tokens, paid.seconds) == (again.calls, again.tokens, again.seconds)
    assert paid.tokens == llm.input_tokens + llm.output_tokens


def test_pairs_are_drawn_the_same_each_time_and_each_once() -> None:
    pairs = np.arange(40).reshape(20, 2)
    drawn = llm_local._draw(pairs, 8)
    assert drawn.tolist() == llm_local._draw(pairs, 8).tolist()
    assert len({tuple(pair) for pair in drawn.tolist()}) == 8
    assert len(llm_local._draw(pairs, 100)) == 20


def test_answers_are_told_in_per_cent_over_all_questions() -> None:
    right = {"EM": 1.0, "F1": 1.0, "citations": 0.5, "insufficient": 0.0, "failed": 0.0}
    failed = {"EM": 0.0, "F1": 0.0, "citations": 0.0, "insufficient": 0.0, "failed": 1.0}
    row = llm_local.answer_row([right, failed])
    assert row == {"questions": 2, "EM": 50.0, "F1": 50.0, "citations": 25.0, "insufficient": 0.0, "failed": 50.0}


class Asked:
    """A corpus that answers each question alike, and takes down how it is asked."""

    def __init__(self) -> None:
        self.asked: dict[str, object] = {}

    def ask(self, question: str, **how: object) -> Answer:
        self.asked = how
        if how["method"] == "gain":
            raise UnusableReply("no", "raw")
        citation = Citation.of(CHUNKS[0], 0, 5)
        return Answer(question, "the Tagus", "generated", (citation,), 0, False, Evidence(question, "anchor", ()))


def test_an_answer_is_asked_for_with_the_settings_of_its_way_and_scored() -> None:
    corpus = Asked()
    question = {"question": "Which river?", "answers": ["Tagus"], "supporting": ["Lisbon"]}
    found = llm_local.answered(corpus, question, "anchor", 5, generate=True, reasoner="llm", graph=False)
    assert corpus.asked == {"method": "anchor", "k": 5, "generate": True, "reasoner": "llm", "graph": False}
    assert (found["EM"], found["citations"], found["failed"]) == (1.0, 1.0, 0.0)
    assert llm_local.answered(corpus, question, "gain", 5, generate=True)["failed"] == 1.0


def test_what_takes_hours_is_measured_only_where_it_is_asked_for() -> None:
    assert set(ON_DEMAND) <= set(PARTS)
