"""Measure the prose of the project: `python -m docs.prose [--list] [PATH ...]`.

The prose consists of the docstrings and comments of `src`, the texts of the rule catalogue, the
help of commands, and the Markdown pages. Each pattern has a bound, and the exit code is 1 if the
rate of any pattern exceeds its bound. `--list` shows every match with its line. Paths limit the
files that are read.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["BOUNDS", "EXCEPTED", "Passage", "measure", "passages"]

_ROOT: Final = Path(__file__).parents[1]

EXCEPTED: Final = (
    "src/segue/core/engine/history.py",
    "src/segue/core/engine/judging_form.py",
    "src/segue/core/engine/segment_tracker.py",
    "src/segue/core/engine/snapshot.py",
    "src/segue/core/engine/snapshot_checks.py",
    "src/segue/core/findings/catalogue.py",
    "src/segue/core/findings/pages/",
    "src/segue/logs/conversion.py",
    "src/segue/logs/native/",
    "src/segue/logs/platforms.py",
    "src/segue/server/stores/conversation_rows.py",
    "src/segue/server/stores/row_codec.py",
)
"""Paths of sources that a planned change will replace. Entries are only removed."""
_HELP_IS_EXCEPTED: Final = True
"""Whether the help of commands is skipped, because a planned change will rewrite it."""


class Bound(NamedTuple):
    """A pattern with its maximum rate, in matches per 10,000 words."""

    pattern: re.Pattern[str]
    most: float


_BEGIN: Final = r"(?:^|(?<=[.!?:])\s+)"
BOUNDS: Final = {
    "a sentence begins with What, Which or Who": Bound(
        re.compile(rf"{_BEGIN}(?:What|Which|Who|Whose|Whom)\b(?![^.!?]*\?)"), 10
    ),
    "what is or what are as a noun": Bound(
        re.compile(r"\bwhat (?:is|are|was|were)\b", re.IGNORECASE), 15
    ),
    "none, nothing, nobody": Bound(re.compile(r"\b(?:none|[Nn]othing|[Nn]obody)\b"), 20),
    "so many": Bound(re.compile(r"\bso many\b", re.IGNORECASE), 1),
    "stands": Bound(re.compile(r"\bstands?\b(?! for\b)", re.IGNORECASE), 1),
    "beside, behind": Bound(re.compile(r"\b(?:beside|behind)\b", re.IGNORECASE), 1),
    "semicolons": Bound(re.compile(r";"), 45),
}
_FRAGMENT: Final = re.compile(
    r"(?:What|Which|Who|Whose|Whom|Of|None|Nothing|Nobody|No|Not|How|Where|When|By|So)\b"
)
_MOST_FRAGMENTS: Final = 2.0
_CODE: Final = re.compile(r"``?[^`]*``?|<[^>]+>|\]\([^)]*\)")


class Passage(NamedTuple):
    """A piece of prose: a docstring, a comment, or a line of a Markdown page."""

    path: str
    line: int
    text: str
    is_docstring: bool = False


def passages(paths: Iterable[Path]) -> Iterator[Passage]:
    """Yield the prose of Python and Markdown files. Files in `EXCEPTED` are left out."""
    for path in sorted(paths):
        name = path.relative_to(_ROOT).as_posix()
        if not name.startswith(EXCEPTED):
            read = _of_python if path.suffix == ".py" else _of_markdown
            yield from read(name, path.read_text("utf-8"))


def _of_python(name: str, text: str) -> Iterator[Passage]:
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        if not isinstance(body, list) or (_HELP_IS_EXCEPTED and _is_command(node)):
            continue
        for statement in body:
            if (
                isinstance(statement, ast.Expr)
                and isinstance(statement.value, ast.Constant)
                and isinstance(statement.value.value, str)
            ):
                words = statement.value.value.strip()
                yield Passage(name, statement.lineno, words, is_docstring=True)
        yield from (each._replace(path=name) for each in _messages(node, name))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        comment = token.string.lstrip("#! ")
        if token.type == tokenize.COMMENT and not re.match(
            r"noqa|type:|pragma|fmt:|isort", comment
        ):
            yield Passage(name, token.start[0], comment)


def _is_command(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        "command" in ast.unparse(each).partition("(")[0] for each in node.decorator_list
    )


def _messages(node: ast.AST, name: str) -> Iterator[Passage]:
    """Yield the texts that a call in the catalogue or in a command's options contains.

    These are the texts of rules and the help of options.
    """
    texts: list[ast.expr] = []
    if isinstance(node, ast.Call) and name.endswith("findings/catalogue.py"):
        texts = [each.value for each in node.keywords if each.arg in {"summary", "message", "help"}]
    elif isinstance(node, ast.Call) and name.startswith("src/segue/cli/"):
        is_option = ast.unparse(node.func) in {"option", "argument"}
        texts = node.args[1:2] if is_option and not _HELP_IS_EXCEPTED else []
    for text in texts:
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield Passage(name, text.lineno, text.value)


def _of_markdown(name: str, text: str) -> Iterator[Passage]:
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        elif not is_code and line.strip():
            yield Passage(name, number, line.strip().lstrip("#>|-* "))


def measure(prose: Sequence[Passage]) -> Iterator[tuple[str, float, float, list[Passage]]]:
    """Yield each pattern's title, its rate, its bound and the passages that match it."""
    plain = [each._replace(text=_CODE.sub("x", each.text)) for each in prose]
    words = max(1, sum(len(each.text.split()) for each in plain))
    docstrings = [each for each in plain if each.is_docstring]
    fragments = [each for each in docstrings if _FRAGMENT.match(each.text)]
    share = 100 * len(fragments) / max(1, len(docstrings))
    yield "docstrings that begin as a fragment, in %", share, _MOST_FRAGMENTS, fragments
    for title, (pattern, most) in BOUNDS.items():
        found = [each for each in plain for _ in pattern.finditer(each.text)]
        yield title, 10_000 * len(found) / words, most, found


def _files(arguments: Sequence[str]) -> list[Path]:
    if arguments:
        given = [Path(each).resolve() for each in arguments]
        nested = [each.rglob("*") if each.is_dir() else [each] for each in given]
        return [path for paths in nested for path in paths if path.suffix in {".py", ".md"}]
    pages = [path for path in (_ROOT / "docs").rglob("*.md") if "reference" not in path.parts]
    return [*(_ROOT / "src").rglob("*.py"), *_ROOT.glob("*.md"), *pages]


def main(arguments: Sequence[str]) -> int:
    """Print the rate of each pattern, and return 1 if any rate exceeds its bound."""
    shown = "--list" in arguments
    prose = list(passages(_files([each for each in arguments if each != "--list"])))
    failed = False
    for title, rate, most, found in measure(prose):
        failed |= rate > most
        mark = "TOO MANY" if rate > most else "ok"
        sys.stdout.write(f"{rate:7.1f}  (at most {most:g})  {title}: {mark}\n")
        for each in found if shown else ():
            sys.stdout.write(f"    {each.path}:{each.line}: {each.text.splitlines()[0][:100]}\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
