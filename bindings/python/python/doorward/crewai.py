"""CrewAI: ``Agent(..., tools=[guarded(gate, run_command, tool="shell:execute")])``."""

from __future__ import annotations

import inspect
from typing import Any

from crewai.tools.base_tool import Tool

from .adapter import carry_out, carry_out_later, told
from .errors import DoorwardError
from .gate import Door


def guarded(door: Door, function: Any, *, tool: str | None = None, wait: float = 0.0, **more: Any) -> Any:
    """The same tool (made with ``@tool``), asked for before each call. A denial is its answer, so that the model hears
    why. CrewAI's cache of results is switched off for it: a cached answer would be of a call that nobody asked for.

    Args:
        door: a gate or client.
        function: the tool.
        tool: its canonical name, where it does what a canonical tool does.
        wait: seconds to wait for a person.
        more: further members of :class:`~doorward.Call`.
    """
    name, run = tool or function.name, function.func

    def asked(**args: Any) -> Any:
        try:
            return carry_out(door, name, args, lambda: run(**args), wait=wait, **more)
        except DoorwardError as error:
            return told(error)

    async def asked_later(**args: Any) -> Any:
        try:
            return await carry_out_later(door, name, args, lambda: run(**args), wait=wait, **more)
        except DoorwardError as error:
            return told(error)

    guard = asked_later if inspect.iscoroutinefunction(run) else asked
    known = {"name": function.name, "description": function.description, "args_schema": function.args_schema}
    return Tool(func=guard, cache_function=lambda _args=None, _result=None: False, **known)
