"""AGENT-HOOKS 0.1: Doorward in the contract's own reference host, and that host against the contract's vectors."""

from __future__ import annotations

import asyncio
import json
import secrets as randomness
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import lacking, settings_in

try:
    from agent_hooks import EnforcementMode
    from agent_hooks.composition import CompositionConfig
    from agent_hooks.ctk import Scenario, load_vectors, run_vector
    from agent_hooks.ctk.reference import ReferenceHarness
except ImportError as error:
    lacking("test_agent_hooks", f"agent-hooks-sdk can't be imported: {error}")

import doorward
from doorward.agent_hooks import DoorwardInterceptor

TOKEN = "ghp_" + randomness.token_hex(18)


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[doorward.Gate]:
    with doorward.Gate(settings_in(tmp_path / "state")) as opened:
        yield opened


def run(gate: doorward.Gate, *commands: str, wait: float = 0.0, resolver: bool = True, beside: tuple = ()) -> object:
    """The host with a scripted model that runs these commands."""
    calls = [{"id": f"tc-{n}", "name": "run_command", "args": {"command": c}} for n, c in enumerate(commands)]
    script = [{"respond": {"content": None, "tool_calls": [call], "finish_reason": "tool_calls"}} for call in calls]
    script.append({"respond": {"content": "Done.", "tool_calls": [], "finish_reason": "stop"}})
    behavior = [{"when_args": {"command": "cat notes.txt"}, "return": f"key = {TOKEN}"}, {"return": "ran"}]
    scenario = Scenario.from_wire(
        {
            "input": {"content": "Please.", "role": "user"},
            "model_script": script,
            "tools": [{"name": "run_command", "behavior": behavior}],
        }
    )
    seat = DoorwardInterceptor(gate, {"run_command": "shell:execute"}, wait=wait)
    host = ReferenceHarness()
    host.setup(
        scenario, [seat, *beside], seat if resolver else None, EnforcementMode.ENFORCE, CompositionConfig.default()
    )
    done = asyncio.run(host.run())
    host.teardown()
    return done


def commands_run(done: object) -> list[str]:
    return [call["args"]["command"] for call in done.tool_invocations]


def records(done: object, point: str) -> list[dict]:
    return [record for record in done.records if record["interception_point"] == point]


def test_allowed_and_denied(gate: doorward.Gate) -> None:
    done = run(gate, "echo one", "curl https://example.com")
    assert commands_run(done) == ["echo one"]
    first, second = records(done, "pre_tool_call")
    assert first["verdict"]["decision"] == "allow" and second["verdict"]["decision"] == "deny"
    assert "Nothing is fetched here." in second["verdict"]["message"]
    assert second["verdict"]["reason"].startswith("doorward:") and "approval" not in second["verdict"]
    assert gate.health()["open_permits"] == 0


def test_secrets_are_taken_out_by_a_transform(gate: doorward.Gate) -> None:
    done = run(gate, "cat notes.txt")
    (record,) = records(done, "post_tool_call")
    assert record["verdict"]["decision"] == "transform" and TOKEN not in str(record["verdict"])


@pytest.mark.parametrize("yes", [True, False])
def test_a_question_is_a_deny_that_a_person_lifts(gate: doorward.Gate, yes: bool) -> None:
    def person() -> None:
        # A busy machine may take seconds until the question is there.
        until = time.monotonic() + 60
        while time.monotonic() < until:
            for question in gate.approvals():
                gate.answer(question["id"], yes, by="a person", dialog=True)
                return
            time.sleep(0.02)

    thread = threading.Thread(target=person)
    thread.start()
    done = run(gate, "git push origin main", wait=20)
    thread.join()
    assert commands_run(done) == (["git push origin main"] if yes else [])
    (record,) = records(done, "pre_tool_call")
    assert record["resolved_by"] == ("approval" if yes else "rejection")
    assert record["verdict"]["decision"] == ("allow" if yes else "deny")
    assert gate.health()["open_permits"] == 0


def test_without_an_answer_or_a_resolver_the_deny_stands(gate: doorward.Gate) -> None:
    for resolver in (True, False):
        done = run(gate, "git push origin main", resolver=resolver)
        assert commands_run(done) == []
        (record,) = records(done, "pre_tool_call")
        assert record["verdict"]["decision"] == "deny"
    assert len(gate.approvals()) == 2, "the questions of both sessions are still open"


def test_a_gate_that_is_down_denies(tmp_path: Path) -> None:
    done = run(doorward.Client(socket=tmp_path / "none.sock"), "echo one")  # type: ignore[arg-type]
    assert commands_run(done) == []
    (record,) = records(done, "pre_tool_call")
    assert "unavailable" in record["verdict"]["reason"]


class Harmless(dict):
    """Every tool of the vectors does nothing that anybody would ask about."""

    def get(self, name: str, default: object = None) -> str:
        return "plan:think"


class Agreeing(DoorwardInterceptor):
    """Has the arguments of the vectors' tools judged as a thought, which fits the schema of the tool that stands for them."""

    async def _admit(self, key, call):  # type: ignore[no-untyped-def]
        return await super()._admit(key, replace(call, args={"thought": json.dumps(call.args)}))


class Beside(ReferenceHarness):
    """The reference host with Doorward as one more interceptor, last, over a gate that allows the vectors' tools."""

    gate: doorward.Gate

    def setup(self, scenario, interceptors, *rest, **more):  # type: ignore[no-untyped-def]
        seat = Agreeing(self.gate, Harmless(), mode="bypassPermissions")
        super().setup(scenario, [*interceptors, seat], *rest, **more)


def test_the_host_of_these_tests_passes_the_contracts_vectors() -> None:
    """The vectors are about hosts: they show that what Doorward was tried in is one."""
    vectors = load_vectors()
    results = [asyncio.run(run_vector(ReferenceHarness(), vector)) for vector in vectors]
    told = {status: sum(r.status == status for r in results) for status in ("pass", "skip", "fail")}
    assert len(vectors) == 75 and told["fail"] == 0 and told["pass"] >= 60, told
    print(f"reference host: {told}")


#: Vectors about a host that has no interceptor at all, which one with Doorward isn't.
WITHOUT_ANY = {"AH-CTK-061", "AH-CTK-101"}


def test_doorward_beside_other_interceptors_changes_no_vector(tmp_path: Path) -> None:
    """With Doorward as one more interceptor, over a gate that asks nobody, the host does what each vector expects."""
    (tmp_path / "doorward.toml").write_text('[confirm]\npolicy = { kind = "NeverConfirm" }\n')
    failures, passed = [], 0
    with doorward.Gate(tmp_path) as own:
        Beside.gate = own
        for vector in load_vectors():
            if vector["id"] in WITHOUT_ANY:
                continue
            result = asyncio.run(run_vector(Beside(), vector))
            passed += result.status == "pass"
            if result.status == "fail":
                failures.append((vector["id"], result.failures[:2]))
    print(f"with Doorward beside: {passed} passed, {len(failures)} failed")
    assert passed >= 69 and not failures, failures
