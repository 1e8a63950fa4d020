#!/usr/bin/env bash
# asterisk-ami: a listener for the queue "support" gets the events that have no queue, too.
#
# Version: asterisk-ami 0.1.7 (a client of the Asterisk Manager Interface, AMI).
# `add_event_listener(..., Queue="support")` asks for events whose header Queue is "support". An event
# with another queue is left out, an event without the header is not. A white list of names does not help
# with events that have a header only sometimes, as a UserEvent of a dial plan has.
# Output: Queue: sales: left out, Queue: support: received, no header Queue: received
# Why care: two listeners for two queues both get each event that is of no queue, and count it twice. With
# events that all have the header, as in a test of the filter, it works.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check asterisk-ami==0.1.7
"$work/env/bin/python" -W ignore - <<'EOP'
import sys

from asterisk.ami import AMIClient

received = []
client = AMIClient()
client.add_event_listener(
    lambda event, **_: received.append(event.keys.get("Queue")), white_list="UserEvent", Queue="support"
)
for header in ("Queue: sales\r\n", "Queue: support\r\n", ""):
    client.fire_recv_pack(f"Event: UserEvent\r\nUserEvent: callback\r\n{header}Uniqueid: 1")
found = {
    name: "received" if queue in received else "left out"
    for name, queue in (("Queue: sales", "sales"), ("Queue: support", "support"), ("no header Queue", None))
}
print(", ".join(f"{name}: {state}" for name, state in found.items()))
if list(found.values()) != ["left out", "received", "received"]:
    sys.exit("the behavior has changed")
EOP
