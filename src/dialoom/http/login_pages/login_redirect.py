"""Decides where a login leads when it is done, by the channel's rule (service-description.md section 3)."""

from __future__ import annotations

import msgspec

from dialoom.flow.channels import Channel, row_of
from dialoom.flow.model import Authentication


class LoginRedirect(msgspec.Struct, frozen=True):
    """Says where the last page of a login leads. ``address``: for its button. ``goes``: the browser goes there by
    itself. ``closes``: the page closes itself."""

    address: str | None = None
    goes: bool = False
    closes: bool = False


def login_redirect(authentication: Authentication, channel: Channel, *, by_itself: bool) -> LoginRedirect:
    """Return where the last page leads. ``by_itself``: it may leave or close without the user, which a page with a code
    may not."""
    address = _address(authentication, channel)
    if not by_itself:
        return LoginRedirect(address)
    goes = address is not None and (row_of(channel).has_token or authentication.confirmation_page_auto_redirect)
    return LoginRedirect(address, goes, not goes and _closes(authentication, channel, address))


def _address(authentication: Authentication, channel: Channel) -> str | None:
    """Return a short link, a deep link or the author's own address; None where the user must go back by hand."""
    row = row_of(channel)
    if row.has_token:
        return authentication.confirmation_page_redirect_url_web
    return row.address_after_login(channel)


def _closes(authentication: Authentication, channel: Channel, address: str | None) -> bool:
    """Tell whether the page closes itself: where the author says so, or the channel has no address to go to."""
    contents = authentication.confirmation_page_contents
    is_told = contents is not None and contents.attempt_close
    return is_told or (not row_of(channel).has_token and address is None)
