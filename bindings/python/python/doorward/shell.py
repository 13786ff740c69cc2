"""What a shell command would do, without running it or looking at a file."""

from __future__ import annotations

import json
from typing import Any, cast

from . import _core


def analyze(command: str, *, cwd: str | None = None, home: str | None = None) -> dict[str, Any]:
    """What a command line says it would do: ``commands``, ``reads``, ``writes``, ``deletes``, ``hosts``, ``installs``,
    ``unknown`` (what isn't understood) and more, each with a ``span`` of bytes in the text.

    Args:
        command: the text, read as bash would read it.
        cwd: absolute working folder, where it is known.
        home: home folder, where it is known.
    """
    return cast(dict[str, Any], json.loads(_core.shell_analyze(command, cwd, home)))


def explain(command: str) -> str:
    """The command with its effects drawn under its words."""
    return _core.shell_explain(command)
