"""JSON and exit codes of the commands that change a corpus or store results, in the order of typical use."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from contract import Contract, Done, document, page, printed
from contract_questions import QUESTIONS

UNION = "Sund Union of Fishing Towns"
EXTRA = {
    "id": "union",
    "title": UNION,
    "text": f"The {UNION} (SUFT) was founded in Halvik. SUFT has its seat in Old Port.",
}
GOLD = (
    ("w1", QUESTIONS[0], ["elva-kron", "tomas-reyer"]),
    ("w2", QUESTIONS[1], ["reyer-academy"]),
    ("w3", QUESTIONS[2], ["orla-brandt", "mina-holt"]),
    ("w4", QUESTIONS[3], ["the-grey-harbour", "ida-brandt"]),
)
EVALUATION = ("eval", "-q", "gold.jsonl", "-m", "dense,gain,evidence", "-k", "2,5", "--out", "evaluation")
TUNING = (
    "tune",
    "-q",
    "gold.jsonl",
    "--report-questions",
    "other.jsonl",
    "-m",
    "gain",
    "-s",
    "seeds=3,5",
    "--out",
    "tune.json",
)
MEASURED = ("latency", "versions")


@pytest.fixture
def changing(command: Any, place: Any) -> Iterator[str]:
    """Name of a corpus that is not there yet."""
    name = f"contract-{uuid.uuid4().hex[:12]}"
    for key in [key for key, shown in place.names.items() if shown.startswith("session ")]:
        del place.names[key]
    place.names[name] = "changing"
    _write(place, "extra.jsonl", [EXTRA])
    yield name
    command("delete", name, "--yes")


@pytest.fixture
def _questions(place: Any) -> None:
    """Questions with their gold, and another one to report on."""
    keys = ("id", "question", "supporting")
    _write(place, "gold.jsonl", [dict(zip(keys, one, strict=True)) for one in GOLD])
    _write(place, "other.jsonl", [{"id": "w5", "question": QUESTIONS[5], "supporting": ["halvik"]}])


def test_json_of_a_corpus_that_grows_and_goes_is_the_stored_one(
    contract: Contract, command: Any, changing: str
) -> None:
    lines: list[str] = []
    for arguments in (
        ("ingest", "world.jsonl", "-c", changing, "--build", "gain"),
        ("ingest", "world.jsonl", "-c", changing, "--build", "gain"),
        ("build", "bipartite", "-c", changing),
        ("build", "tree", "-c", changing, "-o", "height=3"),
        ("build", "types", "-c", changing),
        ("build", "gain", "-c", changing, "-o", "neighbours=5"),
        ("ingest", "extra.jsonl", "-c", changing, "--build", "gain", "--strict"),
        ("build", "tree", "-c", changing, "--if-drifted"),
        ("entity", UNION, "-c", changing, "--split", "SUFT"),
        ("entity", UNION, "-c", changing, "--join", "SUFT"),
        ("tree", changing, "--depth", "1"),
        ("delete", changing, "--document", "halvik"),
        ("doctor", "-c", changing, "--repair"),
        ("delete", changing),
        ("delete", changing, "--yes"),
        ("search", "Who?", "-c", changing),
    ):
        shown = [one.replace(changing, "<changing>") for one in arguments]
        lines += printed(command(*arguments, "--json"), shown)
    contract.check("json_changes.txt", lines)


def test_json_of_sessions_is_the_stored_one(contract: Contract, command: Any, place: Any, changing: str) -> None:
    lines: list[str] = []

    def run(*arguments: str) -> None:
        done = command(*arguments, "-c", changing, "--json")
        lines.extend(printed(done, [place.names.get(one, one) for one in arguments]))

    run("ingest", "world.jsonl", "--build", "bipartite")
    run("anchor", QUESTIONS[6], "-k", "2", "--documents", "1", "--steps", "2")
    session = next(key for key, name in place.names.items() if name == "session 1")
    run("sessions", "list")
    run("sessions", "show", session)
    run("sessions", "ask", session, "Who wrote a poem about Halvik?")
    run("sessions", "fork", session, "--at", "1", "--query", "Who is Orla Brandt?")
    run("sessions", "resume", session)
    for form in ("json", "graphml", "html"):
        run("sessions", "export", session, f"session.{form}")
        text = (place.folder / f"session.{form}").read_text(encoding="utf-8")
        if form != "json":  # which `sessions show` prints, too
            contract.check(f"export_session.{form}.txt", page(text, place.names))
    run("sessions", "prune")
    run("sessions", "delete", session, "--yes")
    run("sessions", "show", session)
    contract.check("json_sessions.txt", lines)


@pytest.mark.usefixtures("_questions")
def test_json_of_an_evaluation_is_the_stored_one(contract: Contract, command: Any, corpus_of_all: str) -> None:
    lines = printed(_without_times(command(*EVALUATION, "-c", corpus_of_all, "--json")), EVALUATION)
    again = ("eval", "--check", "evaluation/manifest.json")
    lines += printed(_without_times(command(*again, "--json")), again)
    contract.check("json_eval.txt", lines)


@pytest.mark.usefixtures("_questions")
def test_files_of_an_evaluation_are_the_stored_ones(
    contract: Contract, place: Any, command: Any, corpus_of_all: str
) -> None:
    command(*EVALUATION, "-c", corpus_of_all, "--json")
    names = sorted(file.relative_to(place.folder).as_posix() for file in (place.folder / "evaluation").rglob("*"))
    contract.check("files_of_an_evaluation.txt", names)


@pytest.mark.usefixtures("_questions")
def test_json_of_a_tuning_is_the_stored_one(contract: Contract, command: Any, corpus_of_all: str) -> None:
    contract.check("json_tune.txt", printed(command(*TUNING, "-c", corpus_of_all, "--json"), TUNING))


def test_the_report_of_an_ingest_with_all_graphs_is_the_stored_one(
    contract: Contract, ingested: tuple[str, Done]
) -> None:
    _, done = ingested
    contract.check("json_ingest.txt", document(json.loads(done.out)))


def _without_times(done: Done) -> Done:
    """The same with what is measured or told of the machine masked."""
    if not done.out:
        return done
    return Done(done.code, json.dumps(_masked(json.loads(done.out))), done.err)


def _masked(value: Any) -> Any:
    if isinstance(value, dict):
        is_of_questions = "count" in value  # all other hashes are of versions, or of scores with all their digits
        measured = MEASURED if is_of_questions else (*MEASURED, "sha256")
        return {key: f"<{key}>" if key in measured else _masked(item) for key, item in value.items()}
    return [_masked(item) for item in value] if isinstance(value, list) else value


def _write(place: Any, name: str, rows: list[dict[str, Any]]) -> None:
    (place.folder / name).write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
