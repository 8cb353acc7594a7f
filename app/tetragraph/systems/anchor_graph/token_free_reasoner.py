"""The reasoner without a language model: it follows sub-questions through the facts of the chunks found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from tetragraph.arrays import Vectors
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.questions.answer_type import expected_type
from tetragraph.model.anchors import AnchorGraph, Judgement
from tetragraph.systems.anchor_graph.graph import extend, hops
from tetragraph.systems.anchor_graph.indexes import NameIndex
from tetragraph.systems.anchor_graph.passage_answers import SURE, ChunkAnswers, DecomposedQuestion
from tetragraph.systems.anchor_graph.passage_facts import ChunkTriples, TripleSource
from tetragraph.systems.anchor_graph.reasoner import ReasonerInput, ReasonerOutput, Triple, Update

_FACTS: Final = 8
"""Largest number of facts that one step adds, those most similar to its query."""
_CHUNKS: Final = 10
"""Chunks of each step from which sub-questions are answered: more cost little without a model."""
_ANSWER: Final = "answer"
"""Phrase that joins the names of a sub-question with its answer if no noun describes the answer."""


class TokenFreeReasoner:
    """Follows the sub-questions of a question through the facts of the chunks found so far.

    Anchors are the entities that the question names, the likeliest answers of its sub-questions, and the participants
    that the facts most similar to the query join with these. The evidence suffices when every sub-question was
    searched for with the answers that it needs, and a path of relations leads from a name of the question to an anchor
    that may be the answer by its type. Otherwise the next query is the first sub-question that was not searched for,
    or the question with the anchor that was found last.

    A follow-up question without names begins with the names of its query. Only the sub-questions of the last question
    are remembered from step to step, so an interrupted search continues as if it had not been interrupted.
    Deterministic; for one search at a time.

    Args:
        names: Names of the corpus.
        triples: Source of the triples that chunks state.
        embed: Returns the vector of a text.

    Source:
        Original; replaces GraphAnchor's prompts (2026, appendix A.2, figure 13).
    """

    name = "token_free"

    def __init__(self, names: NameIndex, triples: TripleSource, embed: Callable[[str], Vectors]) -> None:
        self._names = names
        self._triples = triples
        self._embed = embed
        self._question: DecomposedQuestion | None = None

    def reason(self, situation: ReasonerInput) -> ReasonerOutput:
        """See :class:`~tetragraph.systems.anchor_graph.reasoner.Reasoner`."""
        question = self._decompose(situation.question)
        known = question.answer_from(_chunk_ids(situation))
        names = question.names or self._names.names_in(situation.query)
        update = self._make_update(situation, names, known) if situation.may_update else Update()
        graph, _ = extend(situation.graph, update, situation.number, (), _find_no_entities)
        answer = self._find_answer(known, names, graph)
        sub_questions = _open_sub_questions(situation, known)
        following = sub_questions[0] if sub_questions else ""
        is_filled = len(known.filled_questions()) == len(known.steps)  # if not, no chunk answers an earlier one
        if not following and (not is_filled or (len(known.steps) < 2 and not answer)):
            following = self._append_anchor(situation, question, known, graph)
        is_sufficient = bool(answer) and is_filled and not following
        judgement: Judgement = "sufficient" if is_sufficient else "insufficient"
        queries = tuple(dict.fromkeys(filter(None, (following, *sub_questions))))
        return ReasonerOutput(
            update, _thought(known, answer), judgement, following, chain=known.chain, open_queries=queries
        )

    def _decompose(self, question: str) -> DecomposedQuestion:
        if self._question is None or self._question.text != question:
            self._question = DecomposedQuestion(self._names, question, self._embed, self._triples.types_of)
        return self._question

    def _make_update(self, situation: ReasonerInput, names: Sequence[str], known: ChunkAnswers) -> Update:
        """Names of the question, answers of its sub-questions, and the most similar facts that touch one of these."""
        answers = list(self._answer_triples(known))
        anchors = {anchor.key for anchor in situation.graph.anchors}
        anchors |= {normalise_name(name) for name in (*names, *(triple.tail for triple in answers))}
        stated = self._triples.triples_of([hit.chunk.id for hit in situation.hits], self._embed(situation.query))
        facts = list(_select_touching(stated, anchors))
        named = tuple((name, ()) for name in names)
        heads = tuple((fact.head, fact.attributes) for fact in facts)
        return Update((*named, *heads), (*answers, *(triple for fact in facts for triple in fact.triples)))

    def _answer_triples(self, known: ChunkAnswers) -> Iterator[Triple]:
        """The likely answers of sub-questions, joined with the names in the sub-question."""
        for step, answered in zip(known.steps, known.chain, strict=False):
            heads = [*self._names.names_in(step.text), *known.answers_for(step)]
            for bridge in answered.bridges:
                if bridge.weight >= SURE:
                    yield from (Triple(head, step.head or _ANSWER, bridge.name) for head in heads)

    def _find_answer(self, known: ChunkAnswers, names: Sequence[str], graph: AnchorGraph) -> str:
        """Name of an anchor that may be the answer and that relations join with a name of the question; empty if none.

        Anchors of an expected type precede others; then those with fewer relations between them and the names of the
        last sub-question; then those that were added last.
        """
        last = known.steps[-1]
        expected = expected_type(last.text)
        begin = {normalise_name(name) for name in names}
        about = {normalise_name(name) for name in (*self._names.names_in(last.text), *known.answers_for(last))}
        passed = begin | {normalise_name(name) for name in known.answers.values()}
        reached, near = hops(graph, begin), hops(graph, about or begin)
        possible = [anchor for anchor in graph.anchors if anchor.key in reached and anchor.key not in passed]
        types = self._triples.types_of([anchor.key for anchor in possible])
        candidates = [anchor for anchor in possible if expected.admits(types.get(anchor.key, ""))]
        candidates.sort(
            key=lambda anchor: (
                types.get(anchor.key, "") not in expected.types,
                near.get(anchor.key, len(graph)),
                -anchor.step,
            )
        )
        return candidates[0].name if candidates else ""

    def _append_anchor(
        self, situation: ReasonerInput, question: DecomposedQuestion, known: ChunkAnswers, graph: AnchorGraph
    ) -> str:
        """The question followed by the first anchor that no chunk found so far describes; empty if there is none."""
        before = _earlier_queries(situation)
        words = f" {normalise_name(question.text)} "
        new = [one for one in graph.anchors if one.key not in known.described and f" {one.key} " not in words]
        entities = self._names.entity_ids([anchor.key for anchor in new])
        for anchor in new:
            text = f"{question.text} {anchor.name}"
            if anchor.key in entities and normalise_name(text) not in before:
                return text
        return ""


def _open_sub_questions(situation: ReasonerInput, known: ChunkAnswers) -> list[str]:
    """The sub-questions, with the answers that they need, that were not searched for; without the first."""
    before = _earlier_queries(situation)
    return [text for text in known.filled_questions()[1:] if normalise_name(text) not in before]


def _chunk_ids(situation: ReasonerInput) -> list[str]:
    """Ids of the best chunks of all steps, in the order in which they were found."""
    found = [*(step.hits for step in situation.steps), (*situation.hits, *situation.behind)]
    return list(dict.fromkeys(hit.chunk.id for hits in found for hit in hits[:_CHUNKS]))


def _earlier_queries(situation: ReasonerInput) -> set[str]:
    """All queries so far, normalised."""
    return {normalise_name(query) for query in (*(step.query for step in situation.steps), situation.query)}


def _find_no_entities(_: Collection[str]) -> Mapping[str, str]:
    return {}


def _select_touching(stated: Iterable[ChunkTriples], anchors: set[str]) -> Iterator[ChunkTriples]:
    """The most similar facts in which an anchor takes part; each makes anchors of its other participants."""
    left = _FACTS
    waiting: list[ChunkTriples] = []
    for fact in stated:
        waiting.append(fact)
        while left and (near := _first_touching(waiting, anchors)) is not None:
            waiting.remove(near)
            anchors |= {normalise_name(name) for name in near.names}
            left -= 1
            yield near
        if not left:
            return


def _first_touching(stated: Sequence[ChunkTriples], anchors: set[str]) -> ChunkTriples | None:
    return next((one for one in stated if any(normalise_name(name) in anchors for name in one.names)), None)


def _thought(known: ChunkAnswers, answer: str) -> str:
    """The answer of each sub-question, and the anchor to which the question leads."""
    parts = [f"{known.steps[number - 1].text}: {name}" for number, name in known.answers.items()]
    parts.append(f"relations lead to {answer}" if answer else "no relation leads to an answer of the type asked for")
    return "; ".join(parts)
