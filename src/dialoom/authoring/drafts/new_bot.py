"""Makes new bots from examples: a copy with an id and a name of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import dialoom
from dialoom.authoring.drafts.bot_folder import texts_of
from dialoom.flow.positions import scan

TEMPLATES = {"blank": "blank", "appointment": "clinic", "shop": "shop", "faq": "library"}
"""Name of a template -> the example that it is."""


def example_folder(name: str) -> Path | None:
    """Return the example's folder: inside the installed package, or beside the sources of a checkout."""
    package = Path(dialoom.__file__).resolve().parent
    for parent in (package, package.parent.parent):
        folder = parent / "examples" / name
        if (folder / "bot.json").is_file():
            return folder
    return None


def id_of(name: str) -> str:
    """Return the id nearest to a folder's name: letters, digits, dots, ``-`` and ``_``, as ``bot.json`` wants it."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:64] or "bot"


def with_id(bot_json: str, new: str) -> str:
    """Return the same text with another ``id``; everything else stays as its author laid it out."""
    document = scan(bot_json)
    start = document.offset(("id",))
    old = json.dumps(document.value["id"], ensure_ascii=False)
    return document.text[:start] + json.dumps(new) + document.text[start + len(old) :]


def files_of_new_bot(template: str, id: str, name: str, language: str) -> dict[str, str] | None:
    """Return the texts of a new bot by file name, with its conversation tests; None where this installation lacks the
    example. The bot calls itself by its name. ``language``: of a blank one; the others have that in which their texts
    are written."""
    folder = example_folder(TEMPLATES[template])
    if folder is None:
        return None
    files = texts_of(folder)
    own: dict[str, Any] = {"id": id, "name": name}
    if template == "blank":
        own["language"] = language
    bot = json.loads(files["bot.json"].removeprefix("\ufeff"))
    if "name" in bot and "{{" not in name:  # which would be a template in its texts
        old, new = (json.dumps(one, ensure_ascii=False)[1:-1] for one in (bot["name"], name))
        files = {file: text.replace(old, new) for file, text in files.items()}
        bot = json.loads(files["bot.json"].removeprefix("\ufeff"))
    files["bot.json"] = json.dumps(own | {key: bot[key] for key in bot if key not in own}, indent=2, ensure_ascii=False)
    files["bot.json"] += "\n"
    return files
