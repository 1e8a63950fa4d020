"""Mutate the crate in one place at a time, and count the mutants that the quick law notices.

    PYTHONPATH=src:. python native/mutants.py [COUNT] [SEED]

Run it from the root of the repository, on Linux or macOS. Every function gets one mutant before any
function gets another, until COUNT is reached. Mutants that do not compile do not count.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

HERE = Path(__file__).parent
SECONDS = 20
"""The limit for the law's processor time, which does not depend on the load of the machine."""
CHANGES = {
    r" == ": [" != "],
    r" != ": [" == "],
    r" && ": [" || "],
    r" \|\| ": [" && "],
    r" < ": [" <= ", " > "],
    r" > ": [" >= ", " < "],
    r" >= ": [" > "],
    r" <= ": [" < "],
    r" \+ ": [" - "],
    r" - ": [" + "],
    r" \* ": [" + "],
    r" \+= ": [" -= "],
    r" & ": [" | "],
    r" \| ": [" & "],
    r"\|= ": ["= "],
    r"<< ": [">> "],
    r"\btrue\b": ["false"],
    r"\bfalse\b": ["true"],
    r"(?<=[( ])!(?=[a-z])": [""],
    r"(?<=[ (\[])[0-9]+(?=[,;)\] ])": ["1", "7"],
    r"\bis_empty\b": ["is_ascii"],
    r"\bNone =>": ["None if false =>"],
    r"^ +[a-z_.]+\([^()]*\)\??;$": [""],
    r"^ +[a-z_.]+ [-+|]?= [^;]*;$": [""],
    r"\?;$": [".unwrap_or_default();"],
}


class Mutant(NamedTuple):
    """A replacement of some text in a source file."""

    file: str
    function: str
    line: int
    begin: int
    end: int
    text: str


def mutants(source: Path) -> Iterator[Mutant]:
    """Yield all mutants of a file, except for lines whose mutants are not useful."""
    function = ""
    for number, line in enumerate(source.read_text().splitlines()):
        code = line.split("//", 1)[0]
        if (named := re.search(r"\bfn (\w+)", code)) is not None:
            function = named[1]
        if re.match(r" *(#|use |pub mod |(pub )?const MOST|const (PAGE_SIZE|ROOM):)", code):
            continue
        for pattern, texts in CHANGES.items():
            for found in re.finditer(pattern, code):
                for text in texts:
                    if text != found[0]:
                        yield Mutant(
                            source.name, function, number, found.start(), found.end(), text
                        )


def by_turns(every: Iterable[Mutant], chance: Random) -> list[Mutant]:
    """Order mutants so that every function has one before any function has another."""
    functions: defaultdict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for each in every:
        functions[each.file, each.function].append(each)
    for found in functions.values():
        chance.shuffle(found)
    turns = [*functions.values()]
    chance.shuffle(turns)
    return [each for each in chain.from_iterable(zip_longest(*turns)) if each is not None]


class Trial:
    """A copy of the crate that can be mutated and tested."""

    def __init__(self, folder: Path) -> None:
        self._crate, self._site = folder / "crate", folder / "site" / "segue_native"
        shutil.copytree(HERE, self._crate, ignore=shutil.ignore_patterns("target"))
        shutil.copytree(HERE / "segue_native", self._site)
        self._wanted = folder / "wanted"
        path = os.pathsep.join((str(folder / "site"), os.environ.get("PYTHONPATH", "")))
        self._environment = {**os.environ, "PYTHONPATH": path}

    def build(self) -> bool:
        """Compile the crate and install the library. Return whether it compiles."""
        fast = ["--config", "profile.dev.opt-level=1", "--config", "profile.dev.debug=false"]
        command = ["cargo", "build", "--quiet", "--offline", *fast]
        built = subprocess.run(command, cwd=self._crate, capture_output=True, check=False)
        library = next((self._crate / "target" / "debug").glob("libsegue_native.[sd]*"), None)
        if built.returncode == 0 and library is not None:
            shutil.copy(library, self._site)
        return built.returncode == 0

    def holds(self) -> bool:
        """Return whether the law holds. A crash or an endless loop violates it."""
        limited = ["sh", "-c", f'ulimit -t {SECONDS} && exec "$@"', "sh"]
        command = [*limited, sys.executable, "-m", "tests.logs.native.quick_law", str(self._wanted)]
        done = subprocess.run(command, env=self._environment, capture_output=True, check=False)
        return done.returncode == 0

    def notices(self, mutant: Mutant) -> bool | None:
        """Return whether a mutant is noticed, or None if it does not compile."""
        source = self._crate / "src" / mutant.file
        good = source.read_text()
        lines = good.splitlines(keepends=True)
        line = lines[mutant.line]
        lines[mutant.line] = line[: mutant.begin] + mutant.text + line[mutant.end :]
        source.write_text("".join(lines))
        try:
            return not self.holds() if self.build() else None
        finally:
            source.write_text(good)


def main() -> int:
    """Print the unnoticed mutants and their number. Return 1 if over 10 % are unnoticed."""
    count, seed = (*map(int, sys.argv[1:]), *(200, 1)[len(sys.argv) - 1 :])
    sources = sorted((HERE / "src").glob("*.rs"))
    every = by_turns(chain.from_iterable(map(mutants, sources)), Random(seed))
    tried = noticed = 0
    with TemporaryDirectory() as folder:
        trial = Trial(Path(folder))
        assert trial.build(), "the crate does not compile"
        assert trial.holds(), "the expected results cannot be computed"
        assert trial.holds(), "the law does not hold without a mutant"
        for each in every:
            if tried == count:
                break
            found = trial.notices(each)
            tried += found is not None
            noticed += found is True
            if found is False:
                where = f"{each.file}:{each.line + 1}:{each.begin + 1}"
                print(f"{where}: {each.text!r} in {each.function}, of {tried}", flush=True)
    print(f"{noticed} of {tried} mutants noticed, of {len(every)} there are")
    return int(noticed < 0.9 * tried)


if __name__ == "__main__":
    sys.exit(main())
