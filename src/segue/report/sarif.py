"""SARIF 2.1.0: findings as results, with the rules that explain them.

Tools accept at most 5,000 results, so only the most severe findings are written. A notification
gives the number of those left out. Messages are escaped, so that text from senders cannot form a
link or a placeholder.
"""

import json
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from segue.core.conversation import Report
from segue.core.findings import Finding, Place, Rule, Severity
from segue.core.version import __version__
from segue.report.escape import visible
from segue.report.locations import described, fingerprinted, line_of, location_of, path_from_here
from segue.report.mistake_view import MistakeView
from segue.report.pages import HEADINGS, sections, titled
from segue.report.renderers import Renderer
from segue.report.run_summary import RunSummary

RESULTS: Final = 5_000
_INFORMATION: Final = "urn:segue"
"""The address of the tool.

This is a URN, because the project has no public address. Viewers do not try to open it.
"""
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LITERAL: Final = str.maketrans({"\\": "\\\\", "[": "\\[", "]": "\\]", "{": "{{", "}": "}}"})


class Sarif(Renderer):
    """Writes the most severe findings of all reports as one SARIF document.

    The document contains at most `RESULTS` findings. It is written when all reports are known.
    """

    def _start(self) -> None:
        self._results: dict[Severity, list[tuple[Rule, str]]] = {rank: [] for rank in Severity}
        self._count = 0

    def show(self, report: Report) -> None:
        """Collect the findings of a report, up to `RESULTS` for each severity."""
        self._count += len(report.findings)
        view = MistakeView(report)
        for finding, fingerprint in fingerprinted(report):
            kept = self._results[finding.severity]
            if len(kept) < RESULTS:
                result = json.dumps(_result(report, finding, fingerprint, view))
                kept.append((finding.rule, result))

    def _write_summary(self, run_summary: RunSummary) -> None:
        chosen = [each for rank in Severity for each in self._results[rank]][:RESULTS]
        rules = sorted({rule.code: rule for rule, _ in chosen}.items())
        driver = {
            "name": "Segue",
            "version": __version__,
            "semanticVersion": __version__,
            "informationUri": _INFORMATION,
            "rules": [_described(rule) for _, rule in rules],
        }
        invocation: dict[str, Any] = {"executionSuccessful": not run_summary.is_incomplete}
        left_out = self._count - len(chosen)
        if left_out:
            text = f"{left_out} of {self._count} findings were left out: the gravest are shown."
            note = {"level": "note", "message": {"text": text}}
            invocation["toolExecutionNotifications"] = [note]
        self._write(f'{{"$schema": "{_SCHEMA}", "version": "2.1.0", "runs": [{{\n')
        self._write(f'"tool": {json.dumps({"driver": driver})},\n')
        self._write(f'"invocations": {json.dumps([invocation])},\n"results": [')
        self._write(",".join(f"\n{result}" for _, result in chosen))
        self._write("\n]}]}\n")


def _result(
    report: Report, finding: Finding, fingerprint: str, view: MistakeView
) -> dict[str, Any]:
    mistake = report.mistake_of(finding)
    related = [(cause.place, cause.text) for cause in finding.because]
    about = view.place(mistake) if mistake is not None and mistake.edits else None
    if mistake is not None and about is not None:
        related.append((about, f"mistake {mistake.number}: {view.sentence(mistake)}"))
    related = [(place, text) for place, text in related if place.line]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": finding.severity.value,
        "message": {"text": _sentence(described(report, finding, view))},
        "locations": [place] if (place := _location(report, finding)) else [],
        "partialFingerprints": {"segue/v1": fingerprint},
        "properties": {
            "expected": [visible(each) for each in finding.expected],
            "mistake": None if mistake is None else mistake.number,
        },
    }
    if related:
        result["relatedLocations"] = [
            {
                "id": index,
                "message": {"text": _sentence(text)},
                "physicalLocation": _physical(place, place.line),
            }
            for index, (place, text) in enumerate(related)
            if place.source
        ]
    return result


def _location(report: Report, finding: Finding) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if finding.place.source:
        location["physicalLocation"] = _physical(finding.place, line_of(report, finding))
    if report.conversation_id is not None:
        named = {"name": visible(report.conversation_id)}
        named |= {"fullyQualifiedName": location_of(report, finding), "kind": "conversation"}
        location["logicalLocations"] = [named]
    return location


def _physical(place: Place, line: int | None) -> dict[str, Any]:
    region = {} if line is None else {"region": {"startLine": line}}
    return {"artifactLocation": {"uri": _uri(place.source)}, **region}


def _uri(source: str) -> str:
    path = Path(path_from_here(source))
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")


def _described(rule: Rule) -> dict[str, Any]:
    page = sections(rule)
    return {
        "id": rule.code,
        "name": "".join(map(str.capitalize, rule.name.split("-"))),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": " ".join(page[HEADINGS[0]].split())},
        "help": {"text": " ".join(page[HEADINGS[1]].split()), "markdown": titled(rule)},
        "defaultConfiguration": {"level": rule.severity.value},
    }


def _sentence(text: str) -> str:
    """Return the text with SARIF's special characters escaped and with a period at the end."""
    return visible(text).translate(_LITERAL).removesuffix(".") + "."
