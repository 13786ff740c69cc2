"""OpenHands: Doorward as its security analyzer, its confirmation policy, and the seat that keeps denials from running.

    from openhands.sdk import Agent, Conversation
    from doorward.openhands import DoorwardAnalyzer

    analyzer = DoorwardAnalyzer(state="~/.local/state/doorward")
    conversation = Conversation(agent, workspace=folder, callbacks=[analyzer.observe])
    analyzer.protect(conversation)
    conversation.send_message("..."); conversation.run()
    while analyzer.waiting(conversation):
        analyzer.resume(conversation, wait=600)   # a person answers in Doorward; then it goes on

An analyzer alone can only make OpenHands ask. :meth:`DoorwardAnalyzer.protect` also blocks, in the conversation's state
as OpenHands' own hooks do, what is denied and what waits for an answer in Doorward: ``run()`` alone doesn't let it
through.

The classes stand at the top level of this module, and it has to be imported before a conversation that names them is
read: OpenHands finds them by their names.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openhands.sdk.conversation.state import ConversationExecutionStatus, ConversationState
from openhands.sdk.event import ActionEvent, AgentErrorEvent, ObservationEvent, UserRejectObservation
from openhands.sdk.security.analyzer import SecurityAnalysis, SecurityAnalyzerBase
from openhands.sdk.security.confirmation_policy import ConfirmationPolicyBase
from openhands.sdk.security.risk import SecurityRisk
from pydantic import Field, PrivateAttr

from . import _core
from .call import Call
from .client import Client
from .errors import ConfirmationRequired, Denied, DoorwardError, Unavailable
from .gate import Door, Gate
from .openhands_guardrail import DoorwardToolShieldAnalyzer as DoorwardToolShieldAnalyzer
from .openhands_guardrail import ToolShieldLLMSecurityAnalyzer as ToolShieldLLMSecurityAnalyzer
from .openhands_terminal import TERMINALS, FolderUnknown, Terminal
from .permit import Permit
from .risk import ConfirmRisky


@dataclass
class Judged:
    """What became of one action so far: a permit, a question, or neither."""

    risk: SecurityRisk
    code: str
    reason: str
    call: Call | None = None
    permit: Permit | None = None
    question: ConfirmationRequired | None = None
    record_id: str | None = None
    #: Decided at OpenHands' own hook, which also reports what became of the call.
    by_hook: bool = False

    def details(self) -> dict[str, Any]:
        """For OpenHands' own log of the analysis."""
        verdict = "ALLOW" if self.permit else "REQUIRE_USER_CONFIRMATION" if self.question else "DENY"
        told = {"verdict": verdict, "code": self.code, "reason": self.reason, "record_id": self.record_id}
        return told | ({"question": self.question.id} if self.question else {})


