"""What guards a program's own functions and results: which arguments are asked about, what is refused to be guarded, and
in what kinds of results secrets are masked."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import secrets as randomness
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import doorward
from conftest import settings_in
from doorward.call import redacted

TOKEN = "ghp_" + randomness.token_hex(18)
SHELL = "shell:execute"


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[doorward.Gate]:
    with doorward.Gate(settings_in(tmp_path / "state")) as opened:
        yield opened


def test_a_methods_object_and_further_keywords_are_no_arguments_of_their_own(gate: doorward.Gate) -> None:
    class Tools:
        @gate.guarded(tool=SHELL)
        def run(self, **given: str) -> str:
            return given["command"]

    assert Tools().run(command="echo hello") == "echo hello"
    with pytest.raises(doorward.Denied, match="Nothing is fetched here"):
        Tools().run(command="curl https://example.com")


def test_a_generator_is_refused_instead_of_running_unasked(gate: doorward.Gate) -> None:
    def lines(command: str) -> Iterator[str]:
        yield command

    async def later(command: str) -> Any:
        yield command

    for function in (lines, later):
        with pytest.raises(TypeError, match="generator"):
            gate.guarded(tool=SHELL)(function)


def test_members_beside_a_call_are_refused_instead_of_being_forgotten(gate: doorward.Gate) -> None:
    call = doorward.Call(SHELL, {"command": "echo x"})
    assert gate.check(call).allowed
    for given in ({"cwd": "/"}, {"args": {}}, {"mode": "plan"}):
        with pytest.raises(TypeError, match=next(iter(given))):
            gate.admit(call, **given)


def test_the_whole_api_is_there_for_asyncio(gate: doorward.Gate) -> None:
    async def course() -> None:
        door = doorward.AsyncDoor(gate)
        with pytest.raises(doorward.ConfirmationRequired) as asked:
            await door.admit(SHELL, {"command": "git push origin later"})
        (question,) = await door.approvals()
        await door.answer(question["id"], True, by="a person", dialog=True)
        await door.wait(asked.value, 5)
        await door.report(await door.admit(SHELL, {"command": "git push origin later"}))

        @door.guarded(tool=SHELL)
        async def run(command: str) -> str:
            return command

        assert await run("echo hello") == "echo hello"
        assert (await door.health())["open_permits"] == 0

    asyncio.run(course())
    public = {name for name in dir(doorward.Door) if not name.startswith("_")} - {"call"}
    assert public <= set(dir(doorward.AsyncDoor)), public - set(dir(doorward.AsyncDoor))


@dataclasses.dataclass(frozen=True)
class Shown:
    text: str
    inner: list[dict[str, str]]
    number: int = 3


class Opaque:
    def __str__(self) -> str:
        return f"key = {TOKEN}"


class Unspeakable:
    def __str__(self) -> str:
        raise RuntimeError("no text")


Pair = collections.namedtuple("Pair", "left right")


def test_secrets_are_masked_in_results_of_every_kind() -> None:
    text = f"key = {TOKEN}"
    for value in (
        text,
        text.encode(),
        [text],
        (1, text),
        {"a": {"b": [text]}},
        {text: 1},
        {text},
        frozenset([text]),
        Pair(1, text),
        Shown(text, []),
        Shown("x", [{"deep": text}]),
        Opaque(),
    ):
        masked = redacted(value)
        assert TOKEN not in str(masked) and "ghp_" in str(masked), (value, masked)
        assert isinstance(masked, type(value)) or isinstance(value, Opaque)
    password = randomness.token_urlsafe(12) + "9x"
    for named in ({"password": password}, {"db": {"db_password": password}}, [{"password": password}]):
        assert "****" in str(redacted(named)) and password not in str(redacted(named)), redacted(named)
    for value in ({"tool_call_id": f"call_{randomness.token_hex(12)}"}, {"id": str(uuid.uuid4())}, {"tokens": "12"}):
        assert redacted(value) == value, "what names a call has to come back as it was"
    harmless = object(), Shown("x", [{}]), b"\xff\x00", Pair(1, 2), None, 1.5, Path("/tmp")
    for value in harmless:
        assert redacted(value) == value
    assert "Unspeakable" in redacted(Unspeakable())


def test_a_binary_that_cannot_be_started_is_told_in_a_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "doorward", "--version"],
        env={"DOORWARD": "/nowhere/doorward", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "/nowhere/doorward can't be started" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_client_does_not_say_who_answers(tmp_path: Path) -> None:
    with pytest.raises(doorward.InvalidRequest, match="leave `by` out"):
        doorward.Client(socket=tmp_path / "none.sock").answer("any", True, by="somebody else")


def test_a_gate_that_cannot_be_opened_says_what_to_do(tmp_path: Path, gate: doorward.Gate) -> None:
    for code, opened in {
        "ledger.locked": lambda: doorward.Gate(tmp_path / "state"),
        "settings.unreadable": lambda: doorward.Gate(tmp_path / "other", settings=tmp_path / "none.toml"),
        "state.unwritable": lambda: doorward.Gate("/proc/nobody"),
    }.items():
        with pytest.raises(doorward.Unavailable) as refused:
            opened()
        assert refused.value.code == code and refused.value.settle
        assert not refused.value.reason.startswith(code), "the code isn't said twice"


def test_settings_with_a_mistake_allow_nothing(tmp_path: Path) -> None:
    (tmp_path / "doorward.toml").write_text("[hookz]\nshell = 1\n")
    with doorward.Gate(tmp_path) as gate:
        assert not gate.health()["ok"]
        with pytest.raises(doorward.Denied, match="hookz"):
            gate.admit(SHELL, {"command": "ls"})


def test_a_question_that_is_not_there_is_told_so(door: doorward.Door) -> None:
    for ask in (lambda: door.wait("01M84S2GFBH9Y6B1WT9HNS5NB5", 0), lambda: door.answer("nothing", True)):
        with pytest.raises(doorward.DoorwardError) as refused:
            ask()
        # Over HTTP the agent's token answers no questions at all.
        assert refused.value.code in ("approval.unknown", "service.forbidden"), refused.value
