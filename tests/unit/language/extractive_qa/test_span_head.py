"""Scores of tokens as start and end of an answer, and the model whose inner states they are computed from."""

from __future__ import annotations

import numpy as np
import pytest

from direct_head import direct_head
from tetragraph.language.embedders.onnx_outputs import with_output
from tetragraph.language.extractive_qa import encoder
from tetragraph.language.extractive_qa.encoder import DIMENSION, ReadPassage, read_passage
from tetragraph.language.extractive_qa.span_head import (
    LOWEST,
    PassageScores,
    best_spans,
    combine_readings,
    score_best_span,
    score_passages,
)

WEIGHTS = direct_head()


def passage(start_logits: list[float], end_logits: list[float], title: int = 0) -> ReadPassage:
    """Tokens of two characters with a space between them, of which the first ones are a title."""
    hidden = np.zeros((len(start_logits), DIMENSION), np.float32)
    hidden[:, 0], hidden[:, 1] = start_logits, end_logits
    starts = 3 * (np.arange(len(start_logits)) - title)
    return ReadPassage(hidden, starts, starts + 2)


def test_probabilities_are_over_the_tokens_of_all_passages() -> None:
    scores = score_passages([passage([1.0, 2.0], [0.0, 0.0]), passage([3.0], [0.0])], WEIGHTS)
    total = np.exp([1.0, 2.0, 3.0]).sum()
    assert np.exp(np.concatenate([one.as_start for one in scores])) == pytest.approx(np.exp([1.0, 2.0, 3.0]) / total)
    assert np.exp(scores[1].as_end) == pytest.approx([1 / 3])
    assert np.exp(scores[1].share) == pytest.approx(np.exp(3.0) / total)


def test_a_span_scores_by_its_first_and_last_token() -> None:
    (scores,) = score_passages([passage([0.0, 2.0, 0.0], [0.0, 0.0, 3.0])], WEIGHTS)
    assert scores.score(3, 8) == pytest.approx(scores.as_start[1] + scores.as_end[2])
    assert scores.score(4, 5) == pytest.approx(scores.as_start[1] + scores.as_end[1])
    assert scores.score(90, 92) == LOWEST
    assert scores.score(3, 3) == LOWEST


def test_the_best_spans_lie_in_the_text_and_run_forwards() -> None:
    passages = [passage([9.0, 2.0, 0.0], [0.0, 0.0, 3.0], title=1), passage([0.0], [4.0])]
    assert best_spans(score_passages(passages, WEIGHTS), 2) == [(0, 0, 5), (1, 0, 2)]


def test_passages_that_were_not_read_have_no_spans() -> None:
    nothing = passage([], [])
    assert [one.share for one in score_passages([nothing, nothing], WEIGHTS)] == [LOWEST, LOWEST]
    scores = score_passages([nothing, passage([1.0], [1.0])], WEIGHTS)
    assert scores[0].score(0, 2) == LOWEST
    assert best_spans(scores, 9) == [(1, 0, 2)]
    assert isinstance(scores[0], PassageScores)


def test_readings_count_by_the_probability_of_the_wording_and_of_its_best_span() -> None:
    sure = score_passages([passage([9.0, 0.0], [9.0, 0.0]), passage([0.0], [0.0])], WEIGHTS)
    unsure = score_passages([passage([0.0, 0.0], [0.0, 0.0]), passage([0.0], [0.0])], WEIGHTS)
    assert combine_readings([(unsure, 1.0)]) == unsure
    combined = combine_readings([(sure, 0.2), (unsure, 0.8)])
    weights = np.array([0.2 * np.exp(sure[0].as_start[0] + sure[0].as_end[0]), 0.8 / 9])
    weights /= weights.sum()
    first = weights @ [np.exp(sure[0].as_start[0]), 1 / 3]
    assert np.exp(combined[0].as_start[0]) == pytest.approx(first)
    assert np.exp(combined[0].share) == pytest.approx(weights @ [np.exp(sure[0].share), 2 / 3])
    assert sum(np.exp(one.as_end).sum() for one in combined) == pytest.approx(1)


def test_tokens_that_the_longer_wording_left_no_room_for_are_not_read() -> None:
    whole = score_passages([passage([1.0, 2.0], [0.0, 0.0]), passage([], [])], WEIGHTS)
    cut = score_passages([passage([1.0], [0.0]), passage([], [])], WEIGHTS)
    combined = combine_readings([(whole, 0.5), (cut, 0.5)])
    assert [len(one.starts) for one in combined] == [1, 0]
    assert combined[0].score(0, 2) > combined[0].score(3, 5) == LOWEST
    assert combined[1].share == LOWEST


def test_an_output_is_appended_as_a_message_of_protocol_buffers() -> None:
    assert with_output(b"model", "ab") == b"model" + bytes([7 << 3 | 2, 6, 12 << 3 | 2, 4, 1 << 3 | 2, 2]) + b"ab"
    assert with_output(b"", "x" * 200)[-206:-200] == bytes([12 << 3 | 2, 203, 1, 1 << 3 | 2, 200, 1])


@pytest.mark.skipif(not encoder.is_installed(), reason="the wheel of the model is not installed")
def test_question_and_passage_are_read_together_up_to_the_window_of_the_model() -> None:
    one = read_passage("Who built it?", "Halvik", "Orla Brandt built it.")
    other = read_passage("When was it built?", "Halvik", "Orla Brandt built it.")
    question = len(["[CLS]", "who", "built", "it", "?", "[SEP]"])
    assert one.hidden.shape == (question + len(one.starts), DIMENSION)
    assert one.starts[0] == -len("Halvik. ")
    assert one.ends[-1] == len("Orla Brandt built it.")
    size = len(one.starts)
    assert np.abs(one.hidden[-size:] - other.hidden[-size:]).max() > 0.1
    again = read_passage("Who built it?", "Halvik", "Orla Brandt built it.")
    assert one.hidden.tobytes() == again.hidden.tobytes()
    long = read_passage("Who built it?", "", "word " * 1000)
    assert len(long.hidden) == 383  # the last special token is left out


def test_a_name_scores_by_its_likeliest_place_as_a_whole_word() -> None:
    (scores,) = score_passages([passage([0.0, 1.0, 5.0], [0.0, 1.0, 5.0], title=1)], WEIGHTS)
    text = "ab ab"
    assert scores.score_name("ab", text) == scores.score(3, 5) > scores.score(0, 2)
    assert scores.score_name("ab", "ab", offset=-3) == scores.score(-3, -1)
    assert scores.score_name("b", text) == LOWEST


def test_the_score_of_the_best_span_does_not_depend_on_other_passages() -> None:
    one, other = passage([9.0, 2.0, 0.0], [0.0, 0.0, 3.0], title=1), passage([7.0], [6.0])
    (alone,), (beside, better) = score_passages([one], WEIGHTS), score_passages([one, other], WEIGHTS)
    assert score_best_span(alone) == pytest.approx(5.0)
    assert score_best_span(beside) == pytest.approx(5.0)
    assert score_best_span(better) == pytest.approx(13.0)
    assert score_best_span(score_passages([passage([], [])], WEIGHTS)[0]) == LOWEST
