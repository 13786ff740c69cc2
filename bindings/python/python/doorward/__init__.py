"""Doorward: the door that every tool call of an AI agent passes through.

    import doorward

    with doorward.Gate("state") as gate:                      # in this process, over the Rust core
        with gate.guard("shell:execute", {"command": "ls"}) as permit:
            print(permit.reason)

:class:`Client` has the same API and speaks to a running service, :class:`AsyncDoor` wraps either for asyncio.
Adapters: ``doorward.openhands``, ``doorward.openai_agents``, ``doorward.langchain``, ``doorward.claude_agent``,
``doorward.pydantic_ai``, ``doorward.smolagents``, ``doorward.crewai``, ``doorward.agent_framework``,
``doorward.agent_hooks``.
"""

from . import net, paths, secrets, shell
from ._core import VERSION as __version__
from .asynchronous import AsyncDoor
from .call import Call, Decision, Sandbox
from .client import Client
from .errors import (
    AnswerRefused,
    ConfirmationRequired,
    ConfirmationTimedOut,
    Denied,
    DoorwardError,
    InvalidRequest,
    Unavailable,
)
from .gate import Door, Gate
from .permit import Permit
from .risk import (
    AlwaysConfirm,
    ConfirmationPolicy,
    ConfirmRisky,
    EnsembleAnalyzer,
    LLMAnalyzer,
    NeverConfirm,
    NoOpAnalyzer,
    PatternAnalyzer,
    PolicyRailAnalyzer,
    SecurityRisk,
)

__all__ = [
    "AlwaysConfirm",
    "AnswerRefused",
    "AsyncDoor",
    "Call",
    "Client",
    "ConfirmRisky",
    "ConfirmationPolicy",
    "ConfirmationRequired",
    "ConfirmationTimedOut",
    "Decision",
    "Denied",
    "Door",
    "DoorwardError",
    "EnsembleAnalyzer",
    "Gate",
    "InvalidRequest",
    "LLMAnalyzer",
    "NeverConfirm",
    "NoOpAnalyzer",
    "PatternAnalyzer",
    "Permit",
    "PolicyRailAnalyzer",
    "Sandbox",
    "SecurityRisk",
    "Unavailable",
    "__version__",
    "net",
    "paths",
    "secrets",
    "shell",
]
