"""What the bot says where it must say something: when it did not understand, when an answer fails, when it asks."""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.flow.check.known import Known, plain
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import Piece
from dialoom.languages import system_texts

_UNSAID = {
    "invalid-replies": "a user whom the bot does not understand only hears the question again, or nothing at all",
    "general-failure": "the user hears nothing when something breaks, and waits",
}


def silent_settings(settings: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each reply that an empty list takes away; a missing key gets its default."""
    for key, consequence in _UNSAID.items():
        if key in settings.value and not _says_something(settings.value[key]):
            message = f'"{key}" has no text: {consequence}. Add a text, or leave the key out to get its default.'
            yield Fault(path=settings.at(key), message=message)


def silent_validations(validation: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a validation without an error message: it drops an answer without a word."""
    if not _says_something(validation.value.get("error-message")):
        message = 'There is no "error-message": an answer that fails is dropped without a word. Say what is wanted.'
        yield Fault(path=validation.path, message=message)


def silent_questions(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a question that shows nothing, unless another step gives its value or it has conditions: that
    may be meant."""
    name = step.text("entity") or ""
    if step.text("type") != "question" or _says_something(step.value.get("messages")) or step.list("conditions"):
        return
    if "display" not in step.value and len(known.whole.writers.get(name, ())) == 1:
        message = 'This question has no text and no display: the user does not see what is wanted. Add "messages".'
        yield Fault(path=step.path, message=message)


_PLACEHOLDERS = frozenset(
    {
        "Write here what the bot says.",
        "Write here what the bot asks.",
        "Schreiben Sie hier, was der Bot sagt.",
        "Schreiben Sie hier, was der Bot fragt.",
    }
)
"""What the studio writes into a new step (``frontend/src/studio/build/words.ts``)."""


def placeholders(step: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each text of a new step that its author has not replaced."""
    for index, text in enumerate(step.list("messages")):
        if isinstance(text, str) and text.strip() in _PLACEHOLDERS:
            message = "This is what the studio wrote into the new step, and users would read it. Write the bot's words."
            yield Fault(path=step.at("messages", index), message=message)


def silent_answers(value: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a value of a QnA that has no answer."""
    if value.owner is None or value.owner.text("lookup-strategy") != "QnA":
        return
    is_spoken = known.is_only_spoken and _says_something(value.value.get("ssmlAnswers"))
    if not _says_something(value.value.get("answers")) and not is_spoken:
        yield Fault(path=value.path, message='This question has no answer: nothing is said. Add "answers".')


def _says_something(texts: object) -> bool:
    if isinstance(texts, list):
        return any(map(_says_something, texts))
    return isinstance(texts, str) and bool(texts.strip())


# ---- phrases of RESTART ------------------------------------------------------------------------------------------


def restart_options(flow: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each option of a question that is a phrase of RESTART: typed, it makes the bot forget
    everything."""
    phrases = restart_phrases(known)
    for display in known.whole.of_kind("display"):
        step = display.step
        if step is None or step.text("type") != "question" or display.file != flow.file:
            continue
        for index, option in enumerate(display.list("data")):
            said = option.get("value", option.get("title")) if isinstance(option, dict) else option
            if isinstance(said, str) and plain(said) in phrases:
                yield Fault(path=display.at("data", index), message=_forgets(said))


def restart_values(_: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each value, synonym or expression that is a phrase of RESTART: as a whole message it restarts
    the bot."""
    phrases = restart_phrases(known)
    for value in known.whole.of_kind("value"):
        owner = value.owner
        if owner is None or (owner.text("name") == "Conversation" and value.text("value") == "restart"):
            continue
        if owner.text("lookup-strategy") == "keywords" and plain(value.text("value") or "") in phrases:
            yield Fault(path=value.at("value"), message=_forgets(value.text("value") or ""))
        for key in ("synonyms", "expressions"):
            for index, text in enumerate(value.list(key)):
                if isinstance(text, str) and plain(text) in phrases:
                    yield Fault(path=value.at(key, index), message=_forgets(text))


def _forgets(text: str) -> str:
    return (
        f'"{text[:80]}" is a phrase of RESTART: whoever types it makes the bot forget everything. Choose another word, '
        "or other phrases in commands."
    )


def restart_phrases(known: Known) -> frozenset[str]:
    """Return the phrases of RESTART; ``settings.commands`` wins over ``commands``."""
    commands = {one.path: one.value for one in known.whole.of_kind("commands")}
    for path in (("settings", "commands"), ("commands",)):
        phrases = commands.get(path, {}).get("RESTART")
        if isinstance(phrases, list):
            return frozenset(plain(one) for one in phrases if isinstance(one, str))
    return frozenset(map(plain, system_texts(known.language).restart))
