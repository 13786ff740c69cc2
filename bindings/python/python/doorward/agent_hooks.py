"""AGENT-HOOKS 0.1: Doorward as an interceptor and as the approval resolver of any host that speaks the contract.

    seat = DoorwardInterceptor(gate, {"run_command": "shell:execute"}, wait=600)
    emitter = InterceptionEmitter(interceptors=[seat], resolver=seat, timeout=...)

A denial is ``deny``. A question for a person is a ``deny`` with an ``approval`` block, which a host lifts by asking
the resolver: that waits for the person, and redeems the yes by asking for the identical call again. A result with
secrets is a ``transform`` of ``$target``. Verdicts are of the wire's shape, so this module needs no other package but
for the resolver.
"""

from __future__ import annotations

import threading
from typing import Any

from .adapter import Names
from .asynchronous import AsyncDoor
from .call import Call, Json, redacted
from .errors import ConfirmationRequired, Denied, DoorwardError
from .gate import Door
from .permit import Permit

#: Where a call is, by session and call id.
_Key = tuple[str, str]


class DoorwardInterceptor:
    """One per gate; it serves any number of sessions.

    Args:
        door: a gate or client.
        names: canonical names by the names of the agent's tools.
        wait: seconds that the resolver waits for a person. The host's own timeout has to be longer.
        more: further members of :class:`~doorward.Call`.
    """

    def __init__(self, door: Door, names: Names | None = None, *, wait: float = 0.0, **more: Any) -> None:
        self.door, self.names, self.wait, self.more = door, {} if names is None else names, wait, more
        self._later = AsyncDoor(door)
        self._permits: dict[_Key, Permit] = {}
        self._asked: dict[str, tuple[_Key, Call, ConfirmationRequired]] = {}
        self._lock = threading.Lock()

    async def intercept(self, context: Json, /) -> Json:
        """The verdict about one interception point. Anything but tool calls is allowed: Doorward judges calls."""
        point = context["interception_point"]
        if point == "pre_tool_call":
            return await self._before(context)
        if point == "post_tool_call":
            return await self._after(context)
        return {"decision": "allow"}

    async def resolve(self, request: Any, /) -> Any:
        """Lifts a deny of ours, if a person says yes within ``wait`` seconds; ``unresolved`` where nobody answers."""
        from agent_hooks.approval import ApprovalOutcome, ApprovalResolution
        from agent_hooks import Verdict

        def resolved(outcome: ApprovalOutcome, verdict: Json | None) -> Any:
            told = None if verdict is None else Verdict.from_wire(verdict)
            return ApprovalResolution(outcome, request.context_identity, told)

        question = str((request.verdict.approval or {}).get("question", ""))
        with self._lock:
            known = self._asked.pop(question, None)
        if known is None:
            return resolved(ApprovalOutcome.UNRESOLVED, None)
        key, call, asked = known
        try:
            await self._later.wait(asked, self.wait)
            verdict = await self._admit(key, call)
        except ConfirmationRequired:
            return resolved(ApprovalOutcome.UNRESOLVED, None)
        except DoorwardError as error:
            verdict = _denied(error)
        outcome = ApprovalOutcome.APPROVE if verdict["decision"] == "allow" else ApprovalOutcome.REJECT
        verdict.pop("approval", None)
        return resolved(outcome, verdict)

    async def _before(self, context: Json) -> Json:
        told = context["tool_call"]
        session, name = context["session"]["id"], told["name"]
        more = {"session": session, "call_id": told["id"], "agent": context["agent"]["id"], **self.more}
        return await self._admit((session, told["id"]), Call(self.names.get(name, name), told["args"], **more))

    async def _admit(self, key: _Key, call: Call) -> Json:
        try:
            permit = await self._later.admit(call)
            permit.require_met()
        except ConfirmationRequired as asked:
            with self._lock:
                self._asked[asked.id] = (key, call, asked)
            return {**_denied(asked), "approval": {"question": asked.id, "expires": asked.expires}}
        except DoorwardError as error:
            return _denied(error)
        with self._lock:
            self._permits[key] = permit
        return {"decision": "allow", "reason": f"doorward:{permit.code}", "message": permit.reason}

    async def _after(self, context: Json) -> Json:
        with self._lock:
            permit = self._permits.pop((context["session"]["id"], context["tool_call"]["id"]), None)
        value = context["tool_result"]["value"]
        passed = redacted(value) if permit is None else permit.output(value, redact=True)
        if permit is not None:
            try:
                await self._later.report(permit, "failed" if context["tool_result"].get("is_error") else "ran")
            except DoorwardError as error:
                return _denied(error)
        if passed == value:
            return {"decision": "allow"}
        reason = "doorward:secrets.redacted"
        return {"decision": "transform", "reason": reason, "transform": {"path": "$target", "value": passed}}


def _denied(error: DoorwardError) -> Json:
    code = error.code if isinstance(error, Denied) else f"unavailable.{error.code}"
    return {"decision": "deny", "reason": f"doorward:{code}", "message": error.reason}
