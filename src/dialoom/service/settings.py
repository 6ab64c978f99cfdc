"""Every setting of the service, from the command line, ``DIALOOM_*`` variables and ``dialoom.toml``, in that order.

A wrong one stops the start with its name, the source of its value and what is allowed.
"""

from __future__ import annotations

import difflib
import ipaddress
import tomllib
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from dialoom.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PREFIX = "DIALOOM_"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One field a setting; the description is what the docs print."""

    host: Annotated[str, Meta(description="Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="Port to listen on; 0 takes a free one.")] = 8080
    data: Annotated[str, Meta(description="Folder of the database and the key file.")] = "data"
    base_url: Annotated[
        str | None,
        Meta(description="Address under which people reach the service. Needed when it listens beyond loopback."),
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
            "Default: `allow` while the service listens on loopback only, else `deny`."
        ),
    ] = None
    egress_allow: Annotated[
        str, Meta(description="Hosts (`host` or `host:port`), comma-separated, that flows may always reach.")
    ] = ""
    bot_env: Annotated[
        str,
        Meta(description="Environment variables, comma-separated, that bots may name besides those beginning `BOT_`."),
    ] = ""
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

    @property
    def is_loopback_only(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def allows_private(self) -> bool:
        return self.is_loopback_only if self.egress_private is None else self.egress_private == "allow"

    def address(self, port: int) -> str:
        """Under which people reach the service, without a slash at its end; ``port`` is the one it listens on."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.base_url or f"http://{host}:{port}").rstrip("/")

    def listed(self, text: str) -> frozenset[str]:
        """The entries of a comma-separated setting."""
        return frozenset(part.strip() for part in text.split(",") if part.strip())


def read_settings(arguments: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """Settings from their three sources; the first that has one wins. Raises ``SettingError``."""
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
            take(name, value, f"--{name.replace('_', '-')}")
    for variable, value in environment.items():
        if variable.startswith(PREFIX):
            take(variable.removeprefix(PREFIX).lower(), value, f"environment variable {variable}")
    if file is not None and file.is_file():
        for name, value in _toml(file).items():
            take(name.replace("-", "_").lower(), value, str(file))

    settings = _convert(values, sources)
    _check(settings, sources)
    return settings


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
            raise SettingError(
                f'{field.name} = "{values[field.name]}" (from {sources[field.name]}) is not allowed: '
                f"{_allowed(field.type)}."
            ) from error
    return Settings(**known)


def _allowed(type: Any) -> str:
    """What a setting of this annotated type may be, in words."""
    plain, meta = type.__origin__, type.__metadata__[0]
    choices = [choice for part in (plain, *get_args(plain)) for choice in get_args(part) or (part,)]
    words = [choice for choice in choices if isinstance(choice, str)]
    if words:
        return f"it is one of {', '.join(dict.fromkeys(words))}"
    kind = {int: "a whole number", float: "a number"}.get(plain, "a text")
    if meta.le is None:
        return f"it is {kind}"
    return f"it is {kind} from {meta.ge or meta.gt or 0:g} to {meta.le:g}"


def _check(settings: Settings, sources: dict[str, str]) -> None:
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
