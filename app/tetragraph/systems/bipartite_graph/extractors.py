"""Sources of the facts of a corpus, each with the name that is stored with its facts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeAlias

from tetragraph.errors import UnusableReply
from tetragraph.executors import LOCAL, Executor, map_in_order
from tetragraph.host.batches import in_batches
from tetragraph.language.detection import describe_others
from tetragraph.language.facts.dependency import DependencyExtractor
from tetragraph.language.facts.model import Fact
from tetragraph.language.facts.processes import ExtractFacts, extract_batches
from tetragraph.language.facts.recorded import RecordedExtractor
from tetragraph.language.llm_steps.facts import PromptedExtractor
from tetragraph.llm import Operation
from tetragraph.model import Chunk
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.stored_documents import count_languages
from tetragraph.systems.bipartite_graph.options import DEPENDENCY, LLM, BuildOptions

Batch: TypeAlias = tuple[Sequence[Chunk], list[list[Fact]]]
"""Chunks with the facts of each."""
_BATCH = 64
"""Chunks that are extracted and written together: an interruption loses at most the batches in progress."""
_PROMPTED_BATCH = 8
"""Batch size of a language model, where each chunk takes seconds; cached replies survive an interruption."""
_UNREAD_SHARE = 0.1
"""Tolerated share of the chunks of a corpus on which a language model gives no readable reply."""


class Source(Protocol):
    """Source of the facts of a corpus."""

    @property
    def name(self) -> str:
        """Name stored with its facts: it differs between files of triples, models and rules."""

    def holds(self, extractor: str) -> bool:
        """Whether facts stored with a name need not be extracted again."""

    def batches(self, chunks: Sequence[Chunk]) -> Iterator[Batch]:
        """Extract the facts of all chunks, in batches; each chunk is in one of them."""

    def note(self, stores: CorpusStores, chunks: Sequence[Chunk]) -> None:
        """Add a result note if the extraction of chunks is incomplete, or was not made for them."""


def choose(
    options: BuildOptions,
    before: str,
    llm: Callable[[], Operation],
    *,
    extracts_again: bool,
    corpus_size: int,
    executor: Executor = LOCAL,
) -> Source:
    """Return the source that the options select.

    Args:
        options: Build options.
        before: Name stored with the facts of the same extractor by the last build; empty if there are none.
        llm: Returns the language model operation.
        extracts_again: Whether facts of another model or of other prompts are extracted again; otherwise they
            are kept, and only new chunks are extracted.
        corpus_size: Number of chunks of the corpus.
        executor: Where the parser runs.

    Raises:
        LlmNotConfigured: all facts are to be extracted by a language model, and none is configured.
    """
    if options.extractor == DEPENDENCY:
        return _Parsed(executor)
    if options.extractor == LLM:
        return _Prompted(options, before, llm, extracts_again=extracts_again, corpus_size=corpus_size)
    return _Recorded(Path(options.extractor), before)


class _Parsed:
    """Facts of a parser."""

    def __init__(self, executor: Executor) -> None:
        self.name = DependencyExtractor.name
        self._executor = executor

    def holds(self, extractor: str) -> bool:
        return extractor == self.name

    def batches(self, chunks: Sequence[Chunk]) -> Iterator[Batch]:
        batches = list(in_batches(chunks, _BATCH))
        found = map_in_order(self._executor, ExtractFacts(), batches, lambda some: extract_batches(list(some)))
        yield from zip(batches, found, strict=True)

    def note(self, stores: CorpusStores, chunks: Sequence[Chunk]) -> None:
        others = describe_others(count_languages(stores, {chunk.document_id for chunk in chunks}))
        if others:
            stores.note(
                f"documents in other languages than English ({others}): their facts were found by a parser of English; "
                "-o extractor=llm asks a language model for them"
            )


class _Recorded:
    """Facts of a file; without the file its facts remain valid until chunks have to be extracted."""

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
        for batch in in_batches(chunks, _BATCH):
            yield batch, recorded.extract(batch)
            self._missing += recorded.missing

    def note(self, stores: CorpusStores, chunks: Sequence[Chunk]) -> None:
        if self._missing:
            stores.note(f"{self._missing} of {len(chunks)} chunks are not in {self._path}: no facts are known of them")


class _Prompted:
    """Facts of a language model, whose operation starts with the first extraction."""

    def __init__(
        self,
        options: BuildOptions,
        before: str,
        llm: Callable[[], Operation],
        *,
        extracts_again: bool,
        corpus_size: int,
    ) -> None:
        self._llm = llm
        self._gleanings = options.gleanings
        self._extracts_again = extracts_again or not before
        self._before = before
        self._extractor = self._make_extractor() if self._extracts_again else None
        self._corpus_size = corpus_size
        self._unread: list[Chunk] = []

    @property
    def name(self) -> str:
        return self._extractor.name if self._extractor else self._before

    def holds(self, extractor: str) -> bool:
        return extractor == self.name if self._extracts_again else extractor.startswith(f"{LLM} ")

    def batches(self, chunks: Sequence[Chunk]) -> Iterator[Batch]:
        if not chunks:
            return
        self._extractor = self._extractor or self._make_extractor()
        asked = 0
        with closing(self._extractor.each(chunks)) as found:
            for batch in in_batches(chunks, _PROMPTED_BATCH):
                read = []
                for chunk, facts in zip(batch, islice(found, len(batch)), strict=True):
                    asked += 1
                    if isinstance(facts, UnusableReply):
                        self._unread.append(chunk)
                        self._check_unread(asked, facts)
                    else:
                        read.append((chunk, facts))
                yield [chunk for chunk, _ in read], [facts for _, facts in read]
        if self._unread:  # only now, as stored facts are not requested again
            yield self._unread, [[] for _ in self._unread]

    def _check_unread(self, asked: int, error: UnusableReply) -> None:
        """Raise an error if too many chunks have no readable reply."""
        if len(self._unread) <= _UNREAD_SHARE * self._corpus_size:
            return
        raise UnusableReply(
            f"at most a tenth of {self._corpus_size:,} passages may be without facts, and the replies of the language "
            f"model {self._llm().model!r} on {len(self._unread):,} of the {asked:,} asked so far could not be read: "
            f"try `tetragraph llm check`, or another model; the last fault: {error}",
            error.raw,
        ) from error

    def note(self, stores: CorpusStores, chunks: Sequence[Chunk]) -> None:
        if self._unread:
            stores.note(
                f"the language model's reply could not be read for {len(self._unread):,} of {len(chunks):,} passages: "
                f"they have no facts"
            )
        dropped = self._extractor.dropped if self._extractor else {}
        counted = ", ".join(f"{times:,} {what}" for what, times in sorted(dropped.items()) if times)
        if counted:
            stores.note(f"what the language model wrote of {len(chunks):,} chunks was used without {counted}")

    def _make_extractor(self) -> PromptedExtractor:
        return PromptedExtractor(self._llm, self._llm().model, self._gleanings)
