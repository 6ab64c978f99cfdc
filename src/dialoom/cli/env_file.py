"""Reads a file of variables as systemd reads ``EnvironmentFile=``: a command then sees what a service's unit does."""

from __future__ import annotations

import re
from pathlib import Path

from dialoom.errors import SettingError

# systemd.exec(5), EnvironmentFile=: quotes count only at the beginning of a value, a backslash continues a line, lines
# that begin with # or ; are comments, and no variable is put in.
_QUOTED = r"""(?:"(?:\\.|[^"\\])*"|'[^']*')[ \t]*"""
_LINE = re.compile(
    rf"[ \t]*(?:[#;][^\n]*|(?P<name>[A-Za-z_]\w*)[ \t]*=[ \t]*"
    rf"(?P<quoted>(?:{_QUOTED})*)(?P<bare>(?:\\.|[^\n\\])*))?(?:\n|\Z)",
    re.DOTALL | re.ASCII,
)
_PART = re.compile(r"""\\\n|\\([\\"`$])|(\\?.)""", re.DOTALL)


def read_env_file(file: Path) -> dict[str, str]:
    """Return the variables of a file. Raises ``SettingError`` that names the line and shows nothing of it, since it may
    be a secret."""
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise SettingError(
            f"{file} cannot be read: {error.strerror}. Name a file of lines KEY=value that the user who gives this "
            f"command may read."
        ) from error
    except UnicodeDecodeError as error:
        raise SettingError(f"{file} is not in UTF-8. Save it as UTF-8.") from error
    variables: dict[str, str] = {}
    at = 0
    while at < len(text):
        found = _LINE.match(text, at)
        if found is None:
            raise SettingError(f"{file}:{text.count(chr(10), 0, at) + 1} is no line KEY=value. Comments begin with #.")
        at = found.end()
        if name := found["name"]:
            variables[name] = _unquoted(found["quoted"]) + _unescaped(found["bare"].rstrip())
    return variables


def _unquoted(text: str) -> str:
    parts = [part.rstrip() for part in re.findall(_QUOTED, text, re.DOTALL)]
    return "".join(part[1:-1] if part[0] == "'" else _PART.sub(r"\1\2", part[1:-1]) for part in parts)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: "" if found[1] == "\n" else found[1], text, flags=re.DOTALL)
