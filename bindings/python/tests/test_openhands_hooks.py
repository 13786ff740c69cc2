"""OpenHands' own command hooks, installed by ``doorward install openhands``: real conversations of openhands-sdk with no
analyzer, no policy and nothing of Doorward in the process."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from conftest import Service, binary, lacking

try:
    from openhands.sdk import Agent, Conversation
    from openhands.sdk.event import ObservationEvent, UserRejectObservation
    from openhands.sdk.hooks import HookConfig
    from openhands.sdk.testing import TestLLM
    from openhands.sdk.tool import Tool
except ImportError as error:
    lacking("test_openhands_hooks", f"openhands-sdk can't be imported: {error}")

import doorward
from model import Judge
from test_openhands import says, shell


def install(service: Service, workspace: Path) -> Path:
    """The hook in a workspace's configuration, as the documentation says."""
    file = workspace / ".openhands" / "hooks.json"
    done = service.command("install", "openhands", "--file", str(file), "--in-place", "--no-questions")
    assert done.returncode == 0, done.stderr
    return file


class Hooked:
    """A conversation that has the workspace's hooks, and nothing else unless an analyzer is named."""

    #: Conversations that the running test began.
    open: ClassVar[list[Hooked]] = []

    def __init__(self, workspace: Path, *turns: object, analyzer: object = None) -> None:
        self.workspace = workspace
        self.events: list = []
        Hooked.open.append(self)
        llm = TestLLM.from_messages([*turns, says(text="Done.")])
        self.conversation = Conversation(
            agent=Agent(llm=llm, tools=[Tool(name="terminal"), Tool(name="file_editor")]),
            workspace=str(workspace),
            callbacks=[self.events.append],
            hook_config=HookConfig.load(working_dir=workspace),
            visualizer=None,
        )
        if analyzer is not None:
            analyzer.protect(self.conversation)
        self.conversation.send_message("Please.")
        self.conversation.run()

    def heard(self) -> list[str]:
        """What the model is told about calls that didn't run."""
        return [event.rejection_reason for event in self.events if isinstance(event, UserRejectObservation)]

    def ran(self) -> list[ObservationEvent]:
        return [event for event in self.events if isinstance(event, ObservationEvent)]


@pytest.fixture(autouse=True)
def conversations_end(service: Service) -> Iterator[None]:
    """Each test's conversations end before the service does: their last event would start another one."""
    yield
    while Hooked.open:
        Hooked.open.pop().conversation.close()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def test_a_denied_call_never_runs_and_the_model_hears_why(service: Service, workspace: Path) -> None:
    file = install(service, workspace)
    before = file.read_text()
    install(service, workspace)
    assert file.read_text() == before, "installing twice changes nothing"
    fetch = shell("curl --max-time 1 http://127.0.0.1:9 ; touch ran")
    talk = Hooked(workspace, says(shell("echo hello")), says(fetch))
    assert len(talk.ran()) == 1, "what is allowed runs without a question"
    (reason,) = talk.heard()
    assert "Nothing is fetched here." in reason and not (workspace / "ran").exists()


def test_a_command_is_judged_in_the_folder_that_the_terminal_was_left_in(service: Service, workspace: Path) -> None:
    install(service, workspace)
    beside = workspace.parent / "beside"
    beside.mkdir()
    (beside / "kept").write_text("kept")
    talk = Hooked(workspace, says(shell(f"cd {beside}")), says(shell("rm -r kept")))
    assert (beside / "kept").exists() and len(talk.heard()) == 1, (talk.heard(), talk.ran())
    # On a busy machine OpenHands reports the folder before the `cd`: then none is guessed.
    assert str(beside / "kept") in talk.heard()[0] or "hook.folder_unknown" in talk.heard()[0]


