"""`vcon`: what of a conversation is which dialog, and what the schemas ask for."""

import json
from typing import Any
from uuid import UUID

import pytest
from jsonschema import Draft7Validator, FormatChecker
from tests.report.export.story import (
    COLD,
    DAY,
    REDIAL,
    SAMPLE,
    WARM,
    converted,
    objects,
    schema,
    timed,
)

CORE = Draft7Validator(schema("vcon_json_schema.json"), format_checker=FormatChecker())
EXTENSION = Draft7Validator(schema("cc_json_schema.json"), format_checker=FormatChecker())

CUSTOMER = {"type": "person", "role": "customer"}
BOT = {"type": "bot", "name": "st-1"}
ADA = {"type": "person", "role": "agent", "uuid": "a-1", "name": "Ada"}
BEN = {"type": "person", "role": "agent", "uuid": "a-2", "name": "Ben"}


def vcon(lines: list[str], **given: Any) -> dict[str, Any]:
    [only] = objects(converted(lines, "vcon", **given))
    return dict(only)


def at(clock: str) -> str:
    return f"{DAY}{clock}.000000Z"


def past(party: int, event: str, clock: str) -> dict[str, Any]:
    return {"party": party, "time": at(clock), "event": event}


def stay(
    clock: str, duration: float, parties: list[int], *history: dict[str, Any]
) -> dict[str, Any]:
    return {
        "type": "recording-set",
        "start": at(clock),
        "duration": duration,
        "parties": parties,
        "recordings": [],
        "party_history": list(history),
        "interaction_type": "chat",
        "interaction_id": "c-1",
    }


def test_a_cold_transfer() -> None:
    exported = vcon(COLD)

    assert list(exported) == [
        "vcon",
        "uuid",
        "extensions",
        "created_at",
        "redacted",
        "parties",
        "dialog",
        "analysis",
    ]
    assert exported["vcon"] == "0.4.0"
    assert exported["extensions"] == ["CC"]
    assert exported["created_at"] == at("09:02:10")
    assert exported["parties"] == [CUSTOMER, BOT, ADA, BEN]
    assert exported["dialog"] == [
        stay("09:00:10", 50.0, [0, 2], past(2, "join", "09:00:10"), past(2, "drop", "09:01:00")),
        stay("09:01:05", 55.0, [0, 3], past(3, "join", "09:01:05"), past(3, "drop", "09:02:00")),
        {
            "type": "transfer",
            "start": at("09:01:00"),
            "transferee": 0,
            "transferor": 2,
            "transfer_target": 3,
            "original": 0,
            "target_dialog": 1,
            "interaction_type": "chat",
            "interaction_id": "c-1",
        },
        {"type": "text", "start": at("09:00:00"), "parties": [0], "interaction_id": "c-1"},
        {"type": "text", "start": at("09:00:20"), "parties": [2], "interaction_id": "c-1"},
    ]
    assert exported["analysis"] == [
        {
            "type": "report",
            "dialog": [0, 1],
            "mediatype": "application/json",
            "vendor": "segue",
            "product": "segue",
            "schema": "report",
            "body": {"valid": True, "phase": "ended", "findings": []},
            "encoding": "json",
        }
    ]


def test_a_consultant_who_took_over_is_the_target_of_a_transfer() -> None:
    exported = vcon(
        timed(
            "09:00:00 NA entry a-1",
            "09:00:40 WARM entry a-2",
            "09:01:00 COLD exit a-1",
            "09:02:00 NA exit a-2",
            "09:02:10 END",
        )
    )

    [transfer] = [each for each in exported["dialog"] if each["type"] == "transfer"]
    assert transfer["start"] == at("09:01:00")
    assert (transfer["transferor"], transfer["transfer_target"]) == (2, 3)
    assert {"original", "consultation", "target_dialog"} <= set(transfer)


