"""Answers that a language model writes from the facts of a graph, alone or with passages.

Source:
    BiG-RAG, section 4.3.4.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tetragraph.answering.compose import DELIMITER_TOKENS, AskOptions, describe_method, is_generated, truncate_to_tokens
from tetragraph.answering.stream import GetReply, record_pieces
from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.language.llm_steps.answer import CheckedAnswer
from tetragraph.language.llm_steps.fact_answer import (
    FactAnswerReply,
    check_fact_reply,
    describe_fact,
    fact_answer_request,
)
from tetragraph.llm import LazyOperation
from tetragraph.llm.cost import CHARACTERS
from tetragraph.model import Chunk, Evidence, FactEvidence, FoundFact
from tetragraph.model.answers import Answer
from tetragraph.retrieval.request import Request
from tetragraph.retrieval.search import find_evidence, find_facts, options_of_facts
from tetragraph.stores import chunk_table
from tetragraph.systems.base import FactRetriever
from tetragraph.systems.registry import FACTS, find_retriever

MOST_FACTS: Final = 15
"""Number of facts that a model reads (BiG-RAG, section 4.3.4)."""


def check_context(connection: Connection, request: Request, options: AskOptions) -> None:
    """Check that facts can be shown to a model.

    Raises:
        InvalidInput: the method finds no facts.
        LlmNotConfigured: no model is configured.
    """
    if not isinstance(find_retriever(request.method), FactRetriever):
        raise InvalidInput(
            f"context {options.context!r} needs a method that finds facts, {FACTS.name!r}, got {request.method!r}"
        )
    is_generated(connection.settings, replace(options, generate=True))


def fact_answer_pieces(
    connection: Connection, request: Request, options: AskOptions, get_reply: GetReply[FactAnswerReply]
) -> Generator[str, None, Answer]:
    """Yield the pieces of an answer from facts, and return the answer.

    Args:
        connection: Connection to the stores.
        request: The search request; its method finds facts.
        options: Options of the answer, with ``context`` ``facts`` or ``both``.
        get_reply: Sends the request.
    """
    llm = connection.operation("ask", request.corpus, request.budget)
    evidence, _ = find_evidence(connection, request, llm)
    of_facts = options_of_facts(request.options)
    found = find_facts(connection, replace(request, k=MOST_FACTS, options=of_facts), llm)
    shown = _select(evidence, found, options)
    pieces: list[str] = []
    checked = CheckedAnswer("", (), 0, is_sufficient=False)
    if shown.facts or shown.passages:
        asked = fact_answer_request(request.question, shown.facts, shown.passages, found.chain)
        reply = yield from record_pieces(get_reply(llm(), asked, FactAnswerReply), pieces)
        ids = sorted({place.chunk for fact in shown.facts for place in fact.statements})
        stating = chunk_table.fetch(connection.stores(request.corpus), ids)
        checked = check_fact_reply(reply, shown.facts, stating, shown.passages)
    if checked.text and not pieces:
        yield checked.text
    return _compose(evidence, shown, checked, options, llm)


@dataclass(frozen=True, slots=True)
class _Shown:
    """Facts and chunks that the model reads, and notes on those that it does not."""

    facts: tuple[FoundFact, ...]
    passages: tuple[Chunk, ...]
    notes: tuple[str, ...]


def _select(evidence: Evidence, found: FactEvidence, options: AskOptions) -> _Shown:
    """The best facts within the limit of tokens, then the best chunks within the rest of it."""
    facts, left = _truncate_facts(found.facts, options.context_tokens)
    wanted = [hit.chunk for hit in evidence.current] if options.context == "both" else []
    passages = truncate_to_tokens(wanted, left) if left > 0 else []
    limit = f"{options.context_tokens} tokens hold no more"
    pairs = ((facts, found.facts, "facts"), (passages, wanted, "passages"))
    short = (
        f"{len(some)} of {len(all_)} {what} were shown to the model: {limit}"
        for some, all_, what in pairs
        if len(some) < len(all_)
    )
    return _Shown(tuple(facts), tuple(passages), tuple(dict.fromkeys((*evidence.notes, *found.notes, *short))))


def _truncate_facts(facts: Sequence[FoundFact], tokens: int) -> tuple[Sequence[FoundFact], int]:
    """The longest prefix of a list of facts within an estimated number of tokens, at least one; and the rest of it."""
    left = float(tokens)
    for number, fact in enumerate(facts):
        cost = len(describe_fact(fact)) / CHARACTERS + DELIMITER_TOKENS
        if number and cost > left:
            return facts[:number], int(left)
        left -= cost
    return facts, int(left)


def _compose(
    evidence: Evidence, shown: _Shown, checked: CheckedAnswer, options: AskOptions, llm: LazyOperation
) -> Answer:
    manifest: dict[str, Any] = {**evidence.manifest, "answer": describe_method("generated", options), **llm.record}
    return Answer(
        evidence.question,
        checked.text,
        "generated",
        checked.citations,
        checked.dropped,
        not checked.is_sufficient,
        evidence,
        usage=llm.usage,
        manifest=manifest,
        notes=tuple(dict.fromkeys((*shown.notes, *llm.notes))),
        facts=shown.facts,
    )
