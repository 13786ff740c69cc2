"""What the tests share: a gate in the process, and the built service with clients over its socket and over HTTP.

``DOORWARD`` names the built binary. Tests that need what isn't installed say so with ``lacking``: a line in the file
that ``DOORWARD_LACKING`` names, which ``cargo xtask test`` lists.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import doorward

#: Rules of the tests' own, so that each verdict has a known reason.
SETTINGS = """
[rules]
allow = ["shell(echo *)"]
ask = [{ rule = "shell(git push *)", reason = "A push is for a person." }]
deny = [{ rule = "shell(curl *)", reason = "Nothing is fetched here." }]

[policy]
packs = ["coding-agent"]
files = ["%(state)s/own.cedar"]

[obligations]
"%(user)s" = ["redact_output"]
"""
POLICIES = """
@id("own.cat")
@reason("Files are shown without their secrets.")
@obligations("redact_output, log_output")
permit(principal, action == Action::"shell:execute", resource)
when { context.effects.executes.contains("cat") };

@id("own.make")
@reason("Builds run in the sandbox.")
@obligations("sandbox(min_tier=full, wall_s=30, memory_mb=512)")
permit(principal, action == Action::"shell:execute", resource)
when { context.effects.executes.contains("make") };

@id("own.declared")
@reason("The linter runs in a declared sandbox.")
permit(principal, action == Action::"shell:execute", resource)
when {
    context.effects.executes.contains("eslint") && context.sandbox has declares &&
    context.sandbox.declares has wall_s && context.sandbox.declares.wall_s <= 30
};

@id("own.verified")
@reason("The bundler runs in a sandbox that was checked.")
forbid(principal, action == Action::"shell:execute", resource)
when { context.effects.executes.contains("webpack") && !context.sandbox.verified };
"""


def lacking(place: str, what: str, kind: str = "tool") -> None:
    """Skips a test that lacks something, and says so where the run's list is kept. ``kind``: ``tool``, or ``rows`` for
    development data that lies outside the tree."""
    file = os.environ.get("DOORWARD_LACKING")
    if file:
        with open(file, "a", encoding="utf-8") as lines:
            lines.write(f"{kind}\tbindings/python {place}\t{what}\n")
    pytest.skip(what, allow_module_level=True)


def binary() -> str:
    """The built binary. There is no test of the service without it."""
    program = os.environ.get("DOORWARD")
    assert program, "DOORWARD has to name the built binary"
    return program


class Service:
    """A running service with a state folder of its own."""

    def __init__(self, state: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.state = state
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = open(state / "log", "wb")
        words = [binary(), "serve", "--state", str(state), "--port", str(self.port)]
        self.process = subprocess.Popen(words, stdout=self.log, stderr=subprocess.STDOUT)
        until = time.monotonic() + 60
        while True:
            try:
                doorward.Client(state=state).health()
                break
            except doorward.Unavailable:
                if time.monotonic() > until or self.process.poll() is not None:
                    raise AssertionError((state / "log").read_text()) from None
                time.sleep(0.05)

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The binary, about this service."""
        return subprocess.run([binary(), *words, "--state", str(self.state)], capture_output=True, text=True)

    def stop(self) -> None:
        """Ends it."""
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


def settings_in(state: Path) -> Path:
    """A state folder with the tests' settings."""
    import getpass

    state.mkdir(parents=True, exist_ok=True)
    (state / "doorward.toml").write_text(SETTINGS % {"user": getpass.getuser(), "state": state})
    (state / "own.cedar").write_text(POLICIES)
    return state


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(settings_in(tmp_path_factory.mktemp("service")))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[doorward.Gate]:
    with doorward.Gate(settings_in(tmp_path_factory.mktemp("gate"))) as opened:
        yield opened


@pytest.fixture(params=["process", "socket", "http"])
def door(request: pytest.FixtureRequest) -> doorward.Door:
    """The gate over each transport."""
    if request.param == "process":
        return request.getfixturevalue("gate")
    service = request.getfixturevalue("service")
    if request.param == "socket":
        return doorward.Client(state=service.state)
    return doorward.Client(service.url, state=service.state)
