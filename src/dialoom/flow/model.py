"""The words of the three files of a bot, one to one, as frozen structs.

What is allowed beyond the types (which key goes with which, dangling names) is left to ``flow.read``; how a step runs
is left to the engine. The JSON Schemas for editors are made from these classes, so a key exists once: here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

T = TypeVar("T")

Json = Any
"""A JSON value: dict, list, str, int, float, bool or None."""

MAX_MINUTES = 5_256_000
"""Ten years of 365 days. Moments so far away can still be written as dates, and nobody waits longer."""
MAX_DAYS = 36_500

Texts = tuple[str | tuple[str, ...], ...]
"""Alternatives, one chosen at random; an entry that is itself a list is a sequence of messages."""


class Described(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """What every object of the language may carry besides its own keys."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    note: str | UnsetType = UNSET


class FromEnvironment(Described, frozen=True, kw_only=True):
    """A secret that stands in an environment variable: ``{"env": "BOT_..."}``."""

    env: str


Secret = str | FromEnvironment


# ---- bot.json ----------------------------------------------------------------------------------------------------

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


class Channel(Described, frozen=True, kw_only=True):
    """One channel of ``bot.json``; keys of single platforms are allowed on their type only."""

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


class BasicCredential(Described, frozen=True, kw_only=True, tag_field="type", tag="basic"):
    username: Secret
    password: Secret
    url_prefix: str | None = None


class BearerCredential(Described, frozen=True, kw_only=True, tag_field="type", tag="bearer"):
    token: Secret
    url_prefix: str | None = None


class CertificateCredential(Described, frozen=True, kw_only=True, tag_field="type", tag="client-certificate"):
    certificate: Secret
    key: Secret
    url_prefix: str | None = None


Credential = BasicCredential | BearerCredential | CertificateCredential


class BotFile(Described, frozen=True, kw_only=True):
    """``bot.json``."""

    id: str
    name: str | None = None
    language: str = "en"
    avatar: str | None = None
    channels: tuple[Channel, ...] | None = None
    access_token: Secret | None = None
    credentials: dict[str, Credential] = {}
    live_agents: dict[str, str] = {}
    image_labeller: str | None = None
    retention_days: Annotated[int, Meta(ge=1, le=MAX_DAYS)] | None = None


# ---- data-source and display -------------------------------------------------------------------------------------


class DataSource(Described, frozen=True, kw_only=True):
    """``data-source``: a request (``endpoint``) or a value in memory (``entity``)."""

    endpoint: str | None = None
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    headers: dict[str, Secret] = {}
    payload: Json | UnsetType = UNSET
    response: Literal["body", "full"] = "body"
    selector: str | None = None
    entity: str | None = None
    authentication_method: str | None = None
    timeout: Annotated[float, Meta(gt=0, le=30)] | None = None
    """Seconds for all tries of a call together; 10 when absent, at most 30."""


class OptionTemplate(Described, frozen=True, kw_only=True):
    title: str | None = None
    subtitle: str | None = None
    image: str | None = None
    value: str | None = None


class QuickReply(Described, frozen=True, kw_only=True, tag_field="type", tag="quick-reply"):
    data: tuple[Json, ...] | None = None
    data_source: DataSource | None = None
    template: str | OptionTemplate | None = None


class LocationPicker(Described, frozen=True, kw_only=True, tag_field="type", tag="location-picker"):
    title: str | None = None
    button_text: str | None = None


class DatePicker(Described, frozen=True, kw_only=True, tag_field="type", tag="date-picker"):
    title: str | None = None
    button_text: str | None = None


class _Select(Described, frozen=True, kw_only=True):
    title: str | None = None
    button_text: str | None = None
    data: tuple[Json, ...] | None = None
    data_source: DataSource | None = None
    template: str | OptionTemplate | None = None


class SingleSelect(_Select, frozen=True, kw_only=True, tag_field="type", tag="single-select"):
    """A display without ``type`` is read as this one, or as multi-select with ``capture-multiple-values``."""


class MultiSelect(_Select, frozen=True, kw_only=True, tag_field="type", tag="multi-select"):
    pass


class Carousel(_Select, frozen=True, kw_only=True, tag_field="type", tag="carousel"):
    pass


Display = QuickReply | LocationPicker | DatePicker | SingleSelect | MultiSelect | Carousel


# ---- reactions ---------------------------------------------------------------------------------------------------


