#!/usr/bin/env bash
# pysubs2: the id of a cue in a transcript becomes words of the cue before it.
#
# Versions: pysubs2 1.8.1 (subtitles and transcripts, Python), webvtt-py 0.6.0 for comparison.
# A cue in WebVTT may have an id, any line before its times. Transcripts of meetings and calls have
# one for each cue. pysubs2 reads WebVTT like SRT, where an id is a number: another id and a comment
# (NOTE) are text for it, and digits at the end are an id. So it adds lines that nobody said, and
# loses the last line of the file if it is a number.
# Output: pysubs2 ['Your number?\n\ncall-7/2', 'It is 4711.\n\nNOTE checked', 'My number is']
#         webvtt-py ['Your number?', 'It is 4711.', 'My number is\n4712']
# Why care: the agent "says" an id after every sentence, which spoils search, summary and the count
# of words, and the number that the customer said at the end is missing.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check pysubs2==1.8.1 webvtt-py==0.6.0
cat >"$work/call.vtt" <<'EOF'
WEBVTT

call-7/1
00:00:01.000 --> 00:00:02.000
Your number?

call-7/2
00:00:03.000 --> 00:00:05.000
It is 4711.

NOTE checked

00:00:06.000 --> 00:00:08.000
My number is
4712
EOF
"$work/env/bin/python" - "$work/call.vtt" <<'EOF'
import sys

import pysubs2
import webvtt

read = [event.plaintext for event in pysubs2.load(sys.argv[1])]
right = [caption.text for caption in webvtt.read(sys.argv[1])]
print(f"pysubs2 {read}")
print(f"webvtt-py {right}")
wrong = ["Your number?\n\ncall-7/2", "It is 4711.\n\nNOTE checked", "My number is"]
if read != wrong or right != ["Your number?", "It is 4711.", "My number is\n4712"]:
    sys.exit("the behavior has changed")
EOF
