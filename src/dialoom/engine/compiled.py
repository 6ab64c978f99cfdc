"""What a flow is compiled to: every template, selector and endpoint read once, every conversation laid out as nodes.

Making it is left to ``compile``, running it to ``steps``.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo
from typing import Any, Generic, Literal, TypeGuard, TypeVar

import msgspec
from typing_extensions import TypeIs

from dialoom.engine.state import Choice, OwnQuestionKind, State
from dialoom.flow.model import Bot, Misunderstood
from dialoom.flow.patterns import AuthorPattern
from dialoom.flow.steps import StepType
from dialoom.languages import SystemTexts
from dialoom.template import Endpoint, Header, Payload, Scope, Selector, Template
from dialoom.understanding import Recogniser
from dialoom.understanding.asked_counts import AskedCount
from dialoom.understanding.shared_values import SlotExpression

MAX_NESTED_CONVERSATIONS = 10
"""Conversations inside each other (flow-language.md section 5, rule 10)."""
NO_MEMORY = Scope({})
"""What a text without expressions is rendered with: then the view of memory need not be made."""

Texts = tuple[tuple[Template, ...], ...]
"""Alternatives, each a sequence of one or more texts."""

DisplayKind = Literal["quick-reply", "location-picker", "date-picker", "single-select", "multi-select", "carousel"]


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A ``data-source``: a request when ``endpoint`` is there, else the entity of that name."""

    endpoint: Endpoint | None = None
    entity: str | None = None
    method: str = "GET"
    headers: tuple[tuple[str, Header], ...] = ()
    secret_headers: tuple[tuple[str, str], ...] = ()
    payload: Payload | Template | None = None
    """A template when the payload is one text, which goes out as it is."""
    content_type: str = ""
    """The flow's own ``Content-Type``, lower case; empty without one."""
    has_own_key: bool = False
    """True if the flow gives an ``Idempotency-Key`` header."""
    is_full: bool = False
    selector: Selector | None = None
    credential: str | None = None
    timeout: float = 10.0
    names: frozenset[str] = frozenset()


class OptionForm(msgspec.Struct, frozen=True):
    """The templates that make an option of an element."""

    title: Template | None = None
    value: Template | None = None
    subtitle: Template | None = None
    image: Template | None = None
    latitude: Template | None = None
    """Of a place, whose value is made of this and of the longitude."""
    longitude: Template | None = None

    @property
    def parts(self) -> tuple[Template, ...]:
        every = (self.title, self.value, self.subtitle, self.image, self.latitude, self.longitude)
        return tuple(part for part in every if part is not None)

    @property
    def names(self) -> frozenset[str]:
        return frozenset[str]().union(*(part.names for part in self.parts))

    @property
    def root_names(self) -> frozenset[str]:
        """Return the names that it reads from memory when an element is its context."""
        return frozenset[str]().union(*(part.root_names for part in self.parts))


