"""The types of channels: the keys that ``bot.json`` has for each, and one row of what each can do.

The linter, the service, the login pages, the studio and the docs read the same rows. How a channel is spoken is in the
folder of ``dialoom.channels`` that its row names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args
from urllib.parse import quote

import msgspec

from dialoom.flow.parts import Described, FromEnvironment, Secret

ChannelType = Literal[
    "web",
    "mobile",
    "rest",
    "messenger-1",
    "messenger-2",
    "messenger-3",
    "voice-assistant",
    "workplace-chat",
    "directline",
]
BROWSER_SESSION_MS = 24 * 3600 * 1000
"""Milliseconds for which a browser's session is good on a channel that a page calls."""
Binding = Literal["cookie", "code", "confirm", "off"]
"""Which rule keeps a forwarded login link from being of use to its sender (login.md, The forwarded link)."""
Shown = Literal["natively", "on-page", "as-text", "as-list", "behind-button", "spoken"]
"""How a channel shows a dialog: as it is; by a link to the hosted picker page; as the question's text alone; as a
numbered list in the text; as cards that a button opens; or as speech."""


class Channel(Described, frozen=True, kw_only=True):
    """One channel of ``bot.json``. Keys that a row names belong to its type alone."""

    id: str
    type: ChannelType
    name: str | None = None
    token: Secret | None = None
    allowed_origins: tuple[str, ...] | None = None
    callback_url: str | None = None
    callback_secret: Secret | None = None
    user_secret: Secret | None = None
    user_token_algorithm: Literal["HS256", "ES256", "RS256"] | None = None
    require_user_token: bool = False
    login_from_page: bool = False
    erase_from_page: bool = False
    ask_rating: bool = False
    privacy_url: str | None = None
    consent: str | None = None
    page_id: str | None = None
    app_secret: Secret | None = None
    page_token: Secret | None = None
    verify_token: Secret | None = None
    auth_token: Secret | None = None
    uri: str | None = None
    bot_token: Secret | None = None
    bot_name: str | None = None
    webhook_secret: Secret | None = None
    skill_id: str | None = None
    app_id: str | None = None
    app_password: Secret | None = None
    tenant: str | None = None
    secret: Secret | None = None


SECRET_CHANNEL_KEYS = tuple(
    field.encode_name for field in msgspec.structs.fields(Channel) if FromEnvironment in get_args(field.type)
)
"""Keys of a channel that hold a secret."""


