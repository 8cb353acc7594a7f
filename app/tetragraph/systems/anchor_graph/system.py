"""The search in several steps as a retriever."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

from tetragraph.errors import InvalidInput
from tetragraph.language.extractive_qa.encoder import find_model
from tetragraph.language.lexicon.gazetteer import gazetteer_of
from tetragraph.model import Findings, Hit
from tetragraph.model.anchors import AnchorStep
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.filters import check
from tetragraph.stores.versions import NO_VERSIONS, load_versions
from tetragraph.systems.anchor_graph.build_walker import make_walker
from tetragraph.systems.anchor_graph.choices import VARIANTS
from tetragraph.systems.anchor_graph.follow_up import complete_question
from tetragraph.systems.anchor_graph.indexes import FactIndex, FactSource, NameIndex
from tetragraph.systems.anchor_graph.loop import Choose, Retrieve, Walker
from tetragraph.systems.anchor_graph.options import AnchorOptions
from tetragraph.systems.anchor_graph.passage_facts import find_triple_source
from tetragraph.systems.anchor_graph.policy import load_policy
from tetragraph.systems.anchor_graph.ranking import chain_of, rank
from tetragraph.systems.base import Retriever, SearchRequest
from tetragraph.systems.copies import find_originals, merge_copies
from tetragraph.systems.engines import Chosen, IndexSource, check_statistics, choose_engine
from tetragraph.systems.reranking import find_reranker, search_reranked, with_reranking


class AnchorSearch(Retriever[AnchorOptions]):
    """Search in several steps that extends a graph of evidence (GraphAnchor).

    Args:
        find_retriever: Returns the retriever of a name.
        names: The names of a corpus.
        facts: The facts of a corpus.
        fact_target: The build target that finds the facts.
    """

    name = "anchor"
    summary = "search in several steps that grows a graph of what is known (GraphAnchor)"
    label = "Several steps"
    search_options = AnchorOptions
    is_multi_step = True
    drop_queries = ("corpus/delete_sessions", "corpus/delete_steps", "corpus/delete_anchors")
    score_parts = {
        "first": "its rank in the first step",
        "later": "its ranks in later steps",
        "chain": "it answers a sub-question",
    }

    def __init__(
        self,
        find_retriever: Callable[[str], Retriever[Any]],
        names: IndexSource[NameIndex],
        facts: IndexSource[FactIndex],
        fact_target: FactSource,
    ) -> None:
        self._find_retriever = find_retriever
        self._names = names
        self._facts = facts
        self._fact_target = fact_target

    def search(self, request: SearchRequest[AnchorOptions]) -> Findings:
        request = replace(request, options=self.with_version(request.stores, request.options))
        walker = self.make_walker(request)
        walk = walker.collect_steps(request.question.text)
        for note in walk.notes:
            request.stores.note(note)
        ranked = rank(walk.steps, sum(len(step.hits) for step in walk.steps))
        versions = NO_VERSIONS if request.options.as_of else load_versions(request.stores)
        hits = merge_copies(ranked, find_originals(request.stores, ranked), versions)[: request.k]
        policy = {"policy": request.options.policy} if request.options.policy else {}
        return Findings(hits, chain_of(walk.steps), trace={self.name: {**walk.trace(), **policy}}, engine=walker.engine)

    def with_version(self, stores: CorpusStores, options: AnchorOptions) -> AnchorOptions:
        """The options with the version of their policy, if they have one.

        Raises:
            InvalidInput, UnknownPolicy: there is no such policy, or none of its versions is promoted.
        """
        return replace(options, policy=stores.policies.identify(options.policy)) if options.policy else options

    def make_walker(self, request: SearchRequest[AnchorOptions], choose: Choose | None = None) -> Walker:
        """The walker of a search: the retriever of its options, and the reasoner that reads its hits.

        Args:
            request: The search.
            choose: A policy in the place of that of the options.

        Raises:
            UnknownPolicy: there is no such policy.
            StoreError: the policy was trained with other features.
            InvalidInput: the retriever is itself a search in several steps, or cannot search in the stores.
            NotBuilt, UnknownMethod: the corpus lacks what the retriever or the engine needs, or there is no such
                retriever; or the corpus is being changed, and its last complete index is not available.
            UnknownFilter: no document of the corpus has such a key.
            LlmNotConfigured: a language model is to reason, and none is configured.
            MissingDependency: the hits of a step are to be reranked, or a policy is to choose, which may have answers
                read, and the model is not installed.
        """
        stores, question, options = request.stores, request.question, request.options
        retriever = self._find_retriever(options.retriever)
        if retriever.is_multi_step:
            raise InvalidInput(
                f"the retriever of a search in several steps must be another method, got {retriever.name!r}"
            )
        engine = self._choose_engine(stores, options)
        chosen_engine = _engine_options(retriever, options)
        retriever.check_ready(stores)
        check(stores, request.filters)
        find_reranker(options)
        depth = options.depth if options.read_only else max(request.k, options.depth)

        gazetteer = gazetteer_of(stores.record.settings)

        def searching(given: Mapping[str, Any]) -> Retrieve:
            chosen = with_reranking(retriever.search_options(**given, **chosen_engine), options)

            def retrieve(query: str) -> tuple[Hit, ...]:
                query = gazetteer.expand(query)
                vector = question.embed(query) if retriever.needs_vector else question.vector
                asked = replace(question, text=query, vector=vector)
                return search_reranked(retriever, SearchRequest(stores, asked, depth, chosen, request.filters)).hits

            return retrieve

        names = self._names.open(stores, engine)
        facts = partial(self._facts.open, stores, engine)
        triples = partial(find_triple_source, stores, names, self._fact_target, facts)
        walker = replace(make_walker(question, options, searching({}), names, triples), engine=engine)
        if choose is None and options.policy:
            choose = load_policy(stores.policies, options.policy).choose
        if choose is None:
            return walker
        find_model()  # answers may be read in any step: without the model the search is refused before the first
        variants = {name: searching(given) for name, given in VARIANTS.items()}
        return replace(walker, choose=choose, variants=variants)

    def complete_question(
        self, stores: CorpusStores, options: AnchorOptions, question: str, steps: Sequence[AnchorStep]
    ) -> str:
        """A follow-up question with its subject, where it names none: what is searched for, and answered.

        Args:
            stores: The stores of the corpus.
            options: Options of the search.
            question: The follow-up question.
            steps: The steps before it.
        """
        names = self._names.open(stores, self._choose_engine(stores, options))
        return complete_question(names, question, steps)

    def _choose_engine(self, stores: CorpusStores, options: AnchorOptions) -> Chosen:
        """The engine that reads names and facts.

        Raises:
            NotBuilt: an earlier version published the corpus, without the numbers that the stores need.
        """
        kinds = set(self._names.kinds)
        if self._fact_target.is_built(stores.record.graphs):
            kinds.update(self._facts.kinds)
        engine = choose_engine(stores, options.engine, sorted(kinds))
        if engine == "stores":
            check_statistics(stores)
        return engine


def _engine_options(retriever: Retriever[Any], options: AnchorOptions) -> dict[str, str]:
    """Option of the retriever that has it search with the engine of the options; none where it has no choice.

    Raises:
        InvalidInput: the search is to be in the stores, and the retriever reads arrays.
    """
    if options.engine == "auto":
        return {}
    if any(field.name == "engine" for field in fields(retriever.search_options)):
        return {"engine": options.engine}
    if options.engine == "stores" and retriever.reads_arrays:
        raise InvalidInput(
            f"engine 'stores' needs a retriever that can search in the stores, got {retriever.name!r}, which reads "
            f"arrays of the whole corpus: choose another retriever, or leave engine out"
        )
    return {}