def test_a_reported_folder_is_not_believed_alone(service: Service, workspace: Path) -> None:
    """Events as OpenHands writes them, with observations of its own classes."""
    from openhands.tools.terminal.definition import TerminalObservation
    from openhands.tools.terminal.metadata import CmdOutputMetadata

    events = json.loads(install(service, workspace).read_text())["hooks"]

    def hook(session: str, name: str, command: str, **more: object) -> subprocess.CompletedProcess[str]:
        told = {"event_type": name, "session_id": session, "working_dir": str(workspace), "metadata": {}, **more}
        told |= {"tool_name": "terminal", "tool_input": {"command": command, "kind": "TerminalAction"}}
        line = events[name][0]["hooks"][0]["command"]
        return subprocess.run(line, shell=True, input=json.dumps(told), capture_output=True, text=True)

    def ended(session: str, command: str, **metadata: object) -> None:
        seen = TerminalObservation.from_text("", command=command, metadata=CmdOutputMetadata(**metadata))
        done = hook(session, "PostToolUse", command, tool_response=seen.model_dump(mode="json"))
        assert done.returncode == 0, done

    read = {"hostname": "h", "username": "u", "exit_code": 0}
    sub = workspace / "sub"
    sub.mkdir()
    stale = [{"working_dir": str(workspace)}, {"working_dir": str(workspace), **read}, {"exit_code": -1}, None]
    for number, metadata in enumerate(stale):
        session = f"stale-{number}"
        assert hook(session, "PreToolUse", f"cd {sub}").returncode == 0
        if metadata is not None:
            ended(session, f"cd {sub}", **metadata)
        judged = hook(session, "PreToolUse", "echo x > made")
        assert judged.returncode == 2 and "hook.folder_unknown" in judged.stderr, (metadata, judged)
        assert hook(session, "PreToolUse", "echo x").returncode == 0, "it means the same everywhere"
    assert hook("read", "PreToolUse", f"cd {sub}").returncode == 0
    ended("read", f"cd {sub}", working_dir=str(sub), **read)
    judged = hook("read", "PreToolUse", "echo x")
    assert judged.returncode == 0 and "hook.folder_unknown" not in hook("read", "PreToolUse", "ls").stderr


def test_a_question_is_denied_until_it_is_answered_and_then_runs(service: Service, workspace: Path) -> None:
    install(service, workspace)
    subprocess.run(["git", "init", "-q", str(workspace)], check=True)
    push = "git push origin hooked"
    first = Hooked(workspace, says(shell(push)))
    (reason,) = first.heard()
    assert "A push is for a person." in reason and not first.ran()
    client = doorward.Client(state=service.state)
    (question,) = [open for open in client.approvals() if open["args"].get("command") == push]
    client.answer(question["id"], True)
    # The conversation goes on: the identical call of the same session passes once.
    again = first.conversation
    again.agent.llm._scripted_responses.extend([says(shell(push)), says(shell(push)), says(text="Done.")])
    again.send_message("It is approved.")
    again.run()
    assert len(first.ran()) == 1 and len(first.heard()) == 2, (first.heard(), first.ran())


def score(number: int) -> dict:
    return Judge.completion(json.dumps({"risk_score": number, "reasoning": "It makes a file.", "risks": ["scope"]}))


def engine(decision: str, reason: str) -> dict:
    return {"decision": decision, "reason": reason, "obligations": []}


MODEL = 'model = "openai/m"\nbase_url = "{judge}"\n'
GUARDIAN = f"[guardian]\n{MODEL}timeout_ms = 8000\n"
RISKY = '[confirm]\npolicy = { kind = "ConfirmRisky" }\n'
GUARDRAIL = f'[analyzers]\nlist = ["ToolShieldLLMSecurityAnalyzer"]\n[toolshield]\n{MODEL}{RISKY}'
LABELS = f'[analyzers]\nlist = ["LLMSecurityAnalyzer"]\n{RISKY}'
NEVER = '[confirm]\npolicy = { kind = "NeverConfirm" }\n'
RELIEVED = '[hooks]\nrelieve = "policy"\n'
ENGINE = '[policy]\nremote = { kind = "seed", url = "{judge}/decide", deadline_ms = 8000 }\n'
SILENT = ("", 500)
PROSE = (Judge.completion("Certainly! That looks fine to me: risk_score 5."), 200)

