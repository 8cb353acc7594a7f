"""Questions with a polite frame."""

from __future__ import annotations

import pytest

from tetragraph.language.extractive_qa import find_span, read_answer
from tetragraph.language.questions.plain import cut_frame, plain_question
from tetragraph.model import Chunk

TEXT = "The Kestrel Bridge was opened in 1934. It was designed by Orla Brandt."
PASSAGES = [Chunk("c", "d", "Kestrel Bridge", "Kestrel Bridge", TEXT, 0, 0, len(TEXT), 9)]
FRAMES = [
    "Can you tell me",
    "Could you please tell me exactly",
    "Hi, do you know",
    "Does anyone happen to know",
    "Is it known",
    "May I ask",
    "Please tell me",
    "Tell us:",
    "I would like to know",
    "I'd like to know –",
    "I was wondering",
    "Would you let me know, please,",
]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_polite_frame_is_cut_off(frame: str) -> None:
    for asked in ("who designed the Kestrel Bridge?", "In which year was it opened?", "how long it is."):
        assert cut_frame(f"{frame} {asked}") == asked


@pytest.mark.parametrize(
    "question",
    [
        "Can you tell me whether the Kestrel Bridge is open?",
        "Did you know the designer of the Kestrel Bridge?",
        "Can anyone cross the Kestrel Bridge who has no ticket?",
        "Do You Know Who You Are is a song by whom?",
        'Who sang "Tell me who I am"?',
        "Was it clear to the man who built it?",
        "Can you?",
    ],
)
def test_what_is_no_frame_stays(question: str) -> None:
    assert cut_frame(question) == question


def test_a_description_is_asked_for_of_somebody() -> None:
    assert cut_frame("Can you tell me the name of the bridge?") == "the name of the bridge?"
    assert plain_question("Tell me who wrote *Low Tide*") == 'who wrote "Low Tide"'


@pytest.mark.parametrize("frame", ["Can you tell me", "Do you know", "Is it known", "Please tell me:"])
@pytest.mark.parametrize("asked", ["when the Kestrel Bridge was opened?", "who designed the Kestrel Bridge?"])
def test_a_question_with_a_frame_is_answered_like_the_one_inside(frame: str, asked: str) -> None:
    framed = f"{frame} {asked}"
    reading = read_answer(framed, PASSAGES)
    assert reading.text in ("1934", "Orla Brandt")
    assert reading == read_answer(asked, PASSAGES)
    assert find_span(framed, PASSAGES) == find_span(asked, PASSAGES)
