"""Asks a language model for the facts that chunks state, and for those missing in its reply."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Final

from tetragraph.errors import UnusableReply
from tetragraph.language.facts.model import Fact
from tetragraph.language.llm_steps.fact_replies import ChunkFactReader, FactsReply, ParsedFacts
from tetragraph.language.prompts import Fenced, fence, fences, load
from tetragraph.llm import Operation, Request
from tetragraph.llm.structured import with_schema
from tetragraph.model import Chunk

UNUSABLE: Final = "replies on overlooked facts that could not be read"
_RULES: Final = 1
"""Version of the rules by which replies are read, increased with every change."""
_SHORTEST_REPLY: Final = 400
_TOKENS_PER_CHARACTER: Final = 1.5
_LONGEST_REPLY: Final = 4096
"""Limit of a reply in tokens: facts are several times longer than the chunk that states them."""
_EXPECTED: Final = 0.7
_EXPECTED_MORE: Final = 0.25
"""Approximate tokens of a reply for each character of the chunk."""
_KNOWN: Final = 40
"""Largest number of known facts in a request for further ones."""


class PromptedExtractor:
    """Extracts facts by a language model, one chunk in each request (see :class:`FactExtractor`).

    Only facts that the chunk supports are accepted: with at least two participants that it or its title names. So a
    chunk with instructions to the model yields facts about itself or none.

    Args:
        ask: Returns the operation that calls the model; called at the first extraction.
        model: Name of the model.
        gleanings: Largest number of requests for missing facts; a reply without a new fact ends them.

    Attributes:
        dropped: Number of dropped parts so far by reason.

    Source:
        BiG-RAG, section 4.1.2. Deviations: participants have roles and no descriptions, a quote gives the place of the
        fact, and all confidences have one scale.
    """

    def __init__(self, ask: Callable[[], Operation], model: str, gleanings: int = 1) -> None:
        self.name = identity(model, gleanings)
        self.dropped: Counter[str] = Counter()
        self._ask = ask
        self._gleanings = gleanings
        self._guard = threading.Lock()

    def extract(self, chunks: Sequence[Chunk]) -> list[list[Fact]]:
        """Facts of each chunk, in order; several chunks are requested concurrently.

        Raises:
            LlmError: the operation failed for a reason other than an unreadable reply, whose chunk has no facts.
        """
        return [[] if isinstance(found, UnusableReply) else found for found in self.each(chunks)]

    def each(self, chunks: Sequence[Chunk]) -> Generator[list[Fact] | UnusableReply]:
        """Facts of each chunk, in order, as they arrive; the error where no reply on a chunk can be read."""
        if chunks:
            yield from self._ask().map(self._extract, chunks)

    def _extract(self, chunk: Chunk) -> list[Fact] | UnusableReply:
        reader, parsed = ChunkFactReader(chunk), ParsedFacts()
        request, more = facts_request(chunk), 0
        while True:
            try:
                replies = self._ask().structured(request, FactsReply).facts
            except UnusableReply as error:
                if not more:
                    return error
                parsed.dropped[UNUSABLE] += 1
                break
            if not reader.read(replies, parsed) or more == self._gleanings:
                break
            request, more = more_facts_request(chunk, [fact.description for fact in parsed.facts]), more + 1
        with self._guard:
            self.dropped += parsed.dropped
        return parsed.facts


def identity(model: str, gleanings: int) -> str:
    """Identity of the extractor for stored facts: it changes with prompts, gleanings and rules of reading."""
    prompts = [load("facts").hash, load("more_facts").hash] if gleanings else [load("facts").hash]
    parts = " ".join([*prompts, str(gleanings), str(_RULES)])
    return f"llm {model} {hashlib.sha256(parts.encode()).hexdigest()[:12]}"


def facts_request(chunk: Chunk) -> Request:
    """The request for the facts of a chunk."""
    return _request("facts", chunk, {}, _EXPECTED)


def more_facts_request(chunk: Chunk, known: Sequence[str]) -> Request:
    """The request for facts of a chunk in addition to known ones."""
    return _request("more_facts", chunk, {"known": fences("fact", known[:_KNOWN])}, _EXPECTED_MORE)


def expected_requests(chunk: Chunk, gleanings: int) -> Iterator[Request]:
    """Approximate requests for a chunk; its own text replaces the facts that are not known yet."""
    yield facts_request(chunk)
    for _ in range(gleanings):
        yield more_facts_request(chunk, [chunk.text])


def _request(prompt: str, chunk: Chunk, values: dict[str, Fenced], expected: float) -> Request:
    size = len(chunk.text)
    room = min(_SHORTEST_REPLY + int(_TOKENS_PER_CHARACTER * size), _LONGEST_REPLY)
    shown = {"title": fence("title", ": ".join(chunk.own_titles)), "passage": fence("passage", chunk.text), **values}
    request = load(prompt).request(room, shown, expected=min(room, 20 + int(expected * size)))
    return with_schema(request, FactsReply)
