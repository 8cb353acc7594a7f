"""Documents that supersede others: their order in an ingest, and the rules that they must meet together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from tetragraph.errors import InvalidInput
from tetragraph.host.batches import in_batches
from tetragraph.indexing.document_checks import describe_place
from tetragraph.model import Document, Unreadable
from tetragraph.model.validity import Validity
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.versions import read_versions_now

_PAGE = 10_000


def find_cycle(supersedes: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Ids of documents of which each supersedes the next one and the last is the first; empty if there are none."""
    try:
        TopologicalSorter(supersedes).prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1]
        return tuple(reversed(cycle))
    return ()


def hold_successors(
    items: Iterable[Document | Unreadable], stores: CorpusStores | None, *, checks: bool = True
) -> Iterator[Document | Unreadable]:
    """The documents of an ingest, those that supersede others after all others, each after those that it supersedes.

    Documents that supersede one another in a cycle, or that supersede one that neither the corpus nor this ingest has,
    are refused. A document that was stored with the same reference is accepted again, as the old one may have been
    deleted since.

    Args:
        items: The documents; those that supersede others are held in memory until the end.
        stores: Stores of the corpus; None for one that does not exist yet.
        checks: Whether to refuse documents; otherwise only the order changes.
    """
    held: dict[str, tuple[Document, Validity]] = {}
    seen: set[str] = set()
    for item in items:
        if isinstance(item, Document):
            stated = _validity(item)
            seen.add(item.id)
            if stated.supersedes:
                held[item.id] = (item, stated)
                continue
        yield item
    if not held:
        return
    faults = _find_faults(stores, held, seen) if checks else {}
    for document in _in_order(held, faults):
        item = held[document][0]
        yield Unreadable(describe_place(item), faults[document]) if document in faults else item


def _validity(document: Document) -> Validity:
    """The validity of a document; an empty one where it cannot be read, which another check reports."""
    try:
        return Validity.of(document.metadata)
    except InvalidInput:
        return Validity()


def _find_faults(
    stores: CorpusStores | None, held: Mapping[str, tuple[Document, Validity]], seen: set[str]
) -> dict[str, str]:
    """The reason by id why documents are refused."""
    stored = read_versions_now(stores).validity if stores else {}
    named = {one for _, stated in held.values() for one in stated.supersedes}
    known = seen | _find_stored(stores, sorted(named - seen))
    faults: dict[str, str] = {}
    for document, (_, stated) in held.items():
        before = stored[document].supersedes if document in stored else ()
        if missing := [one for one in stated.supersedes if one not in known and one not in before]:
            faults[document] = (
                f"supersedes must name documents of the corpus or of this ingest, got {missing[0]!r}: correct the id, "
                "ingest that document, too, or leave it out"
            )
    edges = {one: stated.supersedes for one, stated in stored.items() if one not in seen}
    edges |= {one: stated.supersedes for one, (_, stated) in held.items() if one not in faults}
    while cycle := find_cycle(edges):
        for document in cycle:
            edges.pop(document, None)
            if document in held:
                faults[document] = (
                    f"documents must not supersede one another in a cycle, got {' → '.join(cycle)}: correct one of them"
                )
    return faults


def _find_stored(stores: CorpusStores | None, ids: list[str]) -> set[str]:
    if stores is None:
        return set()
    return {
        row["id"]
        for page in in_batches(ids, _PAGE)
        for row in stores.graph.read("ingest/find_documents_by_id", corpus=stores.name, ids=page)
    }


def _in_order(held: Mapping[str, tuple[Document, Validity]], faults: Mapping[str, str]) -> Iterator[str]:
    """Ids of held documents, each after those that it supersedes; the refused ones last."""
    edges = {one: stated.supersedes for one, (_, stated) in held.items() if one not in faults}
    if not find_cycle(edges):
        yield from (one for one in TopologicalSorter(edges).static_order() if one in edges)
        yield from faults
    else:
        yield from held
