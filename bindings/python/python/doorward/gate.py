"""The gate: one API, in this process (:class:`Gate`) or at the service (:class:`~doorward.client.Client`)."""

from __future__ import annotations

import abc
import functools
import getpass
import inspect
import json
import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, cast

from . import _core
from .asynchronous import AsyncDoor
from .call import Call, Decision, Json
from .errors import (
    HOW_TO_ANSWER,
    HOW_TO_OPEN,
    AnswerRefused,
    ConfirmationRequired,
    ConfirmationTimedOut,
    Denied,
    InvalidRequest,
    Unavailable,
)
from .permit import Permit

P = ParamSpec("P")
R = TypeVar("R")
D = TypeVar("D", bound="Door")

#: The longest that one question to the service waits, in seconds.
_STEP = 30.0


class Door(abc.ABC):
    """What :class:`Gate` and :class:`~doorward.client.Client` share. Safe to use from several threads.

    Args:
        principal: who the agent acts for; the user's name by default.
        session: calls with the same session are judged as one course of action; a new one by default.
    """

    def __init__(self, *, principal: str | None = None, session: str | None = None) -> None:
        self.principal = principal or getpass.getuser()
        self.session = session or f"python-{uuid.uuid4()}"

    @abc.abstractmethod
    def _decide(self, request: Json) -> Json: ...

    @abc.abstractmethod
    def _check(self, request: Json) -> Json: ...

    @abc.abstractmethod
    def _report(self, id: str, outcome: Json) -> None: ...

    @abc.abstractmethod
    def _wait(self, id: str, seconds: float) -> Json: ...

    @abc.abstractmethod
    def approvals(self, *, all: bool = False) -> list[Json]:
        """Questions for people: open ones, or the settled ones too. Each has ``id``, ``state``, ``tool``, ``args``
        (redacted), ``reason``, ``level``, ``phrase``, ``expires`` (RFC 3339)."""

    @abc.abstractmethod
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
        """Answers a question. How it is known who answers, and that a person is there, differs: see
        :meth:`Gate.answer` and :meth:`Client.answer`."""

    @abc.abstractmethod
    def sessions(self) -> list[Json]:
        """Sessions: each has ``id``, ``calls``, ``denials`` and ``taints`` (what its calls have touched so far)."""

    @abc.abstractmethod
    def health(self) -> Json:
        """How the gate is doing: ``ok``, ``problems``, ``records`` and more."""

    @abc.abstractmethod
    def close(self) -> None:
        """Gives back what is held."""

    def call(self, call: Call | str, args: Mapping[str, Any] | None = None, **more: Any) -> Call:
        """A :class:`Call` from itself, or from a tool's name, its arguments and further members.

        Raises:
            TypeError: arguments or members beside a :class:`Call`, which has its own.
        """
        if isinstance(call, Call):
            if args is not None or more:
                given = ", ".join([*(["args"] if args is not None else []), *more])
                raise TypeError(f"{given}: put them into the Call (dataclasses.replace(call, ...))")
            return call
        return Call(call, args or {}, **more)

    def check(self, call: Call | str, args: Mapping[str, Any] | None = None, **more: Any) -> Decision:
        """What would be decided about a call. Nothing is recorded, so nothing may run because of it. Over HTTP it takes
        a token of at least a viewer; the agent's own asks for decisions alone.

        Raises:
            InvalidRequest: it is no request.
            Unavailable: the gate can't be reached.
        """
        answer = self._check(self.call(call, args, **more).request(self.principal, self.session))
        return Decision(
            verdict=answer["decision"],
            reason=answer["reason"],
            code=answer["code"],
            risk=answer["risk"],
            findings=answer["findings"],
            effects=answer["effects"],
            raw=answer,
        )

    def admit(
        self, call: Call | str, args: Mapping[str, Any] | None = None, *, wait: float = 0.0, **more: Any
    ) -> Permit:
        """Asks for a call. Run it only with the permit this returns, meet ``permit.obligations``, then ``report``.

        Args:
            call: the call, or a tool's name with ``args`` and further members of :class:`Call`.
            wait: seconds to wait for a person, where one has to decide.

        Raises:
            Denied: it must not run.
            ConfirmationRequired: a person has to decide, and ``wait`` is 0.
            ConfirmationTimedOut: nobody decided within ``wait`` seconds.
            InvalidRequest: it is no request.
            Unavailable: the gate can't be reached. Don't run the call.
        """
        request = self.call(call, args, **more).request(self.principal, self.session)
        try:
            return self._admit(request)
        except ConfirmationRequired as asked:
            if wait <= 0:
                raise
            self.wait(asked, wait)
        # The yes is bound to the identical call: asked again, it is redeemed.
        return self._admit(request)

    def _admit(self, request: Json) -> Permit:
        answer = self._decide(request)
        known = {"policies": answer["policies"], "record_id": answer.get("record_id")}
        if answer["decision"] == "ALLOW" and answer.get("record_id"):
            return Permit(self, answer)
        if answer["decision"] == "REQUIRE_USER_CONFIRMATION":
            question = answer["confirmation"]
            raise ConfirmationRequired(
                answer["code"],
                answer["reason"],
                id=question["confirmationId"],
                level=question["level"],
                phrase=question["phrase"],
                expires=question["expires"],
                warning=question["security_warning"]["message"],
                **known,
            )
        how = "`doorward check --explain` shows what would make it allowed"
        raise Denied(answer["code"], answer["reason"], how, **known)

    def wait(self, question: ConfirmationRequired | str, seconds: float) -> None:
        """Waits for a person's yes.

        Args:
            question: what :meth:`admit` raised, or a question's id.
            seconds: the longest wait.

        Raises:
            Denied: the answer is no, or the question lapsed.
            ConfirmationTimedOut: nobody answered in time.
            InvalidRequest: there is no such question.
        """
        asked = question if isinstance(question, ConfirmationRequired) else None
        id = asked.id if asked else str(question)
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            answer = self._wait(id, max(0.0, min(left, _STEP)))
            outcome, reason = answer["outcome"], answer.get("reason")
            if outcome == "allowed":
                return
            if outcome == "denied":
                raise Denied(
                    "approval.denied", reason or "a person said no", "don't repeat the call; ask what else to do"
                )
            if outcome == "error" and str(reason).startswith("store.not_found"):
                raise InvalidRequest("approval.unknown", f"there is no question {id}: approvals() lists the open ones")
            if outcome != "pending":
                raise Denied(f"approval.{outcome}", reason or f"the question ended without a yes: {outcome}")
            if time.monotonic() >= until:
                raise ConfirmationTimedOut(
                    asked.code if asked else "approval.pending",
                    f"nobody answered within {seconds:g} seconds",
                    id=id,
                    level=asked.level if asked else 1,
                    phrase=asked.phrase if asked else None,
                    expires=asked.expires if asked else "",
                    warning=asked.warning if asked else "",
                )

    @contextmanager
    def guard(
        self, call: Call | str, args: Mapping[str, Any] | None = None, *, wait: float = 0.0, **more: Any
    ) -> Iterator[Permit]:
        """``with gate.guard("shell:execute", {"command": c}) as permit: ...``: runs the block only if the call is
        allowed, and reports how it ended: ``ran``, or ``failed`` where the block raises.

        Raises:
            Denied: as :meth:`admit`; also where the call owes what this process can't give (``obligation.unmet``).
        """
        permit = self.admit(call, args, wait=wait, **more)
        permit.require_met()
        try:
            yield permit
        except BaseException:
            permit.report("failed")
            raise
        permit.report("ran")

    def guarded(
        self, tool: str | None = None, *, wait: float = 0.0, redact: bool = False, **more: Any
    ) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Decorates a function, synchronous or not, so that each call of it is asked for first.

        Args:
            tool: the tool's name; the function's name by default. The function's parameters are the tool's arguments.
            wait: seconds to wait for a person.
            redact: mask secrets in what the function returns, also where no rule asks for it.
            more: further members of :class:`Call`.

        Raises:
            TypeError: the function is a generator.
        """

        def decorate(function: Callable[P, R]) -> Callable[P, R]:
            if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
                what = "its body runs after the call has returned, when nobody asks any more"
                raise TypeError(f"{function.__qualname__} is a generator: {what}. Use `with gate.guard(...)` inside it")
            signature = inspect.signature(function)
            name = tool or function.__name__

            def arguments(*args: Any, **kwargs: Any) -> Json:
                return named_arguments(signature, *args, **kwargs)

            if inspect.iscoroutinefunction(function):

                @functools.wraps(function)
                async def waiting(*args: Any, **kwargs: Any) -> Any:
                    async with AsyncDoor(self).guard(name, arguments(*args, **kwargs), wait=wait, **more) as permit:
                        return permit.output(await function(*args, **kwargs), redact=redact)

                return cast(Callable[P, R], waiting)

            @functools.wraps(function)
            def running(*args: P.args, **kwargs: P.kwargs) -> R:
                with self.guard(name, arguments(*args, **kwargs), wait=wait, **more) as permit:
                    return cast(R, permit.output(function(*args, **kwargs), redact=redact))

            return running

        return decorate

    def __enter__(self: D) -> D:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def named_arguments(signature: inspect.Signature, *args: Any, **kwargs: Any) -> Json:
    """A function's arguments by name, with its defaults. ``**kwargs`` are arguments like others, and the object whose
    method it is (``self``, ``cls``) is none."""
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    named: Json = {}
    for nth, (name, value) in enumerate(bound.arguments.items()):
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            named.update(value)
        elif not (nth == 0 and name in ("self", "cls")):
            named[name] = list(value) if kind is inspect.Parameter.VAR_POSITIONAL else value
    return named


def _core_error(error: _core.Problem) -> Exception:
    code, reason = error.args
    if code in HOW_TO_ANSWER:
        return AnswerRefused(code, reason, HOW_TO_ANSWER[code])
    if code == "approval.unknown" or code.startswith(("request.", "json.", "tool.")):
        return InvalidRequest(code, reason)
    return Unavailable(code, reason, HOW_TO_OPEN.get(code, ""))


class Gate(Door):
    """The gate in this process, over the Rust core. Python's lock is free while it judges.

    Args:
        state: state folder: ledger, questions, token. One gate or service at a time; made where it is missing.
        settings: a ``doorward.toml``; by default the one in the state folder.
        principal: who the agent acts for; the user's name by default.
        session: see :class:`Door`.

    Raises:
        Unavailable: the folder can't be used (``state.unwritable``, a second gate, a damaged ledger).
    """

    def __init__(
        self,
        state: str | os.PathLike[str],
        settings: str | os.PathLike[str] | None = None,
        *,
        principal: str | None = None,
        session: str | None = None,
    ) -> None:
        super().__init__(principal=principal, session=session)
        try:
            self._gate = _core.Gate(Path(state).absolute(), None if settings is None else Path(settings).absolute())
        except _core.Problem as error:
            raise _core_error(error) from None

    def _ask(self, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except _core.Problem as error:
            raise _core_error(error) from None

    def _decide(self, request: Json) -> Json:
        return cast(Json, json.loads(self._ask(self._gate.decide, _text(request))))

    def _check(self, request: Json) -> Json:
        return cast(Json, json.loads(self._ask(self._gate.check, _text(request))))

    def _report(self, id: str, outcome: Json) -> None:
        self._ask(self._gate.report, id, _text(outcome))

    def _wait(self, id: str, seconds: float) -> Json:
        return cast(Json, json.loads(self._ask(self._gate.wait, id, seconds)))

    def approvals(self, *, all: bool = False) -> list[Json]:
        return cast(list[Json], json.loads(self._ask(self._gate.approvals, all)))

    def answer(
        self,
        id: str,
        yes: bool,
        *,
        by: str | None = None,
        groups: list[str] | None = None,
        dialog: bool = False,
        passphrase: str | None = None,
        typed: str | None = None,
        reason: str | None = None,
        session: bool = False,
    ) -> Json:
        """Answers a question for a person.

        Args:
            id: the question.
            yes: go ahead, or don't.
            by: who answers; the user's name by default.
            groups: their groups.
            dialog: this program put its own dialog before that person, and reports what they clicked. The record says
                ``client_dialog``. Without it, and without a passphrase, a yes to a HIGH question is refused.
            passphrase: the passphrase of ``by``, as a stronger sign of presence.
            typed: the phrase, where the question asks for one.
            reason: for the agent to read.
            session: a yes that counts for identical calls of the session too.

        Raises:
            AnswerRefused: it isn't taken; ``settle`` says what would be.
        """
        given: Json = {"yes": yes, "by": by or getpass.getuser(), "groups": groups or [], "dialog": dialog, "session": session}
        given.update(passphrase=passphrase, typed=typed, reason=reason)
        return cast(Json, json.loads(self._ask(self._gate.answer, id, _text(given))))

    def sessions(self) -> list[Json]:
        return cast(list[Json], json.loads(self._gate.sessions()))

    def health(self) -> Json:
        return cast(Json, json.loads(self._gate.health()))

    def close(self) -> None:
        self._gate.close()


#: Made once: ``json.dumps`` makes a new one for each call that isn't of its defaults.
_ENCODE = json.JSONEncoder(allow_nan=False).encode


def _text(value: Json) -> str:
    try:
        return _ENCODE(value)
    except (TypeError, ValueError) as error:
        raise InvalidRequest("request.invalid", f"arguments are JSON values: {error}") from None
