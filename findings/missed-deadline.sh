#!/usr/bin/env bash
# businesstimedelta: a deadline that was missed by 3 hours has 3 business hours left.
#
# Versions: businesstimedelta 1.0.1, business-duration 0.68, businesstime 0.3.0 (all Python): the time
# between two moments within opening hours, here 9 to 17.
# A ticket was due on Friday at 15:00, and now it is Monday, 10:00. `difference(now, due)` of
# businesstimedelta sorts its arguments, so the result is never below zero. business-duration returns
# NaN, which is neither less nor more than anything. businesstime returns the negative time.
# Output: due on Monday, now Friday: businesstimedelta 3, business-duration 3, businesstime 3
#         due on Friday, now Monday: businesstimedelta 3, business-duration nan, businesstime -3
# Why care: `left < 0` is how one finds the tickets that missed their target. With two of these libraries
# there are none, and with the first a ticket gets more time with every hour that it is late.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
  businesstimedelta==1.0.1 business-duration==0.68 businesstime==0.3.0 pandas==3.1.1
"$work/env/bin/python" -W ignore - <<'EOP'
import sys
from datetime import datetime, time

from business_duration import businessDuration
from businesstime import BusinessTime
from businesstimedelta import WorkDayRule

nine, five = time(9), time(17)
rule = WorkDayRule(nine, five, [0, 1, 2, 3, 4])
hours = BusinessTime(business_hours=(nine, five))
friday, monday = datetime(2026, 6, 5, 15), datetime(2026, 6, 8, 10)
found = []
for now, due in (friday, monday), (monday, friday):
    left = {
        "businesstimedelta": rule.difference(now, due).timedelta.total_seconds() / 3600,
        "business-duration": businessDuration(now, due, nine, five, unit="hour"),
        "businesstime": hours.businesstimedelta(now, due).total_seconds() / 3600,
    }
    texts = [f"{name} {value:.0f}" for name, value in left.items()]
    print(f"due on {due:%A}, now {now:%A}: {', '.join(texts)}")
    found.append([f"{value:.0f}" for value in left.values()])
if found != [["3", "3", "3"], ["3", "nan", "-3"]]:
    sys.exit("the behavior has changed")
EOP
