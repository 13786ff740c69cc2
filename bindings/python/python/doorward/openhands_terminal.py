"""In which folder the terminal of an OpenHands conversation stands, as far as that is proved.

The rules are the Rust core's (``doorward::terminal``), the same as for OpenHands' hooks. What is added here is the
kernel's word: where OpenHands' report and our reading of a command disagree, the shell of a conversation in this process
is looked up, and where it stands is read from ``/proc``.
"""

from __future__ import annotations

import fcntl
import json
import os
import struct
import termios
import time
from pathlib import Path
from typing import Any, cast

from . import _core

#: OpenHands' names of the tools whose shell stays from call to call.
TERMINALS = frozenset({"terminal", "execute_bash"})

#: The longest that a shell is waited for which hasn't come to its last command yet, in seconds.
LONGEST = 5.0


class FolderUnknown(Exception):
    """The folder matters for a command and isn't known. The text is a sentence for the model."""


class Terminal:
    """The terminal of one conversation.

    Args:
        start: where its shell begins; ``None`` where nobody said so.
        parallel: whether the calls of one turn may run side by side, in shells of their own.
        agent: the agent in this process whose tool it is, so that the kernel can be asked.
    """

    def __init__(self, start: str | None, *, parallel: bool, agent: Any = None) -> None:
        self._agent = agent
        self._state = ""
        self._open = False
        self._calls: dict[str, str] = {}
        self._step(what="new", start=start or "/", parallel=parallel)
        if start is None:
            self.lost("the analyzer wasn't told where the conversation's terminal begins (`cwd`)")

    def _step(self, **event: Any) -> dict[str, Any]:
        answer = cast(dict[str, Any], json.loads(_core.terminal(self._state, json.dumps(event))))
        self._state, self._open = answer["state"], answer["open"]
        return answer

    def stands(self, args: dict[str, Any]) -> str:
        """The folder in which a call with these arguments is to be judged.

        Raises:
            FolderUnknown: it isn't known, and matters.
        """
        if self._open:
            self._look()
        answer = self._step(what="stands", args=args)
        if answer["why"] is not None:
            raise FolderUnknown(answer["why"])
        return str(answer["folder"])

    def sent(self, id: str, tool_call: str, args: dict[str, Any]) -> None:
        """A call that may run."""
        self._calls[tool_call] = id
        self._step(what="sent", id=id, args=args)

    def ended(self, id: str, observation: Any) -> None:
        """A call ended, with an observation of the SDK."""
        told = observation.model_dump(mode="json", include={"command", "is_error", "metadata"})
        self._step(what="ended", id=id, observation=told)

    def failed(self, tool_call: str) -> None:
        """A call ended by an error of the tool."""
        if tool_call in self._calls:
            self._step(what="failed", id=self._calls[tool_call])

    def refused(self, id: str) -> None:
        """A call didn't run."""
        self._step(what="refused", id=id)

    def lost(self, why: str) -> None:
        """What happened there before isn't known."""
        self._step(what="lost", why=why)

    def _look(self) -> None:
        """Asks the kernel, until the shell has come to its last command."""
        shell = None if self._agent is None else shell_of(self._agent)
        until, before = time.monotonic() + LONGEST, None
        while shell is not None and self._open and time.monotonic() < until:
            found = folder_of(shell)
            if found is None:
                return
            folder, rests = found
            self._step(what="seen", folder=folder, rests=rests and found == before)
            before = found
            if self._open:
                time.sleep(0.05)


def shell_of(agent: Any) -> int | None:
    """The process of the agent's one shell; ``None`` where there are several, or it isn't of this process.

    It is found in members that the SDK doesn't publish (openhands-tools 1.58). Without them nothing is proved.
    """
    try:
        executor = agent.tools_map["terminal"].executor
        if executor._pool is None:
            return int(executor._session.terminal.process.pid)
        (pane,) = executor._pool._all_panes
        return int(pane.pane.pane_pid)
    except (AttributeError, KeyError, TypeError, ValueError, RuntimeError):
        return None


def folder_of(shell: int) -> tuple[str, bool] | None:
    """Where a shell stands, and whether it waits for a command: it sleeps, nothing runs in front of it, and it has read
    all that was typed. ``None`` where that can't be seen, or the process is no bash."""
    try:
        folder = os.readlink(f"/proc/{shell}/cwd")
        name, _, rest = Path(f"/proc/{shell}/stat").read_text().partition("(")[2].rpartition(")")
        state, _, group, _, _, front = rest.split()[:6]
        if name != "bash":
            return None
        terminal = os.open(f"/proc/{shell}/fd/0", os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            (unread,) = struct.unpack("i", fcntl.ioctl(terminal, termios.FIONREAD, b"\0\0\0\0"))
        finally:
            os.close(terminal)
    except (OSError, ValueError):
        return None
    return folder, state == "S" and group == front and unread == 0
