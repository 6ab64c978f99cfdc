"""Makes the interaction model of a skill from a bot: what the developer console takes under JSON Editor.

The form: developer.amazon.com/en-US/docs/alexa/smapi/interaction-model-schema.html. What samples and names may hold:
.../custom-skills/create-intents-utterances-and-slots.html and .../choose-the-invocation-name-for-a-custom-skill.html.
Carrier phrases: .../slot-type-reference.html, AMAZON.SearchQuery, which no sample may hold alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from dialoom.channels.alexa.goals import ANSWER, CATCH_ALL, expressions_of, goal_intents
from dialoom.errors import SettingError
from dialoom.flow.model import KeywordsType
from dialoom.flow.patterns.expression_slots import said_as_it_is
from dialoom.languages import base_language, channel_texts, reader_words, system_texts
from dialoom.messages.plain import plain_title
from dialoom.understanding.values import readers_for
from dialoom.understanding.values.message import message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dialoom.flow import Bot

LOCALES: Final[Mapping[str, tuple[str, ...]]] = {
    "ar": ("ar-SA",),
    "de": ("de-DE",),
    "en": ("en-US", "en-GB", "en-AU", "en-CA", "en-IN"),
    "es": ("es-ES", "es-MX", "es-US"),
    "fr": ("fr-FR", "fr-CA"),
    "it": ("it-IT",),
    "nl": ("nl-NL",),
    "pt": ("pt-BR",),
}
"""The locales of Alexa by language, of those that have texts here."""
CARRIERS: Final[Mapping[str, tuple[str, ...]]] = {
    "ar": ("أريد", "أود", "قل لي", "ما هو", "كيف", "إنه"),
    "de": (
        "ich möchte",
        "ich will",
        "ich hätte gern",
        "sag mir",
        "was ist",
        "wie",
        "wann",
        "wo",
        "es ist",
        "für",
        "nach",
    ),
    "en": (
        "I want",
        "I would like",
        "tell me",
        "what is",
        "how",
        "when",
        "where",
        "it is",
        "my",
        "for",
        "to",
        "please",
    ),
    "es": ("quiero", "quisiera", "dime", "qué es", "cómo", "cuándo", "dónde", "es", "para", "mi"),
    "fr": ("je veux", "je voudrais", "dis moi", "quel est", "comment", "quand", "où", "c'est", "pour", "mon"),
    "it": ("voglio", "vorrei", "dimmi", "qual è", "come", "quando", "dove", "è", "per", "il mio"),
    "nl": ("ik wil", "ik wil graag", "vertel me", "wat is", "hoe", "wanneer", "waar", "het is", "voor", "mijn"),
    "pt": ("eu quero", "eu gostaria", "me diga", "qual é", "como", "quando", "onde", "é", "para", "meu"),
}
"""Words that begin a sentence; what follows goes to the bot."""
BUILT_IN: Final = (
    "CancelIntent",
    "HelpIntent",
    "StopIntent",
    "NavigateHomeIntent",
    "FallbackIntent",
    "YesIntent",
    "NoIntent",
    "NextIntent",
    "PreviousIntent",
    "RepeatIntent",
    "StartOverIntent",
)
MAX_SAMPLE_CHARS: Final = 200
MAX_SAMPLES: Final = 100
"""Of one intent; more teach Alexa little."""
MAX_VALUES: Final = 2000
"""Of the one slot type; a model takes 50,000."""
MAX_VALUE_CHARS: Final = 140
"""What the developer console refuses more of (github.com/m0ngr31/kanzi/issues/263)."""
MAX_NAME_CHARS: Final = 50
MAX_GOALS: Final = 200
"""A model has at most 250 intents."""
_SPOKEN_TYPES: Final = ("Number", "Date", "Time", "Duration", "Amount")
_ANY_TIME: Final = datetime(2026, 1, 1, tzinfo=UTC)
_ANSWER_TYPE: Final = "BotAnswer"
_UNSPOKEN = re.compile(r"[^\w\s'.-]|_")
_DIGIT = re.compile(r"\d")
_NOT_IN_A_NAME = re.compile(r"[\d.-]")
_NOT_IN_NAMES: Final = frozenset({"alexa", "amazon", "echo", "computer", "skill", "app"})


def locales_of(bot: Bot) -> tuple[str, ...]:
    """Return the locales of Alexa that the bot's language is spoken in. Raises ``SettingError`` where none is."""
    language = bot.file.language
    known = LOCALES.get(base_language(language))
    if known is None:
        listed = ", ".join(sorted(LOCALES))
        raise SettingError(f'Alexa does not speak "{language}", or no texts for it are here. It speaks: {listed}.')
    named = [locale for locale in known if locale.lower() == language.replace("_", "-").lower()]
    return tuple(named) or known


