"""One API over each transport: in the process, over the socket, over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import secrets as randomness
import subprocess
import threading
import time
from pathlib import Path

import pytest

import doorward
from conftest import Service, binary, settings_in

SHELL = "shell:execute"


@pytest.fixture
def owner(request: pytest.FixtureRequest, door: doorward.Door) -> Service | None:
    return None if isinstance(door, doorward.Gate) else request.getfixturevalue("service")


def test_an_allowed_call_runs_and_is_closed(door: doorward.Door) -> None:
    with door.guard(SHELL, {"command": "echo hello"}) as permit:
        assert permit.output("hello") == "hello"
    assert permit.id
    # Each decision takes one outcome: a second one is refused by the gate, not only by the permit.
    with pytest.raises(doorward.DoorwardError) as refused:
        door._report(permit.id, {"outcome": "ran"})
    assert refused.value.code == "outcome.unknown"


def test_a_block_that_raises_is_reported_as_failed(service: Service) -> None:
    client = doorward.Client(state=service.state)
    with pytest.raises(ZeroDivisionError), client.guard(SHELL, {"command": "echo 1"}) as permit:
        1 / 0
    listed = subprocess.run(
        [binary(), "audit", "query", "--state", str(service.state), "--json"], capture_output=True, text=True
    )
    assert f'"{permit.id}"' in listed.stdout, listed.stderr
    outcomes = [line for line in listed.stdout.splitlines() if permit.id in line and '"failed"' in line]
    assert outcomes, "no outcome `failed` of this decision"


def test_a_denied_call_says_why_and_what_would_settle_it(door: doorward.Door) -> None:
    ran = []
    with pytest.raises(doorward.Denied) as denied, door.guard(SHELL, {"command": "curl https://example.com"}):
        ran.append(1)
    assert not ran
    assert "Nothing is fetched here." in denied.value.reason
    assert denied.value.code and denied.value.settle and denied.value.record_id
    assert not isinstance(denied.value, doorward.ConfirmationRequired)


def test_a_call_carries_the_schema_of_its_tool(door: doorward.Door) -> None:
    schema = {"type": "object", "required": ["to"], "properties": {"to": {"type": "string"}}}
    pay = lambda args: doorward.Call("pay", args, schema=schema, mode="auto")  # noqa: E731
    with pytest.raises(doorward.Denied) as denied:
        door.admit(pay({"to": 3}))
    assert denied.value.code == "args.schema"
    with pytest.raises(doorward.Denied) as denied:
        door.admit(pay({"to": "them"}))
    assert denied.value.code != "args.schema"


def test_a_question_stays_open_while_nobody_answers(door: doorward.Door, owner: Service | None) -> None:
    with pytest.raises(doorward.ConfirmationRequired) as asked:
        door.admit(SHELL, {"command": "git push origin no"})
    question = asked.value
    # The agent's token of the port may not look into the queue.
    looker = door if owner is None else doorward.Client(state=owner.state)
    assert question.id in [open["id"] for open in looker.approvals()]
    assert question.id in question.settle and question.expires
    with pytest.raises(doorward.ConfirmationTimedOut):
        door.wait(question, 0.0)


def answer(door: doorward.Door, owner: Service | None, id: str, yes: bool) -> None:
    """Answers as a person would: in the process by the program's own dialog, else as the account of the socket."""
    reason = None if yes else "not today"
    if isinstance(door, doorward.Gate):
        door.answer(id, yes, by="a person", dialog=True, reason=reason)
    else:
        assert owner is not None
        doorward.Client(state=owner.state).answer(id, yes, reason=reason)


def answered_soon(door: doorward.Door, owner: Service | None, part: str, yes: bool) -> threading.Thread:
    """A person who answers the question about `part` when it comes."""

    def person() -> None:
        looker = door if isinstance(door, doorward.Gate) else doorward.Client(state=owner.state)
        until = time.monotonic() + 30
        while time.monotonic() < until:
            for question in looker.approvals():
                if part in json.dumps(question["args"]):
                    answer(door, owner, question["id"], yes)
                    return
            time.sleep(0.05)

    thread = threading.Thread(target=person)
    thread.start()
    return thread


