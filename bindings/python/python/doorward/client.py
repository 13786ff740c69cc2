"""A client of the service, in plain Python: over its Unix socket, or over HTTP on the loopback port."""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlencode, urlsplit

from ._core import default_state
from .call import Json
from .errors import HOW_TO_ANSWER, AnswerRefused, InvalidRequest, Unavailable
from .gate import Door, _text

SOCKET = "doorward.sock"
TOKEN = "token"

#: A connection that was idle for longer is opened anew, in seconds. The service closes idle ones.
_IDLE = 5.0


class _Unix(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Client(Door):
    """A client of the service. The same API as :class:`~doorward.Gate`.

    Over the socket the service knows the caller by the kernel's word, and takes ``cwd``, ``roots`` and ``mode`` from
    it. Over HTTP it needs a token, and where the caller may act is what the service's settings say.

    Args:
        url: ``http://127.0.0.1:PORT`` or ``https://...``; without one the socket is used.
        state: state folder of the service, for its socket and, with ``url``, its token.
        socket: path of the socket, where it isn't in the state folder.
        token: token for ``url``; by default the one in the state folder.
        ca: file of the certificate authority that signed the service's certificate, for ``https``.
        timeout: longest that a request takes, in seconds. Waiting for people adds to it.
        principal, session: see :class:`~doorward.gate.Door`.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        state: str | os.PathLike[str] | None = None,
        socket: str | os.PathLike[str] | None = None,
        token: str | None = None,
        ca: str | os.PathLike[str] | None = None,
        timeout: float = 10.0,
        principal: str | None = None,
        session: str | None = None,
    ) -> None:
        super().__init__(principal=principal, session=session)
        folder = Path(state if state is not None else default_state())
        self._socket = str(socket if socket is not None else folder / SOCKET)
        self._url = urlsplit(url) if url else None
        self._timeout = timeout
        self._local = threading.local()
        self._headers = {"Content-Type": "application/json"}
        self._tls = ssl.create_default_context(cafile=str(ca) if ca else None) if url else None
        if self._url is not None:
            if self._url.scheme not in ("http", "https") or not self._url.hostname:
                raise InvalidRequest("request.invalid", f"{url!r} is no address of a service: http://127.0.0.1:PORT")
            if token is None:
                try:
                    token = (folder / TOKEN).read_text().strip()
                except OSError as error:
                    how = "give token=..., or the service's state=..."
                    raise Unavailable("service.unauthorized", f"no token: {error}", how) from None
            self._headers["Authorization"] = f"Bearer {token}"

    def _open(self) -> http.client.HTTPConnection:
        if self._url is None:
            return _Unix(self._socket, self._timeout)
        host, port = cast(str, self._url.hostname), self._url.port
        if self._url.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=self._timeout, context=self._tls)
        return http.client.HTTPConnection(host, port, timeout=self._timeout)

    def _connection(self, more: float) -> http.client.HTTPConnection:
        known: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if known is not None and time.monotonic() - self._local.used > _IDLE:
            known.close()
            known = None
        if known is None:
            known = self._local.connection = self._open()
        known.timeout = self._timeout + more
        if known.sock is not None:
            known.sock.settimeout(known.timeout)
        return known

    def request(self, method: str, path: str, body: Json | None = None, *, more: float = 0.0) -> Any:
        """One request of the HTTP API; the answer as JSON.

        Args:
            method: ``GET``, ``POST`` or ``DELETE``.
            path: with its query.
            body: JSON.
            more: seconds that the service may wait before it answers.

        Raises:
            Unavailable: no answer, or one that isn't the API's. A request that may have arrived isn't sent again.
            InvalidRequest: the service refuses the request itself.
            AnswerRefused: an answer to a question isn't taken.
        """
        text = None if body is None else _text(body)
        connection = self._connection(more)
        try:
            connection.request(method, path, body=text, headers=self._headers)
            response = connection.getresponse()
            data = response.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            self._local.connection = None
            where = self._socket if self._url is None else self._url.geturl()
            how = "start it with `doorward serve`, or name its socket or url"
            raise Unavailable("service.unreachable", f"no answer from {where}: {error!r}", how) from None
        self._local.used = time.monotonic()
        try:
            answer = json.loads(data) if data else None
        except ValueError:
            raise Unavailable("service.answer", f"{method} {path}: the answer isn't JSON") from None
        if response.status < 400:
            return answer
        told: Mapping[str, Any] = answer if isinstance(answer, dict) else {}
        code = str(told.get("code", f"http.{response.status}"))
        reason = str(told.get("message", f"{method} {path} answered {response.status}"))
        if code in HOW_TO_ANSWER:
            raise AnswerRefused(code, reason, HOW_TO_ANSWER[code])
        if response.status in (400, 413, 415, 422) or code == "approval.unknown":
            raise InvalidRequest(code, reason)
        raise Unavailable(code, reason)

    def _decide(self, request: Json) -> Json:
        return cast(Json, self.request("POST", "/v1/decide", request))

    def hook_told(self, client: str, event: Json) -> Json | None:
        """What a coding agent's hook was told about a call, where the hook runs for this very process. It is told once
        for each call, and only over the socket, which says who asks.

        Args:
            client: the coding agent, ``openhands``.
            event: the event that the hook got.

        Returns:
            The decision as :meth:`admit` gets it, or ``None``: then ask for one.
        """
        if self._url is not None:
            return None
        try:
            return cast(Json, self.request("POST", f"/v1/hook/{quote(client, safe='')}/told", event))
        except Unavailable as error:
            if error.code == "hook.not_told":
                return None
            raise

    def _check(self, request: Json) -> Json:
        return cast(Json, self.request("POST", "/v1/simulate", request))

    def _report(self, id: str, outcome: Json) -> None:
        self.request("POST", f"/v1/decisions/{quote(id, safe='')}/outcome", outcome)

    def _wait(self, id: str, seconds: float) -> Json:
        # The service takes whole seconds; the rest of one is slept here, before the last look.
        if 0 < seconds < 1:
            time.sleep(seconds)
        query = urlencode({"seconds": int(seconds)})
        return cast(Json, self.request("GET", f"/v1/approvals/{quote(id, safe='')}/wait?{query}", more=seconds))

    def approvals(self, *, all: bool = False) -> list[Json]:
        path = "/v1/approvals?all=true" if all else "/v1/approvals"
        return cast(list[Json], self.request("GET", path)["approvals"])

    def answer(
        self,
        id: str,
        yes: bool,
        *,
        by: str | None = None,
        passphrase: str | None = None,
        typed: str | None = None,
        reason: str | None = None,
        session: bool = False,
    ) -> Json:
        """Answers a question as the account that this client is known by.

        Args:
            id: the question.
            yes: go ahead, or don't.
            by: left out: the service knows who answers, by the socket's user or the token's account.
            passphrase: the account's, as a sign that a person is there. A credential alone is none.
            typed: the phrase, where the question asks for one.
            reason: for the agent to read.
            session: a yes that counts for identical calls of the session too.

        Raises:
            AnswerRefused: it isn't taken; ``settle`` says what would be.
            InvalidRequest: ``by`` was given.
        """
        if by is not None:
            raise InvalidRequest("request.invalid", "leave `by` out: the service itself knows who answers")
        body: Json = {"answer": "yes" if yes else "no", "reach": "session" if session else "once"}
        told = {"passphrase": passphrase, "typed": typed, "reason": reason}
        body.update({name: value for name, value in told.items() if value is not None})
        return cast(Json, self.request("POST", f"/v1/approvals/{quote(id, safe='')}/answer", body))

    def sessions(self) -> list[Json]:
        return cast(list[Json], self.request("GET", "/v1/sessions")["sessions"])

    def health(self) -> Json:
        return cast(Json, self.request("GET", "/healthz"))

    def close(self) -> None:
        """Closes this thread's connection."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None
