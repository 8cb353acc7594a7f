"""One run of a peer from checks to figures."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers import material, results
from benchmarks.peers.material import Material
from benchmarks.peers.peer import PEERS, check_checkout, check_environment
from benchmarks.peers.running import run_driver
from benchmarks.peers.triples import Triples, make_triples
from tetragraph.evaluate.model import Run
from tetragraph.evaluate.trec import format_run
from tetragraph.language.embedders.registry import load_embedder
from tetragraph.settings import Settings

LENGTH = 20
"""Number of passages of a ranking."""
WITHOUT_FILTER = "without the LLM filter of facts, the five nearest are kept"
TOLD = {"recorded": "recorded from an LLM, whose time is not counted", "spacy": "by spaCy instead of an LLM"}


@dataclass(frozen=True, slots=True)
class Order:
    """Parameters of a run.

    Attributes:
        system: Name of the system in ``PEERS``.
        checkout: Folder of a clone of the system's repository.
        python: Python interpreter of the system's environment.
        name: Name of the set.
        out: Folder for the run file, its description and the log.
        embedder: Name of one of tetragraph's embedders.
        triples: Source of HippoRAG's triples; None for recorded ones if the set has them, otherwise spaCy's.
    """

    system: str
    checkout: Path
    python: Path
    name: str
    out: Path
    embedder: str
    triples: str | None = None


def compare(order: Order) -> dict[str, Any]:
    """Index and search the set; write ``<run>.run.trec`` and ``<run>.json`` into ``order.out``.

    Returns:
        The written description: system, set, settings, recall and times.

    Raises:
        InvalidInput: the checkout, the environment, the set or the triples are not valid.
        DriverFailed: the peer ended with an error.
    """
    peer = PEERS[order.system]
    commit = check_checkout(peer, order.checkout)
    versions = check_environment(peer, order.python)
    given = material.load(order.name)
    embedder = load_embedder(order.embedder, Settings())
    triples = make_triples(given, order.triples) if order.system == "hipporag" else None
    order.out.mkdir(parents=True, exist_ok=True)
    job = _job(order, given, triples)
    done = run_driver(order.system, order.python, job, embedder, order.out.resolve())
    if triples:
        done["index"]["wall_s"] += triples.wall_s
        done["index"]["cpu_s"] += triples.cpu_s
    description = {
        "run": _run_name(order, triples),
        "system": peer.name,
        "repository": peer.repository,
        "commit": commit,
        "versions": versions,
        "parameters": job["parameters"],
        "notes": [WITHOUT_FILTER, f"triples {TOLD[triples.source]}"] if triples else [],
        "embedder": {"name": embedder.name, "sha256": embedder.model_hash},
        "set": given.name,
        "split": given.split,
        "passages": len(given.passages),
        "questions": len(given.questions),
        "size": done["size"],
    }
    return _write(description, done, given, order.out)


def _job(order: Order, given: Material, triples: Triples | None) -> dict[str, Any]:
    peer = PEERS[order.system]
    return {
        "import_from": str((order.checkout / peer.import_from).resolve()),
        "parameters": peer.parameters_for(given.name),
        "passages": list(given.distinct),
        "questions": [question.text for question in given.questions],
        "openie": triples.rows if triples else [],
        "k": LENGTH,
    }


def _run_name(order: Order, triples: Triples | None) -> str:
    """Name of a run, with omitted steps and the source of triples."""
    system = f"hipporag2-nofilter-{triples.source}" if triples else order.system
    return f"{system}-{re.sub('[^A-Za-z0-9.]+', '-', order.embedder)}"


def _write(description: dict[str, Any], done: dict[str, Any], given: Material, out: Path) -> dict[str, Any]:
    """Write the run file, and the description with recall and times, including those of each question."""
    ids, alike = [question.id for question in given.questions], given.distinct
    rankings = {one: material.to_found(ranking, alike) for one, ranking in zip(ids, done["rankings"], strict=True)}
    run = Run(description["run"], description["system"], description["parameters"], rankings)
    description |= {"recall": results.recall(run, given.questions), **results.times(done["index"], done["search"])}
    full = description | {"seconds": dict(zip(ids, done["search"], strict=True))}
    (out / f"{run.name}.run.trec").write_text(format_run(run), encoding="utf-8")
    (out / f"{run.name}.json").write_text(json.dumps(full, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return description
