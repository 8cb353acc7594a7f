"""Start, find and stop the model that is served here: one for each home, in a process that outlives its starter."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, STDOUT, Popen

from tetragraph.errors import InvalidInput, LlmUnavailable, LocalModelError
from tetragraph.host import processes
from tetragraph.host.file_lock import exclusive
from tetragraph.llm.local import fetching, state
from tetragraph.llm.local.engine import load_engine
from tetragraph.llm.local.models import Model, find_model
from tetragraph.settings import Settings

CONTEXT = 8192
"""Tokens that question and reply may have together, unless somebody wants others."""
THREADS = 1
"""More are slower, as soon as anything else wants the processor: they wait for one another without resting."""
START_TIMEOUT_S = 300.0
REPLY_TIMEOUT_S = 600.0
"""Of one try, at least: a long prompt takes minutes on a busy processor, and a further try would begin anew."""
_POLL_S = 0.05
_LOG_CHARACTERS = 600
_ERROR_LINE = re.compile(r"^[\d.]+ E +(.*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model that answers.

    Attributes:
        url: Of its endpoint, as clients of OpenAI's protocol want it.
        context: Tokens that question and reply may have together.
        new: This call started it.
    """

    model: str
    url: str
    pid: int
    context: int
    threads: int
    new: bool = False


def start(settings: Settings, model: Model, *, context: int = CONTEXT, threads: int = THREADS) -> LocalModel:
    """The model, served on a free port of the loopback address; one that already runs so is given as it is.

    Two processes may call it at once: one starts the server, both get it.

    Raises:
        InvalidInput: ``context`` is below 256, or ``threads`` below 1.
        LocalModelError: the file is not there, another model or the same otherwise is served, or the start failed;
            the message carries the reason from the log.
        MissingDependency: the extra ``local-llm`` is not installed.
    """
    if context < 256 or threads < 1:
        raise InvalidInput(f"context must be at least 256 tokens, threads at least 1, got {context} and {threads}")
    load_engine()
    if not fetching.is_fetched(settings, model):
        raise LocalModelError(f"the model {model.name} is not on this machine: tetragraph llm fetch {model.name}")
    folder = _folder(settings)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with exclusive(folder / "lock"):
        pid = processes.find(_argument(folder))
        if pid is not None:  # also one whose starter went while it was loading
            return _same(_ready(folder, pid), model.name, context, threads)
        state.clear(folder)
        serving = [f"--file={fetching.file_of(settings, model)}", f"--name={model.name}"]
        return _launch(folder, [*serving, f"--context={context}", f"--threads={threads}"])


def running(settings: Settings) -> LocalModel | None:
    """The model that is served for this home and answers; starts nothing."""
    folder = _folder(settings)
    found = state.read(folder)
    if found is None or not found.address:
        return None
    return _described(found, new=False) if processes.is_running(found.pid, _argument(folder)) else None


def stop(settings: Settings) -> bool:
    """Stop the server of this home, also one that is still loading; returns whether one ran."""
    folder = _folder(settings)
    if not folder.is_dir():
        return False
    pid = processes.find(_argument(folder))  # before the lock, which a start holds while it waits
    if pid is not None:
        processes.stop(pid, _argument(folder))
    state.clear(folder)
    return pid is not None


def settings_for(settings: Settings) -> Settings:
    """The same settings, with the served model in place of ``local`` or ``local:<model>``.

    No key is sent to that one, it is asked one thing at a time, and has ten minutes for it at the least.

    Raises:
        InvalidInput: there is no such model.
        LlmUnavailable: it is not served; the message is the command that serves it.
    """
    word, _, name = (settings.llm or "").partition(":")
    if word != "local":
        return settings
    wanted = find_model(name) if name else None
    found = running(settings)
    command = f"tetragraph llm up {name}".strip()
    if found is None:
        raise LlmUnavailable(f"no local model is served for {settings.home}: {command}")
    if wanted is not None and wanted.name != found.model:
        raise LlmUnavailable(
            f"TETRAGRAPH_LLM asks for the local model {wanted.name}, served is {found.model}: "
            f"tetragraph llm down, then {command}"
        )
    update = {"llm": found.model, "llm_base_url": found.url, "llm_api_key": None, "llm_concurrency": 1}
    return settings.model_copy(update={**update, "llm_timeout_s": max(settings.llm_timeout_s, REPLY_TIMEOUT_S)})


def _folder(settings: Settings) -> Path:
    return settings.home.expanduser().resolve() / "llm"


def _argument(folder: Path) -> str:
    """The argument by which the process of a home is known."""
    return f"--folder={folder}"


def _described(found: state.State, *, new: bool) -> LocalModel:
    return LocalModel(found.model, f"{found.address}/v1", found.pid, found.context, found.threads, new)


def _launch(folder: Path, serving: list[str]) -> LocalModel:
    """Start the process and wait until it answers; nothing runs when it does not."""
    command = [sys.executable, "-m", "tetragraph.llm.local.server", _argument(folder), *serving]
    log = folder / "server.log"
    with log.open("wb") as stream:
        process = Popen(command, stdin=DEVNULL, stdout=stream, stderr=STDOUT, cwd=folder, start_new_session=True)
    try:
        found = _wait(folder, process)
    except BaseException:  # Ctrl-C too must leave no half-started server
        process.kill()
        process.wait()
        state.clear(folder)
        raise
    # It outlives this object on purpose: without a return code its end here would count as a leak.
    process.returncode = 0
    return _described(found, new=True)


def _wait(folder: Path, process: Popen[bytes]) -> state.State:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        found = state.read(folder)
        if found is not None and found.address:
            return found
        if process.poll() is not None:
            raise LocalModelError(f"the model could not be served: {_last_words(folder)}")
        if time.monotonic() > deadline:
            raise LocalModelError(
                f"a model must be loaded within {START_TIMEOUT_S:.0f} s, it is not: is the machine very busy? "
                f"(log: {folder / 'server.log'})"
            )
        time.sleep(_POLL_S)


def _ready(folder: Path, pid: int) -> LocalModel:
    """The server that runs already, when it answers.

    Raises:
        LocalModelError: it does not become ready.
    """
    deadline = time.monotonic() + START_TIMEOUT_S
    while (found := state.read(folder)) is None or not found.address:
        if time.monotonic() > deadline or not processes.is_running(pid, _argument(folder)):
            raise LocalModelError(
                f"process {pid} was to serve a model and does not: `tetragraph llm down` ends it "
                f"(log: {folder / 'server.log'})"
            )
        time.sleep(_POLL_S)
    return _described(found, new=False)


def _same(found: LocalModel, model: str, context: int, threads: int) -> LocalModel:
    """What is served, if it is what is asked for.

    Raises:
        LocalModelError: it is not.
    """
    if (found.model, found.context, found.threads) != (model, context, threads):
        raise LocalModelError(
            f"process {found.pid} serves {found.model} with a context of {found.context} and {found.threads} "
            f"thread(s) for this home already, asked for was {model} with {context} and {threads}: "
            "`tetragraph llm down` first"
        )
    return found


def _last_words(folder: Path) -> str:
    said = (folder / "server.log").read_text(encoding="utf-8", errors="replace").strip()
    errors = "; ".join(_ERROR_LINE.findall(said))
    return f"{(errors or said)[-_LOG_CHARACTERS:] or 'it said nothing'} (log: {folder / 'server.log'})"
