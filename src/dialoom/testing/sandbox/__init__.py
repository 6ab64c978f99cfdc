"""The sandbox of ``dialoom run --sandbox``: stand-ins for a bot's channels, and one page to play their users on."""

from dialoom.testing.sandbox.sandbox import Sandbox

__all__ = ["Sandbox"]
