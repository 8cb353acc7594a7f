"""The search composed in the stores where it differs from that in memory: statistics, filters on files, sentences."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from math import sqrt
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
import pytest

import small_world
from environments import own_home
from tetragraph import Corpus, Settings, Tetragraph, errors, queries
from tetragraph.algorithms.evidence_walk import WalkOptions
from tetragraph.host.processors import count_processors
from tetragraph.host.turns import COMPUTING
from tetragraph.model import Document, Heading
from tetragraph.stores import chunk_table
from tetragraph.systems.evidence_walk import index_arrays
from tetragraph.systems.evidence_walk.stored_names import StoredTerms
from tetragraph.systems.evidence_walk.stored_surroundings import Surroundings

QUESTION = "Who founded the school where the second director was Mina Holt?"
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def corpus(neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """A small corpus with a vector for each sentence, without arrays."""
    settings = own_home(neo4j_server, tmp_path_factory.mktemp("stores"))
    with Tetragraph.connect(settings) as client:
        made = client.corpus("evidence-stores")
        made.ingest(small_world.documents(), build=(), arrays=False)
        yield made
        made.drop()


def set_chunks(driver: neo4j.Driver, corpus: Corpus, chunks: int | None) -> int | None:
    """Set the number of chunks of the corpus node, and return the one before."""
    query = """
    MATCH (c:Corpus {corpus: $corpus, id: $corpus})
    WITH c, c.chunks AS before
    SET c.chunks = $chunks
    RETURN before AS before
    """
    before: int | None = driver.execute_query(query, corpus=corpus.name, chunks=chunks).records[0]["before"]
    return before


def test_a_corpus_without_arrays_is_searched_in_the_stores(corpus: Corpus) -> None:
    assert corpus.search(QUESTION).manifest["engine"] == "stores"
    stores = corpus._connection.stores(corpus.name)
    kinds = (chunk_table.KIND, index_arrays.KIND)
    assert not any(stores.arrays.has(stores.record.key, kind, stores.record.published) for kind in kinds)
    with pytest.raises(errors.InvalidInput, match="made with arrays False, got True"):
        corpus.ingest(small_world.documents(), build=(), arrays=True)


def test_a_filter_that_nothing_passes_finds_nothing(corpus: Corpus) -> None:
    assert not corpus.search(QUESTION, engine="stores", filters={"year": 1}).hits


def test_a_filter_on_files_is_found_in_the_graph(corpus: Corpus) -> None:
    every = corpus.search(QUESTION, engine="stores").hits
    assert [hit.chunk for hit in corpus.search(QUESTION, engine="stores", filters={"@source": "world"})] == [
        hit.chunk for hit in every
    ]
    assert not corpus.search(QUESTION, engine="stores", filters={"@source": "elsewhere"}).hits


def test_chunks_that_no_hit_may_come_from_do_not_take_the_places_of_others(
    neo4j_server: Settings, tmp_path: Path
) -> None:
    texts = ["Elva Kron learnt from Dan Holm.", "Dan Holm built a mill.", "A ferry of Dan Holm sank.", "It is red."]
    rows = [Document(str(n), "", text, metadata={"year": 2 if n == 1 else 1}) for n, text in enumerate(texts)]
    with Tetragraph.connect(own_home(neo4j_server, tmp_path)) as client:
        made = client.corpus("evidence-filtered")
        made.ingest(rows, build=(), arrays=False)
        stores = made._connection.stores(made.name)
        chunk = {document: made.document(document).chunks[0].id for document in ("0", "2")}
        nothing = StoredTerms((), np.zeros(0, dtype=np.int64), ())
        text = np.eye(1, stores.record.dimension, dtype=np.float32)
        here = Surroundings(stores, nothing, text, {"year": 1}, most=32)
        here.add_chunks([chunk["0"]])
        here.add_entities(here.chunks[chunk["0"]].mentioned)
        assert here.find_reached({chunk["0"]: 1.0}, WalkOptions()) == [chunk["2"]]
        made.drop()


def test_a_corpus_of_an_earlier_version_is_refused_until_the_next_ingest(driver: neo4j.Driver, corpus: Corpus) -> None:
    set_chunks(driver, corpus, None)
    with pytest.raises(errors.NotBuilt, match=r"next change .* `tetragraph ingest SOURCE .* engine='memory' works"):
        corpus.search(QUESTION, engine="stores")
    assert corpus.search(QUESTION).manifest["engine"] == "memory"
    assert corpus.ingest(small_world.documents(), build=()).written
    assert corpus.search(QUESTION, engine="stores").manifest["engine"] == "stores"
    assert not corpus.ingest(small_world.documents(), build=()).written


def test_the_terms_in_the_graph_follow_the_chunks(driver: neo4j.Driver, corpus: Corpus) -> None:
    read = "MATCH (t:Term {corpus: $corpus}) RETURN t.id AS id, t.df AS df ORDER BY id"
    before = driver.execute_query(read, corpus=corpus.name).records
    (new,) = (document for document in small_world.documents()[:1])
    corpus.delete(new.id)
    fewer = driver.execute_query(read, corpus=corpus.name).records
    corpus.ingest([new], build=())
    assert fewer != before
    assert driver.execute_query(read, corpus=corpus.name).records == before


@pytest.mark.parametrize("chain", ["match", "embed", "read", "off"])
def test_every_chain_finds_in_the_stores_what_it_finds_in_memory(corpus: Corpus, chain: str) -> None:
    memory = corpus.search(QUESTION, k=5, engine="memory", chain=chain)
    stores = corpus.search(QUESTION, k=5, engine="stores", chain=chain)
    assert [hit.chunk for hit in stores] == [hit.chunk for hit in memory]
    assert [step.question for step in stores.chain] == [step.question for step in memory.chain]
    assert [[one.name for one in step.bridges] for step in stores.chain] == [
        [one.name for one in step.bridges] for step in memory.chain
    ]
    assert [hit.path[-1].label for hit in stores] == [hit.path[-1].label for hit in memory]


def test_a_large_document_counts_in_the_stores_as_in_memory(neo4j_server: Settings, tmp_path: Path) -> None:
    lines = [f"Year {year}\nThe school had a director in {year}, and Mina Holt taught there.\n" for year in range(20)]
    starts = [0, *accumulate(map(len, lines))]
    headings = [Heading(start, 1, f"Year {year}") for year, start in enumerate(starts[:-1])]
    report = Document("report", "Report of the School", "".join(lines), headings=tuple(headings))
    with Tetragraph.connect(own_home(neo4j_server, tmp_path)) as client:
        made = client.corpus("evidence-large")
        count = made.ingest([*small_world.documents(), report], build=()).counts["chunks"]
        memory, stores = (made.search(QUESTION, k=12, engine=engine, repeat=0.15) for engine in ("memory", "stores"))
        made.drop()
    assert [hit.chunk.id for hit in stores] == [hit.chunk.id for hit in memory]
    for part in ("document", "repeat"):
        assert [hit.parts[part] for hit in stores] == pytest.approx([hit.parts[part] for hit in memory])
    second = [hit.parts["repeat"] for hit in memory if hit.chunk.document_id == "report"][1]
    assert second == pytest.approx(-0.15 / sqrt(200 * len(lines) / count))


def test_a_sample_reads_only_the_chunks_that_it_returns(driver: neo4j.Driver, corpus: Corpus) -> None:
    beginnings = [f"{place:x}" for place in range(16)]
    text = queries.get("evidence_walk/find_sample").text
    summary = driver.execute_query(f"PROFILE {text}", corpus=corpus.name, beginnings=beginnings).summary
    assert summary.profile is not None
    assert 0 < _db_hits(summary.profile) < 4 * len(beginnings)


def _db_hits(plan: Mapping[str, Any]) -> int:
    own = int(plan["args"].get("DbHits", 0))
    return own + sum(map(_db_hits, plan.get("children", ())))


def test_the_whole_corpus_is_not_searched_in_the_stores(corpus: Corpus) -> None:
    with pytest.raises(errors.InvalidInput, match="leave scope out"):
        corpus.search(QUESTION, engine="stores", scope="whole")


def test_only_a_search_in_memory_waits_for_a_turn_and_it_finds_the_same(corpus: Corpus) -> None:
    before = {engine: corpus.search(QUESTION, engine=engine) for engine in ("memory", "stores")}
    busy, go = threading.Barrier(count_processors() + 1), threading.Event()

    def compute() -> None:
        with COMPUTING.take():
            busy.wait(PATIENCE_S)
            go.wait(PATIENCE_S)

    with ThreadPoolExecutor(count_processors() + 1) as pool:
        others = [pool.submit(compute) for _ in range(count_processors())]
        busy.wait(PATIENCE_S)
        waiting = pool.submit(corpus.search, QUESTION, engine="memory")
        end = time.monotonic() + PATIENCE_S
        while not COMPUTING.waiting and time.monotonic() < end:
            time.sleep(0.001)
        assert corpus.search(QUESTION, engine="stores") == before["stores"]
        assert (COMPUTING.waiting, waiting.done()) == (1, False)
        go.set()
        assert waiting.result(PATIENCE_S) == before["memory"]
        assert [other.result(PATIENCE_S) for other in others] == [None] * count_processors()


def test_the_names_of_files_count_in_the_stores_as_in_memory(neo4j_server: Settings, tmp_path: Path) -> None:
    for name in ("FELLDYE_2023Q2", "FELLDYE_2024Q2", "MINAHOLT_2024Q2"):
        (tmp_path / f"{name}.txt").write_text(f"Revenue of the quarter rose in {len(name)} of {name[-3]} stores.")
    (tmp_path / "titled.md").write_text("# Dye of 2024\n\nRevenue of the quarter of Fell Dye is not told.")
    with Tetragraph.connect(own_home(neo4j_server, tmp_path / "home")) as client:
        corpus = client.corpus("evidence-files")
        corpus.ingest([tmp_path / name for name in sorted(one.name for one in tmp_path.glob("*.*"))], build=())
        text = "How did revenue of Fell Dye change in Q2 of FY2024?"
        memory, stores = (corpus.search(text, k=4, engine=engine) for engine in ("memory", "stores"))
        corpus.drop()
    parts = {hit.chunk.source.rpartition("/")[2]: round(hit.parts["file_name"], 6) for hit in memory}
    files = "FELLDYE_2023Q2.txt", "FELLDYE_2024Q2.txt", "MINAHOLT_2024Q2.txt", "titled.md"
    assert parts == dict(zip(files, (0.1, 0.15, 0.1, 0.0), strict=True))
    assert {hit.chunk.id: hit.parts["file_name"] for hit in stores} == {
        hit.chunk.id: hit.parts["file_name"] for hit in memory
    }
