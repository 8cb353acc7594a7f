"""Routes of answers: whole, or in pieces while they are written."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from fastapi import Request, Response

from tetragraph.answering.stream import AnswerStream
from tetragraph.client.remote.requests import AskRequest
from tetragraph.client.remote.values import PieceForm
from tetragraph.model.answers import Answer
from tetragraph.service.access import needs, router
from tetragraph.service.lanes import Lane
from tetragraph.service.measured import measured
from tetragraph.service.replies import reply
from tetragraph.service.state import Service, service_of
from tetragraph.service.streams import CONTENT, Event, accepts_events, iterate, respond

routes = router("/v1/corpora/{corpus}", "answers")


@routes.post("/ask", response_model=Answer, responses={200: CONTENT}, **needs("search"))
async def ask(request: Request, corpus: str, asked: AskRequest) -> Response:
    """Answer a question with checked citations.

    Events: `piece` with some words, `answer` with the whole answer, `end`.
    """
    service = service_of(request)
    request.state.text = asked.question
    lane = service.lane_of(asked.generate)
    if accepts_events(request):
        stream = await lane.run(lambda: service.corpus(corpus).ask_stream(**asked.arguments))
        return await respond(request, _events(service, lane, stream, asked.method))
    with measured(service, "ask", asked.method):
        answer = await lane.run(lambda: service.corpus(corpus).ask(**asked.arguments))
    return reply(answer)


async def _events(service: Service, lane: Lane, stream: AnswerStream, method: str) -> AsyncGenerator[Event, None]:
    with measured(service, "ask", method):
        async for piece in iterate(lane, stream):
            yield Event("piece", PieceForm(text=piece))
        answer = await lane.run(lambda: stream.answer)
    yield Event("answer", answer)
