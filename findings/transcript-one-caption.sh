#!/usr/bin/env bash
# subsrt: in a transcript with the line ends of Unix everything was said in the first two seconds.
#
# Versions: subsrt 1.1.1, for comparison subtitle 4.2.2 (both read SRT, npm).
# subsrt looks for an empty line with an expression that needs a character between two line ends. The
# carriage return of Windows is one. Without it there is no empty line, and the file is one caption,
# whose text contains the numbers and times of all others. A conversion to WebVTT keeps that, with commas
# in the times, so that players show them as text.
# Output: CRLF: subsrt 3 captions until 6 s, subtitle 3 captions until 6 s
#         LF: subsrt 1 caption until 2 s, subtitle 3 captions until 6 s
# Why care: a call looks as if it was two seconds long and full of numbers, on the servers where
# transcripts are made. On the Windows machine of a developer, where git writes CRLF, all is well.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix "$work" subsrt@1.1.1 subtitle@4.2.2
cd "$work"
cat >call.srt <<'EOT'
1
00:00:00,500 --> 00:00:02,000
Your number?

2
00:00:03,000 --> 00:00:05,000
It is 4711.

3
00:00:05,000 --> 00:00:06,000
Thank you.
EOT
cat >read.cjs <<'EOJ'
const { readFileSync } = require("node:fs");
const subsrt = require("subsrt");
const { parseSync } = require("subtitle");

const lf = readFileSync("call.srt", "utf8");
const show = (ends) => `${ends.length} caption${ends.length > 1 ? "s" : ""} until ${ends.at(-1) / 1000} s`;
for (const [name, text] of [["CRLF", lf.replaceAll("\n", "\r\n")], ["LF", lf]]) {
  const one = subsrt.parse(text).map(({ end }) => end);
  const other = parseSync(text).map(({ data }) => data.end);
  console.log(`${name}: subsrt ${show(one)}, subtitle ${show(other)}`);
}
if (!subsrt.convert(lf, { format: "vtt" }).includes("\n00:00:03,000 --> ")) process.exit(1);
EOJ
found=$(node read.cjs)
echo "$found"
if [[ $found != "CRLF: subsrt 3 captions until 6 s, subtitle 3 captions until 6 s
LF: subsrt 1 caption until 2 s, subtitle 3 captions until 6 s" ]]; then
  echo "the behavior has changed" >&2
  exit 1
fi
