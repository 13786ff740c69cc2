"""Asks the gate for one call as a Python program does: in this process, or as a client of the service over its socket."""
import json
import sys

import doorward

wanted = json.load(sys.stdin)
call = doorward.Call(wanted["tool"], wanted["args"], cwd=wanted["cwd"], roots=[wanted["cwd"]], mode=wanted["mode"])
if wanted["way"] == "gate":
    door = doorward.Gate(wanted["state"], wanted["settings"], principal="conformance", session=wanted["session"])
else:
    door = doorward.Client(state=wanted["state"], principal="conformance", session=wanted["session"])
try:
    door.admit(call).report("refused")
    end, text = "runs", ""
except doorward.ConfirmationRequired as asked:
    end, text = "asked", f"{asked} ({asked.code})"
except doorward.Denied as denied:
    end, text = "refused", f"{denied} ({denied.code})"
print(json.dumps({"end": end, "text": text}))
