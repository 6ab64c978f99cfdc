"""Finds what a change of a bot's files gives away: secrets, tokens, origins, what is kept, and who may erase it.

One rule for all that brings files to life: a publish, a rollback, a save into a folder, a try-out with real calls. An
administrator may make such a change, and the studio's log names it. A key that stands in no table counts as an access.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

from dialoom.errors import RequestError
from dialoom.flow.pieces import Piece, pieces
from dialoom.flow.positions import scan
from dialoom.flow.schema import FILES
from dialoom.service.access.studio_sign_in import ADMINISTRATOR, Session
from dialoom.service.bots.outbound_calls import is_under

MAX_SHOWN_CHARS: Final = 200
"""Of an address or a name in a sentence."""

Rule = Literal["any", "on", "off", "more"]
"""Which change of a key counts: any; that it is switched on, or off; or that a list gets more elements."""


class Row(NamedTuple):
    """``sentence``: what people are told. It may name what the key is ``{of}`` and, where that is no secret, its
    ``{value}``."""

    rule: Rule
    sentence: str


BOT: Final[Mapping[str, Row]] = {
    "id": Row("any", "It gives the bot another id."),
    "access-token": Row("any", "It changes the bot's access-token, which reads and erases what users said."),
    "retention-days": Row("any", "It changes how long conversations are kept (retention-days)."),
    "trace": Row("on", "It keeps what users say in traces (trace)."),
}
CHANNEL: Final[Mapping[str, Row]] = {
    "token": Row("any", "It changes the token of {of}."),
    "allowed-origins": Row("more", "It opens {of} to pages of {value}."),
    "callback-url": Row("any", "It changes where {of} posts to (callback-url)."),
    "callback-secret": Row("any", "It changes the callback-secret of {of}."),
    "user-secret": Row("any", "It changes the user-secret of {of}, which signs who its users are."),
    "user-token-algorithm": Row("any", "It changes how {of} checks who its users are (user-token-algorithm)."),
    "require-user-token": Row("off", "It opens {of} to users who show no user token."),
    "login-from-page": Row("on", "It lets pages log users of {of} in."),
    "erase-from-page": Row("on", "It lets users of {of} erase what is kept of them."),
    **{
        key: Row("any", f"It changes the {key} of {{of}}.")
        for key in (
            "page-id", "app-secret", "page-token", "verify-token", "auth-token", "bot-token", "webhook-secret",
            "skill-id", "app-id", "app-password", "tenant", "secret",
        )
    },
}  # fmt: skip
LOGIN: Final[Mapping[str, Row]] = {
    "entity": Row("any", "It changes where the login's token is kept (entity)."),
    "oidc": Row("any", "It changes the login provider (oidc)."),
    "socialnet": Row("any", "It changes the login provider (socialnet)."),
    "workchat": Row("any", "It changes the login of Microsoft Teams (workchat)."),
    "refresh": Row("on", "It renews logins without their users (refresh)."),
    "forget-after": Row("any", "It changes when a login is forgotten (forget-after)."),
    "binding": Row("any", "It changes what protects a forwarded login link (binding)."),
}
FREE: Final[Mapping[str, frozenset[str]]] = {
    "bot": frozenset(
        # Channels and credentials are compared one by one; what the two addresses get is for their url-prefix.
        ("name", "language", "avatar", "look", "channels", "credentials", "live-agents", "image-labeller")
    ),
    "channel": frozenset(("id", "type", "name", "ask-rating", "privacy-url", "consent", "uri", "bot-name")),
    "login": frozenset(
        (
            "messages", "acknowledgements", "display", "confirmation-page-auto-redirect", "confirmation-page-contents",
            "confirmation-page-redirect-url-web",
        )
    ),
}  # fmt: skip
"""Keys that a developer may change: they give nobody anything."""

TABLES: Final[Mapping[str, Mapping[str, Row]]] = {"bot": BOT, "channel": CHANNEL, "login": LOGIN}
_VALUES_OF_AUTHORS: Final = frozenset(("payload", "data", "metadata"))
"""Keys below which "env" is a word like any other. A header or credential of such a name is told of all the same."""
_DESCRIBING: Final = frozenset(("note", "$schema"))
_DEFAULT_CHANNELS: Final = ({"id": "web", "type": "web"}, {"id": "rest", "type": "rest"})
"""Of a bot without ``channels`` (channels.md, section 6)."""
_VALUE: Final = re.compile(r"""\{\{[^{}"'#/^]*\}\}""")
"""A template that can only be a value."""


def judge(before: Mapping[str, str], after: Mapping[str, str], session: Session, what_else: str) -> list[str]:
    """Return what an administrator's change of the files gives away. Raises ``RequestError`` 403 for everybody else's,
    and for what an administrator of single bots would take of others. ``what_else``: what else they can do."""
    if session.role != ADMINISTRATOR:
        _refuse(access_changes(before, after), "an administrator", what_else)
        return []
    if session.bots is not None:
        _refuse(_beyond_one_bot(_values(before), _values(after)), "an administrator of all bots", what_else)
    return access_changes(before, after)


def _refuse(changes: list[str], who: str, what_else: str) -> None:
    if changes:
        raise RequestError(
            "administrator-needed",
            f"This needs {who}, because it changes who gets what: {' '.join(changes)} {what_else}",
        )


def access_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return a sentence for each access that the files after make, widen, replace or move. A file of theirs that cannot
    be read changes nothing, since nothing plays it; one of those before gives nothing, so that all after it is new."""
    old = _values(before)
    new = old | _values(after)
    sentences = _new_variables(old, new)
    old_bot, new_bot = old.get("bot.json", {}), new.get("bot.json", {})
    sentences += _key_changes("bot", old_bot, new_bot, "the bot")
    sentences += _channel_changes(_channels(old_bot), _channels(new_bot))
    sentences += _credential_changes(_object(old_bot, "credentials"), _object(new_bot, "credentials"))
    sentences += _login_changes(_login(old), _login(new))
    sent = set(_sent(old))
    sentences += [f"It sends {use.secret} to {use.place[:MAX_SHOWN_CHARS]}." for use in _sent(new) if use not in sent]
    # A name may hold half of a surrogate pair, which no answer can.
    return list(dict.fromkeys(one.encode("utf-8", "replace").decode() for one in sentences))


def _beyond_one_bot(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return what may be another bot's: its id, and variables of the operator."""
    ids = [_text(values["bot.json"].get("id")) for values in (old, new) if "bot.json" in values]
    return _new_variables(old, new) + [BOT["id"].sentence] * (len(set(ids)) > 1)


def _new_variables(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    known = {name for value in old.values() for name in _variables(value)}
    names = (name for value in new.values() for name in _variables(value))
    return [f'It names the environment variable "{name}".' for name in names if name not in known]


def readable(files: Mapping[str, str], otherwise: Mapping[str, str]) -> dict[str, str]:
    """Return a bot's files, with others in the place of those that are not there or cannot be read."""
    known = _values(files)
    return {name: source[name] for name in FILES if name in (source := files if name in known else otherwise)}


def _values(files: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return the objects in the files that make a bot, as the service itself reads them."""
    values = {name: scan(files[name]).value for name in FILES if name in files}
    return {name: value for name, value in values.items() if isinstance(value, dict)}


def _variables(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from _variables(one)
    elif isinstance(value, dict):
        if isinstance(value.get("env"), str):
            yield value["env"]
        for key, one in value.items():
            if key not in _VALUES_OF_AUTHORS:
                yield from _variables(one)


# ---- keys of the bot, of its channels, of the login --------------------------------------------------------------


def _key_changes(kind: str, before: Mapping[str, Any], after: Mapping[str, Any], of: str) -> Iterator[str]:
    rows, free = TABLES[kind], FREE[kind] | _DESCRIBING
    for key in sorted((before.keys() | after.keys()) - free):
        row = rows.get(key, Row("any", "It changes {key} of {of}."))
        for value in _RULES[row.rule](before.get(key), after.get(key)):
            yield row.sentence.format(key=_shown(key), of=of, value=_shown(value))


def _channel_changes(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> Iterator[str]:
    known = {_text(one.get("id")): one for one in before}
    for channel in after:
        of = f"the channel {_shown(channel.get('id'))}"
        old = known.get(_text(channel.get("id")))
        if old is None or _text(old.get("type")) != _text(channel.get("type")):
            yield f"It opens {of} of type {_shown(channel.get('type'))}."
        else:
            yield from _key_changes("channel", old, channel, of)


def _credential_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if new is None:
            # Calls below its prefix go out with another credential then, or with none.
            if isinstance(old, dict) and "url-prefix" in old:
                yield f"It takes away the credential {_shown(name)}, which has a url-prefix."
        elif old is None:
            yield f"It adds the credential {_shown(name)}."
        elif _text(_plain(old)) != _text(_plain(new)):
            place = new.get("url-prefix") if isinstance(new, dict) else None
            to = f", which goes to {_shown(place)}" if isinstance(place, str) else ""
            yield f"It changes the credential {_shown(name)}{to}."


def _login_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    if after and not before:
        yield "It adds a login (settings.authentication)."
    elif after:
        yield from _key_changes("login", _plain_members(before), _plain_members(after), "the login")


def _channels(bot: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = bot.get("channels")
    listed = _DEFAULT_CHANNELS if found is None else found if isinstance(found, list) else ()
    return [one for one in listed if isinstance(one, dict)]


def _login(values: Mapping[str, Any]) -> dict[str, Any]:
    return _object(_object(values.get("flow.json", {}), "settings"), "authentication")


def _object(value: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _plain(value: Any) -> Any:
    """Return an object without what only describes it."""
    return {key: one for key, one in value.items() if key not in _DESCRIBING} if isinstance(value, dict) else value


def _plain_members(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _plain(one) for key, one in value.items()}


def _text(value: Any) -> str:
    """Return a text that is the same for equal JSON values alone: for Python 1 is True."""
    return json.dumps(value, sort_keys=True)


def _shown(value: Any) -> str:
    return json.dumps(value if isinstance(value, str) else _text(value), ensure_ascii=False)[:MAX_SHOWN_CHARS]


def _any(before: Any, after: Any) -> list[Any]:
    return [after] if _text(before) != _text(after) else []


def _on(before: Any, after: Any) -> list[Any]:
    return [after] if after not in (None, False) and before in (None, False) else []


def _off(before: Any, after: Any) -> list[Any]:
    return _on(after, before)


def _more(before: Any, after: Any) -> list[Any]:
    known = {_text(one) for one in before} if isinstance(before, list) else set()
    new = after if isinstance(after, list) else [] if after is None else [after]
    return [one for one in new if _text(one) not in known]


_RULES: Final[Mapping[Rule, Callable[[Any, Any], list[Any]]]] = {"any": _any, "on": _on, "off": _off, "more": _more}
"""By a rule what of a key's change counts."""


# ---- where secrets go --------------------------------------------------------------------------------------------


class Use(NamedTuple):
    """Says that calls send a secret. ``place``: their scheme, host and path, as the flow writes them."""

    secret: str
    place: str


def _sent(values: Mapping[str, Any]) -> Iterator[Use]:
    """Yield where data sources send secrets: the variables of headers, and a credential that is named beyond its own
    ``url-prefix``."""
    credentials = _object(values.get("bot.json", {}), "credentials")
    for piece in pieces(values):
        if piece.kind == "data-source":
            yield from _sent_by(piece, credentials)


def _sent_by(source: Piece, credentials: Mapping[str, Any]) -> Iterator[Use]:
    endpoint = source.text("endpoint") or ""
    for value in _object(source.value, "headers").values():
        # A text is an ordinary header, which templates fill.
        if isinstance(value, dict) and isinstance(value.get("env"), str):
            yield Use(f'"{value["env"]}"', _place(endpoint))
    method = source.text("authentication-method")
    if method is not None and not _is_below(endpoint, _object(credentials, method).get("url-prefix")):
        yield Use(f"the credential {_shown(method)}", _place(endpoint))


def _place(endpoint: str) -> str:
    """Return the address without its query; one with a template whole, which may stand for any part."""
    return endpoint if "{{" in endpoint else re.split(r"[?#]", endpoint, maxsplit=1)[0]


def _is_below(endpoint: str, prefix: Any) -> bool:
    """Return whether the address is below the prefix whatever its values are: a value brings no dot segment, but may be
    empty, or leave one of the author's."""
    without_values = _VALUE.sub("", endpoint)
    return (
        isinstance(prefix, str)
        and "{{" not in without_values
        and is_under(endpoint, prefix)
        and is_under(without_values, prefix)
    )
