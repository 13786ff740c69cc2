"""smolagents: ``ToolCallingAgent(tools=[guarded(gate, run_command, tool="shell:execute")], model=model)``.

A ``CodeAgent`` runs code of the model's own, and its tools from inside that code: the tools are asked for, the code
isn't.
"""

from __future__ import annotations

import inspect
from typing import Any

from smolagents import Tool

from .adapter import carry_out, told
from .errors import DoorwardError
from .gate import Door, named_arguments


def guarded(door: Door, function: Tool, *, tool: str | None = None, wait: float = 0.0, **more: Any) -> Tool:
    """The tool itself, from now on asked for before each call. A denial is its answer, so that the model hears why. A
    tool whose output isn't text raises the denial instead; smolagents tells the model that too.

    Args:
        door: a gate or client.
        function: the tool.
        tool: its canonical name, where it does what a canonical tool does.
        wait: seconds to wait for a person.
        more: further members of :class:`~doorward.Call`.
    """
    forward = function.forward
    signature = inspect.signature(forward)

    def asked(*args: Any, **kwargs: Any) -> Any:
        named = named_arguments(signature, *args, **kwargs)
        try:
            run = lambda: forward(*args, **kwargs)  # noqa: E731
            return carry_out(door, tool or function.name, named, run, wait=wait, **more)
        except DoorwardError as error:
            if function.output_type in ("string", "any"):
                return told(error)
            raise

    function.forward = asked
    return function