def test_a_warm_transfer_has_a_consultation() -> None:
    exported = vcon(WARM)

    assert exported["parties"] == [CUSTOMER, BOT, ADA, BEN]
    assert exported["dialog"] == [
        stay(
            "09:00:00",
            80.0,
            [0, 2],
            past(2, "join", "09:00:00"),
            past(0, "hold", "09:00:30"),
            past(0, "unhold", "09:01:00"),
            past(2, "drop", "09:01:20"),
        ),
        stay("09:00:40", 40.0, [2, 3], past(3, "join", "09:00:40"), past(3, "drop", "09:01:20")),
        stay("09:01:20", 40.0, [0, 3], past(3, "join", "09:01:20"), past(3, "drop", "09:02:00")),
        {
            "type": "transfer",
            "start": at("09:01:20"),
            "transferee": 0,
            "transferor": 2,
            "transfer_target": 3,
            "original": 0,
            "consultation": 1,
            "target_dialog": 2,
            "interaction_type": "chat",
            "interaction_id": "c-1",
        },
    ]


def test_a_redial_goes_on_in_its_dialog() -> None:
    [only] = vcon(REDIAL)["dialog"]

    assert only == stay(
        "09:00:00",
        480.0,
        [0, 2],
        past(2, "join", "09:00:00"),
        past(2, "drop", "09:04:00"),
        past(2, "join", "09:05:00"),
        past(2, "drop", "09:08:00"),
    )


def test_a_consultant_who_leaves_again_has_talked_to_the_agent_only() -> None:
    exported = vcon(
        timed(
            "09:00:00 NA entry a-1",
            "09:01:00 WARM entry a-2",
            "09:02:00 WARM exit a-2",
            "09:03:00 NA exit a-1",
            "09:03:10 END",
        )
    )

    assert [dialog["parties"] for dialog in exported["dialog"]] == [[0, 2], [2, 3]]


def test_while_the_transcription_runs_a_consultation_is_a_conference() -> None:
    lines = [each for each in WARM if '"pause"' not in each]

    exported = vcon(lines)["dialog"]

    assert [dialog.get("parties") for dialog in exported] == [[0, 2], [2, 3, 0], [0, 3], None]


def test_a_message_that_says_nothing_has_nothing_to_redact() -> None:
    said = json.loads(COLD[0])
    del said["body"]["query"]

    exported = vcon([json.dumps(said), *COLD[1:]], include_text=True)

    assert "redacted" not in exported
    assert exported["dialog"][3]["body"] == ""


def test_a_consultant_who_calls_back_is_the_customers_agent() -> None:
    exported = vcon(
        timed(
            "09:00:00 NA entry a-1",
            "09:01:00 WARM entry a-2",
            "09:02:00 WARM exit a-2",
            "09:03:00 NA exit a-1",
            "09:04:00 redial entry a-2",
            "09:05:00 COLD exit a-2",
            "09:05:10 COLD entry a-1",
            "09:06:00 NA exit a-1",
            "09:06:10 END",
        )
    )

    *stays, transfer = exported["dialog"]
    assert [(each["start"][11:19], each["parties"]) for each in stays] == [
        ("09:00:00", [0, 2]),
        ("09:01:00", [2, 3]),
        ("09:04:00", [0, 3]),
        ("09:05:10", [0, 2]),
    ]
    assert (transfer["original"], transfer["target_dialog"]) == (2, 3)
    assert "consultation" not in transfer


def test_a_transfer_that_nobody_took_is_none() -> None:
    exported = vcon(timed("09:00:00 NA entry a-1", "09:01:00 COLD exit a-1", "09:05:00 END"))

    assert [dialog["type"] for dialog in exported["dialog"]] == ["recording-set"]
    assert exported["analysis"][0]["body"]["valid"] is False


def test_who_has_not_left_has_not_dropped() -> None:
    [dialog] = vcon(timed("09:00:00 NA entry a-1"), partial="end")["dialog"]

    assert "duration" not in dialog
    assert dialog["party_history"] == [past(2, "join", "09:00:00")]


