"""A corpus follows what addresses serve: only what changed is read, and a server that fails deletes nothing."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import small_world
from command_line import Cli
from tetragraph import Corpus, FetchOptions, Settings, Tetragraph
from tetragraph.progress import NoProgress
from tetragraph.stores.graph import Graph
from web_site import Page, WebSite

QUICK = FetchOptions(delay_s=0)
PATHS = {title: f"/world/{title.lower().replace(' ', '-')}" for title in small_world.WORLD}


class _Counting(NoProgress):
    """Progress that counts embedded chunks."""

    embedded = 0

    def advance(self, stage: str, amount: int = 1) -> None:
        self.embedded += amount if stage == "embedding" else 0


@pytest.fixture
def web() -> Iterator[WebSite]:
    """A web server with a page for each document of the small world, and a sitemap."""
    with WebSite() as site:
        for title, text in small_world.WORLD.items():
            site.write(PATHS[title], title, text)
        site.list_pages("/sitemap.xml", *PATHS.values())
        yield site


@pytest.fixture
def corpus(client: Tetragraph, corpus_name: str) -> Corpus:
    return client.corpus(corpus_name)


def read_record(settings: Settings, corpus: str) -> list[dict[str, Any]]:
    file = settings.home / "sync" / f"{corpus}.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_corpus_follows_the_pages_of_a_sitemap(client: Tetragraph, corpus: Corpus, web: WebSite) -> None:
    sitemap = f"{web.address}/sitemap.xml"
    plan = corpus.sync(sitemap, fetching=QUICK, dry_run=True).plan
    assert (len(plan.added), plan.requests) == (12, {"read": 12, "sitemaps": 1})
    assert corpus.name not in {one.name for one in client.corpora()}
    assert len(corpus.sync(sitemap, fetching=QUICK).plan.added) == 12
    hit = corpus.search("Where was Elva Kron born?", k=1).hits[0]
    assert (hit.chunk.document_id, hit.chunk.source) == (f"{web.address}{PATHS['Elva Kron']}",) * 2
    web.statuses()
    progress = _Counting()
    same = corpus.sync(sitemap, fetching=QUICK, progress=progress)
    assert (same.plan.unchanged, bool(same.plan), progress.embedded) == (12, False, 0)
    assert {one: status for one, status in web.statuses().items() if one.startswith("/world")} == dict.fromkeys(
        PATHS.values(), 304
    )
    del web.pages[PATHS["Halvik"]]
    web.write(PATHS["Old Port"], "Old Port", "Old Port has a new mayor, Ida Brandt.")
    web.write("/world/mayors", "Mayors", "Ida Brandt is the mayor of Old Port.")
    web.list_pages("/sitemap.xml", *PATHS.values(), "/world/mayors")
    report = corpus.sync(sitemap, fetching=QUICK)
    assert report.plan.requests == {"read": 2, "not modified": 10, "gone": 1, "sitemaps": 1}
    assert report.removed == (f"{web.address}{PATHS['Halvik']}",)
    assert (len(report.plan.added), len(report.plan.changed)) == (1, 1)
    assert client.doctor(corpus=corpus.name).faults == ()
    first, last = read_record(client.connection.settings, corpus.name)
    assert (first["addresses"], len(first["added"])) == ([sitemap], 12)
    assert (last["requests"]["not modified"], last["removed"]) == (10, list(report.removed))


def test_a_page_at_another_address_is_not_embedded_again(corpus: Corpus, web: WebSite, graph: Graph) -> None:
    corpus.sync(f"{web.address}/sitemap.xml", fetching=QUICK, build=("bipartite", "gain", "tree"))
    counts = corpus.counts()
    moved = {old: old.replace("/world/", "/people/") for old in PATHS.values()}
    for old, new in moved.items():
        web.pages[new] = web.pages.pop(old)
    web.list_pages("/sitemap.xml", *moved.values())
    progress = _Counting()
    report = corpus.sync(f"{web.address}/sitemap.xml", fetching=QUICK, progress=progress)
    assert (len(report.plan.renamed), report.plan.added, report.removed) == (12, (), ())
    assert (progress.embedded, corpus.counts()) == (0, counts)


def test_a_server_that_fails_deletes_nothing(client: Tetragraph, corpus: Corpus, web: WebSite, tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text("\n".join(f"{web.address}{path}" for path in PATHS.values()), encoding="utf-8")
    corpus.sync(listed, fetching=QUICK, build=())
    pages = dict(web.pages)

    def sync(**options: Any) -> tuple[str, int]:
        report = corpus.sync(listed, fetching=QUICK, build=(), **options)
        assert report.ingest is not None
        return report.plan.held, report.ingest.counts["documents"]

    web.pages |= dict.fromkeys(PATHS.values(), Page(status=500))
    assert sync() == ("", 12)
    web.pages = {"/robots.txt": Page(status=503)}
    assert sync() == ("", 12)
    web.pages = {}
    assert sync() == ("none of the addresses has a page", 12)
    listed.write_text("# nothing\n", encoding="utf-8")
    assert sync() == ("the list of addresses is empty", 12)
    web.pages = pages
    web.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /world/h")
    listed.write_text("\n".join(f"{web.address}{path}" for path in [*PATHS.values()][:9]), encoding="utf-8")
    assert sync() == ("", 9)  # three pages were taken from the list, and what robots.txt forbids now stays
    web.stop()
    assert sync() == ("", 9)
    listed.write_text("", encoding="utf-8")
    assert sync(confirmed=True) == ("the list of addresses is empty", 0)


def test_lists_of_one_corpus_and_folders_do_not_touch_one_another(
    client: Tetragraph, corpus: Corpus, web: WebSite, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "note.md").write_text("# Note\n\nHalvik has a second harbour.\n", encoding="utf-8")
    corpus.sync(folder, build=())
    corpus.sync(f"{web.address}{PATHS['Halvik']}", fetching=QUICK, build=())
    corpus.sync([f"{web.address}{PATHS['Old Port']}", f"{web.address}{PATHS['Low Tide']}"], fetching=QUICK, build=())
    assert corpus.counts()["documents"] == 4
    corpus.ingest(folder, build=(), prune=True)
    assert not corpus.sync(folder, build=()).plan
    assert not corpus.sync(f"{web.address}{PATHS['Halvik']}", fetching=QUICK, build=()).plan
    assert corpus.counts()["documents"] == 4


def test_nothing_but_the_listed_host_and_the_stores_is_connected_to(
    corpus: Corpus, web: WebSite, server_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.list_pages("/sitemap.xml", *PATHS.values(), more=("http://192.0.2.1/x", "http://localhost/x"))
    web.pages[PATHS["Halvik"]] = Page(status=302, headers={"Location": "http://192.0.2.2/"})
    reached: set[Any] = set()
    connect = socket.socket.connect

    def watched(self: socket.socket, address: Any) -> None:
        reached.add(address[1] if isinstance(address, tuple) else address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", watched)
    plan = corpus.sync(f"{web.address}/sitemap.xml", fetching=QUICK).plan
    assert (len(plan.added), len(plan.skipped)) == (11, 3)
    assert web.port in reached
    assert reached <= {web.port, int(str(server_settings.neo4j_uri).rpartition(":")[2])}


def test_the_command_follows_addresses(cli: Cli, corpus_name: str, web: WebSite, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(f"{web.address}{PATHS['Halvik']}\n", encoding="utf-8")
    arguments = ("-c", corpus_name, "--build", "none", "--delay", "0", "--at-once", "4")
    planned = cli("sync", "list.txt", f"{web.address}{PATHS['Old Port']}", *arguments, "--dry-run")
    assert "2 to add" in planned.stdout
    assert "pages: 2 read" in planned.stdout
    web.pages[PATHS["Low Tide"]] = Page(status=500)
    done = cli("sync", "list.txt", f"{web.address}{PATHS['Low Tide']}", *arguments)
    assert (done.returncode, "answers with status 500" in done.stderr) == (0, True)
    web.stop()
    away = cli("sync", f"{web.address}{PATHS['Low Tide']}", *arguments)
    assert (away.returncode, "cannot be read" in away.stderr) == (3, True)
    watched = cli("sync", f"{web.address}/", *arguments, "--watch")
    assert (watched.returncode, "--watch follows one folder" in watched.stderr) == (2, True)
