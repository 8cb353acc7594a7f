"""The local Neo4j, started once for most of these tests, and again for tests of the start."""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
import signal
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import neo4j
import psutil
import pytest

from command_line import run_process
from tetragraph.connection import open_graph
from tetragraph.errors import (
    CorruptHome,
    DownloadFailed,
    PortInUse,
    StartFailed,
    StoreDenied,
    StoreError,
    StoreUnavailable,
)
from tetragraph.host import processes
from tetragraph.progress import NoProgress
from tetragraph.settings import Settings
from tetragraph.stores import gds, local
from tetragraph.stores.graph import Graph
from tetragraph.stores.local import config, download, homes, jars, launch, ports
from tetragraph.stores.local.homes import State
from tetragraph.stores.local.jars import Distribution
from tetragraph.stores.local.server import LocalServer

STARTER = """
import json, pickle, signal, sys
from tetragraph.stores import local
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background inherits that it is ignored
server = local.start(pickle.loads(bytes.fromhex(sys.argv[1])))
print(json.dumps([server.pid, server.new]))
"""
WAIT_S = 60.0


def start_elsewhere(settings: Settings) -> subprocess.Popen[str]:
    """Ask for the server in a process of its own, which prints its number and whether it is new."""
    command = [sys.executable, "-W", "error", "-c", STARTER, pickle.dumps(settings).hex()]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def answer(process: subprocess.Popen[str]) -> tuple[int, bool]:
    output, complaint = process.communicate()
    assert process.returncode == 0, complaint
    pid, is_new = json.loads(output)
    return pid, is_new


def server_process(settings: Settings) -> int | None:
    """The server of the settings' home, whatever the records say."""
    return processes.find(config.home_argument(homes.of(settings)))


def begun(settings: Settings) -> subprocess.Popen[str]:
    """A process that has begun to start the server and waits for it."""
    starter = start_elsewhere(settings)
    home = homes.of(settings)
    assert processes.wait_until(lambda: home.state() is not None or starter.poll() is not None, WAIT_S)
    assert starter.poll() is None, starter.communicate()
    return starter


