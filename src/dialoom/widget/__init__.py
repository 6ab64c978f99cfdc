"""The chat's built files: where they lie in the package. What they are is made in ``frontend/``."""

from __future__ import annotations

from pathlib import Path


def static_folder() -> Path:
    """The folder of the built files; it does not exist when the front end was not built."""
    return Path(__file__).parent / "static"
