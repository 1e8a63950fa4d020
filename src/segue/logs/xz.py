"""Decompresses xz files that have null bytes after their streams.

`lzma.LZMAFile` reads nothing after such padding, which tools for tapes and disk images write.
"""

import io
import lzma
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_PIECE: Final = 1 << 16


class XzFile(io.RawIOBase):
    """The content of an xz file with one or more streams."""

    def __init__(self, packed: BinaryIO) -> None:
        """Read the file from the binary stream `packed`."""
        super().__init__()
        self._packed = packed
        self._decoder = lzma.LZMADecompressor()

    def readable(self) -> bool:
        """Return True, as `BufferedReader` requires."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read bytes into a buffer. Return the number of bytes, which is 0 at the end.

        Raises `EOFError` if the file is truncated, and `lzma.LZMAError` if it is damaged.
        """
        view = memoryview(buffer)
        data = self.read1(len(view))
        view[: len(data)] = data
        return len(data)

    def read1(self, size: int) -> bytes:
        """Return at most `size` bytes. The result is empty only at the end of the file."""
        while True:
            piece = b""
            if self._decoder.eof:
                piece = self._next_stream()
                if not piece:
                    return b""
                self._decoder = lzma.LZMADecompressor()
            elif self._decoder.needs_input:
                piece = self._packed.read(_PIECE)
                if not piece:
                    raise EOFError("the file ends within a stream")
            if data := self._decoder.decompress(piece, max_length=size):
                return data

    def _next_stream(self) -> bytes:
        """Return the beginning of the next stream, or no bytes after the last one."""
        piece = self._decoder.unused_data.lstrip(b"\0")
        while not piece and (more := self._packed.read(_PIECE)):
            piece = more.lstrip(b"\0")
        return piece
