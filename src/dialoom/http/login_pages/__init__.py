"""Serves the pages of account linking (login.md, service-description.md section 3)."""

from dialoom.http.login_pages.endpoints import LoginPageEndpoints

__all__ = ["LoginPageEndpoints"]
