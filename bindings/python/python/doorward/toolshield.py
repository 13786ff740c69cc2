"""ToolShield's safety experiences, by the names that OpenHands gives its helpers.

Experiences are short rules about a tool, learnt by trying it in a sandbox. They are put into the guardrail's prompt.
The seeds are Doorward's own; a folder of ``<tool>-mcp.json`` files lies on top of them.
"""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from . import _core

DEFAULT_TOOL_NAMES = ("terminal-mcp", "filesystem-mcp")
#: Ports that local MCP servers usually listen on.
PORTS = (8000, 10_000)
_HELLO = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "doorward", "version": "1"},
        },
    }
)


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
    port_range: tuple[int, int] | None = PORTS,
    natural: bool = True,
    fallback_to_default: bool = True,
) -> str:
    """The rules about an agent's MCP servers and built-in tools; the terminal's are always among them.

    They are those that the agent declares. Where nothing is declared, the servers are those that answer on this
    machine: each port is asked for MCP's ``initialize``, as OpenHands' helper of this name does. Nothing leaves the
    machine.

    Args:
        mcp_config: the agent's ``mcp_config``: ``{"mcpServers": {name: ...}}``.
        tool_names: names of its built-in tools (``[tool.name for tool in agent.tools]``).
        folder: files of your own.
        port_range: the first and the last port that is tried; ``None`` tries none.
        natural: ``exp.2`` before ``exp.10``; OpenHands orders the keys as texts.
        fallback_to_default: where there are rules about nothing but the terminal, those of
            :func:`default_safety_experiences`; else, as OpenHands' helper, no text at all.
    """
    tools = list(tool_names)
    declared = mcp_tools_from_config(mcp_config, tools)
    if not mcp_config and not tools and port_range is not None:
        declared = _core.experiences_of(listening_mcp_servers(port_range), [])
    known = _core.experience_tools(None if folder is None else Path(folder))
    wanted = [name for name in declared if name in known]
    if len(wanted) > 1:
        return load_safety_experiences(wanted, folder=folder, natural=natural)
    return default_safety_experiences(folder=folder, natural=natural) if fallback_to_default else ""


def listening_mcp_servers(port_range: tuple[int, int] = PORTS) -> list[str]:
    """Names of the MCP servers that answer on these ports of 127.0.0.1, the first and the last included."""
    first, last = port_range
    with ThreadPoolExecutor(max_workers=64) as pool:
        return [name for name in pool.map(_server_at, range(first, last + 1)) if name]


def _server_at(port: int) -> str | None:
    """The name of the MCP server on a port, if one answers."""
    for path in ("/mcp", "/"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
        try:
            accepted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
            connection.request("POST", path, _HELLO, accepted)
            response = connection.getresponse()
            # An event stream may stay open behind its first message.
            for _ in range(64):
                line = response.readline(1 << 20)
                if not line:
                    break
                name = _server_name(line.removeprefix(b"data:"))
                if name:
                    return name
        except ConnectionRefusedError:
            return None
        except (OSError, http.client.HTTPException):
            continue
        finally:
            connection.close()
    return None


def _server_name(message: bytes) -> str | None:
    try:
        name = json.loads(message)["result"]["serverInfo"]["name"]
    except (ValueError, KeyError, TypeError):
        return None
    return name if isinstance(name, str) else None


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
