"""Templates and conditions: Handlebars over memory, with typed values and the product's own helpers."""

from dialoom.template.endpoint import Endpoint, compile_endpoint
from dialoom.template.frame import Scope
from dialoom.template.header import Header, compile_header
from dialoom.template.kinds import MISSING, is_true
from dialoom.template.locales import prepare
from dialoom.template.payload import Payload, compile_payload
from dialoom.template.selector import Selector, compile_selector
from dialoom.template.template import Template, compile

__all__ = [
    "MISSING",
    "Endpoint",
    "Header",
    "Payload",
    "Scope",
    "Selector",
    "Template",
    "compile",
    "compile_endpoint",
    "compile_header",
    "compile_payload",
    "compile_selector",
    "is_true",
    "prepare",
]
