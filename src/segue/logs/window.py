"""The window: the conversations that ended within the latest events of a log.

An event that comes within the window after the END of its conversation is explained with the whole
conversation. The window is counted in events of the log, so that every way to read a log forgets a
conversation at the same place. The latest conversations are held in memory, and the rest in
temporary files.
"""

import pickle
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from struct import Struct
from tempfile import TemporaryFile
from typing import IO, Final, Generic, NamedTuple, TypeVar

from segue.core.errors import ConfigurationError

_MEMORY: Final = 56 << 20
"""The maximum estimated size of a window in memory, in bytes."""
_INDEX_SIZE: Final = 200
"""The estimated memory of a conversation that is stored in a file, in bytes."""
_FILE_SIZE: Final = 64 << 20
"""The size from which on another file is begun. A file is deleted when it is no longer needed."""
_HEAD: Final = Struct("<QII")
"""The event count at the end of a stored conversation, and the sizes of its key and its content."""
_OFFSET_BITS: Final = 40
"""The bits of a place that are the offset in the file. The bits above are the file's number."""

T = TypeVar("T")


class _Ended(NamedTuple, Generic[T]):
    ended_at: int
    size: int
    content: T


class Window(Generic[T]):
    """The conversations that have ended within a number of events, by key.

    Keys are added in the order in which their conversations ended.
    """

    def __init__(self, events: int, memory: int = _MEMORY) -> None:
        """Create an empty window.

        Args:
            events: The number of events after the end of a conversation for which it is kept.
            memory: The maximum estimated size of the conversations in memory, in bytes.

        """
        self._events, self._memory = events, memory
        self._recent: OrderedDict[str, _Ended[T]] = OrderedDict()
        self._size = 0
        self._stored = _StoredConversations()

    def __contains__(self, key: str) -> bool:
        """Return whether a conversation is kept. It may have left the window."""
        return key in self._recent or key in self._stored

    def keys(self) -> list[str]:
        """Return the keys of all conversations that are kept."""
        return [*self._stored.keys(), *self._recent]

    def add(self, key: str, ended_at: int, size: int, content: T) -> None:
        """Add a conversation, or replace it.

        Args:
            key: The key of the conversation.
            ended_at: The number of events of the log up to the end of the conversation.
            size: The estimated size of `content` in memory, in bytes.
            content: The conversation. It must be picklable.

        Raises `ConfigurationError` if no temporary file can be written.

        """
        if key in self._stored:
            self._stored.replace(key, ended_at, pickle.dumps(content))
            return
        known = self._recent.get(key)
        self._size += size - (0 if known is None else known.size)
        self._recent[key] = _Ended(ended_at, size, content)
        while self._size + _INDEX_SIZE * len(self._stored) > self._memory and self._recent:
            oldest, ended = self._recent.popitem(last=False)
            self._size -= ended.size
            self._stored.add(oldest, ended.ended_at, pickle.dumps(ended.content))

    def get(self, key: str, count: int) -> tuple[int, T] | None:
        """Return when a conversation ended, and its content.

        Return None for an unknown conversation, and for one that has left the window. `count` is
        the number of events of the log so far.
        """
        found = self._recent.get(key)
        if found is not None:
            ended_at, _, content = found
        elif (stored := self._stored.get(key)) is not None:
            ended_at, packed = stored
            content = pickle.loads(packed)  # noqa: S301 - written by this process
        else:
            return None
        return None if count - ended_at >= self._events else (ended_at, content)

    def remove(self, key: str) -> None:
        """Remove a conversation if it is in the window."""
        found = self._recent.pop(key, None)
        if found is not None:
            self._size -= found.size
        else:
            self._stored.remove(key)

    def has_left(self, count: int) -> bool:
        """Return whether conversations have left the window, so that `leave` yields some.

        `count` is the number of events of the log so far.
        """
        stored, recent = self._stored.first, next(iter(self._recent.values()), None)
        return (stored is not None and self._has_left(stored, count)) or (
            recent is not None and self._has_left(recent.ended_at, count)
        )

    def leave(self, count: int | None) -> Iterator[tuple[str, T]]:
        """Remove the conversations that have left the window, and yield their keys and contents.

        `count` is the number of events of the log so far. None empties the window.
        """
        while (ended_at := self._stored.first) is not None and self._has_left(ended_at, count):
            key, packed = self._stored.take_first()
            yield key, pickle.loads(packed)  # noqa: S301 - as above
        while self._recent:
            key = next(iter(self._recent))
            ended = self._recent[key]
            if not self._has_left(ended.ended_at, count):
                return
            del self._recent[key]
            self._size -= ended.size
            yield key, ended.content

    def forget(self, count: int) -> None:
        """Remove the conversations that have left the window."""
        while (ended_at := self._stored.first) is not None and self._has_left(ended_at, count):
            self._stored.take_first(is_read=False)
        while self._recent:
            key = next(iter(self._recent))
            if not self._has_left(self._recent[key].ended_at, count):
                return
            self.remove(key)

    def _has_left(self, ended_at: int, count: int | None) -> bool:
        return count is None or count - ended_at >= self._events


