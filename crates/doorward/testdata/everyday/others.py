"""Sends the everyday sessions to another program's hook for Claude Code, and counts as `everyday.rs` does.

Usage: others.py COMMAND...

COMMAND is the hook's command line. It gets one event on standard input for each call. What it lets pass and the
session marks with `!` is carried out, and so are edits, so that later calls meet their results.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FIELDS = ["web", "python", "rust", "go", "data", "ops", "embedded", "writing"]
IDENTITY = {"AUTHOR_NAME": "Ada", "AUTHOR_EMAIL": "ada@example.com", "COMMITTER_NAME": "Ada", "COMMITTER_EMAIL": "ada@example.com"}
ENVIRONMENT = os.environ | {"GIT_CONFIG_GLOBAL": "/dev/null"} | {f"GIT_{name}": value for name, value in IDENTITY.items()}


def shell(project, *words):
    quiet = subprocess.DEVNULL
    subprocess.run(["sh", *words], cwd=project, env=ENVIRONMENT, stdout=quiet, stderr=quiet, check=False)


def arguments(tool, text, project):
    """The arguments as Claude Code sends them."""
    front, _, back = text.partition(" :: ")
    old, _, new = back.partition(" => ")
    match tool:
        case "Bash":
            return {"command": text}
        case "Read":
            return {"file_path": f"{project}/{text}"}
        case "Write":
            return {"file_path": f"{project}/{front}", "content": back}
        case "Edit":
            return {"file_path": f"{project}/{front}", "old_string": old, "new_string": new}
        case "Grep":
            return {"pattern": text.rpartition(" @ ")[0], "path": str(project)}
        case "Glob":
            return {"pattern": text}
        case "WebFetch":
            return {"url": text, "prompt": "What does it say?"}
        case _:
            return {"text": text}


def answer(hook, event, project):
    """What the hook says: allow, ask, deny, or None."""
    run = subprocess.run(hook, input=json.dumps(event), capture_output=True, text=True, cwd=project, env=ENVIRONMENT, check=False)
    if run.returncode == 2:
        return "deny"
    try:
        return json.loads(run.stdout)["hookSpecificOutput"].get("permissionDecision")
    except (ValueError, KeyError):
        return None


def carry_out(tool, given, really, project):
    if tool == "Bash" and really:
        shell(project, "-c", given["command"])
    elif tool == "Write":
        path = pathlib.Path(given["file_path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(given["content"])
    elif tool == "Edit" and pathlib.Path(given["file_path"]).exists():
        path = pathlib.Path(given["file_path"])
        path.write_text(path.read_text().replace(given["old_string"], given["new_string"], 1))


def main(hook):
    names = ["calls", "client_alone", "questions", "beyond", "wrong", "in_its_place", "missed"]
    count = dict.fromkeys(names, 0)
    for field in FIELDS:
        for line in (HERE / f"{field}.txt").read_text().splitlines():
            if line.startswith("== "):
                session, _, rest = line[3:].partition(" ")
                mode = rest.partition(":")[0]
                project = pathlib.Path(tempfile.mkdtemp())
                shell(project, "-e", str(HERE / f"{field}.sh"))
                continue
            marks, _, rest = line.partition(" ")
            tool, _, text = rest.partition(": ")
            given = arguments(tool, text.replace("\\n", "\n").replace("$P/", f"{project}/"), project)
            event = {"session_id": session, "cwd": str(project), "permission_mode": mode, "tool_use_id": "t"}
            event |= {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given}
            said = answer(hook, event, project)
            asks, wanted, stopped = marks[0] == "?", marks[1] != ".", said in ("ask", "deny")
            beyond = stopped and (not asks or (said == "deny" and not wanted))
            count["calls"] += 1
            count["client_alone"] += asks
            count["questions"] += stopped or (asks and said != "allow")
            count["beyond"] += beyond
            count["wrong"] += beyond and not wanted
            count["in_its_place"] += stopped and not beyond and not wanted
            count["missed"] += wanted and not stopped and (not asks or said == "allow")
            if beyond:
                print("right" if wanted else "WRONG", said, session, text[:90])
            if not stopped:
                carry_out(tool, given, marks[2:] == "!", project)
    print(count)


if __name__ == "__main__":
    main(sys.argv[1:])
