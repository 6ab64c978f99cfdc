"""What the bot says as speech (SSML) and as the card of the phone's app, within Alexa's limits.

Sources below developer.amazon.com/en-US/docs/alexa/custom-skills: request-and-response-json-reference.html (speech and
card of 8000 characters; answer of 120 KB, 24 KB on older pages: the smaller counts).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from xml.parsers.expat import ExpatError, ParserCreate
from xml.sax.saxutils import escape, unescape

import msgspec

from dialoom.channels._contract.fit import clipped, plain_text, split
from dialoom.channels.alexa.requests import Attributes
from dialoom.languages import channel_texts
from dialoom.messages.plain import plain_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.messages import BotMessage, Option
    from dialoom.service.chat.transcript import Spoken
    from dialoom.service.outbox.bot_channel import BotChannel

MAX_SSML_BYTES: Final = 7500
"""Bytes of the speech of one answer: below its limit in characters, so that with the card and the words around them it
stays below the 24 KB of an answer."""
MAX_REPROMPT_CHARS: Final = 300
MAX_TITLES: Final = 5
"""Options of a list that are spoken at once; the next are heard with "more"."""
_OPEN, _CLOSE = "<speak>", "</speak>"
_ELEMENTS: Final = frozenset(
    {
        "amazon:domain",
        "amazon:effect",
        "amazon:emotion",
        "audio",
        "break",
        "emphasis",
        "lang",
        "p",
        "phoneme",
        "prosody",
        "s",
        "say-as",
        "speak",
        "sub",
        "voice",
        "w",
    }
)
"""Of speech-synthesis-markup-language-ssml-reference.html."""
_TAG = re.compile("<[^>]*>")
_UNSPEAKABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML may not hold (XML 1.0 section 2.2)."""

_QUOTES: Final = {'"': "&quot;", "'": "&apos;"}


def answer_of(spoken: Sequence[Spoken], bot_channel: BotChannel, *, is_over: bool) -> bytes:
    """Return the answer that says these messages, or the first part of them. With nothing to say the skill closes."""
    first, last = (spoken[0].id, spoken[-1].id) if spoken else ("", "")
    over = is_over or _asks_login(spoken)
    return _part(spoken, Attributes(first=first, last=last, over=over), bot_channel)


def later_part(spoken: Sequence[Spoken], attributes: Attributes, bot_channel: BotChannel) -> bytes:
    """Return the answer that says the part of these messages that comes next. Where they are not kept any more the
    skill closes."""
    return _part(spoken, attributes, bot_channel)


def _part(spoken: Sequence[Spoken], attributes: Attributes, bot_channel: BotChannel) -> bytes:
    """Return the answer with the part of the messages that ``attributes`` names."""
    words = channel_texts(bot_channel.language)
    said = _without_repeats(spoken)
    texts = [_text(one, bot_channel.language) for one in said]
    pages = [page for one in said for page in _later_pages(one, bot_channel.language)]
    reprompt = next((text for text in reversed(texts) if text), "")
    if _asks_login(spoken):
        texts.append(words.link_account)
    parts = (*_cut("\n".join(text for text in texts if text)), *pages)[attributes.part :]
    text, has_more = (parts[0] if parts else ""), len(parts) > 1
    ends = not has_more and (attributes.over or not text)
    if has_more:
        text, reprompt = f"{text}\n{words.say_more}", words.say_more
    response: dict[str, Any] = {"shouldEndSession": ends}
    if text:
        response["outputSpeech"] = _speech(text)
        response["card"] = {
            "type": "Simple",
            "title": bot_channel.bot.name,
            "content": clipped(_words(text), MAX_SSML_BYTES),
        }
    if _asks_login(spoken) and attributes.part == 0:
        response["card"] = {"type": "LinkAccount"}
    if not ends:
        response["reprompt"] = {
            "outputSpeech": _speech((split(_words(reprompt), MAX_REPROMPT_CHARS) or [_words(text)])[-1])
        }
    following = msgspec.structs.replace(attributes, part=attributes.part + 1)
    return _answer(response, following if has_more else Attributes())


def _asks_login(spoken: Sequence[Spoken]) -> bool:
    return any(one.message.dialog is not None and one.message.dialog.type == "login" for one in spoken)


def working(bot_channel: BotChannel) -> bytes:
    """Return the answer where the turn takes longer than Alexa waits."""
    speech = _speech(channel_texts(bot_channel.language).working)
    response = {"outputSpeech": speech, "reprompt": {"outputSpeech": speech}, "shouldEndSession": False}
    return _answer(response, Attributes(waits=True))


