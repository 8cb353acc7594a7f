"""Tests of ``tetragraph.llm.structured``: forms read from imperfect replies."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from tetragraph.errors import InvalidInput, UnusableReply
from tetragraph.llm import Completion, Message, Request, TokenLogprob, structured


class Fact(BaseModel):
    """Fact of a text."""

    text: str
    entities: list[str]


class Facts(BaseModel):
    """Form with one list."""

    facts: list[Fact]


class Score(BaseModel):
    """Form with a range and an optional field."""

    score: int = Field(ge=0, le=10)
    reason: str = ""


class Judged(BaseModel):
    """Form without required fields."""

    level: Literal["none", "some", "much"] = "none"
    best: Fact | None = None
    title: str = Field("", max_length=5)


class Ring(BaseModel):
    """Form that contains itself."""

    inner: Ring | None = None


REQUEST = Request((Message("user", "Rate it."),), 50)
FACT = {"text": "It rains.", "entities": ["rain"]}


def _score(text: str) -> int:
    return structured.read(Completion(text), Score).score


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 7}',
        '  {"score": 7, "reason": "new"}\n',
        'Sure! Here it is:\n```json\n{"score": 7}\n```\nTell me if you need more.',
        '```\n{"score": 7}\n```',
        'The score is {"score": 7}, as Text B says more.',
        'I thought about {this} and it\'s clear: {"score": 7}',
        '<think>{"score": 1}? No, "more.</think>{"score": 7}',
        "{'score': 7, 'reason': 'new'}",
        '{"score": 7,}',
        '{"score": "7"}',
        "{score: 7}",
        '{"score": 7 // of ten\n}',
        '{"answer": {"score": 7}}',
        '[{"score": 7}]',
        'See [1]. {"score": 7}',
        '{"score": 7, "reason": "a { brace and \\" a quote"}',
        '{"score": 7} {"score": 2}',
        '{"reason": "cut at the en", "score": 7',
    ],
)
def test_an_object_is_found_in(text: str) -> None:
    assert _score(text) == 7


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I'm sorry, but I cannot help with that.",
        "The score is 7.",
        "7",
        '"score: 7"',
        "I cannot {do} that [yet].",
        '{"colour": "blue", "weight": [1, 2]}',
        '{"score": 70}',
        '{"score": "many"}',
        "[]",
        "[7]",
        "{}",
        "{",
        "}{",
    ],
)
def test_no_object_is_made_of(text: str) -> None:
    with pytest.raises(UnusableReply, match="the reply must be a JSON object with score, reason") as caught:
        _score(text)
    assert caught.value.raw == text


def test_prose_is_no_empty_object_of_a_form_that_needs_nothing() -> None:
    for text in ("I cannot help with that.", "Nothing {to} say.", "[]"):
        with pytest.raises(UnusableReply):
            structured.read(Completion(text), Judged)
    assert structured.read(Completion("{}"), Judged) == Judged()


def test_a_list_is_taken_for_the_only_list_of_a_form() -> None:
    assert structured.read(Completion(json.dumps([FACT, FACT])), Facts).facts == [Fact(**FACT)] * 2


def test_python_literals_are_read() -> None:
    text = "{'best': None, 'level': 'much', 'title': 'x'}"
    assert structured.read(Completion(text), Judged) == Judged(level="much", title="x")


def test_of_a_reply_that_was_cut_off_complete_elements_are_kept() -> None:
    whole = json.dumps({"facts": [FACT, {"text": "It [snows], too.", "entities": ["snow", "ice"]}]})
    for length in range(len(json.dumps({"facts": [FACT]})) - 2, len(whole) - 3):
        reply = Completion(whole[:length], "length")
        assert structured.read(reply, Facts).facts == [Fact(text="It rains.", entities=["rain"])], reply.text


def test_a_reply_that_was_cut_off_too_early_is_unusable_and_says_so() -> None:
    for text in ('{"facts": [{"text": "It rai', '{"facts": [', '{"facts"', '{"score": 1'):
        with pytest.raises(UnusableReply, match="cut off, a shorter one is needed"):
            structured.read(Completion(text, "length"), Facts)


def test_a_member_that_was_cut_off_is_left_out() -> None:
    read = structured.read(Completion('{"score": 4, "reason": "it says mo', "length"), Score)
    assert (read.score, read.reason) == (4, "")
    with pytest.raises(UnusableReply):  # 4 could be the beginning of 42
        structured.read(Completion('{"score": 4', "length"), Score)


def test_huge_and_deep_replies_are_not_even_looked_at() -> None:
    for text in ("[" * 10_000, '{"a":' * 10_000, '{"score": 7}' + " " * 1_000_000):
        with pytest.raises(UnusableReply, match=r"nested at most 64 deep|shorter than 1,000,000"):
            _score(text)


@given(st.text(alphabet="{}[]\",:\\'abe1 \n", max_size=60), st.booleans())
def test_no_text_breaks_the_reading(text: str, is_cut: bool) -> None:
    for found in structured.find_json(text, is_cut=is_cut):
        assert found is not None


@settings(max_examples=30)
@given(st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3), max_leaves=8))
def test_whole_json_is_read_as_it_is(value: object) -> None:
    for escaped in (True, False):
        text = f"So:\n{json.dumps({'value': value}, ensure_ascii=escaped)}\nDone."
        assert next(structured.find_json(text)) == {"value": value}


def test_a_repair_says_in_few_words_what_is_wrong() -> None:
    reply = Completion('{"facts": [{"text": 1}]}')
    with pytest.raises(UnusableReply) as caught:
        structured.read(reply, Facts)
    asked = structured.repair(REQUEST, reply, caught.value).messages
    assert [message.role for message in asked] == ["user", "assistant", "user"]
    assert asked[1].content == reply.text
    assert "facts.0.entities: Field required" in asked[2].content
    assert len(asked[2].content) < 400


def test_a_repair_does_not_send_a_huge_reply_back() -> None:
    error = UnusableReply("no", "")
    assert len(structured.repair(REQUEST, Completion("x" * 50_000), error).messages[1].content) < 5_000


def test_of_a_reply_without_text_dots_are_sent_back() -> None:
    assert [turn.content for turn in structured.correction_request(REQUEST, " \n", "Write.").messages[1:]] == [
        "…",
        "Write.",
    ]


def test_schemas_are_strict_without_references_and_named() -> None:
    schema = structured.with_schema(REQUEST, Judged).schema
    fact = {
        "description": "Fact of a text.",
        "properties": {"text": {"type": "string"}, "entities": {"items": {"type": "string"}, "type": "array"}},
        "required": ["text", "entities"],
        "additionalProperties": False,
        "type": "object",
    }
    assert schema == {
        "title": "Judged",
        "description": "Form without required fields.",
        "properties": {
            "level": {"enum": ["none", "some", "much"], "type": "string"},
            "best": {"anyOf": [fact, {"type": "null"}]},
            "title": {"maxLength": 5, "type": "string"},
        },
        "required": ["level", "best", "title"],
        "additionalProperties": False,
        "type": "object",
    }


def test_a_form_that_holds_itself_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must not contain itself, 'Ring' does"):
        structured.with_schema(REQUEST, Ring)


def _reply(**chances: float) -> Completion:
    return Completion("Yes", chances=(tuple(TokenLogprob(token, chance) for token, chance in chances.items()),))


def test_the_probability_adds_up_all_ways_to_write_a_word() -> None:
    reply = _reply(
        **{"Yes": -1.0, " yes": -1.0, "▁YES": -1.0, '"Yes': -1.0, "ĠNo": -1.0, "Maybe": -0.1, "Yesterday": 0.0}
    )
    assert structured.probability(reply, "Yes", "No") == pytest.approx(4 / 5)
    assert structured.probability(reply, "No", "Yes") == pytest.approx(1 / 5)


def test_a_word_that_is_not_among_the_likeliest_is_as_good_as_impossible() -> None:
    assert structured.probability(_reply(No=-0.5, Hm=-1.0), "yes", "no") == 0.0


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Completion("Yes"), "the endpoint must return the probabilities"),
        (Completion("Yes", chances=((),)), "the endpoint must return the probabilities"),
        (_reply(Maybe=-0.1), "neither is likely"),
    ],
)
def test_a_reply_without_probabilities_is_unusable(reply: Completion, reason: str) -> None:
    with pytest.raises(UnusableReply, match=reason):
        structured.probability(reply, "yes", "no")


def test_one_token_and_its_alternatives_are_asked_for() -> None:
    asked = structured.with_logprobs(REQUEST)
    assert (asked.max_tokens, asked.logprobs) == (1, 20)
