"""`StateFile`, which stores the state of a sandbox in a SQLite file.

The conversations of the sandbox are stored in other tables of the same file.
"""

import json
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, Final

from segue.core.errors import ConfigurationError
from segue.platform.sandbox.outgoing import SentPost
from segue.platform.sandbox.state import SandboxState

_VERSION: Final = 2
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS sandbox_state (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT);
CREATE TABLE IF NOT EXISTS sandbox_posts (id INTEGER PRIMARY KEY, value TEXT);
"""
_OF_OTHERS: Final = """
SELECT 1 FROM sqlite_master WHERE type = 'table'
AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'sandbox_state')
"""
"""A query that returns a row if the file has tables, but not those of a sandbox.

An example is the conversation store of a server.
"""


class StateFile:
    """A file with the state of a sandbox. Only one sandbox may use it at a time.

    Args:
        path: The path of the file, which is created if it does not exist.

    Raises:
        ConfigurationError: The file does not belong to a sandbox, or cannot be written.

    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._saved = ""
        self._opened = ExitStack()
        with self._refusing():
            self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._opened.callback(self._database.close)
            if self._database.execute(_OF_OTHERS).fetchone():
                raise ValueError("it is a database of another program")
            self._database.executescript(_SCHEMA)
            path.chmod(0o600)

    def load(self, state: SandboxState) -> bool:
        """Load the stored state into `state`, and return whether the file contained a state.

        Raises:
            ConfigurationError: The file is damaged, or has another version.

        """
        with self._refusing():
            row = self._database.execute("SELECT value FROM sandbox_state").fetchone()
            posts = self._database.execute("SELECT value FROM sandbox_posts ORDER BY id").fetchall()
            if row is None:
                return False
            digest, _, text = row[0].partition("\n")
            if digest != _digest(text):
                raise ValueError("its state is damaged")
            known = json.loads(text)
            if known["version"] != _VERSION:
                raise ValueError(f"its version is {known['version']}")
            version, numbers, gauss = known["random"]
            state.random.setstate((version, tuple(numbers), gauss))
            state.tables.update(known["tables"])
            due = [(datetime.fromisoformat(when), tuple(task)) for when, task in known["due"]]
            state.clock.restore(datetime.fromisoformat(known["now"]), due)
            state.outgoing.sent.extend(_post(json.loads(value)) for (value,) in posts)
        return True

    def save(self, state: SandboxState) -> None:
        """Write the state to the file.

        If the clock follows the real time, an unchanged state is not written again.
        """
        due = [(when.isoformat(), task) for when, task in state.clock.due]
        content = {"tables": state.tables, "due": due, "random": state.random.getstate()}
        text = json.dumps(content)
        if text == self._saved and state.clock.is_real:
            return
        self._saved = text
        value = json.dumps({"version": _VERSION, "now": state.clock.now.isoformat(), **content})
        row = f"{_digest(value)}\n{value}"
        with self._lock:
            self._database.execute("INSERT OR REPLACE INTO sandbox_state VALUES (1, ?)", (row,))

    def add_post(self, post: SentPost, remembered: deque[SentPost]) -> None:
        """Write a request of the sandbox to the file, and delete the oldest ones.

        The file keeps as many requests as `remembered` can hold.
        """
        value = {"at": post.at.isoformat(), "kind": post.kind, "url": post.url,
                 "body": post.body, "status": post.status}  # fmt: skip
        with self._lock:
            number = self._database.execute(
                "INSERT INTO sandbox_posts (value) VALUES (?)", (json.dumps(value),)
            ).lastrowid
            self._database.execute(
                "DELETE FROM sandbox_posts WHERE id <= ?",
                ((number or 0) - (remembered.maxlen or 0),),
            )

    def close(self) -> None:
        """Close the connection to the file."""
        self._opened.close()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            self.close()
            raise ConfigurationError(
                f"{self._path} cannot keep a sandbox ({error}): use another file"
            ) from error


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _post(value: dict[str, Any]) -> SentPost:
    return SentPost(**value | {"at": datetime.fromisoformat(value["at"])})
