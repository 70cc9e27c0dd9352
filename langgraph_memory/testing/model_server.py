"""A chat model behind HTTP for tests: a server on loopback that speaks the OpenAI API from a script.

What a double in process can't show is shown here: what the client makes of refusals, of answers that are no
JSON or that end in the middle, of rate limits, outages, silence and streams that drip.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, TypeAlias

from langchain_core.messages import AIMessage
from pydantic import BaseModel

from langgraph_memory.closing import Closing

_CHARS_A_TOKEN = 4
_PIECE = 12


@dataclass(frozen=True)
class Refusal:
    """The model declines, in the way the API has for it."""

    text: str = "I can't help with that."


@dataclass(frozen=True)
class Truncated:
    """An answer that ran into the token limit: `text` is what there is of it."""

    text: str


@dataclass(frozen=True)
class Failure:
    """An HTTP error, with a Retry-After header if one is given: seconds, or an HTTP date."""

    status: int
    message: str = "the server is overloaded"
    retry_after: float | str | None = None


@dataclass(frozen=True)
class Silence:
    """No answer at all: the client has to time out."""


@dataclass(frozen=True)
class Dropped:
    """The connection breaks in the middle of the answer."""


@dataclass(frozen=True)
class Slow:
    """An answer that takes its time: `pause` seconds before it, or between the pieces of a stream."""

    reply: AIMessage | str | Mapping[str, Any] | BaseModel
    pause: float = 0.01


ServedReply: TypeAlias = (
    "AIMessage | str | Mapping[str, Any] | BaseModel | Refusal | Truncated | Failure | Silence | Dropped"
    " | Slow | Callable[[ServedCall], ServedReply]"
)
"""One entry of a script: what to answer, how to fail, or a function of the call that gives one."""


@dataclass(frozen=True)
class ServedCall:
    """One request that the server got.

    Attributes:
        path: of the URL.
        body: the JSON of the request.
        headers: lower-case names.
    """

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """The text of all messages, one a line."""
        return "\n".join(_text(message.get("content")) for message in self.body.get("messages", ()))


class ScriptedModelServer(Closing):
    """An OpenAI-compatible server on a free port of 127.0.0.1 that answers from a script, in order.

    Chat completions are answered plainly or as a stream, with content, a forced tool call or structured
    output, as the request asks for it; each answer counts its tokens. When the script has ended it answers
    with status 400, which no client tries again.

    Args:
        script: the replies; may be endless, such as `itertools.repeat(…)`.

    Example:
        >>> from langchain_openai import ChatOpenAI
        >>> with ScriptedModelServer(["Hello."]) as server:
        ...     model = ChatOpenAI(model="gpt-test", base_url=server.url, api_key="none", max_retries=0)
        ...     model.invoke("Hi").text, server.calls[0].body["model"]
        ('Hello.', 'gpt-test')
    """

    def __init__(self, script: Iterable[ServedReply] = ()) -> None:
        self._script = iter(script)
        self._turn = threading.Lock()
        self._calls: list[ServedCall] = []
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def calls(self) -> tuple[ServedCall, ...]:
        """The requests so far, those that failed among them."""
        return tuple(self._calls)

    def answer(self, call: ServedCall) -> ServedReply:
        """The next reply of the script."""
        with self._turn:
            self._calls.append(call)
            reply = next(self._script, None)
        if reply is None:
            return Failure(400, "the script of this server has ended: extend it")
        return reply(call) if callable(reply) else reply

    def close(self) -> None:
        """Stop serving."""
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        self._thread.start()
        return self


def _handler_of(server: ScriptedModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            headers = {name.lower(): value for name, value in self.headers.items()}
            call = ServedCall(path=self.path, body=body, headers=headers)
            try:
                _reply(self, server, call, server.answer(call))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client has given up: that is what some tests are about

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the signature is http.server's
            """Say nothing."""

    return Handler


def _reply(
    handler: BaseHTTPRequestHandler, server: ScriptedModelServer, call: ServedCall, reply: ServedReply
) -> None:
    pause = reply.pause if isinstance(reply, Slow) else 0.0
    reply = reply.reply if isinstance(reply, Slow) else reply
    if isinstance(reply, Silence):
        server.closing.wait()
        handler.close_connection = True
    elif isinstance(reply, Failure):
        retry = {} if reply.retry_after is None else {"Retry-After": str(reply.retry_after)}
        error = {"error": {"message": reply.message, "type": "error", "code": None, "param": None}}
        _send(handler, reply.status, json.dumps(error), retry)
    elif isinstance(reply, Dropped):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"id": "broken", "choi')
        handler.close_connection = True
    elif call.body.get("stream"):
        _stream(handler, server, _choice(reply, call), call, pause)
    else:
        server.closing.wait(pause)
        message, finish = _choice(reply, call)
        choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
        whole = {**_envelope(call, "chat.completion"), "choices": [choice], "usage": _usage(call, message)}
        _send(handler, 200, json.dumps(whole))


def _choice(reply: Any, call: ServedCall) -> tuple[dict[str, Any], str]:
    """The message of an answer, and how it ended."""
    message: dict[str, Any] = {"role": "assistant", "content": None, "refusal": None}
    if isinstance(reply, Refusal):
        return message | {"refusal": reply.text}, "stop"
    if isinstance(reply, Truncated):
        return message | {"content": reply.text}, "length"
    if isinstance(reply, AIMessage):
        return _spoken(message, reply)
    content = reply if isinstance(reply, str) else _json(reply)
    forced = call.body.get("tool_choice")
    if isinstance(forced, Mapping) and not isinstance(reply, str):
        function = {"name": forced["function"]["name"], "arguments": content}
        return message | {"tool_calls": [_tool_call(0, "call-0", function)]}, "tool_calls"
    return message | {"content": content}, "stop"


def _spoken(message: dict[str, Any], reply: AIMessage) -> tuple[dict[str, Any], str]:
    calls = [
        _tool_call(
            n, call["id"] or f"call-{n}", {"name": call["name"], "arguments": json.dumps(call["args"])}
        )
        for n, call in enumerate(reply.tool_calls)
    ]
    if calls:
        return message | {"content": reply.text or None, "tool_calls": calls}, "tool_calls"
    return message | {"content": reply.text}, "stop"


def _stream(
    handler: BaseHTTPRequestHandler,
    server: ScriptedModelServer,
    answer: tuple[dict[str, Any], str],
    call: ServedCall,
    pause: float,
) -> None:
    """Send an answer in pieces."""
    message, finish = answer
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.close_connection = True
    envelope = _envelope(call, "chat.completion.chunk")
    for delta in _deltas(message):
        server.closing.wait(pause)
        choice = {"index": 0, "delta": delta, "finish_reason": None, "logprobs": None}
        _event(handler, {**envelope, "choices": [choice]})
    last = {"index": 0, "delta": {}, "finish_reason": finish, "logprobs": None}
    _event(handler, {**envelope, "choices": [last]})
    if (call.body.get("stream_options") or {}).get("include_usage"):
        _event(handler, {**envelope, "choices": [], "usage": _usage(call, message)})
    handler.wfile.write(b"data: [DONE]\n\n")


def _deltas(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    for name in ("content", "refusal"):
        text = message.get(name) or ""
        for start in range(0, len(text), _PIECE):
            yield {name: text[start : start + _PIECE]}
    for call in message.get("tool_calls", ()):
        yield {"tool_calls": [call]}


def _event(handler: BaseHTTPRequestHandler, chunk: Mapping[str, Any]) -> None:
    handler.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
    handler.wfile.flush()


def _send(
    handler: BaseHTTPRequestHandler, status: int, body: str, headers: Mapping[str, str] | None = None
) -> None:
    payload = body.encode()
    handler.send_response(status)
    for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(payload)))
    handler.end_headers()
    handler.wfile.write(payload)


def _envelope(call: ServedCall, kind: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-scripted",
        "object": kind,
        "created": 0,
        "model": call.body.get("model", "scripted"),
    }


def _usage(call: ServedCall, message: Mapping[str, Any]) -> dict[str, int]:
    read = _tokens(json.dumps(call.body.get("messages", [])))
    written = _tokens(json.dumps([message.get("content"), message.get("tool_calls", [])]))
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _tokens(text: str) -> int:
    return max(len(text) // _CHARS_A_TOKEN, 1)


def _tool_call(number: int, call_id: str, function: Mapping[str, str]) -> dict[str, Any]:
    return {"index": number, "id": call_id, "type": "function", "function": dict(function)}


def _json(reply: Mapping[str, Any] | BaseModel) -> str:
    return reply.model_dump_json() if isinstance(reply, BaseModel) else json.dumps(reply, default=str)


def _text(content: str | Sequence[Mapping[str, Any]] | None) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(str(part.get("text", "")) for part in content)
