"""What observers are told; and that nobody is told a secret or a customer's word."""

import asyncio
import json
import logging
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind
from prometheus_client import CollectorRegistry, generate_latest
from tests.server.adapters.transports import through_core
from tests.server.http import world
from tests.server.http.table import CASES, E1, E21, HEADERS, Case
from tests.server.http.tokens import OTHER_SECRET, SECRET, Kit
from tests.server.http.world import ENTRY, READS, SENDS, THEIRS, delivery
from tests.server.stores.library import at, commit

import segue
from segue.report.schema import report_schema
from segue.server.adapters.otel import OpenTelemetryObserver
from segue.server.adapters.prometheus import PrometheusObserver, StoreCollector
from segue.server.http import (
    DeliverySummary,
    EffectRecord,
    Headers,
    HttpApp,
    JsonLogFormatter,
    LogObserver,
    Observer,
    Principal,
    Problem,
    Request,
    RequestRecord,
)
from segue.server.processor import Effect, Unit, adrive, drive
from segue.server.stores import MemoryStore, SqliteStore

TOLD = DeliverySummary("applied", "c-1", "st-1", (("SG103", 4), ("SG501", None)))
ANSWERED = RequestRecord(
    "deliver", 200, 0.0042, TOLD, (EffectRecord("Load", 0.001, 0.002, failed=False),)
)


def hook(*observers: Observer) -> HttpApp:
    return HttpApp(
        world.processor(),
        auth=world.AUTH,
        read=True,
        report_schema=report_schema,
        observers=observers,
    )


def test_an_observer_is_told_of_every_request_once() -> None:
    told: list[RequestRecord] = []
    found = hook(told.append)
    for case in CASES:
        through_core(found, case)

    assert len(told) == len(CASES)
    assert {each.route for each in told} == {
        "none", "hooks", "transcription", "list", "show", "feed", "health", "ready", "describe",
    }  # fmt: skip


def test_an_observer_is_told_what_was_asked_and_found() -> None:
    told: list[RequestRecord] = []
    body = delivery("c-new", world.END)
    through_core(hook(told.append), Case("", 200, None, "POST", E21, HEADERS, body))

    [answered] = told
    assert (answered.route, answered.status) == ("hooks", 200)
    assert answered.delivery == DeliverySummary("applied", "c-new", "st-1", (("SG122", 0),))
    names = [ask.name for ask in answered.effects]
    assert names[0] == "ReadBody"
    assert names[-1] == "Save"
    assert "Load" in names
    times = [
        0.0,
        *(time for ask in answered.effects for time in (ask.began, ask.began + ask.seconds)),
    ]
    assert times == sorted(times)
    assert times[-1] <= answered.seconds


def test_an_observer_is_told_of_actions_as_well() -> None:
    told: list[RequestRecord] = []
    target = f"{E1}?conversationId=c-open"
    through_core(
        hook(told.append), Case("", 200, None, "POST", target, HEADERS, world.action("end"))
    )

    [answered] = told
    assert (answered.route, answered.delivery) == (
        "transcription",
        DeliverySummary("applied", "c-open", "st-1"),
    )


def test_a_refused_conversation_is_not_told_of() -> None:
    told: list[RequestRecord] = []
    body, target = delivery("c-1", ENTRY), E21.replace("st-1", "st-9")
    through_core(hook(told.append), Case("", 403, None, "POST", target, HEADERS, body))

    assert told[0].status == 403
    assert told[0].delivery is None


@dataclass(frozen=True)
class _XRay(Effect[int]):
    works: bool

    def perform(self) -> int:
        if not self.works:
            raise OSError
        return 7


class _Slow:
    """An authenticator that has two things done, of which one fails."""

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        del headers
        yield _XRay(works=True)
        with suppress(OSError):
            yield _XRay(works=False)
        return Problem.NO_TOKEN


def test_times_are_counted_from_the_beginning_of_the_request() -> None:
    told: list[RequestRecord] = []
    times = [100.0, 101.0, 103.0, 104.0, 108.0, 110.0]
    app = HttpApp(
        world.processor(),
        auth=_Slow(),
        report_schema=report_schema,
        observers=[told.append],
        clock=lambda: times.pop(0),
    )
    drive(app.handle(Request("POST", E21, Headers(()))))

    effects = (
        EffectRecord("XRay", 1.0, 2.0, failed=False),
        EffectRecord("XRay", 4.0, 4.0, failed=True),
    )
    assert told == [RequestRecord("hooks", 401, 10.0, None, effects)]
    assert [type(effect.failed) for effect in told[0].effects] == [bool, bool]


