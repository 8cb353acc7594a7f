"""Tests of ``tetragraph.llm.recording``: a replay repeats an experiment to the byte, or names what it lacks."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from scripted_llm import ScriptedLlm
from tetragraph.errors import InvalidInput, NotRecorded
from tetragraph.llm import LanguageModel, LlmDatabase, Message, Request, cache, recording
from tetragraph.llm.cache import ReplyCache
from tetragraph.llm.messages import Completion, TokenLogprob
from tetragraph.settings import Settings

REPLY = Completion("Grüße [1]", "stop", 12, 4, ((TokenLogprob("Gr", -0.1), TokenLogprob("H", -2.5)),), 0.25)


def ask(text: str) -> Request:
    return Request((Message("system", "Be brief."), Message("user", text)), 20, prompt="a prompt")


@pytest.fixture
def file(tmp_path: Path) -> LlmDatabase:
    """Two replies of one model, one of another."""
    file = LlmDatabase(tmp_path / "llm.sqlite")
    for model, text in (("m", "one"), ("m", "two"), ("n", "one")):
        ReplyCache(file, model).put(ask(text), REPLY)
    return file


def replayed(path: Path, home: Path) -> LanguageModel:
    return LanguageModel.open(Settings(home=home, llm=f"replay:{path}"))


@pytest.mark.parametrize("name", ["replies.jsonl", "replies.jsonl.gz"])
def test_an_export_has_the_same_bytes_each_time_and_fills_another_file(
    name: str, file: LlmDatabase, tmp_path: Path
) -> None:
    first, again = tmp_path / name, tmp_path / f"again-{name}"
    assert recording.write(cache.export_replies(file), first) == 3
    other = LlmDatabase(tmp_path / "other.sqlite")
    assert cache.import_replies(other, recording.read(first)) == (3, 3)
    assert cache.import_replies(other, recording.read(first)) == (3, 0)
    recording.write(cache.export_replies(other), again)
    assert first.read_bytes() == again.read_bytes()
    keys = [cached.key for cached in recording.read(first)]
    assert keys == sorted(keys)
    assert recording.write(cache.export_replies(file, "n"), first) == 1


def test_a_replay_answers_from_the_file_alone_for_nothing(file: LlmDatabase, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl.gz"
    recording.write(cache.export_replies(file, "m"), path)
    model = replayed(path, tmp_path / "elsewhere")
    operation = model.operation("test", corpus="c")
    assert operation.model == model.name == "m"
    reply = operation.complete(ask("one"))
    assert (reply.text, reply.chances, reply.is_cached) == (REPLY.text, REPLY.chances, True)
    assert list(operation.stream(ask("two"))) == [REPLY.text]
    assert (operation.usage.calls, operation.usage.cached, operation.usage.tokens) == (0, 2, 0)
    estimate = model.estimate([ask("one"), ask("three")])
    assert (estimate.calls, estimate.cached) == (1, 1)
    assert model.totals("c")[0].usage.cached == 2
    assert cache.count(LlmDatabase.of(Settings(home=tmp_path / "elsewhere"))) == 0
    with pytest.raises(InvalidInput, match="no endpoint to check"):
        model.check()
    model.close()


def test_what_is_not_recorded_is_told_and_costs_nothing(file: LlmDatabase, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    recording.write(cache.export_replies(file, "m"), path)
    operation = replayed(path, tmp_path).operation("test")
    with pytest.raises(NotRecorded, match=r"of model 'm', 2 replies\) has no reply to this call"):
        operation.complete(ask("three"))
    with pytest.raises(NotRecorded):
        list(operation.stream(ask("three")))
    assert operation.usage.calls == 0


def test_a_recording_of_several_models_or_of_none_is_refused(file: LlmDatabase, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    recording.write(cache.export_replies(file), path)
    with pytest.raises(InvalidInput, match=r"has those of m, n; `tetragraph llm export --model`"):
        replayed(path, tmp_path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(InvalidInput, match="has those of none"):
        replayed(path, tmp_path)


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "{}", "7", '{"key": "a", "call": [], "reply": {}}', "changed", "short", "\\ud800"],
)
def test_a_broken_line_is_named_and_nothing_is_kept(line: str, file: LlmDatabase, tmp_path: Path) -> None:
    path, other = tmp_path / "broken.jsonl", LlmDatabase(tmp_path / "other.sqlite")
    recording.write(cache.export_replies(file), path)
    good = path.read_text(encoding="utf-8").splitlines()
    bad = {"changed": good[2].replace("Be brief", "Be long"), "short": good[2].replace('"text":', '"words":')}
    path.write_text("\n".join([*good[:2], bad.get(line, line)]), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"line 3 of the recording .* must be a reply"):
        cache.import_replies(other, recording.read(path))
    assert cache.count(other) == 0


def test_a_file_that_is_missing_or_cut_off_is_told(file: LlmDatabase, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"missing.jsonl' cannot be read: No such file"):
        replayed(tmp_path / "missing.jsonl", tmp_path)
    path = tmp_path / "cut.jsonl.gz"
    recording.write(cache.export_replies(file, "m"), path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InvalidInput, match="cannot be read after line"):
        replayed(path, tmp_path)
    path.write_bytes(b"not packed")
    with pytest.raises(InvalidInput, match="cannot be read: Not a gzipped file"):
        replayed(path, tmp_path)
    with pytest.raises(InvalidInput, match="cannot be written"):
        recording.write(cache.export_replies(file), tmp_path / "no folder" / "m.jsonl")


def test_a_recording_of_a_run_repeats_it(scripted_llm: Callable[..., ScriptedLlm], tmp_path: Path) -> None:
    llm = scripted_llm(lambda body: f"about {body['messages'][-1]['content']}")
    settings = llm.settings(Settings(home=tmp_path))
    model = LanguageModel.open(settings)
    requests = [ask(f"question {number}") for number in range(20)]
    first = model.operation("run")
    texts = [reply.text for reply in first.map(first.complete, requests)]
    model.close()
    path = tmp_path / "run.jsonl.gz"
    recording.write(cache.export_replies(LlmDatabase.of(settings)), path)
    with gzip.open(path, "rt", encoding="ascii") as lines:
        assert len(list(lines)) == 20
    again = replayed(path, tmp_path / "elsewhere").operation("run")
    assert [reply.text for reply in again.map(again.complete, requests)] == texts
    assert llm.calls == 20