class Days(msgspec.Struct, frozen=True):
    """Which days a date-picker offers."""

    least: Template | None = None
    most: Template | None = None
    off: Payload | None = None
    """A list of days and weekdays."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A ``display``: its options and the form they are shown in."""

    kind: DisplayKind
    origin: Literal["none", "data", "source", "type"] = "none"
    data: tuple[Any, ...] = ()
    """Elements of ``data``: plain values with a form, option forms without one."""
    source: Source | None = None
    form: OptionForm | None = None
    title: Template | None = None
    button_text: Template | None = None
    days: Days | None = None
    fixed: tuple[Choice, ...] | None = None
    """The options, where they are the same for everybody."""
    names: frozenset[str] = frozenset()
    """Entities that the options depend on."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A validation of an answer."""

    kind: Literal["phone", "email", "regex", "length", "range", "match", "image", "custom"]
    errors: Texts = ()
    region: str | None = None
    pattern: AuthorPattern | None = None
    least: Template | None = None
    most: Template | None = None
    values: Payload | None = None
    labels: frozenset[str] = frozenset()
    """Of which an image must have one, case-folded."""
    condition: Template | None = None
    source: Source | None = None
    names: frozenset[str] = frozenset()
    """Entities that the outcome depends on, the question's own left out."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    entity: str
    type: str
    texts: Texts = ()
    offer: Offer | None = None
    takes_many: bool = False
    is_explicit: bool = False
    is_optional: bool = False
    names: tuple[str, ...] = ()
    """Words that users have for it, as the author wrote them."""
    currency: str | None = None
    """Of a bare number, where it asks for an amount."""
    counts: AskedCount = AskedCount()
    """What a question for a number counts: persons, whole things."""
    checks: tuple[Check, ...] = ()
    acknowledgements: Texts = ()
    ambiguities: Texts = ()
    suggestions: Texts = ()
    check_names: frozenset[str] = frozenset()


class Message(msgspec.Struct, frozen=True):
    texts: Texts
    offer: Offer | None = None


class Webhook(msgspec.Struct, frozen=True):
    source: Source
    entity: str | None
    texts: Texts


class Confirmation(msgspec.Struct, frozen=True):
    entity: str
    texts: Texts
    style: Literal["", "normal", "danger"] = ""
    """How its yes looks; empty without a display."""


class EntitiesConfirmation(msgspec.Struct, frozen=True):
    entity: str
    entities: tuple[str, ...]
    """Those that are reviewed."""
    texts: Texts


class InPlace(msgspec.Struct, frozen=True):
    """A ``conversation`` step; the steps of the other conversation are the nodes that follow it."""

    conversation: str


class TooDeep(msgspec.Struct, frozen=True):
    """Stands where conversations run in place too deep inside each other, and stops the flow."""


class GoTo(msgspec.Struct, frozen=True):
    conversation: str


class Invalidate(msgspec.Struct, frozen=True):
    entities: tuple[str, ...]


class SetEntity(msgspec.Struct, frozen=True):
    entity: str
    data: Payload | Template


class StaySilent(msgspec.Struct, frozen=True):
    minutes: float
    """0: as long as the setting says."""
    agent: str | None = None
    """The live agent who takes over."""


class Logout(msgspec.Struct, frozen=True):
    pass


Command = GoTo | Invalidate | SetEntity | StaySilent | Logout

_READING = frozenset({"GET", "HEAD"})


def is_acting(step: Step) -> bool:
    """Return whether the step does what nobody can take back: calls a service that may change something, falls silent
    for a person, logs out (flow-language.md section 3, on a guess)."""
    if isinstance(step, Webhook):
        return step.source.endpoint is not None and step.source.method.upper() not in _READING
    return isinstance(step, StaySilent | Logout)


Step = Question | Message | Webhook | Confirmation | EntitiesConfirmation | InPlace | TooDeep | Command
"""A compiled step. One that gives an entity a value has its name as ``entity``."""
Asking = Question | Confirmation | EntitiesConfirmation
"""The steps that ask the user and wait for an answer."""

StepT_co = TypeVar("StepT_co", bound=Step, covariant=True)


class StepNode(msgspec.Struct, Generic[StepT_co], frozen=True, kw_only=True):
    """One step where it stands in a conversation whose inner conversations are laid out in place."""

    index: int
    after: int
    """Index of the node to go on at when the step is passed over: behind all that runs inside of it."""
    path: str
    """``conversation/index`` of the step, as authors and records name it."""
    type: StepType
    """The row of its type."""
    step: StepT_co
    conditions: tuple[Template, ...] = ()
    fills: str | None = None
    """The entity that the step gives a value."""
    is_protected: bool = False
    """True if it, or a step that it runs inside of, needs a login."""


Node = StepNode[Step]
QuestionNode = StepNode[Question]
AskingNode = StepNode[Asking]


def is_question(node: Node) -> TypeIs[QuestionNode]:
    return isinstance(node.step, Question)


def asks(node: Node) -> TypeGuard[AskingNode]:
    return node.type.asks


class CompiledConversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation that can run, and what is looked up in it at every message."""

    key: str
    is_goal: bool
    display_name: str
    nodes: tuple[Node, ...]
    questions: tuple[QuestionNode, ...]
    """Its question steps in order."""
    fillable: tuple[QuestionNode, ...]
    """Those that take a value: a question of a QnA type takes none."""
    fillers: dict[str, int]
    """Entity to the index of the first node that fills it."""
    question_entities: frozenset[str]
    types: tuple[str, ...]
    """Entity types that a message to this conversation is searched for."""
    words: frozenset[str] = frozenset()
    """The words of its key, its display name and its expressions."""
    expressions: tuple[frozenset[str], ...] = ()
    """Each of these without the words of a wish."""
    clauses: tuple[frozenset[str], ...] = ()
    """The words of each clause of its expressions that denies nothing."""
    denying: tuple[frozenset[str], ...] = ()
    """Those of each clause such as "it does not work"."""
    slot_expressions: tuple[SlotExpression, ...] = ()
    """Those with slots, which say what two values of one type are."""
    asks_on_a_guess: bool = True
    """True if it asks before it acts where it was understood with less than ``Flow.act_threshold``."""


