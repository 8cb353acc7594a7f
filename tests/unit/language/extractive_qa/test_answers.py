"""Answers with their confidence and explanation, with the reading model and without."""

from __future__ import annotations

import numpy as np
import pytest

from direct_head import SHAPES, direct_head
from tetragraph.language.extractive_qa import encoder, read_answer
from tetragraph.language.extractive_qa.answers import NO_MODEL
from tetragraph.language.extractive_qa.bridges import answer_steps
from tetragraph.language.extractive_qa.encoder import DIMENSION, ReadPassage
from tetragraph.language.extractive_qa.options import FEATURES, Option, find_options
from tetragraph.language.extractive_qa.ranking import Ranking, load_head, load_ranking
from tetragraph.language.extractive_qa.target import read_target, sub_questions
from tetragraph.model import Bridge, ChainStep, Chunk

PAGES = {
    "Halvik": "Halvik is a fishing town in the north of Sund County. Its harbour was built in 1874 by Orla Brandt.",
    "Orla Brandt": "Orla Brandt was an engineer. He was born in Lisbon on 3 May 1840 and had 17 children.",
    "Tomas Reyer": "Tomas Reyer was a painter. He was born in Vienna on 12 June 1861.",
}
PASSAGES = [Chunk(f"c-{one}", one.lower(), one, one, text, 0, 0, len(text), 9) for one, text in PAGES.items()]
CHAIN = (
    ChainStep("the builder of the harbour of Halvik", (), (Bridge("e", "Orla Brandt", 0.9),), (("c-Halvik", 0.9),)),
    ChainStep("Where was #1 born?", (1,), (), (("c-Orla Brandt", 0.8),)),
)
WHERE = "Where was the builder of the harbour of Halvik born?"


@pytest.fixture(params=["with the model", "without the model"])
def has_model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if request.param == "without the model":
        monkeypatch.setattr(encoder, "find_cross_encoder", lambda: None)
        return False
    if not encoder.is_installed():
        pytest.skip("the wheel of the model is not installed")
    return True


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When was the harbour of Halvik built?", "1874"), ("How many children did Orla Brandt have?", "17")],
)
def test_the_likeliest_span_is_the_answer(question: str, answer: str, has_model: bool) -> None:
    reading = read_answer(question, PASSAGES)
    assert reading.text == answer
    assert 0 < reading.confidence < 1
    assert reading.notes == (() if has_model else (NO_MODEL,))
    assert reading.explanation.rule == "span"
    assert reading.explanation.candidates[0].text == answer
    likely = [one.probability for one in reading.explanation.candidates]
    assert likely == sorted(likely, reverse=True)
    ((chunk, start, end),) = reading.support
    assert answer in chunk.text[start:end]
    assert reading.nearest[0] == reading.support[0]
    assert read_answer(question, PASSAGES) == reading


@pytest.mark.usefixtures("has_model")
def test_sub_questions_are_answered_one_by_one() -> None:
    reading = read_answer(WHERE, PASSAGES, CHAIN)
    assert reading.text == "Lisbon"
    assert [chunk.text[start:end] for chunk, start, end in reading.support] == [
        "He was born in Lisbon on 3 May 1840 and had 17 children."
    ]
    assert len({(chunk.id, start) for chunk, start, _ in reading.nearest}) == len(reading.nearest) == 3
    first, last = reading.explanation.steps
    assert (first.question, first.answer) == ("the builder of the harbour of Halvik", "Orla Brandt")
    assert (last.question, last.answer, last.weight) == ("Where was Orla Brandt born?", "Lisbon", None)


@pytest.mark.usefixtures("has_model")
def test_a_comparison_explains_what_was_compared() -> None:
    reading = read_answer("Who was born first, Orla Brandt or Tomas Reyer?", PASSAGES)
    assert (reading.text, reading.explanation.rule) == ("Orla Brandt", "dates")
    assert "3 May 1840" in reading.explanation.reason
    assert "12 June 1861" in reading.explanation.reason
    assert reading.confidence > 0.9
    assert [chunk.id for chunk, _, _ in reading.support] == ["c-Orla Brandt", "c-Tomas Reyer"]
    assert read_answer("Are Orla Brandt and Tomas Reyer both painters?", PASSAGES).text == "no"


def test_names_in_emphasis_are_compared_like_quoted_ones() -> None:
    reading = read_answer("Who was born first, *Tomas Reyer* or _Orla Brandt_?", PASSAGES)
    assert (reading.text, reading.explanation.rule) == ("Orla Brandt", "dates")


@pytest.mark.usefixtures("has_model")
def test_a_choice_that_no_rule_decides_is_one_of_the_two_names_or_none() -> None:
    reading = read_answer("Who is kinder, Orla Brandt or Tomas Reyer?", PASSAGES)
    assert (reading.explanation.rule, reading.confidence) == ("choice", 0.5)
    assert reading.text in {"Orla Brandt", "Tomas Reyer"}
    untold = [Chunk(title, title, title, title, "it is a town.", 0, 0, 13, 9) for title in ("Red Barn", "Old Mill")]
    reading = read_answer("Which is further north, Red Barn or Old Mill?", untold)
    assert (reading.explanation.rule, reading.explanation.reason) == ("sentence", "nothing decides between the two")
    assert reading.confidence == 0.05