def closing() -> bytes:
    """Return the answer that closes the skill without a word."""
    return _answer({"shouldEndSession": True}, Attributes())


def silent() -> bytes:
    """Return the answer to a request that takes none."""
    return _answer({}, Attributes())


def ssml(text: str) -> str:
    """Return a text as SSML, a paragraph a line."""
    lines = (line.strip() for line in _UNSPEAKABLE.sub("", text).split("\n"))
    return f"<speak>{''.join(_marked(line) for line in lines if line)}</speak>"


def _marked(line: str) -> str:
    """Return a line as a paragraph; one that an author wrote as SSML as it is."""
    if _is_ssml(line):
        return line.removeprefix(_OPEN).removesuffix(_CLOSE)
    return f"<p>{escape(_words(line), _QUOTES)}</p>"


def _is_ssml(line: str) -> bool:
    """Return whether a line is SSML that Alexa takes: well-formed, with elements that it knows."""
    if not (line.startswith(_OPEN) and line.endswith(_CLOSE)):
        return False
    names: list[str] = []
    parser = ParserCreate()
    parser.StartElementHandler = lambda name, _: names.append(name)
    try:
        parser.Parse(line.encode(), True)
    except ExpatError:
        return False
    return names.count("speak") == 1 and _ELEMENTS.issuperset(names)


def _words(text: str) -> str:
    """Return a text without the marks of lines that are SSML, for cards and for what cannot be spoken as SSML."""
    lines = text.split("\n")
    return "\n".join(unescape(_TAG.sub("", one)) if one.startswith(_OPEN) else one for one in lines)


def _answer(response: dict[str, Any], attributes: Attributes) -> bytes:
    return msgspec.json.encode({"version": "1.0", "sessionAttributes": attributes, "response": response})


def _speech(text: str) -> dict[str, str]:
    return {"type": "SSML", "ssml": ssml(text)}


def _without_repeats(spoken: Sequence[Spoken]) -> list[Spoken]:
    """Leave out a message that a later one of the same answer repeats: a question that is asked again because the user
    came back, behind the result that waited with it."""
    return [one for place, one in enumerate(spoken) if not any(_is_same(one, later) for later in spoken[place + 1 :])]


def _is_same(one: Spoken, other: Spoken) -> bool:
    return one.message.text == other.message.text and _titles(one) == _titles(other)


def _titles(one: Spoken) -> list[str]:
    return [option.title for option in (*one.message.replies, *_listed(one.message))]


def _text(one: Spoken, language: str) -> str:
    """Return a message as it is spoken, with the first options of a list."""
    message = one.message
    is_marked = message.text.startswith(_OPEN)
    lines = [" ".join(message.text.split()) if is_marked else plain_text(message.text)]
    if message.replies:
        lines.append(_options(message.replies, language))
    if options := _listed(message):
        lines.append(_options(options[:MAX_TITLES], language))
    return "\n".join(lines).strip()


def _later_pages(one: Spoken, language: str) -> list[str]:
    """Return the texts of the options that are heard with "more"."""
    options = _listed(one.message)
    starts = range(MAX_TITLES, len(options), MAX_TITLES)
    return [_options(options[start : start + MAX_TITLES], language) for start in starts]


def _listed(message: BotMessage) -> tuple[Option, ...]:
    """Return the options of a dialog; a login has none."""
    return () if message.dialog is None else message.dialog.options


def _cut(text: str) -> list[str]:
    """Return a text in pieces of which each fits into one answer, cut behind a sentence."""
    most = MAX_SSML_BYTES
    pieces = split(text, most)
    while any(len(ssml(piece).encode()) > MAX_SSML_BYTES for piece in pieces):
        most = most * 2 // 3
        pieces = split(text, most)
    return pieces


def _options(options: Sequence[Option], language: str) -> str:
    words = channel_texts(language)
    titles = [
        ", ".join(filter(None, (plain_title(option.title), plain_title(option.subtitle or "")))) for option in options
    ]
    # Titles such as "Tue, Mar 2" would run together between commas.
    between = "; " if any("," in title for title in titles) else ", "
    listed = titles[0] if len(titles) == 1 else f"{between.join(titles[:-1])} {words.or_} {titles[-1]}"
    return words.you_can_say.replace("{options}", listed)
