"""In which folder a terminal command of OpenHands is judged: real conversations, and observations made with the SDK's own
classes where the SDK's terminal can't be made to err."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from conftest import lacking

try:
    from openhands.sdk.event import ActionEvent, ObservationEvent
    from openhands.tools.terminal.definition import TerminalAction, TerminalObservation
    from openhands.tools.terminal.metadata import CmdOutputMetadata
except ImportError as error:
    lacking("test_openhands_terminal", f"openhands-sdk can't be imported: {error}")

import doorward
from doorward.openhands import DoorwardAnalyzer
from doorward.openhands_terminal import Terminal, folder_of
from test_openhands import WAITING, Talk, gate, says, shell  # noqa: F401

UNKNOWN = "It isn't known in which folder"


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A folder outside the workspace, with something to lose."""
    folder = tmp_path / "beside"
    folder.mkdir()
    (folder / "kept").write_text("kept")
    return folder


def action(command: str, id: str, **more: object) -> ActionEvent:
    (call,) = says(("terminal", {"command": command, **more})).tool_calls
    return ActionEvent(
        id=id,
        thought=[],
        action=TerminalAction(command=command, **more),
        tool_name="terminal",
        tool_call_id=call.id,
        tool_call=call,
        llm_response_id="r",
    )


def observation(of: ActionEvent, metadata: CmdOutputMetadata, **more: object) -> ObservationEvent:
    seen = TerminalObservation.from_text("", command=of.action.command, metadata=metadata, **more)
    return ObservationEvent(observation=seen, action_id=of.id, tool_name="terminal", tool_call_id=of.tool_call_id)


def alone(gate: doorward.Gate, folder: Path) -> DoorwardAnalyzer:  # noqa: F811
    """An analyzer that hears of a conversation in another process: the kernel can't be asked."""
    return DoorwardAnalyzer.over(gate, mode="bypassPermissions", cwd=str(folder))


#: What the SDK reports where it read no prompt, by its own code; and a prompt of an earlier command, read in earnest.
STALE = [
    lambda folder: CmdOutputMetadata(exit_code=-1, working_dir=folder),
    lambda folder: CmdOutputMetadata(exit_code=0, working_dir=folder),
    lambda folder: CmdOutputMetadata(exit_code=0, working_dir=folder, hostname="h", username="u", pid=1),
    lambda folder: CmdOutputMetadata(),
]


@pytest.mark.parametrize("stale", range(len(STALE)))
def test_a_stale_folder_is_not_believed(tmp_path: Path, gate: doorward.Gate, beside: Path, stale: int) -> None:  # noqa: F811
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    analyzer = alone(gate, workspace)
    moves = action(f"cd {beside}", "1")
    assert analyzer.analyze_action(moves).risk.value == "LOW"
    analyzer.observe(observation(moves, STALE[stale](str(workspace))))
    judged = analyzer.analyze_action(action("rm -r kept", "2"))
    assert judged.risk.value == "HIGH" and judged.details["code"] == "hook.folder_unknown"
    assert UNKNOWN in judged.details["reason"] and "where `cd /" in judged.details["reason"]
    # With the folder in the command it can be judged, for what it is; and so the folder is known again.
    named = action(f"cd {beside} && rm -r kept", "3")
    judged = analyzer.analyze_action(named)
    assert judged.risk.value == "HIGH" and judged.details["code"] != "hook.folder_unknown", judged
    back = action(f"cd {workspace} && echo x", "4")
    analyzer.analyze_action(back)
    analyzer.observe(observation(back, CmdOutputMetadata(working_dir=str(workspace), hostname="h", username="u")))
    assert analyzer.analyze_action(action("echo x > made", "5")).risk.value == "LOW"


def test_an_error_a_rejection_and_a_timeout_are_told_apart(tmp_path: Path, gate: doorward.Gate, beside: Path) -> None:  # noqa: F811
    from openhands.sdk.event import AgentErrorEvent, UserRejectObservation

    def after(*events: object, first: ActionEvent) -> str:
        analyzer = alone(gate, tmp_path)
        analyzer.analyze_action(first)
        for event in events:
            analyzer.observe(event)
        return analyzer.analyze_action(action("echo x > made", "2")).details["code"]

    moves = action(f"cd {beside}", "1")
    rejected = UserRejectObservation(action_id="1", tool_name="terminal", tool_call_id=moves.tool_call_id)
    assert after(rejected, first=moves) != "hook.folder_unknown", "it never ran"
    raised = AgentErrorEvent(error="e", tool_name="terminal", tool_call_id=moves.tool_call_id)
    assert after(raised, first=moves) == "hook.folder_unknown"
    assert after(first=moves) == "hook.folder_unknown", "it hasn't ended"
    slow = action(f"sleep 9; cd {beside}", "1")
    assert after(observation(slow, CmdOutputMetadata()), first=slow) == "hook.folder_unknown"
    waits = action("sleep 9", "1")
    assert after(observation(waits, CmdOutputMetadata()), first=waits) != "hook.folder_unknown"
    typed = action(f"cd {beside}", "1", is_input=True)
    assert after(observation(typed, CmdOutputMetadata()), first=typed) == "hook.folder_unknown"


