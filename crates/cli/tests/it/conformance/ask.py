"""Asks for calls as a Python program does, one line of JSON each: at a gate in this process, or at the service."""
import json
import sys

import doorward

way, state, settings = sys.argv[1:]
if way == "gate":
    door = doorward.Gate(state, settings, principal="conformance", session="s")
else:
    door = doorward.Client(state=state, principal="conformance", session="s")
for line in sys.stdin:
    wanted = json.loads(line)
    place = {"cwd": wanted["cwd"], "roots": [wanted["cwd"]]}
    call = doorward.Call(wanted["tool"], wanted["args"], **place, mode=wanted["mode"], session=wanted["session"])
    try:
        door.admit(call).report("refused")
        end, text = "runs", ""
    except doorward.ConfirmationRequired as asked:
        end, text = "asked", f"{asked} ({asked.code})"
    except doorward.Denied as denied:
        end, text = "refused", f"{denied} ({denied.code})"
    print(json.dumps({"id": wanted["id"], "end": end, "text": text}), flush=True)
