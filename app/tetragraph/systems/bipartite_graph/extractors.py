"""The ways of finding facts that a corpus can be built with, each with what its facts are known by."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeAlias

from tetragraph.language.facts.dependency import DependencyExtractor
from tetragraph.language.facts.model import Fact
from tetragraph.language.facts.processes import extract_batches
from tetragraph.language.facts.recorded import RecordedExtractor
from tetragraph.language.llm_steps.facts import PromptedExtractor
from tetragraph.llm import Operation
from tetragraph.model import Chunk
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.bipartite_graph.options import DEPENDENCY, LLM, BuildOptions

Batch: TypeAlias = tuple[Sequence[Chunk], list[list[Fact]]]
"""Chunks with the facts of each."""
_BATCH = 64
"""Chunks that are extracted and written together: a kill loses no more than those under way."""
_PROMPTED_BATCH = 8
"""The same where each costs seconds; what a kill loses of these was paid for, and the file of replies has it."""


class Source(Protocol):
    """Where the facts of a corpus come from."""

    @property
    def name(self) -> str:
        """Name stored with its facts: another file of triples, another model, or other rules have other names."""

    def holds(self, extractor: str) -> bool:
        """Whether facts that are known by a name need not be extracted again."""

    def batches(self, chunks: Sequence[Chunk]) -> Iterator[Batch]:
        """All chunks in their order, some at a time."""

    def note(self, stores: CorpusStores, chunks: int) -> None:
        """Say how what was extracted of so many chunks falls short."""


def choose(options: BuildOptions, before: str, llm: Callable[[], Operation], *, extracts_again: bool) -> Source:
    """The source that the options name.

    Args:
        options: Build options.
        before: What facts of the same extractor were known by, when the graph was last made; empty where it was not.
        llm: Gives what asks the language model.
        extracts_again: Whether facts of another model or of other prompts are extracted again; otherwise they
            stay, and only new chunks are extracted.

    Raises:
        LlmNotConfigured: everything is made anew by a model, and none is set.
    """
    if options.extractor == DEPENDENCY:
        return _Parsed()
    if options.extractor == LLM:
        return _Prompted(options, before, llm, extracts_again=extracts_again)
    return _Recorded(Path(options.extractor), before)


class _Parsed:
    """A parser's facts."""

    def __init__(self) -> None:
        self.name = DependencyExtractor.name

    def holds(self, extractor: str) -> bool:
        return extractor == self.name

    def batches(self, chunks: Sequence[Chunk]) -> Iterator[Batch]:
        batches = _split(chunks, _BATCH)
        yield from zip(batches, extract_batches(batches), strict=True)

    def note(self, stores: CorpusStores, chunks: int) -> None:
        """Nothing: it reads all that there is."""


class _Recorded:
    """Facts of a file; where it is gone, its name holds on for as long as nothing has to be extracted."""

    def __init__(self, path: Path, before: str) -> None:
        self.name = f"recorded {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}" if path.is_file() else before
        self._path = path
        self._missing = 0

    def holds(self, extractor: str) -> bool:
        return extractor == self.name

    def batches(self, chunks: Sequence[Chunk]) -> Iterator[Batch]:
        if not chunks:
            return
        recorded = RecordedExtractor(self._path)
        for batch in _split(chunks, _BATCH):
            yield batch, recorded.extract(batch)
            self._missing += recorded.missing

    def note(self, stores: CorpusStores, chunks: int) -> None:
        if self._missing:
            stores.note(f"{self._missing} of {chunks} chunks are not in {self._path}: no facts are known of them")


class _Prompted:
    """A language model's facts; it is asked for when there is something to ask."""

    def __init__(
        self, options: BuildOptions, before: str, llm: Callable[[], Operation], *, extracts_again: bool
    ) -> None:
        self._llm = llm
        self._gleanings = options.gleanings
        self._extracts_again = extracts_again or not before
        self._before = before
        self._extractor = self._made() if self._extracts_again else None

    @property
    def name(self) -> str:
        return self._extractor.name if self._extractor else self._before

    def holds(self, extractor: str) -> bool:
        return extractor == self.name if self._extracts_again else extractor.startswith(f"{LLM} ")

    def batches(self, chunks: Sequence[Chunk]) -> Iterator[Batch]:
        if not chunks:
            return
        self._extractor = self._extractor or self._made()
        found = self._extractor.each(chunks)
        for batch in _split(chunks, _PROMPTED_BATCH):
            yield batch, list(islice(found, len(batch)))

    def note(self, stores: CorpusStores, chunks: int) -> None:
        dropped = self._extractor.dropped if self._extractor else {}
        counted = ", ".join(f"{times:,} {what}" for what, times in sorted(dropped.items()) if times)
        if counted:
            stores.note(f"what the language model wrote of {chunks:,} chunks was used without {counted}")

    def _made(self) -> PromptedExtractor:
        return PromptedExtractor(self._llm, self._llm().model, self._gleanings)


def _split(chunks: Sequence[Chunk], size: int) -> list[Sequence[Chunk]]:
    return [chunks[start : start + size] for start in range(0, len(chunks), size)]
