#!/usr/bin/env bash
# deepgram-captions captions a call with two channels as if only the first party had spoken.
#
# Version: deepgram-captions 2.0.0 (Deepgram's own package for captions, Python).
# A call is recorded in stereo, the agent left, the customer right, and transcribed with
# `multichannel`. The response has a list of channels, each with its words. The package reads the first
# one, in SRT and in WebVTT, unless `utterances` were asked for, too. It has no option for another
# channel and gives no message, and the header of the WebVTT file says that there are two channels.
# Output: Channels: 2, captions: ['Your number?', 'Thank you.']; sent: Your number? / It is 4711. / Thank you.
# Why care: everything that the customer said is missing from the archive, and the file looks complete:
# it has the times of the whole call, and the number of channels is right.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check deepgram-captions==2.0.0
"$work/env/bin/python" - <<'EOP'
import sys

from deepgram_captions import DeepgramConverter, srt, webvtt


def channel(*words):
    return {"alternatives": [{
        "transcript": " ".join(word for word, _ in words),
        "confidence": 0.99,
        "words": [
            {"word": word.strip("?.").lower(), "punctuated_word": word, "confidence": 0.99,
             "start": start, "end": start + 0.4}
            for word, start in words
        ],
    }]}  # fmt: skip


agent = channel(("Your", 0.5), ("number?", 1.0), ("Thank", 6.0), ("you.", 6.5))
customer = channel(("It", 3.0), ("is", 3.5), ("4711.", 4.0))
response = {
    "metadata": {"request_id": "1", "created": "2026-06-01T09:00:00Z", "duration": 7.0, "channels": 2},
    "results": {"channels": [agent, customer]},
}
header, *captions = webvtt(DeepgramConverter(response), 2).strip().split("\n\n")[1:]
texts = [caption.split("\n")[1] for caption in captions]
channels = header.split("\n")[-1]
print(f"{channels}, captions: {texts}; sent: Your number? / It is 4711. / Thank you.")
plain = srt(DeepgramConverter(response), 2)
if channels != "Channels: 2" or texts != ["Your number?", "Thank you."] or "4711" in plain:
    sys.exit("the behavior has changed")
EOP
