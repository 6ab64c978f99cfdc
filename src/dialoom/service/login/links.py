"""A login link as the browser meets it: opened, tied to a browser, taken for its one use, ended with a login or not.

What the chat keeps of it is told in ``after_turn``; the provider's side is ``providers``', what browsers are shown the
pages'.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import secrets
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import msgspec

from dialoom.engine.events import LoggedIn, LoginFailed
from dialoom.engine.state import EMPTY
from dialoom.errors import RequestError, StoreError, VaultError
from dialoom.messages import Profile
from dialoom.service import chats
from dialoom.service.arrival import Arrival
from dialoom.service.login import rows
from dialoom.service.login.rows import MOST_RACES
from dialoom.service.login.rules import TIES, rule_of, stricter, tie_that_counts
from dialoom.service.login.values import SPENT_AFTER, About
from dialoom.service.login.versions import version_of
from dialoom.storage.store import Dedupe, LoginRow

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.engine.events import Event
    from dialoom.engine.state import State
    from dialoom.errors import DialoomError
    from dialoom.flow.model import Authentication, Binding, Channel
    from dialoom.service.addresses import Addresses
    from dialoom.service.bots import Bots, Deployed
    from dialoom.service.chats import Kept
    from dialoom.service.clock import Clock
    from dialoom.service.instruments import Counts
    from dialoom.service.login.values import Grant, Link, Login
    from dialoom.service.runner import Runner
    from dialoom.storage.store import ChatKey, Store

log = logging.getLogger(__name__)

SUBMIT_AGAIN: Final = (0.2, 0.5)
"""Seconds before what came of a login is put into the inbox again, where that is full or the store away. The page has
15 s in all, of which the provider may take 12."""


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A login link that was read, with all that its pages and the provider's side need to know."""

    key: ChatKey
    link: str
    """Its id."""
    row: LoginRow
    about: About
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
    state: str
    """The sealed text of its address, and of the provider's ``state``."""

    def __repr__(self) -> str:
        return "Opened(***)"

    @property
    def name(self) -> str | None:
        """The chat user's, where it is known."""
        return " ".join(part for part in (self.profile.first_name, self.profile.last_name) if part) or None


class _Found(NamedTuple):
    key: ChatKey
    link: Link
    kept: Kept


class _Terms(NamedTuple):
    """What counts for a link when it is used."""

    deployed: Deployed
    channel: Channel
    authentication: Authentication
    rule: Binding


class TakesBack(Protocol):
    """The provider's side of a login that no chat takes."""

    def take_back(self, deployed: Deployed, login: Login) -> None:
        """Nobody waits for it."""


