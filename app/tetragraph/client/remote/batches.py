"""Documents of one ingest in several requests, the joined report, and hits by their ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tetragraph.client.remote.requests import DocumentForm
from tetragraph.client.remote.values import encode
from tetragraph.indexing.document_checks import describe_place, find_fault
from tetragraph.indexing.report import IngestReport
from tetragraph.model import Document, Evidence, Hit, Unreadable
from tetragraph.retrieval.explanation import find_hit

BATCH_CHARACTERS: Final = 4 << 20
"""Characters of text, about, that one request sends; a larger source becomes several jobs."""
BATCH_DOCUMENTS: Final = 1_000


def rank_of(result: Evidence, hit: Hit | int) -> int:
    """Rank of a hit of a result: its place there, from 1.

    Raises:
        InvalidInput: see :func:`find_hit`.
    """
    return result.hits.index(find_hit(result, hit)) + 1


def batches(
    documents: Iterator[Document | Unreadable], unreadable: list[Unreadable], most_bytes: int
) -> Iterator[tuple[DocumentForm, ...]]:
    """Documents in batches for one request each, at least one batch; what is skipped is appended to a list.

    Args:
        documents: Documents, and sources that cannot be read.
        unreadable: Receives what is skipped: a document that no store can hold, or that no request can.
        most_bytes: Largest number of bytes that the documents of one request have as JSON, with their separators.
    """
    batch: list[DocumentForm] = []
    characters = length = sent = 0
    for item in documents:
        if isinstance(item, Unreadable):
            unreadable.append(item)
            continue
        if fault := find_fault(item):
            unreadable.append(Unreadable(describe_place(item), fault))
            continue
        document = DocumentForm.of(item)
        own = len(encode(document))
        if own > most_bytes:
            unreadable.append(Unreadable(describe_place(item), _describe_excess(own, most_bytes)))
            continue
        is_full = characters + len(item.text) > BATCH_CHARACTERS or length + own > most_bytes
        if batch and (is_full or len(batch) == BATCH_DOCUMENTS):
            yield tuple(batch)
            batch, characters, length, sent = [], 0, 0, sent + 1
        batch.append(document)
        characters += len(item.text)
        length += own + 1  # a comma
    if batch or not sent:
        yield tuple(batch)


def _describe_excess(own: int, most_bytes: int) -> str:
    return (
        f"a document must have at most {most_bytes:,} bytes in a request to this service, this one has {own:,}: divide "
        "it, ingest it beside the stores, or raise TETRAGRAPH_SERVE_BODY_MB of the service"
    )


def joined(before: IngestReport | None, report: IngestReport) -> IngestReport:
    """The report of several jobs of one ingest."""
    if before is None:
        return report
    stages = dict.fromkeys((*before.seconds, *report.seconds))
    return replace(
        report,
        added=(*before.added, *report.added),
        changed=(*before.changed, *report.changed),
        deleted=(*before.deleted, *report.deleted),
        unchanged=before.unchanged + report.unchanged,
        recovered=before.recovered + report.recovered,
        skipped=(*before.skipped, *report.skipped),
        written=before.written or report.written,
        notes=tuple(dict.fromkeys((*before.notes, *report.notes))),
        seconds={stage: before.seconds.get(stage, 0.0) + report.seconds.get(stage, 0.0) for stage in stages},
        usage=before.usage + report.usage,
    )
