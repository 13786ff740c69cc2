"""PydanticAI: ``Agent(model, toolsets=[DoorwardToolset(toolset, door=gate, names=names)])``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.toolsets import WrapperToolset

from .adapter import Names, carry_out_later, told
from .errors import DoorwardError
from .gate import Door


@dataclass
class DoorwardToolset(WrapperToolset[Any]):  # type: ignore[misc]
    """A toolset whose calls are asked for. A denial is the tool's answer, so that the model hears why.

    Args:
        wrapped: the toolset.
        door: a gate or client.
        names: canonical names by the names of its tools.
        wait: seconds to wait for a person.
        more: further members of :class:`~doorward.Call`.
    """

    door: Door = field(kw_only=True)
    names: Names = field(default_factory=dict, kw_only=True)
    wait: float = field(default=0.0, kw_only=True)
    more: dict[str, Any] = field(default_factory=dict, kw_only=True)

    async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: Any, tool: Any) -> Any:
        """Runs the tool if its call is allowed."""
        known = {"call_id": getattr(ctx, "tool_call_id", None), **self.more}
        run = super().call_tool
        try:
            return await carry_out_later(
                self.door,
                self.names.get(name, name),
                tool_args,
                lambda: run(name, tool_args, ctx, tool),
                wait=self.wait,
                **known,
            )
        except DoorwardError as error:
            return told(error)
