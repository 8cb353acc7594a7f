"""Exports that other programs read back equal; a result is drawn in a real browser."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import neo4j
import networkx as nx
import pandas as pd
import pytest

import anchored_world
from command_line import run_here, run_process
from environments import user_environment
from tetragraph import AsyncTetragraph, Settings, Tetragraph
from tetragraph.errors import InvalidInput, StoreUnavailable, UnknownCorpus
from tetragraph.stores.graph import Graph

AWKWARD = "</data> & \x01 \u2028 'quoted' \"twice\" 𝄞"
HOSTILE = "</script><script>window.harmed = true</script><img src=x onerror='window.harmed = true'>"
INKED = """[...document.querySelectorAll("#graph canvas")].some((canvas) =>
    canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean))"""
DOCUMENT = Path(__file__).parents[2] / "docs" / "export.md"
INTERNAL = {"IngestState", "PendingDocument", "Extraction", "Term"}
Live = tuple[dict[tuple[str, str], dict[str, Any]], Counter[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def corpus(anchored: str, anchored_settings: Settings, driver: neo4j.Driver) -> Iterator[str]:
    """A corpus with all graphs, a session and awkward texts, and a foreign one whose name and ids are alike."""
    with Tetragraph.connect(anchored_settings) as client:
        assert client.corpus(anchored).anchor(anchored_world.QUESTION).answer
    with driver.session() as session:
        session.run(
            "MATCH (d:Document {corpus: $corpus}) WITH d ORDER BY d.id LIMIT 2 "
            "SET d.meta_awkward = $text, d.meta_mixed = CASE WHEN d.id STARTS WITH 'a' THEN 1 ELSE [1, 2] END",
            corpus=anchored,
            text=AWKWARD,
        ).consume()
        session.run(
            "MATCH (c:Chunk {corpus: $corpus}) CREATE (:Chunk {corpus: $other, id: c.id})-[:NEXT]->(:Chunk "
            "{corpus: $other, id: 'foreign' + c.id})",
            corpus=anchored,
            other=f"{anchored}-other",
        ).consume()
    yield anchored
    with driver.session() as session:
        session.run("MATCH (c:Chunk {corpus: $other}) DETACH DELETE c", other=f"{anchored}-other").consume()


@pytest.fixture
def client(anchored_settings: Settings) -> Iterator[Tetragraph]:
    """A client on the module's corpus."""
    with Tetragraph.connect(anchored_settings) as client:
        yield client


@pytest.fixture
def live(driver: neo4j.Driver, corpus: str) -> Live:
    """What the database has: label and id to properties, and how often there is each relationship."""
    with driver.session() as session:
        nodes = {
            (row["labels"][0], row["id"]): _without(row["properties"])
            for row in session.run(
                "MATCH (n {corpus: $corpus}) RETURN labels(n) AS labels, n.id AS id, properties(n) AS properties",
                corpus=corpus,
            )
            if row["labels"][0] not in INTERNAL
        }
        links = Counter(
            (*row.values()[:5], repr(sorted(row["properties"].items())))
            for row in session.run(
                "MATCH (a {corpus: $corpus})-[r]->(b) RETURN type(r) AS type, labels(a)[0] AS start_label, "
                "a.id AS start_id, labels(b)[0] AS end_label, b.id AS end_id, properties(r) AS properties",
                corpus=corpus,
            )
        )
    return nodes, links


def _without(properties: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in properties.items() if name not in {"corpus", "id"}}
    return {name: str(value) if name == "created" else value for name, value in kept.items()}


def _counts(live: Live) -> tuple[dict[str, int], dict[str, int]]:
    kinds = Counter(label for label, _ in live[0]), Counter(link[0] for link in live[1].elements())
    return dict(kinds[0]), dict(kinds[1])


