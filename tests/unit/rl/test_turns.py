"""Turns: which are well-formed, which action is read from the others, and that every text is readable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.rl.turns import LONGEST, read_turn

PIECES = ["<think>", "</think>", "<query>", "</query>", "<answer>", "</answer>", "<knowledge>", "</knowledge>"]
WORDS = st.one_of(st.sampled_from([*PIECES, "<", ">", " ", "\n", "x", "\ud83d", "\x1b[2J", "é"]), st.text(max_size=5))


@pytest.mark.parametrize(
    ("text", "think", "query", "answer"),
    [
        ("<think>Who?</think><query>keeper of Skell</query>", "Who?", "keeper of Skell", ""),
        (" <think>\nFound\nher. </think>\n\n<answer>\nTarn\n</answer>\n", "Found her.", "", "Tarn"),
        ("<think>a < b, <b>bold</b></think><query>1 > 0</query>", "a < b, <b>bold</b>", "1 > 0", ""),
    ],
)
def test_a_well_formed_turn(text: str, think: str, query: str, answer: str) -> None:
    turn = read_turn(3, text)
    assert turn.is_well_formed
    assert (turn.number, turn.text, turn.think, turn.query, turn.answer) == (3, text, think, query, answer)


@pytest.mark.parametrize(
    ("text", "query", "answer", "fault"),
    [
        ("", "", "", "its blocks are none, and"),
        ("Tarn", "", "", "there is text outside"),
        ("<query>a</query>", "a", "", "its blocks are query, and"),
        ("<answer>a</answer>", "", "a", "its blocks are answer, and"),
        ("<think>a</think>", "", "", "its blocks are think, and"),
        ("<query>a</query><think>b</think>", "a", "", "its blocks are query, think, and"),
        ("<think>a</think><think>b</think><query>c</query>", "c", "", "its blocks are think, think, query"),
        ("<think>a</think><query>b</query><answer>c</answer>", "b", "", "its blocks are think, query, answer"),
        ("<think>a</think><answer>c</answer><query>b</query>", "", "c", "its blocks are think, answer, query"),
        ("<think>a</think> so <query>b</query>", "b", "", "there is text outside"),
        ("<think>a</think><query>b</query> more", "b", "", "there is text outside"),
        ("<think>a</think><query>b", "", "", "<query> is not closed"),
        ("<think>a<query>b</query></think><answer>c</answer>", "", "c", "<query> stands inside <think>"),
        ("<think>a</query></think><answer>c</answer>", "", "c", "</query> stands inside <think>"),
        ("a</think><query>b</query>", "b", "", "there is text outside"),
        ("</think><query>b</query>", "b", "", "</think> ends no block"),
        ("<think> </think><query>b</query>", "b", "", "<think> has no text"),
        ("<think>a</think><query> \x00 </query>", "", "", "<query> has no text"),
        ("<think>a</think><answer></answer>", "", "", "<answer> has no text"),
        ("<think>a</think><query>b</query><knowledge>c</knowledge>", "b", "", "its blocks are think, query, know"),
        ("<Think>a</Think><query>b</query>", "b", "", "there is text outside"),
        (f"<think>a</think><query>{'b' * (LONGEST + 1)}</query>", "", "", f"<query> has {LONGEST + 1} characters"),
    ],
)
def test_a_turn_that_is_not(text: str, query: str, answer: str, fault: str) -> None:
    turn = read_turn(1, text)
    assert not turn.is_well_formed
    assert (turn.query, turn.answer) == (query, answer)
    assert turn.fault.startswith(fault)


@given(st.lists(WORDS, max_size=12).map("".join))
def test_every_text_is_read_and_has_one_action_at_most(text: str) -> None:
    turn = read_turn(1, text)
    assert turn.text == text
    assert not (turn.query and turn.answer)
    if turn.is_well_formed:
        assert turn.think
        assert bool(turn.query) != bool(turn.answer)
