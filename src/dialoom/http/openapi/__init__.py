"""Describes the HTTP interface: the OpenAPI document and the page made from it."""
