"""All that the product says and understands by itself: one data file a language.

``<code>.json`` has a language's texts and the words of its readers, ``partial/<code>.json`` the words of one that has
no texts. A file is read when a bot of its language is compiled, never in a turn. How its words are used is left to
``understanding``, which knows more languages from libraries. ``docs/do/add-a-language.md`` says how to add one.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from dialoom.languages.sections import (
    ChannelTexts,
    Counted,
    Currencies,
    LoginTexts,
    Ordinals,
    Refusals,
    RefusalText,
    Replies,
    Roles,
    SystemTexts,
    Vocabulary,
    Words,
    compounds,
)

__all__ = [
    "FOLDER",
    "LANGUAGES",
    "PARTIAL",
    "ChannelTexts",
    "Counted",
    "Currencies",
    "Language",
    "LoginTexts",
    "Ordinals",
    "ReaderWords",
    "RefusalText",
    "Refusals",
    "Replies",
    "Roles",
    "SystemTexts",
    "Words",
    "base_language",
    "channel_texts",
    "chat_texts",
    "currencies",
    "language_of_texts",
    "load_login_texts",
    "login_texts",
    "reader_words",
    "system_texts",
]

FOLDER = Path(__file__).parent
LANGUAGES = tuple(sorted(path.stem for path in FOLDER.glob("[a-z][a-z].json")))
"""The languages that have texts of their own."""
PARTIAL = tuple(sorted(path.stem for path in (FOLDER / "partial").glob("*.json")))
"""Those that messages are read in with words of ours, without texts."""


class ReaderWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the readers know of a language: the content of a file in ``partial``."""

    words: Words | None = None
    roles: Roles | None = None
    """Without them the English ones count."""
    ordinals: Ordinals = Ordinals()
    counted: Counted | None = None
    correcting: frozenset[str] = frozenset()
    """Words that beside a value only say that it is meant, mostly instead of another: "no wait", "I meant"."""
    replies: Replies = Replies()
    vocabulary: Vocabulary | None = None


class Language(ReaderWords, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a language's file."""

    system: SystemTexts
    login: LoginTexts
    channel: ChannelTexts
    chat: dict[str, str]
    """The words of the chat, its dialogs and the picker page, which the front end's build takes out of here."""


_Content = TypeVar("_Content", bound=ReaderWords)
_File = TypeVar("_File", bound=msgspec.Struct)
_NOTHING = ReaderWords()


class _LoginPart(msgspec.Struct, frozen=True):
    login: LoginTexts


def base_language(tag: str) -> str:
    """Return the language of a BCP 47 tag without script and region: ``de`` of ``de-AT``."""
    return tag.replace("_", "-").split("-")[0].lower()


def language_of_texts(tag: str) -> str:
    """Return the language that the service speaks for this tag: its base language, English where that has no texts."""
    base = base_language(tag)
    return base if base in LANGUAGES else "en"


def system_texts(tag: str) -> SystemTexts:
    """Return the service's own texts for a BCP 47 tag, English ones where its language has none."""
    return _language(language_of_texts(tag)).system


def chat_texts(tag: str) -> dict[str, str]:
    """Return the words of the chat for a BCP 47 tag, by their names, English ones where its language has none."""
    return _language(language_of_texts(tag)).chat


def channel_texts(tag: str) -> ChannelTexts:
    """Return what channels say by themselves for a BCP 47 tag, in English where its language has none."""
    return _language(language_of_texts(tag)).channel


def reader_words(tag: str) -> ReaderWords:
    """Return what the files know of a tag's language for its readers; nothing for a language without a file."""
    base = base_language(tag)
    if base in LANGUAGES:
        return _language(base)
    return _partial(base) if base in PARTIAL else _NOTHING


def login_texts(tag: str) -> LoginTexts:
    """Return the texts of the login's pages for a BCP 47 tag, English ones where its language has none."""
    return load_login_texts()[language_of_texts(tag)]


@cache
def load_login_texts() -> dict[str, LoginTexts]:
    """Return the texts of the login's pages in every language. A service calls this when it starts: a page that knows
    no bot speaks the browser's language, whichever it is, and no request waits for a file."""
    return {code: _decode(FOLDER / f"{code}.json", _LoginPart).login for code in LANGUAGES}


@cache
def currencies() -> Currencies:
    """Return how currencies are written in every language."""
    return _decode(FOLDER / "currencies.json", Currencies)


@cache
def _language(code: str) -> Language:
    return _with_compounds(_decode(FOLDER / f"{code}.json", Language))


@cache
def _partial(code: str) -> ReaderWords:
    return _with_compounds(_decode(FOLDER / "partial" / f"{code}.json", ReaderWords))


def _decode(path: Path, content: type[_File]) -> _File:
    try:
        return msgspec.json.decode(path.read_bytes(), type=content)
    except msgspec.DecodeError as error:
        raise ValueError(f"{path}: {error}. What a language's file holds stands in {__name__}.sections.") from error


def _with_compounds(content: _Content) -> _Content:
    words, ordinals = content.words, content.ordinals
    if words is not None and words.stems:
        made = {name: compounds(getattr(words, name), words.stems) for name in ("numbers", "ordinals", "months")}
        words = msgspec.structs.replace(words, **made, stems={})
    if ordinals.stems:
        ordinals = msgspec.structs.replace(ordinals, places=compounds(ordinals.places, ordinals.stems), stems={})
    return msgspec.structs.replace(content, words=words, ordinals=ordinals)
