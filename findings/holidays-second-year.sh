#!/usr/bin/env bash
# holidays: Friday becomes a working day in Egypt if the holidays of a second year are added.
#
# Version: holidays 0.109 (holidays and working days of countries, Python).
# The objects can be added, for years as for countries. The sum has the holidays of both, and forgets
# the weekend. Egypt, Israel and Kuwait rest on Friday and Saturday. Any sum of them, even of Egypt
# with itself, rests on Saturday and Sunday. There is no message.
# Output: Egypt 2026: Fri rest, Sat rest, Sun work, one working day after Thursday is Sunday
#         Egypt 2026 + Egypt 2027: Fri work, Sat rest, Sun rest, one working day after Thursday is Friday
#         Egypt + Israel: Fri work, Sat rest, Sun rest, one working day after Thursday is Friday
# Why care: a deadline in working days or the opening hours of a site are right in every test within
# a year, and fall on a closed day after the next year was added.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check holidays==0.109
"$work/env/bin/python" - <<'EOF'
import sys
from datetime import date

from holidays import country_holidays

calendars = {
    "Egypt 2026": country_holidays("EG", years=2026),
    "Egypt 2026 + Egypt 2027": country_holidays("EG", years=2026) + country_holidays("EG", years=2027),
    "Egypt + Israel": country_holidays("EG", years=2026) + country_holidays("IL", years=2026),
}
found = []
for name, calendar in calendars.items():
    days = [calendar.is_working_day(date(2026, 6, day)) for day in (5, 6, 7)]
    after = calendar.get_nth_working_day(date(2026, 6, 4), 1).strftime("%A")
    found.append((days, after))
    states = (f"{day} {'work' if works else 'rest'}" for day, works in zip(("Fri", "Sat", "Sun"), days, strict=True))
    print(f"{name}: {', '.join(states)}, one working day after Thursday is {after}")
wrong = ([True, False, False], "Friday")
if found != [([False, False, True], "Sunday"), wrong, wrong]:
    sys.exit("the behavior has changed")
EOF
