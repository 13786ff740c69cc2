"""A tool call as the gate is asked about it, and what the gate answers."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .errors import InvalidRequest

Json = dict[str, Any]

#: Permission modes, as in the settings, and ``auto``, in which a model of the client's decides what it would ask about.
MODES = ("default", "plan", "acceptEdits", "dontAsk", "bypassPermissions", "auto")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """The sandbox that this program says it runs a tool in. Policies read it as ``context.sandbox.declares``.

    Nobody checks a declaration: the call's ``context.sandbox.verified`` stays false, and a rule that demands Doorward's
    own sandbox isn't met by it. What is left out (``None``) isn't limited.

    Attributes:
        tier: how strong it is: ``full`` (T3), ``restricted`` (T2), ``limited`` (T1) or ``none`` (T0).
        wall_s: longest run, in seconds.
        memory_mb: most memory, in MiB.
        hosts: hosts that it can reach; empty for none.
        reads: folders whose files it can read.
        writes: folders whose files it can change.
    """

    tier: Literal["full", "restricted", "limited", "none"] | None = None
    wall_s: int | None = None
    memory_mb: int | None = None
    hosts: Sequence[str] | None = None
    reads: Sequence[str] | None = None
    writes: Sequence[str] | None = None

    def bounds(self) -> Json:
        """As the contract's ``resource.attributes.sandbox``."""
        listed = {"hosts": self.hosts, "reads": self.reads, "writes": self.writes}
        told: Json = {"tier": self.tier, "wall_s": self.wall_s, "memory_mb": self.memory_mb}
        told |= {name: None if items is None else list(items) for name, items in listed.items()}
        return {name: value for name, value in told.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call.

    Attributes:
        tool: a canonical name (``shell:execute``, ``fs:read``, ...), or the name that ``client`` gives it.
        args: the arguments, JSON values only.
        session: calls with the same session are judged as one course of action.
        principal: who the agent acts for.
        groups: the principal's groups.
        cwd: absolute working folder. Taken from a local caller only.
        roots: folders the call may act in; ``ro:DIR`` and ``deny:DIR`` too. Taken from a local caller only.
        mode: permission mode, one of :data:`MODES`. Taken from a local caller only.
        client: whose tool names these are: ``openhands``, ``claude-code``, ...
        agent: name of the agent or sub-agent.
        call_id: the framework's id of this call.
        context: more for policies to read under ``context.request``.
        sandbox: the sandbox that this program runs the tool in; ``True`` for one whose bounds it doesn't tell.
        schema: JSON Schema of the tool's arguments; a call that breaks it is denied as ``args.schema``.
    """

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    session: str | None = None
    principal: str | None = None
    groups: Sequence[str] = ()
    cwd: str | None = None
    roots: Sequence[str] | None = None
    mode: str | None = None
    client: str | None = None
    agent: str | None = None
    call_id: str | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    sandbox: Sandbox | bool | None = None
    schema: Mapping[str, Any] | None = None

    def request(self, principal: str, session: str) -> Json:
        """The request of the HTTP contract, with what stands in for what this call doesn't say.

        Args:
            principal: who the agent acts for, unless the call says it.
            session: the session, unless the call says it.

        Raises:
            InvalidRequest: there is no such mode.
        """
        if self.mode is not None and self.mode not in MODES:
            raise InvalidRequest("request.invalid", f"there is no mode {self.mode!r}: there are {', '.join(MODES)}")
        context: Json = dict(self.context)
        told = {
            "session_id": self.session or session,
            "cwd": self.cwd or os.getcwd(),
            "roots": None if self.roots is None else list(self.roots),
            "mode": self.mode,
            "client": self.client,
            "agent": self.agent,
            "call_id": self.call_id,
        }
        context.update({name: value for name, value in told.items() if value is not None})
        attributes: Json = {"args": dict(self.args)}
        if self.sandbox is not None:
            attributes["sandbox"] = self.sandbox.bounds() if isinstance(self.sandbox, Sandbox) else self.sandbox
        if self.schema is not None:
            attributes["schema"] = dict(self.schema)
        return {
            "principal": {"id": self.principal or principal, "groups": list(self.groups)},
            "action": "tool:execute",
            "resource": {"type": "tool", "name": self.tool, "attributes": attributes},
            "context": context,
        }


@dataclass(frozen=True, slots=True)
class Decision:
    """What ``check`` says: what would be decided, recorded nowhere.

    Attributes:
        verdict: ``ALLOW``, ``DENY`` or ``REQUIRE_USER_CONFIRMATION``.
        reason: one sentence.
        code: stable code of what decided.
        risk: ``UNKNOWN``, ``LOW``, ``MEDIUM`` or ``HIGH``.
        findings: what was found, each with ``code``, ``severity`` and ``message``.
        effects: what the call would do.
        raw: the whole answer.
    """

    verdict: str
    reason: str
    code: str
    risk: str
    findings: list[Json]
    effects: Json
    raw: Json

    @property
    def allowed(self) -> bool:
        """Whether the call may run."""
        return self.verdict == "ALLOW"


def digest(value: Any) -> tuple[str, int]:
    """``sha256:`` over a result as text, and its length in bytes. What isn't text is digested as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False, sort_keys=True)
    data = text.encode("utf-8", "surrogatepass")
    return f"sha256:{hashlib.sha256(data).hexdigest()}", len(data)


def redacted(value: Any) -> Any:
    """The value with every secret in its texts masked, at any depth of lists, tuples, sets, mappings, dataclasses and
    Pydantic's models. An object of another kind stays as it is, unless its text (``str``) holds a secret: then that text
    takes its place, masked."""
    from . import secrets

    if value is None or isinstance(value, bool | int | float | complex):
        return value
    if isinstance(value, str):
        masked = secrets.redact(value)
        return value if masked == value else masked
    if isinstance(value, bytes | bytearray):
        # Every byte is a letter here, so that what holds no secret comes back as it was.
        text = value.decode("latin-1")
        masked = secrets.redact(text)
        return value if masked == text else type(value)(masked.encode("utf-8"))
    if isinstance(value, Mapping):
        return {redacted(name): _named(name, item) for name, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(redacted(item) for item in value))
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(redacted(item) for item in value)
    return _redacted_object(value)


def _named(name: Any, item: Any) -> Any:
    """A masked member: what is no secret by itself may be one under its name (``{"password": "..."}``)."""
    from . import secrets

    masked = redacted(item)
    if not isinstance(name, str) or not isinstance(masked, str):
        return masked
    text = json.dumps({name: masked}, ensure_ascii=False)
    told = secrets.redact(text)
    if told == text:
        return masked
    try:
        return next(iter(json.loads(told).values()))
    except (ValueError, AttributeError, StopIteration):
        return "****"


def _redacted_object(value: Any) -> Any:
    """A copy whose fields are masked, where some change; for an object of another kind its text, if that changes."""
    from . import secrets

    try:
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            told = {item.name: getattr(value, item.name) for item in dataclasses.fields(value) if item.init}
            changed = _changed(told)
            return dataclasses.replace(value, **changed) if changed else value
        if hasattr(value, "model_copy") and hasattr(type(value), "model_fields"):
            changed = _changed({name: getattr(value, name) for name in type(value).model_fields})
            return value.model_copy(update=changed) if changed else value
        text = str(value)
    except Exception:
        # Whoever hands it to the model asks for its text; one that can't be had isn't handed on.
        return f"[a {type(value).__name__} that can't be searched for secrets]"
    masked = secrets.redact(text)
    return value if masked == text else masked


def _changed(fields: Json) -> Json:
    """The fields that masking changes."""
    masked = {name: _named(name, item) for name, item in fields.items()}
    return {name: item for name, item in masked.items() if item is not fields[name] and item != fields[name]}
