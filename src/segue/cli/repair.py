"""`segue repair`: show or write the edits that explain each conversation.

The log is read once for the findings, once for the lines of the conversations to repair, and once
more for writing. Only lines that must change are changed.
"""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final, cast

from segue.analysis.repairs import (
    Repair,
    is_repairable,
    repair as find_repair,
    serialize_deliveries,
)
from segue.cli.config import settings_of
from segue.cli.errors import print_error
from segue.cli.line_lookup import ConversationLines, conversation_lines, is_table, raw_lines
from segue.cli.log_input import LogInput
from segue.cli.options import (
    LOG_OPTIONS,
    Params,
    command,
    format_option,
    option_group,
    show_option,
)
from segue.cli.outputs import Sink, output_files
from segue.cli.terminal import COLOR, QUIET, Output
from segue.cli.user_files import refuse_input, writing
from segue.core.errors import ConfigurationError
from segue.core.findings import DEFAULT
from segue.logs.keying import KEYS
from segue.logs.sources import is_rereadable
from segue.report.json_list import JsonItems
from segue.report.look import Look
from segue.report.plurals import pluralize
from segue.report.repair_diff import repair_lines
from segue.report.styled_text import rendered

_FORMATS: Final = ("full", "json", "jsonl")

_repair = option_group("What is repaired")


@command(
    format_option(*_FORMATS, text="How repairs are shown."),
    show_option(
        "--output FORMAT=FILE...", f"Write them to a file as well, as {' or '.join(_FORMATS)}."
    ),
    COLOR,
    QUIET,
    _repair("--write FILE", "Write the corrected log to this file."),
    *LOG_OPTIONS,
)
def repair(params: Params) -> int:
    """Correct each conversation by the edits that explain its mistakes.

    The order of events and the presence of agents are repaired (families 1 and 2 of the rules),
    also where the settings ignore a mistake. Mistakes in the shape of a delivery, its envelope or
    the transcription are left unchanged.

    Exit codes: 0 nothing to repair, 1 repairs found, 2 could not run, 130 interrupted.
    """
    settings = {**settings_of(params), "ignores": ()}
    log = LogInput(params, settings, DEFAULT)
    _refuse(log, params["write"])
    run = _Run(log, is_writing=bool(params["write"]))
    output = Output(params, log.progress)
    with ExitStack() as stack:
        files = list(output_files(params["output"], _FORMATS, log.inputs, stack, "repairs"))
        sinks = [
            _sink(
                params["format"],
                output.write,
                output.look,
                lambda: "" if params["quiet"] else run.summary,
            )
        ]
        sinks += [_sink(name, stream.write, Look(), lambda: run.summary) for name, stream in files]
        for found in run.repairs():
            for sink in sinks:
                sink.add(found)
        for sink in sinks:
            sink.finish()
    if params["write"]:
        _write(Path(params["write"]), log.logs[0], run.edited)
    return int(run.count > 0)


def _sink(
    name: str, write: Callable[[str], object], look: Look, summary: Callable[[], str]
) -> Sink[Repair]:
    if name != "full":
        items = JsonItems(name, write)
        return Sink(lambda found: items.add(found.to_dict()), items.finish)

    def add(found: Repair) -> None:
        write(rendered(repair_lines(found, look), color=look.color))

    return Sink(add, lambda: write(summary()))


class _Run:
    """A search for repairs in one log, which also counts them."""

    def __init__(self, log: LogInput, *, is_writing: bool) -> None:
        self._log = log
        self._is_writing = is_writing
        self.count = self._mistakes = self._edits = 0
        self.edited: dict[int, list[bytes]] = {}
        """The new lines for each changed line of the log, by the number of the line.

        It remains empty without `--write`.
        """

    @property
    def summary(self) -> str:
        """A line of text such as `2 conversations with 3 mistakes repaired by 4 edits`."""
        if not self.count:
            return "nothing to repair\n"
        conversations = pluralize(self.count, "conversation")
        mistakes, edits = pluralize(self._mistakes, "mistake"), pluralize(self._edits, "edit")
        return f"{conversations} with {mistakes} repaired by {edits}\n"

    def repairs(self) -> Iterator[Repair]:
        """Yield the repair of each conversation that needs one, in the order of the reports."""
        chosen = {
            KEYS[report.keyed_by](report): report.keyed_by
            for report in self._log.reports()
            if report.conversation_id is not None and is_repairable(report)
        }
        each_lines = conversation_lines(self._log, chosen)
        for keyed_by, lines in zip(chosen.values(), each_lines, strict=True):
            found = find_repair(lines.deliveries, partial=self._log.options.partial)
            found.before.keyed_by = keyed_by
            self.count, self._edits = self.count + 1, self._edits + len(found.edits)
            self._mistakes += len(found.mistakes)
            yield found
            if self._is_writing:
                self.edited |= _edited(lines, found)


def _refuse(log: LogInput, target: str | None) -> None:
    """Raise `ConfigurationError` if the logs cannot be repaired, or not written to `target`."""
    if log.remarks:
        reason = log.remarks[0].text
        msg = f"{reason}: repair reads lines in their own order, so put them in order first"
        raise ConfigurationError(msg)
    if log.is_sorted or not all(map(is_rereadable, log.logs)):
        raise ConfigurationError(
            "repair reads a log more than once and in its own order: "
            "give files, not a pipe or -, and leave out --sort and --race"
        )
    if target is None:
        return
    if len(log.logs) != 1:
        raise ConfigurationError("--write takes one log at a time")
    if log.options.since or log.options.until:
        raise ConfigurationError(
            "--write writes the whole log, but --since and --until hide a part of it: leave out "
            "--write or these"
        )
    if log.options.field_mapping is not None:
        raise ConfigurationError(
            "--write can edit E21 bodies and their envelopes, but not lines of another layout: "
            "leave --write out"
        )
    if is_table(log.logs[0]):
        msg = f"--write edits lines, and {log.logs[0]} is a table: leave --write out"
        raise ConfigurationError(msg)
    refuse_input(Path(target), log.inputs, "--write")


def _edited(lines: ConversationLines, found: Repair) -> dict[int, list[bytes]]:
    """Return the new lines for each changed line of a conversation, by the number of the line."""
    edited: dict[int, list[bytes]] = {line: [] for line in lines.numbers}
    waiting: list[bytes] = []
    last = lines.numbers[-1]
    texts = cast("list[bytes]", serialize_deliveries(found.repacked, lines.raw, found.deliveries))
    for delivery, text in zip(found.repacked, texts, strict=True):
        is_whole = delivery.body is None or text.endswith(b"\n")
        waiting.append(text if is_whole else text + b"\n")
        if not delivery.is_new:
            last = lines.numbers[delivery.like]
            edited[last] += waiting
            waiting = []
    edited[last] += waiting
    return {
        line: new
        for line, raw, new in zip(lines.numbers, lines.raw, edited.values(), strict=True)
        if new != [raw]
    }


def _write(target: Path, log: str, edited: Mapping[int, list[bytes]]) -> None:
    is_open = False
    with writing(target) as stream:
        for line, raw in raw_lines(log):
            texts = edited.get(line, [raw])
            if line == 1 and raw.startswith(BOM_UTF8):  # it stays at the start
                stream.write(BOM_UTF8)
                texts = [text.removeprefix(BOM_UTF8) for text in texts]
            for text in texts:
                stream.write(b"\n" + text if is_open else text)
                is_open = not text.endswith(b"\n")
    print_error(f"{pluralize(len(edited), 'line')} changed in {target}")