def test_with_texts_it_is_the_whole_that_the_other_is_a_redaction_of() -> None:
    whole, redacted = vcon(COLD, include_text=True), vcon(COLD)

    assert "redacted" not in whole
    assert whole["dialog"][3] == {
        "type": "text",
        "start": at("09:00:00"),
        "parties": [0],
        "mediatype": "text/plain",
        "body": "Hello",
        "encoding": "none",
        "interaction_id": "c-1",
    }
    assert redacted["redacted"] == {"uuid": whole["uuid"], "type": "text"}
    assert redacted["uuid"] != whole["uuid"]


def test_where_nothing_was_said_nothing_is_redacted() -> None:
    assert vcon(REDIAL) == vcon(REDIAL, include_text=True)
    assert "redacted" not in vcon(REDIAL)


def test_the_uuid_is_of_version_8_and_always_the_same() -> None:
    uuid = UUID(vcon(COLD)["uuid"])

    assert (uuid.version, uuid.variant) == (8, "specified in RFC 4122")
    assert str(uuid) == vcon(COLD)["uuid"]
    assert str(uuid) != vcon([each.replace('"c-1"', '"c-2"') for each in COLD])["uuid"]


def test_messages_of_unknown_authors_have_no_party() -> None:
    said = json.loads(COLD[0])
    said["body"]["author"] = {"type": "somebody"}

    [text] = [
        dialog
        for dialog in vcon([json.dumps(said), *COLD[1:]])["dialog"]
        if dialog["type"] == "text" and dialog["start"] == at("09:00:00")
    ]

    assert "parties" not in text


def test_an_agent_who_only_spoke_is_a_party() -> None:
    exported = vcon([*COLD[:3], *timed("09:00:30 agent message a-9"), *COLD[3:]])

    assert {"type": "person", "role": "agent", "uuid": "a-9"} in exported["parties"]


@pytest.mark.parametrize("include_text", [False, True])
def test_every_vcon_of_the_sample_keeps_to_both_schemas(include_text: bool) -> None:  # noqa: FBT001
    lines = SAMPLE.read_bytes().splitlines()
    exported = list(objects(converted(lines, "vcon", include_text=include_text)))

    assert len(exported) == 59  # one has a message without a time
    for each in exported:
        CORE.validate(each)
        EXTENSION.validate(each)
        assert "critical" not in each
        assert all("skill" not in dialog for dialog in each["dialog"])
        assert all(dialog for dialog in each["dialog"])
        check_references(each)
    types = {dialog["type"] for each in exported for dialog in each["dialog"]}
    assert types == {"recording-set", "text", "transfer"}


def check_references(exported: dict[str, Any]) -> None:
    """Indices lead to parties and dialogs of the right type, as the draft asks in words."""
    parties, dialogs = exported["parties"], exported["dialog"]
    for dialog in dialogs:
        assert all(party < len(parties) for party in dialog.get("parties", ()))
        has_content = {"body", "encoding", "mediatype"} & dialog.keys()
        if dialog["type"] == "recording-set":
            assert not has_content
        if dialog["type"] == "transfer":
            assert not has_content
            assert not {"parties", "originator"} & dialog.keys()
            agents = {"transferor", "transfer_target"} & dialog.keys()
            three = {dialog[role] for role in ("transferee", *agents)}
            assert three <= set(range(len(parties)))
            roles = ("original", "consultation", "target_dialog")
            segments = [dialog[role] for role in roles if role in dialog]
            assert len(set(segments)) == len(segments)
            assert {dialogs[index]["type"] for index in segments} <= {"recording-set"}


def test_the_schemas_notice_what_is_wrong() -> None:
    exported = vcon(COLD)
    exported["dialog"][0]["type"] = "call"

    assert not CORE.is_valid(exported)
    assert not EXTENSION.is_valid({"parties": [{"role": 1}]})
    assert not CORE.is_valid({**vcon(COLD), "created_at": "yesterday"})
