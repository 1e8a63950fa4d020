#!/usr/bin/env bash
# A CloudEvent with a space in its subject arrives in JavaScript as another subject.
#
# Versions: cloudevents 2.2.0 (Python), cloudevents 10.0.0 (npm), both the official SDK.
# In the binary mode of HTTP the attributes are headers. The specification has the sender encode
# spaces, quotes, percent signs and non-ASCII characters as %XX, and the receiver decode them. The
# Python SDK does both, the JavaScript SDK neither. The structured mode (JSON) is not affected.
# Output: binary mode: 'Queue%20A%20100%25', structured mode: 'Queue A 100%'
# Why care: queues, skills and agents are named with spaces. A consumer that filters or groups by
# subject sees two queues, depending on the mode that the sender happens to use.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check cloudevents==2.2.0
npm install --silent --no-audit --no-fund --prefix "$work" cloudevents@10.0.0
cd "$work"
env/bin/python - >messages.json <<'EOF'
import json

from cloudevents.core.bindings import http
from cloudevents.core.v1.event import CloudEvent

attributes = {
    "id": "1",
    "source": "/pbx",
    "type": "agent.entry",
    "specversion": "1.0",
    "subject": "Queue A 100%",
    "datacontenttype": "application/json",
}
event = CloudEvent(attributes, {"agent": "a-1"})
modes = {"binary": http.to_binary_event(event), "structured": http.to_structured_event(event)}
assert http.from_http_event(modes["binary"]).get_subject() == "Queue A 100%"
print(json.dumps({
    mode: {"headers": message.headers, "body": message.body.decode()}
    for mode, message in modes.items()
}))
EOF
cat >read.cjs <<'EOF'
const { HTTP } = require("cloudevents");
const { binary, structured } = require("./messages.json");
const subjects = [binary, structured].map((message) => HTTP.toEvent(message).subject);
console.log(`binary mode: '${subjects[0]}', structured mode: '${subjects[1]}'`);
if (subjects.join() !== "Queue%20A%20100%25,Queue A 100%") process.exit(1);
EOF
node read.cjs || { echo "the behavior has changed" >&2 && exit 1; }
