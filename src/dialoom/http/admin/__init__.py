"""Serves the endpoints for operators: health, metrics, dead letters, entity types."""
