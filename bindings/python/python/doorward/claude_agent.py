"""Claude Agent SDK: ``ClaudeAgentOptions(hooks=hooks(gate))``.

These hooks run in the program's own process. Where ``doorward install claude-code`` has put the binary's hook into the
settings that the agent reads too, one of the two is enough.
"""

from __future__ import annotations

from typing import Any

from claude_agent_sdk import HookMatcher

from .adapter import Names, told
from .asynchronous import AsyncDoor
from .errors import DoorwardError
from .gate import Door
from .permit import Permit


def hooks(
    door: Door,
    names: Names | None = None,
    *,
    wait: float = 0.0,
    timeout: float = 60.0,
    relieve: bool = False,
    **more: Any,
) -> dict[str, list[HookMatcher]]:
    """Hooks that ask for each tool call, report what became of it, and mask secrets in what it brought back.

    Args:
        door: a gate or client.
        names: canonical names by the names of the program's own tools (``mcp__SERVER__TOOL``). The client's are known.
        wait: seconds to wait for a person. It is added to ``timeout``: a hook that times out lets the call run.
        timeout: seconds that the gate may take beside.
        relieve: what Doorward allows waives the SDK's own permissions. Without it these are asked as before.
        more: further members of :class:`~doorward.Call`.
    """
    permits: dict[str, Permit] = {}
    own = {} if names is None else names
    later = AsyncDoor(door)

    async def before(event: Any, id: str | None, context: Any) -> Any:
        try:
            name, call_id = event["tool_name"], id or event["tool_use_id"]
            known: dict[str, Any] = {"session": event["session_id"], "cwd": event["cwd"], "call_id": call_id}
            if name not in own:
                known["client"] = "claude-code"
            permit = await later.admit(own.get(name, name), event["tool_input"], wait=wait, **(known | more))
            permit.require_met()
            permits[call_id] = permit
            return _decided("allow", permit.reason) if relieve else {}
        except DoorwardError as error:
            return _decided("deny", told(error))
        except Exception as error:  # a hook that raises would let the call run
            return _decided("deny", f"Doorward could not judge this call: {error!r}")

    async def after(event: Any, id: str | None, context: Any) -> Any:
        permit = permits.pop(id or event.get("tool_use_id", ""), None)
        if permit is None:
            return {}
        failed = event["hook_event_name"] == "PostToolUseFailure"
        brought = event.get("error") if failed else event.get("tool_response")
        passed = permit.output(brought, redact=True)
        await later.report(permit, "failed" if failed else "ran")
        if failed or passed == brought:
            return {}
        return {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": passed}}

    longest = wait + timeout
    return {
        "PreToolUse": [HookMatcher(hooks=[before], timeout=longest)],
        "PostToolUse": [HookMatcher(hooks=[after], timeout=timeout)],
        "PostToolUseFailure": [HookMatcher(hooks=[after], timeout=timeout)],
    }


def _decided(decision: str, reason: str) -> dict[str, Any]:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": decision,
            "permissionDecisionReason": reason,
        }
    }
