"""Routes that change a corpus: each adds a job, and answers before it has run."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import File, Form, Header, Request, Response, UploadFile
from pydantic import ValidationError

from tetragraph.client.remote.jobs import JobForm, Kind
from tetragraph.client.remote.requests import (
    BuildRequest,
    DeletionRequest,
    EstimateRequest,
    EvaluationRequest,
    IngestOptions,
    IngestRequest,
    NamesRequest,
)
from tetragraph.client.remote.values import encode
from tetragraph.errors import InvalidInput, UnknownDocument, UnknownEntity
from tetragraph.host.batches import read_blocks
from tetragraph.language.embedders.registry import PACKAGED
from tetragraph.model.usage import Estimate
from tetragraph.service import problems
from tetragraph.service.access import needs, router
from tetragraph.service.jobs.spool import MOST_FILES, Spool
from tetragraph.service.replies import reply
from tetragraph.service.state import Service, caller_of, service_of
from tetragraph.systems.registry import check_build_targets, find_build_target

routes = router("/v1/corpora/{corpus}", "changes")
Idempotency = Annotated[
    str | None,
    Header(alias="Idempotency-Key", description="A repeated request with the same key returns the job of the first."),
]
_FACTS = ("dependency", "llm")
"""Extractors of facts that a request may name; any other value is the path of a file of the server."""


@routes.post("/documents", status_code=202, response_model=JobForm, **needs("ingest"))
async def ingest_documents(
    request: Request, corpus: str, asked: IngestRequest, idempotency: Idempotency = None
) -> Response:
    """Ingest documents; the first ingest creates the corpus."""
    documents = asked.documents
    options = asked.model_dump(mode="json", exclude={"documents"})
    _check_ingest(service_of(request), asked)
    for form in documents:
        form.document()
    return await _submit(
        request, corpus, "ingest", options, idempotency, lambda spool, job: spool.add_documents(job, documents)
    )


@routes.post("/files", status_code=202, response_model=JobForm, **needs("ingest"))
async def ingest_files(
    request: Request,
    corpus: str,
    files: Annotated[list[UploadFile], File(description="Files; the name of each is the id of its document.")],
    options: Annotated[str, Form(description="`build`, `sentences` … as for documents, as a JSON object.")] = "{}",
    idempotency: Idempotency = None,
) -> Response:
    """Upload and ingest files of the formats that GET /v1 lists."""
    try:
        asked = IngestOptions.model_validate_json(options)
    except ValidationError as error:
        raise problems.invalid_request(list(error.errors())) from None
    _check_ingest(service_of(request), asked)
    if not 1 <= len(files) <= MOST_FILES:
        raise InvalidInput(f"a request must have 1 to {MOST_FILES} files, got {len(files)}")
    given = [(file.filename or "", read_blocks(file.file)) for file in files]
    return await _submit(
        request,
        corpus,
        "ingest",
        asked.model_dump(mode="json"),
        idempotency,
        lambda spool, job: spool.add_files(job, given),
    )


@routes.post("/deletions", status_code=202, response_model=JobForm, **needs("ingest"))
async def delete_documents(
    request: Request, corpus: str, asked: DeletionRequest, idempotency: Idempotency = None
) -> Response:
    """Delete documents with everything that depends on them alone."""
    service = service_of(request)
    ids = sorted(set(asked.documents))
    await service.check_corpus(corpus)
    graph = service.client.connection.graph
    rows = await service.control.run(graph.read, "ingest/find_documents_by_id", corpus=corpus, ids=ids)
    missing = sorted({*ids} - {row["id"] for row in rows})
    if missing and idempotency is None:
        raise UnknownDocument(f"corpus {corpus!r} has no document {missing[0]!r:.200}: this call deleted nothing")
    return await _submit(request, corpus, "delete", asked.model_dump(mode="json"), idempotency)


@routes.post("/builds", status_code=202, response_model=JobForm, **needs("ingest"))
async def build_graph(request: Request, corpus: str, asked: BuildRequest, idempotency: Idempotency = None) -> Response:
    """Compute a graph on all chunks."""
    _check_build(asked)
    await service_of(request).check_corpus(corpus)
    return await _submit(request, corpus, "build", asked.model_dump(mode="json"), idempotency)


@routes.post("/estimates", response_model=Estimate, **needs("ingest"))
async def estimate_build(request: Request, corpus: str, asked: EstimateRequest) -> Response:
    """Estimate the language model usage of a build; nothing is sent or written."""
    _check_build(asked)
    return reply(await service_of(request).answer(corpus, lambda one: one.estimate(**asked.arguments)))


@routes.post("/entities/splits", status_code=202, response_model=JobForm, **needs("ingest"))
async def split_entity(request: Request, corpus: str, asked: NamesRequest, idempotency: Idempotency = None) -> Response:
    """Undo the merge of a name into an entity."""
    await _check_entity(request, corpus, asked.entity)
    return await _submit(request, corpus, "split", asked.model_dump(mode="json"), idempotency)


@routes.post("/entities/joins", status_code=202, response_model=JobForm, **needs("ingest"))
async def join_entity(request: Request, corpus: str, asked: NamesRequest, idempotency: Idempotency = None) -> Response:
    """Undo a split."""
    await _check_entity(request, corpus, asked.entity)
    return await _submit(request, corpus, "join", asked.model_dump(mode="json"), idempotency)


@routes.post("/evaluations", status_code=202, response_model=JobForm, **needs("search"))
async def evaluate(
    request: Request, corpus: str, asked: EvaluationRequest, idempotency: Idempotency = None
) -> Response:
    """Evaluate search methods on questions with gold; the result of the job is the report."""
    await service_of(request).check_corpus(corpus)
    return await _submit(request, corpus, "evaluate", json.loads(encode(asked)), idempotency)


@routes.delete("", status_code=202, response_model=JobForm, **needs("admin"))
async def drop_corpus(request: Request, corpus: str, idempotency: Idempotency = None) -> Response:
    """Delete the corpus with all its documents, graphs, sessions, jobs and vectors."""
    await service_of(request).check_corpus(corpus)
    return await _submit(request, corpus, "drop", {}, idempotency)


async def _check_entity(request: Request, corpus: str, entity: str) -> None:
    """Raise unless a corpus has an entity; a caller who may not search it is told no names that are alike."""
    try:
        await service_of(request).answer(corpus, lambda one: one.entities.get(entity))
    except UnknownEntity:
        if caller_of(request).may(corpus, "search"):
            raise
        raise UnknownEntity(f"corpus {corpus!r} has not one entity of the id or the name {entity!r:.200}") from None


async def _submit(
    request: Request,
    corpus: str,
    kind: Kind,
    asked: dict[str, Any],
    idempotency: str | None,
    store: Callable[[Spool, str], str] | None = None,
) -> Response:
    service = service_of(request)
    record = await service.control.run(
        service.submissions.add,
        service.corpus(corpus).name,
        kind,
        asked,
        caller=caller_of(request).id,
        idempotency=idempotency,
        store=store,
    )
    place = f"/v1/corpora/{corpus}/jobs/{record.form.id}"
    return reply(record.form_for(caller_of(request)), status=202, headers={"Location": place})


def _check_ingest(service: Service, asked: IngestOptions) -> None:
    """Check what the job would refuse; models are those of the installation, as others could load any file."""
    check_build_targets(asked.build)
    allowed = {*PACKAGED, service.client.connection.settings.embedder}
    if asked.embedder is not None and asked.embedder not in allowed:
        raise InvalidInput(f"embedder must be one of {', '.join(sorted(allowed))}, got {asked.embedder!r:.100}")


def _check_build(asked: EstimateRequest) -> None:
    """Check what the job would refuse; a request names no file of the server."""
    find_build_target(asked.what)
    extractor = asked.options.get("extractor", _FACTS[0])
    if extractor not in _FACTS:
        raise InvalidInput(f"extractor must be one of {', '.join(_FACTS)}, got {extractor!r:.100}")
