#!/usr/bin/env bash
# `sarif --check error diff` accepts 50 errors where there were 2, and prints "+0".
#
# Version: sarif-tools 3.0.5.
# The help promises an exit code for "an increase in issues at that level". An issue is a rule with
# a text, however: only a rule and text that never occurred before count as an increase. Here a rule
# has 2 results in the old file and 50 in the new one. The text output names the 48 new ones, counts
# them as +0, and exits with 0.
# Output: error level: +0 +0 ... Number of occurrences 2 -> 50 (+48) ... exit code 0
# Texts that differ do not help: results of one rule are one issue with the text they have in
# common, as in "E1 agent a- ...".
# Why care: with this check a pipeline accepts any number of new findings of a rule that had two
# findings before.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check sarif-tools==3.0.5
"$work/env/bin/python" - "$work" <<'EOF'
import json
import sys
from pathlib import Path


def result(number):
    where = {"artifactLocation": {"uri": "log.jsonl"}, "region": {"startLine": number}}
    return {
        "ruleId": "E1",
        "level": "error",
        "message": {"text": f"agent a-{number} left twice"},
        "locations": [{"physicalLocation": where}],
    }


for name, count in (("old", 2), ("new", 50)):
    results = [result(number) for number in range(1, count + 1)]
    run = {"tool": {"driver": {"name": "checker"}}, "results": results}
    log = {"version": "2.1.0", "runs": [run]}
    Path(sys.argv[1], f"{name}.sarif").write_text(json.dumps(log))
EOF
code=0
"$work/env/bin/sarif" --check error diff "$work/old.sarif" "$work/new.sarif" \
  >"$work/output" || code=$?
cat "$work/output"
echo "exit code $code"
if [[ $code != 0 ]] || ! grep -q '2 -> 50 (+48)' "$work/output"; then
  echo "the behavior has changed" >&2
  exit 1
fi