class Links:
    """Every refusal is a ``RequestError``: 404 ``login-unknown``, 410 ``login-over``, 403 ``login-browser``, and 503
    ``login-lost`` for a login that was had and could not be stored."""

    def __init__(
        self,
        store: Store,
        bots: Bots,
        vault: Vault,
        runner: Runner,
        clock: Clock,
        addresses: Addresses,
        provider: TakesBack,
        counted: Counts,
    ) -> None:
        """``counted``: logins by outcome."""
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
        """The link of a start page; opening it again is harmless. Its row is kept from the first time on."""
        found = await self._find(state)
        row = await self._store.login(found.key, found.link.id)
        if row is None:
            row = await self._store.open_login(self._new_row(found))
        if row.is_taken:
            raise self._over()
        return await self._opened(found, row, state)

    def _new_row(self, found: _Found) -> LoginRow:
        key, link = found.key, found.link
        active = self._bots.active(key.bot)
        version = found.kept.version or (active.version if active is not None else "")
        # RFC 7636 section 4.1: 43 to 128 characters; 32 bytes make 43.
        about = About(version, nonce=secrets.token_urlsafe(32), verifier=secrets.token_urlsafe(32))
        return LoginRow(key, link.id, rows.seal(self._vault, key, link.id, about), link.expires)

    async def tie(self, opened: Opened, rule: Binding, browser: bytes | None = None) -> None:
        """From now on the link's login is the affair of this browser, by this rule; the tie before counts no more.
        ``browser``: SHA-256 of the secret that it has as a cookie (needed for ``cookie``; under ``code`` any may come
        back)."""
        if rule not in TIES[opened.rule] or (rule == "cookie" and browser is None):
            raise self.foreign()
        row = opened.row
        for _ in range(MOST_RACES):
            about = msgspec.structs.replace(rows.about_of(self._vault, row), tied_by=rule, browser=browser)
            if await self._store.change_login(row, rows.changed(self._vault, row, about)):
                return
            now = await self._store.login(opened.key, opened.link)
            if now is None or now.is_taken:
                raise self._over()
            known = rows.about_of(self._vault, now)
            if (known.tied_by, known.browser) == (rule, browser):
                return  # another window of this browser was faster, and did the same
            row = now
        raise self._over()

    # -- the redirect endpoint

    async def take(self, state: str, browser: bytes | None) -> Opened:
        """The link for its one use: of all that come at once one gets it, and only from the browser that it is tied to.
        ``browser``: as for ``tie``, of the browser that came."""
        for _ in range(MOST_RACES):
            found = await self._find(state)
            row = await self._store.login(found.key, found.link.id)
            if row is None or row.is_taken:
                raise self._over()
            about = rows.about_of(self._vault, row)
            self._check_tie(about, browser)
            tied_by = tie_that_counts(about.tied_by, (await self._terms(found.key, about)).rule)
            known = browser if tied_by == "code" else about.browser
            about = msgspec.structs.replace(about, tied_by=tied_by, browser=known, taken_at=self._clock.now())
            taken = rows.changed(self._vault, row, about, is_taken=True)
            if await self._store.change_login(row, taken):
                return await self._opened(found, taken, state)
        raise self._over()

    def _check_tie(self, about: About, browser: bytes | None) -> None:
        """Before anything is used up: who was sent somebody else's link must not spoil it either."""
        if about.tied_by is None:
            raise self.foreign()
        if about.tied_by == "code" or (about.browser is None and about.tied_by != "cookie"):
            return
        if not _is_same(about.browser, browser):
            raise self.foreign()

    async def finish(self, opened: Opened, login: Login) -> str | None:
        """The login of a link that was taken goes into the chat. Where the browser is not known to be the chat user's,
        it waits for the code that is given back, for the page to show. What does not get there is taken back."""
        try:
            if opened.about.tied_by == "code":
                return await self._await_code(opened, login)
            if await self._newest(opened.key, opened.link) is None:
                raise self._over()  # the user was erased or logged out meanwhile, or it took too long
            await self._submit(opened, LoggedIn(**_common(opened), value=login.value), login.grant)
        except (StoreError, VaultError) as error:
            # It may be stored all the same, and land: then it must be of use.
            raise await self._lost(opened, error) from error
        except RequestError as error:
            self._provider.take_back(opened.deployed, login)
            if error.status == 410:
                raise
            raise await self._lost(opened, error) from error
        self._counted.add("done")
        return None

    async def _await_code(self, opened: Opened, login: Login) -> str:
        code = f"{secrets.randbelow(1_000_000):06d}"
        about = msgspec.structs.replace(opened.about, code=code, login=login)
        row: LoginRow | None = opened.row
        for _ in range(MOST_RACES):
            if row is None:
                break  # the user was erased meanwhile
            if await self._store.change_login(row, rows.changed(self._vault, row, about)):
                break
            # Whose use it is, it alone says what came of it; but a new key may have sealed it anew.
            row = await self._store.login(opened.key, opened.link)
        else:
            row = None
        # Only now: a turn that drops the link looks at the row after that.
        if row is None or await self._newest(opened.key, opened.link) is None:
            await rows.forget_code(self._store, self._vault, opened.key, opened.link)
            raise self._over()
        self._counted.add("code-shown")
        return code

    async def code_shown(self, state: str, browser: bytes | None) -> tuple[Opened, str] | None:
        """The code that is awaited, for the browser that was shown it and may have closed its page. None: no code is,
        or it is another browser."""
        read = self._addresses.read_state(state)
        found = None if read is None else await self._newest(*read)
        row = None if found is None else await self._store.login(found.key, found.link.id)
        if found is None or row is None:
            return None
        about = rows.about_of(self._vault, row)
        is_awaited = about.login is not None and found.link.lives_until(about) > self._clock.now()
        if about.code is None or not is_awaited or not _is_same(about.browser, browser):
            return None
        return await self._opened(found, row, state), about.code

    async def fail(self, opened: Opened, reason: str = "") -> None:
        """A link that was taken brought no login. ``reason``: what the provider did wrong, which counts as an error of
        the conversation; none where the user cancelled."""
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
        return RequestError(503, "login-lost", "The login could not be stored. Ask for a new link in the chat.")

    async def _break_off(self, opened: Opened) -> None:
        """The next prompt has another link at once, instead of when the use of this one counts as broken off."""
        about = msgspec.structs.replace(opened.about, taken_at=self._clock.now() - SPENT_AFTER)
        with contextlib.suppress(StoreError, VaultError):
            await self._store.change_login(opened.row, rows.changed(self._vault, opened.row, about))

    async def _submit(self, opened: Opened, event: Event, grant: Grant | None = None) -> None:
        arrival = Arrival(
            event=event,
            channel_name=opened.channel_name,
            # One link brings one thing, also where the store did not say whether it has it.
            dedupe=Dedupe(f"login {opened.link}", b""),
            link=opened.link,
            grant=grant,
        )
        doubt: StoreError | None = None
        for pause in SUBMIT_AGAIN:
            try:
                await self._runner.submit(opened.key, arrival)
            except RequestError as error:
                if error.status not in {429, 503}:
                    raise
            except StoreError as error:
                log.warning("a login of bot %s waits for the store: %s", opened.key.bot, error)
                doubt = error
            else:
                return
            await self._clock.sleep(pause)
        try:
            await self._runner.submit(opened.key, arrival)
        except RequestError as error:
            if doubt is None:
                raise
            # The store may have it since an earlier try, which no later refusal undoes.
            raise doubt from error

    # -- reading

    async def _find(self, state: str) -> _Found:
        """The chat whose newest link this is, while that lives."""
        read = self._addresses.read_state(state)
        if read is None:
            raise self._refusal(404, "login-unknown", "This is no login link of ours. Open the one in the chat.")
        found = await self._newest(*read)
        if found is None or found.link.expires <= self._clock.now():
            raise self._over()
        return found

    async def _newest(self, key: ChatKey, link: str) -> _Found | None:
        """The link of this id, where it is the one that the chat has."""
        kept = chats.open_chat(self._vault, key, await self._store.chat(key)).kept
        return _Found(key, kept.link, kept) if kept.link is not None and kept.link.id == link else None

    async def _opened(self, found: _Found, row: LoginRow, state: str) -> Opened:
        key, link, record = found.key, found.link, found.kept.record
        about = rows.about_of(self._vault, row)
        deployed, channel, authentication, rule = await self._terms(key, about)
        return Opened(
            key=key,
            link=row.link,
            row=row,
            about=about,
            deployed=deployed,
            channel=channel,
            authentication=authentication,
            rule=rule,
            profile=link.profile or chats.profile_of(key, channel, record),
            channel_name=link.channel_name or (None if record is None else record.data.channel.name),
            chat=found.kept.state,
            state=state,
        )

    async def _terms(self, key: ChatKey, about: About) -> _Terms:
        """The provider is that of the version which the login began with; of two rules, its own and that of the version
        which is active by now, the stricter one counts."""
        active = self._bots.active(key.bot)
        deployed = await version_of(self._bots, key.bot, about.version)
        channel = None if active is None else active.channel(key.channel)
        authentication = None if deployed is None else deployed.bot.flow.settings.authentication
        if active is None or deployed is None or channel is None or authentication is None:
            raise self._over()
        rule, newer = rule_of(authentication, channel), active.bot.flow.settings.authentication
        if newer is not None:
            rule = stricter(rule, rule_of(newer, channel))
        return _Terms(deployed, channel, authentication, rule)

    # -- refusals

    def _over(self) -> RequestError:
        detail = "This login link was used already, or its time is over. Ask for a new link in the chat."
        return self._refusal(410, "login-over", detail)

    def foreign(self) -> RequestError:
        """For a page that asked the browser itself, too."""
        detail = (
            "This login was not begun in this browser. Open the link in the chat with the browser in which you log in, "
            "and let it keep cookies."
        )
        return self._refusal(403, "login-browser", detail)

    def count(self, outcome: str) -> None:
        """Of what ends where no link is opened or taken."""
        self._counted.add(outcome)

    def _refusal(self, status: int, code: str, detail: str) -> RequestError:
        self._counted.add(code)
        return RequestError(status, code, detail)


def _is_same(known: bytes | None, browser: bytes | None) -> bool:
    return known is not None and browser is not None and hmac.compare_digest(known, browser)


def _common(opened: Opened) -> dict[str, Any]:
    """The runner puts id, time and seed in."""
    return {"id": "", "now": 0, "seed": 0, "profile": opened.profile}