def test_a_failed_ask_is_told_as_failed() -> None:
    class Gone(segue.MemoryStore):
        def load(self, *_: Any) -> Any:
            raise segue.errors.StoreUnavailable("gone")

    told: list[RequestRecord] = []
    found = HttpApp(
        segue.Processor(store=Gone()),
        auth=segue.NoAuth(),
        report_schema=report_schema,
        observers=[told.append],
    )
    through_core(found, Case("", 503, None, "POST", E21, (), delivery("c", ENTRY)))

    assert [(ask.name, ask.failed) for ask in told[0].effects][-1] == ("Load", True)


def test_an_observer_that_fails_changes_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    def failing(_: RequestRecord) -> None:
        raise ZeroDivisionError("secret")

    told: list[RequestRecord] = []
    answer = through_core(
        hook(failing, told.append), Case("", 200, None, "GET", "/healthz", (), b"")
    )

    assert answer.status == 200
    assert len(told) == 1
    assert caplog.messages == ["an observer failed: ZeroDivisionError"]


def test_a_cancelled_request_is_told_to_nobody() -> None:
    told: list[RequestRecord] = []

    async def main() -> None:
        async def never(_: Any) -> Any:
            await asyncio.Event().wait()

        unit = hook(told.append).handle(Request("POST", E21, Headers(HEADERS)))
        task = asyncio.ensure_future(adrive(unit, never))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())

    assert told == []


# Logs.


def record(caplog: pytest.LogCaptureFixture, answered: RequestRecord) -> logging.LogRecord:
    with caplog.at_level(logging.INFO, "segue.http"):
        LogObserver()(answered)
    [found] = caplog.records
    return found


def test_a_line_for_people_has_the_facts(caplog: pytest.LogCaptureFixture) -> None:
    assert record(caplog, ANSWERED).getMessage() == (
        'route="deliver" status=200 milliseconds=4.2 outcome="applied" conversation="c-1" '
        'bot="st-1" findings=["SG103@4", "SG501"]'
    )


@pytest.mark.parametrize(
    ("seconds", "milliseconds"), [(1.23456, 1234.6), (0.00004, 0.0), (0.00006, 0.1), (2.0, 2000.0)]
)
def test_times_are_told_in_tenths_of_a_millisecond(
    seconds: float, milliseconds: float, caplog: pytest.LogCaptureFixture
) -> None:
    found = record(caplog, RequestRecord("health", 200, seconds, None, ()))

    line = json.loads(JsonLogFormatter().format(found))
    assert line["milliseconds"] == milliseconds


def test_ids_that_are_not_known_are_null_in_a_line(caplog: pytest.LogCaptureFixture) -> None:
    found = record(caplog, RequestRecord("deliver", 400, 0.1, DeliverySummary("unreadable"), ()))

    line = json.loads(JsonLogFormatter().format(found))
    assert (line["conversation"], line["bot"]) == (None, None)


def test_a_line_for_machines_has_the_same_facts(caplog: pytest.LogCaptureFixture) -> None:
    line = json.loads(JsonLogFormatter().format(record(caplog, ANSWERED)))

    assert datetime.fromisoformat(line.pop("time")).utcoffset() is not None
    assert line == {
        "level": "INFO",
        "logger": "segue.http",
        "route": "deliver",
        "status": 200,
        "milliseconds": 4.2,
        "outcome": "applied",
        "conversation": "c-1",
        "bot": "st-1",
        "findings": ["SG103@4", "SG501"],
    }


@pytest.mark.parametrize("text", ["a\nb", "a\r\nroute=x", "\x1b[31m", '"', "x" * 500, "\u2028"])
def test_an_id_cannot_break_a_line(text: str, caplog: pytest.LogCaptureFixture) -> None:
    answered = RequestRecord("deliver", 200, 0.1, DeliverySummary("applied", text, text), ())
    found = record(caplog, answered)

    for line in (found.getMessage(), JsonLogFormatter().format(found)):
        assert line.isprintable()
        assert len(line) < 500


