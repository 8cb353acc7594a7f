"""A published benchmark from ingest to compared methods, on real stores."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tetragraph import AsyncTetragraph, Document, Settings, Tetragraph, errors
from tetragraph.evaluate.model import Found, Gold, GoldQuestion, Run
from tetragraph.evaluate.repeat import check, read_plan

ASKED = (
    ("Who taught the painter who was born in Halvik?", ("Elva Kron", "Tomas Reyer"), "bridge"),
    ("Which poem of 1899 was set to music by Mina Holt?", ("Low Tide", "Mina Holt"), "bridge"),
    ("Was Jens Arild or Ida Brandt a surgeon?", ("Ida Brandt", "Jens Arild"), "comparison"),
)


@pytest.fixture
def release(world: list[Document], tmp_path: Path) -> Path:
    """The world as HotpotQA would publish it: every question with all passages, sentence by sentence."""
    context = [[one.title, one.text.replace(". ", ".| ").split("|")] for one in world]
    rows = [
        {"_id": f"h{place}", "question": text, "answer": "x", "type": kind, "context": context}
        | {"supporting_facts": [[title, 0] for title in titles]}
        for place, (text, titles, kind) in enumerate(ASKED)
    ]
    file = tmp_path / "hotpot_dev_distractor_v1.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    return file


def test_the_gold_of_a_release_is_found_among_its_passages(
    client: Tetragraph, corpus_name: str, release: Path, world: list[Document], tmp_path: Path
) -> None:
    corpus = client.corpus(corpus_name)
    report = corpus.ingest(release, loader="hotpotqa", build=("bipartite", "gain", "tree"))
    assert (len(report.added), report.skipped) == (len(world), ())

    methods = ("dense", "keyword", "fused", "gain", "tree", "bipartite", "evidence")
    found = corpus.evaluate(release, methods, ks=(2, 12), out=tmp_path / "record")
    assert [run.name for run in found.runs] == list(methods)
    assert found.missing == found.notes == ()
    for name in ("dense", "tree", "bipartite", "evidence"):
        assert found.scores[name].metrics["all@12"] == 1
        assert found.scores[name].by_kind.keys() == {"bridge", "comparison"}
        assert set(found.runs[0].seconds) == {"h0", "h1", "h2"}
    assert {one.title for one in found.placed} == {title for _, titles, _ in ASKED for title in titles}

    plan = read_plan(tmp_path / "record" / "manifest.json")
    again = client.corpus(plan.corpus).evaluate(plan.questions, plan.methods, ks=plan.ks, baseline=plan.baseline)
    assert check(tmp_path / "record" / "manifest.json", again).same
    assert again.manifest == found.manifest


def test_a_stretch_of_a_long_document_is_found_by_the_chunk_that_holds_it(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    text = "\n\n".join(one.text for one in world)
    corpus = client.corpus(corpus_name)
    corpus.ingest([Document("book", "The book", text)], build=(), chunk_tokens=32)
    start = text.index("The Grey Harbour is a memoir")
    question = GoldQuestion("q", "When was the memoir The Grey Harbour published?", (Gold("book", start, start + 80),))
    report = corpus.evaluate([question], ["keyword"], ks=(1, 5))
    (ranking,) = report.runs[0].rankings.values()
    (placed,) = report.placed
    rank = placed.ranks["keyword"]
    assert rank is not None
    hit = ranking[rank - 1]
    assert "Grey Harbour" in report.texts[hit.chunk]
    assert report.scores["keyword"].metrics["precision@5"] < 1


def test_a_method_whose_graph_is_not_built_ends_the_evaluation_before_it_begins(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world, build=())
    question = GoldQuestion("q", "Who was Elva Kron?", (Gold("elva-kron"),))
    with pytest.raises(errors.NotBuilt, match=f"`tetragraph build gain -c {corpus_name}`"):
        corpus.evaluate([question], ["keyword", "gain"])
    with pytest.raises(errors.UnknownMethod):
        corpus.evaluate([question], ["magic"])
    with pytest.raises(errors.UnknownDocument, match="lacks 1 of 1 documents: nobody"):
        corpus.evaluate([GoldQuestion("q", "Who?", (Gold("nobody"),))], ["keyword"])


def test_another_system_is_compared_and_asyncio_does_the_same(
    server_settings: Settings, corpus_name: str, world: list[Document]
) -> None:
    theirs = Run("theirs", "theirs", {}, {"q": (Found("elva-kron", "elva-kron", "", None, None, 1.0),)})
    question = GoldQuestion("q", "Who was Elva Kron?", (Gold("elva-kron"),))

    async def run() -> None:
        async with await AsyncTetragraph.connect(server_settings) as client:
            corpus = client.corpus(corpus_name)
            await corpus.ingest(world, build=())
            report = await corpus.evaluate([question], methods=["keyword"], runs=[theirs], ks=[1], baseline="theirs")
            assert report.scores["theirs"].metrics["recall@1"] == 1
            (comparison,) = report.comparisons
            assert (comparison.first, comparison.second, comparison.verdict) == ("keyword", "theirs", "undecided")

    asyncio.run(run())
