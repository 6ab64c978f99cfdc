"""The public face of values: what they stand for, how they print and how they compare."""

from dialoom.template.comparing import equal, order, read_number
from dialoom.template.kinds import (
    MISSING,
    Bare,
    DateText,
    DatetimeText,
    Missing,
    Shown,
    TimeText,
    is_there,
    is_true,
    standing,
    unshown,
)
from dialoom.template.printing import json_text, number_text, outward, plain_text, print_value, whole

__all__ = [
    "MISSING",
    "Bare",
    "DateText",
    "DatetimeText",
    "Missing",
    "Shown",
    "TimeText",
    "equal",
    "is_there",
    "is_true",
    "json_text",
    "number_text",
    "order",
    "outward",
    "plain_text",
    "print_value",
    "read_number",
    "standing",
    "unshown",
    "whole",
]
