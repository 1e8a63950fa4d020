#!/usr/bin/env bash
# Both official CloudEvents SDKs invent a time for an event that has none.
#
# Versions: cloudevents 2.2.0 (Python), cloudevents 10.0.0 (npm).
# The attribute `time` says when something happened, and is optional. An event without it arrives
# over HTTP. The SDK that reads it sets `time` to the clock of the receiver, and writes it when the
# event is passed on. Nothing tells it from a time that the sender gave.
# Output: sent: no time; Python reads 2026-..., JavaScript reads 2026-... (the current time)
# Why care: an event that waited an hour in a queue, or was redelivered, looks as if it had just
# happened. A consumer that falls back to the time of its own log if `time` is absent never does,
# and two deliveries of one event differ.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check cloudevents==2.2.0
npm install --silent --no-audit --no-fund --prefix "$work" cloudevents@10.0.0
cd "$work"
cat >message.json <<'EOF'
{"headers": {"content-type": "application/cloudevents+json"},
 "body": "{\"specversion\": \"1.0\", \"id\": \"1\", \"source\": \"/pbx\", \"type\": \"agent.exit\"}"}
EOF
cat >read.py <<'EOF'
import json

from cloudevents.core.bindings import http

with open("message.json") as file:
    message = json.load(file)
event = http.from_http_event(http.HTTPMessage(message["headers"], message["body"].encode()))
print(json.loads(http.to_structured_event(event).body).get("time", "no time"))
EOF
cat >read.cjs <<'EOF'
const { HTTP } = require("cloudevents");
const event = HTTP.toEvent(require("./message.json"));
console.log(JSON.parse(HTTP.structured(event).body).time ?? "no time");
EOF
python=$(env/bin/python read.py)
javascript=$(node read.cjs)
echo "sent: no time; Python reads $python, JavaScript reads $javascript"
this_year=$(date -u +%Y)
if [[ $python != "$this_year"-* || $javascript != "$this_year"-* ]]; then
  echo "the behavior has changed" >&2
  exit 1
fi
