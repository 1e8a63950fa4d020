"""Spans of what is answered, for OpenTelemetry; needs the extra `otel`.

It decides names and attributes of spans.  House rules: a span tells ids, codes and times, never a
text; it stands below whatever span the host has open.  Exporting is the host's business.
"""

from collections.abc import Callable
from time import time_ns

from segue.errors import ConfigurationError
from segue.http import Answered

try:
    from opentelemetry.trace import SpanKind, Tracer, get_tracer, set_span_in_context
except ModuleNotFoundError as error:
    raise ConfigurationError(
        'OpenTelemetryObserver needs opentelemetry-api: pip install "segue[otel]"'
    ) from error

__all__ = ["OpenTelemetryObserver"]

_NANOSECONDS = 1_000_000_000


class OpenTelemetryObserver:
    """Makes a span of every answer, with one below it for everything that was done for it.

    Pass it as one of `observers=`. Without a `tracer` it takes the global one.
    """

    def __init__(self, tracer: Tracer | None = None, clock: Callable[[], int] = time_ns) -> None:
        self._tracer = tracer or get_tracer("segue")
        self._clock = clock

    def __call__(self, answered: Answered) -> None:
        """Make the spans of one answer."""
        end = self._clock()
        start = end - round(answered.seconds * _NANOSECONDS)
        span = self._tracer.start_span(
            f"segue {answered.route}", kind=SpanKind.SERVER, start_time=start
        )
        span.set_attribute("http.response.status_code", answered.status)
        if answered.told is not None:
            told = answered.told
            span.set_attribute("segue.outcome", told.outcome)
            span.set_attribute("segue.conversation_id", told.conversation_id or "")
            span.set_attribute("segue.bot_id", told.bot_id or "")
            span.set_attribute("segue.findings", [code for code, _ in told.findings])
        below = set_span_in_context(span)
        for ask in answered.asks:
            began = start + round(ask.began * _NANOSECONDS)
            part = self._tracer.start_span(f"segue {ask.name}", below, start_time=began)
            part.set_attribute("segue.failed", ask.failed)
            part.end(began + round(ask.seconds * _NANOSECONDS))
        span.end(end)