class ChannelRow(msgspec.Struct, frozen=True, kw_only=True):
    """What one type of channel can do."""

    type: ChannelType
    shown_as: str
    """What people call it, where its author has not named the channel."""
    folder: str
    """The package under ``dialoom.channels`` that speaks it."""
    keys: Mapping[str, str] = {}
    """The keys of ``bot.json`` that this type alone has, each with a sentence for editors."""
    optional_keys: tuple[str, ...] = ()
    """Those of them that a channel can do without."""
    is_label: bool = True
    """Flows may name it, as in ``binding``; a protocol for the clients of other platforms is no label."""
    caller: Literal["page", "program", "platform", "client"] = "platform"
    """Who calls it: our own page or widget, by sessions and events (``http.chat.web``), with a token that stands in its
    source; the author's program, with a secret token; a platform, which proves its calls itself and knows who the
    users are; or a client of another platform's protocol, which is given tokens for the author's own secret, and reads
    what is said."""
    address: str = ""
    """Where it is called, below the channel's address; what callers fill in stands in braces."""
    displays: Mapping[str, Shown] = {}
    """How it shows each dialog that it does not show natively."""
    without_images: frozenset[str] = frozenset()
    """Displays of whose options it does not show the pictures, in any form; ``login``: nor its card's."""
    max_text_chars: int | None = None
    """Characters of one message; a longer text is split. None: no limit."""
    max_buttons: int | None = None
    """Quick replies of one message, paging buttons included; more are listed in the text. None: no limit."""
    shows_markdown: bool = True
    """Texts go out as their author wrote them; else without Markdown."""
    bot_rate: str = "off"
    """How fast messages of one channel are sent, as a setting names it (``30/s burst 60``): a platform that still
    refuses some says itself when it takes the next."""
    chat_rate: str = "off"
    """How fast those of one chat are."""
    repeats_refused_calls: bool = False
    """A call that is answered with a status of 4xx its platform makes again for hours, before or beside later ones: one
    that cannot be read is answered with 200 and left out."""
    asks_for_profile: bool = False
    """Events do not say who their user is: the platform is asked, once a user."""
    answer_seconds: float | None = None
    """Seconds after which a call that waits for its turn is answered without it; None: when the turn is done."""
    binding: Binding = "confirm"
    """The rule for login links where ``settings.authentication.binding`` says nothing."""
    way_back: str | None = None
    """The address that leads from a finished login back into the platform's app; keys of the channel stand in braces.
    None: there is none, and the author's own address counts where no platform calls."""
    opens_popup: bool = False
    """Its app opens login links in a pop-up window, which the last page has the app close."""
    speaks_after_login: bool = True
    """The bot goes on by itself once a login is through, also without a ``workchat`` block."""

    def shows(self, display: str) -> Shown:
        """Return how a dialog of this type is shown."""
        return self.displays.get(display, "natively")

    def missing_keys(self, channel: Channel) -> list[str]:
        """Return the keys of this type that a channel needs and ``bot.json`` does not have."""
        needed = (key for key in self.keys if key not in self.optional_keys)
        return [key for key in needed if not getattr(channel, key.replace("-", "_"))]

    @property
    def has_token(self) -> bool:
        """Return whether the service makes a token for such a channel."""
        return self.caller in ("page", "program")

    @property
    def login_ms(self) -> int | None:
        """Return after how many milliseconds of silence a login is over with the browser's session; None where no
        browser has one."""
        return BROWSER_SESSION_MS if self.caller == "page" else None

    @property
    def is_posted_to(self) -> bool:
        """Return whether the bot's messages are answers to calls or posts; else they are read from the store."""
        return self.caller in ("program", "platform")

    @property
    def is_spoken(self) -> bool:
        """Return whether users hear what the bot says."""
        return "spoken" in self.displays.values()

    def address_after_login(self, channel: Channel) -> str | None:
        """Return the address that leads back into the platform's app; None where a key that it needs is missing."""
        if self.way_back is None:
            return None
        values = {name: getattr(channel, name) for name in (key.replace("-", "_") for key in self.keys)}
        texts = {name: text for name, text in values.items() if text and isinstance(text, str)}
        named = {name: quote(text.removeprefix("@"), safe="") for name, text in texts.items()}
        try:
            return self.way_back.format(**named)
        except KeyError:
            return None


_SPOKEN: Mapping[str, Shown] = dict.fromkeys(
    ("location-picker", "date-picker", "single-select", "multi-select", "carousel"), "spoken"
)

