#!/usr/bin/env bash
# phonenumbers.is_number_match is true for two different callers, and false only for no number.
#
# Version: phonenumbers 9.0.43 (the Python port of libphonenumber).
# In spite of its name `is_number_match` returns a number: 0 if an argument is not a phone number, 1
# for no match, 2 to 4 for matches. So 1, "no match", counts as true. A 2 means little: the last two
# digits of a number are enough for it.
# Output: London and Paris 1, London and its digits "58" 2, London and London 4, withheld twice 0
# Why care: `if is_number_match(caller, customer)` opens the record of a stranger for every caller,
# and for the two who withheld their number, whose text is equal, it does not.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check phonenumbers==9.0.43
"$work/env/bin/python" - <<'EOF'
import sys

from phonenumbers import is_number_match

pairs = {
    "London and Paris": ("+442079460958", "+33199001234"),
    'London and its digits "58"': ("+442079460958", "58"),
    "London and London": ("+442079460958", "+44 20 7946 0958"),
    "withheld twice": ("anonymous", "anonymous"),
}
found = {name: is_number_match(*pair) for name, pair in pairs.items()}
print(", ".join(f"{name} {value}" for name, value in found.items()))
if list(found.values()) != [1, 2, 4, 0]:
    sys.exit("the behavior has changed")
EOF
