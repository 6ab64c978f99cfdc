"""Reads activities of Bot Framework clients (Direct Line 3.0) as events, and writes messages as activities."""
