"""Pages of documents: their list, and the text of one, opened at a passage or a quote."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote, urlencode

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from tetragraph.client.corpus import Corpus
from tetragraph.errors import UnknownChunk
from tetragraph.model import Chunk
from tetragraph.model.stored_documents import StoredDocument
from tetragraph.service.access import needs
from tetragraph.service.page.marking import mark_spans, mark_words
from tetragraph.service.page.rendering import render
from tetragraph.service.page.routing import router
from tetragraph.service.state import service_of

BEFORE: Final = 20
SHOWN: Final = 80
"""Number of passages on a page of a document, and of those before the one at which it opens."""
LISTED: Final = 100
routes = router("/c/{corpus}")


@routes.get("/documents", **needs("search"))
async def list_documents(request: Request, corpus: str, after: str = "") -> Response:
    """List the documents of a corpus."""
    found = await service_of(request).look(corpus, lambda one: one.documents(after=after, limit=LISTED + 1))
    return render(request, "documents.html", documents=found[:LISTED], after=after, has_more=len(found) > LISTED)


@routes.get("/document", **needs("search"))
async def show_document(
    request: Request,
    corpus: str,
    id: str,  # noqa: A002  # the name in the address
    chunk: str = "",
    start: int = 0,
    end: int = 0,
    first: int = 0,
    q: str = "",
) -> Response:
    """Show the text of a document, opened at a passage, with a quote or the words of a question marked."""

    def read(one: Corpus) -> StoredDocument:
        opened = one.chunks([chunk]).get(chunk) if chunk else None
        begin = max(0, opened.position - BEFORE) if opened else max(0, first)
        return one.document(id, first=begin, limit=SHOWN)

    found = await service_of(request).look(corpus, read)
    passages = [_passage(one, chunk, start, end, q) for one in found.chunks]
    begin = found.chunks[0].position if found.chunks else 0
    return render(
        request,
        "document.html",
        record=found.record,
        passages=passages,
        opened=chunk,
        before=max(0, begin - SHOWN) if begin else None,
        behind=begin + SHOWN if begin + len(found.chunks) < found.record.chunks else None,
    )


@routes.get("/passage", **needs("search"))
async def find_passage(request: Request, corpus: str, chunk: str) -> Response:
    """Open the document of a passage."""
    found = await service_of(request).look(corpus, lambda one: one.chunks([chunk]))
    if chunk not in found:
        raise UnknownChunk(f"corpus {corpus!r} has no passage {chunk!r:.100}")
    query = urlencode({"id": found[chunk].document_id, "chunk": chunk})
    return RedirectResponse(f"/c/{quote(corpus)}/document?{query}#passage", 303)


def _passage(chunk: Chunk, opened: str, start: int, end: int, question: str) -> dict[str, Any]:
    is_opened = chunk.id == opened
    if is_opened and 0 <= start < end <= len(chunk.text):
        text = mark_spans(chunk.text, [(start, end)], name="cited")
    elif is_opened and question:
        text = mark_words(chunk.text, question)
    else:
        text = mark_spans(chunk.text, [])
    return {"chunk": chunk, "text": text, "is_opened": is_opened}
