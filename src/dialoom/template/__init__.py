"""Templates and conditions: Handlebars over memory, with typed values and the product's own helpers."""

from dialoom.template.formats import prepare
from dialoom.template.frame import Scope
from dialoom.template.requests.endpoint import Endpoint, compile_endpoint
from dialoom.template.requests.payload import Header, Payload, compile_header, compile_payload
from dialoom.template.requests.selector import Selector, compile_selector, strict_form
from dialoom.template.template import Template, compile
from dialoom.template.values.types import MISSING, is_true

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
    "strict_form",
]
