"""Answers a question: searches, then a language model or the extractive reader, and citations."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from tetragraph.answering import sessions
from tetragraph.answering.ask_facts import check_context, fact_answer_pieces
from tetragraph.answering.compose import (
    AskOptions,
    describe_method,
    extract_answer,
    is_generated,
    truncate_to_tokens,
)
from tetragraph.answering.session_runner import AnchorRequest
from tetragraph.answering.stream import AnswerStream, GetReply, Reply, record_pieces, single_piece
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
from tetragraph.llm import Operation
from tetragraph.llm import Request as LlmRequest
from tetragraph.model import Chunk, Evidence, Hit
from tetragraph.model.answers import Answer, FollowUp
from tetragraph.retrieval.request import Request
from tetragraph.retrieval.search import find_evidence
from tetragraph.systems.registry import find_retriever


def ask(connection: Connection, request: Request, options: AskOptions) -> Answer:
    """Answer a question; see ``Corpus.ask``."""
    return AnswerStream(_answer_pieces(connection, request, options, _get_reply)).answer


def ask_stream(connection: Connection, request: Request, options: AskOptions) -> AnswerStream:
    """Answer a question in pieces; see ``Corpus.ask_stream``."""
    return AnswerStream(_answer_pieces(connection, request, options, _stream_reply))


def _answer_pieces(
    connection: Connection, request: Request, options: AskOptions, get_reply: GetReply[Any]
) -> Generator[str, None, Answer]:
    if options.context != "passages":
        check_context(connection, request, options)
        return fact_answer_pieces(connection, request, options, get_reply)
    if find_retriever(request.method).is_multi_step:
        return single_piece(lambda: sessions.begin(connection, AnchorRequest.from_search(request, options)).answer)
    if is_generated(connection.settings, options):
        return _GeneratedAnswer(connection, request, options).generate(get_reply)
    return single_piece(lambda: extract_answer(find_evidence(connection, request, keeps=True)[0], options))


def _get_reply(operation: Operation, request: LlmRequest, form: type[Reply]) -> Generator[str, None, Reply]:
    """Get a reply without pieces."""
    yield from ()
    return operation.structured(request, form)


def _stream_reply(operation: Operation, request: LlmRequest, form: type[Reply]) -> Generator[str, None, Reply]:
    """Get a reply in pieces; the stream is cached, so that the whole reply costs nothing more."""
    reader = AnswerReader()
    for piece in operation.stream(request):
        text = reader.feed(piece)
        if text:
            yield text
    return operation.structured(request, form)


class _GeneratedAnswer:
    """The answer of a language model to one question, with the follow-up questions that the model asks."""

    def __init__(self, connection: Connection, request: Request, options: AskOptions) -> None:
        self._connection = connection
        self._request = request
        self._options = options
        self._llm = connection.operation("ask", request.corpus, request.budget)
        self._results: list[Evidence] = []
        self._steps: list[FollowUp] = []
        self._notes: dict[str, None] = {}

    def generate(self, get_reply: GetReply[Any]) -> Generator[str, None, Answer]:
        """Yield the pieces of the answer's text, and return the answer."""
        self._search(self._request.question)
        reply: CheckedAnswer | None = None
        pieces: list[str] = []
        try:
            while True:
                reply = yield from self._ask_model(get_reply, pieces)
                if not self._is_new(reply.follow_up):
                    break
                self._follow(reply.follow_up)
        except (BudgetExhausted, DeadlineExceeded) as error:
            if reply is None:
                raise
            self._note(f"follow-up questions ended after {len(self._steps)}: {error}")
        if reply.text and not pieces:
            yield reply.text
        return self._compose(reply)

    def _ask_model(self, get_reply: GetReply[Any], pieces: list[str]) -> Generator[str, None, CheckedAnswer]:
        """Ask the model for an answer from all chunks found so far, or for a follow-up question if a search is left.

        Args:
            get_reply: Sends the request.
            pieces: List to which every piece is appended.
        """
        chunks = self._select_chunks(self._results)
        if not chunks:
            return CheckedAnswer("", (), 0, is_sufficient=False)
        is_last = len(self._results) >= self._options.iterations
        request = (answer_request if is_last else follow_up_request)(self._request.question, chunks, self._steps)
        reply = get_reply(self._llm(), request, AnswerReply if is_last else FollowUpReply)
        return check_reply((yield from record_pieces(reply, pieces)), chunks)

    def _follow(self, question: str) -> None:
        """Search for a follow-up question, and let the model answer it from the chunks of that search."""
        evidence = self._search(question)
        self._steps.append(FollowUp(question, "", tuple(hit.chunk.id for hit in evidence)))
        chunks = self._select_chunks([evidence])
        if not chunks:
            return
        reply = self._llm().structured(answer_request(question, chunks), AnswerReply)
        self._steps[-1] = replace(self._steps[-1], answer=check_reply(reply, chunks).text)

    def _search(self, question: str) -> Evidence:
        evidence, _ = find_evidence(self._connection, replace(self._request, question=question), self._llm, keeps=True)
        for note in evidence.notes:
            self._note(note)
        self._results.append(evidence)
        return evidence

    def _is_new(self, follow_up: str) -> bool:
        """Whether there is a follow-up question, and it differs from all questions so far."""
        questions = [self._request.question, *(step.question for step in self._steps)]
        name = normalise_name(follow_up)
        return bool(name) and name not in map(normalise_name, questions)

    def _select_chunks(self, results: Sequence[Evidence]) -> list[Chunk]:
        """The chunks that the model reads: the best of each result in turn, up to the token limit."""
        ranks = zip_longest(*(evidence.current for evidence in results))
        chunks = list(dict.fromkeys(hit.chunk.id for rank in ranks for hit in rank if hit))
        by_id = {hit.chunk.id: hit.chunk for evidence in results for hit in evidence}
        selected = truncate_to_tokens([by_id[chunk] for chunk in chunks], self._options.context_tokens)
        if len(selected) < len(chunks):
            limit = f"{self._options.context_tokens} tokens"
            self._note(f"{len(selected)} of {len(chunks)} passages were shown to the model: {limit} hold no more")
        return selected

    def _note(self, sentence: str) -> None:
        self._notes.setdefault(sentence)

    def _compose(self, reply: CheckedAnswer) -> Answer:
        first = self._results[0]
        return Answer(
            self._request.question,
            reply.text,
            "generated",
            reply.citations,
            reply.dropped,
            not reply.is_sufficient,
            replace(first, hits=_merge_hits(self._results)),
            tuple(self._steps),
            self._llm.usage,
            {**first.manifest, "answer": describe_method("generated", self._options), **self._llm.record},
            tuple(dict.fromkeys((*self._notes, *self._llm.notes))),
        )


def _merge_hits(results: Sequence[Evidence]) -> tuple[Hit, ...]:
    """Hits of all results, one result after the other, each chunk once at its first place, with new ranks."""
    hits = {hit.chunk.id: hit for evidence in reversed(results) for hit in reversed(evidence)}
    order = dict.fromkeys(hit.chunk.id for evidence in results for hit in evidence)
    return tuple(replace(hits[chunk], rank=rank) for rank, chunk in enumerate(order, 1))
