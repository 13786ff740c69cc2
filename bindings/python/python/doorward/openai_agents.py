"""OpenAI Agents SDK: ``Agent(tools=[guarded(gate, run_command, tool="shell:execute")])``."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from agents import FunctionTool

from .adapter import carry_out_later, told
from .errors import DoorwardError
from .gate import Door


def guarded(
    door: Door, function: FunctionTool, *, tool: str | None = None, wait: float = 0.0, **more: Any
) -> FunctionTool:
    """The same tool, asked for before each call. A denial is the tool's answer, so that the model hears why.

    Args:
        door: a gate or client.
        function: the tool.
        tool: its canonical name, where it does what a canonical tool does.
        wait: seconds to wait for a person.
        more: further members of :class:`~doorward.Call`.
    """

    async def asked(context: Any, text: str) -> Any:
        try:
            args = json.loads(text or "{}")
        except ValueError as error:
            return f"The arguments aren't JSON: {error}"
        if not isinstance(args, dict):
            return "The arguments aren't a JSON object."
        try:
            return await carry_out_later(
                door,
                tool or function.name,
                args,
                lambda: function.on_invoke_tool(context, text),
                wait=wait,
                **more,
            )
        except DoorwardError as error:
            return told(error)

    return dataclasses.replace(function, on_invoke_tool=asked)
