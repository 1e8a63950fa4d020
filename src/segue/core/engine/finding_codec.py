"""Conversion of findings to JSON and back, for snapshots of states."""

from typing import Any, Final

from segue.core.findings import BY_CODE, Cause, Finding, Place, Severity

_NOUN: Final = Place().noun


def finding_to_json(finding: Finding) -> dict[str, Any]:
    """Return a finding as a JSON object, from which `finding_from_json` restores the finding."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "place": _place_to_json(finding.place),
        "message": finding.message,
        "expected": finding.expected,
        "because": [[_place_to_json(cause.place), cause.text] for cause in finding.because],
        "help": finding.help,
    }


def finding_from_json(value: dict[str, Any]) -> Finding:
    """Return the finding that `finding_to_json` converted to a JSON object."""
    return Finding(
        rule=BY_CODE[value["code"]],
        place=Place(*value["place"]),
        severity=Severity(value["severity"]),
        message=value["message"],
        expected=tuple(value["expected"]),
        because=tuple(Cause(Place(*place), text) for place, text in value["because"]),
        help=value["help"],
    )


def _place_to_json(place: Place) -> list[Any]:
    """Return a place as a list of the arguments of `Place`."""
    packed = [place.event, place.action, place.pointer, place.line, place.source]
    return packed if place.noun == _NOUN else [*packed, place.noun]
