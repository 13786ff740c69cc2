"""The same API for asyncio. Each request runs on a thread, so that the event loop goes on while the gate judges."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .call import Call, Decision, Json
from .permit import Permit

if TYPE_CHECKING:
    from .errors import ConfirmationRequired
    from .gate import Door


class AsyncDoor:
    """``AsyncDoor(gate)``: every method of the gate as a coroutine. A task that is cancelled while a call is being
    decided leaves its decision to the time limit ``ledger.outcome_s``, which closes it.

    Args:
        door: a :class:`~doorward.Gate` or :class:`~doorward.Client`.
    """

    def __init__(self, door: Door) -> None:
        self.door = door

    async def check(self, call: Call | str, args: Mapping[str, Any] | None = None, **more: Any) -> Decision:
        """As :meth:`Door.check`."""
        return await asyncio.to_thread(lambda: self.door.check(call, args, **more))

    async def admit(
        self, call: Call | str, args: Mapping[str, Any] | None = None, *, wait: float = 0.0, **more: Any
    ) -> Permit:
        """As :meth:`Door.admit`."""
        return await asyncio.to_thread(lambda: self.door.admit(call, args, wait=wait, **more))

    async def wait(self, question: ConfirmationRequired | str, seconds: float) -> None:
        """As :meth:`Door.wait`."""
        await asyncio.to_thread(self.door.wait, question, seconds)

    async def approvals(self, *, all: bool = False) -> list[Json]:
        """As :meth:`Door.approvals`."""
        return await asyncio.to_thread(lambda: self.door.approvals(all=all))

    async def answer(self, id: str, yes: bool, **more: Any) -> Json:
        """As :meth:`Gate.answer` or :meth:`Client.answer`."""
        return await asyncio.to_thread(lambda: self.door.answer(id, yes, **more))

    async def sessions(self) -> list[Json]:
        """As :meth:`Door.sessions`."""
        return await asyncio.to_thread(self.door.sessions)

    async def health(self) -> Json:
        """As :meth:`Door.health`."""
        return await asyncio.to_thread(self.door.health)

    async def close(self) -> None:
        """As :meth:`Door.close`."""
        await asyncio.to_thread(self.door.close)

    async def __aenter__(self) -> AsyncDoor:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def guarded(self, tool: str | None = None, **more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """As :meth:`Door.guarded`: it takes ``async def`` functions too."""
        return self.door.guarded(tool, **more)

    async def report(self, permit: Permit, outcome: Any = "ran", *, exit: int | None = None) -> None:
        """As :meth:`Permit.report`."""
        await asyncio.to_thread(lambda: permit.report(outcome, exit=exit))

    @asynccontextmanager
    async def guard(
        self, call: Call | str, args: Mapping[str, Any] | None = None, *, wait: float = 0.0, **more: Any
    ) -> AsyncIterator[Permit]:
        """As :meth:`Door.guard`, with ``async with``."""
        permit = await self.admit(call, args, wait=wait, **more)
        await asyncio.to_thread(permit.require_met)
        try:
            yield permit
        except asyncio.CancelledError:
            permit.report("killed")
            raise
        except BaseException:
            await self.report(permit, "failed")
            raise
        await self.report(permit, "ran")
