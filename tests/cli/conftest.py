"""A command that starts in an empty folder, with nothing in the environment that decides for it."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.command import Done, Segue, WaitsForEver
from tests.patience import PATIENCE


@pytest.fixture
def segue(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Segue:
    """Run a command in this process, in a folder of its own."""
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Done:
        from segue.cli.app import run as run_command  # noqa: PLC0415 - not before it is wanted

        with pytest.raises(SystemExit) as exit_:
            run_command(arguments)
        captured = capsys.readouterr()
        return Done(int(str(exit_.value.code)), captured.out, captured.err)

    return run


@pytest.fixture
def ends_soon() -> Iterator[None]:
    """Fail, instead of waiting for ever, where a command waits for what never comes."""

    def fail(*_: object) -> None:
        raise WaitsForEver

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(int(PATIENCE))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | list[str]], Path]:
    """Write a file into that folder: a text, or lines."""

    def to(name: str, content: str | list[str]) -> Path:
        path = tmp_path / name
        text = content if isinstance(content, str) else "".join(f"{line}\n" for line in content)
        path.write_text(text, "utf-8")
        return path

    return to
