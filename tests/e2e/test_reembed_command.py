"""``reembed`` shows how both models do on questions, and keeps a model that is not beaten."""

from __future__ import annotations

import json
from pathlib import Path

import small_world
from command_line import Cli
from tetragraph import Tetragraph


def test_the_command_shows_the_comparison_and_keeps_a_model_that_is_not_beaten(
    cli: Cli, client: Tetragraph, corpus_name: str, tmp_path: Path
) -> None:
    client.corpus(corpus_name).ingest(small_world.documents(), build=())
    rows = [
        {"id": one.id, "question": f"What is told of {one.title}?", "supporting": [one.id]}
        for one in small_world.documents()
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    asked = ("reembed", corpus_name, "--embedder", "minilm", "--keep", "0")
    kept = cli(*asked, "-q", file, "-m", "dense", "--if", "better")
    assert (kept.returncode, "keeps bge-small" in kept.stderr) == (3, True)
    assert "recall@5" in kept.stdout
    assert "95 % interval" in kept.stdout
    assert cli(*asked, "--if", "better").returncode == 2
    wrong = cli(*asked, "-q", file, "--if", "nicer")
    assert (wrong.returncode, "--if must be not-worse or better" in wrong.stderr) == (2, True)
    assert "being embedded with minilm, or that was interrupted" in cli("doctor", "-c", corpus_name).stdout
    remedy = f"`tetragraph reembed {corpus_name} --embedder minilm` continues it, "
    remedy += f"`tetragraph reembed {corpus_name} --cancel` gives it up"
    assert _step(cli, corpus_name) == (False, remedy)
    assert "dropped what was embedded" in cli("reembed", corpus_name, "--cancel").stdout
    assert "no change of the model was begun" in cli("reembed", corpus_name, "--cancel").stdout
    assert "embedded with" not in cli("doctor", "-c", corpus_name).stdout
    assert _step(cli, corpus_name) == (True, "")
    done = cli(*asked, "-q", file, "--json")
    report = json.loads(done.stdout)
    assert (report["is_switched"], len(report["scores"])) == (True, 8)


def _step(cli: Cli, corpus: str) -> tuple[bool, str]:
    """Whether the check before an upgrade finds nothing to be done for a corpus, and what else it names."""
    steps = json.loads(cli("upgrade", "--check", "--json").stdout)["steps"]
    (found,) = (one for one in steps if one["subject"] == f"corpus {corpus}")
    return found["is_current"], found["action"]
