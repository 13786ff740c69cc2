"""What the adapters of frameworks share: a tool's call is asked for, carried out, reported, and its result redacted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from .asynchronous import AsyncDoor
from .errors import DoorwardError
from .gate import Door

#: Canonical names by the names of a program's own tools: ``{"run_command": "shell:execute"}``. What a tool of another
#: name does isn't known, so its calls are judged by rules and mode alone.
Names = Mapping[str, str]


def told(error: DoorwardError) -> str:
    """A denial as the model hears it."""
    return f"Doorward did not let this call run: {error.reason} Do not retry it unchanged." + (
        f" To settle it: {error.settle}." if error.settle else ""
    )


def carry_out(
    door: Door, tool: str, args: Mapping[str, Any], run: Callable[[], Any], *, wait: float = 0.0, **more: Any
) -> Any:
    """Runs a tool if its call is allowed; gives back its result without secrets.

    Args:
        door: the gate.
        tool, args, more: the call, as :class:`~doorward.Call` takes it.
        run: the tool.
        wait: seconds to wait for a person.

    Raises:
        DoorwardError: it didn't run.
    """
    with door.guard(tool, args, wait=wait, **more) as permit:
        return permit.output(run(), redact=True)


async def carry_out_later(
    door: Door,
    tool: str,
    args: Mapping[str, Any],
    run: Callable[[], Awaitable[Any]],
    *,
    wait: float = 0.0,
    **more: Any,
) -> Any:
    """As :func:`carry_out`, for asyncio."""
    async with AsyncDoor(door).guard(tool, args, wait=wait, **more) as permit:
        return permit.output(await run(), redact=True)
