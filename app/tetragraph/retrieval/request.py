"""From a question to ranked evidence: which system answers, with which options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from tetragraph.errors import InvalidInput, UnknownMethod
from tetragraph.model import Filters, Findings, Hit
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.filters import allowed_ids, check
from tetragraph.systems import (
    anchor_graph,
    bipartite_graph,
    dense,
    encoding_tree,
    evidence_walk,
    fused,
    gain_graph,
    keyword,
)
from tetragraph.systems.built import check_built
from tetragraph.validation import check_known_options

MAX_QUESTION = 10_000
"""Characters; a longer text is a document."""
_GRAPHS: Mapping[str, str] = {"gain": "information-gain graph", "tree": "encoding tree", "bipartite": "bipartite graph"}
"""What a method of that name searches, and the corpus must have, in words."""


@dataclass(frozen=True, slots=True)
class NoOptions:
    """The method has nothing to set."""


Run = Callable[[CorpusStores, Question, int, Filters | None, Any], Findings]


@dataclass(frozen=True, slots=True)
class Method:
    """A search method.

    Attributes:
        options: The frozen dataclass of its settings; its fields are keyword arguments of ``Corpus.search``.
        summary: One line for help texts.
        embeds: Whether it needs the question's vector; without need, no embedder has to be installed.
    """

    name: str
    summary: str
    options: type
    run: Run
    embeds: bool = True


def _dense(
    stores: CorpusStores, question: Question, k: int, filters: Filters | None, options: dense.DenseOptions
) -> Findings:
    return Findings(tuple(dense.search(stores, question, k, filters, options)))


def _keyword(stores: CorpusStores, question: Question, k: int, filters: Filters | None, _: NoOptions) -> Findings:
    return Findings(tuple(keyword.search(stores, question, k, filters)))


def _evidence(
    stores: CorpusStores,
    question: Question,
    k: int,
    filters: Filters | None,
    options: evidence_walk.EvidenceOptions,
) -> Findings:
    return evidence_walk.search(stores, question, k, options, _allowed(stores, filters))


def _gain(
    stores: CorpusStores, question: Question, k: int, filters: Filters | None, options: gain_graph.GainOptions
) -> Findings:
    _check_has_graph(stores, "gain")
    return Findings(tuple(gain_graph.search(stores, question, k, options, _allowed(stores, filters))))


def _tree(
    stores: CorpusStores, question: Question, k: int, filters: Filters | None, options: encoding_tree.TreeOptions
) -> Findings:
    _check_has_graph(stores, "tree")
    return encoding_tree.search(stores, question, k, options, _allowed(stores, filters))


def _bipartite(
    stores: CorpusStores, question: Question, k: int, filters: Filters | None, options: bipartite_graph.BipartiteOptions
) -> Findings:
    check_facts_built(stores)
    return bipartite_graph.search(stores, question, k, options, _allowed(stores, filters))


def find_facts(
    stores: CorpusStores, question: Question, k: int, filters: Filters | None, options: bipartite_graph.BipartiteOptions
) -> bipartite_graph.FactFindings:
    """The ``k`` facts that answer a question; see ``Corpus.facts``."""
    check_facts_built(stores)
    return bipartite_graph.search_facts(stores, question, k, options, _allowed(stores, filters))


def check_facts_built(stores: CorpusStores) -> None:
    """Refuse a corpus without a bipartite graph.

    Raises:
        NotBuilt: the message names the command that makes it.
    """
    _check_has_graph(stores, "bipartite")


def _check_has_graph(stores: CorpusStores, method: str) -> None:
    """Refuse a corpus that lacks what a method searches."""
    if method in _GRAPHS:
        check_built(stores, method, _GRAPHS[method])


def _fused(
    stores: CorpusStores, question: Question, k: int, filters: Filters | None, options: fused.FusedOptions
) -> Findings:
    depth = max(k, options.depth)
    weights = options.methods(stores.record.graphs)
    methods = {name: find(name) for name in weights}
    found = {name: method.run(stores, question, depth, filters, method.options()) for name, method in methods.items()}
    hits = {name: findings.hits for name, findings in found.items()}
    fusion = fused.search(hits, k, weights=list(weights.values()), fusion=options.fusion)
    return Findings(tuple(fusion), trace={"fused": dict(weights)})


def _anchor(
    stores: CorpusStores, question: Question, k: int, filters: Filters | None, options: anchor_graph.AnchorOptions
) -> Findings:
    walker = anchor_walker(stores, question, k, filters, options)
    walk = walker.walked(question.text)
    return Findings(anchor_graph.rank(walk.steps, k), anchor_graph.chain_of(walk.steps), trace={"anchor": walk.trace()})


def anchor_walker(
    stores: CorpusStores,
    question: Question,
    k: int,
    filters: Filters | None,
    options: anchor_graph.AnchorOptions,
) -> anchor_graph.Walker:
    """What a search in several steps works with: the method that its options name, and who reads what it finds.

    Raises:
        InvalidInput: the retriever is itself a search in several steps.
        NotBuilt, UnknownMethod: the retriever's.
        UnknownFilter: no document of the corpus has such a key.
        LlmNotConfigured: a model is to reason, and none is set.
    """
    retriever = find(options.retriever)
    if retriever.run is _anchor:
        raise InvalidInput("the retriever of a search in several steps must be another method, got 'anchor'")
    _check_has_graph(stores, retriever.name)
    check(stores, filters)
    depth = max(k, options.documents, anchor_graph.DEPTH)

    def retrieve(query: str) -> tuple[Hit, ...]:
        vector = question.embed(query) if retriever.embeds else question.vector
        asked = replace(question, text=query, vector=vector)
        return retriever.run(stores, asked, depth, filters, retriever.options()).hits

    return anchor_graph.make_walker(stores, question, options, retrieve)


def _allowed(stores: CorpusStores, filters: Filters | None) -> set[str] | None:
    return allowed_ids(stores, filters) if filters else None


METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        Method(
            "evidence",
            "our own walk between passages and the entities they mention and describe; the default",
            evidence_walk.EvidenceOptions,
            _evidence,
        ),
        Method(
            "gain",
            "personalised PageRank over the information-gain graph (iG²RAG)",
            gain_graph.GainOptions,
            _gain,
        ),
        Method(
            "tree",
            "communities of least structural entropy, coarse to fine (SeRAG)",
            encoding_tree.TreeOptions,
            _tree,
        ),
        Method(
            "bipartite",
            "n-ary facts and their entities, two retrieval paths fused (BiG-RAG)",
            bipartite_graph.BipartiteOptions,
            _bipartite,
        ),
        Method(
            "anchor",
            "search in several steps that grows a graph of what is known (GraphAnchor)",
            anchor_graph.AnchorOptions,
            _anchor,
        ),
        Method("dense", "nearest passages by embedding, in Qdrant", dense.DenseOptions, _dense),
        Method("keyword", "BM25 in Neo4j's full-text index", NoOptions, _keyword, embeds=False),
        Method("fused", "several methods in one, by their scores or their ranks", fused.FusedOptions, _fused),
    )
}


def find(name: str) -> Method:
    """The method of that name.

    Raises:
        UnknownMethod: there is none; the message lists those there are.
    """
    if name not in METHODS:
        raise UnknownMethod(f"method must be one of {', '.join(METHODS)}, got {name!r}")
    return METHODS[name]


def make_options(method: Method, given: Mapping[str, Any]) -> Any:
    """The method's options from keyword arguments.

    Raises:
        InvalidInput: the method has no such option, or the value breaks its rule.
    """
    known = [field.name for field in fields(method.options)]
    check_known_options(f"method {method.name!r}", given, known)
    for field in fields(method.options):
        value = given.get(field.name, field.default)
        if isinstance(field.default, float | int) and not isinstance(value, float | int):
            raise InvalidInput(f"{field.name} must be a number, got {value!r}")
    return method.options(**given)


def check_grids(method: str, grids: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """The default of each option in ``grids``, whose values are all checked.

    Raises:
        UnknownMethod: there is no such method.
        InvalidInput: the method has no such option, or a value breaks its rule.
    """
    chosen = find(method)
    for name, values in grids.items():
        for value in values:
            make_options(chosen, {name: value})
    defaults = asdict(chosen.options())
    return {name: defaults[name] for name in grids}


def check_question(question: str, k: int) -> str:
    """The question without surrounding blanks.

    Raises:
        InvalidInput: it is empty, too long or no Unicode text, or ``k`` is not a positive integer.
    """
    if not isinstance(question, str) or not question.strip():
        raise InvalidInput(f"a question must have words, got {question!r}")
    if any("\ud800" <= character <= "\udfff" for character in question):
        raise InvalidInput(f"a question must be whole characters of Unicode, got half of one in {question!r:.200}")
    if len(question) > MAX_QUESTION:
        raise InvalidInput(f"a question has at most {MAX_QUESTION} characters, got {len(question)}: ingest it instead")
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InvalidInput(f"k must be an integer of at least 1, got {k!r}")
    return question.strip()
