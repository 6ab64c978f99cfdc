"""Names: that they are written as names may be, stand once, and that what they name is there."""

from __future__ import annotations

import re
import zoneinfo
from collections import Counter
from collections.abc import Iterator

from dialoom.flow.check.known import Known, always_run
from dialoom.flow.finding import Fault
from dialoom.flow.model import BUILT_IN_TYPES
from dialoom.flow.pieces import Piece
from dialoom.flow.steps import STEP_TYPES
from dialoom.languages import LANGUAGES

# Both stand in addresses (/v1/bots/{bot}/channels/{channel}), so only characters that need no escape there.
_is_id = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}").fullmatch
_is_language = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*").fullmatch


def ids(piece: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for an ``id`` of the bot or a channel that cannot stand in an address."""
    name = piece.text("id")
    if name is not None and not _is_id(name):
        message = (
            f'"{name[:80]}" cannot stand in an address. An id has 1 to 64 letters (a-z), digits, dots, "-" and "_", '
            "and begins with a letter or digit."
        )
        yield Fault(path=piece.at("id"), message=message)


def blank_names(piece: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for an entity, a type or a conversation whose name is empty."""
    for key in ("entity", "entity-type", "name"):
        name = piece.text(key)
        if name is not None and not name.strip() and (key != "name" or piece.kind == "definition"):
            yield Fault(path=piece.at(key), message=f'"{key}" is empty. Give it a name.')
    if piece.kind == "conversation" and not str(piece.path[-1]).strip():
        yield Fault(path=piece.path, message="This conversation has no name. Give it a key.", at_key=True)


_OURS = {
    "user": "the user's profile",
    "conversation": "the key of the open goal",
    "conversationDisplayName": "the name of the open goal",
}
"""What stands in memory under names that no answer may take (flow-language.md section 5)."""


def reserved_names(step: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a question whose entity has a name that the engine or the channels give a meaning."""
    name, row = step.text("entity"), STEP_TYPES.get(step.text("type") or "")
    if name is None or row is None or not row.asks:
        return
    if name.startswith("_"):
        message = f'"{name[:80]}" begins with "_", as only names of the service do. Choose another name.'
        yield Fault(path=step.at("entity"), message=message)
    elif name in _OURS:
        message = f'"{name}" is {_OURS[name]}, which an answer must not hide. Choose another name.'
        yield Fault(path=step.at("entity"), message=message)


def languages(bot: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a ``language`` that is no BCP 47 tag."""
    language = bot.text("language")
    if language is None or _is_language(language):
        return
    meant = language.replace("_", "-")
    hint = f' Did you mean "{meant}"?' if _is_language(meant) else ' Write a tag such as "en", "de-AT" or "pt-BR".'
    message = f'"{language[:40]}" is no language tag (BCP 47).{hint}'
    yield Fault(path=bot.at("language"), message=message, slip=(language, meant if _is_language(meant) else None))


def unknown_languages(bot: Piece, _: Known) -> Iterator[Fault]:
    """Warn of a language that the service has no texts, dates or numbers for: English ones are used."""
    language = bot.text("language")
    if language and _is_language(language) and not _is_known(language.split("-")[0].lower()):
        message = f'No texts, dates or numbers are known for "{language}": English ones are used.'
        yield Fault(path=bot.at("language"), message=message)


def _is_known(language: str) -> bool:
    if language in LANGUAGES:
        return True
    from babel.localedata import exists  # 14 ms, which most bots need not pay

    return exists(language)


def timezones(settings: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a ``timezone`` that is no zone of the IANA database."""
    zone = settings.text("timezone")
    if zone is None:
        return
    try:
        zoneinfo.ZoneInfo(zone)
    # A key that is a folder of the database, an odd path or no text that a path can hold.
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        message = f'"{zone[:80]}" is no zone of the IANA database, such as "Europe/Vienna".'
        allowed = tuple(sorted(zoneinfo.available_timezones()))
        yield Fault(path=settings.at("timezone"), message=message, word=zone, allowed=allowed)


def doubled_channels(bot: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each channel with the id of another: they would share their addresses."""
    yield from _doubled(bot, "channels", "id", "channel")


def doubled_definitions(training: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each entity definition with the name of another."""
    yield from _doubled(training, "entity-definitions", "name", "entity definition")


def _doubled(piece: Piece, key: str, name_key: str, noun: str) -> Iterator[Fault]:
    members = [
        (index, item[name_key])
        for index, item in enumerate(piece.list(key))
        if isinstance(item, dict) and isinstance(item.get(name_key), str)
    ]
    counts = Counter(name for _, name in members)
    seen = set()
    for index, name in members:
        if counts[name] > 1 and name in seen:
            message = f'There is a {noun} "{name}" already. Give each its own {name_key}.'
            yield Fault(path=piece.at(key, index, name_key), message=message)
        seen.add(name)


def built_in_names(definition: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a definition with the name of a built-in type. ``Conversation`` may be defined, as a trait
    only."""
    name = definition.text("name")
    if name == "Conversation":
        strategy = definition.text("lookup-strategy")
        if strategy not in (None, "trait"):
            message = f'"Conversation" selects a conversation and must be a trait, not "{strategy}".'
            yield Fault(path=definition.at("lookup-strategy"), message=message, allowed=("trait",))
    elif name in BUILT_IN_TYPES:
        yield Fault(path=definition.at("name"), message=f'"{name}" is a built-in type. Choose another name.')


def entity_types(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for an ``entity-type`` that is neither built in nor defined in training.json."""
    name, allowed = step.text("entity-type"), known.entity_types
    if name and allowed is not None and name not in allowed:
        message = f'"{name}" is no entity type: training.json does not define it, and it is not built in.'
        yield Fault(path=step.at("entity-type"), message=message, word=name, allowed=allowed)


def conversations(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a conversation step or a command ``go-to`` that names no conversation of the flow."""
    kind = step.text("type")
    if kind == "conversation" and (name := step.text("conversation")) is not None:
        yield from _no_conversation(step.at("conversation"), name, known)
    elif kind == "command":
        words = (step.text("command") or "").split(maxsplit=1)
        if len(words) == 2 and words[0] == "go-to":
            yield from _no_conversation(step.at("command"), words[1].strip(), known)


def helping_conversations(settings: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a conversation of ``misunderstood`` that the flow does not have."""
    helping = settings.value.get("misunderstood")
    name = helping.get("conversation") if isinstance(helping, dict) else None
    if isinstance(name, str):
        yield from _no_conversation(settings.at("misunderstood", "conversation"), name, known)


def endless_runs(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a step without conditions that runs its own conversation in place, or one that always runs that
    again: it never ends."""
    name, own = always_run(step), str(step.path[1])
    if name is not None and (name == own or own in known.runs.get(name, ())):
        way = "itself" if name == own else f'"{name}", which runs "{own}" again,'
        message = f'"{own}" runs {way} in place, and never ends. Remove the step, or give it "conditions".'
        yield Fault(path=step.at("conversation"), message=message)


def _no_conversation(path: tuple[str | int, ...], name: str, known: Known, *more: str) -> Iterator[Fault]:
    """Yield a fault when ``name`` is no conversation (``more`` are further legal names)."""
    if known.conversations is not None and name not in known.conversations and name not in more:
        message = f'"{name}" is no conversation of this flow.'
        yield Fault(path=path, message=message, word=name, allowed=(*known.conversations, *more))


def trait_conversations(value: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a value of the trait ``Conversation`` that is no conversation's key, nor ``restart`` for the
    command."""
    name = value.text("value")
    if name is not None and value.owner is not None and value.owner.text("name") == "Conversation":
        yield from _no_conversation(value.at("value"), name, known, "restart")


def credentials(source: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for an ``authentication-method`` that names no credential of bot.json."""
    name = source.text("authentication-method")
    if name is not None and known.credentials is not None and name not in known.credentials:
        # A token may have been pasted here, so that the value is not shown.
        message = "This is no name of a credential of bot.json."
        yield Fault(path=source.at("authentication-method"), message=message, word=name, allowed=known.credentials)


def live_agents(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a ``live-agent`` that bot.json has no address for. Where bot.json has none at all, any name is
    allowed: it only says who takes over."""
    name = step.text("live-agent")
    if name is not None and known.live_agents and name not in known.live_agents:
        message = f'"{name}" is none of the live-agents of bot.json.'
        yield Fault(path=step.at("live-agent"), message=message, word=name, allowed=known.live_agents)
