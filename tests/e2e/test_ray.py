"""Workers of a Ray cluster embed and parse; what is written is what one process writes, to the byte."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import watched_network
from command_line import Cli
from ray_cluster import VARIABLES, RayCluster, running_cluster
from tetragraph import Settings, Tetragraph, errors, samples
from tetragraph.executors import ray_executor
from tetragraph.executors.worker import describe_installation
from tetragraph.indexing import documents
from tetragraph.indexing.report import IngestReport
from tetragraph.progress import NoProgress
from tetragraph.systems.bipartite_graph import extractors, vectors

pytest.importorskip("ray")
PASSAGES = 32
ALONE = """
import json, os, sys, time
import psutil
from tetragraph.executors import open_executor
from tetragraph.language.embedders.steps import EmbedTexts
from tetragraph.settings import Settings

step = EmbedTexts("minilm")
with open_executor("ray", Settings(ray_workers=1)) as executor:
    executor.check([step])
    found = executor.begin(step, ["a text"], len)()
    processes = psutil.Process().children(recursive=True)
    environments = [one for process in processes if "PATH" in (one := process.environ())]  # titles replace others
    time.sleep(3)  # in which a cluster that reports its usage does so
same = found.tobytes() == step.load()(["a text"]).tobytes()
_, alive = psutil.wait_procs(processes, timeout=20)
print(json.dumps({"same": same, "environments": environments, "alive": len(alive)}))
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayCluster]:
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the first of the sample's passages."""
    file = tmp_path_factory.mktemp("passages") / "some.jsonl"
    with gzip.open(str(samples.passages()), "rt", encoding="utf-8") as lines:
        file.write_text("".join(line for line, _ in zip(lines, range(PASSAGES), strict=False)), encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "BATCH_DOCUMENTS", 4)
    monkeypatch.setattr(extractors, "_BATCH", 4)
    monkeypatch.setattr(vectors, "_BATCH", 32)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)


class _Kills(NoProgress):
    """Kills the workers when the first part of each stage is complete, and further ones have not been begun."""

    def __init__(self, cluster: RayCluster) -> None:
        self._cluster = cluster
        self._stages = {"documents", "extraction"}

    def advance(self, stage: str, amount: int = 1) -> None:
        if amount and stage in self._stages:
            self._stages.remove(stage)
            for worker in self._cluster.workers():
                worker.kill()


def _of_content(report: IngestReport) -> IngestReport:
    """A report without what differs between two runs."""
    return replace(report, seconds={}, executor="", notes=())


@pytest.mark.slow
def test_two_workers_write_what_one_process_writes_though_they_are_killed(
    server_settings: Settings, cluster: RayCluster, corpus_name: str, passages: Path
) -> None:
    settings = server_settings.model_copy(update={"ray_address": cluster.address, "ray_workers": 2})
    with Tetragraph.connect(settings) as client:
        here, there = client.corpus(f"{corpus_name}-here"), client.corpus(f"{corpus_name}-there")
        expected = here.ingest(passages, build=["bipartite"])
        found = there.ingest(passages, build=["bipartite"], executor="ray", progress=_Kills(cluster))
        assert (expected.executor, found.executor) == ("local", "ray")
        assert found.notes[0] == "executor ray: 2 workers on 1 machine"
        assert len([note for note in found.notes if "ended, and its part was computed by another one" in note]) >= 2
        assert _of_content(found) == _of_content(expected)
        assert there.fingerprint() == here.fingerprint()


def test_workers_that_differ_or_are_away_are_refused_before_anything_is_written(
    server_settings: Settings,
    cluster: RayCluster,
    cli: Cli,
    corpus_name: str,
    passages: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    away = cli("ingest", passages, "-c", corpus_name, "--executor", "ray", TETRAGRAPH_RAY_ADDRESS="127.0.0.1:1")
    assert away.returncode == 1
    assert "needs a Ray cluster at '127.0.0.1:1', got: [Errno 111]" in " ".join(away.stderr.split())
    settings = server_settings.model_copy(update={"ray_address": cluster.address, "executor": "ray"})
    with Tetragraph.connect(settings) as client:
        monkeypatch.setattr(
            ray_executor, "describe_installation", lambda steps: {**describe_installation(steps), "spacy": "3.0"}
        )
        with pytest.raises(errors.WorkersUnavailable, match=r"has another spacy \(spacy: 3.0 here, 3\..* there\)"):
            client.corpus(corpus_name).ingest(passages)
        assert corpus_name not in [one.name for one in client.corpora()]


@pytest.mark.slow
def test_a_cluster_that_a_command_starts_reports_nothing_has_no_key_and_ends(tmp_path: Path) -> None:
    if not watched_network.has_namespaces():
        pytest.skip("needs Linux with namespaces of users and the command ip")
    secrets = {"OPENAI_API_KEY": "sk-key", "NEO4J_PASSWORD": "pass-word", "OTHER_TOKEN": "to-ken"}
    quick = {"RAY_USAGE_STATS_REPORT_INTERVAL_S": "1", "HOME": str(tmp_path)}
    record = tmp_path / "record.json"
    commands = json.dumps([[sys.executable, "-c", ALONE]])
    watch = [*watched_network.NAMESPACE, sys.executable, watched_network.__file__, str(record), commands]
    subprocess.run(watch, env={**os.environ, **secrets, **quick}, check=True, timeout=200)
    found = json.loads(record.read_text(encoding="utf-8"))
    told = json.loads(found["outputs"][0])
    assert (found["names"], found["addresses"]) == ([], [])
    assert len(told["environments"]) > 2
    for environment in told["environments"]:
        assert environment["RAY_USAGE_STATS_ENABLED"] == "0"
        assert not {*secrets} & {*environment}
        assert not {*secrets.values()} & {*environment.values()}
    assert (told["same"], told["alive"]) == (True, 0)
