"""Metrics of what is answered, for Prometheus; needs the extra `prometheus`.

It decides names and labels.  House rule: a label has few values, none of them a sender's: routes,
statuses, outcomes, codes, kinds of asks.
"""

from segue.errors import ConfigurationError
from segue.hook import Answered

try:
    from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram
except ModuleNotFoundError as error:
    raise ConfigurationError(
        'PrometheusObserver needs prometheus-client: pip install "segue[prometheus]"'
    ) from error

__all__ = ["PrometheusObserver"]


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
