"""Search by evidence walk: from a question to ranked evidence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from tetragraph.algorithms.evidence_walk import top, walk
from tetragraph.arrays import Flags, Floats, Rows, Vectors
from tetragraph.host.optional_imports import install_command
from tetragraph.language.questions.decompose import has_parser
from tetragraph.model import Findings
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.systems.evidence_walk.chain import take_apart
from tetragraph.systems.evidence_walk.index import EvidenceIndex, load
from tetragraph.systems.evidence_walk.local_index import SIMILAR, LocalIndex, narrow
from tetragraph.systems.evidence_walk.options import LOCAL_FROM, EvidenceOptions
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms
from tetragraph.systems.evidence_walk.ranking import IndexedQuestion, rank, start
from tetragraph.systems.question_decomposition import Decomposed, fill_variables


class Nearest(Protocol):
    """Finds chunks by similarity."""

    def __call__(self, vector: Vectors, count: int) -> Rows:
        """Rows of the ``count`` chunks most similar to a text; fewer if there are fewer."""


def search(
    stores: CorpusStores,
    question: Question,
    k: int,
    options: EvidenceOptions | None = None,
    allowed: Collection[str] | None = None,
) -> Findings:
    """The best ``k`` chunks, or all allowed ones if these are fewer, and the chain that led to them.

    Args:
        stores: The stores of the corpus.
        question: The question with its vector.
        k: Number of hits, at least 1.
        options: Search options; the defaults when left out.
        allowed: Ids of the chunks that may be found; the walk passes through no other. All when left out.
    """
    index = load(stores)
    options = options or EvidenceOptions()
    for shortcoming in _shortcomings(stores, index, options):
        stores.note(shortcoming)
    nearest = partial(_query, stores, index) if allowed is None else None
    return find(index, question, k, options, allowed, nearest=nearest, note=stores.note)


def _query(stores: CorpusStores, index: EvidenceIndex, vector: Vectors, count: int) -> Rows:
    """Rows of the chunks most similar to a text, by the index of the vector store."""
    found = stores.nearest("chunks", vector, count)
    rows = index.table.rows
    return np.array([rows[scored.id] for scored in found if scored.id in rows], dtype=np.int64)


def _ignore_note(_: str) -> None:
    """Discard a note."""


def find(
    index: EvidenceIndex,
    question: Question,
    k: int,
    options: EvidenceOptions,
    allowed: Collection[str] | None = None,
    *,
    nearest: Nearest | None = None,
    note: Callable[[str], None] = _ignore_note,
) -> Findings:
    """Search a loaded index; see :func:`tetragraph.systems.evidence_walk.ranking.rank`.

    Args:
        index: Index of the corpus.
        question: The question with its vector.
        k: Number of hits, at least 1.
        options: Search options.
        allowed: See :func:`search`.
        nearest: Finds similar chunks for a local search; compares all allowed chunks when left out.
        note: Receives the result notes.
    """
    is_allowed = index.table.mask(allowed)
    if not is_allowed.any():
        return Findings(())
    reading = index.read(question.text)
    decomposed = take_apart(question, reading, options)
    if decomposed.fault:
        note(decomposed.fault)
    asked = IndexedQuestion(question, reading, decomposed.steps)
    if not _is_local(index, options):
        return replace(rank(index, asked, k, options, is_allowed), trace=_trace(decomposed))
    nearest = nearest or partial(_compare, index, is_allowed)
    local = _narrow(index, asked, partial(nearest, count=max(k, SIMILAR)), options, is_allowed)
    asked = IndexedQuestion(question, local.renumber(reading), asked.steps)
    return replace(rank(local, asked, k, options, is_allowed[local.graph.rows]), trace=_trace(decomposed))


def _trace(decomposed: Decomposed) -> dict[str, Any]:
    """The decomposition by the language model; empty if none was asked."""
    trace = decomposed.trace()
    return {"llm": trace} if trace else {}


def _compare(index: EvidenceIndex, is_allowed: Flags, vector: Vectors, count: int) -> Rows:
    return top(np.where(is_allowed, index.passages.compare_passages(vector), -np.inf), count)


def _is_local(index: EvidenceIndex, options: EvidenceOptions) -> bool:
    if options.scope == "auto":
        return len(index.table) >= LOCAL_FROM
    return options.scope == "local"


def _narrow(
    index: EvidenceIndex,
    asked: IndexedQuestion,
    similar: Callable[[Vectors], Rows],
    options: EvidenceOptions,
    is_allowed: Flags,
) -> LocalIndex:
    """The part of the corpus around the chunks most similar to the question and to its sub-questions."""
    question = asked.question
    texts = [fill_variables(asked.steps, step) for step in asked.steps] if len(asked.steps) > 1 else []
    nearest = np.concatenate([similar(vector) for vector in (question.vector, *map(question.embed, texts))])

    def mass(local: LocalIndex, reading: QuestionTerms, steps: int) -> Floats:
        here = IndexedQuestion(question, reading, ())
        _, transition, seeds = start(local, here, options, is_allowed[local.graph.rows])
        return walk(transition, seeds.total)[steps - 1].after if steps else seeds.total

    return narrow(index, asked.reading, nearest, mass, steps=options.steps)


def _shortcomings(stores: CorpusStores, index: EvidenceIndex, options: EvidenceOptions) -> Iterator[str]:
    """Notes on options that the search cannot honour."""
    if options.sentences and not index.passages.has_sentences and len(index.table):
        yield (
            f"corpus {stores.name!r} stores no vectors of sentences: whole passages were compared; "
            f"set sentences=False, or drop the corpus and ingest it with sentences"
        )
    if options.chain != "off" and options.decomposition == "parser" and not has_parser():
        yield (
            "spaCy and its English model are not installed: a question of several steps was taken apart by a pattern, "
            f"once at most; {install_command('local')}, or set chain='off'"
        )
