"""The studio's endpoints."""
