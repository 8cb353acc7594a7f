"""Records, summarises, writes and reads the steps of searches in several steps, by question."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from tetragraph.errors import InvalidInput, UnknownChunk
from tetragraph.evaluate.model import Found, Run, RunStep, StepSequence, StepStatistics
from tetragraph.evaluate.trec import parse_passage, passage_name
from tetragraph.model import Chunk, Evidence
from tetragraph.systems.registry import ANCHOR

TRACE: Final = ANCHOR.name
"""Key of the steps in the trace of a search."""
FindChunks = Callable[[Sequence[str]], Mapping[str, Chunk]]
"""Maps chunk ids to the chunks that the corpus has."""


@dataclass(slots=True)
class StepRecorder:
    """Records the steps of successive searches."""

    _traces: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    _read: dict[str, int | None] = field(default_factory=dict)
    _chunks: dict[str, Chunk] = field(default_factory=dict)

    def add(self, question: str, evidence: Evidence) -> None:
        """Record the steps of a search; a search in one step has none."""
        if TRACE in evidence.trace:
            self._traces[question] = evidence.trace[TRACE]
            self._read[question] = evidence.manifest["options"].get("documents")
            self._chunks.update({hit.chunk.id: hit.chunk for hit in evidence})

    def trails(self, find_chunks: FindChunks) -> dict[str, StepSequence]:
        """Steps by question id; chunks that the result of a search does not contain are looked up.

        Raises:
            UnknownChunk: the corpus lacks a chunk that a step retrieved.
        """
        steps = [(question, step) for question, trace in self._traces.items() for step in trace["steps"]]
        asked = {chunk for question, step in steps for chunk in self._chunks_of(question, step)}
        lacking = sorted(asked - self._chunks.keys())
        self._chunks.update(find_chunks(lacking) if lacking else {})
        if unknown := [chunk for chunk in lacking if chunk not in self._chunks]:
            raise UnknownChunk(
                f"a corpus must have the chunks that the steps of a search read, it lacks {len(unknown)}, such as "
                f"{unknown[0]!r}: was it changed meanwhile? Evaluate again"
            )
        return {question: self._trail(question, trace) for question, trace in self._traces.items()}

    def _trail(self, question: str, trace: Mapping[str, Any]) -> StepSequence:
        steps = (
            RunStep(
                query=step["query"],
                found=tuple(_to_found(self._chunks[chunk]) for chunk in self._chunks_of(question, step)),
                anchors=step["anchors"],
                relations=step["relations"],
            )
            for step in trace["steps"]
        )
        return StepSequence(trace["stopped"], tuple(steps))

    def _chunks_of(self, question: str, step: Mapping[str, Any]) -> Sequence[str]:
        """Ids of the chunks that a step read; it may have retrieved more for the final ranking."""
        chunks: Sequence[str] = step["chunks"]
        return chunks[: self._read[question]]


def sum_up(run: Run) -> StepStatistics:
    """Compute the statistics of a run with searches in several steps."""
    trails = list(run.trails.values())
    numbers = range(1, run.longest + 1)
    return StepStatistics(
        steps=fmean(len(trail.steps) for trail in trails),
        ended={number: sum(len(trail.steps) == number for trail in trails) for number in numbers},
        stopped=_count_by_frequency(trail.stopped for trail in trails),
        overlap={number: fmean(_overlap(trail.steps[:number]) for trail in trails) for number in numbers},
        anchors={number: fmean(trail.steps[:number][-1].anchors for trail in trails) for number in numbers},
        relations={number: fmean(trail.steps[:number][-1].relations for trail in trails) for number in numbers},
    )


def plain(trail: StepSequence) -> dict[str, Any]:
    """The steps of a question as JSON values; chunks are named as in run files."""
    return {"stopped": trail.stopped, "steps": [_row(step) for step in trail.steps]}


def format_trails(run: Run) -> str:
    """The steps of a run as JSON lines, questions in order of id."""
    rows = ({"id": question, **plain(trail)} for question, trail in sorted(run.trails.items()))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def read_trails(path: Path) -> dict[str, StepSequence]:
    """Read a file written from :func:`format_trails`; chunks are given by their names.

    Raises:
        InvalidInput: the file cannot be read, or a row has another form; the message has file and line.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"a file of steps must be text that can be read, got {str(path)!r}: {error}") from error
    trails: dict[str, StepSequence] = {}
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            row = json.loads(line)
            steps = tuple(_step(step) for step in row["steps"])
            trails[row["id"]] = StepSequence(row["stopped"], steps)
        except (ValueError, KeyError, TypeError) as error:
            rule = "a row of steps must be as `evaluate` wrote it"
            raise InvalidInput(f"{path}:{number}: {rule}, got {line[:200]!r} ({error}): evaluate anew") from error
    return trails


def differences(before: Run, now: Run) -> Iterator[str]:
    """Differences between the steps of two runs in words, in order of question id; steps have no scores."""
    for question in sorted(before.trails.keys() | now.trails.keys()):
        one, other = before.trails.get(question), now.trails.get(question)
        lines, now_lines = _describe(one), _describe(other)
        for number in range(max(len(lines), len(now_lines))):
            if lines[number : number + 1] != now_lines[number : number + 1]:
                was, has = (some[number] if number < len(some) else "nothing" for some in (lines, now_lines))
                yield f"question {question!r}, step {number + 1}: {was}, now {has}"
        if one and other and one.stopped != other.stopped:
            yield f"question {question!r}: stopped for {one.stopped!r}, now for {other.stopped!r}"


def _to_found(chunk: Chunk) -> Found:
    return Found(chunk.id, chunk.document_id, chunk.title, chunk.start, chunk.end, 0.0)


def _count_by_frequency(reasons: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(reasons).items(), key=lambda item: (-item[1], item[0])))


def _overlap(steps: Sequence[RunStep]) -> float:
    """Share of the read chunks that an earlier step had read."""
    names = [passage_name(found) for step in steps for found in step.found]
    return 1 - len(set(names)) / len(names) if names else 0.0


def _row(step: RunStep) -> dict[str, Any]:
    return {
        "query": step.query,
        "passages": [passage_name(found) for found in step.found],
        "anchors": step.anchors,
        "relations": step.relations,
    }


def _step(row: Mapping[str, Any]) -> RunStep:
    found = tuple(parse_passage(name, 0.0) for name in row["passages"])
    return RunStep(str(row["query"]), found, int(row["anchors"]), int(row["relations"]))


def _describe(trail: StepSequence | None) -> list[str]:
    return [json.dumps(_row(step), ensure_ascii=False) for step in trail.steps] if trail else []
