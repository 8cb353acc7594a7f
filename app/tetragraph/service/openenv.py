"""The RL mode's environment for trainers that speak OpenEnv's protocol: one WebSocket is one episode after another.

OpenEnv's own clients connect with the address ``http://…/v1/corpora/{corpus}/openenv`` and the key as a header. Their
messages are JSON: ``reset`` with the question and the options of the episode, ``step`` with the text of a turn,
``state``, ``close``. Replies are observations, states and errors; after an error the connection goes on.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, WebSocket
from starlette.websockets import WebSocketDisconnect

from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput, ServiceBusy, TetragraphError
from tetragraph.model.episodes import Reward
from tetragraph.retrieval.request import check_question
from tetragraph.rl.environment import KnowledgeEnvironment
from tetragraph.rl.episodes import EpisodeRequest, open_environment
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.reward import check_accepted, reward_of_turns
from tetragraph.service import logs, problems
from tetragraph.service.keys import Caller, authorise
from tetragraph.service.middleware import check_origin, key_of
from tetragraph.service.state import Service, service_of
from tetragraph.validation import check_known_options, check_text

PATH: Final = "/v1/corpora/{corpus}/openenv/ws"
IGNORED: Final = frozenset({"seed", "episode_id"})
"""Arguments of ``reset`` that OpenEnv's clients send to every environment; the environment itself is deterministic."""
_OPTIONS: Final = tuple(one.name for one in fields(EpisodeOptions) if one.name not in {"temperature", "sample"})
_ARGUMENTS: Final = ("question", "answers", *_OPTIONS)
_LONGEST: Final = 1_000_000
"""Largest message in characters."""
_REFUSED: Final = 1008
"""WebSocket's code for a connection that a rule forbids."""
_LONGEST_REASON: Final = 120
"""Characters of a reason; a frame that closes a connection has at most 123 bytes."""

_METHOD: Final = "WEBSOCKET"
"""Method of a message in logs and metrics."""

Message = dict[str, Any]


def mount(app: FastAPI) -> None:
    """Add the WebSocket to the app of a service; a surface of :func:`~tetragraph.service.app.create_app`."""
    running: Counter[str] = Counter()

    @app.websocket(PATH)
    async def play(socket: WebSocket, corpus: str) -> None:
        service = service_of(app)
        try:
            check_origin(service.config, socket.headers)
            admitted = await service.admit(key_of(socket.headers), socket.scope)
            authorise(admitted, corpus, "search")
            caller = admitted.id
            if running[caller] >= service.config.concurrency:
                raise ServiceBusy(f"this key has {running[caller]} connections, which is its limit", 1.0)
        except TetragraphError as error:
            await _refuse(socket, error)
            return
        running[caller] += 1
        try:
            await socket.accept()
            await _Player(service, corpus).run(socket)
        except WebSocketDisconnect:
            pass
        except TetragraphError as error:
            await _refuse(socket, error)
        finally:
            running[caller] -= 1


async def _authorise(service: Service, socket: WebSocket, corpus: str) -> Caller:
    """The caller of a connection, whose key is valid and may search a corpus.

    Raises:
        AccessDenied, UnknownCorpus: it may not.
    """
    caller = await service.caller_of_key(key_of(socket.headers))
    authorise(caller, corpus, "search")
    return caller


async def _refuse(socket: WebSocket, error: TetragraphError) -> None:
    await socket.close(_REFUSED, reason=problems.problem_of(error).detail[:_LONGEST_REASON])


