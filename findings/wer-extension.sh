#!/usr/bin/env bash
# The normalizer of Whisper makes extension 0042 equal to 42, so a wrong number has no word errors.
#
# Versions: whisper-normalizer 0.1.15 (the text normalizer of OpenAI's Whisper as a package), jiwer 4.0.0.
# Before word errors are counted, both texts are normalized, so that "5 dollars" equals "five dollars".
# The normalizer writes a number in digits without the zeros in front of it, and drops a minus. In
# numbers that are spelled out it keeps the zeros. So a transcript without the zeros is perfect, and
# one that says exactly what was said has an error.
# Output: 'your extension is 0042' heard as 'your extension is 42': 0 % of words wrong
#         'your extension is 0042' heard as 'your extension is zero zero four two': 25 % of words wrong
#         'dial 0800 123 456' heard as 'dial 800 123 456': 0 % of words wrong
#         'your balance is -5 dollars' heard as 'your balance is 5 dollars': 0 % of words wrong
# Why care: the digits are what a call is about: extensions, customer numbers, prefixes. An engine that
# loses their zeros wins the comparison with this score against one that writes them in words.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check whisper-normalizer==0.1.15 jiwer==4.0.0
"$work/env/bin/python" -W ignore - <<'EOP'
import sys

import jiwer
from whisper_normalizer.english import EnglishTextNormalizer

normalize = EnglishTextNormalizer()
pairs = [
    ("your extension is 0042", "your extension is 42"),
    ("your extension is 0042", "your extension is zero zero four two"),
    ("dial 0800 123 456", "dial 800 123 456"),
    ("your balance is -5 dollars", "your balance is 5 dollars"),
]
found = []
for said, heard in pairs:
    found.append(jiwer.wer(normalize(said), normalize(heard)))
    print(f"{said!r} heard as {heard!r}: {found[-1] * 100:.0f} % of words wrong")
if found != [0, 0.25, 0, 0]:
    sys.exit("the behavior has changed")
EOP
