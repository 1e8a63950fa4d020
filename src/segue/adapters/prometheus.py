"""Metrics of what is answered and of what is kept, for Prometheus; needs the extra `prometheus`.

It decides names and labels.  House rule: a label has few values, none of them a sender's: routes,
statuses, outcomes, codes, kinds of asks.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from segue.errors import ConfigurationError, StoreUnavailable
from segue.http import Answered
from segue.processor import Store

try:
    from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.registry import Collector
except ModuleNotFoundError as error:
    raise ConfigurationError(
        'PrometheusObserver needs prometheus-client: pip install "segue[prometheus]"'
    ) from error

__all__ = ["PrometheusObserver", "StoreCollector"]


class PrometheusObserver:
    """Counts answers, deliveries and findings, and measures how long things took.

    Pass it as one of `observers=`, and show its registry the way your host does. The time of a
    commit is that of the ask `Save`.
    """

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self._requests = Histogram(
            "segue_request_seconds",
            "Time from the head of a request to its answer.",
            ("route", "status"),
            registry=registry,
        )
        self._deliveries = Counter(
            "segue_deliveries", "Deliveries and actions.", ("route", "outcome"), registry=registry
        )
        self._findings = Counter(
            "segue_findings", "Findings answered.", ("code",), registry=registry
        )
        self._asks = Histogram(
            "segue_ask_seconds",
            "Time of what was done for answers: bodies read, stores asked, keys fetched.",
            ("ask", "failed"),
            registry=registry,
        )

    def __call__(self, answered: Answered) -> None:
        """Count one answer."""
        self._requests.labels(answered.route, str(answered.status)).observe(answered.seconds)
        for ask in answered.asks:
            self._asks.labels(ask.name, str(ask.failed).lower()).observe(ask.seconds)
        told = answered.told
        if told is not None:
            self._deliveries.labels(answered.route, told.outcome).inc()
            for code, _ in told.findings:
                self._findings.labels(code).inc()


def _now() -> datetime:
    return datetime.now(tz=UTC)


class StoreCollector(Collector):
    """Says how much there is in a store whenever metrics are asked for.

    Register it: `REGISTRY.register(StoreCollector(store))`, once for all processes on one store. A
    store that cannot be asked is told by `segue_store_up`, and nothing else is said of it then.
    """

    def __init__(self, store: Store, *, clock: Callable[[], datetime] = _now) -> None:
        self._store, self._clock = store, clock

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Name nothing beforehand, so that registering asks no store."""
        yield from ()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Ask the store."""
        try:
            vitals = self._store.vitals()
        except StoreUnavailable:
            yield GaugeMetricFamily("segue_store_up", "Whether the store answers.", 0)
            return
        yield GaugeMetricFamily("segue_store_up", "Whether the store answers.", 1)
        yield GaugeMetricFamily(
            "segue_open_conversations", "Conversations that have not ended.", vitals.open
        )
        yield GaugeMetricFamily("segue_outbox", "Callbacks not delivered yet.", vitals.waiting)
        since, now = vitals.waiting_since, self._clock()
        yield GaugeMetricFamily(
            "segue_outbox_age_seconds",
            "Since when the first of them waits; 0: none does.",
            0 if since is None else max(0.0, (now - since).total_seconds()),
        )
        yield GaugeMetricFamily("segue_dead_letters", "Callbacks given up.", vitals.dead)
        yield GaugeMetricFamily(
            "segue_quarantined", "Bodies that were not applied.", vitals.quarantined
        )
