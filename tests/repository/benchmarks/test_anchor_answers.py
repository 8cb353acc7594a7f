"""Scores of generated answers."""

from __future__ import annotations

from benchmarks import anchor_answers
from benchmarks.__main__ import ON_DEMAND, PARTS

from tetragraph.errors import UnusableReply
from tetragraph.model import Chunk, Evidence
from tetragraph.model.answers import Answer, Citation

LISBON = Chunk("Lisbon", "Lisbon", "Lisbon", "Lisbon", "About Lisbon.", 0, 0, 9, 3)


def test_answers_are_scored_in_per_cent_over_all_questions() -> None:
    right = {"EM": 1.0, "F1": 1.0, "citations": 0.5, "insufficient": 0.0, "failed": 0.0}
    failed = {"EM": 0.0, "F1": 0.0, "citations": 0.0, "insufficient": 0.0, "failed": 1.0}
    row = anchor_answers.mean_scores([right, failed])
    assert row == {"questions": 2, "EM": 50.0, "F1": 50.0, "citations": 25.0, "insufficient": 0.0, "failed": 50.0}


class Asked:
    """A corpus that gives every question the same answer and records the arguments."""

    def __init__(self) -> None:
        self.asked: dict[str, object] = {}

    def ask(self, question: str, **how: object) -> Answer:
        self.asked = how
        if how["method"] == "gain":
            raise UnusableReply("no", "raw")
        citation = Citation.of(LISBON, 0, 5)
        return Answer(question, "the Tagus", "generated", (citation,), 0, False, Evidence(question, "anchor", ()))


def test_an_answer_is_asked_for_with_the_settings_of_its_way_and_scored() -> None:
    corpus = Asked()
    question = {"question": "Which river?", "answers": ["Tagus"], "supporting": ["Lisbon"]}
    found = anchor_answers.score_answer(corpus, question, "anchor", 5, reasoner="llm", graph=False)
    assert corpus.asked == {"method": "anchor", "k": 5, "generate": True, "reasoner": "llm", "graph": False}
    assert (found["EM"], found["citations"], found["failed"]) == (1.0, 1.0, 0.0)
    assert anchor_answers.score_answer(corpus, question, "gain", 5)["failed"] == 1.0


def test_parts_that_take_hours_are_known_parts() -> None:
    assert set(ON_DEMAND) <= set(PARTS)