@pytest.mark.usefixtures("has_model")
def test_what_nothing_answers_is_a_sentence_without_confidence() -> None:
    reading = read_answer("Did it rain?", PASSAGES)
    assert (reading.explanation.rule, reading.confidence) == ("sentence", 0.05)
    plain = Chunk("x", "x", "", "", "it rains a lot here.", 0, 0, 20, 9)
    assert read_answer("Did it rain?", [plain]).text == "it rains a lot here."
    nothing = read_answer("Who?", [])
    assert (nothing.text, nothing.confidence, nothing.support, nothing.nearest) == ("", 0.0, (), ())
    assert read_answer("Who?", [Chunk("x", "x", "", "", " \n ", 0, 0, 3, 9)]).text == ""


def test_the_number_of_a_list_item_counts_nothing() -> None:
    text = "5. Other Developers must sponsor it.\n6) At least 12 Developers must second it."
    chunk = Chunk("x", "x", "", "", text, 0, 0, len(text), 9)
    names = [one.name for one in find_options("How many Developers must second it?", [chunk], (), None)]
    assert any("12" in name.split() for name in names)
    assert not any({"5", "6"} & {*name.split()} for name in names)


def test_peoples_are_answers_to_a_question_for_a_country() -> None:
    assert read_target("Which country is Mina Holt from?", ()).expected.types == ("PLACE", "GROUP")
    assert read_target("Which river crosses Ghent?", ()).expected.types == ("PLACE",)


def option(name: str, value: float, start: int = 0) -> Option:
    chunk = PASSAGES[0]
    return Option(chunk, start, start + 1, (0, 9), name, (value, *[0.0] * (len(FEATURES) - 1)))


def test_probabilities_of_the_same_words_add_up_and_leave_room_for_no_answer() -> None:
    ranking = Ranking(np.eye(1, len(FEATURES), dtype=np.float32)[0], 0.0, 1.0, 0.0)
    ranked = ranking.rank([option("a", 1.0), option("b", 0.5, 3), option("b", 0.9, 5), option("c", 1.0, 7)])
    total = np.exp([1.0, 0.5, 0.9, 1.0]).sum() + 1
    assert [(one.name, one.start) for one, _ in ranked] == [("b", 5), ("a", 0), ("c", 7)]
    assert [likely for _, likely in ranked] == pytest.approx(
        [(np.exp(0.5) + np.exp(0.9)) / total, np.e / total, np.e / total]
    )
    assert ranking.rank([]) == []


def test_confidence_is_a_logistic_function_of_the_log_odds() -> None:
    ranking = Ranking(np.zeros(len(FEATURES), np.float32), 0.0, 0.5, -1.0)
    odds = 0.5 * np.log(0.8 / 0.2) - 1.0
    assert ranking.confidence(0.8) == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-4)
    assert 0 <= ranking.confidence(0.0) < ranking.confidence(1.0) <= 1


def test_the_stored_weights_fit_the_features() -> None:
    head = load_head()
    assert set(head) == set(SHAPES)
    assert head["direct"].shape == (DIMENSION, 2)
    for name in ("model", "rules"):
        ranking = load_ranking(name)
        assert ranking.weights.shape == (len(FEATURES),)
        assert ranking.slope > 0
    assert load_ranking("rules").weights[FEATURES.index("head")] == 0


def test_the_bridge_whose_name_the_model_chooses_comes_first() -> None:
    """A head that takes the state of each token for its score, and states by which "Sund County" starts and ends."""
    head = direct_head()

    def read(question: str, chunk: Chunk) -> ReadPassage:
        ends = [len(chunk.text[: place + 1]) for place, sign in enumerate(chunk.text + " ") if sign == " "]
        starts = np.array([0, *ends[:-1]])
        hidden = np.zeros((len(starts), DIMENSION), np.float32)
        words = [chunk.text[a : b - 1] for a, b in zip(starts, ends, strict=True)]
        hidden[[one == "Sund" for one in words], 0] = 9.0
        hidden[[one.startswith("County") for one in words], 1] = 9.0
        return ReadPassage(hidden, starts, np.array(ends) - 1)

    bridges = (Bridge("h", "Halvik", 0.5), Bridge("o", "Orla Brandt", 0.3), Bridge("s", "Sund County", 0.2))
    chain = (ChainStep("the county of Halvik", (), bridges, (("c-Halvik", 0.9), ("gone", 0.1))), CHAIN[1])
    first, last = answer_steps("?", PASSAGES, chain, head, read)
    assert [one.name for one in first.bridges] == ["Sund County", "Orla Brandt"]
    assert sum(one.weight for one in first.bridges) == pytest.approx(1)
    assert last == CHAIN[1]
    assert sub_questions("?", [first, last])[-1] == "Where was Sund County born?"
    alone = (ChainStep("the town of Halvik", (), bridges[:1], (("c-Halvik", 0.9),)), CHAIN[1])
    assert answer_steps("?", PASSAGES, alone, head, read) == list(alone)


@pytest.mark.usefixtures("has_model")
def test_a_question_that_denies_is_not_answered_by_a_sentence_that_states() -> None:
    stated, denied = (read_answer(f"When was the harbour of Halvik{no} built?", PASSAGES) for no in ("", " not"))
    assert (denied.text, denied.confidence) == (stated.text, 0.05)
    assert stated.confidence > denied.confidence
    assert denied.explanation.reason.endswith("which the question denies")
    assert denied.nearest
    text = "Contractors may not vote."
    rules = [Chunk("r", "r", "Rules", "Rules", text, 0, 0, len(text), 9)]
    reading = read_answer("Who may not vote?", rules)
    assert reading.text == "Contractors"
    assert "denies" not in reading.explanation.reason


@pytest.mark.usefixtures("has_model")
def test_a_choice_that_denies_is_not_made_by_sentences_that_state() -> None:
    question = "Who did {}paint, Orla Brandt or Tomas Reyer?"
    assert read_answer(question.format("not "), PASSAGES).confidence == 0.05
