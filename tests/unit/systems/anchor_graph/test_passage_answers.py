"""Sub-questions answered from the given chunks only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.model import Bridge, ChainStep, content_id
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.anchor_graph.passage_answers import DecomposedQuestion
from tetragraph.systems.evidence_walk import name_index
from tetragraph.systems.evidence_walk.name_index import load_names

PASSAGES = {
    "Silver Harbour": "Silver Harbour is a film directed by Ada Byron.",
    "Ada Byron": "Ada Byron was a director. She was born in Ghent.",
    "Emil Voss": "Emil Voss was a producer. He was born in Lyon.",
    "Ghent": "Ghent is a city in Belgium.",
    "Storm Coast": "Storm Coast is a film about a ship.",
}
QUESTION = "Where was the director of Silver Harbour born?"
Embed = Callable[[str], NDArray[np.float32]]
Ask = Callable[..., DecomposedQuestion]


@pytest.fixture
def ask(make_stores: Callable[..., CorpusStores], embed: Embed) -> Ask:
    """Takes a question apart on a corpus, whose entities have the types that are given."""
    index = load_names(make_stores(PASSAGES))
    return lambda text=QUESTION, **types: DecomposedQuestion(
        index, text, embed, lambda keys: {key: str(types.get(key.replace(" ", "_"), "")) for key in keys}
    )


def chunks(*titles: str) -> list[str]:
    return [content_id(title) for title in titles]


def test_a_question_is_taken_apart_and_its_names_are_those_of_the_corpus(ask: Ask) -> None:
    asked = ask()
    assert asked.names == ("Silver Harbour",)
    assert len(asked.steps) == 2
    assert asked.steps[1].refers == (1,)


def test_a_polite_frame_is_no_part_of_the_sub_questions(ask: Ask) -> None:
    framed = ask("Can you tell me where the director of Silver Harbour was born?")
    assert framed.steps == ask("where the director of Silver Harbour was born?").steps


def test_titles_in_markup_and_soft_hyphens_are_read(ask: Ask) -> None:
    written = ask("Where was the director of _Silver Har\u00adbour_ born?")
    assert written.names == ("Silver Harbour",)
    assert written.steps == ask('Where was the director of "Silver Harbour" born?').steps


def test_the_answer_of_the_first_part_is_put_into_the_second(ask: Ask) -> None:
    known = ask().answer_from(chunks("Silver Harbour", "Storm Coast"))
    assert known.answers == {1: "Ada Byron"}
    assert "Ada Byron" in known.filled_questions()[1]
    assert "director" not in known.filled_questions()[1]
    assert len(known.described) == 2


def test_what_no_passage_at_hand_says_is_not_known(ask: Ask) -> None:
    known = ask().answer_from(chunks("Storm Coast", "Ghent"))
    assert "Ada Byron" not in known.answers.values()
    nothing = ask().answer_from(["gone"])
    assert (nothing.chain, nothing.answers, nothing.described) == ((), {}, frozenset())
    assert len(nothing.filled_questions()) == 1


def test_a_question_of_one_part_has_no_chain(ask: Ask) -> None:
    known = ask("Who directed Silver Harbour?").answer_from(chunks("Silver Harbour"))
    assert (known.chain, known.answers, len(known.steps)) == ((), {}, 1)


def test_an_answer_of_the_type_that_is_asked_for_is_taken_before_a_likelier_one(ask: Ask) -> None:
    bridges = (Bridge("1", "Ghent", 0.5), Bridge("2", "Ada Byron", 0.4), Bridge("3", "Emil Voss", 0.05))
    chain = [ChainStep("the director of Silver Harbour", (), bridges, ())]
    assert ask()._likeliest_answers(chain) == {1: "Ghent"}
    assert ask(ada_byron="PERSON")._likeliest_answers(chain) == {1: "Ada Byron"}
    assert ask(emil_voss="PERSON")._likeliest_answers(chain) == {1: "Ghent"}, "it is too unlikely"


def test_in_a_large_corpus_the_passages_at_hand_are_read_alone(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ask().answer_from(chunks("Silver Harbour", "Ada Byron"))
    monkeypatch.setattr(name_index, "LOCAL_FROM", 1)
    alone = ask().answer_from(chunks("Silver Harbour", "Ada Byron"))
    assert alone.answers == whole.answers == {1: "Ada Byron"}
    assert [passage for step in alone.chain for passage, _ in step.passages] != []


def test_the_same_passages_say_the_same_after_others_were_read(ask: Ask) -> None:
    asked = ask()
    asked.answer_from(chunks("Emil Voss", "Storm Coast"))
    again = asked.answer_from(chunks("Silver Harbour", "Ada Byron"))
    assert again.chain == ask().answer_from(chunks("Silver Harbour", "Ada Byron")).chain
