"""Errors. Each carries a stable ``code``, a ``reason`` in words, and ``settle``: what would let the call through."""

from __future__ import annotations

from collections.abc import Sequence


class DoorwardError(Exception):
    """Base of all errors of this package.

    Attributes:
        code: stable code, for programs (``"policy.deny"``, ``"service.unreachable"``, ...).
        reason: one sentence, for people and models.
        settle: what to do so that the call would go through; may be empty.
    """

    def __init__(self, code: str, reason: str, settle: str = "") -> None:
        super().__init__(f"{code}: {reason}" + (f" ({settle})" if settle else ""))
        self.code = code
        self.reason = reason
        self.settle = settle


class Denied(DoorwardError):
    """The call must not run.

    Attributes:
        policies: ids of the policies that decided.
        record_id: id of the decision's record, or ``None`` where nothing was recorded.
    """

    def __init__(
        self,
        code: str,
        reason: str,
        settle: str = "",
        *,
        policies: Sequence[str] = (),
        record_id: str | None = None,
    ) -> None:
        super().__init__(code, reason, settle)
        self.policies = tuple(policies)
        self.record_id = record_id


class ConfirmationRequired(Denied):
    """A person has to decide first. Answer the question ``id``, then make the identical call again.

    Attributes:
        id: the question, for ``wait`` and ``answer``.
        level: 1 for a yes, 2 for a typed phrase, 3 for a second person.
        phrase: what has to be typed, or ``None``.
        expires: when the question lapses into a denial, RFC 3339 in UTC.
        warning: what the person must see.
    """

    def __init__(
        self,
        code: str,
        reason: str,
        *,
        id: str,
        level: int = 1,
        phrase: str | None = None,
        expires: str = "",
        warning: str = "",
        policies: Sequence[str] = (),
        record_id: str | None = None,
    ) -> None:
        settle = f"answer {id} in the console or with `doorward approvals`, then make the same call again"
        super().__init__(code, reason, settle, policies=policies, record_id=record_id)
        self.id = id
        self.level = level
        self.phrase = phrase
        self.expires = expires
        self.warning = warning


class ConfirmationTimedOut(ConfirmationRequired):
    """Nobody answered within the time that the caller waits. That is not a no: the question may still be open."""


class Unavailable(DoorwardError):
    """The gate can't be reached, or can't decide. Treat it as a denial."""


class InvalidRequest(DoorwardError):
    """What was sent isn't a request: ``reason`` names the member that is wrong."""


class AnswerRefused(DoorwardError):
    """An answer to a question isn't taken; the question stays open. ``code`` says why (``grant.presence``, ...)."""


#: What to do about a refused answer, by code.
HOW_TO_ANSWER = {
    "approve.phrase": "type the question's phrase",
    "approver.group": "somebody of the groups that the question names has to answer",
    "approver.self": "somebody else has to answer",
    "grant.presence": "show that a person is there: answer at a terminal or in the console, or give the passphrase",
    "passphrase.wrong": "give the passphrase of the one who answers",
}

#: What to do about a gate that can't be opened or used, by code.
HOW_TO_OPEN = {
    "gate.forked": "make a doorward.Client() in this process",
    "ledger.locked": "close the other gate, or use doorward.Client(state=...) where a service runs on this folder",
    "no_approver": "open the gate on a state folder of its own",
    "settings.unreadable": "name a doorward.toml that is there, or none for the one in the state folder",
    "state.unwritable": "name a folder that this user can write",
}