class DoorwardAnalyzer(SecurityAnalyzerBase):  # type: ignore[misc]
    """Asks Doorward about each action and records the decision. ``ALLOW`` is ``LOW``; a question, a denial and a gate
    that can't be asked are ``HIGH``. One instance per conversation.

    What is sent: the tool's name and its arguments, and with ``send_thought`` what the agent says it thinks.
    """

    state: str | None = Field(default=None, description="State folder of the service; by default the user's own.")
    url: str | None = Field(default=None, description="Address of the service's port; its socket by default.")
    on_error: SecurityRisk = Field(default=SecurityRisk.HIGH, description="The risk where Doorward can't be asked.")
    send_thought: bool = Field(default=False, description="Send the agent's thoughts along.")
    cwd: str | None = Field(default=None, description="Where terminal and calls begin; the workspace by default.")
    mode: str | None = Field(default=None, description="Permission mode of the calls.")
    session: str | None = Field(
        default=None, description="Session of the calls: the conversation's id, which has to be told in an agent server."
    )

    _door: Door | None = PrivateAttr(default=None)
    _conversation: Any = PrivateAttr(default=None)
    _judged: dict[str, Judged] = PrivateAttr(default_factory=dict)
    _terminal: Terminal | None = PrivateAttr(default=None)
    _agent: Any = PrivateAttr(default=None)
    _read: int = PrivateAttr(default=0)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @classmethod
    def over(cls, door: Door, **fields: Any) -> DoorwardAnalyzer:
        """An analyzer over a gate or client that is open already, a gate in this process for example."""
        analyzer = cls(**fields)
        analyzer._door = door
        return analyzer

    # What OpenHands calls.

    def security_risk(self, action: ActionEvent) -> SecurityRisk:
        """The action's risk."""
        return self._judge(action).risk

    def analyze_action(self, action: ActionEvent) -> SecurityAnalysis:
        """The action's risk, with the decision's code, reason and record."""
        judged = self._judge(action)
        return SecurityAnalysis(risk=judged.risk, details=judged.details())

    def observe(self, event: Any) -> None:
        """A callback of the conversation: reports what became of each call that was allowed."""
        if self._conversation is None:
            self._follow(event)
        if isinstance(event, ObservationEvent):
            self._close(event.action_id, "failed" if getattr(event.observation, "is_error", False) else "ran")
        elif isinstance(event, UserRejectObservation):
            self._close(event.action_id, "refused")
        elif isinstance(event, AgentErrorEvent):
            for action in self._actions():
                if action.tool_call_id == event.tool_call_id:
                    self._close(action.id, "failed")

    # What the program around the conversation calls.

    def protect(self, conversation: Any, policy: ConfirmationPolicyBase | None = None) -> None:
        """Takes both seats in a conversation: the analyzer with a policy, and the blocks.

        Args:
            conversation: a conversation in this process.
            policy: when OpenHands pauses; :class:`DoorwardConfirmationPolicy` by default.
        """
        self._conversation, self._agent = conversation.state, conversation.agent
        self._terminal, self._read = None, len(conversation.state.events)
        if any(action.tool_name in TERMINALS for action in self._actions()):
            self._shell().lost("commands ran in this conversation before Doorward was asked")
        conversation.set_security_analyzer(self)
        conversation.set_confirmation_policy(policy or DoorwardConfirmationPolicy())

    def waiting(self, conversation: Any) -> bool:
        """Whether the conversation waits for an answer."""
        return bool(conversation.state.execution_status == ConversationExecutionStatus.WAITING_FOR_CONFIRMATION)

    def resume(self, conversation: Any, *, wait: float = 0.0) -> None:
        """Waits for the answers given in Doorward (console, phone, terminal), then lets the conversation go on. Each
        action has its own answer: what was refused isn't run, the model hears why, and the others go on.

        Args:
            conversation: the conversation that waits.
            wait: seconds to wait for each answer.

        Raises:
            ConfirmationTimedOut: a question is still open. Nothing ran; call this again.
        """
        for action, judged in self._open(conversation):
            assert judged.question is not None
            try:
                self._ask().wait(judged.question, wait)
            except ConfirmationRequired:
                raise
            except Denied as denied:
                self._refuse(action, judged, denied)
            else:
                self._redeem(action)
        conversation.run()

    def approve(self, conversation: Any, *, by: str, typed: str | None = None, passphrase: str | None = None) -> None:
        """A person said yes in OpenHands' own interface: answers the open questions so, and the conversation goes on.

        Args:
            conversation: the conversation that waits.
            by: who said it. The record says that this program reported it (``client_dialog``).
            typed: the phrase, where a question asks for one.
            passphrase: the person's, where the service wants a sign of presence.

        Raises:
            AnswerRefused: the answer isn't taken, a HIGH question through a service for example: answer it in Doorward
                and call :meth:`resume`. Nothing ran.
        """
        for action, judged in self._open(conversation):
            self._answer(judged, True, by=by, typed=typed, passphrase=passphrase, reason=None)
            self._redeem(action)
        conversation.run()

    def reject(self, conversation: Any, reason: str, *, by: str) -> None:
        """A person said no in OpenHands' own interface: answers the open questions so, and tells the model why."""
        for _, judged in self._open(conversation):
            self._answer(judged, False, by=by, typed=None, passphrase=None, reason=reason)
        conversation.reject_pending_actions(reason)

    # Inside.

    def _ask(self) -> Door:
        with self._lock:
            if self._door is None:
                state = None if self.state is None else Path(self.state).expanduser()
                self._door = Client(self.url, state=state)
            return self._door

    def _actions(self) -> list[ActionEvent]:
        events = [] if self._conversation is None else self._conversation.events
        return [event for event in events if isinstance(event, ActionEvent)]

    def _open(self, conversation: Any) -> list[tuple[ActionEvent, Judged]]:
        pending = ConversationState.get_unmatched_actions(conversation.state.events)
        judged = [(action, self._judge(action)) for action in pending]
        return [(action, answer) for action, answer in judged if answer.question is not None]

    def _root(self) -> str | None:
        if self.cwd is not None or self._conversation is None:
            return self.cwd
        return str(Path(self._conversation.workspace.working_dir).absolute())

    def _shell(self) -> Terminal:
        """The conversation's terminal. Without `protect` the agent isn't known, and its calls may run side by side."""
        if self._terminal is None:
            parallel = self._agent is None or self._agent.tool_concurrency_limit != 1
            self._terminal = Terminal(self._root(), parallel=parallel, agent=self._agent)
        return self._terminal

    def _catch_up(self) -> None:
        """Reads what the conversation noted since the last call."""
        events = () if self._conversation is None else self._conversation.events
        for at in range(self._read, len(events)):
            self._follow(events[at])
        self._read = len(events)

    def _follow(self, event: Any) -> None:
        if isinstance(event, ObservationEvent) and event.tool_name in TERMINALS:
            self._shell().ended(event.action_id, event.observation)
        elif isinstance(event, UserRejectObservation):
            self._shell().refused(event.action_id)
        elif isinstance(event, AgentErrorEvent):
            self._shell().failed(event.tool_call_id)

    def _arguments(self, action: ActionEvent) -> dict[str, Any]:
        arguments = json.loads(action.tool_call.arguments or "{}")
        if not isinstance(arguments, dict):
            raise ValueError("the arguments aren't an object")
        return arguments

    def _call(self, action: ActionEvent) -> Call:
        arguments = self._arguments(action)
        context: dict[str, Any] = {}
        if self.send_thought:
            context["thought"] = " ".join(part.text for part in action.thought)
        session = self.session or (str(self._conversation.id) if self._conversation is not None else None)
        root = self._root()
        return Call(
            action.tool_name,
            arguments,
            session=session,
            cwd=self._shell().stands(arguments) if action.tool_name in TERMINALS else root,
            roots=None if root is None else [root],
            mode=self.mode,
            client="openhands",
            call_id=action.tool_call_id,
            context=context,
        )

    def _judge(self, action: ActionEvent) -> Judged:
        known = self._judged.get(action.id)
        if known is None:
            self._catch_up()
            known = self._stopped(action)
            if known is None:
                known = self._first(action)
                if known.permit is None:
                    self._block(action, known.reason)
            self._judged[action.id] = known
            # Where nothing can be blocked, a person at the client may let a denied call run.
            may_run = known.permit is not None or known.question is not None or self._conversation is None
            if may_run and action.tool_name in TERMINALS:
                self._send(action)
        return known

    def _stopped(self, action: ActionEvent) -> Judged | None:
        """A call that a hook of the conversation has stopped already. It doesn't run, so nobody is asked again."""
        blocked = {} if self._conversation is None else self._conversation.blocked_actions
        if action.id not in blocked:
            return None
        return Judged(SecurityRisk.LOW, "call.denied", f"A hook of this conversation stopped it: {blocked[action.id]}")

    def _send(self, action: ActionEvent) -> None:
        try:
            self._shell().sent(action.id, action.tool_call_id, self._arguments(action))
        except ValueError:
            self._shell().lost("a call's arguments couldn't be read")

    def _first(self, action: ActionEvent) -> Judged:
        try:
            return self._told(action) or self._admit(self._call(action))
        except FolderUnknown as unknown:
            return Judged(SecurityRisk.HIGH, "hook.folder_unknown", str(unknown))
        except (ValueError, TypeError) as error:
            return Judged(self.on_error, "request.invalid", f"Doorward can't judge this call: {error}")

    def _told(self, action: ActionEvent) -> Judged | None:
        """What Doorward's hook of this conversation was told about this call a moment ago: it isn't judged, recorded
        and asked about once more. ``None`` where no hook asked, or where this analyzer is to judge otherwise."""
        door = self._ask()
        session = self.session if self._conversation is None else str(self._conversation.id)
        own_way = self.mode is not None or self.send_thought
        if own_way or session is None or action.action is None or not isinstance(door, Client):
            return None
        event: dict[str, Any] = {"event_type": "PreToolUse", "session_id": session, "working_dir": self._root() or ""}
        event |= {"tool_name": action.tool_name, "tool_input": action.action.model_dump(mode="json"), "metadata": {}}
        try:
            told = door.hook_told("openhands", event)
            if told is None:
                return None
            permit = Permit(door, told) if told["decision"] == "ALLOW" else None
            code, reason, record = told["code"], told["reason"], told["record_id"]
        except (DoorwardError, ValueError, TypeError):
            # Then it can't be told apart from a call that no hook asked about: it is judged.
            return None
        risk = SecurityRisk.LOW if permit else SecurityRisk.HIGH
        return Judged(risk, code, reason, permit=permit, record_id=record, by_hook=True)

    def _admit(self, call: Call) -> Judged:
        try:
            permit = self._ask().admit(call)
            # A call that owes what OpenHands' tools can't give isn't run.
            permit.require_met()
            return Judged(SecurityRisk.LOW, permit.code, permit.reason, call, permit=permit, record_id=permit.id)
        except ConfirmationRequired as asked:
            return Judged(SecurityRisk.HIGH, asked.code, asked.reason, call, question=asked, record_id=asked.record_id)
        except Denied as denied:
            return Judged(SecurityRisk.HIGH, denied.code, denied.reason, call, record_id=denied.record_id)
        except (DoorwardError, ValueError, TypeError) as error:
            code = error.code if isinstance(error, DoorwardError) else "request.invalid"
            return Judged(self.on_error, code, f"Doorward can't judge this call: {error}", call)

    def _redeem(self, action: ActionEvent) -> None:
        """The yes is bound to the identical call, in the folder in which it was judged: asked again, it is redeemed."""
        call = self._judged[action.id].call
        judged = self._judged[action.id] = self._admit(call) if call is not None else self._first(action)
        if judged.permit is not None and self._conversation is not None:
            self._conversation.pop_blocked_action(action.id)
        elif judged.permit is None:
            self._block(action, judged.reason)

    def _refuse(self, action: ActionEvent, judged: Judged, denied: Denied) -> None:
        refused = Judged(judged.risk, denied.code, denied.reason, judged.call, record_id=judged.record_id)
        self._judged[action.id] = refused
        self._block(action, denied.reason)

    def _block(self, action: ActionEvent, reason: str) -> None:
        if self._conversation is not None:
            self._conversation.block_action(action.id, f"Doorward: {reason}")

    def _answer(
        self, judged: Judged, yes: bool, *, by: str, typed: str | None, passphrase: str | None, reason: str | None
    ) -> None:
        assert judged.question is not None
        door = self._ask()
        if isinstance(door, Gate):
            door.answer(judged.question.id, yes, by=by, dialog=True, typed=typed, passphrase=passphrase, reason=reason)
        elif isinstance(door, Client):
            door.answer(judged.question.id, yes, typed=typed, passphrase=passphrase, reason=reason)

    def _close(self, action_id: str, outcome: Any) -> None:
        judged = self._judged.get(action_id)
        if judged is None or judged.permit is None:
            return
        try:
            judged.permit.report(outcome)
        except Unavailable as error:
            # Each call has one outcome, and the hook is told first what came back.
            if not (judged.by_hook and error.code == "outcome.unknown"):
                raise