def test_json_lines_are_the_graph(client: Tetragraph, corpus: str, live: Live, tmp_path: Path) -> None:
    report = client.corpus(corpus).export(tmp_path / "world.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "world.jsonl").read_text("utf-8").split("\n")[:-1]]
    nodes = {(row["label"], row["id"]): row["properties"] for row in rows if row["kind"] == "node"}
    links = Counter(
        (row["type"], *row["start"].values(), *row["end"].values(), repr(sorted(row["properties"].items())))
        for row in rows
        if row["kind"] == "relationship"
    )
    assert nodes == live[0]
    assert links == live[1]
    assert (report.nodes, report.relationships) == _counts(live)
    assert report.notes == ()


def test_networkx_reads_the_graph_with_its_types(client: Tetragraph, corpus: str, live: Live, tmp_path: Path) -> None:
    client.corpus(corpus).export(tmp_path / "world.graphml")
    read = nx.read_graphml(tmp_path / "world.graphml", force_multigraph=True)
    nodes, links = _counts(live)
    assert Counter(kind for _, kind in read.nodes(data="kind")) == nodes
    assert Counter(kind for *_, kind in read.edges(data="kind")) == links
    for (label, name), properties in live[0].items():
        found = read.nodes[f"{label}:{name}"]
        for key, value in properties.items():
            if isinstance(value, int | float | bool):
                assert found[key] in (value, str(value)), key
            elif isinstance(value, str):
                assert found[key] == value.replace("\x01", "\ufffd"), key
            else:
                assert json.loads(found[key]) == value, key


def test_pandas_reads_the_graph_with_its_types(client: Tetragraph, corpus: str, live: Live, tmp_path: Path) -> None:
    client.corpus(corpus).export(tmp_path / "world.parquet")
    nodes, links = (
        {file.stem: pd.read_parquet(file) for file in (tmp_path / "world.parquet" / kind).iterdir()}
        for kind in ("nodes", "relationships")
    )
    assert ({name: len(table) for name, table in nodes.items()}, {k: len(v) for k, v in links.items()}) == _counts(live)
    gains = links["INFO_GAIN"]
    told = Counter(
        (
            "INFO_GAIN",
            *row[["start_label", "start_id", "end_label", "end_id"]],
            repr(sorted(row.drop(["start_label", "start_id", "end_label", "end_id"]).items())),
        )
        for _, row in gains.iterrows()
    )
    assert told == Counter({link: count for link, count in live[1].items() if link[0] == "INFO_GAIN"})
    chunks = nodes["Chunk"].set_index("id")
    assert {name: chunks.loc[name, "text"] for name in chunks.index} == {
        name: properties["text"] for (label, name), properties in live[0].items() if label == "Chunk"
    }
    assert str(chunks["tokens"].dtype) == "int64[pyarrow]"
    assert AWKWARD in set(nodes["Document"]["meta_awkward"].dropna())


@pytest.mark.parametrize("form", ["graphml", "jsonl", "parquet"])
def test_the_same_graph_gives_the_same_bytes(client: Tetragraph, corpus: str, tmp_path: Path, form: str) -> None:
    for name in ("one", "other"):
        client.corpus(corpus).export(tmp_path / name, form=form)
    assert _bytes(tmp_path / "one") == _bytes(tmp_path / "other")


def _bytes(place: Path) -> dict[str, bytes]:
    files = [place] if place.is_file() else sorted(file for file in place.rglob("*") if file.is_file())
    return {str(file.relative_to(place)): file.read_bytes() for file in files}


def test_a_database_that_goes_away_leaves_no_half_file(
    client: Tetragraph, corpus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Graph.stream

    def broken(graph: Graph, name: str, /, **parameters: Any) -> Iterator[dict[str, Any]]:
        if name != "export/find_nodes":
            yield from whole(graph, name, **parameters)
            return
        yield next(whole(graph, name, **parameters))
        raise StoreUnavailable("gone")

    monkeypatch.setattr(Graph, "stream", broken)
    with pytest.raises(StoreUnavailable):
        client.corpus(corpus).export(tmp_path / "world.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_graph_that_changes_meanwhile_is_told_of(
    client: Tetragraph, corpus: str, tmp_path: Path, driver: neo4j.Driver
) -> None:
    change = "MATCH (c:Corpus {corpus: $corpus, id: $corpus}) SET c.generation = c.generation + $by"
    with driver.session() as session:
        session.run(change, corpus=corpus, by=1).consume()
        report = client.corpus(corpus).export(tmp_path / "world.jsonl")
        session.run(change, corpus=corpus, by=-1).consume()
    assert "was being changed" in report.notes[0]


def test_a_corpus_that_is_not_there_and_a_page_of_all_of_it_are_refused(
    client: Tetragraph, corpus: str, tmp_path: Path
) -> None:
    with pytest.raises(UnknownCorpus):
        client.corpus("nowhere").export(tmp_path / "world.jsonl")
    with pytest.raises(InvalidInput, match="draws a part"):
        client.corpus(corpus).export(tmp_path / "world.html")
    assert list(tmp_path.iterdir()) == []


def test_the_command_and_the_client_for_asyncio_write_the_same(
    anchored_settings: Settings, corpus: str, tmp_path: Path
) -> None:
    environment = user_environment(anchored_settings)
    command = ("export", "a.jsonl", "-c", corpus)
    done = [
        run_here(*command, environment=environment, folder=tmp_path),
        run_here(*command, environment=environment, folder=tmp_path),
        run_process(*command, "--force", "--json", environment=environment, folder=tmp_path),
    ]
    assert [one.returncode for one in done] == [0, 2, 0]
    assert "relationships written to a.jsonl" in done[0].stdout
    assert "--force" in done[1].stderr
    assert json.loads(done[2].stdout)["form"] == "jsonl"

    async def export() -> None:
        async with await AsyncTetragraph.connect(anchored_settings) as client:
            await client.corpus(corpus).export(tmp_path / "b.jsonl")

    asyncio.run(export())
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_the_examples_of_the_document_run(
    client: Tetragraph, corpus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    known: dict[str, Any] = {"corpus": client.corpus(corpus)}
    for form in ("graphml", "jsonl"):
        known["corpus"].export(f"handbook.{form}")
    for example in re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL):
        exec(example, known)  # noqa: S102  # it is the document of this repository
    assert len(known["hubs"]) == 10
    assert set(known["titles"]) == set(anchored_world.PASSAGES)
    assert len(known["gains"]) > 0
    assert {"gain", "title"} <= set(known["novel"])
    assert Path("part.graphml").is_file()


@pytest.fixture
def chromium(pytestconfig: pytest.Config) -> str:
    """Where Chromium is; without it the test is skipped, with ``--require-browser`` it fails."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        required = pytestconfig.getoption("--require-browser", default=False)
        (pytest.fail if required else pytest.skip)("no Chromium: install it to see the page drawn")
    return str(found)


def test_a_browser_draws_a_result_and_nothing_in_it_does_harm(
    client: Tetragraph, corpus: str, chromium: str, tmp_path: Path
) -> None:
    from playwright.sync_api import expect, sync_playwright

    result = client.corpus(corpus).search(anchored_world.QUESTION, k=4)
    report = client.corpus(corpus).export(tmp_path / "page.html", result, title=HOSTILE)
    seen: list[str] = []
    with sync_playwright() as playwright, playwright.chromium.launch(
        executable_path=chromium, args=["--no-sandbox"]
    ) as browser:  # fmt: skip
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.on("console", lambda message: seen.append(message.text))
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.on("request", lambda request: seen.append(request.url) if request.url[:5] != "file:" else None)
        page.goto((tmp_path / "page.html").as_uri())
        drawn = page.evaluate("[drawing.nodes().length, drawing.edges().length, drawing.nodes('[rank > 0]').length]")
        assert drawn == [sum(report.nodes.values()), sum(report.relationships.values()), 4]
        page.wait_for_function(INKED)
        assert page.locator("h1").text_content() == HOSTILE

        page.locator("ol [data-shows]").first.press("Enter")
        expect(page.locator("#details")).to_contain_text(result[0].chunk.text[:40])
        page.locator("[data-label=Entity]").click()
        page.wait_for_function("count => drawing.nodes(':visible').length === count", arg=report.nodes["Chunk"])
        x, y = page.evaluate(
            "(() => { const box = document.getElementById('graph').getBoundingClientRect();"
            "const at = drawing.nodes('[rank = 2]').renderedPosition(); return [box.x + at.x, box.y + at.y]; })()"
        )
        page.mouse.click(x, y)
        expect(page.locator("#details h3")).to_have_text(result[1].chunk.title)
        before = page.evaluate("drawing.zoom()")
        page.locator("#graph").press("+")
        assert page.evaluate("drawing.zoom()") > before
        assert page.evaluate("window.harmed") is None
    assert seen == []
