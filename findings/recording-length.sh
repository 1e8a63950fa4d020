#!/usr/bin/env bash
# mutagen: a call recording of one minute has a length of 0.19 s if it is compressed.
#
# Versions: mutagen 1.48.1, tinytag 2.3.2 (both read metadata of audio), soundfile 0.14.0 writes the files.
# A WAV file with GSM 6.10 ("wav49" of Asterisk) or ADPCM holds blocks of many samples. The header
# says how many bytes a block has, and mutagen takes each block for one sample: GSM has 320 samples
# in a block, so every length is 320 times too short. The length of the other codecs is right. For
# GSM the bitrate is 0, too. tinytag reads the same files right.
# Output: PCM_16 60.00 s, ULAW 60.00 s, ALAW 60.00 s, GSM610 0.19 s, MS_ADPCM 0.12 s; tinytag GSM610 60.00 s
# Why care: a job that drops recordings shorter than a second, or that compares the length with the
# talk time of the call, drops or reports every recording of a PBX that saves space.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check \
  mutagen==1.48.1 tinytag==2.3.2 soundfile==0.14.0 numpy==2.4.6
"$work/env/bin/python" - "$work" <<'EOF'
import sys

import numpy
import soundfile
from mutagen.wave import WAVE
from tinytag import TinyTag

lengths = {}
for codec in ("PCM_16", "ULAW", "ALAW", "GSM610", "MS_ADPCM"):
    path = f"{sys.argv[1]}/{codec}.wav"
    soundfile.write(path, numpy.zeros(60 * 8000), 8000, subtype=codec)
    lengths[codec] = WAVE(path).info.length
other = TinyTag.get(f"{sys.argv[1]}/GSM610.wav").duration
print(", ".join(f"{codec} {length:.2f} s" for codec, length in lengths.items()), end="; ")
print(f"tinytag GSM610 {other:.2f} s")
if list(lengths.values()) != [60, 60, 60, 0.1875, 0.12] or other != 60:
    sys.exit("the behavior has changed")
EOF
