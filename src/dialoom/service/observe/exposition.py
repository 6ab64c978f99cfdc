"""Instruments as Prometheus reads them, with the figures of the process. Loaded when they are first asked for: the
library takes 14 MB and 60 ms of a start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from dialoom.service.observe.instruments import Counts, Durations, Level

CONTENT_TYPE = CONTENT_TYPE_LATEST


class Exposition:
    """Writes metrics as text, from a registry that is not shared with the process."""

    def __init__(self, instruments: Sequence[Counts | Durations | Level]) -> None:
        self._instruments = instruments
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        # Reads /proc at each scrape and keeps nothing.
        ProcessCollector(registry=self._registry)

    def text(self) -> bytes:
        """Return the text; slow, so not for the event loop."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics; called by the registry."""
        return map(_family, self._instruments)


def _family(instrument: Counts | Durations | Level) -> Metric:
    name, help, labels = instrument.name, instrument.help, instrument.labels
    if isinstance(instrument, Durations):
        durations = HistogramMetricFamily(name, help, labels=labels)
        for values, (buckets, total) in instrument.values().items():
            durations.add_metric(values, buckets, total)
        return durations
    family: CounterMetricFamily | GaugeMetricFamily
    if isinstance(instrument, Counts):
        family = CounterMetricFamily(name, help, labels=labels)
    else:
        family = GaugeMetricFamily(name, help, labels=labels)
    for values, value in instrument.values().items():
        family.add_metric(values, value)
    return family
