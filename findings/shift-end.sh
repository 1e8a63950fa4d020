#!/usr/bin/env bash
# A shift from 22:00 to 06:00 ends at 07:00 or at 06:00 when the clock changes, depending on the library.
#
# Versions: recurring-ical-events 3.8.2, icalevents 0.3.1 (Python), node-ical 0.26.1, ical.js 2.2.1 (npm).
# A calendar (RFC 5545) has a night shift in Berlin that repeats every day, once with an end (DTEND, 06:00)
# and once with a duration (PT8H). In the night of March 29 the clock is put forward. For both forms two
# libraries give 8 hours, so that the shift with the end at 06:00 ends at 07:00. The other two end both
# shifts at 06:00, so that the shift of 8 hours has 7. By the RFC, all have 8 hours.
# Output: recurring-ical-events DTEND 07:00, DURATION 07:00; icalevents DTEND 06:00, DURATION 06:00
#         node-ical DTEND 07:00, DURATION 07:00; ical.js DTEND 06:00, DURATION 06:00
# Why care: the plan goes out as a calendar, and is read by the app of the agents and by the check of their
# adherence. One of them says that the agent left an hour early, or worked an hour for free.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
  recurring-ical-events==3.8.2 icalendar==7.3.2 icalevents==0.3.1 tzdata==2026.6
npm install --silent --no-audit --no-fund --prefix "$work" node-ical@0.26.1 ical.js@2.2.1
cd "$work"
calendar() { # LINE: write a calendar with a shift that ends as the line says
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:plan \
    BEGIN:VTIMEZONE TZID:Europe/Berlin \
    BEGIN:DAYLIGHT TZOFFSETFROM:+0100 TZOFFSETTO:+0200 DTSTART:19960331T020000 \
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU' END:DAYLIGHT \
    BEGIN:STANDARD TZOFFSETFROM:+0200 TZOFFSETTO:+0100 DTSTART:19961027T030000 \
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU' END:STANDARD END:VTIMEZONE \
    BEGIN:VEVENT UID:shift DTSTAMP:20260301T000000Z SUMMARY:night \
    'DTSTART;TZID=Europe/Berlin:20260327T220000' "$1" 'RRULE:FREQ=DAILY;COUNT=4' \
    END:VEVENT END:VCALENDAR
}
calendar 'DTEND;TZID=Europe/Berlin:20260328T060000' >DTEND.ics
calendar DURATION:PT8H >DURATION.ics
cat >ends.py <<'EOP'
from datetime import datetime
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
from icalevents.icalevents import events

berlin, first, last = ZoneInfo("Europe/Berlin"), datetime(2026, 3, 27), datetime(2026, 4, 2)


def ends(shifts):
    (end,) = [end for start, end in shifts if start.astimezone(berlin).day == 28]
    return f"{end.astimezone(berlin):%H:%M}"


one, other = [], []
for name in ("DTEND", "DURATION"):
    with open(f"{name}.ics", newline="") as file:
        text = file.read()
    calendar = icalendar.Calendar.from_ical(text)
    shifts = recurring_ical_events.of(calendar).between(first, last)
    one.append(f"{name} {ends((shift.start, shift.end) for shift in shifts)}")
    shifts = events(string_content=text, start=first, end=last)
    other.append(f"{name} {ends((shift.start, shift.end) for shift in shifts)}")
print(f"recurring-ical-events {', '.join(one)}; icalevents {', '.join(other)}")
EOP
cat >ends.mjs <<'EOJ'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";
import ical from "node-ical";

const format = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Berlin", hour: "2-digit", minute: "2-digit",
});
const one = [], other = [];
for (const name of ["DTEND", "DURATION"]) {
  const text = readFileSync(`${name}.ics`, "utf8");
  const event = Object.values(ical.sync.parseICS(text)).find(({ type }) => type === "VEVENT");
  const range = { from: new Date("2026-03-27T00:00Z"), to: new Date("2026-04-02T00:00Z") };
  one.push(`${name} ${format.format(ical.expandRecurringEvent(event, range)[1].end)}`);
  const calendar = new ICAL.Component(ICAL.parse(text));
  ICAL.TimezoneService.register(calendar.getFirstSubcomponent("vtimezone"));
  const shift = new ICAL.Event(calendar.getFirstSubcomponent("vevent"));
  const starts = shift.iterator();
  starts.next();
  const { endDate } = shift.getOccurrenceDetails(starts.next());
  other.push(`${name} ${format.format(endDate.toJSDate())}`);
}
console.log(`node-ical ${one.join(", ")}; ical.js ${other.join(", ")}`);
EOJ
found=$(env/bin/python -W ignore ends.py && TZ=UTC node ends.mjs)
echo "$found"
if [[ $found != "recurring-ical-events DTEND 07:00, DURATION 07:00; icalevents DTEND 06:00, DURATION 06:00
node-ical DTEND 07:00, DURATION 07:00; ical.js DTEND 06:00, DURATION 06:00" ]]; then
  echo "the behavior has changed" >&2
  exit 1
fi
