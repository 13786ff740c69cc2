"""Microsoft Agent Framework: ``Agent(client, tools=tools, middleware=[DoorwardMiddleware(gate, names)])``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent_framework import FunctionMiddleware

from .adapter import Names, carry_out_later, told
from .errors import DoorwardError
from .gate import Door


class DoorwardMiddleware(FunctionMiddleware):  # type: ignore[misc]
    """Asks for each function call. A denial is its result, so that the model hears why. Put it last: what changes
    arguments has to come before.

    Args:
        door: a gate or client.
        names: canonical names by the names of the agent's functions.
        wait: seconds to wait for a person.
        more: further members of :class:`~doorward.Call`.
    """

    def __init__(self, door: Door, names: Names | None = None, *, wait: float = 0.0, **more: Any) -> None:
        self.door, self.names, self.wait, self.more = door, {} if names is None else names, wait, more

    async def process(self, context: Any, call_next: Any) -> None:
        """Runs the function if its call is allowed."""
        given = context.arguments
        args = dict(given) if isinstance(given, Mapping) else given.model_dump(mode="json")
        name = context.function.name

        async def run() -> Any:
            await call_next()
            return _text(context.result)

        try:
            context.result = await carry_out_later(
                self.door, self.names.get(name, name), args, run, wait=self.wait, **self.more
            )
        except DoorwardError as error:
            context.result = told(error)


def _text(result: Any) -> Any:
    """A result's texts, which is all that the model is given and all that can be searched for secrets."""
    if isinstance(result, list):
        return "".join(str(getattr(part, "text", None) or part) for part in result)
    return result if isinstance(result, str) else str(result)
