"""A permit: one allowed call, and the duty to say what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from .call import Json, digest, redacted
from .errors import Denied

if TYPE_CHECKING:
    from .gate import Door

Outcome = Literal["ran", "failed", "killed", "refused", "abandoned"]

#: Obligations that :meth:`Door.guard` meets for a function of this process. It can't give it a sandbox.
MET = frozenset({"log_output", "redact_output", "notify", "expires"})


class Permit:
    """One allowed call. It is good once, for the call as it was judged.

    Attributes:
        id: the decision's record.
        reason: why it is allowed.
        code: stable code of what decided.
        obligations: what whoever runs the call owes, each with ``type``.
    """

    def __init__(self, door: Door, answer: Json) -> None:
        self._door = door
        self._reported = False
        self._digest: str | None = None
        self._bytes = 0
        self.id: str = answer["record_id"]
        self.reason: str = answer["reason"]
        self.code: str = answer["code"]
        self.obligations: list[Json] = answer["obligations"]

    def owes(self, name: str) -> bool:
        """Whether an obligation of this name is owed."""
        return any(owed.get("type") == name for owed in self.obligations)

    def unmet(self) -> list[str]:
        """Names of the obligations that this process can't meet by itself."""
        names = (str(owed.get("type")) for owed in self.obligations)
        return [name for name in names if name not in MET]

    def output(self, value: Any, *, redact: bool = False) -> Any:
        """Takes the call's result and gives it back as it may be passed on.

        Secrets are masked where the decision owes ``redact_output``, or where ``redact`` says so. The record keeps the
        digest and the length of what this returns.
        """
        passed = redacted(value) if redact or self.owes("redact_output") else value
        self._digest, self._bytes = digest(passed)
        return passed

    def report(self, outcome: Outcome = "ran", *, exit: int | None = None) -> None:
        """Says what became of the call. The first report counts, further ones do nothing.

        Args:
            outcome: ``ran``, ``failed``, ``killed``, ``refused`` (not run after all) or ``abandoned`` (never started).
            exit: exit code, where there is one.

        Raises:
            Unavailable: the outcome couldn't be recorded.
        """
        if self._reported:
            return
        # Both are met by `output`, and by nothing else.
        owed = [
            {"type": name, "done": self._digest is not None}
            for name in ("log_output", "redact_output")
            if self.owes(name)
        ]
        told: Json = {"outcome": outcome, "exit": exit, "bytes": self._bytes, "obligations": owed}
        if self._digest:
            told["output_digest"] = self._digest
        self._door._report(self.id, told)
        self._reported = True

    def require_met(self) -> None:
        """Refuses the call where this process can't meet what it owes.

        Raises:
            Denied: ``obligation.unmet``; the record says that the call was refused.
        """
        unmet = self.unmet()
        if unmet:
            self.report("refused")
            owed = ", ".join(unmet)
            raise Denied(
                "obligation.unmet",
                f"a rule asks for {owed}, which a function of this process can't give",
                "run the command with `doorward run`, or let the agent's client run it bound",
                record_id=self.id,
            )