@pytest.fixture(scope="module")
def base(outside: Settings, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Settings:
    """Settings with the machine's own cache, filled if it was empty, and a home of this module."""
    own = {"home": tmp_path_factory.mktemp("local"), "bolt_port": None, "http_port": None}
    settings = Settings.model_construct(**{**dict(outside), **own})
    try:
        download.complete(jars.distribution(settings.cache), download.source(settings))
    except DownloadFailed as error:
        (pytest.fail if pytestconfig.getoption("--require-stores") else pytest.skip)(str(error))
    return settings


@pytest.fixture(scope="module")
def both(base: Settings) -> Iterator[list[tuple[int, bool]]]:
    """What two processes were told that asked for the server at once."""
    starters = [start_elsewhere(base), start_elsewhere(base)]
    yield [answer(starter) for starter in starters]
    local.stop(base)


@pytest.fixture
def server(base: Settings, both: list[tuple[int, bool]]) -> LocalServer:
    """The server of this module."""
    return local.start(base)


@pytest.fixture
def fresh(base: Settings, tmp_path: Path) -> Iterator[Settings]:
    """A home of this test."""
    settings = base.model_copy(update={"home": tmp_path})
    yield settings
    local.stop(settings)


def test_two_that_ask_at_once_get_one_server(both: list[tuple[int, bool]]) -> None:
    (first, first_new), (second, second_new) = both
    assert first == second
    assert sorted([first_new, second_new]) == [False, True]


def test_asking_again_gives_the_server_that_runs(
    base: Settings, server: LocalServer, both: list[tuple[int, bool]]
) -> None:
    assert (server.pid, server.new) == (both[0][0], False)
    assert local.find(base) == server
    assert server.started_in_s > 0


def test_bolt_answers_with_gds_and_http_with_the_browser(base: Settings, server: LocalServer) -> None:
    graph = Graph.connect(server.uri, server.user, server.password)
    found, version = graph.server(), gds.find_version(graph)
    graph.close()
    lock = jars.distribution(base.cache).lock
    assert (found.version, found.edition, version) == (lock.neo4j, "community", lock.gds)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{server.http_url}/browser/") as page:
        assert b"neo4j" in page.read().lower()


def test_a_nearly_full_disk_refuses_writes_and_not_reads(
    base: Settings, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Path] = []

    def full(folder: Path) -> object:
        looked.append(folder)
        return shutil._ntuple_diskusage(10**9, 10**9, 0)

    graph = open_graph(base, NoProgress())
    monkeypatch.setattr(shutil, "disk_usage", full)
    assert graph.read("corpus/find_corpora") == []
    with pytest.raises(StoreError, match=r"writing to the local Neo4j in .* needs 64 MB of free disk, it has 0 MB"):
        graph.write("corpus/delete_corpus", corpus="nothing")
    graph.close()
    assert looked == [homes.of(base).folder / "data"]
    assert (looked[0] / "transactions").is_dir()


@pytest.mark.parametrize("password", ["neo4j", "wrong", ""])
def test_no_other_password_opens_it(server: LocalServer, password: str) -> None:
    with pytest.raises(StoreDenied):
        Graph.connect(server.uri, server.user, password)


def test_it_listens_on_loopback_alone(server: LocalServer) -> None:
    found = [end.laddr for end in psutil.Process(server.pid).net_connections() if end.status == psutil.CONN_LISTEN]
    assert {address.ip.removeprefix("::ffff:") for address in found} == {"127.0.0.1"}
    assert {str(address.port) for address in found} == {server.uri.split(":")[-1], server.http_url.split(":")[-1]}


@pytest.mark.parametrize("address", ["file:///etc/hosts", "http://127.0.0.1:9/rows.csv"])
def test_load_csv_reads_neither_files_nor_addresses(server: LocalServer, address: str) -> None:
    with (
        neo4j.GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver,
        pytest.raises(neo4j.exceptions.Neo4jError, match=r"blocked|Cannot load"),
    ):
        driver.execute_query("LOAD CSV FROM $address AS row RETURN row", address=address)


def test_only_its_owner_can_read_home_and_password(base: Settings, server: LocalServer) -> None:
    home = homes.of(base)
    assert stat.S_IMODE(home.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(home.auth.stat().st_mode) == 0o600
    assert not [word for word in psutil.Process(server.pid).cmdline() if server.password in word]


def test_the_status_tells_what_runs(base: Settings, server: LocalServer) -> None:
    found = local.status(base)
    assert (found.running, found.answers, found.pid, found.uri) == (True, True, server.pid, server.uri)
    assert found.jars_present == found.jars_total
    assert found.java
    assert found.resident_mb > 100
    assert 0 < found.data_mb < 10


def test_the_status_of_a_paused_server_tells_that_it_does_not_answer(base: Settings, server: LocalServer) -> None:
    environment = {**os.environ, "TETRAGRAPH_HOME": str(base.home), "TETRAGRAPH_CACHE": str(base.cache)}
    os.kill(server.pid, signal.SIGSTOP)
    try:
        found = local.status(base)
        printed = run_process("status", environment=environment, folder=base.home).stdout
    finally:
        os.kill(server.pid, signal.SIGCONT)
    assert (found.running, found.answers, found.pid) == (True, False, server.pid)
    told = " ".join(printed.split())  # a process id of five digits makes the line too long for one
    assert f"process {server.pid} runs and does not answer: `tetragraph down` ends it" in told
    assert f"running, pid {server.pid}" in run_process("status", environment=environment, folder=base.home).stdout


def test_the_checks_find_nothing_wrong(base: Settings, server: LocalServer) -> None:
    assert [finding for finding in local.inspect(base) if not finding.ok] == []


def test_a_port_that_was_asked_for_and_is_taken_ends_the_start(
    base: Settings, fresh: Settings, server: LocalServer
) -> None:
    taken = int(server.uri.split(":")[-1])
    with pytest.raises(PortInUse, match=f"asks for port {taken}"):
        local.start(fresh.model_copy(update={"bolt_port": taken}))
    assert server_process(fresh) is None
    assert local.find(base) == server


@pytest.mark.slow
def test_a_start_whose_ports_another_neo4j_took_meanwhile_takes_others(
    base: Settings, fresh: Settings, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([False, False])  # the usual ports were free when they were chosen
    really = ports.is_taken
    monkeypatch.setattr(ports, "is_taken", lambda port: next(answers, None) is None and really(port))
    home = homes.of(fresh)
    home.prepare()
    taken = ports.Ports(int(server.uri.split(":")[-1]), int(server.http_url.split(":")[-1]))
    home.save_state(State(0, taken.bolt, taken.http, "25"))
    home.clear_state()
    started = local.start(fresh)
    assert {started.uri, started.http_url}.isdisjoint({server.uri, server.http_url})
    assert local.status(fresh).answers
    assert "already in use" in home.console.read_text()
    assert local.find(base) == server


def test_another_password_than_that_of_the_data_is_not_called_damage(
    base: Settings, fresh: Settings, server: LocalServer
) -> None:
    home, state = homes.of(fresh), homes.of(base).state()
    home.prepare()
    home.auth.write_text("another")
    assert state
    with pytest.raises(CorruptHome, match=rf"must have the password in {home.auth}, they have another") as raised:
        launch.check_login(home, state)
    assert "damaged" not in str(raised.value)


def test_the_reason_of_a_failed_start_is_told(fresh: Settings) -> None:
    with pytest.raises(StartFailed, match=r"mend TETRAGRAPH_NEO4J_CONFIG.*no\.such\.setting"):
        local.start(fresh.model_copy(update={"neo4j_config": {"no.such.setting": "1"}}))
    assert server_process(fresh) is None
    assert local.find(fresh) is None


def test_more_memory_than_there_is_ends_the_start(fresh: Settings) -> None:
    with pytest.raises(StartFailed, match="lower TETRAGRAPH_HEAP_MB"):
        local.start(fresh.model_copy(update={"page_cache_mb": 1_000_000_000}))
    assert homes.of(fresh).state() is None


def test_a_damaged_jar_is_named_and_mended_by_the_full_check(fresh: Settings, tmp_path: Path) -> None:
    whole = jars.distribution(fresh.cache)
    damaged = Distribution(whole.lock, tmp_path / "cache" / "neo4j" / whole.lock.id)
    for jar in whole.lock.jars:
        damaged.file(jar).parent.mkdir(parents=True, exist_ok=True)
        damaged.file(jar).symlink_to(whole.file(jar))
    (damaged.folder.parent / "another").symlink_to(whole.folder)
    victim = next(jar for jar in whole.lock.jars if jar.artifact == "neo4j-server")
    damaged.file(victim).unlink()
    damaged.file(victim).write_bytes(b"x" * victim.size)
    own = fresh.model_copy(update={"cache": tmp_path / "cache"})
    with pytest.raises(StartFailed, match="tetragraph up --check"):
        local.start(own)
    download.complete(damaged, download.source(own), check=True)
    assert damaged.damaged() == []


def test_ctrl_c_while_it_waits_leaves_no_server(fresh: Settings) -> None:
    starter = begun(fresh)
    starter.send_signal(signal.SIGINT)
    _, complaint = starter.communicate()
    assert "KeyboardInterrupt" in complaint
    assert server_process(fresh) is None
    assert homes.of(fresh).state() is None


@pytest.mark.slow
def test_damaged_data_are_named_and_nothing_is_left_running(
    base: Settings, fresh: Settings, server: LocalServer
) -> None:
    home = homes.of(fresh)
    shutil.copytree(homes.of(base).folder, home.folder, ignore=shutil.ignore_patterns("server.json", "*.log*"))
    for store in (home.folder / "data" / "databases" / "neo4j").rglob("neostore*"):
        store.write_bytes(os.urandom(store.stat().st_size))
    with pytest.raises(CorruptHome, match=rf"Failed to start .*{home.folder} are damaged, move them away"):
        local.start(fresh)
    assert server_process(fresh) is None


@pytest.mark.slow
def test_a_damaged_end_of_the_transaction_logs_is_cut_off_by_the_command_of_the_error(
    base: Settings, fresh: Settings, server: LocalServer
) -> None:
    home = homes.of(fresh)
    shutil.copytree(homes.of(base).folder, home.folder, ignore=shutil.ignore_patterns("server.json", "*.log*"))
    with (home.folder / "data" / "transactions" / "neo4j" / "neostore.transaction.db.0").open("ab") as log:
        log.write(b"\xff" * 5_000)
    with pytest.raises(
        CorruptHome, match=r"cannot recover the end of its transaction logs.* then `tetragraph doctor`"
    ) as told:
        local.start(fresh)
    assert server_process(fresh) is None
    (config_of_error,) = re.findall(r"TETRAGRAPH_NEO4J_CONFIG='(.*)' tetragraph up", str(told.value))
    again = local.start(fresh.model_copy(update={"neo4j_config": json.loads(config_of_error)}))
    with neo4j.GraphDatabase.driver(again.uri, auth=(again.user, again.password)) as driver:
        assert driver.execute_query("RETURN 1 AS one").records[0]["one"] == 1


@pytest.mark.slow
def test_a_database_that_stopped_after_an_error_of_its_disk_is_told_until_the_server_is_restarted(
    fresh: Settings,
) -> None:
    server = local.start(fresh)
    process = psutil.Process(server.pid)
    limits = process.rlimit(psutil.RLIMIT_FSIZE)
    logs = homes.of(fresh).folder / "data" / "transactions" / "neo4j" / "neostore.transaction.db.0"
    graph = open_graph(fresh, NoProgress())
    remedy = "stopped its database after an error, .*`tetragraph down`.*the same command again"
    process.rlimit(psutil.RLIMIT_FSIZE, (logs.stat().st_size + 1, limits[1]))  # its disk takes no more of the logs
    with pytest.raises(StoreUnavailable, match=remedy):
        graph.run_schema("CREATE CONSTRAINT full IF NOT EXISTS FOR (full:Full) REQUIRE full.id IS UNIQUE")
    process.rlimit(psutil.RLIMIT_FSIZE, limits)
    with pytest.raises(StoreUnavailable, match=remedy):
        graph.read("corpus/find_corpora")
    graph.close()
    finding = local.inspect(fresh)[-1]
    assert not finding.ok
    assert re.search(remedy, finding.detail)
    local.stop(fresh)
    local.start(fresh)
    assert local.inspect(fresh)[-1].ok


@pytest.mark.slow
def test_a_killed_server_comes_back_with_its_data_also_when_its_starter_dies(
    base: Settings, server: LocalServer
) -> None:
    auth = (server.user, server.password)
    with neo4j.GraphDatabase.driver(server.uri, auth=auth) as driver:
        driver.execute_query("CREATE (:Kept {number: 7})")
    os.kill(server.pid, signal.SIGKILL)
    assert processes.wait_until(lambda: local.find(base) is None, WAIT_S)
    homes.of(base).clear_state()
    starter = begun(base)
    starter.kill()
    starter.communicate()
    assert local.find(base) is None
    again = local.start(base)
    assert (again.uri, again.password, again.new) == (server.uri, server.password, False)
    assert again.pid != server.pid
    with neo4j.GraphDatabase.driver(again.uri, auth=auth) as driver:
        assert driver.execute_query("MATCH (kept:Kept) RETURN kept.number AS number").records[0]["number"] == 7


def test_stop_leaves_no_process_and_says_whether_one_ran(base: Settings, server: LocalServer) -> None:
    assert local.stop(base) is True
    assert server_process(base) is None
    assert local.find(base) is None
    assert local.stop(base) is False
    assert not ports.is_taken(int(server.uri.split(":")[-1]))
