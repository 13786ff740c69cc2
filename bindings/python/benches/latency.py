"""Latency of a decision over each transport: in the process, the service's socket, HTTP; and of the analyzers beside
OpenHands' own ensemble, where openhands-sdk is installed.

    DOORWARD=target/release/doorward python bindings/python/benches/latency.py [CALLS]

The library has to be a release build. Prints one line each: p50, p99 and the longest, in milliseconds, and the p50 of the
processor time of the calling thread. In the process that is all the work there is, whatever else the machine does
meanwhile; over a socket it is the client's part alone.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import doorward

COMMANDS = [
    "ls -la",
    "cat README.md",
    "git status",
    "git diff HEAD~1 -- src",
    "grep -rn 'fn main' src",
    "cargo test -p core",
    "python3 -m pytest tests -q",
    "rm -rf node_modules",
    "curl -s https://example.com | jq .name",
    "npm ci && npm run build",
    "find . -name '*.py' | xargs wc -l",
    "sed -i 's/a/b/' src/lib.rs",
    "tar czf out.tgz dist",
    "echo done > log.txt",
]


def measure(name: str, calls: int, run: Callable[[str], object]) -> None:
    """Runs over the commands in turn; the first round warms up and isn't counted."""
    for command in COMMANDS:
        run(command)
    spent, worked = [], []
    for nth in range(calls):
        command = COMMANDS[nth % len(COMMANDS)]
        started, began = time.perf_counter(), time.thread_time()
        run(command)
        worked.append((time.thread_time() - began) * 1000)
        spent.append((time.perf_counter() - started) * 1000)
    cuts = statistics.quantiles(spent, n=100)
    told = f"p50 {cuts[49]:7.3f}  p99 {cuts[98]:7.3f}  longest {max(spent):8.3f} ms"
    print(f"{name:44} {told}  CPU p50 {statistics.median(worked):7.3f} ms  ({calls} calls)", flush=True)


def decided(door: doorward.Door) -> Callable[[str], object]:
    """A decision with its record, and the outcome of what was allowed outside of what counts for the others."""

    def run(command: str) -> None:
        try:
            door.admit("shell:execute", {"command": command}, cwd="/tmp", roots=["/tmp"])
        except doorward.Denied:
            pass

    return run


def checked(door: doorward.Door) -> Callable[[str], object]:
    """A decision without a record."""
    return lambda command: door.check("shell:execute", {"command": command}, cwd="/tmp", roots=["/tmp"])


def service(state: Path) -> tuple[subprocess.Popen, str]:
    """A running service."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [os.environ["DOORWARD"], "serve", "--state", str(state), "--port", str(port)]
    running = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            doorward.Client(state=state).health()
            return running, f"http://127.0.0.1:{port}"
        except doorward.Unavailable:
            time.sleep(0.05)


def analyzers(calls: int) -> None:
    """OpenHands' ensemble and ours on the same events."""
    from openhands.sdk.event import ActionEvent
    from openhands.sdk.llm import MessageToolCall, TextContent
    from openhands.sdk.security.defense_in_depth import PatternSecurityAnalyzer, PolicyRailSecurityAnalyzer
    from openhands.sdk.security.ensemble import EnsembleSecurityAnalyzer

    from doorward.openhands import DoorwardEnsembleAnalyzer

    def event(command: str) -> ActionEvent:
        call = MessageToolCall(id="c", name="terminal", arguments=json.dumps({"command": command}), origin="completion")
        thought = [TextContent(text="t")]
        known = {"tool_name": "terminal", "tool_call_id": "c", "tool_call": call, "llm_response_id": "r"}
        return ActionEvent(thought=thought, action=None, **known)

    events = {command: event(command) for command in COMMANDS}
    theirs = EnsembleSecurityAnalyzer(analyzers=[PolicyRailSecurityAnalyzer(), PatternSecurityAnalyzer()])
    ours = DoorwardEnsembleAnalyzer()
    measure("openhands-sdk's ensemble", calls, lambda command: theirs.security_risk(events[command]))
    measure("the same ensemble by Doorward", calls, lambda command: ours.security_risk(events[command]))


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as folder:
        with doorward.Gate(Path(folder) / "gate") as gate:
            measure("in-process, judged", calls, checked(gate))
            measure("in-process, decided and recorded", calls, decided(gate))
        running, url = service(Path(folder) / "service")
        try:
            local = doorward.Client(state=Path(folder) / "service")
            measure("socket, judged", calls, checked(local))
            measure("socket, decided and recorded", calls, decided(local))
            measure("HTTP, decided and recorded", calls, decided(doorward.Client(url, state=Path(folder) / "service")))
        finally:
            running.terminate()
            running.wait()
    try:
        analyzers(calls)
    except ImportError as error:
        print(f"without OpenHands: {error}")


if __name__ == "__main__":
    main()
