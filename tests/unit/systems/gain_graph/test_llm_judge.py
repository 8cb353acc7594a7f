"""A language model as the judge of pairs: its calls, and gains that depend on the pairs only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scripted_faults import Call, Fault
from scripted_gain import by_chance, judging, pairs, shown
from scripted_llm import Reply, ScriptedLlm
from tetragraph.errors import LlmError, UnusableReply
from tetragraph.language.llm_steps.gain import WAYS, Way, prompt_of
from tetragraph.llm import LanguageModel
from tetragraph.model import Chunk
from tetragraph.progress import NoProgress
from tetragraph.settings import Settings
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.gain_graph.build import judge_pairs
from tetragraph.systems.gain_graph.candidates import Candidates
from tetragraph.systems.gain_graph.llm_judge import JudgePrompting, LlmJudge

SIZE = 9
BASE = np.repeat(np.arange(SIZE), SIZE - 1)
OTHER = np.array([other for base in range(SIZE) for other in range(SIZE) if other != base])
BROKEN = Fault("broken", status=400, content='{"error": {"message": "no", "type": "invalid"}}')


def table_of(size: int) -> ChunkTable:
    chunks = [
        Chunk(f"c{number}", f"d{number}", f"Page {number}", f"Page {number}", f"Text {number}.", 0, 0, 9, 3)
        for number in range(size)
    ]
    return ChunkTable(ArraySet(chunk_table.pack(chunks, np.eye(size, 16, dtype=np.float32))))


TABLE = table_of(SIZE)


class Twin:
    """A judge that needs no model."""

    name = "twin"

    def judge(self, base: NDArray[np.int64], other: NDArray[np.int64]) -> Iterator[NDArray[np.float64]]:
        yield (base + other) / 100


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(judging(by_chance)) as llm:
        yield llm


def judge_with(llm: ScriptedLlm, settings: Settings, way: Way, batch: int, workers: int = 4) -> LlmJudge:
    model = LanguageModel.open(llm.settings(settings, llm_concurrency=workers))
    return LlmJudge(model.operation("build gain"), JudgePrompting(TABLE, way, batch), Twin)


def gains(judge: LlmJudge) -> NDArray[np.float64]:
    return np.concatenate(list(judge.judge(BASE, OTHER)))


@pytest.mark.parametrize("way", WAYS)
def test_the_gains_are_the_same_with_one_worker_or_eight_and_with_any_batch(
    llm: ScriptedLlm, settings: Settings, way: Way, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = []
    for workers, batch in ((1, 5), (8, 5), (8, 1), (3, 100)):
        fresh = settings.model_copy(update={"home": tmp_path_factory.mktemp("home")})
        found.append(gains(judge_with(llm, fresh, way, batch, workers)).tolist())
    assert found[1:] == found[:1] * 3
    assert len(set(found[0])) > (1 if way == "binary" else 3)


@pytest.mark.parametrize(("way", "batch", "sizes"), [("levels", 5, {5, 3}), ("score", 3, {3, 2}), ("same", 5, {1})])
def test_a_call_is_about_one_base_and_candidates_in_their_order(
    llm: ScriptedLlm, settings: Settings, way: Way, batch: int, sizes: set[int]
) -> None:
    gains(judge_with(llm, settings, way, batch, workers=1))
    texts = [TABLE.chunk(row).passage for row in range(SIZE)]
    asked = [pair for body in llm.requests for pair in pairs(body)]
    assert asked == [(texts[base], texts[other]) for base, other in zip(BASE, OTHER, strict=True)]
    assert {len(shown(body)[1]) for body in llm.requests} == sizes


@pytest.mark.parametrize("way", WAYS)
def test_an_estimate_sees_the_requests_that_are_sent(llm: ScriptedLlm, settings: Settings, way: Way) -> None:
    gains(judge_with(llm, settings, way, 3, workers=1))
    told = [
        [{"role": message.role, "content": message.content} for message in request.messages]
        for request in JudgePrompting(TABLE, way, 3).requests(BASE, OTHER)
    ]
    assert told == [body["messages"] for body in llm.requests]


def test_levels_become_the_middles_of_their_intervals(llm: ScriptedLlm, settings: Settings) -> None:
    assert {*gains(judge_with(llm, settings, "levels", 4)).tolist()} == {0.1, 0.4, 0.7, 0.95}


def test_the_name_tells_way_model_and_prompt(llm: ScriptedLlm, settings: Settings) -> None:
    judge = judge_with(llm, settings, "binary", 4)
    assert judge.name == f"binary scripted {prompt_of('binary').identity}"


def test_an_error_says_how_much_is_done_and_the_next_run_asks_only_for_the_rest(
    llm: ScriptedLlm, settings: Settings
) -> None:
    model = LanguageModel.open(llm.settings(settings, llm_concurrency=1, llm_retries=0))

    def fails_late(call: Call) -> Fault | None:
        return BROKEN if call.number >= 5 else None

    llm.faults = fails_late
    with pytest.raises(LlmError) as caught:
        gains(LlmJudge(model.operation("build gain"), JudgePrompting(TABLE, "score", 4), Twin))
    assert "20 of 72 pairs judged, all kept; the graph is as it was" in caught.value.__notes__[0]
    llm.faults = lambda call: None
    before = set(llm.calls_by_content)
    gains(LlmJudge(model.operation("build gain"), JudgePrompting(TABLE, "score", 4), Twin))
    assert len(llm.calls_by_content) == 18
    assert max(llm.calls_by_content.values()) <= 2, "what failed, once more"
    assert sum(llm.calls_by_content.values()) - 18 == len(before) - 5


def test_a_few_pairs_without_a_usable_reply_are_left_to_the_twin(llm: ScriptedLlm, settings: Settings) -> None:
    refused = TABLE.chunk(int(OTHER[3])).passage

    def reply(body: dict[str, Any]) -> str | Reply:
        told = [other for _, other in pairs(body)]
        return "I cannot say anything about that." if refused in told else judging(by_chance)(body)

    llm.answer = reply
    judge = judge_with(llm, settings, "score", 4, workers=1)
    edges = judge_pairs(Candidates(BASE, OTHER, np.zeros(len(BASE), dtype=np.int8)), judge, NoProgress())
    left = np.array([TABLE.chunk(row).passage == refused for row in OTHER.tolist()])

    assert judge.unusable == left.sum() > 0
    assert {*edges.judge[left].tolist()} == {"twin"}
    assert edges.gain[left].tolist() == ((BASE + OTHER)[left] / 100).tolist()
    assert {*edges.judge[~left].tolist()} == {judge.name}
    told = [
        by_chance(TABLE.chunk(a).passage, TABLE.chunk(b).passage)
        for a, b in zip(BASE.tolist(), OTHER.tolist(), strict=True)
    ]
    assert edges.gain[~left].tolist() == np.array(told).round(2)[~left].tolist()


def test_a_build_of_which_many_replies_cannot_be_used_ends_and_names_the_chunks(
    llm: ScriptedLlm, settings: Settings
) -> None:
    llm.answer = lambda body: "I cannot say."
    with pytest.raises(UnusableReply) as caught:
        gains(judge_with(llm, settings, "score", 2, workers=1))
    assert caught.value.__notes__[0] == (
        "12 of 12 pairs have no usable reply, the last of them when it was asked what chunks c3, c4 add to chunk c1."
    )
    assert "12 of 72 pairs judged, all kept" in caught.value.__notes__[1]


def test_judgements_that_nobody_asked_for_are_counted(llm: ScriptedLlm, settings: Settings) -> None:
    right = llm.answer

    def too_much(body: dict[str, object]) -> str:
        return str(right(body)).replace("]}", ', {"passage": 77, "gain": 1.0}]}')

    llm.answer = too_much
    judge = judge_with(llm, settings, "score", 8)
    gains(judge)
    assert judge.dropped == SIZE


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), unique=True).map(sorted), st.integers(1, 4))
def test_batches_hold_every_pair_once_in_order_and_never_two_bases(chosen: list[tuple[int, int]], batch: int) -> None:
    base, other = np.array(chosen, dtype=np.int64).reshape(-1, 2).T
    found = list(JudgePrompting(TABLE, "levels", batch).batches(base, other))
    assert [(row, candidate) for row, candidates in found for candidate in candidates] == chosen
    assert all(1 <= len(candidates) <= batch for _, candidates in found)
    assert len(found) == sum(-(-count // batch) for count in np.bincount(base).tolist())
