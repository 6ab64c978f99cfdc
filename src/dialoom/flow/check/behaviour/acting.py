"""Finds where a bot acts, or falls silent, without the user's having been asked or told."""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.flow.check.behaviour.reach import facts_of_step
from dialoom.flow.check.behaviour.saying import restart_phrases
from dialoom.flow.check.known import Known, plain
from dialoom.flow.check.whole import target
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import Piece

_ASKING = ("question", "confirmation", "entities-confirmation")
_LEADS_ON = (*_ASKING, "conversation")
_ONLY_READ = ("GET", "HEAD")
SEVERAL = 2
"""Questions before a confirmation: of fewer it is plain what a no means ("Shall I cancel C-1001?")."""


def acts(step: Piece) -> bool:
    """Return whether the step is one that acts (flow-language.md section 3)."""
    if step.text("type") == "webhook":
        source = step.value.get("data-source")
        method = source.get("method") if isinstance(source, dict) else None
        return isinstance(method, str) and method.upper() not in _ONLY_READ
    return _command(step) in ("stay-silent", "logout")


def _command(step: Piece) -> str:
    words = (step.text("command") or "").split() if step.text("type") == "command" else []
    return words[0] if words else ""


def dead_ends(conversation: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a confirmation before a step that acts, whose "no" ends the goal or acts as well, although
    there are several answers that the user may have wanted to change."""
    if conversation.text("type") != "goal":
        return
    steps = known.whole.steps_of(str(conversation.path[-1]))
    for index, step in enumerate(steps):
        entity, following = step.text("entity"), steps[index + 1 :]
        if step.text("type") != "confirmation" or entity is None or not any(map(acts, following)):
            continue
        if sum(before.text("type") == "question" for before in steps[:index]) < SEVERAL:
            continue
        consequence = _after_no(entity, following, known)
        if consequence is not None:
            message = (
                f"After a no {consequence}, and the user cannot change an answer. Ask what to change where "
                f"{{{{$not {entity}}}}} holds, or forget the answers there with invalidate-entity."
            )
            yield Fault(path=step.path, message=message)


def _after_no(entity: str, following: list[Piece], known: Known) -> str | None:
    """Return what a no leads to; None where a question or a step back comes first."""
    for step in following:
        if _wants_yes(step, entity, known):
            continue
        if step.text("type") in _LEADS_ON or _command(step) in ("go-to", "invalidate-entity"):
            return None
        if acts(step) and not step.list("conditions"):
            return "the bot acts all the same"
    return "the goal is over"


def _wants_yes(step: Piece, entity: str, known: Known) -> bool:
    """Return whether the step runs only after a yes."""
    return any(
        fact.name == entity and (fact.kind == "true" or (fact.kind, fact.value) in (("eq", True), ("ne", False)))
        for fact in facts_of_step(step, known)
    )


def started_on_a_guess(conversation: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a conversation that acts before it asks anything, and starts on a guess."""
    if conversation.text("on-a-guess") != "start" or not _acts_first(str(conversation.path[-1]), known, set()):
        return
    message = (
        "It acts before it asks anything, and starts where it was only guessed that the user wants it. Leave "
        '"on-a-guess" out, so that the user is asked, or ask something first.'
    )
    yield Fault(path=conversation.at("on-a-guess"), message=message)


def _acts_first(key: str, known: Known, seen: set[str]) -> bool:
    """Return whether a step that acts may come before the first question that is always asked."""
    seen.add(key)
    for step in known.whole.steps_of(key):
        name = target(step)
        if acts(step) or (name is not None and name not in seen and _acts_first(name, known, seen)):
            return True
        if step.text("type") in _ASKING and not step.list("conditions"):
            return False
    return False


def silent_without_return(conversation: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a ``stay-silent`` before which no text of the conversation says by which words the bot comes
    back."""
    phrases = restart_phrases(known)
    said: list[str] = []
    for step in known.whole.steps_of(str(conversation.path[-1])):
        said.extend(_texts(step.value.get("messages")))
        if _command(step) != "stay-silent" or not phrases:
            continue
        if not any("{{" in text or any(f" {phrase} " in f" {plain(text)} " for phrase in phrases) for text in said):
            message = (
                "No text before this says how the user comes back to the bot while it is silent. Say it, for example: "
                f'Write "{min(phrases)}" to talk to the bot again.'
            )
            yield Fault(path=step.path, message=message)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for one in value if isinstance(value, list) else ():
        yield from _texts(one)
