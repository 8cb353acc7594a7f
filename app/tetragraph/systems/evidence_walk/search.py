"""Search by evidence walk: from a question to ranked evidence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tetragraph.algorithms.evidence_walk import walk
from tetragraph.arrays import Flags, Floats
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
    return find(index, question, k, options, allowed, note=stores.note)


def _ignore_note(_: str) -> None:
    """Discard a note."""


def find(
    index: EvidenceIndex,
    question: Question,
    k: int,
    options: EvidenceOptions,
    allowed: Collection[str] | None = None,
    *,
    note: Callable[[str], None] = _ignore_note,
) -> Findings:
    """Search a loaded index; see :func:`tetragraph.systems.evidence_walk.ranking.rank`.

    Args:
        index: Index of the corpus.
        question: The question with its vector.
        k: Number of hits, at least 1.
        options: Search options.
        allowed: See :func:`search`.
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
    local = _narrow(index, asked, max(k, SIMILAR), options, is_allowed)
    asked = IndexedQuestion(question, local.renumber(reading), asked.steps)
    return replace(rank(local, asked, k, options, is_allowed[local.graph.rows]), trace=_trace(decomposed))


def _trace(decomposed: Decomposed) -> dict[str, Any]:
    """The decomposition by the language model; empty if none was asked."""
    trace = decomposed.trace()
    return {"llm": trace} if trace else {}


def _is_local(index: EvidenceIndex, options: EvidenceOptions) -> bool:
    if options.scope == "auto":
        return len(index.table) >= LOCAL_FROM
    return options.scope == "local"


def _narrow(
    index: EvidenceIndex,
    asked: IndexedQuestion,
    count: int,
    options: EvidenceOptions,
    is_allowed: Flags,
) -> LocalIndex:
    """The part of the corpus around the ``count`` chunks most similar to the question and to each sub-question."""
    question = asked.question
    texts = [fill_variables(asked.steps, step) for step in asked.steps] if len(asked.steps) > 1 else []
    vectors = np.array([question.vector, *map(question.embed, texts)], dtype=np.float32)
    nearest = np.concatenate(index.nearest(vectors, count, is_allowed))

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