#: What the user set, who answers, the model's own label, whether the call runs, what the model is told, and the code.
SET = [
    ("scores 10", GUARDIAN, (score(10), 200), "LOW", True, "", "guardian.approve"),
    ("scores 79", GUARDIAN, (score(79), 200), "LOW", True, "", "guardian.approve"),
    ("scores 80", GUARDIAN, (score(80), 200), "LOW", False, "80 of 100", "guardian.prompt_user"),
    ("scores 95", GUARDIAN, (score(95), 200), "LOW", False, "95 of 100", "guardian.prompt_user"),
    ("guardian gone", GUARDIAN, SILENT, "LOW", False, "guardian could not judge", "guardian.unavailable"),
    ("guardian garbled", GUARDIAN, PROSE, "LOW", False, "guardian could not judge", "guardian.invalid_reply"),
    ("guardrail LOW", GUARDRAIL, (score(5), 200), "LOW", True, "", "confirm.allow"),
    ("guardrail HIGH", GUARDRAIL, (score(95), 200), "LOW", False, "doorward approve", "confirm.policy"),
    ("guardrail gone", GUARDRAIL, SILENT, "LOW", False, "doorward approve", "confirm.policy"),
    ("guardrail garbled", GUARDRAIL, PROSE, "LOW", False, "doorward approve", "confirm.policy"),
    ("label LOW", LABELS, SILENT, "LOW", True, "", "confirm.allow"),
    # OpenHands takes the label out before its hooks are called; only an analyzer sees it.
    ("label HIGH", LABELS, SILENT, "HIGH", True, "", "confirm.allow"),
    ("never", NEVER, SILENT, "LOW", True, "", "confirm.allow"),
    ("never, relieved", NEVER + RELIEVED, SILENT, "LOW", True, "", "confirm.allow"),
    ("engine allows", ENGINE, (engine("ALLOW", "on the list"), 200), "LOW", True, "", "remote.permit"),
    ("engine denies", ENGINE, (engine("DENY", "on no list"), 200), "LOW", False, "on no list", "remote.forbid"),
    (
        "engine asks",
        ENGINE,
        (engine("REQUIRE_USER_CONFIRMATION", "ask first"), 200),
        "LOW",
        False,
        "ask first",
        "remote.confirm",
    ),
    ("engine gone", ENGINE, SILENT, "LOW", False, "policy engine", "remote.status"),
]


@pytest.mark.parametrize(
    ("settings", "answer", "label", "runs", "heard", "code"), [row[1:] for row in SET], ids=[row[0] for row in SET]
)
def test_what_the_user_set_is_what_happens(
    tmp_path: Path, workspace: Path, settings: str, answer: tuple, label: str, runs: bool, heard: str, code: str
) -> None:
    judge = Judge(*answer)
    state = tmp_path / "state"
    state.mkdir()
    (state / "doorward.toml").write_text(settings.replace("{judge}", judge.url))
    own = Service(state)
    try:
        install(own, workspace)
        talk = Hooked(workspace, says(("terminal", {"command": "touch ran", "security_risk": label})))
        told = talk.heard()
        listed = own.command("audit", "query", "--kind", "decision", "--json").stdout.splitlines()
        codes = [json.loads(line)["code"] for line in listed]
        assert (workspace / "ran").exists() == runs and heard in "".join(told), (told, codes)
        assert codes == [code], listed
    finally:
        while Hooked.open:
            Hooked.open.pop().conversation.close()
        own.stop()
        judge.close()


def test_what_the_hook_stops_is_not_asked_about_once_more(service: Service, workspace: Path) -> None:
    from openhands.sdk.conversation.state import ConversationExecutionStatus

    from doorward.openhands import DoorwardAnalyzer

    install(service, workspace)
    push = "git push origin both"
    analyzer = DoorwardAnalyzer(state=str(service.state))
    talk = Hooked(workspace, says(shell(push)), says(shell("echo hello")), analyzer=analyzer)
    assert talk.conversation.state.execution_status == ConversationExecutionStatus.FINISHED
    assert "A push is for a person." in talk.heard()[0] and len(talk.heard()) == 1 and len(talk.ran()) == 1
    asked = [open for open in doorward.Client(state=service.state).approvals() if open["args"].get("command") == push]
    assert len(asked) == 1, asked


def decisions(service: Service, command: str) -> list[dict]:
    """The records of what was decided about a command, whoever asked."""
    calls = doorward.Client(state=service.state).request("GET", "/v1/calls?limit=500")["calls"]
    return [call for call in calls if command in json.dumps(call["effects"])]


