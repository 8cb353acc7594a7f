"""Several processes extract the same facts as one."""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Sequence

import pytest

from tetragraph.errors import MissingDependency, ProcessEnded
from tetragraph.language.facts import processes
from tetragraph.language.facts.dependency import DependencyExtractor
from tetragraph.language.facts.model import Fact
from tetragraph.language.facts.processes import extract_batches, serve
from tetragraph.model import Chunk

pytest.importorskip("spacy")

TOWNS = ["Oslo", "Ghent", "Warsaw", "Paris", "Lyon", "Turin", "Bonn"]


def chunk(town: str) -> Chunk:
    text = f"Marta Olsen was born in {town}. She married Peter Varga in 1921."
    return Chunk(town, town, "Marta Olsen", "Marta Olsen", text, 0, 0, len(text), 0)


CHUNKS = [chunk(town) for town in TOWNS]
BATCHES = [CHUNKS[:2], CHUNKS[2:3], CHUNKS[3:]]


def test_two_processes_give_what_one_gives_in_the_same_order() -> None:
    alone = list(extract_batches(BATCHES, processes=1))
    assert [[fact.participants[1].name for fact in facts[:1]] for batch in alone for facts in batch] == [
        [town] for town in TOWNS
    ]
    assert list(extract_batches(BATCHES, processes=2)) == alone


def test_few_chunks_are_not_worth_a_process_and_some_pythons_cannot_start_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent")
    assert len(list(extract_batches(BATCHES))) == len(BATCHES)
    monkeypatch.setattr(processes, "WORTH_IT", 1)
    monkeypatch.setattr(processes, "count_processors", lambda: 2)
    with pytest.raises(FileNotFoundError):
        list(extract_batches(BATCHES))
    monkeypatch.setattr(sys, "executable", "")
    assert len(list(extract_batches(BATCHES))) == len(BATCHES)


def test_a_process_that_ends_too_soon_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(ProcessEnded, match="must work until all are found, one ended with 1"):
        list(extract_batches(BATCHES, processes=2))


def test_what_a_process_lacks_is_told_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one answers instead of facts is raised where they are wanted."""

    class Unable(DependencyExtractor):
        def extract(self, chunks: Sequence[Chunk]) -> list[list[Fact]]:
            raise MissingDependency(f"the facts of {len(chunks)} chunks need spaCy")

    monkeypatch.setattr(processes, "DependencyExtractor", Unable)
    answers = io.BytesIO()
    serve(io.BufferedReader(io.BytesIO(pickle.dumps(CHUNKS))), answers)
    answer = pickle.loads(answers.getvalue())  # noqa: S301  # written above
    assert isinstance(answer, MissingDependency)
    assert str(answer) == "the facts of 7 chunks need spaCy"


def test_processes_end_when_nobody_wants_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[processes._Process] = []

    class Noted(processes._Process):
        def __enter__(self) -> Noted:
            started.append(self)
            return self

    monkeypatch.setattr(processes, "_Process", Noted)
    found = extract_batches(BATCHES, processes=2)
    next(found)
    found.close()  # type: ignore[attr-defined]  # it is a generator
    assert [process._process.returncode is not None for process in started] == [True, True]
