"""Latency of a decision over each transport: in the process, the service's socket, HTTP; and of the analyzers beside
OpenHands' own ensemble, where openhands-sdk is installed.

    DOORWARD=target/release/doorward python bindings/python/benches/latency.py [CALLS]

Library and service have to be release builds. All are measured in one run, in turn. Prints one line
each: p50, p99, the least and the longest, in milliseconds, and the p50 of the processor time of the calling thread. In the process that is all the work there is, whatever else the machine does
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


Run = Callable[[str], object]


def measure(contenders: dict[str, Run], calls: int) -> None:
    """Runs the contenders in turn, each over all the commands, so that what else the machine does meets all of them
    alike. The first round warms up and isn't counted."""
    spent: dict[str, list[float]] = {name: [] for name in contenders}
    worked: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(1 + -(-calls // len(COMMANDS))):
        for name, run in contenders.items():
            for command in COMMANDS:
                started, began = time.perf_counter(), time.thread_time()
                run(command)
                took, work = time.perf_counter() - started, time.thread_time() - began
                if turn > 0:
                    spent[name].append(took * 1000)
                    worked[name].append(work * 1000)
    for name, times in spent.items():
        cuts = statistics.quantiles(times, n=100)
        told = f"p50 {cuts[49]:7.3f}  p99 {cuts[98]:7.3f}  least {min(times):7.3f}  longest {max(times):8.3f} ms"
        print(f"{name:34} {told}  CPU p50 {statistics.median(worked[name]):7.3f} ms  ({len(times)} calls)", flush=True)


def decided(door: doorward.Door) -> Run:
    """A decision with its record, and the outcome of what was allowed outside of what counts for the others."""

    def run(command: str) -> None:
        try:
            door.admit("shell:execute", {"command": command}, cwd="/tmp", roots=["/tmp"])
        except doorward.Denied:
            pass

    return run


def checked(door: doorward.Door) -> Run:
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


def analyzers() -> dict[str, Run]:
    """OpenHands' ensemble and ours on the same events; none where openhands-sdk isn't installed."""
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
    return {
        "openhands-sdk's ensemble": lambda command: theirs.security_risk(events[command]),
        "the same ensemble by Doorward": lambda command: ours.security_risk(events[command]),
    }


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as folder:
        running, url = service(Path(folder) / "service")
        try:
            local = doorward.Client(state=Path(folder) / "service")
            remote = doorward.Client(url, state=Path(folder) / "service")
            with doorward.Gate(Path(folder) / "gate") as gate:
                contenders = {
                    "in-process, judged": checked(gate),
                    "in-process, decided and recorded": decided(gate),
                    "socket, judged": checked(local),
                    "socket, decided and recorded": decided(local),
                    "HTTP, decided and recorded": decided(remote),
                }
                try:
                    contenders |= analyzers()
                except ImportError as error:
                    print(f"without OpenHands: {error}")
                measure(contenders, calls)
        finally:
            running.terminate()
            running.wait()


if __name__ == "__main__":
    main()