class ValidationParameters(Described, frozen=True, kw_only=True):
    region: str | None = None
    value: str | None = None
    min: Json = None
    max: Json = None
    values: tuple[Json, ...] | None = None
    contains: str | None = None
    condition: str | None = None
    data_source: DataSource | None = None


class Validation(Described, frozen=True, kw_only=True):
    type: Literal["phone", "email", "regex", "length", "range", "match", "image", "custom"]
    parameters: ValidationParameters = ValidationParameters()
    error_message: Texts = ()


class Reactions(Described, frozen=True, kw_only=True):
    validations: tuple[Validation, ...] = ()
    acknowledgements: Texts = ()
    ambiguities: Texts = ()
    suggestions: Texts = ()


# ---- steps -------------------------------------------------------------------------------------------------------


class _Step(Described, frozen=True, kw_only=True, tag_field="type"):
    conditions: tuple[str, ...] = ()
    protected: bool = False


class Question(_Step, frozen=True, kw_only=True, tag="question"):
    entity: str
    entity_type: str
    messages: Texts = ()
    display: Display | None = None
    entity_display: str | None = None
    capture_multiple_values: bool = False
    is_explicit: bool = False
    reactions: Reactions = Reactions()


class Message(_Step, frozen=True, kw_only=True, tag="message"):
    messages: Texts = ()
    display: QuickReply | None = None


class Webhook(_Step, frozen=True, kw_only=True, tag="webhook"):
    data_source: DataSource
    entity: str | None = None
    messages: Texts = ()


class Confirmation(_Step, frozen=True, kw_only=True, tag="confirmation"):
    entity: str
    messages: Texts = ()


class EntitiesConfirmation(_Step, frozen=True, kw_only=True, tag="entities-confirmation"):
    entity: str
    entities: tuple[str, ...]
    messages: Texts = ()


class RunConversation(_Step, frozen=True, kw_only=True, tag="conversation"):
    conversation: str


class Command(_Step, frozen=True, kw_only=True, tag="command"):
    command: str
    """``stay-silent [minutes]``, ``go-to <conversation>``, ``invalidate-entity [name]``, ``set-entity``, ``logout``."""
    entity: str | None = None
    entities: tuple[str, ...] | None = None
    data: Json | UnsetType = UNSET
    live_agent: str | None = None


Step = Question | Message | Webhook | Confirmation | EntitiesConfirmation | RunConversation | Command


class Conversation(Described, frozen=True, kw_only=True):
    type: Literal["goal", "support"]
    display_name: str | None = None
    steps: tuple[Step, ...] = ()


# ---- settings ----------------------------------------------------------------------------------------------------


class Understanding(Described, frozen=True, kw_only=True):
    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.65
    margin: Annotated[float, Meta(ge=0, le=1)] = 0.1


class LoginTemplate(Described, frozen=True, kw_only=True):
    title: str
    image: str | None = None


class LoginCard(Described, frozen=True, kw_only=True, tag_field="type", tag="login"):
    template: LoginTemplate


class Oidc(Described, frozen=True, kw_only=True):
    issuer: str
    client_id: str
    client_secret: Secret
    scope: str | None = None
    authorization_params: dict[str, Json] = {}


class Socialnet(Described, frozen=True, kw_only=True):
    app_id: str
    app_secret: Secret


class Workchat(Described, frozen=True, kw_only=True):
    connection_name: str
    strategy: Literal["oidc", "socialnet"]


class ConfirmationPage(Described, frozen=True, kw_only=True):
    title: str | None = None
    text: str | None = None
    attempt_close: bool = False


Binding = Literal["cookie", "code", "confirm", "off"]


class Authentication(Described, frozen=True, kw_only=True):
    entity: str
    messages: Texts
    acknowledgements: Texts
    display: LoginCard
    oidc: Oidc | None = None
    socialnet: Socialnet | None = None
    workchat: Workchat | None = None
    refresh: bool = False
    binding: Binding | dict[str, Binding] | None = None
    confirmation_page_auto_redirect: bool = True
    confirmation_page_contents: ConfirmationPage | None = None
    confirmation_page_redirect_url_web: str | None = None


