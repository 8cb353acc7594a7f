"""Decomposition of questions into chains, with the real English model."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hidden_spacy import hide_spacy
from tetragraph.language.questions.decompose import Step, has_parser, take_apart
from tetragraph.language.questions.tree import QuestionTree


def texts(question: str) -> list[str]:
    return [step.text for step in take_apart(question, ())]


def test_a_question_about_one_name_stays_as_it_is() -> None:
    question = "Who directed Silver Harbour?"
    assert take_apart(question, ()) == (Step(question, "", ()),)


def test_a_described_thing_becomes_a_step_with_its_noun() -> None:
    steps = take_apart("Where was the director of Silver Harbour born?", ())
    assert steps == (Step("the director of Silver Harbour", "director", ()), Step("Where was #1 born?", "", (1,)))


CHAINS = {
    "a relative clause": (
        "What is the anthem of the country where Lake Orrin lies today?",
        ["the country where Lake Orrin lies today", "the anthem of #1"],
    ),
    "a possessive inside a clause": (
        "How many bridges are in the city where Tall Pines's composer was born?",
        ["Tall Pines's composer", "the city where #1 was born", "How many bridges are in #2?"],
    ),
    "a clause without a pronoun": (
        "Who governs the country Elsa Varga is from?",
        ["the country that Elsa Varga is from", "Who governs #1?"],
    ),
    "a participle": (
        "When did the country containing Port Amber leave the league?",
        ["the country containing Port Amber", "When did #1 leave the league?"],
    ),
    "a verb that the clause before it swallows": (
        "What year did the individual who painted Grey Dawn retire?",
        ["the individual who painted Grey Dawn", "What year did #1 retire?"],
    ),
    "two variables in one step": (
        "Who travelled between Marta Olsen's birthplace and the city where Gold Street was filmed?",
        [
            "the city where Gold Street was filmed",
            "Marta Olsen's birthplace",
            "Who travelled between #2 and #1?",
        ],
    ),
    "an instruction behind the question": (
        "Who owns the hotel where Elsa Varga stayed? Answer with the name that stands on the sign of the hotel.",
        ["the hotel where Elsa Varga stayed", "Who owns #1?"],
    ),
    "an instruction before the question": (
        "We need the name of the oldest boat in Port Amber. Who owns the hotel where Elsa Varga stayed?",
        ["the hotel where Elsa Varga stayed", "Who owns #1?"],
    ),
    "a statement before the question": (
        "Gold Street was filmed in a city where Marta Olsen lived. Who governs this city?",
        ["a city where Marta Olsen lived", "Gold Street was filmed in #1. Who governs #1?"],
    ),
    "a measure": (
        "What is the population of the town where Elsa Varga died?",
        ["the town where Elsa Varga died", "What is the population of #1?"],
    ),
    "a superlative": (
        "What is the currency of the smallest country in the league?",
        ["the smallest country in the league", "the currency of #1"],
    ),
    "a question behind a phrase": (
        "In the dispute over Anna Lindqvist's novel, which critic took her side?",
        ["Anna Lindqvist's novel", "the dispute over #1", "In #2 which critic took her side?"],
    ),
    "a verb at the end that the parser takes for a noun": (
        "Where did Coulson Varga's father study?",
        ["Coulson Varga's father", "Where did #1 study?"],
    ),
    "a role before which its work stands": (
        "Who owns the label of the Grey Dawn songwriter?",
        ["the Grey Dawn songwriter", "the label of #1", "Who owns #2?"],
    ),
    "a participle that the parser attaches to a preposition": (
        "What is the seat of the county sharing a border with the county where Anna Lindqvist was born?",
        ["the county where Anna Lindqvist was born", "the county sharing a border with #1", "the seat of #2"],
    ),
    "an adjective that the parser attaches to a noun further left": (
        "What was Norway's goal in the Battle of the ocean adjacent to the city that Elsa Varga died in?",
        ["the city that Elsa Varga died in", "the ocean adjacent to #1", "Norway's goal in the Battle of #2"],
    ),
    "a clause that names the same thing in other words": (
        "In what year was the country that is the third largest exporter of salt founded?",
        ["the third largest exporter of salt", "In what year was #1 founded?"],
    ),
    "a clause that says more than another name": (
        "Who bought the firm which, along with the owner of Grey Dawn, is the largest employer in Port Amber?",
        [
            "the owner of Grey Dawn",
            "the largest employer in Port Amber",
            "the firm which, along with #1, is #2",
            "Who bought #3?",
        ],
    ),
    "a deed of the answer of another step": (
        "When did the director of Grey Dawn end his career in the Norwegian navy?",
        ["the director of Grey Dawn", "When did #1 end his career in the Norwegian navy?"],
    ),
    "a compound with a hyphen": (
        "Who owns the label where Elsa Varga's co-singer on Grey Dawn worked?",
        ["Elsa Varga's co-singer on Grey Dawn", "the label where #1 worked", "Who owns #2?"],
    ),
    "a question at the end of a statement": (
        "Anna Lindqvist studied at a university that was founded when?",
        ["Anna Lindqvist studied at a university", "#1 was founded when?"],
    ),
}


@pytest.mark.parametrize(("question", "expected"), CHAINS.values(), ids=CHAINS.keys())
def test_a_chain_is_made_from(question: str, expected: list[str]) -> None:
    assert texts(question) == expected


def test_the_answer_of_a_step_is_what_the_question_calls_it() -> None:
    steps = take_apart("In what year was the country that is the third largest exporter of salt founded?", ())
    assert [step.head for step in steps] == ["country", ""]


@pytest.mark.parametrize(
    "question",
    [
        "Who is the mother of Anna Lindqvist?",
        "Which city hosted the 1950 World Fair?",
        "Is the city of Bergen larger than the town of Voss?",
        "What is the #1 song of the director of Silver Harbour?",
        "How does Port Amber's effective tax rate compare to that of 2021?",
        "What was Port Amber's first literary cabaret?",
        "Who is Elsa Varga's ex?",
        "The director Anna Lindqvist has a medal. Does the director Elsa Varga also have one?",
        "",
        "?",
    ],
)
def test_a_question_that_asks_for_nothing_in_between_stays_as_it_is(question: str) -> None:
    assert take_apart(question, ()) == (Step(question, "", ()),)


def test_a_linked_title_with_small_words_is_one_word_of_the_parse() -> None:
    question = "Where was the author of When the rain had stopped falling born?"
    start = question.index("When the")
    steps = take_apart(question, [(start, start + len("When the rain had stopped falling"))])
    assert [step.text for step in steps] == ["the author of When the rain had stopped falling", "Where was #1 born?"]


def count_visits(depth: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Number of words that are visited to decompose a question of nested phrases."""
    question = "Where was " + "the father of " * depth + "Anna Lindqvist born?"
    below, visited = QuestionTree.below, []

    def count(tree: QuestionTree, place: int) -> Iterator[int]:
        for word in below(tree, place):
            visited.append(word)
            yield word

    with monkeypatch.context() as patched:
        patched.setattr(QuestionTree, "below", count)
        assert len(texts(question)) == depth + 1
    return len(visited)


def test_phrases_in_phrases_are_not_visited_again_for_each_phrase_around_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert count_visits(80, monkeypatch) < 4.5 * count_visits(40, monkeypatch)


@given(st.text(max_size=80), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_text_gives_a_chain_that_refers_backwards(question: str, spans: list[tuple[int, int]]) -> None:
    inside = [(start, end) for start, end in spans if start < end <= len(question)]
    steps = take_apart(question, inside)
    assert steps == take_apart(question, inside)
    for number, step in enumerate(steps, 1):
        assert all(0 < earlier < number for earlier in step.refers)
        assert len(steps) == 1 or step.text


def test_without_a_parser_a_question_is_split_once_by_its_surface(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_spacy(monkeypatch)
    assert not has_parser()
    assert texts("When was Anna Lindqvist's employer founded?") == ["Anna Lindqvist's employer", "When was #1 founded?"]
    assert re.search("#1", texts("What is the capital of the country where Mount Aro is located?")[-1])
