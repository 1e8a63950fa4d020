#!/usr/bin/env bash
# sarif-tools reduces a message that begins with its rule id to one letter, or to nothing.
#
# Version: sarif-tools 3.0.5.
# Many checkers repeat the rule id at the start of the message, for viewers that do not show it.
# sarif-tools means to remove it, and keeps one character of what follows: the first one after
# "E1 ", and the space after "E1: ".
# Output of `sarif csv`: E1 -> 'a', E2 -> '', E3 -> 'agent a-1 left twice'
# Code Climate reports for GitLab and all other outputs have the same texts.
# Why care: hundreds of findings become "a", and those of one rule can no longer be told apart.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check sarif-tools==3.0.5
cat >"$work/log.sarif" <<'EOF'
{"version": "2.1.0", "runs": [{
  "tool": {"driver": {"name": "checker"}},
  "results": [
    {"ruleId": "E1", "level": "error", "message": {"text": "E1 agent a-1 left twice"}},
    {"ruleId": "E2", "level": "error", "message": {"text": "E2: agent a-1 left twice"}},
    {"ruleId": "E3", "level": "error", "message": {"text": "agent a-1 left twice"}}
  ]
}]}
EOF
"$work/env/bin/sarif" csv "$work/log.sarif" -o "$work/log.csv" >/dev/null
"$work/env/bin/python" - "$work/log.csv" <<'EOF'
import csv
import sys

with open(sys.argv[1], newline="") as file:
    texts = {row["Code"]: row["Description"] for row in csv.DictReader(file)}
print(", ".join(f"{code} -> {text!r}" for code, text in texts.items()))
if texts != {"E1": "a", "E2": "", "E3": "agent a-1 left twice"}:
    sys.exit("the behavior has changed")
EOF
