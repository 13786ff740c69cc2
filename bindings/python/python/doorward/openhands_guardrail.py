"""ToolShield's guardrail for OpenHands: a second model that judges each action of the first one.

    from doorward.openhands import DoorwardToolShieldAnalyzer
    from doorward.toolshield import auto_detect_safety_experiences

    rules = auto_detect_safety_experiences(agent.mcp_config, [tool.name for tool in agent.tools])
    conversation.set_security_analyzer(DoorwardToolShieldAnalyzer(llm=guardrail, safety_experiences=rules))

It only gives a risk: OpenHands' confirmation policy then pauses. Nothing is recorded by Doorward; for its rules, record
and denials use :class:`doorward.openhands.DoorwardAnalyzer`, with `guardian` or the analyzer `toolshield` in its settings.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from openhands.sdk.event import ActionEvent
from openhands.sdk.llm import LLM, Message, TextContent
from openhands.sdk.security.analyzer import SecurityAnalysis, SecurityAnalyzerBase
from openhands.sdk.security.risk import SecurityRisk
from pydantic import Field, PrivateAttr

from . import _core, secrets
from .toolshield import default_safety_experiences

#: Actions whose verdict is kept, so that an ensemble that asks twice pays once.
_KEPT = 64


class DoorwardToolShieldAnalyzer(SecurityAnalyzerBase):  # type: ignore[misc]
    """OpenHands' ``ToolShieldLLMSecurityAnalyzer`` over Doorward's core: the same history and layout of the action that is
    judged, the same reading of the answer. One instance per conversation, as it keeps the actions it has seen.

    What leaves the process, to the provider of ``llm``: names, arguments, summaries and thoughts of the agent's actions.
    Secrets in them are masked first.

    Differences by default, undone by ``compat``: an answer without a single label is ``HIGH`` (upstream: ``UNKNOWN``).
    A model that can't be reached is ``UNKNOWN`` in both.
    """

    llm: LLM = Field(description="The guardrail's model. It should be another one than the agent's.")
    history_window: int = Field(default=20, ge=1, description="Past actions that it is shown.")
    safety_experiences: str = Field(
        default_factory=default_safety_experiences,
        description="Rules about tools. The seeds about terminal and file system by default; empty for none.",
    )
    compat: bool = Field(default=False, description="An unreadable answer is UNKNOWN instead of HIGH.")

    _past: deque[str] = PrivateAttr(default_factory=deque)
    _known: dict[str, SecurityAnalysis] = PrivateAttr(default_factory=dict)

    def model_post_init(self, context: Any) -> None:
        """Makes room for the history."""
        super().model_post_init(context)
        self._past = deque(maxlen=self.history_window)

    def reset_history(self) -> None:
        """Forgets the actions seen so far. Call it before the analyzer is used in another conversation."""
        self._past.clear()
        self._known.clear()

    def security_risk(self, action: ActionEvent) -> SecurityRisk:
        """The action's risk: ``LOW``, ``MEDIUM`` or ``HIGH`` by the model, ``UNKNOWN`` where it can't be reached."""
        return self.analyze_action(action).risk

    def analyze_action(self, action: ActionEvent) -> SecurityAnalysis:
        """The action's risk. ``details`` has ``guardrail``: ``labelled``, ``unparseable`` or ``unavailable``."""
        known = self._known.get(action.id)
        if known is None:
            known = self._known[action.id] = self._judge(action)
            while len(self._known) > _KEPT:
                del self._known[next(iter(self._known))]
        return known

    def messages(self, action: str) -> list[Message]:
        """What the model is sent about an action (as :func:`rendered` gives it) after the actions seen so far."""
        system = _core.guardrail_system(self.safety_experiences)
        user = _core.guardrail_user(list(self._past), action)
        return [
            Message(role=role, content=[TextContent(text=text)]) for role, text in (("system", system), ("user", user))
        ]

    def _judge(self, action: ActionEvent) -> SecurityAnalysis:
        shown = rendered(action)
        messages = self.messages(shown)
        # Also where the model can't be reached: the next action is judged with this one before it.
        self._past.append(shown)
        try:
            content = self.llm.completion(messages=messages).message.content
        except Exception as error:  # noqa: BLE001  any failure of a provider is the same to the caller
            why = f"{type(error).__name__}: {error}"
            return SecurityAnalysis(risk=SecurityRisk.UNKNOWN, details={"guardrail": "unavailable", "reason": why})
        label = _core.parse_risk("\n".join(part.text for part in content if isinstance(part, TextContent)))
        if label is None:
            risk = SecurityRisk.UNKNOWN if self.compat else SecurityRisk.HIGH
            return SecurityAnalysis(risk=risk, details={"guardrail": "unparseable"})
        return SecurityAnalysis(risk=SecurityRisk(label), details={"guardrail": "labelled"})


def rendered(action: ActionEvent) -> str:
    """An action as the guardrail is shown it, its markup made harmless and its secrets masked."""
    unparsed = action.action is None
    arguments = action.tool_call.arguments or "" if unparsed else action.action.model_dump_json()
    texts = (action.tool_name, arguments, action.summary or "", " ".join(part.text for part in action.thought))
    tool, arguments, summary, thought = (secrets.redact(text) for text in texts)
    return _core.render_action(tool, arguments, summary, thought, unparsed)


#: By OpenHands' name. Its discriminator is the name of the class, so that both can be imported.
ToolShieldLLMSecurityAnalyzer = DoorwardToolShieldAnalyzer
