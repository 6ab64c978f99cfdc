"""What the engine keeps of a chat between turns. A turn gives back another state and shares what stayed the same.

Reading and writing it is left to the rooms of the engine, storing it to the service.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dialoom.engine.events import Event, Fetched


class Frame(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """An open conversation. Steps are named by their index in ``CompiledConversation.nodes``."""

    key: str
    ran: tuple[int, ...] = ()
    """Messages, webhooks and commands that have run."""
    recheck: tuple[int, ...] = ()
    """Questions whose validations the walk checks again."""
    reoffer: tuple[int, ...] = ()
    """Questions whose value must still be among the options that are offered."""
    inherited: tuple[str, ...] = ()
    """Entities that a conversation left by a ``go-to`` has asked for; forgotten when this one completes."""
    reviewed: int = -1
    """The question or confirmation that the user chose at an entities-confirmation: it is asked although it has a
    value, and keeps that until it is answered. -1: none."""
    declined: tuple[int, ...] = ()
    """Questions whose suggested value was answered already: from then on they are asked as they stand."""
    unsure: tuple[tuple[int, list[Any]], ...] = ()
    """Question to the values that fitted it equally; they are offered when the walk reaches it, until it has one."""
    given: tuple[str, ...] = ()
    """Entities that had no value until the user gave one here: what a support conversation forgets at its end."""
    answered: tuple[int, ...] = ()
    """Questions and confirmations in the order in which they were answered, since the last step that acted outside."""


class Choice(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """An option as it was offered. ``element`` is what it was made from, where that counts as the value's metadata."""

    title: str
    value: Any
    subtitle: str | None = None
    image: str | None = None
    element: Any = None


class Ask(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """The open question, always one of the topmost conversation."""

    node: int
    number: int
    """Of this asking; the keys of its options begin with it."""
    choices: tuple[Choice, ...] | None = None
    """Snapshot of the options; None when they stand in the flow itself."""
    start: int = 0
    """The first option of the page that is shown."""
    is_ambiguity: bool = False
    """The options are the values that fitted, not those of the display."""
    is_suggestion: bool = False
    """A past value is suggested, and the options are Yes and No."""


class SuggestionPages(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """The replies of a message, where they are more than a page holds, and what is needed to show another page."""

    choices: tuple[Choice, ...]
    step: str
    """Path of the message's step."""
    text: str
    """The message's last text, which stands above each page."""
    start: int = 0
    """Of the page that is shown."""


OwnQuestionKind = Literal["stop", "guess", "which", "change", "meant"]


Wish = tuple[str, str]
"""What a sentence as a whole may ask for: the trait ``Conversation`` or a QnA type, and the value."""


class NextWish(msgspec.Struct, frozen=True, array_like=True):
    """A goal that the user wished for beside an answer."""

    key: str
    text: str
    """The words for it, whose values are its own."""
    said_at: int
    """When, as milliseconds since 1970: "tomorrow" is the day after that day."""


class OwnQuestion(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """A question that the service asks by itself, above what is open: whether to stop, whether a guess is right, which
    question a message names, whether a text corrects an answer, which of two wishes was meant. Any other answer takes
    it away."""

    kind: OwnQuestionKind
    number: int
    """Of this asking, as of ``Ask``."""
    choices: tuple[Choice, ...]
    text: str = ""
    """The message that was guessed at, that names several questions, may correct an answer or was not understood."""
    nodes: tuple[int, ...] = ()
    """The questions that the options stand for."""
    key: str = ""
    """Of the conversation that it is about."""
    wishes: tuple[Wish, ...] = ()
    """What the options but the last stand for, where wishes are offered."""


class Failures(msgspec.Struct, frozen=True, array_like=True):
    """The step that failed last."""

    step: str
    count: int
    """How often in a row."""
    event: str
    """The id of the event with the first try: a service is called again with the key of that."""


class Pending(msgspec.Struct, frozen=True):
    """A turn that waits for an outside call: its event and the results so far, from which it is run again."""

    event: Event
    results: dict[str, Fetched]


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """One chat. The dictionaries are never changed once a state holds them."""

    entities: dict[str, Any] = {}
    """Short-term memory, what records show as ``Data.entities``."""
    kinds: dict[str, str] = {}
    """Entity to the type that its value was read as, where that decides how it prints."""
    context: dict[str, Any] = {}
    """What pages and clients have told; entities of the same name hide it."""
    past: dict[str, list[Any]] = {}
    """Long-term memory: the values of the last two completed runs, latest first."""
    stack: tuple[Frame, ...] = ()
    """Open conversations, the running one last."""
    ask: Ask | None = None
    asks: int = 0
    """How often anything was asked in this chat."""
    suggested: tuple[Choice, ...] = ()
    """The replies under the bot's last message where they answer no question; of several pages the shown one."""
    over_at: int = 0
    """When the session times out if nothing more is heard; 0 between two sessions. The moment and not the last
    activity, so that another version of the flow ends it at the same time."""
    login_over_at: int = 0
    """When the login is forgotten if nothing more is heard; 0: it lives until it expires or the user logs out."""
    is_welcomed: bool = False
    """True if the opening of this session is done."""
    silent_until: int = 0
    is_login_awaited: bool = False
    """What runs has asked for the login and waits for it at a protected step."""
    is_login_unsaid: bool = False
    """A login has come of which the user was told nothing yet: the channel lets the bot answer messages only."""
    has_record: bool = False
    """True if something was said since the last record ended."""
    has_had_goal: bool = False
    """True if the open record has had a goal."""
    pending: Pending | None = None
    own: OwnQuestion | None = None
    misses: int = 0
    """Messages in a row that were not understood at the open question, or with nothing open."""
    failures: Failures | None = None
    suggestion_pages: SuggestionPages | None = None
    next_wishes: tuple[NextWish, ...] = ()
    """What the user wished for beside answers: the first starts when the open goal has ended."""


EMPTY = State()


def begin() -> State:
    """Return the state of a chat in which nothing was ever said."""
    return EMPTY
