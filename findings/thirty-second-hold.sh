#!/usr/bin/env bash
# text2num: a hold of thirty seconds becomes the 32nd hold, and a spoken toll-free number loses a digit.
#
# Version: text2num 3.1.0 (writes the numbers of a transcript in digits, Python).
# "second" is a number, too, and may follow another one, as in "thirty second". So does a digit that
# follows "eight hundred": the digits of "one eight hundred five five five ..." are added to it, so
# that there are ten digits where eleven were said. Without "hundred" all digits are there.
# Output: sorry for the thirty second hold -> sorry for the 32nd hold
#         call one eight hundred five five five zero one two three -> call 1 805 5 5 01 2 3
#         call one eight zero zero five five five zero one two three -> call 1 8 005 5 5 01 2 3
# Why care: a rule that looks for long holds, or for the number that an agent gave to a customer, finds
# neither. The words of the engine were right before this step.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check text2num==3.1.0
"$work/env/bin/python" - <<'EOP'
import sys

from text_to_num import alpha2digit

texts = {
    "sorry for the thirty second hold": "sorry for the 32nd hold",
    "call one eight hundred five five five zero one two three": "call 1 805 5 5 01 2 3",
    "call one eight zero zero five five five zero one two three": "call 1 8 005 5 5 01 2 3",
}
found = {text: alpha2digit(text, "en") for text in texts}
for text, digits in found.items():
    print(f"{text} -> {digits}")
if found != texts:
    sys.exit("the behavior has changed")
EOP
