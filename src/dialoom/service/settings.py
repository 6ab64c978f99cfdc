"""Reads the settings of the service, from the command line, ``DIALOOM_*`` variables and ``dialoom.toml``, in that
order.

A wrong one stops the start with its name, the source of its value and what is allowed.
"""

from __future__ import annotations

import contextlib
import difflib
import ipaddress
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import parse_qs, urlsplit

import msgspec
from msgspec import Meta

from dialoom.errors import SettingError
from dialoom.flow.variables import Variables
from dialoom.service.access.rate import PATTERN, SIZE_PATTERN
from dialoom.service.access.studio_roles import read_roles

PREFIX = "DIALOOM_"
_RATES = ["60/min", "20/s burst 100", "off"]
_SIZES = ["2 MiB", "512 KiB", "1 GiB", "off"]
DATABASES = ("database_url", "history_database_url")
SECRET = frozenset({"keys", "metrics_token", "geocoder_url", "studio_openid_client_secret", *DATABASES})
"""Settings whose value no message shows: a password or a key may stand in it."""
_OPTIONS = {"database_url": "database"}
"""Settings whose option of the command line has a shorter name."""
# host[:port], several of them with commas; the host may be missing where ?host= names a socket's folder.
_HOSTS = re.compile(r"(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")


PLATFORM_ADDRESSES = (
    "messenger_1_url",
    "messenger_2_url",
    "messenger_3_url",
    "workplace_chat_metadata_url",
    "workplace_chat_login_url",
    "workplace_chat_token_url",
    "voice_assistant_certificate_url",
)
"""Settings that say where a platform is: https, or http on loopback."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Holds one field a setting; the description is what the docs print."""

    host: Annotated[str, Meta(description="Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="Port to listen on; 0 takes a free one.")] = 8080
    data: Annotated[str, Meta(description="Folder of the database and the key file.")] = "data"
    database_url: Annotated[
        str | None,
        Meta(
            description="PostgreSQL to keep everything in: `postgresql://user:password@host/database`. Several "
            "processes may work on one. Without it: SQLite in the data folder."
        ),
    ] = None
    history_database_url: Annotated[
        str | None, Meta(description="A read replica of that PostgreSQL, which the history API reads from.")
    ] = None
    base_url: Annotated[
        str | None,
        Meta(
            description="Address under which people reach the service. Needed when it listens beyond loopback. A start "
            "warns of plain http, except on loopback."
        ),
    ] = None
    keys: Annotated[
        str | None,
        Meta(
            description="Keys of the vault, comma-separated, 32 bytes base64 each; the first encrypts, all decrypt. "
            "Without it one is made and kept in the data folder."
        ),
    ] = None
    egress_private: Annotated[
        Literal["allow", "deny"] | None,
        Meta(
            description="Whether an endpoint whose host stands literally in a flow may be a private address. "
            "Default: `allow` while the service is local, else `deny`."
        ),
    ] = None
    egress_allow: Annotated[
        str, Meta(description="Hosts (`host` or `host:port`), comma-separated, that flows may always reach.")
    ] = ""
    geocoder_url: Annotated[
        str | None,
        Meta(
            description="Address of the search of a geocoder that answers like Nominatim, such as "
            "`https://nominatim.example.org/search`: location pickers search with it, without it for towns alone. "
            "Called by the service, under the rules for the calls of flows; a key may stand in its query."
        ),
    ] = None
    geocoder_rate: Annotated[
        str,
        Meta(
            description="How often that geocoder is asked, by all users of a process together; `off` for no limit. The "
            "public Nominatim shuts out whoever asks more than once a second. Answers are kept for ten minutes.",
            pattern=PATTERN,
        ),
    ] = "1/s"
    map_tiles_url: Annotated[
        str | None,
        Meta(
            description="Address of the squares of a map, with `{z}`, `{x}` and `{y}`: location pickers show a map "
            "then, and browsers ask that host for the squares around a place."
        ),
    ] = None
    map_attribution: Annotated[str, Meta(description="Whose map it is; stands under it.")] = ""
    bot_env: Annotated[
        str,
        Meta(
            description="Environment variables, comma-separated, that bots may name besides those beginning `BOT_`. "
            "With `DIALOOM_BOT_ENV_SHARED=false` a row for each bot: `shop: SHOP_KEY, ERP_KEY; clinic: ERP_KEY`."
        ),
    ] = ""
    bot_env_shared: Annotated[
        bool,
        Meta(
            description="`false`: a bot may name only variables of its own, `BOT_TEA_SHOP` and `BOT_TEA_SHOP_...` for "
            "the id `tea-shop`, and those of its row in `DIALOOM_BOT_ENV`. Of several ids that fit a name, the longest "
            "has it."
        ),
    ] = True
    socialnet_dialog_url: Annotated[
        str, Meta(description="Address of the social login's dialog, to which the user's browser is sent.")
    ] = "https://www.facebook.com/dialog/oauth"
    socialnet_graph_url: Annotated[
        str,
        Meta(
            description="Base address of the social login's interface, under which codes are exchanged and tokens "
            "inspected; a version may stand at its end."
        ),
    ] = "https://graph.facebook.com"
    messenger_1_url: Annotated[str, Meta(description="Base address of Messenger's API, with its version.")] = (
        "https://graph.facebook.com/v25.0"
    )
    messenger_2_url: Annotated[str, Meta(description="Base address of Viber's API.")] = "https://chatapi.viber.com/pa"
    messenger_3_url: Annotated[str, Meta(description="Base address of Telegram's API.")] = "https://api.telegram.org"
    workplace_chat_metadata_url: Annotated[
        str, Meta(description="Where the keys are published that calls of Microsoft Teams are signed with.")
    ] = "https://login.botframework.com/v1/.well-known/openidconfiguration"
    workplace_chat_login_url: Annotated[
        str, Meta(description="Base address at which a bot gets its token for Microsoft Teams.")
    ] = "https://login.microsoftonline.com"
    workplace_chat_token_url: Annotated[
        str, Meta(description="Base address of the Bot Framework's token service, for single sign-on.")
    ] = "https://api.botframework.com"  # noqa: S105  # an address, no password
    workplace_chat_service_hosts: Annotated[
        str,
        Meta(
            description="Hosts, comma-separated, that a `serviceUrl` of Microsoft Teams may name: `host` or "
            "`host:port`, with a leading dot all below it."
        ),
    ] = "smba.trafficmanager.net, .botframework.com"
    voice_assistant_roots: Annotated[
        str | None,
        Meta(
            description="File of trusted root certificates (PEM) for the signatures of Alexa, in place of the system's."
        ),
    ] = None
    voice_assistant_certificate_url: Annotated[
        str,
        Meta(
            description="Address from which Alexa's certificates are fetched in place of Amazon's, for stand-ins; the "
            "path `/echo.api/...` is kept."
        ),
    ] = "https://s3.amazonaws.com"
    unsigned_calls: Annotated[
        Literal["allow", "deny"],
        Meta(
            description="`allow`: calls of test clients for Microsoft Teams and Alexa that bear no signature are "
            "taken, from this machine only and while the service is local."
        ),
    ] = "deny"
    turn_calls_timeout: Annotated[
        float, Meta(gt=0, le=600, description="Seconds that all outside calls of one turn share.")
    ] = 60.0
    dynamic_data_every: Annotated[
        float,
        Meta(
            ge=0,
            le=604_800,
            description="Seconds between two readings of the lists of dynamic-data; 0 reads them at the start, when a "
            "bot is published and on demand only.",
        ),
    ] = 3600.0
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="The least important line that is logged.")
    ] = "info"
    log_format: Annotated[Literal["text", "json"], Meta(description="Form of the log lines.")] = "text"
    log_requests: Annotated[
        Literal["on", "off"],
        Meta(description="A log line for each request: method, route, status, time. Never the address itself."),
    ] = "off"
    trusted_proxies: Annotated[
        str,
        Meta(
            description="Networks of the proxies before the service, comma-separated (`10.0.0.0/8, 192.0.2.7`): their "
            "`X-Forwarded-For` says who the client is. Of others it counts nothing."
        ),
    ] = ""
    rate_token: Annotated[
        str,
        Meta(
            pattern=PATTERN,
            examples=_RATES,
            description="Requests with one token (rest channel, history); `off` for no limit.",
        ),
    ] = "1000/s"  # noqa: S105  # a rate, no password
    rate_user: Annotated[
        str,
        Meta(
            pattern=PATTERN,
            examples=_RATES,
            description="Messages, choices and files of one chat user; `off` for no limit.",
        ),
    ] = "240/min"
    rate_address: Annotated[
        str,
        Meta(
            pattern=PATTERN,
            examples=_RATES,
            description="Requests without a live token from one address (IPv6: one /64), failed tokens among them; "
            "`off` for no limit.",
        ),
    ] = "100/s burst 1000"
    quota_chat: Annotated[
        str,
        Meta(
            pattern=SIZE_PATTERN,
            examples=_SIZES,
            description="What one chat of a web or mobile channel may send in a UTC day; `off` for no limit.",
        ),
    ] = "2 MiB"
    quota_address: Annotated[
        str,
        Meta(
            pattern=SIZE_PATTERN,
            examples=_SIZES,
            description="What all chats of web and mobile channels may send in a UTC day from one address (IPv6: one "
            "/64); `off` for no limit.",
        ),
    ] = "50 MiB"
    quota_files: Annotated[
        str,
        Meta(
            pattern=SIZE_PATTERN,
            examples=_SIZES,
            description="Files that users without a user token may send in a UTC day from one address, each counted as "
            "at least 512 KiB; `off` for no limit.",
        ),
    ] = "512 MiB"
    most_connections: Annotated[
        int,
        Meta(
            ge=10,
            le=1_000_000,
            description="Open connections, of one address a quarter of them; one more is answered with 503.",
        ),
    ] = 10_000
    unfinished_bodies: Annotated[
        str,
        Meta(
            pattern=SIZE_PATTERN,
            examples=_SIZES,
            description="Bytes that the bodies of all requests may hold together until they are whole, of one address "
            "half of them; one more is answered with 503. `off` for no limit. A file of a user has up to 10 MiB.",
        ),
    ] = "64 MiB"
    streams_per_address: Annotated[
        int,
        Meta(
            ge=1,
            le=1_000_000,
            description="Event streams that one address may have open; one more is answered with 429, and its chat "
            "asks now and then instead.",
        ),
    ] = 64
    metrics_token: Annotated[
        str | None,
        Meta(
            description="Token with which `/metrics` is read (`Authorization: Bearer`). Without it only this machine "
            "reads them, while the service is local."
        ),
    ] = None
    studio_openid_issuer: Annotated[
        str | None,
        Meta(
            description="Issuer of the OpenID provider at which people sign in to the studio, besides links. Its "
            "redirect address is `/v1/studio/sign-in/openid/callback` below `DIALOOM_BASE_URL`."
        ),
    ] = None
    studio_openid_client_id: Annotated[
        str | None, Meta(description="The id of the studio as a client of that provider.")
    ] = None
    studio_openid_client_secret: Annotated[str | None, Meta(description="The secret of that client.")] = None
    studio_openid_roles: Annotated[
        str,
        Meta(
            description="Who gets which role, on one line: `group:bot-admins=administrator "
            "email:ann@example.com=analyst domain:example.com=agent@shop,clinic`, the last for two bots alone. The "
            "highest that fits counts; whom no row fits does not get in."
        ),
    ] = ""
    studio_openid_scope: Annotated[
        str, Meta(description="What the provider is asked for; some give groups only for a scope such as `groups`.")
    ] = "openid profile email"
    studio_openid_name: Annotated[
        str | None, Meta(description="What the button calls the provider; without it the issuer's host.")
    ] = None
    stop_delay: Annotated[
        float,
        Meta(
            ge=0,
            le=15,
            description="Seconds for which a service that was told to stop goes on as before but says 503 on "
            "`/readyz`, so that a load balancer turns to others first.",
        ),
    ] = 0.0

    @property
    def is_loopback_only(self) -> bool:
        return _is_loopback(self.host)

    @property
    def is_local(self) -> bool:
        """Return whether this machine alone reaches the service: it listens on loopback, and ``base_url`` names no
        other host, as it does behind a proxy. Every default that is laxer on one's own machine asks this, and nothing
        in a request decides it (service.md, Settings)."""
        return self.is_loopback_only and (self.base_url is None or _is_loopback(urlsplit(self.base_url).hostname))

    @property
    def is_in_clear(self) -> bool:
        """Return whether people of other machines come without TLS."""
        address = urlsplit(self.base_url or "")
        return address.scheme == "http" and not _is_loopback(address.hostname)

    @property
    def allows_private(self) -> bool:
        return self.is_local if self.egress_private is None else self.egress_private == "allow"

    @property
    def platforms_here(self) -> frozenset[str]:
        """Return the hosts of platforms that are of this machine, which stand in for the real ones."""
        hosts = {urlsplit(getattr(self, name)).netloc for name in PLATFORM_ADDRESSES}
        hosts |= self.listed(self.workplace_chat_service_hosts)
        return frozenset(host for host in hosts if _is_loopback(urlsplit(f"//{host}").hostname))

    def address(self, port: int) -> str:
        """Return the address under which people reach the service, without a slash at its end; ``port`` is the one it
        listens on."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.base_url or f"http://{host}:{port}").rstrip("/")

    def variables(self, bots: Iterable[str] = ()) -> Variables:
        """Return which variables bots may name; ``bots`` are the ids of all bots."""
        if self.bot_env_shared:
            return Variables(self.listed(self.bot_env))
        return Variables(rows=_rows(self.bot_env), bots=frozenset(bots))

    def listed(self, text: str) -> frozenset[str]:
        """Return the entries of a comma-separated setting."""
        return frozenset(part.strip() for part in text.split(",") if part.strip())


def read_settings(arguments: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """Return the settings from their three sources; the first that has one wins. Raises ``SettingError``."""
    names = set(Settings.__struct_fields__)
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}

    def take(name: str, value: Any, source: str) -> None:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f' Did you mean "{near[0]}"?' if near else f" Known are: {', '.join(sorted(names))}."
            raise SettingError(f'{source}: there is no setting "{name}".{hint}')
        if name not in values:
            values[name], sources[name] = value, source

    for name, value in arguments.items():
        if value is not None:
            take(name, value, f"--{_OPTIONS.get(name, name).replace('_', '-')}")
    for variable, value in environment.items():
        if variable.startswith(PREFIX):
            take(variable.removeprefix(PREFIX).lower(), value, f"environment variable {variable}")
    if file is not None and file.is_file():
        for name, value in _toml(file).items():
            take(name.replace("-", "_").lower(), value, str(file))

    settings = _convert(values, sources)
    _check(settings, sources)
    return settings


def log_format_of(environment: Mapping[str, str], file: Path) -> Literal["text", "json"]:
    """Return the form of the log lines, also where other settings are wrong: what is wrong is said in it."""
    named = environment.get(f"{PREFIX}LOG_FORMAT")
    if named is None:
        with contextlib.suppress(SettingError, OSError):
            named = {name.replace("-", "_").lower(): value for name, value in _toml(file).items()}.get("log_format")
    return "json" if named == "json" else "text"


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingError(f"{file} cannot be read as TOML: {error}") from error


def _convert(values: dict[str, Any], sources: dict[str, str]) -> Settings:
    known: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        if field.name not in values:
            continue
        try:
            known[field.name] = msgspec.convert(values[field.name], field.type, strict=False)
        except msgspec.ValidationError as error:
            shown = "" if field.name in SECRET else f' = "{values[field.name]}"'
            raise SettingError(
                f"{field.name}{shown} (from {sources[field.name]}) is not allowed: {_allowed(field.type)}."
            ) from (None if field.name in SECRET else error)
    return Settings(**known)


def _allowed(type: Any) -> str:
    """Return what a setting of this annotated type may be, in words."""
    plain, meta = type.__origin__, type.__metadata__[0]
    choices = [choice for part in (plain, *get_args(plain)) for choice in get_args(part) or (part,)]
    words = [choice for choice in choices if isinstance(choice, str)]
    if words:
        return f"it is one of {', '.join(dict.fromkeys(words))}"
    if meta.pattern is not None:
        return f"it is one like {', '.join(meta.examples or ())}"
    if plain is bool:
        return "it is true or false"
    kind = {int: "a whole number", float: "a number"}.get(plain, "a text")
    if meta.le is None:
        return f"it is {kind}"
    return f"it is {kind} from {meta.ge or meta.gt or 0} to {meta.le}"


def _check(settings: Settings, sources: dict[str, str]) -> None:
    for name in DATABASES:
        url = getattr(settings, name)
        if url is not None and not _is_database(url):
            # The value itself is not shown, however it is broken.
            raise SettingError(
                f"{name} (from {sources[name]}) is no address of a PostgreSQL database. Allowed is "
                f"postgresql://user:password@host:port/database; write special characters of user and password as %40 "
                f"and the like."
            )
    if settings.history_database_url is not None and settings.database_url is None:
        raise SettingError(
            f"history_database_url (from {sources['history_database_url']}) is a replica of the database, and "
            f"database_url is not set. Set {PREFIX}DATABASE_URL too, or leave both out."
        )
    _check_bot_env(settings, sources)
    _check_proxies(settings, sources)
    _check_address(settings, sources)
    _check_platforms(settings, sources)
    _check_places(settings, sources)
    _check_studio_openid(settings, sources)


def _rows(text: str) -> dict[str, frozenset[str]]:
    """Return the rows of ``id: NAME, NAME; id: ...``; names without an id stand under the empty one."""
    rows: dict[str, frozenset[str]] = {}
    for row in text.split(";"):
        id, _, names = row.rpartition(":")
        listed = frozenset(name.strip() for name in names.split(",") if name.strip())
        if listed or id.strip():
            rows[id.strip()] = rows.get(id.strip(), frozenset()) | listed
    return rows


def _check_bot_env(settings: Settings, sources: dict[str, str]) -> None:
    rows = _rows(settings.bot_env)
    if settings.bot_env_shared and rows.keys() - {""}:
        raise SettingError(
            f"bot_env (from {sources['bot_env']}) has rows of single bots, which count only with "
            f"{PREFIX}BOT_ENV_SHARED=false. Set that too, or list the names without ids."
        )
    if not settings.bot_env_shared and "" in rows:
        raise SettingError(
            f"bot_env (from {sources['bot_env']}) lists names without the bot that may use them, and bot_env_shared is "
            f"false. Write a row for each bot, like shop: SHOP_KEY, ERP_KEY; clinic: ERP_KEY."
        )


def _check_proxies(settings: Settings, sources: dict[str, str]) -> None:
    for entry in settings.listed(settings.trusted_proxies):
        try:
            ipaddress.ip_network(entry)
        except ValueError as error:
            raise SettingError(
                f'trusted_proxies (from {sources["trusted_proxies"]}): "{entry}" is no network. Allowed are addresses '
                f"and networks like 192.0.2.7, 10.0.0.0/8, 2001:db8::/32."
            ) from error


def _is_database(url: str) -> bool:
    try:
        parts = urlsplit(url)
        query = parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        return False
    if parts.scheme not in {"postgresql", "postgres"} or parts.fragment or parts.netloc.count("@") > 1:
        return False
    hosts = parts.netloc.rpartition("@")[2]
    if not hosts:
        return "host" in query
    return all(_HOSTS.fullmatch(host) for host in hosts.split(","))


def _check_address(settings: Settings, sources: dict[str, str]) -> None:
    if settings.base_url is None:
        if not settings.is_loopback_only:
            raise SettingError(
                f"host = {settings.host} (from {sources.get('host', 'the default')}) listens beyond loopback, so "
                f"base_url must say under which address people reach the service, for example "
                f"{PREFIX}BASE_URL=https://bots.example.org."
            )
        return
    parts = urlsplit(settings.base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise SettingError(
            f'base_url = "{settings.base_url}" (from {sources["base_url"]}) is no address of a service. Allowed is '
            f"http(s)://host[:port][/path]."
        )


def _check_platforms(settings: Settings, sources: dict[str, str]) -> None:
    """Refuse plain http but on this machine, as for an OpenID Connect issuer (login.md, What is checked)."""
    for name in ("socialnet_dialog_url", "socialnet_graph_url", "studio_openid_issuer", *PLATFORM_ADDRESSES):
        url = getattr(settings, name)
        if url is None:
            continue
        try:
            parts = urlsplit(url)
            is_right = parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname))
            is_right = is_right and bool(parts.hostname) and "@" not in parts.netloc
        except ValueError:
            is_right = False
        if not is_right or "?" in url or "#" in url:
            shown = "" if "@" in url else f' = "{url}"'  # a password may stand before it
            raise SettingError(
                f"{name}{shown} (from {sources.get(name, 'the default')}) is not allowed: it is an https address "
                f"without user name, query and fragment, or an http address of this machine."
            )


def _check_places(settings: Settings, sources: dict[str, str]) -> None:
    """Refuse addresses that the search for places, or the map, could not use."""
    wanted = {"geocoder_url": (), "map_tiles_url": ("{z}", "{x}", "{y}")}
    for name, parts in wanted.items():
        url = getattr(settings, name)
        if url is None:
            continue
        try:
            place = urlsplit(url)
            is_right = place.scheme == "https" or (place.scheme == "http" and _is_loopback(place.hostname))
            is_right = is_right and bool(place.hostname) and "@" not in place.netloc and not place.fragment
            is_right = is_right and not re.search(r"[\s;,'\"]", place.netloc)
        except ValueError:
            is_right = False
        if not is_right or not all(part in url for part in parts):
            needed = f" with {', '.join(parts)} in it" if parts else ""
            raise SettingError(
                f"{name} (from {sources.get(name, 'the default')}) is not allowed: it is an https address without user "
                f"name{needed}, or an http address of this machine."
            )


def _check_studio_openid(settings: Settings, sources: dict[str, str]) -> None:
    parts = ("issuer", "client_id", "client_secret", "roles")
    missing = [f"studio_openid_{part}" for part in parts if not getattr(settings, f"studio_openid_{part}")]
    given = [name for name in sources if name.startswith("studio_openid_")]
    if given and missing:
        raise SettingError(
            f"{given[0]} (from {sources[given[0]]}) is set, and {' and '.join(missing)} is missing. The studio's "
            f"sign-in by OpenID Connect needs issuer, client id, client secret and roles, or none of them."
        )
    read_roles(settings.studio_openid_roles, sources.get("studio_openid_roles", "the default"))


def _is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False