class _StoredConversations:
    """Conversations in temporary files, which are read again in the order of their ends."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._replaced: dict[str, int] = {}
        """The places of the contents that replace those of the first places."""
        self._files: dict[int, IO[bytes]] = {}
        self._head = self._tail = 0
        """The places of the first conversation that may be needed, and after the last one."""
        self.first: int | None = None
        """The event count at the end of the first conversation, or None if there is none."""

    def __del__(self) -> None:
        for file in self._files.values():
            file.close()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def keys(self) -> Iterable[str]:
        return self._places.keys()

    def add(self, key: str, ended_at: int, packed: bytes) -> None:
        if not self._places:
            self._restart()
        place = self._places[key] = self._write(key, ended_at, packed)
        if self.first is None:
            self._head, self.first = place, ended_at

    def replace(self, key: str, ended_at: int, packed: bytes) -> None:
        """Replace the content of a conversation, which keeps its place in the order."""
        self._replaced[key] = self._write(key, ended_at, packed)

    def _write(self, key: str, ended_at: int, packed: bytes) -> int:
        """Append a conversation, and return its place."""
        name = key.encode("utf-8", "surrogatepass")
        number, offset = self._split(self._tail)
        if offset > _FILE_SIZE:
            number, offset = number + 1, 0
        file = self._files.get(number)
        try:
            if file is None:
                file = self._files[number] = TemporaryFile(prefix="segue-")  # noqa: SIM115
            file.seek(offset)
            file.write(b"".join((_HEAD.pack(ended_at, len(name), len(packed)), name, packed)))
        except OSError as error:
            msg = (
                f"ended conversations cannot be stored in a temporary file: {error}; set TMPDIR to "
                "a folder with more space, or pass a smaller window"
            )
            raise ConfigurationError(msg) from error
        place = number << _OFFSET_BITS | offset
        self._tail = place + _HEAD.size + len(name) + len(packed)
        return place

    def get(self, key: str) -> tuple[int, bytes] | None:
        place = self._places.get(key)
        if place is None:
            return None
        ended_at, _, packed = self._read(self._replaced.get(key, place))
        return ended_at, packed

    def remove(self, key: str) -> None:
        if self._places.pop(key, None) is not None:
            self._replaced.pop(key, None)
            self._skip_removed()

    def take_first(self, *, is_read: bool = True) -> tuple[str, bytes]:
        """Remove the first conversation, and return its key and its content."""
        _, key, packed = self._read(self._head, is_whole=is_read)
        if (place := self._replaced.pop(key, None)) is not None:
            packed = self._read(place, is_whole=is_read)[2]
        del self._places[key]
        self._skip_removed()
        return key, packed

    def _skip_removed(self) -> None:
        """Move on to the first conversation that was not removed."""
        while self.first is not None:
            if not self._places:
                self._restart()
                return
            ended_at, key, size = self._head_at(self._head)
            if self._places.get(key) == self._head:
                self.first = ended_at
                return
            self._head += size
            number, offset = self._split(self._head)
            if number in self._files and offset > _FILE_SIZE:
                self._files.pop(number).close()
                self._head = number + 1 << _OFFSET_BITS

    def _restart(self) -> None:
        """Empty the files. No conversation is stored any more."""
        for file in self._files.values():
            file.close()
        self._files.clear()
        self._replaced.clear()
        self._head = self._tail = 0
        self.first = None

    def _head_at(self, place: int) -> tuple[int, str, int]:
        """Return the event count, the key and the size of the conversation at a place."""
        number, offset = self._split(place)
        file = self._files[number]
        file.seek(offset)
        ended_at, key_size, size = _HEAD.unpack(file.read(_HEAD.size))
        key = file.read(key_size).decode("utf-8", "surrogatepass")
        return ended_at, key, _HEAD.size + key_size + size

    def _read(self, place: int, *, is_whole: bool = True) -> tuple[int, str, bytes]:
        """Return the event count, the key and, if `is_whole`, the content of a conversation."""
        ended_at, key, size = self._head_at(place)
        number, offset = self._split(place)
        file = self._files[number]
        return ended_at, key, file.read(size - (file.tell() - offset)) if is_whole else b""

    @staticmethod
    def _split(place: int) -> tuple[int, int]:
        return place >> _OFFSET_BITS, place & (1 << _OFFSET_BITS) - 1
