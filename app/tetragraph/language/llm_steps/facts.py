"""Asks a language model for the facts that passages state, and again for those that it left out."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tetragraph.errors import UnusableReply
from tetragraph.language.facts.model import Fact
from tetragraph.language.llm_steps.fact_replies import FactsReply, ParsedFacts, Passage
from tetragraph.language.prompts import Fenced, fence, fences, load
from tetragraph.llm import Operation, Request
from tetragraph.llm.structured import with_schema
from tetragraph.model import Chunk

UNUSABLE: Final = "passages whose facts nobody could read from the reply"
_RULES: Final = 1
"""Raised with every change of what is read from the same replies."""
_SHORTEST_REPLY: Final = 400
_TOKENS_PER_CHARACTER: Final = 1.5
_LONGEST_REPLY: Final = 4096
"""Tokens of a reply at the most: facts take several times the room of the passage that states them."""
_EXPECTED: Final = 0.7
_EXPECTED_MORE: Final = 0.25
"""Tokens of a reply for each character of the passage, about."""
_KNOWN: Final = 40
"""Facts that a request for more shows."""


class PromptedExtractor:
    """Facts by a language model, one passage in each request (see :class:`FactExtractor`).

    Only what the passage bears out is taken: participants that it or its title names, facts of two of them at least.
    So a passage that gives orders to the model gives facts about itself or none.

    Args:
        ask: Gives the operation that asks the model; called when something is extracted.
        model: Its name.
        gleanings: How often it is asked for what it left out, at the most; a round that brings nothing is the last.

    Attributes:
        dropped: How much was dropped so far, by the reason.

    Source:
        BiG-RAG, section 4.1.2. Deviations: participants have roles and no descriptions, the quote says where the
        fact is stated, and one scale serves all confidences.
    """

    def __init__(self, ask: Callable[[], Operation], model: str, gleanings: int = 1) -> None:
        self.name = identity(model, gleanings)
        self.dropped: Counter[str] = Counter()
        self._ask = ask
        self._gleanings = gleanings
        self._guard = threading.Lock()

    def extract(self, chunks: Sequence[Chunk]) -> list[list[Fact]]:
        """The facts of each chunk, in order; several passages are asked about at a time.

        Raises:
            LlmError: what the operation raises, but for replies that cannot be read: their passages have no facts.
        """
        return list(self.each(chunks))

    def each(self, chunks: Sequence[Chunk]) -> Iterator[list[Fact]]:
        """The same, one after the other as they come."""
        if chunks:
            yield from self._ask().map(self._extract, chunks)

    def _extract(self, chunk: Chunk) -> list[Fact]:
        passage, reading = Passage(chunk), ParsedFacts()
        asked, more = facts_request(chunk), 0
        while True:
            try:
                forms = self._ask().structured(asked, FactsReply).facts
            except UnusableReply:
                reading.dropped[UNUSABLE] += 1
                break
            if not passage.read(forms, reading) or more == self._gleanings:
                break
            asked, more = more_facts_request(chunk, [fact.description for fact in reading.facts]), more + 1
        with self._guard:
            self.dropped += reading.dropped
        return reading.facts


def identity(model: str, gleanings: int) -> str:
    """Name stored with facts of a model: other prompts, rounds or reading rules have other names."""
    prompts = [load("facts").hash, load("more_facts").hash] if gleanings else [load("facts").hash]
    parts = " ".join([*prompts, str(gleanings), str(_RULES)])
    return f"llm {model} {hashlib.sha256(parts.encode()).hexdigest()[:12]}"


def facts_request(chunk: Chunk) -> Request:
    """Request for the facts of a chunk."""
    return _request("facts", chunk, {}, _EXPECTED)


def more_facts_request(chunk: Chunk, known: Sequence[str]) -> Request:
    """Request for the facts of a chunk that are not among the known ones."""
    return _request("more_facts", chunk, {"known": fences("fact", known[:_KNOWN])}, _EXPECTED_MORE)


def expected_requests(chunk: Chunk, gleanings: int) -> Iterator[Request]:
    """Expected requests about a chunk, for estimates; its own text stands for the facts that are not known yet."""
    yield facts_request(chunk)
    for _ in range(gleanings):
        yield more_facts_request(chunk, [chunk.text])


def _request(prompt: str, chunk: Chunk, values: dict[str, Fenced], expected: float) -> Request:
    size = len(chunk.text)
    room = min(_SHORTEST_REPLY + int(_TOKENS_PER_CHARACTER * size), _LONGEST_REPLY)
    title = chunk.document_title or chunk.title
    if chunk.title and chunk.title != title:
        title = f"{title}: {chunk.title}"
    shown = {"title": fence("title", title), "passage": fence("passage", chunk.text), **values}
    asked = load(prompt).request(room, shown, expected=min(room, 20 + int(expected * size)))
    return with_schema(asked, FactsReply)