class DoorwardConfirmationPolicy(ConfirmationPolicyBase):  # type: ignore[misc]
    """When OpenHands pauses: from ``threshold`` upwards, and for ``UNKNOWN`` where ``confirm_unknown``. Answered by the
    Rust core, as OpenHands' ``ConfirmRisky`` answers."""

    threshold: SecurityRisk = SecurityRisk.HIGH
    confirm_unknown: bool = True

    def model_post_init(self, context: Any) -> None:
        """Refuses a threshold that can't be compared."""
        super().model_post_init(context)
        self.should_confirm()

    def should_confirm(self, risk: SecurityRisk = SecurityRisk.UNKNOWN) -> bool:
        """Whether an action of this risk waits for a person."""
        policy = ConfirmRisky(_as_own(self.threshold), self.confirm_unknown)
        return policy.should_confirm(_as_own(risk))


class _Compat(SecurityAnalyzerBase):  # type: ignore[misc]
    """What the three below share."""

    def _event(self, action: ActionEvent) -> str:
        told = {
            "tool_name": action.tool_name,
            "tool_call_name": action.tool_call.name,
            "arguments": action.tool_call.arguments,
            "summary": action.summary,
            "thought": [part.text for part in action.thought],
            "reasoning_content": action.reasoning_content,
        }
        return json.dumps({name: value for name, value in told.items() if value is not None})

    def _of(self, judge: Callable[[str], tuple[str, str]], action: ActionEvent) -> tuple[SecurityRisk, str]:
        risk, rule = judge(self._event(action))
        return SecurityRisk(risk), rule


