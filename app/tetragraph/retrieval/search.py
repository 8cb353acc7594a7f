"""Searches of a corpus: findings of a retriever with the manifest that repeats them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Generic, Protocol, TypeVar

from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.host.numerics import describe_numerics
from tetragraph.language.lexicon.gazetteer import SETTING
from tetragraph.llm import LazyOperation
from tetragraph.model import Evidence, FactEvidence, Findings
from tetragraph.model.usage import Usage
from tetragraph.progress import Stopwatch
from tetragraph.retrieval.kept_findings import search_or_recall
from tetragraph.retrieval.request import Request, check_question, make_options
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.filters import check_mapping
from tetragraph.systems.base import Retriever, SearchRequest
from tetragraph.systems.copies import list_copies
from tetragraph.systems.registry import FACTS, find_retriever
from tetragraph.systems.rerank_options import describe_options
from tetragraph.systems.reranking import describe_reranker, search_reranked
from tetragraph.systems.versions import hide_documents, note_superseded
from tetragraph.version import __version__


class _Found(Protocol):
    @property
    def graph(self) -> Mapping[str, Any]: ...
    @property
    def engine(self) -> str: ...


FoundT = TypeVar("FoundT", bound=_Found)


@dataclass(frozen=True, slots=True)
class _SearchOutcome(Generic[FoundT]):
    """Findings with manifest, notes, usage, and the seconds of the search without the embedding of the question."""

    found: FoundT
    manifest: Mapping[str, Any]
    notes: tuple[str, ...]
    usage: Usage
    seconds: float


def find_evidence(
    connection: Connection,
    request: Request,
    llm: LazyOperation | None = None,
    stores: CorpusStores | None = None,
    *,
    keeps: bool = False,
) -> tuple[Evidence, float]:
    """Return the evidence, and the seconds of the search without embedding the question; see ``Corpus.search``.

    Args:
        connection: Connection to the stores.
        request: The search request.
        llm: Operation that the search is a part of; by default an operation of its own with the request's budget.
        stores: Stores that are searched; default: those of the corpus in its present state.
        keeps: Whether the client keeps the findings, and gives those that it has; else the search is computed.
    """
    search = partial(search_or_recall, connection.findings, _search) if keeps else _search
    answer = _answer(connection, request, partial(search, find_retriever(request.method)), llm, stores)
    return _evidence(request, answer), answer.seconds


def make_evidence(
    connection: Connection, stores: CorpusStores, request: Request, options: Any, found: Findings, llm: LazyOperation
) -> Evidence:
    """Evidence of a search that was run elsewhere.

    Args:
        connection: Connection to the stores.
        stores: Stores of the corpus.
        request: The request that the search answers.
        options: Search options of the method, with all values.
        found: Findings of the search.
        llm: Language model operation of the search.
    """
    note_superseded(stores, found.hits)
    found = replace(found, hits=list_copies(stores, found.hits, hide_documents(stores, options, request.filters)))
    return _evidence(request, _with_manifest(connection, stores, request, options, found, llm))


def find_facts(connection: Connection, request: Request, llm: LazyOperation | None = None) -> FactEvidence:
    """Return the facts; see ``Corpus.facts``, and :func:`find_evidence` for the arguments.

    Raises:
        InvalidInput: an order or a limit of passages is asked for, which facts do not have.
    """
    _check_fact_options(request.options)
    answer = _answer(connection, replace(request, method=FACTS.name), FACTS.search_facts, llm)
    found = answer.found
    return FactEvidence(
        request.question, found.facts, answer.manifest, answer.notes, found.chain, found.trace, answer.usage
    )


_OF_PASSAGES: Final = {
    "rerank": ("none", "none for facts, as it orders passages"),
    "per_document": (0, "0 for facts, as it limits passages"),
}
"""Options that facts do not have: the value without effect, and the rule."""


def options_of_facts(options: Mapping[str, Any]) -> dict[str, Any]:
    """The search options without those that order or limit passages only."""
    given = {name: value for name, value in options.items() if name not in _OF_PASSAGES}
    if given.get("superseded") == "below":
        del given["superseded"]
    return given


def _check_fact_options(options: Mapping[str, Any]) -> None:
    for name, (value, rule) in _OF_PASSAGES.items():
        if options.get(name, value) != value:
            raise InvalidInput(f"{name} must be {rule}, got {options[name]!r}")
    if options.get("superseded") == "below":
        raise InvalidInput(
            "superseded must be hide or keep for facts, as only passages are put below others, got 'below': "
            "choose one of these, or leave it out, which keeps all facts"
        )


def _answer(
    connection: Connection,
    request: Request,
    run: Callable[[SearchRequest[Any]], FoundT],
    llm: LazyOperation | None = None,
    given: CorpusStores | None = None,
) -> _SearchOutcome[FoundT]:
    text = check_question(request.question, request.k)
    check_mapping(request.filters)
    retriever = find_retriever(request.method)
    options = make_options(retriever, request.options)
    watch = Stopwatch()
    llm = llm or connection.operation("search", request.corpus, request.budget)
    deadline = request.budget.ends()
    with watch.stage("search"):
        if retriever.needs_vector and not given:
            connection.begin_question(request.corpus, text)
        stores = replace(given, notes=[]) if given else connection.stores(request.corpus)
        asked = connection.question(
            stores, text, embeds=retriever.needs_vector, watch=watch, llm=llm, deadline=deadline
        )
        filters = hide_documents(stores, options, request.filters)
        found = run(SearchRequest(stores, asked, request.k, options, filters))
    seconds = watch.seconds["search"] - watch.seconds.get("embedding", 0.0)
    return _with_manifest(connection, stores, request, options, found, llm, seconds)


def _search(retriever: Retriever[Any], request: SearchRequest[Any]) -> Findings:
    """Search for hits of different content, each with its copies."""
    found = search_reranked(retriever, request)
    note_superseded(request.stores, found.hits)
    return replace(found, hits=list_copies(request.stores, found.hits, request.filters))


def _evidence(request: Request, answer: _SearchOutcome[Findings]) -> Evidence:
    found = answer.found
    return Evidence(
        request.question,
        request.method,
        found.hits,
        answer.manifest,
        answer.notes,
        found.chain,
        found.trace,
        answer.usage,
    )


def _with_manifest(
    connection: Connection,
    stores: CorpusStores,
    request: Request,
    options: Any,
    found: FoundT,
    llm: LazyOperation,
    seconds: float = 0.0,
) -> _SearchOutcome[FoundT]:
    """Add manifest, usage and notes to the findings of a search."""
    manifest = {
        **_manifest(connection, stores, request, find_retriever(request.method)),
        "options": describe_options(options),
        "graph": dict(found.graph),
        **({"engine": found.engine} if found.engine else {}),
        **describe_reranker(options),
        **llm.record,
    }
    return _SearchOutcome(found, manifest, (*stores.notes, *llm.notes), llm.usage, seconds)


def _manifest(
    connection: Connection, stores: CorpusStores, request: Request, retriever: Retriever[Any]
) -> dict[str, Any]:
    """Return the data that repeats the search, except options and graph."""
    record = stores.record
    return {
        "tetragraph": __version__,
        "neo4j": connection.server.version,
        "gds": connection.gds,
        "corpus": request.corpus,
        "generation": record.published,
        "embedder": record.embedder,
        "model_hash": connection.embedder_of(record).model_hash if retriever.needs_vector else None,
        "method": request.method,
        "k": request.k,
        "filters": dict(request.filters or {}),
        **({SETTING: record.settings[SETTING]["sha256"]} if SETTING in record.settings else {}),
        "numerics": describe_numerics(),
    }
