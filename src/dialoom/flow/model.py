"""The words of the three files of a bot, one to one, as frozen structs.

What is allowed beyond the types (which key goes with which, dangling names) is left to ``flow.read``; how a step runs
is left to the engine. The steps of a conversation are in ``steps``, what they share with the rest of the files in
``parts``. The JSON Schemas for editors are made from these classes, so a key exists once: here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, field

from dialoom.flow.channels import Binding, Channel
from dialoom.flow.parts import DataSource, Described, Json, Secret, Texts
from dialoom.flow.steps import Step

T = TypeVar("T")

MAX_MINUTES = 5_256_000
"""Ten years of 365 days. Moments so far away can still be written as dates, and nobody waits longer."""
MAX_DAYS = 36_500
MAX_RADIUS_PX = 24

# ---- bot.json ----------------------------------------------------------------------------------------------------


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


class Look(Described, frozen=True, kw_only=True):
    """How the chat and the pages around it look on web and mobile."""

    brand: str | None = None
    background: str | None = None
    font: str | None = None
    radius: Annotated[int, Meta(ge=0, le=MAX_RADIUS_PX)] | None = None
    header: str | None = None
    launcher: str | None = None
    avatar: str | None = None


class BotFile(Described, frozen=True, kw_only=True):
    """``bot.json``."""

    id: str
    name: str | None = None
    language: str = "en"
    avatar: str | None = None
    look: Look = Look()
    channels: tuple[Channel, ...] | None = None
    access_token: Secret | None = None
    credentials: dict[str, Credential] = field(default_factory=dict)
    live_agents: dict[str, str] = field(default_factory=dict)
    image_labeller: str | None = None
    retention_days: Annotated[int, Meta(ge=1, le=MAX_DAYS)] | None = None
    trace: bool = False


class Conversation(Described, frozen=True, kw_only=True):
    type: Literal["goal", "support"]
    display_name: str | None = None
    on_a_guess: Literal["ask", "start"] = "ask"
    steps: tuple[Step, ...] = ()


# ---- settings ----------------------------------------------------------------------------------------------------


class Understanding(Described, frozen=True, kw_only=True):
    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.65
    margin: Annotated[float, Meta(ge=0, le=1)] = 0.1
    act: Annotated[float, Meta(ge=0, le=1)] = 0.9
    ask: Annotated[float, Meta(ge=0, le=1)] = 0.4


class Misunderstood(Described, frozen=True, kw_only=True):
    after: Annotated[int, Meta(ge=1)] = 3
    conversation: str


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
    authorization_params: dict[str, Json] = field(default_factory=dict)


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


class Authentication(Described, frozen=True, kw_only=True):
    entity: str
    messages: Texts
    acknowledgements: Texts
    display: LoginCard
    oidc: Oidc | None = None
    socialnet: Socialnet | None = None
    workchat: Workchat | None = None
    refresh: bool = False
    forget_after: Annotated[float, Meta(gt=0, le=MAX_MINUTES)] | None = None
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
    back: tuple[str, ...] | None = field(default=None, name="BACK")
    stop: tuple[str, ...] | None = field(default=None, name="STOP")
    skip: tuple[str, ...] | None = field(default=None, name="SKIP")


class Settings(Described, frozen=True, kw_only=True):
    invalid_replies: Texts | None = None
    misunderstood: Misunderstood | None = None
    not_a_yes: Texts | None = None
    stopped: Texts | None = None
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
    case_sensitive: bool = False


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
        """Return the channels; a bot without ``channels`` has one ``web`` and one ``rest`` with these ids (channels.md
        6)."""
        if self.file.channels is None:
            return (Channel(id="web", type="web"), Channel(id="rest", type="rest"))
        return self.file.channels

    @property
    def commands(self) -> Commands:
        """Return the phrases that the author gave; ``settings.commands`` wins command by command (flow-language.md
        2)."""
        outer, inner = self.flow.commands or Commands(), self.flow.settings.commands or Commands()
        return Commands(
            next_page=outer.next_page if inner.next_page is None else inner.next_page,
            previous_page=outer.previous_page if inner.previous_page is None else inner.previous_page,
            restart=outer.restart if inner.restart is None else inner.restart,
        )


def every(value: Any, kind: type[T]) -> Iterator[T]:
    """Yield every value of a type inside a bot's files."""
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
