"""Serves the browser's requests for a login link: open it, tie it to a browser, take it for its one use, finish it.

What the chat stores of it belongs in ``login_outcome``, the provider's side in ``providers``, pages in ``http``.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from dialoom.auth.vault import Vault
from dialoom.engine.events import Event, LoggedIn, LoginFailed
from dialoom.engine.state import EMPTY, State
from dialoom.engine.values.logins import held
from dialoom.errors import DialoomError, RequestError, StoreError, VaultError
from dialoom.flow.channels import Binding, Channel
from dialoom.flow.model import Authentication
from dialoom.messages import Profile
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.chat import chat_row, link_rows
from dialoom.service.chat.chat_row import StoredChat
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.link_rows import MAX_RACES
from dialoom.service.chat.login_values import LINK_USE_TIMEOUT_MS, LOGINS, Grant, Link, LinkInfo, Login, tokens_of
from dialoom.service.chat.signed_links import SignedLinks
from dialoom.service.clock import Clock
from dialoom.service.login.binding_rules import TIES, Terms, terms_of, tie_that_counts
from dialoom.service.observe.instruments import Counts
from dialoom.service.turns.runner import Runner
from dialoom.storage.store import ChatKey, Dedupe, LoginRow, Store, links_ended

log = logging.getLogger(__name__)

_TRANSIENT_REFUSALS: Final = frozenset({"too-many-waiting", "overloaded", "stopping", "store-away"})
"""Refusals of what may be taken a moment later."""
_OVER: Final = frozenset({"login-over", "erased"})
RESUBMIT_SECONDS: Final = (0.2, 0.5)
"""Seconds before what came of a login is put into the inbox again, where that is full or the store away. The page has
15 s in all, of which the provider may take 12."""


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """Holds a login link that was read, with all that its pages and the provider's side need to know."""

    key: ChatKey
    link: str
    """Its id."""
    row: LoginRow
    about: LinkInfo
    """What is sealed on the row."""
    deployed: Deployed
    """The version whose provider block counts."""
    channel: Channel
    """As the version that is active now has it."""
    authentication: Authentication
    rule: Binding
    """The configured one; that under which the last browser was tied is ``about.tied_by``."""
    profile: Profile
    """The user as the chat knows them."""
    channel_name: str | None = None
    """The caller's own label on rest."""
    chat: State = EMPTY
    """The chat as it was when the link was read."""
    tokens: tuple[str, ...] = ()
    """By which its user was logged in then."""
    state: str
    """The sealed text of its address, and of the provider's ``state``."""

    def __repr__(self) -> str:
        return "Opened(***)"

    @property
    def name(self) -> str | None:
        """Return the name of the chat's user, where it is known."""
        return " ".join(part for part in (self.profile.first_name, self.profile.last_name) if part) or None


class _Found(NamedTuple):
    key: ChatKey
    link: Link
    kept: StoredChat


class _InDoubt(StoreError):
    """Says that the store did not answer whether it stored the result of a login."""


class LoginRevoker(Protocol):
    """Revokes a login that no chat stores."""

    def revoke(self, deployed: Deployed, login: Login) -> None:
        """Begin to revoke the tokens of a login, and return at once."""


