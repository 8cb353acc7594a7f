"""Questions as sub-questions with variables."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.language.questions.answer_type import ExpectedAnswer
from tetragraph.language.questions.variables import FINAL, SubQuery, filled, sub_queries


def test_a_question_that_asks_once_is_the_final_answer() -> None:
    question = "Who directed Silver Harbour?"
    expected = ExpectedAnswer(("PERSON", "ORGANIZATION"), "who")
    assert sub_queries(question, ()) == (SubQuery(question, FINAL, (), expected, ()),)


def test_the_example_of_algorithm_5() -> None:
    question = "Who is the spouse of the director of the film that won Best Picture in 2019?"
    found = sub_queries(question, ())
    assert [(query.text, query.variable, query.depends_on) for query in found] == [
        ("the film that won Best Picture in 2019", "var1", ()),
        ("the director of {var1}", "var2", ("var1",)),
        ("the spouse of {var2}", "final_answer", ("var2",)),
    ]
    assert [query.expected.type for query in found] == ["WORK", "PERSON", "PERSON"]


def test_a_sub_query_may_need_several_others() -> None:
    question = "Which film has the director who died first, Silver Harbour or Storm Coast?"
    first, second, last = sub_queries(question, ())
    assert first.depends_on == second.depends_on == ()
    assert last.depends_on == ("var1", "var2")
    assert last.text == "Which film has the director who died first, {var1} or {var2}?"
    assert filled(last, {"var1": "Ada", "var2": "Emil"}) == "Which film has the director who died first, Ada or Emil?"


def test_what_is_not_bound_is_called_by_its_kind() -> None:
    last = sub_queries("When did the director of the film that Anna Lindqvist produced die?", ())[-1]
    assert filled(last, {"var1": "Storm Coast"}) == "When did the director die?"
    assert filled(last, {"var2": "Ada Byron"}) == "When did Ada Byron die?"


def test_a_thing_without_a_kind_is_it() -> None:
    query = SubQuery("Where was {var1} born?", FINAL, ("var1",), ExpectedAnswer(), ("it",))
    assert filled(query, {}) == "Where was it born?"


def test_braces_that_are_no_variables_stay() -> None:
    question = "Who wrote {var1} for Silver Harbour?"
    assert filled(sub_queries(question, ())[0], {"var1": "Ada"}) == question


def test_a_name_with_braces_is_put_in_as_it_is() -> None:
    last = sub_queries("Where was the director of Silver Harbour born?", ())[-1]
    assert filled(last, {"var1": r"{var1} \1"}) == r"Where was {var1} \1 born?"


@given(st.text(max_size=80))
@settings(max_examples=40, deadline=None)
def test_the_sub_queries_of_any_text_can_be_asked_in_their_order(question: str) -> None:
    bound: set[str] = set()
    for query in sub_queries(question, ()):
        assert bound.issuperset(query.depends_on)
        assert len(query.depends_on) == len(query.stand_ins)
        bound.add(query.variable)
    assert query.variable == FINAL
