"""ToolShield's safety experiences, by the names that OpenHands gives its helpers.

Experiences are short rules about a tool, learnt by trying it in a sandbox. They are put into the guardrail's prompt.
The seeds are Doorward's own; a folder of ``<tool>-mcp.json`` files lies on top of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _core

DEFAULT_TOOL_NAMES = ("terminal-mcp", "filesystem-mcp")


def load_safety_experiences(
    tool_names: Sequence[str], *, folder: str | os.PathLike[str] | None = None, natural: bool = True
) -> str:
    """The rules of tools as text, for ``safety_experiences=``.

    Args:
        tool_names: names of experience files (``"terminal-mcp"``).
        folder: files of your own.
        natural: ``exp.2`` before ``exp.10``; OpenHands orders the keys as texts.

    Raises:
        ValueError: there are no rules about one of them.
    """
    place = None if folder is None else Path(folder)
    known = _core.experience_tools(place)
    for name in tool_names:
        if name not in known:
            raise ValueError(f"no safety experiences about {name!r}; there are {', '.join(known)}")
    return _core.render_experiences(list(tool_names), place, natural)


def default_safety_experiences(*, folder: str | os.PathLike[str] | None = None, natural: bool = True) -> str:
    """The rules about the terminal and the file system."""
    return load_safety_experiences(DEFAULT_TOOL_NAMES, folder=folder, natural=natural)


def auto_detect_safety_experiences(
    mcp_config: Mapping[str, Any] | None = None,
    tool_names: Iterable[str] = (),
    *,
    folder: str | os.PathLike[str] | None = None,
    natural: bool = True,
    fallback_to_default: bool = True,
) -> str:
    """The rules about an agent's declared MCP servers and built-in tools; the terminal's are always among them.

    OpenHands' helper of this name scans 2,000 ports. This one reads what the agent declares and reaches nothing;
    ``doorward explore --scan-ports`` looks at ports, on request.

    Args:
        mcp_config: the agent's ``mcp_config``: ``{"mcpServers": {name: ...}}``.
        tool_names: names of its built-in tools (``[tool.name for tool in agent.tools]``).
        folder: files of your own.
        natural: ``exp.2`` before ``exp.10``; OpenHands orders the keys as texts.
        fallback_to_default: where there are rules about nothing but the terminal, those of
            :func:`default_safety_experiences`; else, as OpenHands' helper, no text at all.
    """
    known = _core.experience_tools(None if folder is None else Path(folder))
    wanted = [name for name in mcp_tools_from_config(mcp_config, tool_names) if name in known]
    if len(wanted) > 1:
        return load_safety_experiences(wanted, folder=folder, natural=natural)
    return default_safety_experiences(folder=folder, natural=natural) if fallback_to_default else ""


def safety_experiences_for_mcp_config(
    mcp_config: Mapping[str, Any],
    tool_names: Iterable[str] = (),
    *,
    folder: str | os.PathLike[str] | None = None,
    natural: bool = True,
) -> str:
    """As :func:`auto_detect_safety_experiences`, but the rules about the declared tools alone."""
    known = _core.experience_tools(None if folder is None else Path(folder))
    wanted = [name for name in mcp_tools_from_config(mcp_config, tool_names) if name in known]
    return load_safety_experiences(wanted, folder=folder, natural=natural)


def mcp_tools_from_config(mcp_config: Mapping[str, Any] | None, tool_names: Iterable[str] = ()) -> list[str]:
    """Names of the experience files of declared MCP servers and built-in tools, ``terminal-mcp`` first."""
    declared = (mcp_config or {}).get("mcpServers", mcp_config or {})
    servers = [str(name) for name in declared] if isinstance(declared, Mapping) else []
    return _core.experiences_of(servers, list(tool_names))


def experience_name_from_server_name(server_name: str) -> str:
    """The experience file of an MCP server's name. It may be no safe name of a file: :func:`mcp_tools_from_config`
    drops such names, and :func:`load_safety_experiences` knows none of them."""
    return _core.experience_of_server(server_name)


def render_action(action: Mapping[str, Any]) -> str:
    """An action as the guardrail is shown it: ``<tool>``, ``<summary>``, ``<thought>`` and ``<arguments>``, with all
    markup inside made harmless.

    Args:
        action: ``tool_name``, ``arguments`` (JSON text), and, where there are, ``summary``, ``thought`` (texts) and
            ``action`` (the parsed action).
    """
    parsed = action.get("action")
    text = str(action["arguments"]) if parsed is None else json.dumps(parsed, ensure_ascii=False, separators=(",", ":"))
    thought = " ".join(action.get("thought") or ())
    return _core.render_action(str(action["tool_name"]), text, action.get("summary") or "", thought, parsed is None)
