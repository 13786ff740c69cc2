"""LangChain and LangGraph: ``create_agent(model, tools, middleware=[DoorwardMiddleware(gate, names)])``."""

from __future__ import annotations

from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage

from .adapter import Names, carry_out, carry_out_later, told
from .call import redacted
from .errors import DoorwardError
from .gate import Door


class DoorwardMiddleware(AgentMiddleware):  # type: ignore[misc]
    """Asks for each tool call of the agent. A denial is the tool's answer, so that the model hears why.

    Args:
        door: a gate or client.
        names: canonical names by the names of the agent's tools.
        wait: seconds to wait for a person.
        more: further members of :class:`~doorward.Call`.
    """

    def __init__(self, door: Door, names: Names | None = None, *, wait: float = 0.0, **more: Any) -> None:
        super().__init__()
        self.door, self.names, self.wait, self.more = door, {} if names is None else names, wait, more

    def _call(self, request: Any) -> tuple[str, dict[str, Any], dict[str, Any]]:
        call = request.tool_call
        known = {"wait": self.wait, "call_id": call["id"], **self.more}
        return self.names.get(call["name"], call["name"]), dict(call["args"]), known

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        """Runs the tool if its call is allowed."""
        tool, args, known = self._call(request)
        try:
            return carry_out(self.door, tool, args, lambda: _clean(handler(request)), **known)
        except DoorwardError as error:
            return _denied(request, error)

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        """Runs the tool if its call is allowed."""
        tool, args, known = self._call(request)

        async def run() -> Any:
            return _clean(await handler(request))

        try:
            return await carry_out_later(self.door, tool, args, run, **known)
        except DoorwardError as error:
            return _denied(request, error)


def _clean(message: Any) -> Any:
    if isinstance(message, ToolMessage):
        return message.model_copy(update={"content": redacted(message.content), "artifact": redacted(message.artifact)})
    return message


def _denied(request: Any, error: DoorwardError) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(told(error), tool_call_id=call["id"], name=call["name"], status="error")
