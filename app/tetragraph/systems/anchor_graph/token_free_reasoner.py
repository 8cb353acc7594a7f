"""The reasoner that needs no model: it follows the question's own parts through the facts of what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from tetragraph.arrays import Vectors
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.questions.answer_type import expected_type
from tetragraph.model.anchors import AnchorGraph, Judgement
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.anchor_graph.graph import extend, hops
from tetragraph.systems.anchor_graph.passage_answers import SURE, Asked, KnownPassages
from tetragraph.systems.anchor_graph.passage_facts import ChunkTriples, find_stated
from tetragraph.systems.anchor_graph.reasoner import ReasonerInput, ReasonerOutput, Triple, Update
from tetragraph.systems.evidence_walk.index import load

_FACTS: Final = 8
"""Facts that one step adds at the most, those closest to its query."""
_PASSAGES: Final = 10
"""Of each step that sub-questions are answered from: more cost little without a model."""
_ANSWER: Final = "answer"
"""What joins a sub-question's names with its answer where no noun says what it is."""


class TokenFreeReasoner:
    """Follows the sub-questions of a question through the facts of the passages found so far.

    Anchors are the entities that the question names, the likeliest answers of its sub-questions, and what the facts
    closest to the query join with these. The evidence suffices when every sub-question was searched for with the
    answers that it needs put in, and a way of relations leads from a name of the question to something that may be
    the answer by its type. Else the next query is the first sub-question that was not, or the question with the
    anchor that was found last.

    A follow-up question that names nothing begins with what its query names. Nothing but the last question's parts is
    remembered from step to step, so a walk that was broken off goes on as if it had not been. Deterministic; for one
    walk at a time.

    Source:
        The twin of GraphAnchor's prompts (2026, appendix A.2, figure 13); ours.
    """

    name = "token_free"

    def __init__(self, stores: CorpusStores, embed: Callable[[str], Vectors]) -> None:
        self._index = load(stores)
        self._stated = find_stated(stores, self._index)
        self._embed = embed
        self._asked: Asked | None = None

    def reason(self, situation: ReasonerInput) -> ReasonerOutput:
        """See :class:`~tetragraph.systems.anchor_graph.reasoner.Reasoner`."""
        asked = self._read(situation.question)
        known = asked.answered_from(_chunks(situation))
        names = asked.names or self._names_in(situation.query)
        update = self._update(situation, names, known) if situation.may_update else Update()
        graph, _ = extend(situation.graph, update, len(situation.steps) + 1, (), _nobody)
        answer = self._way_to_answer(known, names, graph)
        following = self._next_part(situation, known)
        is_through = len(known.filled()) == len(known.steps)  # else no passage tells what a sub-question needs
        if not following and (not is_through or (len(known.steps) < 2 and not answer)):
            following = self._with_found(situation, asked, known, graph)
        is_sufficient = bool(answer) and is_through and not following
        judgement: Judgement = "sufficient" if is_sufficient else "insufficient"
        return ReasonerOutput(update, _thought(known, answer), judgement, following, chain=known.chain)

    def _read(self, question: str) -> Asked:
        if self._asked is None or self._asked.text != question:
            self._asked = Asked(self._index, question, self._embed, self._stated.type_of)
        return self._asked

    def _names_in(self, text: str) -> tuple[str, ...]:
        """The corpus' entities that a text names, as the corpus calls them."""
        return tuple(str(self._index.labels[entity]) for entity in self._index.read(text).entities)

    def _update(self, situation: ReasonerInput, names: Sequence[str], known: KnownPassages) -> Update:
        """Names of the question, answers of its sub-questions, and the closest facts that touch one of these."""
        chained = list(self._answers(known))
        anchors = {anchor.key for anchor in situation.graph.anchors}
        anchors |= {normalise_name(name) for name in (*names, *(triple.tail for triple in chained))}
        stated = self._stated.of([hit.chunk.id for hit in situation.hits], self._embed(situation.query))
        facts = list(_touching(stated, anchors))
        named = tuple((name, ()) for name in names)
        told = tuple((fact.head, fact.attributes) for fact in facts)
        return Update((*named, *told), (*chained, *(triple for fact in facts for triple in fact.triples)))

    def _answers(self, known: KnownPassages) -> Iterator[Triple]:
        """The likely answers of sub-questions, joined with what the sub-question names."""
        for step, answered in zip(known.steps, known.chain, strict=False):
            heads = [*self._names_in(step.text), *known.answers_for(step)]
            for bridge in answered.bridges:
                if bridge.weight >= SURE:
                    yield from (Triple(head, step.head or _ANSWER, bridge.name) for head in heads)

    def _way_to_answer(self, known: KnownPassages, names: Sequence[str], graph: AnchorGraph) -> str:
        """Name of an anchor that may be the answer and that relations join with a name of the question; else empty.

        One whose type is known to be asked for is taken before others; then one that few relations lie between and
        what the last sub-question is about; then one that was added last.
        """
        last = known.steps[-1]
        expected = expected_type(last.text)
        begin = {normalise_name(name) for name in names}
        about = {normalise_name(name) for name in (*self._names_in(last.text), *known.answers_for(last))}
        passed = begin | {normalise_name(name) for name in known.found.values()}
        reached, near = hops(graph, begin), hops(graph, about or begin)
        types = {anchor.key: self._stated.type_of(anchor.key) for anchor in graph.anchors}
        admitted = [
            anchor
            for anchor in graph.anchors
            if anchor.key in reached and anchor.key not in passed and expected.admits(types[anchor.key])
        ]
        admitted.sort(
            key=lambda anchor: (
                types[anchor.key] not in expected.types,
                near.get(anchor.key, len(graph)),
                -anchor.step,
            )
        )
        return admitted[0].name if admitted else ""

    def _next_part(self, situation: ReasonerInput, known: KnownPassages) -> str:
        """The first sub-question, with the answers that it needs, that was not searched for; empty for none."""
        before = _queries(situation)
        return next((text for text in known.filled()[1:] if normalise_name(text) not in before), "")

    def _with_found(self, situation: ReasonerInput, asked: Asked, known: KnownPassages, graph: AnchorGraph) -> str:
        """The question with the first anchor that no passage at hand describes put behind it; empty for none."""
        before = _queries(situation)
        words = f" {normalise_name(asked.text)} "
        for anchor in graph.anchors:
            text = f"{asked.text} {anchor.name}"
            row = self._index.rows_by_name.get(anchor.key)
            is_new = row is not None and row not in known.described and f" {anchor.key} " not in words
            if is_new and normalise_name(text) not in before:
                return text
        return ""


