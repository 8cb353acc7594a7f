"""What a user sees of navigation that the text files of a folder share."""

from __future__ import annotations

from pathlib import Path

from command_line import Cli
from tetragraph import Tetragraph
from tetragraph.model.reading import ReadingOptions

MENU = "* [Timetable of trams](https://sund.test/tram)\n* [Fares](https://sund.test/fares)\n* [Lost](https://sund.test/lost)"
STORIES = ("The pier", "The crane", "The light", "The wall", "The basin", "The auction")


def _write(folder: Path) -> Path:
    folder.mkdir()
    for number, name in enumerate(STORIES):
        text = f"{MENU}\n\n# {name}\n\n{name} of Halvik was built in {1880 + number}.\n"
        (folder / f"{number}.md").write_text(text, encoding="utf-8")
    return folder


def test_shared_navigation_is_stored_and_not_found(client: Tetragraph, corpus_name: str, tmp_path: Path) -> None:
    folder = _write(tmp_path / "site")
    corpus = client.corpus(corpus_name)
    report = corpus.ingest(folder)
    assert any(note.startswith("site/0.md and 5 more: lines of navigation, teasers") for note in report.notes)
    assert not any("Timetable" in hit.chunk.text for hit in corpus.search("timetable of trams", k=20, method="keyword"))
    document = corpus.document("site/0.md")
    assert document.text == (folder / "0.md").read_text(encoding="utf-8").strip()
    assert document.record.left_out == len(MENU)
    assert document.left_out == ((0, MENU),)
    assert corpus.documents()[0].left_out == len(MENU)
    generation = report.generation
    assert corpus.ingest(folder).generation == generation

    (folder / "6.md").write_text(f"{MENU}\n\nThe mast of Halvik is new.\n", encoding="utf-8")
    corpus.ingest(folder / "6.md", prefix="site")
    assert corpus.document("site/6.md").left_out == ((0, MENU),)
    corpus.ingest(folder / "6.md", prefix="kept", reading=ReadingOptions(boilerplate="keep"))
    assert corpus.document("kept/6.md").left_out == ()


def test_a_restored_corpus_remembers_it(client: Tetragraph, corpus_name: str, tmp_path: Path) -> None:
    client.corpus(corpus_name).ingest(_write(tmp_path / "site"))
    client.corpus(corpus_name).backup(tmp_path / "site.tetragraph")
    client.restore(tmp_path / "site.tetragraph", name=f"{corpus_name}-b")
    (tmp_path / "site" / "6.md").write_text(f"{MENU}\n\nThe mast of Halvik is new.\n", encoding="utf-8")
    restored = client.corpus(f"{corpus_name}-b")
    restored.ingest(tmp_path / "site" / "6.md", prefix="site")
    assert restored.document("site/6.md").left_out == ((0, MENU),)


def test_the_command_line_shows_and_keeps_it(cli: Cli, corpus_name: str, tmp_path: Path) -> None:
    folder = _write(tmp_path / "site")
    dry = cli("ingest", str(folder), "-c", corpus_name, "--dry-run")
    assert "lines of navigation, teasers and notices" in dry.stderr
    assert cli("ingest", str(folder), "-c", corpus_name).returncode == 0
    shown = cli("show", "site/0.md", "-c", corpus_name).stdout
    assert "not indexed, as many documents have these lines:" in shown
    assert shown.index("Timetable of trams") < shown.index("The pier of Halvik was built in 1880")
    assert cli("ingest", str(folder), "-c", f"{corpus_name}-all", "--boilerplate", "keep").returncode == 0
    assert "not indexed" not in cli("show", "site/0.md", "-c", f"{corpus_name}-all").stdout
    assert cli("delete", f"{corpus_name}-all", "--yes").returncode == 0
