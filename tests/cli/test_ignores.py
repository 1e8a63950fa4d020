"""Ignores: what they leave out, until when, and what is refused."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from tests.analysis.compare.story import PLAIN, log
from tests.cli.command import Segue, Write

AT = datetime(2026, 5, 4, 8, tzinfo=UTC)
TODAY = datetime.now(UTC).date()
TOMORROW = TODAY + timedelta(days=1)
"""Ignores hold until then, so that they do when the tests go on past midnight."""


@pytest.fixture
def two(write: Write) -> None:
    """The same mistake of two agents, with a bot each."""
    for name, bot in (("a-1", "st-1"), ("a-2", "st-2")):
        deliveries = log(PLAIN[0], PLAIN[2], conversation=f"c-{name}", start=0)
        text = [json.dumps(each).replace("a-1", name) for each in deliveries]
        text = [line.replace('"st-1"', f'"{bot}"') for line in text]
        write(f"{name}.jsonl", text)


def settings(write: Write, *ignores: str) -> None:
    write("segue.toml", [f"ignores = {json.dumps(ignores)}"])


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    "where", ["bot=st-1", "agent=a-1", "file=a-1.jsonl", "conversation=c-a-1", "bot=st-1 agent=a-1"]
)
def test_what_has_the_attributes_is_left_out(segue: Segue, write: Write, where: str) -> None:
    settings(write, f"SG107 {where} until={TOMORROW}")
    done = segue("check", "--format", "concise", "a-1.jsonl", "a-2.jsonl")

    assert "a-2.jsonl:2" in done.out
    assert "a-1.jsonl:2" not in done.out
    assert done.code == 1
    assert f"1 finding ignored by 'SG107 {where} until={TOMORROW}'" in done.err
    assert segue("check", "a-1.jsonl").code == 0


@pytest.mark.usefixtures("two")
def test_an_expired_one_ignores_nothing_and_is_reported(segue: Segue, write: Write) -> None:
    yesterday = TODAY - timedelta(days=1)
    settings(write, f"SG107 until={yesterday}")
    done = segue("check", "a-1.jsonl")

    assert done.code == 1
    assert (
        f"the ignore 'SG107 until={yesterday}' has expired: remove it or change its date"
        in done.err
    )


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("ignore", "told"),
    [
        ("SG107 bot=st-1", "give codes, attributes and a date"),
        ("SG107 until=soon", "give codes, attributes and a date"),
        ("", "give codes, attributes and a date"),
        ("SG107 until", "give codes, attributes and a date"),
        ("SG107 'until=2030-01-01", "give codes, attributes and a date"),
        ("SG107 boot=st-1 until=2030-01-01", "unknown attribute 'boot'"),
        ("SG999 until=2030-01-01", "no rule has the code"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    segue: Segue, write: Write, ignore: str, told: str
) -> None:
    settings(write, ignore)
    done = segue("check", "a-1.jsonl")

    assert (done.code, told in done.err) == (2, True), done.err


def test_kind_and_field_of_an_event_are_attributes(segue: Segue, write: Write) -> None:
    """An exit without its name, and the conversation without its end."""
    deliveries = log(PLAIN[0], PLAIN[1], conversation="c-1", start=0)
    del deliveries[1]["body"]["events"][0]["participant"]["name"]
    write("a.jsonl", [json.dumps(each) for each in deliveries])
    for ignore, left in (
        ("SG502 'kind=NA exit' field=participant.name", {"SG108"}),
        ("SG502 'kind=NA entry' field=participant.name", {"SG502", "SG108"}),
        ("SG502 field=participant.type", {"SG502", "SG108"}),
        ("SG1,SG5 kind=conversation", {"SG502"}),
    ):
        settings(write, f"{ignore} until={TOMORROW}")
        found = json.loads(segue("check", "--format", "json", "a.jsonl").out)
        assert {each["code"] for each in found["reports"][0]["findings"]} == left, ignore


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("stats --format json", '"SG107"'),
        ("segments", "1 error"),
        ("export --to csv --rows findings", "SG107"),
        ("show c-a-1", "SG107"),
        ("causes --format json", '"SG107"'),
    ],
)
@pytest.mark.parametrize("kind", ["ignore", "ignores"])
def test_all_commands_that_read_logs_leave_out_what_the_settings_ignore(
    segue: Segue, write: Write, command: str, shown: str, kind: str
) -> None:
    name, *options = command.split()
    whole = segue(name, "a-1.jsonl", *options)
    ignored = "SG107" if kind == "ignore" else f"SG107 until={TOMORROW}"
    write("segue.toml", [f"{kind} = {json.dumps([ignored])}"])
    done = segue(name, "a-1.jsonl", *options)

    assert shown in whole.out
    assert shown not in done.out
    assert ("1 finding ignored by" in done.err) == (kind == "ignores")


@pytest.mark.usefixtures("two")
def test_repair_mends_what_the_settings_ignore(segue: Segue, write: Write) -> None:
    write("segue.toml", [f'ignore = ["SG107"]\nignores = ["SG107 until={TOMORROW}"]'])

    assert segue("repair", "a-1.jsonl").code == 1


AT_WHAT = {
    "SG109 'kind=END_OF_CONVERSATION'": "end end",
    "SG109 agent=a-1": "end end",
    "SG109 queue=VIP": "end end",
    "SG110 'kind=NA exit'": "end exit",
    "SG110 kind=TRIGGER_SUMMARY_EVENT agent=a-1": "end summary",
    "SG110 queue=VIP": "end summary",
    "SG504 'kind=unprocessable event' agent=a-1": "odd end",
    "SG205 'kind=agent message' agent=a-77": "message end",
}
"""Ignores, each with what comes after the first agent's entry and has the finding last."""


