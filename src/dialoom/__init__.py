"""A self-hosted conversational bot service."""

__version__ = "0.1.0"
