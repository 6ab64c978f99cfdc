"""What an image shows: from the channel's own labels, else from the bot's image labeller.

Calling it is left to whoever runs the turn (``data_sources``), comparing the labels to ``validations``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.engine import data_sources
from dialoom.engine.effects import Request
from dialoom.engine.interrupts import FlowBroken

if TYPE_CHECKING:
    from dialoom.engine.running_turn import RunningTurn

_WHO = "image labeller"


def labels_of(p: RunningTurn, file: Any, step: str) -> list[str] | None:
    """Case-folded; None where nothing can be known of the file."""
    if not isinstance(file, dict):
        return None
    own = file.get("labels")
    if isinstance(own, list) and own:
        return _texts(own)
    address = p.flow.bot.file.image_labeller
    if not address:
        return None
    kind, url = file.get("mimeType"), file.get("url")
    if (isinstance(kind, str) and not kind.lower().startswith("image/")) or not isinstance(url, str):
        return []
    if url not in p.labels:
        p.labels[url] = _asked(p, address, url, step)
    return p.labels[url]


def _asked(p: RunningTurn, address: str, url: str, step: str) -> list[str]:
    body = msgspec.json.encode({"url": url})

    def request(key: str) -> Request:
        return Request(
            method="POST",
            url=address,
            headers=(("Content-Type", "application/json"),),
            body=body,
            trusted_host=True,
            idempotency_key=data_sources.safe_key(key),
        )

    response = data_sources.answer(p, request, step, _WHO)
    data_sources.refuse_failure(response, step, _WHO)
    answer, _ = data_sources.document(response, step)
    found = answer.get("labels") if isinstance(answer, dict) else answer
    if not isinstance(found, list):
        raise FlowBroken(step, 'The image labeller gave no list of labels. It must answer with {"labels": [...]}.')
    return _texts(found)


def _texts(labels: list[Any]) -> list[str]:
    """Labels are texts, or objects whose ``label`` or ``name`` is one."""
    found = []
    for label in labels:
        text = label.get("label", label.get("name")) if isinstance(label, dict) else label
        if isinstance(text, str):
            found.append(text.strip().casefold())
    return found