@pytest.mark.parametrize(
    ("text", "told"),
    [("x" * 119, "x" * 119), ("x" * 120, "x" * 120), ("x" * 121, "x" * 119 + "…")],
)
def test_an_id_is_told_in_120_characters(
    text: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    found = record(
        caplog, RequestRecord("deliver", 200, 0.1, DeliverySummary("applied", text, text), ())
    )

    line = json.loads(JsonLogFormatter().format(found))
    assert (line["conversation"], line["bot"]) == (told, told)


def test_nothing_is_written_when_nobody_listens(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "segue.http"):
        LogObserver()(ANSWERED)

    assert caplog.records == []


def test_an_exception_is_shown_without_its_words() -> None:
    def fail() -> None:
        raise ValueError(SECRET)

    with pytest.raises(ValueError, match=SECRET) as caught:
        fail()
    error = caught.value
    made = logging.LogRecord("x", logging.ERROR, "p", 1, "it %s", ("failed",),
                             (type(error), error, error.__traceback__))  # fmt: skip
    line = json.loads(JsonLogFormatter().format(made))

    assert (line["message"], line["error"]) == ("it failed", "ValueError")
    assert "test_an_exception_is_shown_without_its_words" in line["stack"][0]
    assert SECRET not in json.dumps(line)


# Metrics and spans.


def test_metrics_count_answers_deliveries_and_findings() -> None:
    registry = CollectorRegistry()
    observer = PrometheusObserver(registry)
    for _ in range(3):
        observer(ANSWERED)
    observer(RequestRecord("none", 404, 0.0, None, ()))

    def value(name: str, **labels: str) -> float | None:
        return registry.get_sample_value(name, labels)

    assert value("segue_deliveries_total", route="deliver", outcome="applied") == 3
    assert value("segue_findings_total", code="SG103") == 3
    assert value("segue_request_seconds_count", route="none", status="404") == 1
    assert value("segue_request_seconds_sum", route="deliver", status="200") == pytest.approx(
        0.0126
    )
    assert value("segue_effect_seconds_count", effect="Load", failed="false") == 3


HELP = {
    "segue_request_seconds": "Time from the head of a request to its answer.",
    "segue_deliveries_total": "Deliveries and actions.",
    "segue_findings_total": "Findings answered.",
    "segue_effect_seconds": (
        "Time of what was done for responses: bodies read, stores called, keys fetched."
    ),
    "segue_store_up": "Whether the store answers.",
    "segue_open_conversations": "Conversations that have not ended.",
    "segue_outbox": "Callbacks not delivered yet.",
    "segue_outbox_age_seconds": "Since when the first of them waits; 0: none does.",
    "segue_dead_letters": "Callbacks given up.",
    "segue_quarantined": "Bodies that were not applied.",
    "segue_held": "Deliveries that wait for others they overtook.",
    "segue_healed": "Deliveries stored that waited and so gave no finding.",
}


def told_of(registry: CollectorRegistry) -> dict[str, str]:
    """What is said of each metric, beside its numbers."""
    lines = generate_latest(registry).decode().splitlines()
    words = [line.split(" ", 3)[2:] for line in lines if line.startswith("# HELP")]
    return {name: text for name, text in words if not name.endswith("_created")}


def test_every_metric_says_what_it_is(tmp_path: Path) -> None:
    registry, away = CollectorRegistry(), CollectorRegistry()
    PrometheusObserver(registry)
    registry.register(StoreCollector(MemoryStore()))
    away.register(StoreCollector(SqliteStore(tmp_path / "gone" / "segue.db")))

    assert told_of(registry) == HELP
    assert told_of(away) == {"segue_store_up": HELP["segue_store_up"]}


@pytest.mark.parametrize(("now", "age"), [(30, 0), (30.25, 0.25), (29, 0)])
def test_what_waits_is_never_younger_than_new(now: float, age: float) -> None:
    registry, store = CollectorRegistry(), MemoryStore()
    registry.register(StoreCollector(store, clock=lambda: at(now)))
    store.save(commit("c-1", when=at(30), messages=1))

    assert registry.get_sample_value("segue_outbox_age_seconds") == age


def test_without_a_clock_it_is_the_time_of_day() -> None:
    registry, store = CollectorRegistry(), MemoryStore()
    registry.register(StoreCollector(store))
    store.save(commit("c-1", when=datetime(2020, 1, 1, tzinfo=UTC), messages=1))

    age = registry.get_sample_value("segue_outbox_age_seconds")
    assert age is not None
    assert age > 365 * 24 * 3600


def test_what_a_store_keeps_is_told_when_somebody_asks() -> None:
    registry, store = CollectorRegistry(), MemoryStore()
    registry.register(StoreCollector(store, clock=lambda: at(90)))
    store.save(commit("c-1", when=at(30), messages=2))

    assert registry.get_sample_value("segue_store_up") == 1
    assert registry.get_sample_value("segue_open_conversations") == 1
    assert registry.get_sample_value("segue_outbox") == 2
    assert registry.get_sample_value("segue_outbox_age_seconds") == 60
    assert registry.get_sample_value("segue_dead_letters") == 0
    assert registry.get_sample_value("segue_quarantined") == 0
    for notice in store.claim("me", at(90), at(99), 10):
        store.acknowledge(notice.number, "me")
    assert registry.get_sample_value("segue_outbox_age_seconds") == 0


def test_a_store_that_does_not_answer_says_so_and_no_more(tmp_path: Path) -> None:
    registry = CollectorRegistry()
    registry.register(StoreCollector(SqliteStore(tmp_path / "gone" / "segue.db")))

    assert [metric.name for metric in registry.collect()] == ["segue_store_up"]
    assert registry.get_sample_value("segue_store_up") == 0


def spans_of(*answers: RequestRecord) -> Any:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    observer = OpenTelemetryObserver(provider.get_tracer("test"), clock=lambda: 10_000_000_000)
    for answered in answers:
        observer(answered)
    return exporter.get_finished_spans()


def test_spans_are_made_of_the_times_that_were_told() -> None:
    part, whole = spans_of(ANSWERED)

    assert (whole.name, part.name) == ("segue deliver", "segue Load")
    assert (whole.start_time, whole.end_time) == (9_995_800_000, 10_000_000_000)
    assert (part.start_time, part.end_time) == (9_996_800_000, 9_998_800_000)
    assert part.parent.span_id == whole.context.span_id
    assert (whole.kind, part.kind) == (SpanKind.SERVER, SpanKind.INTERNAL)
    assert dict(part.attributes) == {"segue.failed": False}
    assert dict(whole.attributes) == {
        "http.response.status_code": 200,
        "segue.outcome": "applied",
        "segue.conversation_id": "c-1",
        "segue.bot_id": "st-1",
        "segue.findings": ("SG103", "SG501"),
    }


GLOBAL = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from segue.server.adapters.otel import OpenTelemetryObserver
from segue.server.http import EffectRecord, RequestRecord

exporter, provider = InMemorySpanExporter(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)
effects = (EffectRecord("Load", 0.001, 0.002, failed=False),)
OpenTelemetryObserver()(RequestRecord("hooks", 200, 0.0042, None, effects))
print(*(span.instrumentation_scope.name for span in exporter.get_finished_spans()))
"""


def test_without_a_tracer_spans_go_where_the_host_sends_its_own() -> None:
    """In a process of its own, since a process has one global provider."""
    done = subprocess.run(
        [sys.executable, "-c", GLOBAL], capture_output=True, text=True, check=False
    )

    assert (done.stdout, done.stderr) == ("segue segue\n", "")


def test_ids_that_are_not_known_are_empty_in_spans() -> None:
    [span] = spans_of(RequestRecord("deliver", 400, 0.1, DeliverySummary("unreadable"), ()))

    assert span.attributes["segue.conversation_id"] == ""
    assert span.attributes["segue.bot_id"] == ""


# Nobody is told.

CANARY = "canary-9f2c"


def test_no_word_of_a_customer_and_no_secret_is_told_to_anybody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Every request of the table, and some more with words that must not be seen again."""
    words = {**world.ADA, "customFields": {"agentEmail": CANARY, "x": [CANARY]}}
    talk = {**ENTRY, "participant": words, "reason": CANARY, "x": CANARY}
    forged = Kit("HS256").token({"appId": CANARY}, key=1)
    spoken = [
        delivery("c-open", talk, query=CANARY, author={"type": "USER"}),
        delivery("c-new", talk, query=CANARY, source=CANARY),
        delivery("c-over", talk, query=CANARY),
        delivery("c-over", world.END | {"reason": CANARY}),
        b'{"conversationId":"c","query":"%b' % CANARY.encode(),
        b'{"query":"%b"}' % CANARY.encode(),
        delivery("c-1", query=CANARY),
    ]
    keyed = (*HEADERS, ("idempotency-key", "d-1"), ("cookie", CANARY))
    cases = [
        *CASES,
        *(Case("", 0, None, "POST", E21, keyed[:2], body) for body in spoken),
        *(Case("", 0, None, "POST", E21, keyed, body) for body in spoken),
        Case("", 0, None, "POST", E21, (("auth", forged),), spoken[0]),
        Case("", 0, None, "GET", f"/conversations/{CANARY * 40}", (("auth", READS),), b""),
        Case("", 0, None, "GET", f"/feed?x={CANARY}", (("auth", READS),), b""),
    ]
    registry, exporter = CollectorRegistry(), InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    found = hook(
        LogObserver(),
        PrometheusObserver(registry),
        OpenTelemetryObserver(provider.get_tracer("test")),
    )
    with caplog.at_level(logging.DEBUG):
        bodies = [
            through_core(found, case).body
            for case in cases
            if not case.target.startswith("/conversations/c-open")  # agents are shown to readers
        ]

    told = "\n".join(
        [
            *(body.decode() for body in bodies),
            *caplog.messages,
            *(JsonLogFormatter().format(each) for each in caplog.records),
            generate_latest(registry).decode(),
            *(span.to_json() for span in exporter.get_finished_spans()),
        ]
    )
    assert len(caplog.records) >= len(bodies)
    assert "c-open" in told
    for secret in (SECRET, OTHER_SECRET, SENDS, READS, THEIRS, forged, CANARY):
        assert secret not in told
