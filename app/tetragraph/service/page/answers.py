"""Pages of answers: written at once, or piece by piece while the page is open."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from fastapi import Request, Response

from tetragraph.client.corpus import Corpus
from tetragraph.errors import InvalidInput, TetragraphError
from tetragraph.model.answers import Answer
from tetragraph.service import problems
from tetragraph.service.access import needs
from tetragraph.service.measured import measured
from tetragraph.service.page.asked import Asked, asked_of
from tetragraph.service.page.rendering import common, render, to_html
from tetragraph.service.page.routing import router
from tetragraph.service.page.streams import END, event, event_stream, pieces_of
from tetragraph.service.state import service_of

routes = router("/c/{corpus}/ask")


@routes.get("", **needs("search"))
async def show_answer(request: Request, corpus: str) -> Response:
    """Show the form, and the answer to its question; with htmx the answer comes as a stream."""
    asked = asked_of(request)
    service = service_of(request)
    is_streamed = request.headers.get("hx-request") == "true"
    answer = None
    if asked.question and not is_streamed:
        lane = service.lane_of(None)
        with measured(service, "ask", asked.method):
            answer = await lane.run(_ask, service.corpus(corpus), asked)
    elif not asked.question:
        await service.check_corpus(corpus)
    return render(
        request, "ask.html", asked=asked, answer=answer, has_model=bool(service.client.connection.settings.llm)
    )


@routes.get("/stream", **needs("search"))
async def stream_answer(request: Request, corpus: str) -> Response:
    """Stream the answer as parts of the page: its text so far, then the answer with its citations."""
    asked = asked_of(request)
    if not asked.question:
        raise InvalidInput("a question must have words, got none")
    return event_stream(_events(request, corpus, asked))


async def _events(request: Request, corpus: str, asked: Asked) -> AsyncIterator[str]:
    service = service_of(request)
    opened = service.corpus(corpus)
    values = common(request)
    text = ""

    def pieces() -> Iterator[str | Answer]:
        stream = opened.ask_stream(**asked.arguments)
        yield from stream
        yield stream.answer

    try:
        with measured(service, "ask", asked.method):
            async for piece in pieces_of(service.lane_of(None), pieces):
                if isinstance(piece, Answer):
                    yield event(to_html("answer.html", **values, asked=asked, answer=piece))
                else:
                    text += piece
                    yield event(to_html("writing.html", **values, text=text))
    except TetragraphError as error:
        problem = problems.problem_of(problems.public(error, corpus), request.state.request_id)
        yield event(to_html("problem.html", **values, problem=problem))
    yield END


def _ask(corpus: Corpus, asked: Asked) -> Answer:
    return corpus.ask(**asked.arguments)
