"""The contract files, the command line in this process, and a corpus that it ingested."""

from __future__ import annotations

import io
import json
import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contract import Contract, Done, masked
from tetragraph import Document, Settings, Tetragraph, cli

_SESSION = re.compile(r'session"?:? "?([0-9a-f]{16})')
GRAPHS = ("bipartite", "gain", "tree", "types")


@dataclass(frozen=True)
class Place:
    """Where commands work.

    Attributes:
        folder: Sources are in it, and what commands write.
        settings: With stores that are in use by these tests alone, except the server.
        names: Volatile text to what is stored in its place.
    """

    folder: Path
    settings: Settings
    names: dict[str, str]

    @property
    def environment(self) -> dict[str, str]:
        """Variables that give the same settings to a command."""
        return {
            "NEO4J_URI": str(self.settings.neo4j_uri),
            "NEO4J_USERNAME": self.settings.neo4j_user,
            "NEO4J_PASSWORD": self.settings.neo4j_password.get_secret_value(),
            "TETRAGRAPH_HOME": str(self.settings.home),
            "TETRAGRAPH_CACHE": str(self.settings.cache),
            "COLUMNS": "500",
            "NO_COLOR": "1",
        }


Command = Callable[..., Done]


@pytest.fixture(scope="session")
def contract(pytestconfig: pytest.Config) -> Contract:
    """The files below ``tests/data/contract``: compared, or rewritten under ``--update-contract``."""
    return Contract(is_updated=bool(pytestconfig.getoption("--update-contract")))


@pytest.fixture(scope="session")
def place(neo4j_server: Settings, world: list[Document], tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A folder with the small world as a file of JSON lines."""
    folder = tmp_path_factory.mktemp("contract")
    rows = [{"id": one.id, "title": one.title, "text": one.text, **one.metadata} for one in world]
    (folder / "world.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    settings = neo4j_server.model_copy(update={"home": folder / "home", "cache": folder / "cache"})
    return Place(folder, settings, {str(folder): "folder", folder.name: "folder", str(neo4j_server.neo4j_uri): "uri"})


@pytest.fixture(scope="session")
def command(place: Place) -> Command:
    """Runs ``tetragraph`` in this process, as its entry point does."""

    def run(*arguments: str, **changed: str) -> Done:
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            _set(patch, place.environment | changed)
            patch.chdir(place.folder)
            patch.setattr("sys.stdin", io.StringIO())
            patch.setattr("sys.argv", ["tetragraph", *arguments])
            with pytest.raises(SystemExit) as ended:
                cli.main()
        code = ended.value.code
        assert isinstance(code, int)
        _name_sessions(out.getvalue() + err.getvalue(), place.names)
        return Done(code, masked(out.getvalue(), place.names), masked(err.getvalue(), place.names))

    return run


@pytest.fixture(scope="session")
def ingested(command: Command, place: Place) -> Iterator[tuple[str, Done]]:
    """Name of a corpus with all graphs that no test changes, and what the command printed that made it."""
    name = f"contract-{uuid.uuid4().hex[:12]}"
    place.names[name] = "corpus"
    build = [part for graph in GRAPHS for part in ("--build", graph)]
    yield name, command("ingest", "world.jsonl", "-c", name, *build, "--json")
    command("delete", name, "--yes")


@pytest.fixture(scope="session")
def corpus_of_all(ingested: tuple[str, Done]) -> str:
    """Name of that corpus."""
    name, done = ingested
    assert done.code == 0, done.err
    return name


@pytest.fixture
def asking(place: Place, corpus_of_all: str) -> Iterator[Any]:
    """That corpus."""
    with Tetragraph.connect(place.settings) as client:
        yield client.corpus(corpus_of_all)


def _name_sessions(printed: str, names: dict[str, str]) -> None:
    """Number the sessions that a command made, in the order in which they were made."""
    for found in _SESSION.findall(printed):
        if found not in names:
            names[found] = f"session {sum(name.startswith('session') for name in names.values()) + 1}"


def _set(patch: pytest.MonkeyPatch, variables: Mapping[str, str]) -> None:
    for name, value in variables.items():
        patch.setenv(name, value)
