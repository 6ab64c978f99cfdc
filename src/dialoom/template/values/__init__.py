"""The public face of values: what they stand for, how they print and how they compare."""

from dialoom.template.values.comparing import equal, order, read_number
from dialoom.template.values.printing import json_text, json_value, number_text, payload_value, plain_text, print_value
from dialoom.template.values.types import (
    MISSING,
    CustomValue,
    DateText,
    DatetimeText,
    DisplayedValue,
    Missing,
    TimeText,
    is_there,
    is_true,
    single_value,
    without_display,
)

__all__ = [
    "MISSING",
    "CustomValue",
    "DateText",
    "DatetimeText",
    "DisplayedValue",
    "Missing",
    "TimeText",
    "equal",
    "is_there",
    "is_true",
    "json_text",
    "json_value",
    "number_text",
    "order",
    "payload_value",
    "plain_text",
    "print_value",
    "read_number",
    "single_value",
    "without_display",
]
