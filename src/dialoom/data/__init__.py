"""Calls to the outside: which addresses may be reached, and the one fetcher that reaches them."""

from dialoom.data.egress import Egress
from dialoom.data.fetcher import KINDS, Fetcher, HttpFetcher
from dialoom.data.identity import Identity

__all__ = ["KINDS", "Egress", "Fetcher", "HttpFetcher", "Identity"]
