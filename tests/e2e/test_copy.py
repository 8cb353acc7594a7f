"""A corpus is copied from local stores to servers and back: the same contents, and nothing is embedded."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

import small_world
from command_line import Cli
from environments import SHORT_LIVED_NEO4J
from tetragraph import CopyReport, Settings, Tetragraph, errors
from tetragraph.indexing.restore_mark import find_restore
from tetragraph.progress import NoProgress
from tetragraph.stores import local as stores

pytestmark = pytest.mark.slow
QUESTION = "Who is the sister of the engineer who built the harbour of Halvik?"


@pytest.fixture(scope="module")
def local(neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The session's Neo4j with vectors of Qdrant's engine."""
    base = tmp_path_factory.mktemp("copied")
    return neo4j_server.model_copy(update={"home": base / "home", "cache": base / "cache", "qdrant_url": None})


@pytest.fixture(scope="module")
def server(
    local: Settings,
    outside: Settings,
    qdrant_settings: Settings,
    tmp_path_factory: pytest.TempPathFactory,
    pytestconfig: pytest.Config,
) -> Iterator[Settings]:
    """Another Neo4j, with vectors on a Qdrant server."""
    defaults = {name: Settings.model_fields[name].default for name in ("neo4j_uri", "neo4j_user", "neo4j_database")}
    ports = {"bolt_port": None, "http_port": None}
    small = {"heap_mb": 512, "neo4j_config": SHORT_LIVED_NEO4J}
    own = outside.model_copy(update={"home": tmp_path_factory.mktemp("other"), **defaults, **ports, **small})
    try:
        started = stores.start(own)
    except errors.DownloadFailed as error:
        (pytest.fail if pytestconfig.getoption("--require-stores") else pytest.skip)(str(error))
    neo4j = {"neo4j_uri": started.uri, "neo4j_user": started.user, "neo4j_password": SecretStr(started.password)}
    qdrant = {"qdrant_url": qdrant_settings.qdrant_url, "qdrant_api_key": qdrant_settings.qdrant_api_key}
    yield local.model_copy(update={**defaults, **neo4j, **qdrant})
    stores.stop(own)


@pytest.fixture(scope="module")
def client(local: Settings) -> Iterator[Tetragraph]:
    with Tetragraph.connect(local) as client:
        yield client


@pytest.fixture(scope="module")
def original(client: Tetragraph) -> Iterator[str]:
    name = f"copied-{uuid.uuid4().hex[:12]}"
    client.corpus(name).ingest(small_world.documents(), build=small_world.GRAPHS)
    yield name
    client.corpus(name).drop()


@pytest.fixture
def names(original: str, local: Settings, server: Settings) -> Iterator[tuple[str, str]]:
    """Names of a copy on the server and of one that comes back; what a test makes under them is deleted."""
    there, back = (f"{original}-{uuid.uuid4().hex[:6]}" for _ in range(2))
    yield there, back
    for settings, name in ((server, there), (local, back)):
        with Tetragraph.connect(settings) as client:
            if find_restore(client.connection.graph, name) or client.connection.find_stores(name):
                client.corpus(name).drop()


