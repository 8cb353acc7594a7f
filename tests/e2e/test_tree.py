"""From documents to themes: in the terminal, as a page, and in Python."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from command_line import Cli
from tetragraph import AsyncTetragraph, Document, Tetragraph, errors

HOSTILE = "</script><b>Halvik"


def test_a_corpus_shows_its_themes(cli: Cli, corpus_name: str, world_file: Path, tmp_path: Path) -> None:
    with world_file.open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps({"id": "hostile", "title": HOSTILE, "text": "Halvik has a harbour."}))
    assert cli("ingest", str(world_file), "-c", corpus_name, "--build", "none").returncode == 0
    missing = cli("tree", corpus_name)
    assert missing.returncode == 1
    assert f"`tetragraph build tree -c {corpus_name}` makes it" in " ".join(missing.stderr.split())
    assert cli("build", "tree", "-c", corpus_name, "-o", "neighbours=3").returncode == 0

    told = json.loads(cli("tree", corpus_name, "--json").stdout)
    assert told["chunks"] == sum(theme["size"] for theme in told["themes"]) == 13
    first = told["themes"][0]
    shown = cli("tree", corpus_name, "--limit", "1")
    assert shown.returncode == 0
    assert f"{first['id'][:8]}  {first['name']}" in shown.stdout
    assert ("more; --limit shows them" in shown.stdout) == (len(told["themes"]) > 1)

    report = json.loads(cli("tree", corpus_name, "--theme", first["id"], "--json").stdout)
    assert report["theme"]["id"] == first["id"]
    assert len(report["chunks"]) == min(first["size"], 10)
    detail = cli("tree", corpus_name, "--theme", first["id"][:10])
    assert detail.returncode == 0
    assert report["chunks"][0]["id"] in detail.stdout
    assert cli("tree", corpus_name, "--theme", "nonsense").returncode == 1

    page = tmp_path / "new folder" / "themes.html"
    assert cli("tree", corpus_name, "--html", str(page)).stdout == f"written to {page}\n"
    scripts = LexborHTMLParser(page.read_text(encoding="utf-8")).css("script")
    assert len(scripts) == 2
    assert cli("tree", corpus_name, "--html", str(tmp_path)).returncode == 2
    assert all(title in str(scripts[1].text()) for title in ("Mina Holt", "Low Tide"))


def test_python_tells_the_same_and_why_two_chunks_are_near(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world, build=("tree",))
    overview = corpus.tree(with_chunks=True)
    theme = next(theme for theme in overview.walk() if len(theme.chunks) > 1)
    report = corpus.theme(theme.id, limit=1)
    assert report.theme.id == theme.id
    assert report.chunks[0].id in {chunk.id for chunk in theme.chunks}
    near = corpus.affinity(theme.chunks[0].id, theme.chunks[1].id)
    assert near is None or near.weight > 0
    with pytest.raises(errors.UnknownChunk):
        corpus.affinity(theme.chunks[0].id, "nonsense")

    async def told() -> tuple[object, ...]:
        other = AsyncTetragraph(client).corpus(corpus_name)
        pair = (theme.chunks[0].id, theme.chunks[1].id)
        return await other.tree(with_chunks=True), await other.theme(theme.id, limit=1), await other.affinity(*pair)

    assert asyncio.run(told()) == (overview, report, near)
