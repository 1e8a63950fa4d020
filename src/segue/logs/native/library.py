"""The shared library of the accelerator, if it is installed and may be used."""

import ctypes
import os
from ctypes import POINTER, c_bool, c_int64, c_size_t, c_uint8, c_uint32, c_void_p
from functools import cache
from importlib import import_module
from typing import Any, Final

ABI: Final = 12
"""Counts what the functions and the description of the fields mean."""
VARIABLE: Final = "SEGUE_NATIVE"
"""`0` in this environment variable switches the accelerator off."""

_SIGNATURES: Final[dict[str, tuple[Any, tuple[Any, ...]]]] = {
    "segue_new": (c_void_p, (c_void_p, c_size_t, c_bool, c_int64, c_int64)),
    "segue_free": (None, (c_void_p,)),
    "segue_learn": (None, (c_void_p, c_bool, c_uint32, c_uint32, c_int64)),
    "segue_want": (None, (c_void_p, c_void_p, c_size_t)),
    "segue_feed": (c_size_t, (c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_size_t)),
    "segue_look": (None, (c_void_p, c_void_p, c_size_t)),
    "segue_output": (c_size_t, (c_void_p, c_uint8, POINTER(c_void_p))),
    "segue_give": (c_uint32, (c_void_p, c_void_p, c_size_t)),
    "segue_give_all": (None, (c_void_p,)),
    "segue_kept": (c_int64, (c_void_p,)),
    "segue_value": (c_size_t, (c_void_p, c_uint32, POINTER(c_void_p))),
    "segue_count_new": (c_void_p, ()),
    "segue_count_free": (None, (c_void_p,)),
    "segue_count_learn": (None, (c_void_p, c_int64, c_uint32, c_int64, c_int64, c_bool)),
    "segue_count": (c_size_t, (c_void_p, c_void_p, c_size_t, c_size_t, c_uint32, c_void_p)),
    "segue_counted": (c_size_t, (c_void_p, c_int64, POINTER(c_void_p))),
}
"""The functions of the library: their results and arguments."""


def usable_library() -> ctypes.CDLL | None:
    """Return the library if it is installed, of this version, and not switched off."""
    return None if os.environ.get(VARIABLE) == "0" else _installed()


def engine_name() -> str:
    """Return which engine reads the usual lines of logs: the reference, or the accelerator."""
    if usable_library() is None:
        return "reference"
    metadata = import_module("importlib.metadata")  # takes longer than all that reads a small log
    return f"segue-native {metadata.version('segue-native')}"


@cache
def _installed() -> ctypes.CDLL | None:
    try:
        package = import_module("segue_native")
    except ImportError:
        return None
    if package.ABI != ABI:
        return None
    found = ctypes.CDLL(package.LIBRARY)
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    return found