def _chunks(situation: ReasonerInput) -> list[str]:
    """Ids of the best passages of all steps, in the order in which they were found."""
    found = [*(step.hits for step in situation.steps), (*situation.hits, *situation.behind)]
    return list(dict.fromkeys(hit.chunk.id for hits in found for hit in hits[:_PASSAGES]))


def _queries(situation: ReasonerInput) -> set[str]:
    """What was searched for so far, each in one spelling."""
    return {normalise_name(query) for query in (*(step.query for step in situation.steps), situation.query)}


def _nobody(_: str) -> str:
    """Finds no entity."""
    return ""


def _touching(stated: Iterable[ChunkTriples], anchors: set[str]) -> Iterator[ChunkTriples]:
    """The closest facts in which an anchor takes part; each makes anchors of its other participants."""
    left = _FACTS
    apart: list[ChunkTriples] = []
    for fact in stated:
        apart.append(fact)
        while left and (near := _first_touching(apart, anchors)) is not None:
            apart.remove(near)
            anchors |= {normalise_name(name) for name in near.names}
            left -= 1
            yield near
        if not left:
            return


def _first_touching(stated: Sequence[ChunkTriples], anchors: set[str]) -> ChunkTriples | None:
    return next((one for one in stated if any(normalise_name(name) in anchors for name in one.names)), None)


def _thought(known: KnownPassages, answer: str) -> str:
    """What was found for each sub-question, and what joins question and answer."""
    parts = [f"{known.steps[number - 1].text}: {name}" for number, name in known.found.items()]
    parts.append(f"relations lead to {answer}" if answer else "no relation leads to an answer of the type asked for")
    return "; ".join(parts)
