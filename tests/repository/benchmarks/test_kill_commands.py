"""Every command that changes a corpus is killed by the benchmark."""

from __future__ import annotations

from benchmarks.killed_world import GRAPHS, commands


def test_every_change_of_a_corpus_is_killed() -> None:
    named = {command.arguments[0] for command in commands().values()}
    assert named >= {"ingest", "build", "delete", "sync", "backup", "restore", "copy", "reembed", "doctor", "anchor"}
    assert {name.removeprefix("build ") for name in commands() if name.startswith("build ")} == {*GRAPHS}
