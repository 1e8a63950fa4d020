#!/usr/bin/env bash
# pm4py keeps one relation between an event and an object, although OCEL 2.0 allows several.
#
# Versions: pm4py 2.7.23.11, pandas 3.1.1.
# In OCEL 2.0 a relation is an event, an object and a qualifier. Here an agent transfers a call to
# herself, on another phone: she is related to the event twice, as "giver" and as "taker".
# pm4py reads the file without a message and keeps the qualifier that comes last. The relations
# between two objects keep both qualifiers.
# Output: event-object [('a-115', 'taker')], object-object ['backs up', 'trains']
# Why care: a count of transfers by giver misses these transfers, and a log that was read and
# written again has lost them.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11 pandas==3.1.1
"$work/env/bin/python" - "$work/log.json" <<'EOF'
import json
import sys

import pm4py

log = {
    "eventTypes": [{"name": "transfer", "attributes": []}],
    "objectTypes": [{"name": "agent", "attributes": []}],
    "events": [{
        "id": "e1", "type": "transfer", "time": "2026-03-02T08:00:00Z",
        "relationships": [
            {"objectId": "a-115", "qualifier": "giver"},
            {"objectId": "a-115", "qualifier": "taker"},
        ],
    }, {
        "id": "e2", "type": "transfer", "time": "2026-03-02T08:01:00Z",
        "relationships": [{"objectId": "a-108", "qualifier": "giver"}],
    }],
    "objects": [
        {"id": "a-115", "type": "agent", "relationships": [
            {"objectId": "a-108", "qualifier": "backs up"},
            {"objectId": "a-108", "qualifier": "trains"},
        ]},
        {"id": "a-108", "type": "agent"},
    ],
}  # fmt: skip
with open(sys.argv[1], "w") as file:
    json.dump(log, file)
ocel = pm4py.read_ocel2_json(sys.argv[1])
of_e1 = ocel.relations[ocel.relations["ocel:eid"] == "e1"]
roles = list(zip(of_e1["ocel:oid"], of_e1["ocel:qualifier"], strict=True))
between = sorted(ocel.o2o["ocel:qualifier"])
print(f"event-object {roles}, object-object {between}")
if roles != [("a-115", "taker")] or between != ["backs up", "trains"]:
    sys.exit("the behavior has changed")
EOF