class Commands(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Phrases of the commands; the first phrase of a paging command is the label of its button.

    A map whose keys are command names, so that ``note`` and ``$schema`` have no place in it.
    """

    next_page: tuple[str, ...] | None = field(default=None, name="NEXT-PAGE")
    previous_page: tuple[str, ...] | None = field(default=None, name="PREVIOUS-PAGE")
    restart: tuple[str, ...] | None = field(default=None, name="RESTART")


class Settings(Described, frozen=True, kw_only=True):
    invalid_replies: Texts | None = None
    general_failure: Texts | None = None
    previous_conversation_messages: Texts | None = None
    silence_timeout: Annotated[float, Meta(gt=0, le=MAX_MINUTES)] = 60
    session_timeout: Annotated[float, Meta(gt=0, le=MAX_MINUTES)] = 1440
    persist_entities: tuple[str, ...] = ()
    timezone: str = "Universal"
    use_user_timezone: bool = False
    understanding: Understanding = Understanding()
    authentication: Authentication | None = None
    commands: Commands | None = None


class FlowFile(Described, frozen=True, kw_only=True):
    """``flow.json``."""

    conversations: dict[str, Conversation]
    settings: Settings = Settings()
    commands: Commands | None = None


# ---- training.json -----------------------------------------------------------------------------------------------


class TraitValue(Described, frozen=True, kw_only=True):
    value: str
    expressions: tuple[str, ...] = ()
    metadata: dict[str, Json] | None = None


class KeywordValue(Described, frozen=True, kw_only=True):
    value: str
    synonyms: tuple[str, ...] = ()
    metadata: dict[str, Json] | None = None


class QnAValue(Described, frozen=True, kw_only=True):
    value: str
    expressions: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    ssml_answers: tuple[str, ...] | None = field(default=None, name="ssmlAnswers")


class Pattern(Described, frozen=True, kw_only=True):
    pattern: str


class DynamicData(Described, frozen=True, kw_only=True):
    data_source: DataSource
    value_template: str
    synonym_templates: tuple[str, ...] = ()


class TraitType(Described, frozen=True, kw_only=True, tag_field="lookup-strategy", tag="trait"):
    name: str
    data: tuple[TraitValue, ...] = ()


class KeywordsType(Described, frozen=True, kw_only=True, tag_field="lookup-strategy", tag="keywords"):
    name: str
    data: tuple[KeywordValue, ...] = ()
    dynamic_data: DynamicData | None = None


class RegexType(Described, frozen=True, kw_only=True, tag_field="lookup-strategy", tag="regex"):
    name: str
    data: Pattern


class QnAType(Described, frozen=True, kw_only=True, tag_field="lookup-strategy", tag="QnA"):
    name: str
    data: tuple[QnAValue, ...] = ()


EntityDefinition = TraitType | KeywordsType | RegexType | QnAType


class TrainingFile(Described, frozen=True, kw_only=True):
    """``training.json``."""

    entity_definitions: tuple[EntityDefinition, ...] = ()


# ---- the whole bot -----------------------------------------------------------------------------------------------

BUILT_IN_TYPES = frozenset(
    {
        "Text",
        "Number",
        "Date",
        "Time",
        "Datetime",
        "Duration",
        "Amount",
        "Email",
        "PhoneNumber",
        "Url",
        "Location",
        "File",
        "Confirmation",
        "Conversation",
    }
)


class Bot(msgspec.Struct, frozen=True):
    """A bot that was read and found right."""

    file: BotFile
    flow: FlowFile
    training: TrainingFile
    version: str
    """Hash of the content of the files; two folders with the same content have the same version."""

    @property
    def id(self) -> str:
        return self.file.id

    @property
    def name(self) -> str:
        return self.file.name or self.file.id

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels; a bot without ``channels`` has one ``web`` and one ``rest`` with these ids (channels.md 6)."""
        if self.file.channels is None:
            return (Channel(id="web", type="web"), Channel(id="rest", type="rest"))
        return self.file.channels

    @property
    def commands(self) -> Commands:
        """The phrases that the author gave; ``settings.commands`` wins command by command (flow-language.md 2)."""
        outer, inner = self.flow.commands or Commands(), self.flow.settings.commands or Commands()
        return Commands(
            next_page=outer.next_page if inner.next_page is None else inner.next_page,
            previous_page=outer.previous_page if inner.previous_page is None else inner.previous_page,
            restart=outer.restart if inner.restart is None else inner.restart,
        )


def every(value: Any, kind: type[T]) -> Iterator[T]:
    """Every value of a type inside a bot's files."""
    if isinstance(value, kind):
        yield value
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from every(getattr(value, name), kind)
    elif isinstance(value, dict):
        for one in value.values():
            yield from every(one, kind)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from every(one, kind)
