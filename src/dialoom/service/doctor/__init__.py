"""Examines a service for ``dialoom doctor``, a file for each part; changes nothing."""
