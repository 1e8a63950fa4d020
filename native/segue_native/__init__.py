"""The accelerator of Segue: the path and the ABI version of its shared library."""

import sys
from pathlib import Path

ABI = 12
_SUFFIXES = {"darwin": ".dylib", "win32": ".dll"}
LIBRARY = str(Path(__file__).with_name("libsegue_native" + _SUFFIXES.get(sys.platform, ".so")))
