#!/usr/bin/env bash
# ndjson: a line separator in a chat message becomes a comma.
#
# Version: ndjson 0.3.1 (newline-delimited JSON, Python).
# U+2028, the line separator, is allowed in a JSON text as it is. JSON.stringify writes it that way, and
# text that was copied from a document or a mail contains it. In NDJSON only a line feed ends a line.
# ndjson splits the text at every kind of line end, and joins the parts with commas to an array. Inside
# a text the comma stays. Its `reader` of the same package gives the message as it was sent.
# Output: sent first\u2028second, loads first,second, reader first\u2028second
# Why care: no error and no odd character tells that the words of a customer were changed. "Pay 12"
# and "500 were refunded" in two lines are "Pay 12,500 were refunded" in the archive.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check ndjson==0.3.1
node -e 'console.log(JSON.stringify({ text: "first\u2028second" }))' >"$work/chat.ndjson"
"$work/env/bin/python" - "$work/chat.ndjson" <<'EOF'
import sys

import ndjson

with open(sys.argv[1], encoding="utf-8") as file:
    (whole,) = ndjson.loads(file.read())
with open(sys.argv[1], encoding="utf-8") as file:
    (line,) = ndjson.reader(file)
texts = [ascii(row["text"]).strip("'") for row in (whole, line)]
print(rf"sent first\u2028second, loads {texts[0]}, reader {texts[1]}")
if texts != ["first,second", r"first\u2028second"]:
    sys.exit("the behavior has changed")
EOF
