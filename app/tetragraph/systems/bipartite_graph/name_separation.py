"""Forbids and allows merges of entity names."""

from __future__ import annotations

from tetragraph.errors import InvalidInput
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.bipartite_graph.construction import alias_id
from tetragraph.systems.bipartite_graph.entity_lookup import EntityReport

_UNFINISHED = {"unfinished": True}


def forbid_merge(stores: CorpusStores, entity: EntityReport, alias: str) -> None:
    """Record that a name does not denote an entity in any document; the next build of the graph applies it.

    Args:
        stores: Stores of the corpus, whose lease is held.
        entity: Entity into which the name was merged.
        alias: The name, in any spelling of its words.

    Raises:
        InvalidInput: the name was not merged into the entity; nothing was written.
    """
    known = _find(alias, [merge.alias for merge in entity.aliases])
    if known is None:
        listed = ", ".join(repr(name) for name in dict.fromkeys(merge.alias for merge in entity.aliases)) or "none"
        raise InvalidInput(
            f"what is split from {entity.name!r} must have been merged into it, got {alias!r}; merged were: {listed}"
        )
    pair = {"alias": alias_id(normalise_name(known)), "entity": entity.id}
    _write(stores, "bipartite_graph/link_apart", {**pair, "generation": stores.record.generation})


def allow_merge(stores: CorpusStores, entity: EntityReport, alias: str) -> None:
    """Revoke :func:`forbid_merge`, with the same arguments.

    Raises:
        InvalidInput: the name was not split from the entity; nothing was written.
    """
    known = _find(alias, entity.kept_apart)
    if known is None:
        listed = ", ".join(map(repr, entity.kept_apart)) or "none"
        raise InvalidInput(
            f"what joins {entity.name!r} must have been split from it before, got {alias!r}; split were: {listed}"
        )
    _write(stores, "bipartite_graph/delete_apart", {"alias": alias_id(normalise_name(known)), "entity": entity.id})


def _find(alias: str, names: list[str] | tuple[str, ...]) -> str | None:
    return next((name for name in names if normalise_name(name) == normalise_name(alias)), None)


def _write(stores: CorpusStores, query: str, parameters: dict[str, object]) -> None:
    """Write in one transaction that also marks the graph as unfinished, so that the next publish updates it."""
    corpus = stores.name
    stores.graph.write_all(
        [
            ("bipartite_graph/upsert_graph", {"corpus": corpus, "properties": _UNFINISHED}),
            (query, {"corpus": corpus, **parameters}),
            ("ingest/upsert_generation", {"corpus": corpus, "metadata_keys": []}),
        ]
    )
