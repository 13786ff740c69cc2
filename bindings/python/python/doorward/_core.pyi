"""Made from the Rust sources by stubs.py; don't edit."""

import os
import pathlib
from typing import Final, final

VERSION: Final[str]

class Problem(Exception):
    """What the core refuses: `args` is a stable code and a sentence."""

@final
class Gate:
    """The gate in this process. One per state folder: a second one, or a service on the same folder, is refused."""

    def __new__(cls, state: os.PathLike[str] | str, settings: os.PathLike[str] | str | None = None) -> Gate:
        """Opens the state folder `state`, with the settings of `settings`, or those that belong to the folder."""

    def decide(self, request: str) -> str:
        """Decides a request of the contract (JSON) and records the decision; the answer is JSON."""

    def check(self, request: str) -> str:
        """Judges a request without recording it: what `decide` would say, with risk, findings and effects."""

    def report(self, id: str, outcome: str) -> int:
        """Closes an allowed call by what became of it (JSON). Each decision takes one report."""

    def approvals(self, all: bool = False) -> str:
        """Questions, open ones alone or settled ones too, as JSON."""

    def wait(self, id: str, seconds: float) -> str:
        """Waits at most `seconds` for how a question ends, as JSON."""

    def answer(self, id: str, answer: str) -> str:
        """Answers a question (JSON in, JSON out)."""

    def sessions(self) -> str:
        """Sessions, as JSON."""

    def health(self) -> str:
        """How the gate is doing, as JSON."""

    def close(self) -> None:
        """Writes the outcomes that are owed and closes the record."""

def secrets_find(text: str) -> str:
    """Secrets in a text, as JSON: kind, severity, and the place in characters. Never the value."""

def secrets_redact(text: str) -> str:
    """The text with every secret masked."""

def net_check_url(url: str) -> str:
    """What the text of a URL says: host, port, class, and the code of what is wrong with it."""

def net_check_address(address: str) -> str | None:
    """The class of an address that may not be reached, or nothing."""

def shell_analyze(command: str, cwd: str | None = None, home: str | None = None) -> str:
    """What a command line would do, as JSON (the shell's intent)."""

def shell_explain(command: str) -> str:
    """The command with its effects drawn under its words."""

def paths_check(path: str, operation: str, roots: list[str], cwd: str) -> tuple[str, str | None]:
    """Where a path leads, for one operation, as a pair of scope and code."""

def paths_is_secret(path: str) -> bool:
    """Whether a path's name says that it holds secrets."""

def terminal(state: str, event: str) -> str:
    """One step of what is known of a terminal's folder: state (empty for a new one) and event in, JSON out."""

def default_state() -> pathlib.Path:
    """The state folder of the service that answers this user."""

def pattern(event: str) -> tuple[str, str]:
    """The pattern analyzer: risk, and the detector that decided."""

def rail(event: str) -> tuple[str, str]:
    """The policy rails: risk, and the rule that decided."""

def rail_texts(texts: list[str]) -> tuple[str, str]:
    """The policy rails over texts of commands."""

def shell_scan(text: str) -> tuple[bool, bool]:
    """Whether a command deletes recursively and by force, and whether that couldn't be settled."""

def normalise(text: str) -> str:
    """Text as the pattern analyzer reads it."""

def fuse(risks: list[str], propagate_unknown: bool) -> str:
    """Several risks as one, by OpenHands' rule."""

def risk_of_score(score: float, low: float, medium: float) -> str:
    """The risk of a score between two thresholds."""

def is_riskier(own: str, other: str, reflexive: bool = True) -> bool:
    """Whether one risk is above another, or as high where `reflexive`."""

def should_confirm(policy: str, of: str) -> bool:
    """Whether a confirmation policy (its wire form, JSON) asks about a risk."""

def label(arguments: str, read_only: bool, configured: bool) -> str:
    """The label that a model put into a call's arguments (JSON), as OpenHands takes it out."""

def parse_risk(text: str) -> str | None:
    """The one label of a guardrail's answer, or nothing where there isn't exactly one."""

def render_action(tool: str, arguments: str, summary: str, thought: str, unparsed: bool) -> str:
    """An action as the guardrail is shown it."""

def guardrail_system(experiences: str) -> str:
    """The guardrail's system message, with rules about the tools in play."""

def guardrail_user(past: list[str], action: str) -> str:
    """The guardrail's user message: past actions and the one to judge, each as `render_action` gives it."""

def experience_of_server(server: str) -> str:
    """The experience file of a server's name, which may be no safe name of a file."""

def experiences_of(servers: list[str], tools: list[str]) -> list[str]:
    """The experience files of declared servers and built-in tools."""

def render_experiences(tools: list[str], folder: os.PathLike[str] | str | None = None, natural: bool = True) -> str:
    """The rules of tools as text: the seeds, with the files of a folder on top."""

def experience_tools(folder: os.PathLike[str] | str | None = None) -> list[str]:
    """Tools that have rules."""

__all__ = ["VERSION", "Problem", "Gate", "secrets_find", "secrets_redact", "net_check_url", "net_check_address", "shell_analyze", "shell_explain", "paths_check", "paths_is_secret", "terminal", "default_state", "pattern", "rail", "rail_texts", "shell_scan", "normalise", "fuse", "risk_of_score", "is_riskier", "should_confirm", "label", "parse_risk", "render_action", "guardrail_system", "guardrail_user", "experience_of_server", "experiences_of", "render_experiences", "experience_tools"]