def test_calls_of_one_turn_are_not_judged_before_the_folder_is_known(
    tmp_path: Path, gate: doorward.Gate, beside: Path  # noqa: F811
) -> None:
    analyzer = DoorwardAnalyzer.over(gate, mode="bypassPermissions")
    talk = Talk(tmp_path, says(shell(f"cd {beside}"), shell("rm -r kept")), analyzer=analyzer).run()
    assert talk.status == WAITING and not talk.observations()
    analyzer.resume(talk.conversation)
    (refusal,) = talk.refusals()
    assert UNKNOWN in refusal.rejection_reason and "was sent before it" in refusal.rejection_reason
    assert len(talk.observations()) == 1 and (beside / "kept").exists()


def test_a_rejected_move_does_not_count(tmp_path: Path, gate: doorward.Gate, beside: Path) -> None:  # noqa: F811
    analyzer = DoorwardAnalyzer.over(gate, mode="bypassPermissions")
    turns = [says(shell(f"cd {beside} && git push origin x")), says(shell("mkdir made"))]
    talk = Talk(tmp_path, *turns, analyzer=analyzer).run()
    analyzer.reject(talk.conversation, "no", by="a person")
    talk.run()
    # OpenHands may report a command before it ran, and close the terminal: that it was let through is what counts.
    assert talk.status != WAITING and len(talk.refusals()) == 1 and len(talk.observations()) == 1


def test_ordinary_work_is_judged_without_a_pause(tmp_path: Path, gate: doorward.Gate) -> None:  # noqa: F811
    """`cd`, one that fails, and here-documents: nothing of it stops the work."""
    analyzer = DoorwardAnalyzer.over(gate, mode="bypassPermissions")
    here = "cat > note.txt <<'END'\nline\nEND"
    commands = ["mkdir sub", "cd sub", here, "cd /nowhere/at/all", "mkdir below", "cd below && cd ..", "touch end"]
    talk = Talk(tmp_path, *(says(shell(command)) for command in commands), analyzer=analyzer).run()
    assert talk.status != WAITING and not talk.refusals(), talk.refusals()
    assert len(talk.observations()) == len(commands)


def test_shells_side_by_side_are_not_taken_for_one(tmp_path: Path, gate: doorward.Gate, beside: Path) -> None:  # noqa: F811
    """With `tool_concurrency_limit` OpenHands runs the calls of a turn in several shells, and later calls in any of them."""
    analyzer = DoorwardAnalyzer.over(gate, mode="bypassPermissions")
    turns = [says(shell("sleep 1"), shell("sleep 1")), says(shell(f"cd {beside}")), says(shell("rm -r kept"))]
    talk = Talk(tmp_path, *turns, analyzer=analyzer, parallel=2).run()
    assert talk.status == WAITING and len(talk.observations()) == 3
    analyzer.resume(talk.conversation)
    assert UNKNOWN in talk.refusals()[0].rejection_reason and (beside / "kept").exists()


def test_an_analyzer_that_came_later_does_not_guess(tmp_path: Path, gate: doorward.Gate, beside: Path) -> None:  # noqa: F811
    talk = Talk(tmp_path, says(shell(f"cd {beside}"))).run()
    analyzer = DoorwardAnalyzer.over(gate, mode="bypassPermissions")
    analyzer.protect(talk.conversation)
    assert "before Doorward was asked" in analyzer.analyze_action(action("rm -r kept", "x")).details["reason"]


def test_the_kernel_tells_a_resting_shell_from_a_busy_one(tmp_path: Path) -> None:
    import pty

    leader, follower = pty.openpty()
    bash = subprocess.Popen(
        ["bash", "--norc", "-i"], cwd=tmp_path, stdin=follower, stdout=follower, stderr=follower, preexec_fn=control
    )
    try:
        until(lambda: folder_of(bash.pid) == (str(tmp_path), True))
        os.write(leader, b"sleep 2; cd /\n")
        until(lambda: folder_of(bash.pid) == (str(tmp_path), False))
        until(lambda: folder_of(bash.pid) == ("/", True))
        assert folder_of(os.getpid()) is None, "only a bash is believed"
    finally:
        bash.kill()
        bash.wait()
        os.close(leader)
        os.close(follower)


def control() -> None:
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def until(holds: object) -> None:
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_without_a_folder_nothing_is_guessed() -> None:
    terminal = Terminal(None, parallel=False)
    assert terminal.stands({"command": "echo x"})
    with pytest.raises(Exception, match="where the conversation's terminal begins"):
        terminal.stands({"command": "ls"})
    assert json.loads(terminal._state)
