#!/usr/bin/env bash
# pm4py drops the objects of an OCEL 2.0 log that have no event, and what is known of them.
#
# Versions: pm4py 2.7.23.11, pandas 3.1.1.
# OCEL 2.0 lists events and objects separately, and an object without events is valid. Here agent
# a-2 was on shift and got no call. pm4py reads the JSON file without a message, and a-2 is gone,
# together with her attributes and her relation to the queue. The queue is gone, too.
# Output: 4 objects in the file, 2 after reading: ['a-1', 'c-1']; relations of objects: 0
# Why care: the calls per agent, the number of agents and their utilization are wrong exactly for
# the agents who are idle, and reading and writing a log deletes them for good.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11 pandas==3.1.1
"$work/env/bin/python" - "$work/log.json" <<'EOF'
import json
import sys

import pm4py

agent = {"name": "agent", "attributes": [{"name": "shift", "type": "string"}]}
shift = [{"name": "shift", "time": "1970-01-01T00:00:00Z", "value": "early"}]
log = {
    "eventTypes": [{"name": "answer", "attributes": []}],
    "objectTypes": [
        agent, {"name": "call", "attributes": []}, {"name": "queue", "attributes": []},
    ],
    "events": [{
        "id": "e1", "type": "answer", "time": "2026-03-02T08:00:00Z",
        "relationships": [
            {"objectId": "a-1", "qualifier": "by"}, {"objectId": "c-1", "qualifier": "of"},
        ],
    }],
    "objects": [
        {"id": "a-1", "type": "agent", "attributes": shift},
        {"id": "a-2", "type": "agent", "attributes": shift,
         "relationships": [{"objectId": "q-1", "qualifier": "serves"}]},
        {"id": "c-1", "type": "call"},
        {"id": "q-1", "type": "queue"},
    ],
}  # fmt: skip
with open(sys.argv[1], "w") as file:
    json.dump(log, file)
ocel = pm4py.read_ocel2_json(sys.argv[1])
kept, relations = sorted(ocel.objects["ocel:oid"]), len(ocel.o2o)
count = len(log["objects"])
print(f"{count} objects in the file, {len(kept)} after reading: {kept};", end=" ")
print(f"relations of objects: {relations}")
if kept != ["a-1", "c-1"] or relations != 0:
    sys.exit("the behavior has changed")
EOF
