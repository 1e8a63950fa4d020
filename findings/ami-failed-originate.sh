#!/usr/bin/env bash
# panoramisk calls the event of a failed call a success.
#
# Version: panoramisk 1.4 (a client of the Asterisk Manager Interface, AMI).
# The action Originate with "Async: true" is answered twice: at once by a response ("queued"), and
# later by the event OriginateResponse, whose header `Response` is Success or Failure. panoramisk's
# documentation: `success` is true "if a response status is Success or Follows". For a message that
# has an `Event` header it is always true, whatever `Response` says.
# Output: response Error: success=False; event OriginateResponse, Response Failure: success=True
# Why care: a dialer that looks at `success` of the event counts calls that nobody answered as
# connected. The response before it is "Success" for these calls, too.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check panoramisk==1.4
"$work/env/bin/python" -W ignore - <<'EOF'
import sys

from panoramisk.message import Message

response = Message.from_line("Response: Error\r\nActionID: 7\r\nMessage: Extension does not exist.")
event = Message.from_line(
    "Event: OriginateResponse\r\nPrivilege: call,all\r\nActionID: 7\r\nResponse: Failure\r\n"
    "Channel: PJSIP/a-115\r\nReason: 3\r\nUniqueid: <null>"
)
print(f"response {response.response}: success={response.success};", end=" ")
print(f"event {event.event}, Response {event.response}: success={event.success}")
if response.success or not event.success:
    sys.exit("the behavior has changed")
EOF
