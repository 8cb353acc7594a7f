"""Asks a language model for an answer from facts, and turns the facts that it names into citations.

Source:
    BiG-RAG, section 4.3.4 and appendix D.3. Deviations: the reply is JSON and not text between tags, so that its facts
    can be checked; temperature 0, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from tetragraph.language.llm_steps.answer import AnswerReply, AnswerText, CheckedAnswer, Quote, check_reply, shown
from tetragraph.language.prompts import Fenced, fence, fences, load
from tetragraph.llm import Request
from tetragraph.llm.structured import with_schema
from tetragraph.model import ChainStep, Chunk, FoundFact
from tetragraph.model.answers import Citation

_REPLY: Final = 700
"""Limit of a reply in tokens."""
_EXPECTED: Final = 160
_MOST_FACTS: Final = 12
"""Largest number of facts that are cited."""


class FactAnswerReply(BaseModel):
    """A reply; thought and facts come first, so that a model looks before it answers."""

    model_config = ConfigDict(json_schema_extra={"description": "An answer with the facts that carry it."})

    thought: str
    facts: list[int]
    quotes: list[Quote]
    sufficient: bool
    answer: AnswerText


def fact_answer_request(
    question: str, facts: Sequence[FoundFact], passages: Sequence[Chunk] = (), chain: Sequence[ChainStep] = ()
) -> Request:
    """The request for a :class:`FactAnswerReply`.

    Args:
        question: The question.
        facts: Facts from which to answer; the reply refers to them by their numbers, from 1.
        passages: Chunks that are shown besides; also numbered from 1.
        chain: Sub-questions of the question; those with an answer are shown with it.
    """
    values = {
        "facts": knowledge_block(facts),
        "passages": fences("passage", [shown(passage) for passage in passages]),
        "known": fences("known", list(known_answers(chain))),
        "question": fence("question", question),
    }
    return with_schema(load("answer_from_facts").request(_REPLY, values, expected=_EXPECTED), FactAnswerReply)


def knowledge_block(facts: Sequence[FoundFact]) -> Fenced:
    """Facts as a model reads them: one numbered block each.

    Source:
        The knowledge of BiG-RAG, appendix D.3 and D.4. Numbers take the place of relation ids.
    """
    return fences("fact", [describe_fact(fact) for fact in facts])


def describe_fact(fact: FoundFact) -> str:
    """A fact as a model reads it: description, participants with their roles, score and hop distance."""
    named = ", ".join(f"{one.name} ({one.role})" if one.role else one.name for one in fact.participants)
    return f"{fact.description}\nparticipants: {named}\nscore {fact.score:.2f}, hops {fact.hop}"


def known_answers(chain: Sequence[ChainStep]) -> Iterator[str]:
    """Sub-questions that an entity answers, each with the likeliest one, and with earlier answers in its words."""
    names = {number: step.bridges[0].name for number, step in enumerate(chain, start=1) if step.bridges}
    for number, step in enumerate(chain, start=1):
        question = step.question
        for earlier in sorted(step.refers, reverse=True):
            question = question.replace(f"#{earlier}", names.get(earlier, f"#{earlier}"))
        if number in names:
            yield f"{question}\n{names[number]}"


def check_fact_reply(
    reply: FactAnswerReply, facts: Sequence[FoundFact], stating: Mapping[str, Chunk], passages: Sequence[Chunk]
) -> CheckedAnswer:
    """Check a reply: a fact that it names is cited by the words that state it, a quote is located in the chunks.

    Numbers of no fact count as dropped, and so do facts whose chunk is not given.

    Args:
        reply: Reply of the model.
        facts: Facts of the request, in order.
        stating: Chunks that state the facts, by id.
        passages: Chunks of the request, in order.
    """
    quoted = check_reply(AnswerReply(quotes=reply.quotes, sufficient=reply.sufficient, answer=reply.answer), passages)
    numbers = list(dict.fromkeys(reply.facts))
    cited = [facts[number - 1] for number in numbers[:_MOST_FACTS] if 0 < number <= len(facts)]
    found = [citation for fact in cited if (citation := _citation_of(fact, stating))]
    citations = tuple(dict.fromkeys((*found, *quoted.citations)))
    dropped = quoted.dropped + len(numbers) - len(found)
    return CheckedAnswer(quoted.text, citations, dropped, bool(quoted.text and citations))


def _citation_of(fact: FoundFact, stating: Mapping[str, Chunk]) -> Citation | None:
    """The first statement of a fact in a given chunk; None if there is none."""
    places = (place for place in fact.statements if place.chunk in stating)
    return next((Citation.of(stating[place.chunk], place.start, place.end) for place in places), None)
