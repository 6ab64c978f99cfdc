"""Regular expressions as trees, written for RE2 and searched by it in linear time.

Reading them is left to whoever knows their language: history queries (PCRE2), flows (Python), selectors (RFC 9485).
"""
