"""Requests of the remote client have the bounds and the messages of the local one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tetragraph.answering.compose import LEAST_CONTEXT, AskOptions
from tetragraph.client.remote.batches import rank_of
from tetragraph.client.remote.requests import MOST_METHODS, AnchorRequest, AskRequest, EvaluationRequest, MethodForm
from tetragraph.client.remote.sessions import seconds_of
from tetragraph.client.remote.transport import form
from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.model import Chunk, Evidence, Hit
from tetragraph.retrieval.explanation import find_hit

HITS = tuple(
    Hit(rank, 1 / rank, Chunk(f"c{rank}", "d", f"Title {rank}", "", "A town.", 0, 0, 7, 3)) for rank in (1, 2, 3)
)
FOUND = Evidence("Who?", "dense", HITS, {})


@pytest.mark.parametrize("kind", [AskRequest, AnchorRequest])
def test_a_request_takes_the_limits_of_evidence_that_an_answer_takes(kind: Any) -> None:
    assert AskOptions(context_tokens=LEAST_CONTEXT).context_tokens == LEAST_CONTEXT
    assert form(kind, question="Who?", context_tokens=LEAST_CONTEXT).context_tokens == LEAST_CONTEXT
    with pytest.raises(InvalidInput, match="context_tokens must be an integer of at least 50"):
        AskOptions(context_tokens=LEAST_CONTEXT - 1)
    with pytest.raises(InvalidInput, match="context_tokens: Input should be greater than or equal to 50"):
        form(kind, question="Who?", context_tokens=LEAST_CONTEXT - 1)


@pytest.mark.parametrize("is_named", [False, True])
def test_an_evaluation_has_a_bounded_number_of_runs(*, is_named: bool) -> None:
    questions = (GoldQuestion("q1", "Who?"),)

    def of(count: int) -> EvaluationRequest:
        named = {str(number): MethodForm(method="dense") for number in range(count)}
        return form(EvaluationRequest, questions=questions, methods=named if is_named else ("dense",) * count)

    assert len(of(MOST_METHODS).methods) == MOST_METHODS == 20
    for count, words in ((0, "at least 1 item"), (MOST_METHODS + 1, "at most 20 items")):
        with pytest.raises(InvalidInput, match=words):
            of(count)


def test_a_hit_is_sent_as_its_place_in_the_result() -> None:
    part = Evidence("Who?", "dense", HITS[1:], {})
    assert [rank_of(FOUND, hit) for hit in HITS] == [rank_of(FOUND, place) for place in (1, 2, 3)] == [1, 2, 3]
    assert [rank_of(part, hit) for hit in HITS[1:]] == [rank_of(part, place) for place in (1, 2)] == [1, 2]
    assert [find_hit(part, place) for place in (1, 2)] == list(HITS[1:])


@pytest.mark.parametrize("find", [find_hit, rank_of])
def test_what_is_no_hit_of_a_result_is_refused(find: Any) -> None:
    for hit in (0, 4, True, "1", None):
        with pytest.raises(InvalidInput, match=f"^a hit is named by its rank, 1 to 3, got {hit!r}$"):
            find(FOUND, hit)
    with pytest.raises(InvalidInput, match=r"^the hit must be one of the result, got 'Title 3' at rank 3$"):
        find(Evidence("Who?", "dense", HITS[:2], {}), HITS[2])


def test_a_time_to_live_is_sent_in_seconds() -> None:
    assert (seconds_of(timedelta(minutes=1)), seconds_of(None)) == (60.0, None)
    for ttl in (timedelta(0), 60, timedelta(days=3_000_000)):
        with pytest.raises(InvalidInput, match="ttl must be a time above 0 and at most 36,500 days, like timedelta"):
            seconds_of(ttl)  # type: ignore[arg-type]  # what is wrong is the test