class Links:
    """Serves login links. Every refusal is a ``RequestError``: 404 ``login-unknown``, 410 ``login-over``, 403
    ``login-browser``, and 503 ``login-lost`` for a login that succeeded and could not be stored. The pages count those
    of the link itself, all but the last: not every one of them is a refusal there."""

    def __init__(
        self,
        store: Store,
        bots: Bots,
        vault: Vault,
        runner: Runner,
        clock: Clock,
        addresses: SignedLinks,
        provider: LoginRevoker,
        counted: Counts,
    ) -> None:
        """Count logins by outcome in ``counted``."""
        self._store = store
        self._bots = bots
        self._vault = vault
        self._runner = runner
        self._clock = clock
        self._addresses = addresses
        self._provider = provider
        self._counted = counted

    # -- the start page

    async def open(self, state: str) -> Opened:
        """Open the link of a start page, as often as a browser likes; the first time makes its row."""
        found = await self._find(state)
        row = await self._store.login(found.key, found.link.id)
        if row is None:
            row = await self._store.open_login(self._new_row(found))
        if not LOGINS.allows(link_rows.state_of(row, link_rows.about_of(self._vault, row)), "open"):
            raise self._over()
        return await self._opened(found, row, state)

    def _new_row(self, found: _Found) -> LoginRow:
        key, link = found.key, found.link
        active = self._bots.active(key.bot)
        version = found.kept.version or (active.version if active is not None else "")
        # RFC 7636 section 4.1: 43 to 128 characters; 32 bytes make 43.
        about = LinkInfo(version, nonce=secrets.token_urlsafe(32), verifier=secrets.token_urlsafe(32))
        return LoginRow(key, link.id, link_rows.seal(self._vault, key, link.id, about), link.expires)

    async def tie(self, opened: Opened, rule: Binding, browser: bytes | None = None) -> None:
        """Tie the link to this browser by this rule, in place of an earlier tie.
        ``browser``: SHA-256 of the secret that it has as a cookie (needed for ``cookie``; under ``code`` any may come
        back)."""
        if rule not in TIES[opened.rule] or (rule == "cookie" and browser is None):
            raise self.wrong_browser()
        row = opened.row
        for _ in range(MAX_RACES):
            about = link_rows.about_of(self._vault, row)
            if not LOGINS.allows(link_rows.state_of(row, about), "tie"):
                break
            if (about.tied_by, about.browser) == (rule, browser):
                return  # also where another window of this browser was faster, and did the same
            about = msgspec.structs.replace(about, tied_by=rule, browser=browser)
            if await self._store.change_login(row, link_rows.changed(self._vault, row, about, "tie")):
                return
            now = await self._store.login(opened.key, opened.link)
            if now is None:
                break
            row = now
        raise self._over()

    # -- the redirect endpoint

    async def take(self, state: str, browser: bytes | None) -> Opened:
        """Take the link for its one use: of several requests at once one gets it, and only from the browser that is
        tied. ``browser``: as for ``tie``, of the browser that came."""
        for _ in range(MAX_RACES):
            found = await self._find(state)
            row = await self._store.login(found.key, found.link.id)
            if row is None:
                break
            about = link_rows.about_of(self._vault, row)
            if not LOGINS.allows(now := link_rows.state_of(row, about), "take"):
                raise self.wrong_browser() if now == "opened" else self._over()
            self._check_tie(about, browser)
            tied_by = tie_that_counts(about.tied_by, (await self._terms(found.key, about)).rule)
            known = browser if tied_by == "code" else about.browser
            about = msgspec.structs.replace(about, tied_by=tied_by, browser=known, taken_at=self._clock.now())
            taken = link_rows.changed(self._vault, row, about, "take")
            if await self._store.change_login(row, taken):
                return await self._opened(found, taken, state)
        raise self._over()

    def _check_tie(self, about: LinkInfo, browser: bytes | None) -> None:
        """Check the browser before the link is used up: who was sent a stranger's link must not use it up either."""
        if about.tied_by == "code" or (about.browser is None and about.tied_by != "cookie"):
            return
        if not link_rows.is_of(about, browser):
            raise self.wrong_browser()

    async def finish(self, opened: Opened, login: Login) -> str | None:
        """Submit the login of a taken link to the chat. Where the browser is not known to be the chat user's, the login
        waits for a code, which is returned for the page to show. A login that cannot be stored is revoked."""
        try:
            if opened.about.tied_by == "code":
                return await self._await_code(opened, login)
            if await self._newest(opened.key, opened.link) is None:
                raise self._over()  # the user was erased or logged out meanwhile, or it took too long
            await self._submit(opened, LoggedIn(**_common(opened), value=login.value), login.grant)
        except _InDoubt as error:
            # It may land all the same: then it must be of use.
            raise await self._lost(opened, error) from error
        except (StoreError, VaultError, RequestError) as error:
            await self._revoke(opened, login)
            if isinstance(error, RequestError) and error.code in _OVER:
                raise
            raise await self._lost(opened, error) from error
        self._counted.add("done")
        return None

    async def _revoke(self, opened: Opened, login: Login) -> None:
        """Revoke a login, but not one that waited for a code: it may be a stranger's who was sent the link, whom the
        provider may log out everywhere with it (RFC 7009 section 2.1). Nor one whose token the chat has: a provider may
        give the same token twice."""
        if opened.about.tied_by == "code":
            return
        tokens = set(opened.tokens)
        with contextlib.suppress(StoreError, VaultError):  # then it is as it was when the link was taken
            kept = chat_row.open_chat(self._vault, opened.key, await self._store.chat(opened.key)).kept
            tokens |= set(_tokens(kept, opened.deployed))
        if tokens.isdisjoint(login.tokens):
            self._provider.revoke(opened.deployed, login)

    async def _await_code(self, opened: Opened, login: Login) -> str:
        code = f"{secrets.randbelow(1_000_000):06d}"
        about = msgspec.structs.replace(opened.about, code=code, login=login)
        row: LoginRow | None = opened.row
        for _ in range(MAX_RACES):
            if row is None:
                break  # the user was erased meanwhile
            if await self._store.change_login(row, link_rows.changed(self._vault, row, about, "show-code")):
                break
            # Whose use it is, it alone says what came of it; but a new key may have sealed it again.
            row = await self._store.login(opened.key, opened.link)
        else:
            row = None
        # Only now: a turn that drops the link looks at the row after that.
        if row is None or await self._newest(opened.key, opened.link) is None:
            await link_rows.forget_code(self._store, self._vault, opened.key, opened.link)
            raise self._over()
        self._counted.add("code-shown")
        return code

    async def code_shown(self, state: str, browser: bytes | None) -> tuple[Opened, str] | None:
        """Return the code again for the browser that was shown it and may have closed its page; None for another
        browser or where no code is awaited."""
        read = self._addresses.read_state(state)
        found = None if read is None else await self._newest(*read)
        row = None if found is None else await self._store.login(found.key, found.link.id)
        if found is None or row is None:
            return None
        about = link_rows.about_of(self._vault, row)
        is_awaited = about.login is not None and found.link.lives_until(about) > self._clock.now()
        if about.code is None or not is_awaited or not link_rows.is_of(about, browser):
            return None
        return await self._opened(found, row, state), about.code

    async def fail(self, opened: Opened, reason: str = "") -> None:
        """Tell the chat that a taken link gave no login. ``reason``: what the provider did wrong, which counts as an
        error of the conversation; none where the user cancelled."""
        self._counted.add("failed" if reason else "cancelled")
        try:
            if await self._newest(opened.key, opened.link) is not None:
                await self._submit(opened, LoginFailed(**_common(opened), reason=reason))
        except (StoreError, VaultError, RequestError) as error:
            # What the browser is told stays true; the conversation does without.
            log.warning("a chat of bot %s was not told that a login brought nothing: %s", opened.key.bot, error)
            await self._break_off(opened)

    async def _lost(self, opened: Opened, error: DialoomError) -> RequestError:
        self._counted.add("failed")
        log.warning("a login of bot %s could not be stored and is lost: %s", opened.key.bot, error)
        await self._break_off(opened)
        return RequestError("login-lost", "The login could not be stored. Ask for a new link in the chat.")

    async def _break_off(self, opened: Opened) -> None:
        """Mark the use of the link as broken off, so that the next prompt has another link at once."""
        about = msgspec.structs.replace(opened.about, taken_at=self._clock.now() - LINK_USE_TIMEOUT_MS)
        with contextlib.suppress(StoreError, VaultError):
            await self._store.change_login(opened.row, link_rows.changed(self._vault, opened.row, about))

    async def _submit(self, opened: Opened, event: Event, grant: Grant | None = None) -> None:
        """Submit an event of the link. After any error but ``_InDoubt`` the chat certainly did not get it."""
        inbound = InboundEvent(
            event=event,
            channel_name=opened.channel_name,
            # One link brings one thing, also where the store did not say whether it has it.
            dedupe=Dedupe(f"login {opened.link}", b""),
            link=opened.link,
            grant=grant,
        )
        doubt: str | None = None
        pauses = iter(RESUBMIT_SECONDS)
        while True:
            try:
                await self._runner.submit(opened.key, inbound)
            except (RequestError, StoreError, VaultError) as error:
                if isinstance(error, StoreError):
                    log.warning("a login of bot %s waits for the store: %s", opened.key.bot, error)
                    doubt = str(error)
                pause = next(pauses, None) if _is_passing(error) else None
                if pause is None and doubt is not None:
                    # The store may have it since an earlier try, which no later refusal undoes.
                    raise _InDoubt(doubt) from error
                if pause is None:
                    raise
            else:
                return
            await self._clock.sleep(pause)

    # -- reading

    async def _find(self, state: str) -> _Found:
        """Return the chat that has this link, until the link expires."""
        read = self._addresses.read_state(state)
        if read is None:
            raise RequestError("login-unknown", "This is no login link of ours. Open the one in the chat.")
        found = await self._newest(*read)
        if found is None or found.link.expires <= self._clock.now():
            raise self._over()
        return found

    async def _newest(self, key: ChatKey, link: str) -> _Found | None:
        """Return the link with this id, where the chat has it."""
        kept = chat_row.open_chat(self._vault, key, await self._store.chat(key)).kept
        if kept.link is None or kept.link.id != link or kept.link.made_at <= await links_ended(self._store):
            return None
        return _Found(key, kept.link, kept)

    async def _opened(self, found: _Found, row: LoginRow, state: str) -> Opened:
        key, link, record = found.key, found.link, found.kept.record
        about = link_rows.about_of(self._vault, row)
        deployed, channel, authentication, rule = await self._terms(key, about)
        profile = chat_row.profile_of(key, channel, record)
        if link.profile is not None:
            profile = _filled(link.profile, profile)
        return Opened(
            key=key,
            link=row.link,
            row=row,
            about=about,
            deployed=deployed,
            channel=channel,
            authentication=authentication,
            rule=rule,
            profile=profile,
            channel_name=link.channel_name or (None if record is None else record.data.channel.name),
            chat=found.kept.state,
            tokens=_tokens(found.kept, deployed),
            state=state,
        )

    async def _terms(self, key: ChatKey, about: LinkInfo) -> Terms:
        terms = await terms_of(self._bots, key, about.version)
        if terms is None:
            raise self._over()
        return terms

    # -- refusals

    def _over(self) -> RequestError:
        detail = "This login link was used already, or its time is over. Ask for a new link in the chat."
        return RequestError("login-over", detail)

    def wrong_browser(self) -> RequestError:
        """Return the refusal for a browser that is not tied; pages use it as well."""
        detail = (
            "This login was not begun in this browser. Open the link in the chat with the browser in which you log in, "
            "and let it keep cookies."
        )
        return RequestError("login-browser", detail)

    def count(self, outcome: str) -> None:
        """Count an outcome that only a page knows."""
        self._counted.add(outcome)


def _tokens(kept: StoredChat, deployed: Deployed) -> tuple[str, ...]:
    """Return the tokens by which the chat's user is logged in."""
    login = deployed.flow.login
    return tokens_of(None if login is None else held(kept.state, login.entity), kept.grant)


def _filled(said: Profile, known: Profile) -> Profile:
    """Return the profile of an event, filled with what is known of the user (rest callers may send a part)."""
    given = {name: value for name, value in msgspec.structs.asdict(said).items() if value}
    return msgspec.structs.replace(known, **given)


def _is_passing(error: DialoomError) -> bool:
    """Return whether the same may be accepted a moment later."""
    return isinstance(error, StoreError) or (isinstance(error, RequestError) and error.code in _TRANSIENT_REFUSALS)


def _common(opened: Opened) -> dict[str, Any]:
    """Return the fields of every event; the runner fills in id, time and seed."""
    return {"id": "", "now": 0, "seed": 0, "profile": opened.profile}