@dataclass
class _Player:
    """The episodes of one connection.

    Attributes:
        service: State of the server.
        corpus: Name of the corpus.
        environment: Environment of the episode; None before the first ``reset``.
        accepted: Accepted answers to its question; none for no reward.
    """

    service: Service
    corpus: str
    environment: KnowledgeEnvironment | None = None
    accepted: Sequence[str] = ()

    async def run(self, socket: WebSocket) -> None:
        """Answer messages until the client closes the connection.

        Raises:
            AccessDenied: the key is not valid any more.
            StoreError: whether it is valid cannot be found out.
            WebSocketDisconnect: the client went away.
        """
        while True:
            text = await _receive(socket)
            caller = await _authorise(self.service, socket, self.corpus)  # a key may have been revoked since
            began, kind, status = time.perf_counter(), "", HTTPStatus.OK
            try:
                kind, data = _read(text)
                if kind == "close":
                    await socket.close()
                    return
                with self.service.limits.request(caller.id):
                    reply = await self._reply(kind, data)
            except TetragraphError as error:
                problem = problems.problem_of(problems.public(error, self.corpus))
                status = HTTPStatus(problem.status)
                reply = {"type": "error", "data": {"message": problem.detail, "code": _code(error)}}
            self._record(caller, kind, status, time.perf_counter() - began)
            await socket.send_text(json.dumps(reply))

    def _record(self, caller: Caller, kind: str, status: int, seconds: float) -> None:
        """Count and log a message as a request is: it has a method of its own, and the status of one over HTTP."""
        self.service.metrics.requests.labels(_METHOD, PATH, str(status)).inc()
        entry = {"key": caller.id, "name": caller.name, "method": _METHOD, "route": PATH, "corpus": self.corpus}
        logs.record({**entry, "kind": kind, "status": status, "ms": round(seconds * 1000, 1)})

    async def _reply(self, kind: str, data: Mapping[str, Any]) -> Message:
        if kind == "reset":
            environment = await self.service.compute.run(self._reset, self.service.client.connection, data)
            return self._observation(environment, 0)
        if self.environment is None:
            raise InvalidInput("no episode has begun: send reset with a question first")
        if kind == "state":
            return {"type": "state", "data": self._state(self.environment)}
        return await self._step(self.environment, data)

    def _reset(self, connection: Connection, data: Mapping[str, Any]) -> KnowledgeEnvironment:
        check_known_options("reset", data.keys() - IGNORED, _ARGUMENTS)
        options = EpisodeOptions(**{name: data[name] for name in _OPTIONS if data.get(name) is not None})
        question = check_question(data.get("question", ""), options.facts)
        accepted = check_accepted(data.get("answers") or ())
        environment = open_environment(connection, EpisodeRequest(self.corpus, question, options))
        self.environment, self.accepted = environment, accepted
        return environment

    async def _step(self, environment: KnowledgeEnvironment, data: Mapping[str, Any]) -> Message:
        text = data.get("text")
        check_text("text", text, "the text of a turn")
        if environment.ended is not None:
            raise InvalidInput(f"the episode has ended ({environment.ended}): send reset to begin another")
        known = len(environment.messages)
        await self.service.compute.run(environment.step, text)
        return self._observation(environment, known + 1)

    def _observation(self, environment: KnowledgeEnvironment, known: int) -> Message:
        """The messages that the policy has not read yet and, at the end, the reward."""
        fault = environment.turns[-1].fault if environment.turns else ""
        reward = self._reward(environment)
        observation = {
            "messages": [{"role": one.role, "content": one.content} for one in environment.messages[known:]],
            "fault": fault,
            "reply_tokens": environment.reply_tokens,
            "ended": environment.ended or "",
        }
        data = {
            "observation": observation,
            "reward": reward.total if reward else None,
            "done": environment.ended is not None,
        }
        return {"type": "observation", "data": data}

    def _reward(self, environment: KnowledgeEnvironment) -> Reward | None:
        if environment.ended is None or not self.accepted:
            return None
        return reward_of_turns(environment.turns, self.accepted)

    def _state(self, environment: KnowledgeEnvironment) -> Message:
        return {
            "step_count": len(environment.turns),
            "corpus": self.corpus,
            "ended": environment.ended or "",
            "turns": [
                {"text": turn.text, "query": turn.query, "answer": turn.answer, "knowledge": turn.knowledge}
                for turn in environment.turns
            ],
        }


async def _receive(socket: WebSocket) -> str:
    """The next message; empty for one of bytes, which the protocol does not have."""
    try:
        return await socket.receive_text()
    except KeyError:
        return ""


def _read(text: str) -> tuple[str, Mapping[str, Any]]:
    """Kind and data of a message.

    Raises:
        InvalidInput: it is no message of the protocol.
    """
    if len(text) > _LONGEST:
        raise InvalidInput(f"a message must have at most {_LONGEST:,} characters, got {len(text):,}")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        digits = sys.get_int_max_str_digits()
        raise InvalidInput(
            f"a message must be JSON whose integers have at most {digits:,} digits, got {text!r:.100}"
        ) from error
    kind = message.get("type") if isinstance(message, dict) else None
    data = message.get("data", {}) if isinstance(message, dict) else None
    if kind not in ("reset", "step", "state", "close") or not isinstance(data, dict):
        raise InvalidInput(f"a message must have the type reset, step, state or close, and data, got {text!r:.100}")
    return kind, data


def _code(error: TetragraphError) -> str:
    return "VALIDATION_ERROR" if isinstance(error, InvalidInput) else "EXECUTION_ERROR"
