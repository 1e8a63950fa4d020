"""The encoding of findings."""

from typing import Any, Final

from segue.findings import BY_CODE, Cause, Finding, Place, Root, Severity

_NOUN: Final = Place().noun


def finding_to_json(finding: Finding) -> dict[str, Any]:
    """Return a finding as plain JSON types."""
    root = finding.follows
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "place": _place_to_json(finding.place),
        "message": finding.message,
        "expected": finding.expected,
        "because": [[_place_to_json(cause.place), cause.text] for cause in finding.because],
        "help": finding.help,
        **({} if root is None else {"follows": [root.code, _place_to_json(root.place)]}),
    }


def finding_from_json(value: dict[str, Any]) -> Finding:
    """Return the finding that `finding_to_json` wrote."""
    return Finding(
        rule=BY_CODE[value["code"]],
        place=_place_from_json(value["place"]),
        severity=Severity(value["severity"]),
        message=value["message"],
        expected=tuple(value["expected"]),
        because=tuple(Cause(_place_from_json(place), text) for place, text in value["because"]),
        help=value["help"],
        follows=_root_from_json(value["follows"]) if "follows" in value else None,
    )


def _root_from_json(value: list[Any]) -> Root:
    code, place = value
    return Root(code, _place_from_json(place))


def _place_to_json(place: Place) -> list[Any]:
    packed = [place.event, place.action, place.pointer, place.line, place.source]
    return packed if place.noun == _NOUN else [*packed, place.noun]


def _place_from_json(value: list[Any]) -> Place:
    return Place(*value)
