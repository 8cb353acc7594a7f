"""The server of a home is known by its process, whatever files tell; a model that cannot be served is told of."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput, LlmUnavailable, LocalModelError
from tetragraph.llm.local import MODELS, Model, running, settings_for, start, state, stop
from tetragraph.llm.local.state import State
from tetragraph.settings import Settings

SMALL = MODELS["smollm2-135m"]
ADDRESS = "http://127.0.0.1:1"


@pytest.fixture
def home(settings: Settings) -> Path:
    folder = settings.home.resolve() / "llm"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def process(home: Path) -> Iterator[Callable[[], int]]:
    """Starts a process that looks like the server of the home."""
    started: list[subprocess.Popen[bytes]] = []

    def begin() -> int:
        command = [sys.executable, "-c", "print(flush=True); import time; time.sleep(600)", f"--folder={home}"]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE))
        assert started[-1].stdout is not None
        started[-1].stdout.readline()
        return started[-1].pid

    yield begin
    for one in started:
        one.kill()
        one.communicate()


@pytest.fixture
def rubbish(settings: Settings) -> Model:
    """A model whose file is there, and none."""
    content = b"GGUF" + bytes(100)
    file = settings.cache / "models" / "rubbish.gguf"
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    return Model("rubbish", "", len(content), hashlib.sha256(content).hexdigest(), ())


def test_where_nothing_was_started_nothing_runs_and_nothing_stops(settings: Settings) -> None:
    assert running(settings) is None
    assert stop(settings) is False


def test_a_record_of_a_process_that_is_another_by_now_is_none(settings: Settings, home: Path) -> None:
    state.save(home, State(SMALL.name, 512, 1, os.getpid(), ADDRESS))
    assert running(settings) is None
    assert stop(settings) is False
    assert state.read(home) is None


def test_a_record_that_cannot_be_read_is_none(settings: Settings, home: Path) -> None:
    (home / "server.json").write_text('{"model": "of another version"}')
    assert running(settings) is None


def test_a_model_that_is_still_loading_does_not_run_yet_and_can_be_stopped(
    settings: Settings, home: Path, process: Callable[[], int]
) -> None:
    state.save(home, State(SMALL.name, 512, 1, process()))
    assert running(settings) is None
    assert stop(settings) is True


def test_a_server_without_a_record_is_stopped_too(settings: Settings, process: Callable[[], int]) -> None:
    process()
    assert stop(settings) is True
    assert stop(settings) is False


def test_settings_lead_to_the_served_model_without_a_key(
    settings: Settings, home: Path, process: Callable[[], int]
) -> None:
    state.save(home, State(SMALL.name, 512, 1, process(), ADDRESS))
    for name in ("local", f"local:{SMALL.name}"):
        asked = settings.model_copy(update={"llm": name, "llm_api_key": "sk-canary"})
        found = settings_for(asked)
        assert (found.llm, found.llm_base_url) == (SMALL.name, f"{ADDRESS}/v1")
        assert (found.llm_api_key, found.llm_concurrency, found.llm_timeout_s) == (None, 1, 600.0)
    patient = settings.model_copy(update={"llm": "local", "llm_timeout_s": 900.0})
    assert settings_for(patient).llm_timeout_s == 900.0


def test_another_model_than_the_served_one_is_not_there(
    settings: Settings, home: Path, process: Callable[[], int]
) -> None:
    state.save(home, State(SMALL.name, 512, 1, process(), ADDRESS))
    with pytest.raises(LlmUnavailable, match=r"served is smollm2-135m: tetragraph llm down, then .* up qwen"):
        settings_for(settings.model_copy(update={"llm": "local:qwen2.5-coder-0.5b"}))


def test_an_endpoint_of_the_users_own_is_left_as_it_is(settings: Settings) -> None:
    for name in (None, "gpt-4o-mini", "locality", "replay:local"):
        asked = settings.model_copy(update={"llm": name})
        assert settings_for(asked) is asked


def test_without_a_server_the_command_that_starts_it_is_told(settings: Settings) -> None:
    with pytest.raises(LlmUnavailable, match="tetragraph llm up smollm2-135m"):
        settings_for(settings.model_copy(update={"llm": "local:smollm2-135m"}))
    with pytest.raises(InvalidInput, match="must be one of"):
        settings_for(settings.model_copy(update={"llm": "local:gpt"}))


@pytest.mark.parametrize(("context", "threads"), [(255, 1), (256, 0)])
def test_a_context_or_threads_that_cannot_be_are_refused(settings: Settings, context: int, threads: int) -> None:
    with pytest.raises(InvalidInput, match="context must be at least 256 tokens, threads at least 1"):
        start(settings, SMALL, context=context, threads=threads)


def test_a_model_that_was_not_fetched_is_told_with_the_command(settings: Settings) -> None:
    pytest.importorskip("xllamacpp")
    with pytest.raises(LocalModelError, match="tetragraph llm fetch smollm2-135m"):
        start(settings, SMALL)


def test_a_file_that_is_no_model_gives_the_reason_and_leaves_no_process(settings: Settings, rubbish: Model) -> None:
    pytest.importorskip("xllamacpp")
    with pytest.raises(LocalModelError, match=r"could not be served: .*fail.*log: "):
        start(settings, rubbish)
    assert running(settings) is None
    assert stop(settings) is False


def test_a_second_start_gets_the_first_ones_server_or_is_told_how_it_differs(
    settings: Settings, rubbish: Model, home: Path, process: Callable[[], int]
) -> None:
    pytest.importorskip("xllamacpp")
    state.save(home, State(rubbish.name, 512, 1, process(), ADDRESS))
    assert start(settings, rubbish, context=512).new is False
    with pytest.raises(LocalModelError, match=r"with a context of 512 and 1 thread.*`tetragraph llm down` first"):
        start(settings, rubbish, context=1024)
