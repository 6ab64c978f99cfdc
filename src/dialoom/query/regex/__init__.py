"""Reads the regular expressions of history queries (PCRE2 in UTF mode). Trees and RE2 belong in ``dialoom.regex``."""
