#!/usr/bin/env bash
# botbuilder-schema: a message that was sent at 9:00 in Berlin was sent at 7:00 local time after a round trip.
#
# Version: botbuilder-schema 4.17.1 (Activity, the message format of the Bot Framework, Python).
# An activity has two times: `timestamp` in UTC, and `localTimestamp` with the offset of the sender. Both are
# read right: the object has 09:00+02:00. `serialize` writes both in UTC, so that the second is a copy of
# the first. `localTimezone` stays, but channels need not send it.
# Output: read 2026-06-01T09:00:00+02:00, written 2026-06-01T07:00:00.000Z
# Why care: the local time is kept to tell a message at night from one within opening hours, where the
# customer is. In a stored transcript it is no longer known, and the name of the field says that it is.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check botbuilder-schema==4.17.1
"$work/env/bin/python" -W ignore - <<'EOP'
import sys

from botbuilder.schema import Activity

message = {
    "type": "message",
    "id": "1",
    "timestamp": "2026-06-01T07:00:00.000Z",
    "localTimestamp": "2026-06-01T09:00:00.000+02:00",
    "text": "Is anybody there?",
}
activity = Activity().deserialize(message)
read, written = activity.local_timestamp.isoformat(), activity.serialize()["localTimestamp"]
print(f"read {read}, written {written}")
if (read, written) != ("2026-06-01T09:00:00+02:00", "2026-06-01T07:00:00.000Z"):
    sys.exit("the behavior has changed")
EOP