class Dynamic(msgspec.Struct, frozen=True):
    """The ``dynamic-data`` of a keywords type; both texts are rendered with an element as their context."""

    source: Source
    value: Template
    synonyms: tuple[Template, ...] = ()


class Login(msgspec.Struct, frozen=True):
    """The part of ``settings.authentication`` that a chat needs."""

    entity: str
    texts: Texts
    title: Template
    image: Template | None = None
    acknowledgements: Texts = ()
    is_refreshed: bool = False
    """True if an expired login is renewed without a word, where that can be done."""
    has_workchat: bool = False
    """True if workplace-chat can go on by itself after a login."""
    forget_ms: int | None = None
    """Milliseconds of silence after which it is forgotten; None: it lives until it expires or the user logs out."""


class Commands(msgspec.Struct, frozen=True):
    """Phrases, normalised, and the labels of the paging buttons."""

    restart: frozenset[str]
    next_page: frozenset[str]
    previous_page: frozenset[str]
    next_label: str
    previous_label: str
    back: frozenset[str] = frozenset()
    stop: frozenset[str] = frozenset()
    skip: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ("", "", "")
    """The first phrases of back, skip and restart, "" for one that has none."""


class Flow(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that can run: all that ``turn`` reads beside state and event."""

    bot: Bot
    language: str
    scripts: dict[str, CompiledConversation]
    recogniser: Recogniser
    system: SystemTexts
    yes_no: tuple[Choice, ...]
    """The options of a confirmation."""
    commands: Commands
    invalid_replies: Texts
    failure_texts: Texts
    return_texts: Texts
    not_a_yes: Texts
    stopped: Texts
    own_questions: Mapping[OwnQuestionKind, Texts]
    """What the service asks by itself."""
    misunderstood: Misunderstood | None
    act_threshold: float
    """Below this confidence a conversation asks before it acts."""
    sure_names: Mapping[tuple[str, ...], str]
    """Keys, display names and expressions as words without the words of a wish, to the conversation that each names."""
    offered_goals: tuple[Choice, ...]
    """The goals that users can start by their words, as suggestions."""
    starting_names: Mapping[tuple[str, ...], str]
    """Those of them that start a goal which has no expressions of its own."""
    timezone: str
    zones: Mapping[str, tzinfo]
    """The flow's own and, with ``use-user-timezone``, all there are: looking for one reads a file, and no turn may."""
    uses_user_timezone: bool
    session_ms: int
    silence_minutes: float
    persistent: frozenset[str]
    remembered: frozenset[str]
    """Entities whose past values matter: a question of theirs has ``suggestions``."""
    displays: dict[str, Template]
    """Entity to its ``entity-display``."""
    display_names: frozenset[str]
    """Entities that the display of another one reads."""
    custom_types: frozenset[str]
    always_sought: tuple[str, ...]
    """Types that every message is searched for: the trait ``Conversation`` and the QnA types."""
    qna_types: frozenset[str]
    answers: dict[tuple[str, str], Texts]
    """QnA type and value to the answers."""
    expressions: Mapping[tuple[str, str], str]
    """Likewise to the first expression, by which an answer is offered."""
    ssml_answers: dict[tuple[str, str], Texts]
    """Likewise to the answers for channels that speak, where there are some."""
    sense_types: frozenset[str]
    """Types that are read from a sentence as a whole: traits and QnA."""
    login: Login | None = None
    asks_places: bool = False
    """A question is for a ``Location``, so that the names of towns are needed."""
    dynamic: Mapping[str, Dynamic] = {}
    """Keywords types whose values an endpoint gives."""
    own_types: Mapping[str, tuple[str, ...]] = {}
    """Goals to the types of the bot's own that no other conversation asks for."""

    def open_node(self, state: State) -> Node | None:
        """Return the node that asked the open question; None if there is none, or the state is of a version that had
        other steps."""
        if state.ask is None or not state.stack:
            return None
        script = self.scripts.get(state.stack[-1].key)
        if script is None or not 0 <= state.ask.node < len(script.nodes):
            return None
        return script.nodes[state.ask.node]

    def general_failure(self) -> str:
        """Return a ``general-failure`` text that reads no memory, for errors of the engine itself."""
        for template in (template for texts in self.failure_texts for template in texts):
            if template.is_constant:
                return template.text(NO_MEMORY)
        return self.system.general_failure[0] if self.failure_texts else ""
