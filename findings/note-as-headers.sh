#!/usr/bin/env bash
# greenswitch: the second line of a note about a call becomes a header of the event.
#
# Versions: greenswitch 0.0.19, for comparison genesis 2026.10.18 (both clients of FreeSWITCH's event socket).
# FreeSWITCH encodes the values of an event, so that a line feed in one is %0A. greenswitch decodes the
# whole event and splits it into lines afterwards. A line with a colon and a space is a header then. The
# body of a message has the same fate: its first line is added to the header Content-Length.
# Output: note: {'variable_note': 'Result: sold', 'Call back': 'Monday'}
#         message: {'Content-Length': '29\n\nPlease call me.', 'Number': '4711'}
#         genesis, note: {'variable_note': 'Result: sold\nCall back: Monday'}
# Why care: what agents and customers write has lines with colons, and is cut at the first one. The rest
# is stored under names that nobody asks for.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
  greenswitch==0.0.19 gevent==26.9.0 genesis==2026.10.18
"$work/env/bin/python" -W ignore - <<'EOP'
import sys
from urllib.parse import quote

from genesis.protocol.parser import parse_headers
from greenswitch.esl import ESLEvent

fields, text = "Event-Name: CHANNEL_HANGUP\nUnique-ID: 1\n", "Please call me.\nNumber: 4711\n"
note = fields + "variable_note: " + quote("Result: sold\nCall back: Monday") + "\n\n"
message = f"Event-Name: MESSAGE\nfrom: 115\nContent-Length: {len(text)}\n\n{text}"
usual = {"Event-Name", "Unique-ID", "from"}
found = [
    {name: value for name, value in headers.items() if name not in usual}
    for headers in (ESLEvent(note).headers, ESLEvent(message).headers, parse_headers(note))
]
print(f"note: {found[0]}\nmessage: {found[1]}\ngenesis, note: {found[2]}")
if found != [
    {"variable_note": "Result: sold", "Call back": "Monday"},
    {"Content-Length": "29\n\nPlease call me.", "Number": "4711"},
    {"variable_note": "Result: sold\nCall back: Monday"},
]:
    sys.exit("the behavior has changed")
EOP
