#!/usr/bin/env bash
# isodate: a month has a duration of 0 seconds.
#
# Version: isodate 0.7.2 (ISO 8601 durations, Python).
# `parse_duration` returns a timedelta for "P30D". For a duration with months or years it returns an
# object of its own, which hands on what it lacks, such as `total_seconds()`, `days` and `seconds`,
# to a timedelta of the rest: without the months and years. There is no error, and the object is true.
# Output: P30D 2592000 s, PT36H 129600 s, P6M 0 s, P1Y 0 s, P1M2D 172800 s
# Why care: "P6M" is how a policy says how long recordings and transcripts are kept. In a comparison
# of seconds everything is older than that, and the job deletes the calls of today.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check isodate==0.7.2
"$work/env/bin/python" - <<'EOF'
import sys

from isodate import parse_duration

texts = ("P30D", "PT36H", "P6M", "P1Y", "P1M2D")
durations = {text: parse_duration(text) for text in texts}
print(", ".join(f"{text} {duration.total_seconds():.0f} s" for text, duration in durations.items()))
seconds = [duration.total_seconds() for duration in durations.values()]
if seconds != [2592000, 129600, 0, 0, 172800] or not durations["P6M"]:
    sys.exit("the behavior has changed")
EOF