class DoorwardPatternAnalyzer(_Compat):
    """OpenHands' ``PatternSecurityAnalyzer``, answered by the Rust core: the same risks, several times as fast."""

    def security_risk(self, action: ActionEvent) -> SecurityRisk:
        """The action's risk."""
        return self._of(_core.pattern, action)[0]


class DoorwardPolicyRailAnalyzer(_Compat):
    """OpenHands' ``PolicyRailSecurityAnalyzer``, answered by the Rust core."""

    def security_risk(self, action: ActionEvent) -> SecurityRisk:
        """The action's risk."""
        return self._of(_core.rail, action)[0]


class DoorwardEnsembleAnalyzer(_Compat):
    """Rail and pattern by OpenHands' rule of fusion. What the children found is kept in the details."""

    propagate_unknown: bool = False

    def security_risk(self, action: ActionEvent) -> SecurityRisk:
        """The fused risk."""
        found = self._children(action)
        return SecurityRisk(_core.fuse([risk.value for risk, _ in found.values()], self.propagate_unknown))

    def analyze_action(self, action: ActionEvent) -> SecurityAnalysis:
        """The fused risk, with each child's."""
        found = self._children(action)
        risk = SecurityRisk(_core.fuse([risk.value for risk, _ in found.values()], self.propagate_unknown))
        details = {name: {"risk": child.value, "rule": rule} for name, (child, rule) in found.items()}
        return SecurityAnalysis(risk=risk, details=details)

    def _children(self, action: ActionEvent) -> dict[str, tuple[SecurityRisk, str]]:
        return {"rail": self._of(_core.rail, action), "pattern": self._of(_core.pattern, action)}


def _as_own(risk: SecurityRisk) -> Any:
    from .risk import SecurityRisk as Own

    return Own(SecurityRisk(risk).value)
