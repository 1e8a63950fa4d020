#!/usr/bin/env bash
# pm4py: the agent on extension 1001 becomes January 1 of the year 1001, and ticket T-7 the day 0001-01-07.
#
# Versions: pm4py 2.7.23.11, pandas 3.1.1.
# `format_dataframe` is told which column has the timestamps. All the same it tries to read every column
# of texts as times, and keeps the result if no value fails. A number of four digits is a year for it,
# T-7 is a day, and 1-2-3, the keys that a caller pressed, is January 2, 2003. One value that is no date,
# such as an extension "queue", leaves the whole column as it is.
# Output: extension 1001-01-01 00:00:00+00:00, case 0001-01-07 00:00:00+00:00, path 2003-01-02 00:00:00+00:00
#         with an event of the extension 'queue': extension 1001
# Why care: who reads ids as text in order to keep them gets dates, and finds none of them in the list of
# agents or tickets. Another filter of the log brings the ids back.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check pm4py==2.7.23.11 pandas==3.1.1
cat >"$work/calls.csv" <<'EOC'
ticket,event,at,extension,path
T-7,answer,2026-06-01T09:00:00Z,1001,1-2-3
T-7,end,2026-06-01T09:05:00Z,1001,1-2-3
T-8,answer,2026-06-01T09:02:00Z,1002,1-2-4
EOC
"$work/env/bin/python" -W ignore - "$work/calls.csv" 2>/dev/null <<'EOP'
import sys

import pandas
import pm4py


def read(log):
    columns = {"case_id": "ticket", "activity_key": "event", "timestamp_key": "at"}
    return pm4py.format_dataframe(log, **columns).iloc[0]


log = pandas.read_csv(sys.argv[1], dtype=str)
first = read(log)
more = pandas.concat([log, log.tail(1).assign(extension="queue")])
found = [str(first[column]) for column in ("extension", "case:concept:name", "path")]
found.append(read(more)["extension"])
print("extension {}, case {}, path {}".format(*found))
print(f"with an event of the extension 'queue': extension {found[-1]}")
zero = "00:00:00+00:00"
if found != [f"1001-01-01 {zero}", f"0001-01-07 {zero}", f"2003-01-02 {zero}", "1001"]:
    sys.exit("the behavior has changed")
EOP
