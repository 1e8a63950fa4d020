#!/usr/bin/env bash
# pm4py: a request that waited for one business hour waited for 3 after its log was formatted or read.
#
# Versions: pm4py 2.7.23.11, pandas 3.1.1.
# The desk in Berlin is open from 9 to 17. Request c-1 waits from 16:00 to 9:00, c-2 from 18:00 to 9:00.
# pm4py counts business hours by the clock of the timestamps, without their zone. `format_dataframe`,
# the step with which its examples begin, and `read_xes` convert all timestamps to UTC, even if the
# file has +02:00. So "9 to 17" is 11 to 19 in Berlin, and there is no parameter for a zone.
# Output: as it is: c-1 1 h, c-2 0 h; after format_dataframe: c-1 3 h, c-2 1 h; from XES: c-1 3 h, c-2 1 h
# Why care: the numbers look like business hours, and are wrong by the offset, another one in winter. In
# New York a request of the afternoon has waited for 0 hours, whenever it is answered that day.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11 pandas==3.1.1
cd "$work"
env/bin/python -W ignore - 2>/dev/null <<'EOP'
import sys

import pandas
import pm4py

DAY, HOUR = 24 * 3600, 3600
open_hours = [(day * DAY + 9 * HOUR, day * DAY + 17 * HOUR) for day in range(5)]
times = ["2026-06-01T16:00:00", "2026-06-02T09:00:00", "2026-06-01T18:00:00", "2026-06-02T09:00:00"]
log = pandas.DataFrame({
    "case:concept:name": ["c-1", "c-1", "c-2", "c-2"],
    "concept:name": ["open", "answer"] * 2,
    "time:timestamp": pandas.to_datetime(times).tz_localize("Europe/Berlin"),
})
found = []


def show(name, log):
    waits = {}
    for request, events in log.groupby("case:concept:name"):
        (waits[request],) = pm4py.get_all_case_durations(
            events, business_hours=True, business_hour_slots=open_hours
        )
    found.extend(waits.values())
    return f"{name}: " + ", ".join(f"{request} {wait / HOUR:.0f} h" for request, wait in waits.items())


print(show("as it is", log), end="; ")
formatted = pm4py.format_dataframe(
    log.copy(), case_id="case:concept:name", activity_key="concept:name", timestamp_key="time:timestamp"
)
print(show("after format_dataframe", formatted), end="; ")
pm4py.write_xes(log, "log.xes")
print(show("from XES", pm4py.read_xes("log.xes")))
with open("log.xes") as file:
    assert "2026-06-01T16:00:00+02:00" in file.read()
if found != [HOUR, 0, 3 * HOUR, HOUR, 3 * HOUR, HOUR]:
    sys.exit("the behavior has changed")
EOP
