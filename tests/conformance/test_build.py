"""Rules for every registered build target when it is built, updated, interrupted and dropped."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import neo4j
import pytest

import small_world
from tetragraph import Corpus, Document, Tetragraph, errors
from tetragraph.stores.corpus import Change
from tetragraph.stores.vectors import KINDS
from tetragraph.systems.base import BuildContext
from tetragraph.systems.registry import BUILD_TARGETS, find_build_target

MakeCorpus = Callable[[], Corpus]
Take = Callable[[Corpus], small_world.Fingerprint]
ContextOf = Callable[[Corpus], BuildContext]
QUERIES = ("write", "write_all", "write_rows")
"""Methods of the graph store that write."""

pytestmark = pytest.mark.parametrize("target", BUILD_TARGETS)


class _Killed(BaseException):
    """Stands for the end of the process."""


def comparable(found: small_world.Fingerprint, target: str) -> Mapping[str, Any]:
    """What two corpora of the same documents must have in common, however they came to them.

    Gain is judged once, when the statistics of the corpus are those of the moment; and the shape of a tree depends on
    the order of changes (:meth:`BuildTarget.drift`). Which chunks are joined, and what is no community, does not.
    """
    if target == "gain":
        links = [row.split("'properties'")[0] for row in found["links"]]
        return {**found, "links": sorted(links)}
    if target == "tree":
        nodes = [row for row in found["nodes"] if "Community" not in row and "EncodingTree" not in row]
        links = [row for row in found["links"] if "CONTAINS" not in row]
        kept = {name: rows for name, rows in found.items() if name not in ("communities", "hashes")}
        return {**kept, "nodes": nodes, "links": links}
    return found


def test_a_second_build_writes_nothing(
    make_corpus: MakeCorpus, world: list[Document], context_of: ContextOf, fingerprint: Take, target: str
) -> None:
    corpus = make_corpus()
    corpus.ingest(world, build=(target,))
    before = fingerprint(corpus)
    assert find_build_target(target).build(context_of(corpus), None).written == 0
    assert fingerprint(corpus) == before


def test_documents_in_three_parts_make_the_graph_of_one_ingest(
    make_corpus: MakeCorpus, world: list[Document], opened: Tetragraph, fingerprint: Take, target: str
) -> None:
    parts, whole = make_corpus(), make_corpus()
    whole.ingest(world, build=(target,))
    for some in (world[:5], world[5:9], world[9:]):
        parts.ingest(some, build=(target,))
    assert comparable(fingerprint(parts), target) == comparable(fingerprint(whole), target)
    assert every_chunk_is_placed(opened, parts, target)


def test_a_document_that_came_and_went_leaves_the_graph_as_it_was(
    make_corpus: MakeCorpus, world: list[Document], opened: Tetragraph, fingerprint: Take, target: str
) -> None:
    corpus = make_corpus()
    corpus.ingest(world[:-1], build=(target,))
    before = comparable(fingerprint(corpus), target)
    corpus.ingest(world[-1:], build=(target,))
    corpus.delete(world[-1].id)
    assert comparable(fingerprint(corpus), target) == before
    assert every_chunk_is_placed(opened, corpus, target)


def every_chunk_is_placed(client: Tetragraph, corpus: Corpus, target: str) -> bool:
    """Whether the checks of the target find each chunk where it belongs."""
    counts = client.connection.graph.read("doctor/count_faults", corpus=corpus.name)[0]
    return not any(find_build_target(target).faults(counts).values())


def test_a_build_that_is_cut_off_at_any_write_is_completed_by_the_next(
    make_corpus: MakeCorpus,
    world: list[Document],
    context_of: ContextOf,
    fingerprint: Take,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
) -> None:
    built, disturbed = find_build_target(target), make_corpus()
    undisturbed = make_corpus()
    for corpus in (disturbed, undisturbed):
        corpus.ingest(world[:6], build=())
    built.build(context_of(undisturbed), None)
    expected = fingerprint(undisturbed)
    for write in range(1, 100):
        context = context_of(disturbed)
        with monkeypatch.context() as patch:
            left = iter(range(write - 1))
            for store, methods in ((context.stores.graph, QUERIES), (context.stores.vectors, ("upsert", "delete"))):
                for method in methods:
                    patch.setattr(store, method, _until(getattr(store, method), left))
            try:
                built.build(context, None)
            except _Killed:
                pass
            else:
                break
        resumed = built.update(context_of(disturbed), Change()) if built.is_unfinished(context.stores) else None
        if resumed is None:
            built.build(context_of(disturbed), None)
        assert fingerprint(disturbed) == expected
        assert not built.is_unfinished(context_of(disturbed).stores)
        _empty(disturbed, context_of(disturbed), built)
    assert write > 1


def _until(original: Callable[..., Any], left: Any) -> Callable[..., Any]:
    """The call, until so many are made."""

    def call(*given: Any, **named: Any) -> Any:
        if next(left, None) is None:
            raise _Killed
        return original(*given, **named)

    return call


def _empty(corpus: Corpus, context: BuildContext, target: Any) -> None:
    """Take away what a build wrote."""
    for query in target.drop_queries:
        context.stores.graph.write(query, corpus=corpus.name)
    for kind in KINDS[1:]:
        context.stores.vectors.drop(corpus.name, kind)


def test_stored_options_are_used_by_the_next_update(
    make_corpus: MakeCorpus, world: list[Document], context_of: ContextOf, fingerprint: Take, target: str
) -> None:
    options = OTHER_OPTIONS.get(target)
    if options is None:
        assert find_build_target(target).build_options is None
        return
    corpus, direct = make_corpus(), make_corpus()
    corpus.ingest(world[:6], build=())
    corpus.build(target, **options)
    before = fingerprint(corpus)
    assert find_build_target(target).build(context_of(corpus), None).written == 0
    assert fingerprint(corpus) == before
    direct.ingest(world[:6], build=(target,))
    assert fingerprint(direct) != before


OTHER_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "bipartite": {"threshold": 0.99},
    "gain": {"neighbours": 2, "explains": 1},
    "tree": {"neighbours": 2},
}
"""Build options that lead to another graph of six documents."""


def test_an_unknown_option_is_refused_before_anything_is_written(
    make_corpus: MakeCorpus, world: list[Document], fingerprint: Take, target: str
) -> None:
    corpus = make_corpus()
    corpus.ingest(world[:3], build=())
    before = fingerprint(corpus)
    with pytest.raises(errors.InvalidInput, match=r"no option 'colour'|built with options must be one of"):
        corpus.build(target, colour="red")
    assert fingerprint(corpus) == before


def test_without_a_language_model_nothing_is_requested(
    searched: Corpus, context_of: ContextOf, opened: Tetragraph, target: str
) -> None:
    context, built = context_of(searched), find_build_target(target)
    assert not built.uses_llm(context.stores, None)
    assert list(built.llm_requests(context.stores, context.table, None, "m")) == []
    assert searched.estimate(target).calls == 0


def test_dropping_the_corpus_leaves_nothing(
    opened: Tetragraph, make_corpus: MakeCorpus, world: list[Document], driver: neo4j.Driver, target: str
) -> None:
    corpus = make_corpus()
    corpus.ingest(world[:6], build=(target,))
    corpus.search("Halvik")
    key = opened.connection.stores(corpus.name).record.key
    corpus.drop()
    (left,) = driver.execute_query("MATCH (n {corpus: $corpus}) RETURN count(n) AS n", corpus=corpus.name).records
    assert left["n"] == 0
    assert not [kind for name, kind in opened.connection.vectors.collections() if name == corpus.name]
    assert not list(opened.connection.settings.cache.expanduser().rglob(f"*{key}*"))
    assert opened.connection.graph.read("gds/find_projections", prefix=key) == []


def test_a_fresh_build_has_no_fault(searched: Corpus, opened: Tetragraph, target: str) -> None:
    stores = opened.connection.stores(searched.name)
    counts = stores.graph.read("doctor/count_faults", corpus=searched.name)[0]
    built = find_build_target(target)
    assert not any(built.faults(counts).values())
    assert built.has_root(stores)
    assert not built.is_unfinished(stores)
    assert built.drift(stores) == pytest.approx(0.0, abs=1e-9)
    assert opened.doctor(corpus=searched.name).ok


def test_lost_and_foreign_vectors_are_found_and_repaired(
    make_corpus: MakeCorpus, world: list[Document], opened: Tetragraph, fingerprint: Take, target: str
) -> None:
    corpus = make_corpus()
    corpus.ingest(world[:6], build=(target,))
    before, vectors = fingerprint(corpus), opened.connection.vectors
    for kind in KINDS:
        hashes = vectors.hashes(corpus.name, kind)
        if not hashes:
            continue
        lost = min(hashes)
        vectors.delete(corpus.name, kind, [lost])
        found = [finding for finding in opened.doctor(corpus=corpus.name).faults if finding.part == kind]
        assert [(finding.kind, finding.count) for finding in found] == [("missing vectors", 1)]
        assert opened.doctor(corpus=corpus.name, repair=True).ok
    assert fingerprint(corpus) == before


DAMAGE: Mapping[str, str] = {
    "bipartite": "MATCH (root:BipartiteGraph {corpus: $corpus}) DETACH DELETE root",
    "gain": "MATCH (:Chunk {corpus: $corpus})-[edge:INFO_GAIN]-() DELETE edge",
    "tree": "MATCH (root:EncodingTree {corpus: $corpus}) DETACH DELETE root",
}
"""Statements after which a graph is incomplete; targets without a graph have none."""


def test_a_damaged_graph_is_found_and_rebuilt(
    make_corpus: MakeCorpus,
    world: list[Document],
    opened: Tetragraph,
    driver: neo4j.Driver,
    fingerprint: Take,
    target: str,
) -> None:
    corpus = make_corpus()
    corpus.ingest(world[:6], build=(target,))
    before = fingerprint(corpus)
    if target not in DAMAGE:
        assert find_build_target(target).build_options is None
        return
    driver.execute_query(DAMAGE[target], corpus=corpus.name)
    found = [finding for finding in opened.doctor(corpus=corpus.name).faults if finding.kind == "incomplete graph"]
    assert [finding.part for finding in found] == [target]
    assert opened.doctor(corpus=corpus.name, repair=True, delete=True).ok
    assert fingerprint(corpus) == before


def test_build_options_are_frozen_dataclasses(target: str) -> None:
    options = find_build_target(target).build_options
    assert options is None or dataclasses.is_dataclass(options)
