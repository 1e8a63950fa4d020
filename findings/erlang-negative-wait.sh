#!/usr/bin/env bash
# erlanglib, call-center-tools: with too few agents calls are answered before they come in.
#
# Versions: erlanglib 1.2.0, call-center-tools 1.0.0 (Erlang C for contact centers, Python).
# 200 calls an hour of 3 minutes each keep 10 agents busy. With fewer the queue grows without end, and
# the formula of Erlang has no answer. Neither library says so: the average wait is below zero, and
# is shorter for 5 agents than for 12. In erlanglib the probability of a wait is 4.41, and the
# service level below zero. With exactly 10 agents both divide by zero.
# Output: 5 agents: erlanglib wait -158.7 s, service level -668 %; call-center-tools wait -36.0 s
#         9 agents: erlanglib wait -255.5 s, service level -59 %; call-center-tools wait -180.0 s
#         12 agents: erlanglib wait 40.4 s, service level 64 %; call-center-tools wait 40.4 s
# Why care: too few agents is what one looks for in a plan. A check that the wait is at most 20
# seconds passes with 5 agents and fails with 12, and a mean of the day is better for each bad hour.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check erlanglib==1.2.0 call-center-tools==1.0.0
"$work/env/bin/python" - <<'EOF'
import sys

import erlanglib
from call_center_tools import calc_staffing

found = []
for agents in (5, 9, 12):
    chance = erlanglib.erlang_c(agents, 10)
    wait = erlanglib.average_speed_of_answer(agents, 10, chance, 180)
    level = erlanglib.service_level(agents, 10, chance, 20, 180)
    other = calc_staffing(200, 180, agents=agents).average_speed_of_answer
    found.append((round(chance, 2), f"{wait:.1f}", f"{level:.0%}", f"{other:.1f}"))
    print(f"{agents} agents: erlanglib wait {wait:.1f} s, service level {level * 100:.0f} %;", end=" ")
    print(f"call-center-tools wait {other:.1f} s")
if found != [
    (4.41, "-158.7", "-668%", "-36.0"),
    (1.42, "-255.5", "-59%", "-180.0"),
    (0.45, "40.4", "64%", "40.4"),
]:
    sys.exit("the behavior has changed")
EOF