def deliveries_of(number: int, words: str) -> list[str]:
    """Return the lines of a conversation: an entry, an exit, and what these words name."""

    def transfer(name: str, transition: str) -> dict[str, object]:
        agent = {
            "identity": "a-1",
            "name": "Ann",
            "type": "agent",
            "customFields": {"queueName": "VIP"} if transition == "entry" else {},
        }
        kind = {"transfertype": "NA", "transition": transition, "isExtAD": False}
        said = {"experience": "chat", "language": "en", "participant": agent}
        return {"name": name, **kind, **said}

    agent = {"identity": "a-1", "name": "Ann", "type": "agent"}
    end = {"name": "END_OF_CONVERSATION", "reason": "done", "experience": "chat"}
    data = {"language": "English", "locale": "en", "type": "post"}
    author = {"author": {"type": "AGENT"}, "source": "d"}
    events: dict[str, dict[str, object]] = {
        "entry": {"events": [transfer("INTERNAL_TRANSFER_EVENT", "entry")]},
        "exit": {"events": [transfer("INTERNAL_TRANSFER_EVENT", "exit")]},
        "odd": {"events": [transfer("AGENT_CAME", "exit")]},
        "summary": {"events": [{"name": "TRIGGER_SUMMARY_EVENT", "data": data}]},
        "end": {"events": [{**end, "language": "en", "participant": agent}]},
        "message": {"query": "q", "agentId": "a-77", "experience": "chat", **author},
    }
    named = {"conversationId": f"c-{number}", "botId": "st"}
    lines = [{**named, **events[word]} for word in ("entry", "exit", *words.split())]
    return [json.dumps({"received_at": AT.isoformat(), "body": each}) for each in lines]


@pytest.mark.parametrize("options", [(), ("--jobs", "2"), ("--causes", "--output", "html=x.html")])
@pytest.mark.parametrize("ignore", AT_WHAT)
def test_what_a_finding_is_at_is_known_after_the_end_and_of_what_has_no_place(
    segue: Segue, write: Write, ignore: str, options: tuple[str, ...]
) -> None:
    """Late events, unprocessable ones and messages, too: they are not in the history."""
    lines = [line for number in range(3) for line in deliveries_of(number, AT_WHAT[ignore])]
    write("a.jsonl", lines)
    settings(write, f"{ignore} until={TOMORROW}")
    done = segue("check", "--fail-on", "never", *options, "a.jsonl")

    assert f"3 findings ignored by {f'{ignore} until={TOMORROW}'!r}" in done.err


@pytest.mark.parametrize("words", sorted({*AT_WHAT.values()}))
def test_a_written_policy_hides_what_the_dialect_says(
    segue: Segue, write: Write, words: str
) -> None:
    write("a.jsonl", [line for number in range(100) for line in deliveries_of(number, words)])
    said = segue("dialect", "--write", "a.jsonl").out.splitlines()[-1]
    done = segue("check", "--fail-on", "never", "a.jsonl")

    hidden = sum(int(line.split()[1]) for line in done.err.splitlines() if "ignored" in line)
    assert said.startswith(f"It hides {hidden} of "), done.err
    assert hidden >= 100
