"""Risks, confirmation policies and analyzers by the names that OpenHands gives them, answered by the Rust core."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from . import _core


class SecurityRisk(str, enum.Enum):
    """How risky a call is. ``UNKNOWN`` lies outside the order: comparing it raises ``ValueError``."""

    UNKNOWN = "UNKNOWN"
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"

    def is_riskier(self, other: SecurityRisk, reflexive: bool = True) -> bool:
        """Whether this risk is above ``other``, or as high where ``reflexive``.

        Raises:
            ValueError: either of them is ``UNKNOWN``.
        """
        return _core.is_riskier(self.value, other.value, reflexive)

    def __lt__(self, other: object) -> bool:
        return other.is_riskier(self, False) if isinstance(other, SecurityRisk) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.is_riskier(other, False) if isinstance(other, SecurityRisk) else NotImplemented

    def __le__(self, other: object) -> bool:
        return other.is_riskier(self) if isinstance(other, SecurityRisk) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.is_riskier(other) if isinstance(other, SecurityRisk) else NotImplemented

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class ConfirmationPolicy:
    """When a risk alone is reason enough to ask a person. Use one of its kinds."""

    def wire(self) -> dict[str, Any]:
        """The wire form, as in settings and in OpenHands: ``{"kind": "ConfirmRisky", ...}``."""
        return {"kind": type(self).__name__}

    def should_confirm(self, risk: SecurityRisk = SecurityRisk.UNKNOWN) -> bool:
        """Whether a call of this risk is put to a person."""
        return _core.should_confirm(json.dumps(self.wire()), risk.value)


@dataclass(frozen=True)
class AlwaysConfirm(ConfirmationPolicy):
    """Asks about every call."""


@dataclass(frozen=True)
class NeverConfirm(ConfirmationPolicy):
    """Asks about no call."""


@dataclass(frozen=True)
class ConfirmRisky(ConfirmationPolicy):
    """Asks from ``threshold`` upwards, and about ``UNKNOWN`` where ``confirm_unknown``.

    Raises:
        ValueError: ``threshold`` is ``UNKNOWN``.
    """

    threshold: SecurityRisk = SecurityRisk.HIGH
    confirm_unknown: bool = True

    def __post_init__(self) -> None:
        self.should_confirm()

    def wire(self) -> dict[str, Any]:
        return {
            "kind": "ConfirmRisky",
            "threshold": SecurityRisk(self.threshold).value,
            "confirm_unknown": self.confirm_unknown,
        }


#: An action event, reduced: ``tool_name``, ``arguments`` (the JSON text as the model wrote it), and, where there are,
#: ``tool_call_name``, ``summary``, ``thought`` (texts), ``reasoning_content``, ``security_risk``.
Action = Mapping[str, Any]


class Analyzer(Protocol):
    """Anything that gives an action a risk."""

    def security_risk(self, action: Action) -> SecurityRisk:
        """The action's risk."""
        ...


def _event(action: Action) -> str:
    names = ("tool_name", "tool_call_name", "arguments", "summary", "thought", "reasoning_content")
    return json.dumps({name: action[name] for name in names if action.get(name) is not None})


class NoOpAnalyzer:
    """Always ``UNKNOWN``."""

    def security_risk(self, action: Action) -> SecurityRisk:
        """``UNKNOWN``."""
        return SecurityRisk.UNKNOWN


class LLMAnalyzer:
    """The model's own label, as the action carries it."""

    def security_risk(self, action: Action) -> SecurityRisk:
        """``action["security_risk"]``; ``UNKNOWN`` where there is none."""
        return SecurityRisk(action.get("security_risk") or "UNKNOWN")


class PatternAnalyzer:
    """OpenHands' ``PatternSecurityAnalyzer``: the same answers."""

    def security_risk(self, action: Action) -> SecurityRisk:
        """The action's risk."""
        return SecurityRisk(_core.pattern(_event(action))[0])

    def rule(self, action: Action) -> str:
        """Id of the detector that decided; empty for none."""
        return _core.pattern(_event(action))[1]


class PolicyRailAnalyzer:
    """OpenHands' ``PolicyRailSecurityAnalyzer``: the same answers."""

    def security_risk(self, action: Action) -> SecurityRisk:
        """The action's risk."""
        return SecurityRisk(_core.rail(_event(action))[0])

    def rule(self, action: Action) -> str:
        """Name of the rule that decided; empty for none."""
        return _core.rail(_event(action))[1]


class EnsembleAnalyzer:
    """OpenHands' ``EnsembleSecurityAnalyzer``: the highest known risk. A child that raises counts as ``HIGH``.

    Args:
        analyzers: at least one.
        propagate_unknown: one ``UNKNOWN`` makes the whole ``UNKNOWN``, also over a ``HIGH``.

    Raises:
        ValueError: no analyzer.
    """

    def __init__(self, analyzers: Sequence[Analyzer], propagate_unknown: bool = False) -> None:
        if not analyzers:
            raise ValueError("an ensemble needs at least one analyzer")
        self.analyzers = list(analyzers)
        self.propagate_unknown = propagate_unknown

    def security_risk(self, action: Action) -> SecurityRisk:
        """The fused risk."""
        risks = [self._of(analyzer, action).value for analyzer in self.analyzers]
        return SecurityRisk(_core.fuse(risks, self.propagate_unknown))

    @staticmethod
    def _of(analyzer: Analyzer, action: Action) -> SecurityRisk:
        try:
            return SecurityRisk(analyzer.security_risk(action))
        except Exception:
            return SecurityRisk.HIGH
