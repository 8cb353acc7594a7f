"""Rules for every command."""

from __future__ import annotations

import inspect
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from tetragraph import cli
from tetragraph.cli import app
from tetragraph.cli.termination import SIGNALS, termination_raised
from tetragraph.errors import QueryFailed

COMMANDS = {
    " ".join(filter(None, (group.info.name if group is not app else "", command.name or command.callback.__name__))): (
        command
    )
    for group in (app, *(group.typer_instance for group in app.registered_groups if group.typer_instance))
    for command in group.registered_commands
    if command.callback
}


ENDED_WITH_ITS_TERMINAL = """
import pathlib, signal, sys, time
from tetragraph import cli
from tetragraph.cli.output import err

def app(**_):
    try:
        err.print("started")
        time.sleep(60)
    finally:
        err.print("cleaning")
        (pathlib.Path(sys.argv[1]) / "cleaned").touch()

signal.signal(signal.SIGHUP, signal.SIG_DFL)
cli.app = app
cli.main()
"""
"""A command that prints while it cleans up."""
ENDLESS = {"serve"}
"""Commands without a result."""


def test_the_commands_are_those_that_are_promised() -> None:
    promised = {"up", "down", "status", "ingest", "build", "search", "ask", "corpora", "delete", "demo"}
    promised |= {"doctor", "eval", "tune", "tree", "facts", "entity", "anchor", "schema apply", "schema validate"}
    promised |= {"explain", "export", "browser", "show", "serve"}
    promised |= {"backup", "restore", "verify", "sync", "reembed", "upgrade", "copy"}
    llm = {"status", "check", "export", "import", "forget"}
    sessions = {"list", "show", "resume", "ask", "fork", "export", "delete", "prune"}
    grouped = {f"llm {name}" for name in llm} | {f"sessions {name}" for name in sessions}
    grouped |= {f"cypher {name}" for name in ("list", "show", "run", "query")}
    grouped |= {"vectors copy", "vectors claim", "rl rollouts", "rl train", "mcp install"}
    grouped |= {f"keys {one}" for one in ("create", "delete", "list", "revoke")}
    grouped |= {f"policy {one}" for one in ("train", "list", "eval", "promote", "rollback")}
    assert set(COMMANDS) == promised | grouped


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_command_says_what_it_does_shows_an_example_and_speaks_json(name: str) -> None:
    command = COMMANDS[name]
    assert command.callback
    assert command.callback.__doc__
    assert "Example" in (command.epilog or "")
    assert "tetragraph " in (command.epilog or "")
    assert name in ENDLESS or "json" in inspect.signature(command.callback).parameters


@pytest.mark.parametrize(
    ("arguments", "refused"),
    [
        ("eval --check m.json -c x -q q.jsonl", "manifest states it, and cannot be given with --corpus, --questions: "),
        ("eval --check m.json -m dense -k 5 --judge-answers", "with --method, -k, --judge-answers: "),
        ("eval --check m.json --out evaluation", "cannot be given with --out: "),
        ("ask Who? -c x --stream --json", "--json prints one document at the end, and cannot be given with --stream: "),
        ("tree x --theme 05 --html t.html", "--theme prints one theme, and cannot be given with --html: "),
        ("tree x --theme 05 --depth 2 --limit 20", "cannot be given with --depth, --limit: "),
        ("ingest docs -c x --dry-run --prune", "read and skipped, and cannot be given with --prune: "),
        ("ingest docs -c x --dry-run --gazetteer g.csv", "cannot be given with --gazetteer: "),
    ],
)
def test_options_without_effect_are_refused(
    arguments: str, refused: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TETRAGRAPH_HOME", str(tmp_path))
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    monkeypatch.setattr("sys.argv", ["tetragraph", *arguments.split()])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert f"{refused}leave out one or the other" in capsys.readouterr().err


def test_a_dry_run_refuses_the_graphs_that_an_ingest_refuses(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TETRAGRAPH_HOME", str(tmp_path))
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    monkeypatch.setattr("sys.argv", ["tetragraph", "ingest", "docs", "-c", "x", "--dry-run", "--build", "walls"])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert "what to build must be one of bipartite, gain, tree, types, got 'walls'" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["search Who?", "cypher run find_coverage", "doctor", "ingest x"])
def test_a_command_that_takes_one_corpus_refuses_two(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TETRAGRAPH_HOME", str(tmp_path))
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    monkeypatch.setattr("sys.argv", ["tetragraph", *command.split(), "-c", "a", "--corpus=b"])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert "--corpus can be given once, got it 2 times: run the command for each" in capsys.readouterr().err


def test_a_command_that_takes_several_corpora_takes_two() -> None:
    group = typer.main.get_command(app)
    create = group.commands["keys"].commands["create"]  # type: ignore[attr-defined]  # a group has commands
    given = create.make_context("create", ["-c", "a", "-c", "b", "-s", "search"]).params
    assert list(given["corpus"]) == ["a", "b"]


def test_options_that_a_check_of_an_evaluation_reads_are_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["tetragraph", "eval", "--check", "no.json", "--llm", "x", "--json"])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert "a manifest must be a manifest.json" in capsys.readouterr().err


def test_an_interruption_that_breaks_a_message_to_a_store_is_an_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*, standalone_mode: bool, prog_name: str) -> None:
        assert (standalone_mode, prog_name) == (False, "tetragraph")
        try:
            raise KeyboardInterrupt
        finally:
            raise QueryFailed("an illegal message")  # as closing a half-sent message does

    monkeypatch.setattr(cli, "app", interrupted)
    with pytest.raises(SystemExit, match="130"):
        cli.main()
    assert capsys.readouterr().err.startswith("interrupted: ")