def test_hook_and_analyzer_judge_a_call_once_and_a_person_is_asked_once(service: Service, workspace: Path) -> None:
    from openhands.sdk.conversation.state import ConversationExecutionStatus

    from doorward.openhands import DoorwardAnalyzer

    install(service, workspace)
    subprocess.run(["git", "init", "-q", str(workspace)], check=True)
    push = "git push origin once"
    analyzer = DoorwardAnalyzer(state=str(service.state))
    turn = says(shell("echo same-words"), shell("echo same-words"), shell("echo other-words"))
    talk = Hooked(workspace, turn, says(shell(push)), analyzer=analyzer)
    state = talk.conversation.state
    assert state.execution_status == ConversationExecutionStatus.FINISHED and len(talk.ran()) == 3
    assert len(decisions(service, "same-words")) == 2 and len(decisions(service, "other-words")) == 1
    client = doorward.Client(state=service.state)
    (question,) = [open for open in client.approvals() if open["args"].get("command") == push]
    client.answer(question["id"], True)
    # The identical call runs with the yes that was given at the hook: once, and the analyzer doesn't ask again.
    talk.conversation.agent.llm._scripted_responses.extend([says(shell(push)), says(shell(push)), says(text="Done.")])
    talk.conversation.send_message("It is approved.")
    talk.conversation.run()
    assert state.execution_status == ConversationExecutionStatus.FINISHED, "nothing waits at OpenHands"
    assert len(talk.ran()) == 4 and len(talk.heard()) == 2, (talk.heard(), talk.ran())
    verdicts = [call["verdict"] for call in decisions(service, push)]
    asked, allowed = "REQUIRE_USER_CONFIRMATION", "ALLOW"
    assert verdicts == [asked, allowed, asked], "youngest first: asked, allowed by the yes, and the third call asked anew"
    every = [*decisions(service, "words"), decisions(service, push)[1]]
    ends = [[record["outcome"] for record in call["life"] if record["kind"] == "outcome"] for call in every]
    assert len(ends) == 4 and all(len(own) == 1 and own[0] in ("ran", "failed") for own in ends), ends


