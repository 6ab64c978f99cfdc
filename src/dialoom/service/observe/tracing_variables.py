"""Which values of the standard ``OTEL_*`` variables can be used: the SDK takes wrong ones with a trace in the log, or
without a word.

What they mean is the standard's to say; that they are only looked at where traces are sent is for ``tracing``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from dialoom.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

EXPORTER: Final = "OTEL_EXPORTER_OTLP_"
MOST: Final = 2**31 - 1
SAMPLERS: Final = (
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
)
COMPRESSIONS: Final = ("none", "gzip", "deflate")


class _Rule(NamedTuple):
    """``allowed`` ends the sentence "it is ..."."""

    fits: Callable[[str], bool]
    allowed: str
    is_shown: bool = True


def _whole(least: int) -> Callable[[str], bool]:
    def fits(text: str) -> bool:
        try:
            return least <= int(text) <= MOST
        except ValueError:
            return False

    return fits


def _between(least: float, most: float) -> Callable[[str], bool]:
    def fits(text: str) -> bool:
        try:
            return least <= float(text) <= most
        except ValueError:
            return False

    return fits


def _is_limit(text: str) -> bool:
    return not text.strip() or _whole(0)(text)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


_ADDRESS = _Rule(_is_address, "the address of a collector like http://collector:4318", is_shown=False)
_SECONDS = _Rule(_between(0.001, MOST), "a number of seconds above 0")
_COMPRESSION = _Rule(lambda text: text.lower() in COMPRESSIONS, f"one of {', '.join(COMPRESSIONS)}")
_FILE = _Rule(lambda text: Path(text).is_file(), "the path of a file that is there")
_OF_EXPORTER = {
    "ENDPOINT": _ADDRESS,
    "TIMEOUT": _SECONDS,
    "COMPRESSION": _COMPRESSION,
    "CERTIFICATE": _FILE,
    "CLIENT_KEY": _FILE,
    "CLIENT_CERTIFICATE": _FILE,
}
_COUNT = _Rule(_whole(1), f"a whole number from 1 to {MOST}")
_LIMIT = _Rule(_is_limit, f"a whole number from 0 to {MOST}, or empty for no limit")
_LIMITS = (
    "OTEL_ATTRIBUTE_COUNT_LIMIT",
    "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT",
    "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT",
    "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT",
    "OTEL_SPAN_EVENT_COUNT_LIMIT",
    "OTEL_SPAN_LINK_COUNT_LIMIT",
    "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT",
    "OTEL_LINK_ATTRIBUTE_COUNT_LIMIT",
)

RULES: Final[dict[str, _Rule]] = {
    **{EXPORTER + part + key: rule for key, rule in _OF_EXPORTER.items() for part in ("", "TRACES_")},
    "OTEL_TRACES_SAMPLER": _Rule(lambda text: text.lower() in SAMPLERS, f"one of {', '.join(SAMPLERS)}"),
    "OTEL_BSP_SCHEDULE_DELAY": _COUNT,
    "OTEL_BSP_EXPORT_TIMEOUT": _COUNT,
    "OTEL_BSP_MAX_QUEUE_SIZE": _COUNT,
    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": _COUNT,
    **dict.fromkeys(_LIMITS, _LIMIT),
}
_RATIO = _Rule(_between(0, 1), "a number from 0 to 1: the share of traces that is kept")
QUEUE, BATCH = "OTEL_BSP_MAX_QUEUE_SIZE", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"
# Of the SDK, where a variable is not set.
_DEFAULTS = {QUEUE: 2048, BATCH: 512}


def check_variables(environment: Mapping[str, str]) -> None:
    """Raises ``SettingError`` for the first that cannot be used."""
    for name, rule in RULES.items():
        value = environment.get(name)
        # An empty one of the exporter counts as not set there.
        if value is not None and (value or not name.startswith(EXPORTER)):
            _check(name, value, rule)
    if environment.get("OTEL_TRACES_SAMPLER", "").lower().endswith("traceidratio"):
        _check("OTEL_TRACES_SAMPLER_ARG", environment.get("OTEL_TRACES_SAMPLER_ARG", "1"), _RATIO)
    queue, batch = (int(environment.get(name, _DEFAULTS[name])) for name in (QUEUE, BATCH))
    if batch > queue:
        raise SettingError(
            f"{BATCH} = {batch} is not allowed with {QUEUE} = {queue}: a batch is at most as large as the queue. Set "
            f"both environment variables."
        )


def _check(name: str, value: str, rule: _Rule) -> None:
    if not rule.fits(value):
        shown = f' = "{value}"' if rule.is_shown else ""
        raise SettingError(f"{name}{shown} (environment variable) is not allowed: it is {rule.allowed}.")