@pytest.mark.parametrize("number", SIGNALS)
def test_a_first_signal_ends_a_command_like_ctrl_c_and_later_ones_leave_its_cleanup_alone(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = signal.signal(number, signal.SIG_DFL)
    cleaned = []

    def terminated(*, standalone_mode: bool, prog_name: str) -> int:
        assert (standalone_mode, prog_name) == (False, "tetragraph")
        try:
            signal.raise_signal(number)
        except KeyboardInterrupt:
            return 130  # as typer does
        finally:
            signal.raise_signal(number)
            cleaned.append("all")
        return 0

    monkeypatch.setattr(cli, "app", terminated)
    with pytest.raises(SystemExit, match="143"):
        cli.main()
    assert capsys.readouterr().err == "terminated: what was written stays; the same command goes on from there\n"
    assert cleaned == ["all"]
    assert signal.signal(number, before) is signal.SIG_DFL


def test_a_command_whose_terminal_ends_completes_its_cleanup(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    process = subprocess.Popen([sys.executable, "-c", ENDED_WITH_ITS_TERMINAL, tmp_path], stdout=theirs, stderr=theirs)
    os.close(theirs)
    assert os.read(ours, 7) == b"started"
    os.close(ours)
    process.send_signal(signal.SIGHUP)
    assert process.wait(60) == 143
    assert [file.name for file in tmp_path.iterdir()] == ["cleaned"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("search Who? -c x", "interrupted\n"),
        ("-v sessions list -c x", "interrupted\n"),
        ("ingest docs -c x", "interrupted: what was written stays; the same command goes on from there\n"),
        ("sessions resume 05 -c x", "interrupted: what was written stays; the same command goes on from there\n"),
    ],
)
def test_only_a_command_that_writes_goes_on_after_an_interruption(
    arguments: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    monkeypatch.setattr("sys.argv", ["tetragraph", *arguments.split()])
    with pytest.raises(SystemExit, match="130"):
        cli.main()
    assert capsys.readouterr().err == told
    assert set(COMMANDS) >= cli.READING


def test_a_sigterm_at_a_question_does_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def asked(text: str, **_: object) -> bool:
        try:
            signal.raise_signal(signal.SIGTERM)
        except KeyboardInterrupt:
            raise typer.Abort from None  # as a prompt does
        return bool(text)

    monkeypatch.setattr(typer, "confirm", asked)
    monkeypatch.setattr("sys.argv", ["tetragraph", "delete", "handbook"])
    with pytest.raises(SystemExit, match="143"):
        cli.main()
    assert "nothing was done" in capsys.readouterr().err


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_is_ignored_or_handled_already_stays_so(number: signal.Signals) -> None:
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with termination_raised() as termination:
            signal.raise_signal(number)
            assert not termination.is_requested
        assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)
