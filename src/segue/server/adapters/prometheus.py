"""Metrics of requests and of a store for Prometheus. It needs the extra `prometheus`.

The labels are routes, statuses, outcomes, codes of findings and names of effects. They have few
values, and a sender cannot add new ones.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final

from segue.core.errors import ConfigurationError, StoreUnavailable
from segue.server.http import RequestRecord
from segue.server.processor import Store

try:
    from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.registry import Collector
except ModuleNotFoundError as error:
    raise ConfigurationError(
        'PrometheusObserver needs prometheus-client: pip install "segue[prometheus]"'
    ) from error


class PrometheusObserver:
    """Counts requests, deliveries and findings, and measures the durations of requests and effects.

    Pass an instance to an adapter in `observers=`, and let your host expose the registry. The
    effect `Save` is the commit of a delivery to the store.
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
        self._effects = Histogram(
            "segue_effect_seconds",
            "Time of what was done for responses: bodies read, stores called, keys fetched.",
            ("effect", "failed"),
            registry=registry,
        )

    def __call__(self, request: RequestRecord) -> None:
        """Update the metrics for one answered request, its delivery and its effects."""
        self._requests.labels(request.route, str(request.status)).observe(request.seconds)
        for effect in request.effects:
            self._effects.labels(effect.name, str(effect.failed).lower()).observe(effect.seconds)
        delivery = request.delivery
        if delivery is not None:
            self._deliveries.labels(request.route, delivery.outcome).inc()
            for code, _ in delivery.findings:
                self._findings.labels(code).inc()


_AGE: Final = "Since when the first of them waits; 0: none does."


def _now() -> datetime:
    return datetime.now(tz=UTC)


class StoreCollector(Collector):
    """Collects the current numbers of a store at every scrape, such as that of open conversations.

    Register it with `REGISTRY.register(StoreCollector(store))`, in only one of the processes that
    share the store. If the store does not answer, `segue_store_up` is 0 and the other metrics are
    missing.
    """

    def __init__(self, store: Store, *, clock: Callable[[], datetime] = _now) -> None:
        self._store, self._clock = store, clock

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Yield no metrics, so that registering the collector does not call the store."""
        yield from ()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics of the store, such as `segue_open_conversations`."""
        try:
            stats = self._store.stats()
        except StoreUnavailable:
            yield GaugeMetricFamily("segue_store_up", "Whether the store answers.", 0)
            return
        since, now = stats.waiting_since, self._clock()
        age = 0 if since is None else max(0.0, (now - since).total_seconds())
        for name, text, value in (
            ("segue_store_up", "Whether the store answers.", 1),
            ("segue_open_conversations", "Conversations that have not ended.", stats.open),
            ("segue_outbox", "Callbacks not delivered yet.", stats.waiting),
            ("segue_outbox_age_seconds", _AGE, age),
            ("segue_dead_letters", "Callbacks given up.", stats.dead),
            ("segue_quarantined", "Bodies that were not applied.", stats.quarantined),
            ("segue_held", "Deliveries that wait for others they overtook.", stats.held),
            ("segue_healed", "Deliveries stored that waited and so gave no finding.", stats.healed),
        ):
            yield GaugeMetricFamily(name, text, value)