class Stages(NoProgress):
    """Names of the stages of a call."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def start(self, stage: str, total: int | None, unit: str) -> None:
        self.seen.append(stage)


def hits(client: Tetragraph, name: str, method: str) -> list[tuple[str, float]]:
    return [(hit.chunk.id, round(hit.score, 5)) for hit in client.corpus(name).search(QUESTION, method=method)]


def test_a_copy_on_servers_and_one_back_equal_the_original(
    client: Tetragraph, original: str, local: Settings, server: Settings, names: tuple[str, str]
) -> None:
    there, back = names
    stages = Stages()
    report = client.corpus(original).copy(server, name=there, progress=stages)
    assert set(stages.seen) == {"nodes", "relationships", "vectors"}
    assert report == CopyReport(original, there, report.generation, report.rows, client.corpus(original).fingerprint())
    with Tetragraph.connect(server) as served:
        assert served.corpus(there).fingerprint() == report.fingerprint
        for method in ("dense", "evidence", "tree", "bipartite"):
            assert hits(served, there, method) == hits(client, original, method)
        assert served.doctor(corpus=there).faults == ()
        returned = served.corpus(there).copy(local, name=back)
    assert returned.fingerprint == report.fingerprint == client.corpus(back).fingerprint()
    assert client.doctor(corpus=back).faults == ()
    assert [path.name for path in (local.cache / "copies").iterdir()] == ["lock"]


def test_a_copy_replaces_nothing(
    client: Tetragraph, original: str, local: Settings, server: Settings, names: tuple[str, str]
) -> None:
    before = client.corpus(original).fingerprint()
    client.corpus(original).copy(server, name=names[0])
    for target, name in ((local, original), (server, names[0])):
        with pytest.raises(errors.InvalidInput, match="a copy replaces nothing"):
            client.corpus(original).copy(target, name=name)
    with pytest.raises(errors.InvalidInput, match="other stores must have other vectors"):
        client.corpus(original).copy(server.model_copy(update={"qdrant_url": None}))
    with pytest.raises(errors.InvalidInput, match="a corpus name must be"):
        client.corpus(original).copy(server, name="No Name")
    with pytest.raises(errors.UnknownCorpus):
        client.corpus("nobody").copy(server)
    other_key = server.model_copy(update={"qdrant_api_key": SecretStr("of another server")})
    with pytest.raises(errors.StoreDenied, match="Qdrant"):
        client.corpus(original).copy(other_key, name=f"{original}-denied")
    with Tetragraph.connect(server) as served:
        assert not any("denied" in one.name for one in served.doctor().faults)
    assert client.corpus(original).fingerprint() == before
    assert client.corpus(original).copy(local, name=names[1]).fingerprint == before


def test_a_copy_by_another_address_of_the_same_neo4j_has_the_same_vectors(
    client: Tetragraph, original: str, local: Settings, proxy: Any, tmp_path: Path
) -> None:
    by_proxy = local.model_copy(update={"neo4j_uri": f"bolt://127.0.0.1:{proxy.port}"})
    name = f"{original}-{uuid.uuid4().hex[:6]}"
    for vectors in ({"home": tmp_path}, {"qdrant_url": "http://127.0.0.1:1"}):
        with pytest.raises(errors.InvalidInput, match="a copy in the same Neo4j must have its vectors where"):
            client.corpus(original).copy(by_proxy.model_copy(update=vectors), name=name)
    assert name not in {one.name for one in client.corpora()}
    report = client.corpus(original).copy(by_proxy, name=name)
    assert report.fingerprint == client.corpus(name).fingerprint()
    client.corpus(name).drop()


def test_a_copy_that_was_interrupted_is_made_by_the_same_call(
    client: Tetragraph, original: str, server: Settings, names: tuple[str, str]
) -> None:
    class Interrupted(NoProgress):
        times = 0

        def start(self, stage: str, total: int | None, unit: str) -> None:
            self.times += stage == "vectors"
            if self.times == 2:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        client.corpus(original).copy(server, name=names[0], progress=Interrupted())
    with Tetragraph.connect(server) as served:
        assert names[0] not in {one.name for one in served.corpora()}
    report = client.corpus(original).copy(server, name=names[0])
    assert report.fingerprint == client.corpus(original).fingerprint()


def test_the_command_reads_the_other_stores_from_a_file(
    client: Tetragraph,
    original: str,
    local: Settings,
    server: Settings,
    names: tuple[str, str],
    cli: Cli,
    tmp_path: Path,
) -> None:
    client.connection.vectors.close()  # another process would wait until it is idle
    file = tmp_path / "server.env"
    assert server.qdrant_api_key is not None
    lines = {
        "NEO4J_URI": server.neo4j_uri,
        "NEO4J_PASSWORD": server.neo4j_password.get_secret_value(),
        "QDRANT_URL": server.qdrant_url,
        "QDRANT_API_KEY": server.qdrant_api_key.get_secret_value(),
        "TETRAGRAPH_HOME": server.home,
        "TETRAGRAPH_CACHE": server.cache,
    }
    file.write_text("".join(f"{name}={value}\n" for name, value in lines.items()), encoding="utf-8")
    places = {"TETRAGRAPH_HOME": str(local.home), "TETRAGRAPH_CACHE": str(local.cache)}
    done = cli("copy", original, "--to", file, "--as", names[0], "--json", **places)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["fingerprint"] == client.corpus(original).fingerprint()
    client.connection.vectors.close()
    for arguments, message in {
        ("--to", "http://localhost:6333"): "the address of Qdrant is --qdrant",
        ("--to", "neo4j://localhost:7687"): "name it (--qdrant, QDRANT_URL)",
        ("--to", "none.env"): "must be a file such as server.env",
        ("--to", "local", "--qdrant", "http://localhost"): "--qdrant belongs to the address of a Neo4j server",
    }.items():
        refused = cli("copy", original, *arguments, **places)
        assert (refused.returncode, message in refused.stderr) == (2, True), refused.stderr
