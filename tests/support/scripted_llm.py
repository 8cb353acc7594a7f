"""A scripted language model: a real HTTP server with OpenAI's protocol, and with faults on demand.

::

    with ScriptedLlm(lambda body: '{"score": 3}', faults=scripted_faults.first(1, scripted_faults.busy())) as llm:
        settings = llm.settings(settings)
        …
    assert llm.calls == 2
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from pydantic import SecretStr

from scripted_faults import Body, Call, Fault, Plan
from tetragraph.settings import Settings

_TOKEN = re.compile(r"\s*\w{1,8}|\s*[^\w\s]|\s+")
_PER_MESSAGE = 4
_LONG = 200_000
_BLOCK = 65_536
_RIGHT = Fault("none")


@dataclass(frozen=True)
class Reply:
    """A reply with more properties than its text.

    Attributes:
        chances: Likeliest tokens with their probabilities for each token; generated when left out.
        calls: Name and arguments of each tool that the model calls in place of an answer.
    """

    text: str
    finish: str = "stop"
    chances: Sequence[Mapping[str, float]] = ()
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()


Answer = Callable[[Body], str | Reply]


def tokens_of(text: str) -> list[str]:
    """Words and marks with preceding blanks; a long word is split into tokens of 8 letters."""
    return _TOKEN.findall(text)


def count_input(body: Body) -> int:
    """Number of tokens of all messages, with a constant for each message."""
    return sum(_PER_MESSAGE + len(tokens_of(str(message.get("content") or ""))) for message in body["messages"])


def content_key(body: Body) -> str:
    """Key of a request by model and messages alone."""
    asked = json.dumps([body["model"], body["messages"]], sort_keys=True)
    return hashlib.sha256(asked.encode()).hexdigest()


def last_turn(body: Body) -> str:
    """Text of the last message."""
    return str(body["messages"][-1]["content"])


class ScriptedLlm:
    """The server, as a context manager.

    Args:
        answer: Returns the right answer to a request; it is truncated at ``max_tokens``.
        faults: Plan of faults; can be replaced at any time.
        refuses: Fields that are rejected with 400: ``json_schema``, ``response_format``, ``max_tokens``,
            ``temperature``, ``stream_options``, ``logprobs``.
        model: Name of the only model.

    Attributes:
        requests: Bodies of all requests, in the order of arrival.
        input_tokens: Sum of the input tokens of right replies; ``output_tokens`` likewise.
        at_once: Number of requests in progress.
        most_at_once: Largest number of concurrent requests.
    """

    def __init__(
        self,
        answer: Answer = lambda body: "Yes.",
        *,
        faults: Plan = lambda call: None,
        refuses: Sequence[str] = (),
        model: str = "scripted",
    ) -> None:
        self.answer = answer
        self.faults = faults
        self.refuses = refuses
        self.model = model
        self.requests: list[Body] = []
        self.input_tokens = self.output_tokens = self.at_once = self.most_at_once = 0
        self.stopping = threading.Event()
        self.sockets: set[socket.socket] = set()
        self._counts: Counter[str] = Counter()
        self._guard = threading.Lock()

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._server.shutdown()
        with self._guard:
            open_sockets = list(self.sockets)
        for one in open_sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self._server.server_close()
        self._thread.join()

    @property
    def base_url(self) -> str:
        """Address for clients."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def calls(self) -> int:
        """Number of requests."""
        return len(self.requests)

    def calls_of(self, key: str) -> int:
        """Number of requests with a content, by its :func:`content_key`."""
        return self._counts[key]

    @property
    def calls_by_content(self) -> dict[str, int]:
        """Number of requests by content."""
        return dict(self._counts)

    def settings(self, base: Settings, **changes: Any) -> Settings:
        """Settings with this model, and short pauses and limits."""
        named = {
            "llm": self.model,
            "llm_base_url": self.base_url,
            "llm_api_key": SecretStr("a-key-of-tests"),
            "llm_timeout_s": 10.0,
            "llm_pause_s": 0.001,
        }
        return base.model_copy(update=named | changes)

    def opened(self, connection: socket.socket) -> None:
        """Remember a connection, to close it in the end."""
        with self._guard:
            self.sockets.add(connection)

    def closed(self, connection: socket.socket) -> None:
        """Forget a connection."""
        with self._guard:
            self.sockets.discard(connection)

    def begin(self, body: Body) -> Call:
        """Record a request."""
        key = content_key(body)
        with self._guard:
            call = Call(len(self.requests), self._counts[key], key, body)
            self.requests.append(body)
            self._counts[key] += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        return call

    def end(self) -> None:
        """Record the end of a request."""
        with self._guard:
            self.at_once -= 1

    def bill(self, usage: Mapping[str, int]) -> None:
        """Count the tokens of a right reply."""
        with self._guard:
            self.input_tokens += usage["prompt_tokens"]
            self.output_tokens += usage["completion_tokens"]

    def completion(self, body: Body) -> Body:
        """Completion with the right reply."""
        answer = self.answer(body)
        reply = answer if isinstance(answer, Reply) else Reply(answer)
        limit = body.get("max_tokens") or body.get("max_completion_tokens") or _LONG
        tokens = tokens_of(reply.text)
        kept, is_cut = tokens[:limit], len(tokens) > limit
        given = count_input(body)
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": "".join(kept), "refusal": None, **_tool_calls(reply)},
            "finish_reason": "length" if is_cut else "tool_calls" if reply.calls else reply.finish,
            "logprobs": _logprobs(kept, reply, body) if body.get("logprobs") else None,
        }
        usage = {"prompt_tokens": given, "completion_tokens": len(kept), "total_tokens": given + len(kept)}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": self.model,
            "choices": [choice],
            "usage": usage,
        }

    def refusal(self, body: Body) -> tuple[int, str] | None:
        """Status and error for a request that this server rejects."""
        if body["model"] != self.model:
            return 404, f"The model `{body['model']}` does not exist"
        for name in self.refuses:
            of_a_schema = name == "json_schema" and body.get("response_format", {}).get("type") == "json_schema"
            if of_a_schema:
                return (
                    400,
                    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model",
                )
            if name == "max_tokens" and name in body:
                return 400, (
                    "Unsupported parameter: 'max_tokens' is not supported with this model. "
                    "Use 'max_completion_tokens' instead."
                )
            if name == "temperature" and name in body:
                return 400, "Unsupported value: 'temperature' does not support 0 with this model."
            if name in body:
                return 400, f"Unrecognized request argument supplied: {name}"
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 128