def model_of(bot: Bot) -> dict[str, Any]:
    """Return the model, which is the same in all locales of the language. Raises ``SettingError``."""
    language = base_language(bot.file.language)
    locales_of(bot)
    taken: set[str] = set()
    intents: list[dict[str, Any]] = [{"name": f"AMAZON.{name}", "samples": []} for name in BUILT_IN]
    holds_value = _ValueSearch(bot)
    for name, key in [*goal_intents(bot).items()][:MAX_GOALS]:
        # An intent brings its name and not what was said: "on Thursday" would be lost.
        samples = _samples((one for one in said_as_it_is(expressions_of(bot, key)) if not holds_value(one)), taken)
        if samples:
            intents.append({"name": name, "slots": [], "samples": samples})
    intents.append(
        {
            "name": CATCH_ALL,
            "slots": [{"name": "query", "type": "AMAZON.SearchQuery"}],
            "samples": [f"{phrase} {{query}}" for phrase in CARRIERS[language]],
        }
    )
    intents.append(
        {"name": ANSWER, "slots": [{"name": "answer", "type": _ANSWER_TYPE}], "samples": ["{answer}"]},
    )
    values = [{"name": {"value": value}} for value in _values(bot)]
    model = {
        "invocationName": invocation_name(bot),
        "intents": intents,
        "types": [{"name": _ANSWER_TYPE, "values": values}],
    }
    return {"interactionModel": {"languageModel": model}}


def invocation_name(bot: Bot) -> str:
    """Return what users call the skill: letters alone, two words at least."""
    words = [word for word in _spoken(_NOT_IN_A_NAME.sub(" ", bot.name)).lower().split() if word not in _NOT_IN_NAMES]
    name = " ".join(words if len(words) > 1 else [*(words or ["my"]), "bot"])
    while len(name) > MAX_NAME_CHARS and " " in name:
        name = name.rpartition(" ")[0]
    return name[:MAX_NAME_CHARS]


class _ValueSearch:
    """Tells whether a text holds a value that a question may want."""

    def __init__(self, bot: Bot) -> None:
        self._readers = readers_for(bot.file.language)
        names = {_spoken(value).lower() for value in _keywords(bot)} - {""}
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)") if names else None

    def __call__(self, text: str) -> bool:
        if self._names is not None and self._names.search(_spoken(text).lower()):
            return True
        read = message(text, _ANY_TIME)
        return any(next(iter(self._readers[type].find(read)), None) is not None for type in _SPOKEN_TYPES)


def _samples(expressions: Iterable[str], taken: set[str]) -> list[str]:
    """Return the expressions that a sample can hold, each in one intent alone."""
    samples: list[str] = []
    for expression in expressions:
        sample = _spoken(expression)
        is_right = sample and len(sample) <= MAX_SAMPLE_CHARS and not _DIGIT.search(sample)
        if is_right and sample.lower() not in taken and len(samples) < MAX_SAMPLES:
            taken.add(sample.lower())
            samples.append(sample)
    return samples


def _values(bot: Bot) -> list[str]:
    """Return short answers: what the bot's questions offer, and what its channel and the language understand."""
    found: dict[str, str] = {}
    for value in _all_values(bot):
        text = _spoken(plain_title(value))
        if text and len(text) <= MAX_VALUE_CHARS:
            found.setdefault(text.lower(), text)
    return [*found.values()][:MAX_VALUES]


def _all_values(bot: Bot) -> Iterator[str]:
    language = bot.file.language
    yield from channel_texts(language).more
    texts = system_texts(language)
    yield from (*texts.back, *texts.skip)
    yield from reader_words(language).ordinals.places
    yield from _keywords(bot)


def _keywords(bot: Bot) -> Iterator[str]:
    """Yield the values and synonyms of the bot's own types."""
    for definition in bot.training.entity_definitions:
        if isinstance(definition, KeywordsType):
            for value in definition.data:
                yield value.value
                yield from value.synonyms


def _spoken(text: str) -> str:
    """Return a text without the signs that nobody speaks and no sample may hold."""
    return " ".join(_UNSPOKEN.sub(" ", text.replace("\u2019", "'")).split()).strip("'.- ")
