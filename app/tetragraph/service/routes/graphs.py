"""Routes that show the graph: explanations of hits, the parts of the graph behind them, and the whole of it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Literal

from fastapi import Request, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from tetragraph import export
from tetragraph.client.corpus import Corpus
from tetragraph.client.remote.inspection import COUNTS
from tetragraph.client.remote.requests import ExplainRequest, HitsRequest, SubgraphRequest
from tetragraph.client.remote.values import ExplanationForm, SubgraphForm
from tetragraph.errors import InvalidInput
from tetragraph.model import Evidence
from tetragraph.service.access import needs, router, sends
from tetragraph.service.measured import measured
from tetragraph.service.replies import reply
from tetragraph.service.state import service_of

routes = router("/v1/corpora/{corpus}", "graphs")
_TYPES = {"graphml": "application/xml", "jsonl": "application/jsonl"}


@routes.post("/explain", response_model=ExplanationForm, **needs("search"))
async def explain(request: Request, corpus: str, asked: ExplainRequest) -> Response:
    """Explain the score of a hit: its parts, and the paths from the question to it."""
    hits = await _evidence(request, corpus, asked)
    found = await service_of(request).answer(corpus, lambda one: one.explain(hits, asked.rank))
    return reply(ExplanationForm.of(found))


@routes.post("/subgraph", response_model=SubgraphForm, **needs("search"))
async def find_subgraph(request: Request, corpus: str, asked: SubgraphRequest) -> Response:
    """The part of the graph that led to hits, with all properties."""
    hits = await _evidence(request, corpus, asked)
    found = await service_of(request).answer(corpus, lambda one: one.subgraph(hits, *asked.ranks))
    return reply(SubgraphForm.of(found))


@routes.post("/subgraph/graphml", response_class=Response, responses=sends(_TYPES["graphml"]), **needs("search"))
async def export_subgraph(request: Request, corpus: str, asked: SubgraphRequest) -> Response:
    """The part of the graph that led to hits, as GraphML."""
    hits = await _evidence(request, corpus, asked)

    def write(one: Corpus) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "subgraph.graphml"
            export.save_subgraph(one.subgraph(hits, *asked.ranks), file, form="graphml")
            return file.read_bytes()

    return Response(await service_of(request).answer(corpus, write), media_type=_TYPES["graphml"])


@routes.get("/graph", response_class=FileResponse, responses=sends(*_TYPES.values()), **needs("search"))
async def export_graph(request: Request, corpus: str, form: Literal["graphml", "jsonl"] = "graphml") -> FileResponse:
    """The whole graph of a corpus as a file."""
    folder = tempfile.TemporaryDirectory()  # deleted when the file was sent
    file = Path(folder.name) / f"{corpus}.{form}"
    try:
        report = await service_of(request).answer(corpus, lambda one: one.export(file, form=form))
    except BaseException:
        folder.cleanup()
        raise
    counts = {COUNTS: json.dumps({"nodes": dict(report.nodes), "relationships": dict(report.relationships)})}
    end = BackgroundTask(folder.cleanup)
    return FileResponse(file, headers=counts, media_type=_TYPES[form], filename=file.name, background=end)


async def _evidence(request: Request, corpus: str, asked: HitsRequest) -> Evidence:
    """The result that a request has, or that of the search it describes."""
    if (asked.evidence is None) == (asked.search is None):
        raise InvalidInput("the request must have either evidence, the result of a search, or search, got both or none")
    if asked.evidence is not None:
        return asked.evidence
    search = asked.search
    assert search is not None  # noqa: S101  # one of both is there
    service = service_of(request)
    with measured(service, "search", search.method):
        return await service.answer(corpus, lambda one: one.search(**search.arguments))
