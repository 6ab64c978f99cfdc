"""Holds what all channels share: their protocol, limits of inbound calls, fitting outbound texts, picker pages."""
