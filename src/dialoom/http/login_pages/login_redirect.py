"""Where a login leads when it is through: the channel's rule (service-description.md section 3, channels.md). Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import msgspec

if TYPE_CHECKING:
    from dialoom.flow.model import Authentication, Channel

_ARRIVED: Final = "login"
"""What the chat app gives to the bot with the link: no more than where it came from."""
_PAGES: Final = frozenset({"web", "mobile", "rest"})


class LoginRedirect(msgspec.Struct, frozen=True):
    """Where the last page of a login leads. ``address``: for its button. ``goes``: the browser goes there by itself.
    ``closes``: the page closes itself."""

    address: str | None = None
    goes: bool = False
    closes: bool = False


def login_redirect(authentication: Authentication, channel: Channel, *, by_itself: bool) -> LoginRedirect:
    """Return where the last page leads. ``by_itself``: it may leave or close without the user, which a page with a code
    may not."""
    address = _address(authentication, channel)
    if not by_itself:
        return LoginRedirect(address)
    goes = address is not None and (channel.type in _PAGES or authentication.confirmation_page_auto_redirect)
    return LoginRedirect(address, goes, not goes and _closes(authentication, channel, address))


def _address(authentication: Authentication, channel: Channel) -> str | None:
    """Return a short link, a deep link or the author's own address; None where the user must go back by hand."""
    match channel.type:
        case "web" | "mobile" | "rest":
            return authentication.confirmation_page_redirect_url_web
        case "messenger-1":
            return channel.page_id and f"https://m.me/{_part(channel.page_id)}?ref={_ARRIVED}"
        case "messenger-2":
            return channel.uri and f"viber://pa?chatURI={_part(channel.uri)}&context={_ARRIVED}"
        case "messenger-3":
            return channel.bot_name and f"https://t.me/{_part(channel.bot_name.removeprefix('@'))}?start={_ARRIVED}"
        case _:
            return None


def _closes(authentication: Authentication, channel: Channel, address: str | None) -> bool:
    """Tell whether the page closes itself: where the author says so, or the channel has no address to go to."""
    contents = authentication.confirmation_page_contents
    is_told = contents is not None and contents.attempt_close
    return is_told or (channel.type not in _PAGES and address is None)


def _part(text: str) -> str:
    return quote(text, safe="")
