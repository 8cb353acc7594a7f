"""Another embedder for a corpus that is searched meanwhile.

The vectors of the other embedder go into collections of their own, without the lease, so that ingests go on, too. Then,
under the lease, what has changed meanwhile is embedded, the graphs are built on the new vectors, and one transaction
switches the corpus: embedder, collections and generation. Until then searches use the old embedder, the old collections
and the last generation; the old collections are dropped some time after the switch, for searches that began before it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tetragraph.connection import Connection
from tetragraph.errors import CorpusBusy, InvalidInput, NotBuilt
from tetragraph.host.batches import in_batches
from tetragraph.host.temporary_folder import temporary_folder
from tetragraph.indexing.documents import find_pending, passage_hash
from tetragraph.indexing.embedding import embed_chunks
from tetragraph.indexing.lease import Lease
from tetragraph.indexing.publishing import Publishing
from tetragraph.language.embedders import Embedder, SpanEmbedder
from tetragraph.llm import LazyOperation
from tetragraph.model.embedder_scores import EmbedderScore
from tetragraph.progress import Progress, Stopwatch
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArrayCache
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.graph import Statement
from tetragraph.stores.vector_sets import corpus_of, drop_set, set_name, use_set
from tetragraph.stores.vectors import Point
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

KEEP_S = 60.0
"""Seconds that the old vectors are kept after the switch: longer than a search takes."""
_DROP_S = 60.0
"""Seconds after that for which the doctor takes them for what this is about to drop."""
_BATCH = 256
_STAGE = "embedding"


@dataclass(frozen=True, slots=True)
class ReembedReport:
    """Result of a change of the embedder.

    Attributes:
        corpus: Name of the corpus.
        before: Embedder until then.
        embedder: Embedder from then on.
        embedded: Number of chunks that this call embedded; those of an interrupted one are not embedded again.
        generation: Generation that was published; the present one if the corpus kept its embedder.
        seconds: Duration of each stage.
        scores: Both embedders on questions; empty if there were none.
        is_switched: Whether the corpus has the other embedder; otherwise the scores did not allow it, and what was
            embedded stays for the next call.
    """

    corpus: str
    before: str
    embedder: str
    embedded: int
    generation: int
    seconds: Mapping[str, float]
    scores: tuple[EmbedderScore, ...] = ()
    is_switched: bool = True


@dataclass(frozen=True, slots=True)
class Trial:
    """Test that decides on the switch of an embedder, once all chunks are embedded.

    Attributes:
        measure: Scores both embedders; its argument is the stores with the new vectors.
        accepts: Whether these scores allow the switch.
    """

    measure: Callable[[CorpusStores], tuple[EmbedderScore, ...]]
    accepts: Callable[[Sequence[EmbedderScore]], bool]


def reembed(
    connection: Connection,
    corpus: str,
    embedder: str,
    llm: LazyOperation,
    progress: Progress,
    *,
    keep_s: float = KEEP_S,
    wait: Callable[[float], None] = time.sleep,
    trial: Trial | None = None,
) -> ReembedReport:
    """Change the embedder of a corpus; see ``Corpus.reembed``."""
    stores = connection.stores(corpus)
    model = connection.embedder(embedder)
    if model.name == stores.record.embedder and _drop_others(connection, corpus):  # killed after the switch
        return ReembedReport(corpus, model.name, model.name, 0, stores.record.generation, {})
    _check(stores, model)
    with Lease(stores.graph, corpus) as lease:
        lease.hold()
        stores = connection.stores(corpus)
        target = _begin(connection, stores, model)
    watch = Stopwatch()
    with watch.stage(_STAGE):
        embedded = _fill(target, model, progress, lambda: _check_next(target))
    scores: tuple[EmbedderScore, ...] = ()
    if trial is not None:
        with watch.stage("questions"):
            scores = _try(connection, target, trial)
        if not trial.accepts(scores):
            record = connection.stores(corpus).record
            seconds = _rounded(watch)
            return ReembedReport(
                corpus, record.embedder, model.name, embedded, record.generation, seconds, scores, is_switched=False
            )
    with Lease(stores.graph, corpus) as lease:
        lease.hold()
        _check_complete(connection.stores(corpus))
        _check_next(target)
        with watch.stage(_STAGE):
            embedded += _fill(target, model, progress, lease.hold)
        near_copies = connection.settings.near_copies
        publishing = Publishing(model, lease, progress, llm, watch, near_copies)
        generation = _switch(connection, target, publishing, keep_s)
    wait(keep_s)
    _drop_others(connection, corpus)
    return ReembedReport(corpus, stores.record.embedder, model.name, embedded, generation, _rounded(watch), scores)


def _rounded(watch: Stopwatch) -> dict[str, float]:
    return {stage: round(taken, 3) for stage, taken in watch.seconds.items()}


def _try(connection: Connection, target: CorpusStores, trial: Trial) -> tuple[EmbedderScore, ...]:
    """Measure the new vectors, in arrays of their own, which are deleted afterwards."""
    current = connection.stores(target.name).record
    record = replace(target.record, generation=current.generation, published=current.published, graphs=current.graphs)
    with temporary_folder(connection.settings.cache / "trials", "TETRAGRAPH_CACHE") as folder:
        stores = replace(target, record=record, arrays=ArrayCache(folder))
        for retriever in RETRIEVERS.values():  # in memory, whatever is at hand of the present vectors
            if not retriever.requires:
                retriever.prepare(stores, None)
        return trial.measure(stores)


def cancel_reembed(connection: Connection, corpus: str) -> bool:
    """Drop the collections that another embedder was to fill; returns whether there were any.

    Raises:
        CorpusBusy: another process is changing the corpus.
    """
    stores = connection.stores(corpus)
    with Lease(stores.graph, corpus) as lease:
        lease.hold()
        found = stores.graph.get("reembed/get_next_set", corpus=corpus)
        if found is None:
            return False
        drop_set(connection.vectors, set_name(corpus, found["next"]))
        stores.graph.write("reembed/delete_next_set", corpus=corpus)
    return True


def _drop_others(connection: Connection, corpus: str) -> bool:
    """Drop the collections that the corpus used before; returns whether there were any."""
    names = {name for name, _ in connection.vectors.collections() if corpus_of(name) == corpus}
    found = connection.graph.get("reembed/get_next_set", corpus=corpus)  # after the names: a note precedes its set
    names -= {set_name(corpus, found["next"])} if found else set()
    names -= {set_name(corpus, connection.stores(corpus).record.vector_set)}
    for name in sorted(names):
        drop_set(connection.vectors, name)
    return bool(names)


def _check(stores: CorpusStores, model: Embedder) -> None:
    """Refuse an embedder that the corpus has, or that cannot read its chunks; nothing is written before."""
    record, tokens = stores.record, stores.record.settings["chunk_tokens"]
    if model.name == record.embedder:
        raise InvalidInput(f"corpus {record.name!r} is to have another embedder, got {model.name!r}, which it has")
    if tokens > model.max_tokens:
        raise InvalidInput(
            f"an embedder must read whole chunks, those of corpus {record.name!r} have up to {tokens} tokens and "
            f"{model.name} reads {model.max_tokens}: ingest the documents into a new corpus with this embedder"
        )
    _check_complete(stores)


def _check_complete(stores: CorpusStores) -> None:
    record = stores.record
    if record.must_rebuild:  # an interrupted switch, which this one completes
        return
    if record.published != record.generation or find_pending(stores):
        raise NotBuilt(
            f"a change of corpus {record.name!r} was interrupted: run it again, or `tetragraph doctor --repair -c "
            f"{record.name}`, then change the embedder"
        )


def _check_next(target: CorpusStores) -> None:
    """Refuse to go on if another change of the embedder has given up the next set, or begun or used it."""
    found = target.graph.get("reembed/get_next_set", corpus=target.name)
    if found != {"embedder": target.record.embedder, "next": target.record.vector_set}:
        raise CorpusBusy(
            f"the embedder of a corpus is changed by one call at a time, and another one has completed, begun or given "
            f"up a change of corpus {target.name!r} during that to {target.record.embedder!r}: look which embedder it "
            "has (`tetragraph corpora`), and change it again if it is to be another"
        )


def _begin(connection: Connection, stores: CorpusStores, model: Embedder) -> CorpusStores:
    """Note the next set of collections; returns the corpus as it is to be after the switch.

    The set that another embedder was to fill is dropped, and its number is not used again: a call that is still running
    may write to it, and its vectors cannot be told from those of this one. The caller holds the lease.
    """
    _check(stores, model)
    found = stores.graph.get("reembed/get_next_set", corpus=stores.name)
    number = found["next"] if found else stores.record.vector_set + 1
    if found is None or found["embedder"] != model.name:
        number += 1 if found else 0
        drop_set(connection.vectors, set_name(stores.name, number))
        stores.graph.write("reembed/upsert_next_set", corpus=stores.name, embedder=model.name, next=number)
    if found and found["next"] != number:
        drop_set(connection.vectors, set_name(stores.name, found["next"]))
    settings = dict(stores.record.settings)
    if stores.record.sentences == "pooled" and not isinstance(model, SpanEmbedder):
        settings["sentences"] = "separate"
    record = replace(
        stores.record, embedder=model.name, dimension=model.dimension, settings=settings, vector_set=number
    )
    return replace(stores, record=record, vectors=use_set(connection.vectors, number), notes=[])


def _fill(target: CorpusStores, model: Embedder, progress: Progress, hold: Callable[[], None]) -> int:
    """Embed the chunks whose vectors the next set lacks, and delete those of chunks that are gone.

    Returns:
        The number of embedded chunks.
    """
    name = target.name
    target.vectors.ensure(name, "chunks", model.dimension, sentences=target.record.sentences != "none")
    present = target.vectors.hashes(name, "chunks")
    gone, embedded = set(present), 0
    progress.start(_STAGE, None, "chunks")
    for chunks in in_batches(chunk_table.find_chunks(target), _BATCH):
        gone.difference_update(chunk.id for chunk in chunks)
        lacking = [chunk for chunk in chunks if present.get(chunk.id) != passage_hash(chunk)]
        if lacking:
            vectors = embed_chunks(model, target.record.sentences, lacking)
            hold()
            target.vectors.upsert(
                name,
                "chunks",
                [
                    Point(
                        chunk.id, vectors.passages[row], passage_hash(chunk), chunk.metadata, vectors.of_sentences(row)
                    )
                    for row, chunk in enumerate(lacking)
                ],
            )
            embedded += len(lacking)
        progress.advance(_STAGE, len(chunks))
    hold()
    target.vectors.delete(name, "chunks", sorted(gone))
    progress.finish(_STAGE)
    return embedded


def _switch(connection: Connection, target: CorpusStores, publishing: Publishing, keep_s: float) -> int:
    """Build all graphs on the new vectors and publish them with the new embedder, in one transaction."""
    graph, name = target.graph, target.name
    graph.write_all(
        [
            ("reembed/upsert_rebuild", {"corpus": name}),
            ("ingest/upsert_generation", {"corpus": name, "metadata_keys": []}),
        ]
    )
    current = connection.stores(name).record
    record = replace(target.record, generation=current.generation, published=current.published, graphs=current.graphs)
    switch: Statement = (
        "reembed/upsert_embedder",
        {
            "corpus": name,
            "embedder": record.embedder,
            "dimension": record.dimension,
            "settings": json.dumps(_merged(current.settings, record.settings), sort_keys=True),
            "used": record.vector_set,
            "keep_ms": int(1000 * (keep_s + _DROP_S)),
        },
    )
    built = [graph_name for graph_name in record.graphs if graph_name in BUILD_TARGETS]
    return publishing.publish(replace(target, record=record), built, {}, switch=[switch])


def _merged(current: Mapping[str, object], wanted: Mapping[str, object]) -> dict[str, object]:
    """The present settings, with the method of embedding sentences that the new embedder has."""
    return {**current, **({"sentences": wanted["sentences"]} if "sentences" in wanted else {})}