def test_a_yes_lets_the_same_call_through_once(door: doorward.Door, owner: Service | None) -> None:
    mark = randomness.token_hex(4)
    person = answered_soon(door, owner, mark, True)
    with door.guard(SHELL, {"command": f"git push origin {mark}"}, wait=30) as permit:
        assert permit.id
    person.join()
    with pytest.raises(doorward.ConfirmationRequired):
        door.admit(SHELL, {"command": f"git push origin {mark}"})


def test_a_no_is_a_denial_with_the_persons_reason(door: doorward.Door, owner: Service | None) -> None:
    mark = randomness.token_hex(4)
    person = answered_soon(door, owner, mark, False)
    with pytest.raises(doorward.Denied) as denied:
        door.admit(SHELL, {"command": f"git push origin {mark}"}, wait=30)
    person.join()
    assert denied.value.code == "approval.denied" and "not today" in denied.value.reason


def test_a_yes_counts_for_no_other_call(gate: doorward.Gate) -> None:
    with pytest.raises(doorward.ConfirmationRequired) as asked:
        gate.admit(SHELL, {"command": "git push origin one"})
    gate.answer(asked.value.id, True, by="a person", dialog=True)
    with pytest.raises(doorward.ConfirmationRequired) as other:
        gate.admit(SHELL, {"command": "git push origin two"})
    assert other.value.id != asked.value.id
    gate.admit(SHELL, {"command": "git push origin one"}).report("ran")


def test_without_a_sign_of_presence_a_high_question_stays_open(tmp_path: Path) -> None:
    with doorward.Gate(settings_in(tmp_path / "state")) as own:
        with pytest.raises(doorward.ConfirmationRequired) as asked:
            own.admit(SHELL, {"command": "git push --force origin main"})
        high = next(open for open in own.approvals() if open["id"] == asked.value.id)
        assert high["security_warning"]["level"] in ("HIGH", "CRITICAL")
        with pytest.raises(doorward.AnswerRefused) as refused:
            own.answer(asked.value.id, True, by="somebody", typed=high["phrase"])
        assert refused.value.code == "grant.presence" and refused.value.settle
        assert own.approvals(), "the question is still open"


def test_secrets_in_a_result_are_masked_where_a_rule_asks_for_it(door: doorward.Door) -> None:
    token = "ghp_" + randomness.token_hex(18)
    with door.guard(SHELL, {"command": "cat notes.txt"}, cwd="/tmp") as permit:
        assert permit.owes("redact_output")
        passed = permit.output({"lines": [f"token = {token}", 1]})
    assert token not in json.dumps(passed) and passed["lines"][1] == 1


def test_what_this_process_cannot_give_is_refused(gate: doorward.Gate) -> None:
    ran = []
    with pytest.raises(doorward.Denied) as denied, gate.guard(SHELL, {"command": "make all"}):
        ran.append(1)
    assert not ran and denied.value.code == "obligation.unmet"


BOUNDS = doorward.Sandbox(tier="full", wall_s=30, memory_mb=512, hosts=[], reads=["/workspace"], writes=["/workspace"])


def test_a_declared_sandbox_is_read_as_declared_and_never_as_verified(door: doorward.Door) -> None:
    with door.guard(SHELL, {"command": "eslint ."}, sandbox=BOUNDS) as permit:
        assert "declared sandbox" in permit.reason
    for weaker in (None, False, True, doorward.Sandbox(wall_s=31), doorward.Sandbox(memory_mb=512)):
        with pytest.raises((doorward.Denied, doorward.ConfirmationRequired)):
            door.admit(SHELL, {"command": "eslint ."}, sandbox=weaker)
    with pytest.raises(doorward.Denied) as denied:
        door.admit(SHELL, {"command": "webpack"}, sandbox=BOUNDS)
    assert "own.verified" in denied.value.policies
    for wrong in (doorward.Sandbox(tier="best"), doorward.Sandbox(wall_s=-1)):  # type: ignore[arg-type]
        with pytest.raises(doorward.InvalidRequest) as invalid:
            door.admit(SHELL, {"command": "eslint ."}, sandbox=wrong)
        assert "sandbox" in invalid.value.reason


