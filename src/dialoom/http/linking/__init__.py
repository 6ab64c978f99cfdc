"""The pages of account linking (login.md, service-description.md section 3)."""

from dialoom.http.linking.endpoints import ROUTES, LinkingEndpoints

__all__ = ["ROUTES", "LinkingEndpoints"]
