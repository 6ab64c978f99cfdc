"""Serves the studio's endpoints."""