def test_what_a_hook_was_told_counts_only_for_that_call_session_and_process(service: Service, workspace: Path) -> None:
    """Each way to have a call pass by the answer that another call got."""
    line = json.loads(install(service, workspace).read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    client = doorward.Client(state=service.state)

    def event(command: str, name: str = "PreToolUse", session: str = "one", **more: object) -> dict:
        told = {"event_type": name, "session_id": session, "working_dir": str(workspace), "metadata": {}, **more}
        return told | {"tool_name": "terminal", "tool_input": {"command": command, "kind": "TerminalAction"}}

    def hook(command: str, **more: object) -> int:
        return subprocess.run(line, shell=True, input=json.dumps(event(command, **more)), text=True).returncode

    def told(command: str, **more: object) -> dict | None:
        return client.hook_told("openhands", event(command, **more))

    ask = "print(doorward.Client(state=sys.argv[1]).hook_told('openhands', json.loads(sys.argv[2])))"
    elsewhere = f"import doorward, json, sys; {ask}"
    assert hook("echo a") == 0
    assert told("echo b") is None, "another command"
    changed = event("echo a")
    changed["tool_input"]["is_input"] = True
    assert client.hook_told("openhands", changed) is None, "another argument"
    assert client.hook_told("openhands", event("echo a") | {"tool_name": "execute_bash_2"}) is None, "another tool"
    assert told("echo a", session="two") is None, "another conversation"
    assert told("echo a", working_dir="/") is None, "judged in another workspace"
    words = [sys.executable, "-c", elsewhere, str(service.state), json.dumps(event("echo a"))]
    other = subprocess.run(words, capture_output=True, text=True, check=True)
    assert other.stdout == "None\n", "a child of this process, which isn't the one whose hook asked"
    assert doorward.Client(service.url, state=service.state).hook_told("openhands", event("echo a")) is None
    with pytest.raises(doorward.Unavailable, match="service.local_only"):
        over_http = doorward.Client(service.url, state=service.state)
        over_http.request("POST", "/v1/hook/openhands/told", event("echo a"))
    with pytest.raises(doorward.InvalidRequest):
        client.hook_told("claude-code", event("echo a"))
    first = told("echo a")
    assert first is not None and first["decision"] == "ALLOW" and first["record_id"]
    assert told("echo a") is None, "it counts once"

    assert hook("echo c") == 0 and hook("echo c", name="PostToolUse", tool_response={"is_error": False}) == 0
    assert told("echo c") is None, "the call has ended"
    assert hook("curl http://127.0.0.1:9") == 2
    for _ in range(2):
        refused = told("curl http://127.0.0.1:9")
        assert refused is not None and refused["decision"] == "DENY", "a denial stays one"
    assert hook("git push origin told") == 2
    asked = told("git push origin told")
    assert asked is not None and asked["decision"] == "DENY", "a question is no yes"


def test_a_file_that_is_only_viewed_is_read(service: Service, workspace: Path) -> None:
    install(service, workspace)
    (workspace / "seen.txt").write_text("text")
    view = ("file_editor", {"command": "view", "path": str(workspace / "seen.txt")})
    outside = ("file_editor", {"command": "create", "path": "/etc/doorward-test", "file_text": "x"})
    talk = Hooked(workspace, says(view), says(outside))
    assert len(talk.ran()) == 1 and len(talk.heard()) == 1
    assert not Path("/etc/doorward-test").exists()


def test_the_agent_cannot_take_the_hook_away(service: Service, workspace: Path) -> None:
    file = install(service, workspace)
    before = file.read_text()
    talk = Hooked(
        workspace,
        says(shell("rm .openhands/hooks.json")),
        says(shell("mv .openhands elsewhere")),
        says(("file_editor", {"command": "create", "path": str(file), "file_text": "{}"})),
    )
    assert len(talk.heard()) == 3 and not talk.ran() and file.read_text() == before
    assert all("path.own_files" in reason or "own files" in reason for reason in talk.heard()), talk.heard()


def test_every_failure_of_the_hook_denies(service: Service, workspace: Path, tmp_path: Path) -> None:
    file = install(service, workspace)
    text = file.read_text()
    touch = says(shell("touch ran"))
    # The program is gone; the service's folder is another one, where nobody may start one.
    file.write_text(text.replace(binary(), str(tmp_path / "gone" / "doorward")))
    gone = Hooked(workspace, touch)
    assert "hook.missing" in gone.heard()[0], gone.heard()
    file.write_text(text.replace(str(service.state), "/proc/nobody"))
    unreachable = Hooked(workspace, touch)
    assert unreachable.heard(), "no service: denied"
    assert not (workspace / "ran").exists()
    # An event that can't be read.
    command = json.loads(text)["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    for event in ("", "{}", '{"event_type":"PreToolUse","tool_name":"terminal","tool_input":[],"session_id":"s"}'):
        done = subprocess.run(command, shell=True, input=event, capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr.strip(), (event, done)


def test_the_end_of_a_conversation_starts_no_service(tmp_path: Path) -> None:
    event = {"event_type": "SessionEnd", "session_id": "s", "working_dir": str(tmp_path), "metadata": {}}
    words = [binary(), "hook", "openhands", "--state", str(tmp_path / "state")]
    (tmp_path / "state").mkdir()
    done = subprocess.run(words, input=json.dumps(event), capture_output=True, text=True)
    assert done.returncode == 0 and not list((tmp_path / "state").iterdir()), done


def test_it_is_taken_out_again(service: Service, workspace: Path) -> None:
    file = install(service, workspace)
    own = json.loads(file.read_text())
    own["hooks"]["Stop"] = [{"matcher": "*", "hooks": [{"type": "command", "command": "true"}]}]
    file.write_text(json.dumps(own))
    done = subprocess.run(
        [binary(), "uninstall", "openhands", "--file", str(file)], capture_output=True, text=True, check=True
    )
    assert "taken out" in done.stdout
    assert list(json.loads(file.read_text())["hooks"]) == ["Stop"], "what is foreign stays"
    shutil.rmtree(file.parent)
