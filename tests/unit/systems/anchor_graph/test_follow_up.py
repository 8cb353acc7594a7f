"""Follow-up questions, completed by what the session was about."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tetragraph.model.anchors import AnchorGraph, AnchorStep
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.anchor_graph.follow_up import complete_question
from tetragraph.systems.evidence_walk.name_index import load_names

PASSAGES = {
    "Kestrel Bridge": "The Kestrel Bridge was opened in 1934. It was designed by Ada Byron.",
    "Heron Bridge": "The Heron Bridge was opened in 1951.",
    "Ada Byron": "Ada Byron was an engineer. She was born in Ghent.",
}
Complete = Callable[..., str]


@pytest.fixture
def complete(make_stores: Callable[..., CorpusStores]) -> Complete:
    """The last of some questions as completed after the others, each of which is given with its answer."""
    names = load_names(make_stores(PASSAGES))

    def ask(*asked: tuple[str, str], last: str) -> str:
        steps: list[AnchorStep] = []
        for question, answer in asked:
            query = complete_question(names, question, steps) if steps else question
            steps.append(AnchorStep(len(steps) + 1, question, query, "evidence", (), AnchorGraph(), answer=answer))
        return complete_question(names, last, steps)

    return ask


OPENED = ("When was the Kestrel Bridge opened?", "1934")
DESIGNED = ("Who designed it?", "Ada Byron")


def test_a_thing_is_what_the_last_complete_question_names(complete: Complete) -> None:
    assert complete(OPENED, last="How long is it?") == "How long is it? Kestrel Bridge"
    assert complete(OPENED, DESIGNED, last="Which river does it cross?") == "Which river does it cross? Kestrel Bridge"
    asked = (OPENED, DESIGNED, ("What about the Heron Bridge?", "1951"))
    assert complete(*asked, last="How long is this bridge?") == "How long is this bridge? Heron Bridge"
    assert complete(("When was the Sund Tower built?", "1900"), last="How high is it?").endswith("it? Sund Tower")


def test_questions_are_read_without_markup_and_soft_hyphens_and_kept_as_they_were_written(complete: Complete) -> None:
    assert complete(OPENED, last="How long is i\u00adt?") == "How long is i\u00adt? Kestrel Bridge"
    opened = ("When was the _Kestrel Bridge_ opened?", "1934")
    assert complete(opened, last="How long is it?") == "How long is it? Kestrel Bridge"
    children = ("_How_ many children did Ada By\u00adron have?", "four")
    assert complete(children, last="Whom did she marry?") == "Whom did she marry? Ada Byron"


def test_a_person_is_the_last_answer_that_may_be_one(complete: Complete) -> None:
    assert complete(OPENED, DESIGNED, last="When was she born?") == "When was she born? Ada Byron"
    between = (OPENED, DESIGNED, ("Which river does it cross?", "Ouse"))
    assert complete(*between, last="Where did she live?") == "Where did she live? Ada Byron"
    children = ("How many children did Ada Byron have?", "four")
    assert complete(children, last="Whom did she marry?") == "Whom did she marry? Ada Byron"
    born = ("Where was Ada Byron born?", "Ghent")
    assert complete(born, last="When did she die?") == "When did she die? Ada Byron"


def test_a_question_without_an_answer_stands_for_the_person_it_asks_for(complete: Complete) -> None:
    asked = "Who designed the Kestrel Bridge?"
    assert complete((asked, ""), last="When was she born?") == f"When was she born? {asked}"


def test_what_is_left_out_is_what_the_question_before_was_about(complete: Complete) -> None:
    assert complete(OPENED, DESIGNED, ("When was she born?", "1901"), last="And where?") == "And where? Ada Byron"
    assert complete(OPENED, last="Why?") == "Why? Kestrel Bridge"


def test_an_answer_is_the_subject_only_if_it_is_a_name(complete: Complete) -> None:
    longest, oldest = "which bridge is the longest?", "how old is the oldest bridge?"
    assert complete((longest, "Heron Bridge"), last="When was it opened?") == "When was it opened? Heron Bridge"
    assert complete((oldest, "Ninety"), last="When was it opened?") == f"When was it opened? {oldest}"
    assert complete((longest, "a toll bridge"), last="When was it opened?") == f"When was it opened? {longest}"


@pytest.mark.parametrize(
    "question",
    [
        "How many days of leave may employees take?",
        "Where was the Heron Bridge when it was opened?",
        "What does IT support?",
        "What happened this year?",
        "Where was the _Heron Bridge_ when it was opened?",
    ],
)
def test_a_complete_question_is_left_alone(question: str, complete: Complete) -> None:
    assert complete(OPENED, last=question) == question