_ROWS = (
    ChannelRow(
        type="web",
        shown_as="Web",
        folder="web",
        caller="page",
        address="web/sessions",
        binding="cookie",
    ),
    ChannelRow(
        type="mobile",
        shown_as="App",
        folder="web",
        caller="page",
        address="web/sessions",
        binding="cookie",
    ),
    ChannelRow(
        type="rest",
        shown_as="API",
        folder="rest",
        keys={
            "callback-url": "address that later messages are posted to.",
            "callback-secret": "secret that such posts are signed with.",
        },
        optional_keys=("callback-url", "callback-secret"),
        caller="program",
        address="rest/{name}",
        binding="off",
    ),
    ChannelRow(
        type="messenger-1",
        shown_as="Messenger",
        folder="messenger",
        keys={
            "page-id": "id of the page.",
            "app-secret": "secret of the app.",
            "page-token": "access token of the page.",
            "verify-token": "the token that the platform repeats when the webhook is set up.",
        },
        address="messenger-1",
        displays={
            "location-picker": "on-page",
            "date-picker": "as-text",
            "single-select": "on-page",
            "multi-select": "as-list",
        },
        without_images=frozenset({"multi-select"}),
        # Below developers.facebook.com/documentation/business-messaging/messenger-platform: send-messages (text),
        # send-messages/quick-replies (13), overview/rate-limiting (300 calls a second a page), discovery/m-me-links.
        max_text_chars=2000,
        max_buttons=13,
        bot_rate="300/s",
        # .../webhooks: what is not answered with 200 is sent again, for 36 hours.
        repeats_refused_calls=True,
        asks_for_profile=True,
        way_back="https://m.me/{page_id}?ref=login",
    ),
    ChannelRow(
        type="messenger-2",
        shown_as="Viber",
        folder="viber",
        keys={
            "auth-token": "token of the bot account.",
            "uri": "the account's URI, for links back into the chat.",
        },
        address="messenger-2",
        displays={
            "date-picker": "as-text",
            "single-select": "on-page",
            "multi-select": "as-list",
            "carousel": "behind-button",
        },
        without_images=frozenset({"multi-select"}),
        # Below creators.viber.com/docs/bots-api: data-models/message (text), events/conversation-started (the link).
        # No page of the vendor has the most rows of buttons; phones show 24, of which one is for a link
        # (docs.mavibot.ai/chatbot/builder/buttons/limits).
        max_text_chars=7000,
        max_buttons=23,
        # developers.viber.com/docs/faq: a callback is made again several times for an hour, until it gets a 200.
        repeats_refused_calls=True,
        # How long a callback may take stands on no page: a welcome that comes later is none any more.
        answer_seconds=5.0,
        way_back="viber://pa?chatURI={uri}&context=login",
    ),
    ChannelRow(
        type="messenger-3",
        shown_as="Telegram",
        keys={
            "bot-token": "token of the bot.",
            "bot-name": "user name of the bot, for links back into the chat.",
            "webhook-secret": "the secret that the platform sends with every update.",
        },
        folder="telegram",
        address="messenger-3",
        displays={"date-picker": "on-page", "multi-select": "as-list"},
        without_images=frozenset({"quick-reply", "single-select", "multi-select"}),
        # core.telegram.org/bots/api#sendmessage: characters after entities. core.telegram.org/bots/faq: 30 messages a
        # second, which a burst and what follows it in that second stay below; in a chat one a second, short bursts
        # allowed. The link: core.telegram.org/bots/features#deep-linking.
        max_text_chars=4096,
        bot_rate="24/s burst 6",
        chat_rate="1/s burst 5",
        # core.telegram.org/bots/api#setwebhook: what gets no status of 2xx is sent again.
        repeats_refused_calls=True,
        way_back="https://t.me/{bot_name}?start=login",
    ),
    ChannelRow(
        type="voice-assistant",
        shown_as="Alexa",
        keys={"skill-id": "id of the skill."},
        folder="alexa",
        address="voice-assistant",
        displays=_SPOKEN,
        without_images=frozenset({"quick-reply", "single-select", "multi-select", "carousel", "login"}),
        shows_markdown=False,
        # Alexa waits 8 s for an answer (host-a-custom-skill-as-a-web-service.html).
        answer_seconds=6.0,
        speaks_after_login=False,
    ),
    ChannelRow(
        type="workplace-chat",
        shown_as="Microsoft Teams",
        keys={
            "app-id": "id of the app.",
            "app-password": "secret of the app.",
            "tenant": "the one tenant that may use the bot; any by default.",
        },
        folder="teams",
        optional_keys=("tenant",),
        address="workplace-chat",
        displays={"location-picker": "on-page"},
        without_images=frozenset({"single-select", "multi-select"}),
        # 100 KB in UTF-16 a message: learn.microsoft.com/microsoftteams/platform/bots/how-to/format-your-bot-messages;
        # 50/s an app and tenant, 7/s, 8 in 2 s and 60 in 30 s a thread: .../how-to/rate-limit.
        max_text_chars=20_000,
        bot_rate="50/s",
        chat_rate="1/s burst 6",
        opens_popup=True,
        speaks_after_login=False,
    ),
    ChannelRow(
        type="directline",
        shown_as="Direct Line",
        folder="directline",
        keys={"secret": "the secret that clients exchange for a token."},
        is_label=False,
        caller="client",
        address="directline/v3/directline",
        displays={"location-picker": "on-page"},
        without_images=frozenset({"single-select", "multi-select", "login"}),
    ),
)

CHANNEL_ROWS: Mapping[str, ChannelRow] = {row.type: row for row in _ROWS}
"""Every type by its name in the file."""


def row_of(channel: Channel) -> ChannelRow:
    """Return the row of a channel."""
    return CHANNEL_ROWS[channel.type]


def types_with_token() -> tuple[str, ...]:
    """Return the types whose token the service makes, in the order of the table."""
    return tuple(row.type for row in _ROWS if row.has_token)