def test_decorated_functions_are_asked_for_first(gate: doorward.Gate) -> None:
    ran: list[str] = []

    @gate.guarded(tool=SHELL)
    def run(command: str) -> str:
        ran.append(command)
        return command.upper()

    @gate.guarded(tool=SHELL)
    async def run_later(command: str) -> str:
        ran.append(command)
        return command.upper()

    assert run("echo a") == "ECHO A"
    assert asyncio.run(run_later(command="echo b")) == "ECHO B"
    for call in (lambda: run("curl x"), lambda: asyncio.run(run_later("curl x"))):
        with pytest.raises(doorward.Denied):
            call()
    assert ran == ["echo a", "echo b"]


def test_the_same_api_for_asyncio(door: doorward.Door) -> None:
    async def course() -> None:
        later = doorward.AsyncDoor(door)
        if not by_token:
            assert (await later.check(SHELL, {"command": "echo 1"})).code
        async with later.guard(SHELL, {"command": "echo 1"}) as permit:
            assert permit.id
        with pytest.raises(doorward.Denied):
            await later.admit(SHELL, {"command": "curl x"})
        if not by_token:
            assert isinstance(await later.sessions(), list)
        # Several at once, and the loop goes on meanwhile.
        permits = await asyncio.gather(*(later.admit(SHELL, {"command": f"echo {n}"}) for n in range(8)))
        assert len({permit.id for permit in permits}) == 8
        for permit in permits:
            await later.report(permit)

    # The agent's token of the port may neither simulate nor list sessions.
    by_token = isinstance(door, doorward.Client) and door._url is not None
    asyncio.run(course())


def test_python_goes_on_while_the_gate_judges(gate: doorward.Gate) -> None:
    """A thread that counts isn't held up by one that judges a long command."""
    command = "echo " + "; echo ".join(str(n) for n in range(3000))
    counted, judging = 0, threading.Event()

    def judge() -> None:
        judging.set()
        gate.check(SHELL, {"command": command})

    thread = threading.Thread(target=judge)
    thread.start()
    judging.wait()
    while thread.is_alive():
        counted += 1
        time.sleep(0)
    thread.join()
    assert counted > 10, counted


def test_a_process_that_was_forked_off_is_told_so(gate: doorward.Gate) -> None:
    told, tells = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            gate.admit(SHELL, {"command": "echo 1"})
            os.write(tells, b"allowed")
        except doorward.DoorwardError as error:
            os.write(tells, error.code.encode())
        finally:
            os._exit(0)
    os.close(tells)
    assert os.read(told, 100) == b"gate.forked"
    os.waitpid(child, 0)


def test_a_closed_gate_allows_nothing(tmp_path: Path) -> None:
    closed = doorward.Gate(tmp_path / "state")
    closed.close()
    with pytest.raises(doorward.DoorwardError):
        closed.admit(SHELL, {"command": "echo 1"})


def test_nothing_listens_and_nothing_is_allowed(tmp_path: Path) -> None:
    client = doorward.Client(socket=tmp_path / "none.sock")
    with pytest.raises(doorward.Unavailable) as down:
        client.admit(SHELL, {"command": "echo 1"})
    assert down.value.code == "service.unreachable" and down.value.settle


def test_a_second_gate_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with doorward.Gate(tmp_path / "state"):
        with pytest.raises(doorward.Unavailable) as second:
            doorward.Gate(tmp_path / "state")
        assert second.value.code and second.value.reason


def test_bad_input_names_what_is_wrong(door: doorward.Door) -> None:
    with pytest.raises(doorward.InvalidRequest) as named:
        door.admit("not a name", {})
    assert "name" in named.value.reason
    with pytest.raises(doorward.InvalidRequest):
        door.admit(SHELL, {"command": object()})
    with pytest.raises(doorward.InvalidRequest):
        door.admit(SHELL, {"command": float("nan")})


def test_a_wrong_token_opens_nothing(service: Service) -> None:
    with pytest.raises(doorward.Unavailable) as refused:
        doorward.Client(service.url, token="wrong").admit(SHELL, {"command": "echo 1"})
    assert refused.value.code == "service.unauthorized"


def test_sessions_remember(gate: doorward.Gate) -> None:
    gate.admit(doorward.Call(SHELL, {"command": "echo 1"}, session="one")).report()
    assert "one" in [session["id"] for session in gate.sessions()]


def test_the_module_runs_the_binary(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    ran = subprocess.run([sys.executable, "-m", "doorward", "--version"], capture_output=True, text=True)
    assert ran.returncode == 0 and doorward.__version__ in ran.stdout
