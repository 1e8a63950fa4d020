"""The page on adding a rule, followed to the letter in a copy, for one rule of each family.

What changes is the catalogue, the page, and one row or `Check`. The rule must then fire for every
form of input, in a log, with several processes, and live; and what tests draw of it comes from its
page.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import segue

PACKAGE = Path(segue.__file__).parent

CHECK_FN = """
def _{name}(kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
    {read}
    if kept is None or value is None or value {relation} kept:
        return value, None
    return value, facts.violation("{code}", {{"agent": str(value)}})


CHECKS: Final = ("""


def event(kind: str, agent: str, **more: Any) -> dict[str, Any]:
    transfer_type, transition = kind.split(" ")
    return {
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": transfer_type,
        "transition": transition,
        "isExtAD": False,
        "language": "en",
        "experience": "chat",
        "participant": {"identity": agent, "name": "Agent", "type": "agent"},
        **more,
    }


def end(agent: str, reason: str = "agent_initiated") -> dict[str, Any]:
    shown = event("NA exit", agent)
    keys = ("language", "experience", "participant")
    return {"name": "END_OF_CONVERSATION", "reason": reason, **{key: shown[key] for key in keys}}


def line(body: dict[str, Any], **envelope: Any) -> dict[str, Any]:
    return {**envelope, "body": {"conversationId": "c-1", "botId": "st-1", **body}}


def events(*each: dict[str, Any], **envelope: Any) -> dict[str, Any]:
    return line({"events": list(each)}, **envelope)


def action(name: str, agent: str) -> dict[str, Any]:
    ids = {"conversation_id": "c-1", "bot_id": "st-1"}
    return {"endpoint": "transcription", **ids, "body": {"action": name, "agentId": agent}}


BEGIN, LEAVE = events(event("NA entry", "a-1")), events(event("NA exit", "a-1"))
BACK, END = events(event("redial entry", "a-1")), events(end("a-1"))


class NewRule(NamedTuple):
    """A rule that is not in the package."""

    code: str
    edits: dict[str, tuple[tuple[str, str], ...]]
    """Texts to replace in the one file that decides it."""
    example: list[dict[str, Any]]
    corrected: list[dict[str, Any]]


RULES = (  # their codes are the last of each family, which no real rule takes soon
    NewRule(
        "SG199",  # order: a redial is an offence
        {
            "core/lifecycle/table.py": (
                (
                    "Row(RELEASED, REDIAL_ENTRY, LAST, None,",
                    'Row(RELEASED, REDIAL_ENTRY, LAST, "SG199",',
                ),
            )
        },
        [BEGIN, LEAVE, BACK, LEAVE, END],
        [BEGIN, LEAVE, END],
    ),
    NewRule(
        "SG299",  # agents: an agent who was replaced does not come back as a consultant
        {
            "core/lifecycle/table.py": (
                (
                    "    Row(HELD, WARM_ENTRY, ABSENT, None, _P.CONSULTING, _E.JOIN),",
                    """    Row(HELD, WARM_ENTRY, OTHER, None, _P.CONSULTING, _E.JOIN),
    Row(HELD, WARM_ENTRY, CONSULTED, None, _P.CONSULTING, _E.JOIN),
    Row(HELD, WARM_ENTRY, LAST, "SG299", _P.CONSULTING, _E.JOIN),""",
                ),
            )
        },
        [
            BEGIN,
            events(event("COLD exit", "a-1"), event("COLD entry", "a-2")),
            events(event("WARM entry", "a-1"), event("WARM exit", "a-1")),
            events(event("NA exit", "a-2")),
            events(end("a-2")),
        ],
        [
            BEGIN,
            events(event("COLD exit", "a-1"), event("COLD entry", "a-2")),
            events(event("WARM entry", "a-3"), event("WARM exit", "a-3")),
            events(event("NA exit", "a-2")),
            events(end("a-2")),
        ],
    ),
    NewRule(
        "SG399",  # what stays the same: the language
        {
            "core/engine/checks.py": (
                (
                    "\nCHECKS: Final = (",
                    CHECK_FN.format(
                        name="language",
                        read='value = facts.event and facts.event.value.get("language")',
                        relation="==",
                        code="SG399",
                    )
                    + '\n    Check("SG399", ("language",), _language),',
                ),
            )
        },
        [
            BEGIN,
            events(event("NA exit", "a-1", language="de")),
            events({**end("a-1"), "language": "de"}),
        ],
        [BEGIN, LEAVE, END],
    ),
    NewRule(
        "SG499",  # transcription: a COLD exit after the end of the transcription
        {
            "core/transcription/consistency.py": (
                (
                    "_MISFITS: Final = {",
                    '_MISFITS: Final = {TranscriptionState.ENDED: "SG499", ',
                ),
            )
        },
        [
            BEGIN,
            action("start", "a-1"),
            action("end", "a-1"),
            events(event("COLD exit", "a-1"), event("COLD entry", "a-2")),
            events(event("NA exit", "a-2")),
            events(end("a-2")),
        ],
        [BEGIN, action("start", "a-1"), action("end", "a-1"), LEAVE, END],
    ),
    NewRule(
        "SG599",  # form: the reason of an end is one of two words
        {
            "core/events/fields.py": (
                (
                    '        Field("reason", need=_REQUIRED),\n',
                    """        Field(
            "reason",
            need=_REQUIRED,
            words=("agent_initiated", "timeout"),
            unknown="SG599",
        ),
""",
                ),
            )
        },
        [BEGIN, LEAVE, events(end("a-1", "tired"))],
        [BEGIN, LEAVE, END],
    ),
    NewRule(
        "SG699",  # the log: delivery ids rise
        {
            "core/engine/checks.py": (
                (
                    "\nCHECKS: Final = (",
                    CHECK_FN.format(
                        name="ids_rise",
                        read="value = facts.delivery.delivery_id",
                        relation=">=",
                        code="SG699",
                    )
                    + '\n    Check("SG699", ("delivery_id",), _ids_rise),',
                ),
            )
        },
        [
            {**BEGIN, "delivery_id": "d-2"},
            {**LEAVE, "delivery_id": "d-1"},
            {**END, "delivery_id": "d-3"},
        ],
        [
            {**BEGIN, "delivery_id": "d-1"},
            {**LEAVE, "delivery_id": "d-2"},
            {**END, "delivery_id": "d-3"},
        ],
    ),
)

CATALOGUE = """RULES: Final[tuple[Rule, ...]] = (
    _error(
        "{code}",
        "made-up-{code}",
        summary="A rule of this test.",
        message="this must not be",
        help="send something else",
        spec="nowhere",
    ),"""

PAGE = """## What it reports

What this test makes up.

## Why it matters

It does not.

## Example log

```jsonl
{example}
```

## Corrected log

```jsonl
{corrected}
```

## When to ignore it

Always.

## Specification

Nowhere.
"""

PROGRAM = """
import json, pathlib, sys
import segue
from segue.testing import shortest_witness

code, path = sys.argv[1:]
lines = pathlib.Path(path).read_text("utf-8").splitlines()
mappings = [json.loads(line) for line in lines]

def codes(reports):
    return sorted(finding.code for report in reports for finding in report.findings)

found = {
    "text": codes([segue.check(lines)]),
    "bytes": codes([segue.check([line.encode() for line in lines])]),
    "mapping": codes([segue.check(mappings)]),
    "log": codes(segue.replay(path)),
}
live = []
with segue.Processor(store=segue.MemoryStore()) as processor:
    for envelope in mappings:
        if envelope.get("endpoint") == "transcription":
            done = processor.control("st-1", "c-1", envelope["body"])
        else:
            identity = envelope.get("delivery_id")
            done = processor.receive("st-1", envelope["body"], delivery_id=identity)
        live += [finding.code for finding in done.findings]
found["live"] = sorted(live)
conversation = segue.Conversation("c-1")
for envelope in mappings:
    conversation.feed(envelope)
    conversation = segue.Conversation.restore(conversation.snapshot())
found["restored"] = codes([conversation.finish()])
found["witness"] = code in codes([segue.check(shortest_witness(code))])
print(json.dumps(found))
"""


def copied(folder: Path, rule: NewRule) -> set[str]:
    """Copy the package and add the rule to it; return which files were changed."""
    copy = folder / "segue"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    catalogue = copy / "core" / "findings" / "catalogue.py"
    head = "RULES: Final[tuple[Rule, ...]] = ("
    text = catalogue.read_text("utf-8")
    catalogue.write_text(text.replace(head, CATALOGUE.format(code=rule.code), 1), "utf-8")
    logs = {
        name: "\n".join(map(json.dumps, getattr(rule, name))) for name in ("example", "corrected")
    }
    page = copy / "core" / "findings" / "pages" / f"{rule.code}.md"
    page.write_text(PAGE.format(**logs), "utf-8")
    for name, edits in rule.edits.items():
        text = (copy / name).read_text("utf-8")
        for old, new in edits:
            assert text.count(old) == 1, (name, old)
            text = text.replace(old, new)
        (copy / name).write_text(text, "utf-8")
    return {"core/findings/catalogue.py", f"core/findings/pages/{rule.code}.md", *rule.edits}


def ran(folder: Path, *arguments: str) -> str:
    """Run Python on the copy and return what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(rule, id=rule.code, marks=() if rule is RULES[0] else pytest.mark.thorough)
        for rule in RULES
    ],
)
def test_a_rule_works_everywhere_once_it_is_added_as_the_page_says(
    rule: NewRule, tmp_path: Path
) -> None:
    changed = copied(tmp_path, rule)
    example = tmp_path / "example.jsonl"
    example.write_text("\n".join(map(json.dumps, rule.example)) + "\n", "utf-8")
    corrected = tmp_path / "corrected.jsonl"
    corrected.write_text("\n".join(map(json.dumps, rule.corrected)) + "\n", "utf-8")

    assert len(changed) == 3  # and a vector
    found = json.loads(ran(tmp_path, "-c", PROGRAM, rule.code, str(example)))
    forms = ("text", "bytes", "mapping", "log", "live", "restored")
    assert {form: found[form] for form in forms} == {form: [rule.code] for form in forms}
    assert found["witness"] is True
    nothing = json.loads(ran(tmp_path, "-c", PROGRAM, rule.code, str(corrected)))
    assert {form: nothing[form] for form in forms} == {form: [] for form in forms}


@pytest.mark.thorough
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_new_rule_is_found_by_several_processes(rule: NewRule, tmp_path: Path) -> None:
    copied(tmp_path, rule)
    log = tmp_path / "log.jsonl"
    copies = 1_000
    with log.open("w", encoding="utf-8") as file:
        for number in range(copies):
            for each in rule.example:
                text = json.dumps(each).replace('"c-1"', f'"c-{number}"')
                file.write(f"{text}\n")
    options = ("--output", "jsonl=reports.jsonl", "--jobs", "2")
    ran(tmp_path, "-m", "segue", "check", str(log), *options)

    lines = (tmp_path / "reports.jsonl").read_text("utf-8").splitlines()
    reports = [json.loads(each) for each in lines]
    found = [[finding["code"] for finding in report["findings"]] for report in reports]
    assert found == [[rule.code]] * copies