def _tool_calls(reply: Reply) -> Body:
    if not reply.calls:
        return {}
    calls = [
        {"id": f"call-{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for number, (name, arguments) in enumerate(reply.calls, 1)
    ]
    return {"tool_calls": calls, "content": None}


def _logprobs(tokens: Sequence[str], reply: Reply, body: Body) -> Body:
    count = body.get("top_logprobs", 0)
    content = []
    for place, token in enumerate(tokens):
        chances = reply.chances[place] if place < len(reply.chances) else {token: 0.9, " other": 0.05}
        ranked = sorted(chances.items(), key=lambda chance: -chance[1])[:count]
        top = [{"token": one, "logprob": math.log(share), "bytes": None} for one, share in ranked]
        content.append({"token": token, "logprob": math.log(0.9), "bytes": None, "top_logprobs": top})
    return {"content": content, "refusal": None}


def _events(completion: Body, body: Body) -> list[bytes]:
    """A completion as the events of a stream."""
    frame = {name: completion[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    chunks: list[Body] = []
    for choice in completion["choices"]:
        message, logprobs = choice["message"], (choice["logprobs"] or {}).get("content")
        chunks.append({"delta": {"role": "assistant", "content": ""}})
        for place, piece in enumerate(_pieces(message["content"] or "")):
            known = {"content": logprobs[place : place + 1], "refusal": None} if logprobs else None
            chunks.append({"delta": {"content": piece}, "logprobs": known})
        if message.get("refusal"):
            chunks.append({"delta": {"refusal": message["refusal"]}})
        chunks.append({"delta": {}, "finish_reason": choice["finish_reason"]})
    streamed = [
        frame | {"choices": [{"index": 0, "finish_reason": None, "logprobs": None} | one], "usage": None}
        for one in chunks
    ]
    if (body.get("stream_options") or {}).get("include_usage") and "usage" in completion:
        streamed.append(frame | {"choices": [], "usage": completion["usage"]})
    return [b"data: " + json.dumps(one).encode() + b"\n\n" for one in streamed] + [b"data: [DONE]\n\n"]


def _pieces(text: str) -> list[str]:
    if len(text) > _LONG:
        return [text[start : start + _BLOCK] for start in range(0, len(text), _BLOCK)]
    return tokens_of(text)


def _handler(llm: ScriptedLlm) -> type[BaseHTTPRequestHandler]:  # noqa: C901 - a class, each method of it simple
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            llm.opened(self.connection)

        def finish(self) -> None:
            llm.closed(self.connection)
            super().finish()

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:  # the client may close the connection
                self.close_connection = True

        def do_GET(self) -> None:
            models = {"object": "list", "data": [{"id": llm.model, "object": "model", "owned_by": "tests"}]}
            self._whole(200, json.dumps(models), _RIGHT)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            call = llm.begin(body)
            try:
                self._answer(body, llm.faults(call) or _RIGHT)
            finally:
                llm.end()

        def _answer(self, body: Body, fault: Fault) -> None:
            if llm.stopping.wait(fault.wait_s):
                self.close_connection = True
                return
            refusal = llm.refusal(body)
            if fault.content is not None:
                said = fault.content.replace("{authorization}", self.headers.get("Authorization", ""))
                self._whole(fault.status, said, fault)
            elif refusal:
                self._whole(refusal[0], json.dumps({"error": {"message": refusal[1], "type": "error"}}), fault)
            else:
                self._completion(body, fault)

        def _completion(self, body: Body, fault: Fault) -> None:
            completion = llm.completion(body)
            if fault == _RIGHT:
                llm.bill(completion["usage"])
            changed = fault.change(completion) if fault.change else completion
            if body.get("stream"):
                self._stream(_events(changed, body), fault)
            else:
                self._whole(200, json.dumps(changed), fault)

        def _whole(self, status: int, content: str, fault: Fault) -> None:
            sent = content.encode()
            size = max(1, -(-len(sent) // 16))
            pieces = [sent[start : start + size] for start in range(0, len(sent), size)]
            self._head(status, content, fault, {"Content-Length": str(len(sent))})
            self._send(pieces, fault)

        def _stream(self, events: list[bytes], fault: Fault) -> None:
            head = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}
            self._head(200, "", fault, head)
            chunks = [f"{len(event):x}\r\n".encode() + event + b"\r\n" for event in events]
            self._send([*chunks, b"0\r\n\r\n"], fault)

        def _head(self, status: int, content: str, fault: Fault, headers: Mapping[str, str]) -> None:
            if not fault.sent:
                return
            kind = "text/html" if content.startswith("<") else "application/json"
            self.send_response(status)
            for name, value in ({"Content-Type": kind} | _waiting(fault) | dict(headers)).items():
                self.send_header(name, value)
            self.end_headers()

        def _send(self, pieces: list[bytes], fault: Fault) -> None:
            for piece in pieces[: math.ceil(len(pieces) * fault.sent)]:
                if fault.pause_s and llm.stopping.wait(fault.pause_s):
                    break
                self.wfile.write(piece)
            self.close_connection = self.close_connection or fault.sent < 1

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class' name
            """Print nothing."""

    return Handler


def _waiting(fault: Fault) -> dict[str, str]:
    if fault.retry_after_s is None:
        return {}
    told = formatdate(time.time() + fault.retry_after_s, usegmt=True) if fault.is_date else f"{fault.retry_after_s:g}"
    return {"Retry-After": told}
