"""From a question to an answer: what is found, what a language model or a reader makes of it, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, TypeVar

from tetragraph.answering.compose import (
    AnswerIterator,
    AskOptions,
    extract_answer,
    is_generated,
    manifest,
    truncate_to_tokens,
)
from tetragraph.connection import Connection
from tetragraph.errors import BudgetExhausted, DeadlineExceeded
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.llm_steps.answer import (
    AnswerReply,
    CheckedAnswer,
    FollowUpReply,
    answer_request,
    check_reply,
    follow_up_request,
)
from tetragraph.language.llm_steps.answer_reader import AnswerReader
from tetragraph.llm import LanguageModel, LazyOperation, Operation
from tetragraph.llm import Request as LlmRequest
from tetragraph.model import Chunk, Evidence, Hit
from tetragraph.model.answers import Answer, FollowUp
from tetragraph.retrieval.request import Request
from tetragraph.retrieval.search import find_evidence

Reply = TypeVar("Reply", bound=AnswerReply)
Ask = Callable[[Operation, LlmRequest, type[Reply]], Generator[str, None, Reply]]
"""Gets a reply, and gives the pieces of its answer on the way."""


class AnswerStream(AnswerIterator[str]):
    """The pieces of an answer's text as they are made, and then the whole.

    Put together the pieces are ``answer.text``, unless the model's reply broke off or was not of the form that was
    asked for: then it was asked again, and the text of ``answer`` counts.
    """

    def __init__(self, pieces: Generator[str, None, Answer]) -> None:
        super().__init__(pieces, "an answer whose pieces ended with an error has no text: ask again")


def ask(connection: Connection, request: Request, options: AskOptions) -> Answer:
    """The answer; see ``Corpus.ask``."""
    return AnswerStream(_answered(connection, request, options, _whole)).answer


def ask_stream(connection: Connection, request: Request, options: AskOptions) -> AnswerStream:
    """The answer in pieces; see ``Corpus.ask_stream``."""
    return AnswerStream(_answered(connection, request, options, _in_pieces))


def single_piece_stream(make: Callable[[], Answer]) -> AnswerStream:
    """An answer that is not made in pieces: one piece, its text."""

    def pieces() -> Generator[str, None, Answer]:
        answer = make()
        if answer.text:
            yield answer.text
        return answer

    return AnswerStream(pieces())


def _answered(
    connection: Connection, request: Request, options: AskOptions, get: Ask[Any]
) -> Generator[str, None, Answer]:
    if is_generated(connection.settings, options):
        return _GeneratedAnswer(connection, request, options).answer(get)
    return _extracted(connection, request, options)


def _whole(operation: Operation, request: LlmRequest, form: type[Reply]) -> Generator[str, None, Reply]:
    """A reply without pieces."""
    yield from ()
    return operation.structured(request, form)


def _in_pieces(operation: Operation, request: LlmRequest, form: type[Reply]) -> Generator[str, None, Reply]:
    """A reply as it comes; it is kept, so that asking for the whole costs nothing."""
    reader = AnswerReader()
    for piece in operation.stream(request):
        words = reader.feed(piece)
        if words:
            yield words
    return operation.structured(request, form)


def _extracted(connection: Connection, request: Request, options: AskOptions) -> Generator[str, None, Answer]:
    """The likeliest stretch of a passage."""
    evidence, _ = find_evidence(connection, request)
    answer = extract_answer(evidence, options)
    if answer.text:
        yield answer.text
    return answer


class _GeneratedAnswer:
    """One question put to a language model, with the follow-up questions that it asks."""

    def __init__(self, connection: Connection, request: Request, options: AskOptions) -> None:
        self._connection = connection
        self._request = request
        self._options = options
        self._llm = LazyOperation(self._begin)
        self._found: list[Evidence] = []
        self._steps: list[FollowUp] = []
        self._notes: dict[str, None] = {}

    def answer(self, get: Ask[Any]) -> Generator[str, None, Answer]:
        """The pieces, then the whole."""
        self._search(self._request.question)
        written: CheckedAnswer | None = None
        said: list[str] = []
        try:
            while True:
                written = yield from self._write(get, said)
                if not self._is_new(written.follow_up):
                    break
                self._follow(written.follow_up)
        except (BudgetExhausted, DeadlineExceeded) as error:
            if written is None:
                raise
            self._note(f"follow-up questions ended after {len(self._steps)}: {error}")
        if written.text and not said:
            yield written.text
        return self._made(written)

    def _write(self, get: Ask[Any], said: list[str]) -> Generator[str, None, CheckedAnswer]:
        """What the model makes of all that was found; the last time it cannot ask on."""
        chunks = self._shown(self._found)
        if not chunks:
            return CheckedAnswer("", (), 0, is_sufficient=False)
        is_last = len(self._found) >= self._options.iterations
        request = (answer_request if is_last else follow_up_request)(self._request.question, chunks, self._steps)
        pieces = get(self._llm(), request, AnswerReply if is_last else FollowUpReply)
        while True:
            try:
                piece = next(pieces)
            except StopIteration as end:
                return check_reply(end.value, chunks)
            said.append(piece)
            yield piece

    def _follow(self, question: str) -> None:
        """Search for a follow-up question, and have it answered from what is found."""
        found = self._search(question)
        self._steps.append(FollowUp(question, "", tuple(hit.chunk.id for hit in found)))
        chunks = self._shown([found])
        if not chunks:
            return
        reply = self._llm().structured(answer_request(question, chunks), AnswerReply)
        self._steps[-1] = replace(self._steps[-1], answer=check_reply(reply, chunks).text)

    def _search(self, question: str) -> Evidence:
        evidence, _ = find_evidence(self._connection, replace(self._request, question=question), self._llm)
        for note in evidence.notes:
            self._note(note)
        self._found.append(evidence)
        return evidence

    def _is_new(self, follow_up: str) -> bool:
        """Whether something is asked that was not asked before."""
        asked = [self._request.question, *(step.question for step in self._steps)]
        name = normalise_name(follow_up)
        return bool(name) and name not in map(normalise_name, asked)

    def _shown(self, found: Sequence[Evidence]) -> list[Chunk]:
        """The passages of some searches that the model is shown: the best of each in turn, as many as there is room."""
        ranks = zip_longest(*found)
        chunks = list(dict.fromkeys(hit.chunk.id for rank in ranks for hit in rank if hit))
        by_id = {hit.chunk.id: hit.chunk for evidence in found for hit in evidence}
        kept = truncate_to_tokens([by_id[chunk] for chunk in chunks], self._options.context_tokens)
        if len(kept) < len(chunks):
            limit = f"{self._options.context_tokens} tokens"
            self._note(f"{len(kept)} of {len(chunks)} passages were shown to the model: {limit} hold no more")
        return kept

    def _begin(self) -> Operation:
        model: LanguageModel = self._connection.llm
        return model.operation("ask", corpus=self._request.corpus, budget=self._request.budget)

    def _note(self, sentence: str) -> None:
        self._notes.setdefault(sentence)

    def _made(self, written: CheckedAnswer) -> Answer:
        first = self._found[0]
        return Answer(
            self._request.question,
            written.text,
            "generated",
            written.citations,
            written.dropped,
            not written.is_sufficient,
            replace(first, hits=_merge_hits(self._found)),
            tuple(self._steps),
            self._llm.usage,
            {**first.manifest, "answer": manifest("generated", self._options), **self._llm.record},
            tuple(dict.fromkeys((*self._notes, *self._llm.notes))),
        )


def _merge_hits(found: Sequence[Evidence]) -> tuple[Hit, ...]:
    """The hits of all searches, one after the other, each passage once, with new ranks."""
    hits = {hit.chunk.id: hit for evidence in reversed(found) for hit in reversed(evidence)}
    order = dict.fromkeys(hit.chunk.id for evidence in found for hit in evidence)
    return tuple(replace(hits[chunk], rank=rank) for rank, chunk in enumerate(order, 1))
