#!/usr/bin/env bash
# OpenTelemetry drops the beginning of a long span, and its two SDKs keep opposite attributes.
#
# Versions: opentelemetry-sdk 1.45.2 (Python), @opentelemetry/sdk-trace-base 2.12.1 (npm).
# A span holds 128 events and 128 attributes by default. The conversation below has 200 messages,
# each an event and an attribute. Of the events both SDKs keep the last 128, and say nothing. Of
# the attributes JavaScript keeps the first 128, as the specification demands, and Python the last.
# Output: Python: events from message 73, attributes from message 73
#         JavaScript: events from message 73, attributes from message 1
# Why care: if a conversation is a span, the entry of its first agent is an event that is lost in
# exactly the long conversations. An attribute set at the start, such as the queue, is lost if the
# service is in Python, and is there if it is in JavaScript.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check opentelemetry-sdk==1.45.2
npm install --silent --no-audit --no-fund --prefix "$work" \
  @opentelemetry/sdk-trace-base@2.12.1 @opentelemetry/api@1.9.1
cd "$work"
cat >span.py <<'EOF'
import logging

from opentelemetry.sdk.trace import TracerProvider

logging.disable()  # one line for each attribute that is dropped, none for the events
span = TracerProvider().get_tracer("pbx").start_span("conversation")
for number in range(1, 201):
    span.add_event(f"message {number}")
    span.set_attribute(f"message {number}", number)
assert len(span.events) == len(span.attributes) == 128
print(f"Python: events from {span.events[0].name}, attributes from {next(iter(span.attributes))}")
EOF
cat >span.cjs <<'EOF'
const { BasicTracerProvider } = require("@opentelemetry/sdk-trace-base");
const span = new BasicTracerProvider().getTracer("pbx").startSpan("conversation");
for (let number = 1; number <= 200; number++) {
  span.addEvent(`message ${number}`);
  span.setAttribute(`message ${number}`, number);
}
const [first] = Object.keys(span.attributes);
console.log(`JavaScript: events from ${span.events[0].name}, attributes from ${first}`);
EOF
found=$(env/bin/python span.py && node span.cjs)
echo "$found"
if [[ $found != "Python: events from message 73, attributes from message 73
JavaScript: events from message 73, attributes from message 1" ]]; then
  echo "the behavior has changed" >&2
  exit 1
fi
