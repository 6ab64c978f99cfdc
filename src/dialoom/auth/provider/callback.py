"""Reads what a browser brings back from the provider (RFC 6749 section 4.1.2, RFC 9207). Whose login the state is, and
that it serves once, is left to the service.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from dialoom.auth.provider.answers import is_visible
from dialoom.auth.provider.checks import Wrong
from dialoom.auth.provider.metadata import Metadata

MAX_STATE_CHARS: Final = 2048
"""Characters. The longest that is ever made, of a user's id of 256 characters of four bytes, has 1,622."""
MAX_PARAMETER_CHARS: Final = {"state": MAX_STATE_CHARS, "code": 8192, "error": 256, "iss": 2048}
"""Characters, of every parameter that is read. Others may come, and come twice."""

# The latter two are not registered, but what one large provider says for the same.
CANCELS: Final = frozenset({"access_denied", "user_cancelled_login", "user_cancelled_authorize"})
"""Errors that say that the user did not want to, and nothing is wrong with the provider. ``login_required`` and its
like are none: they come where the provider was not let ask (Core 3.1.2.6), which the bot's author has to set right."""
AUTHORIZATION_ERRORS: Final = CANCELS | {
    *("invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope", "server_error"),
    *("temporarily_unavailable", "invalid_target", "invalid_request_uri", "invalid_request_object"),
    *("request_not_supported", "request_uri_not_supported", "registration_not_supported"),
    *("invalid_authorization_details", "unmet_authentication_requirements"),
    *("interaction_required", "login_required", "account_selection_required", "consent_required"),
}
"""Those that are told to the operator; any other text could be anything."""
OTHER_ERROR: Final = "other"


class CallbackParams(msgspec.Struct, frozen=True, kw_only=True):
    """Either ``code`` or ``error``. Empty ones count as missing (RFC 6749 section 3.1)."""

    state: str | None = None
    code: str | None = None
    error: str | None = None
    """One of ``AUTHORIZATION_ERRORS``, or ``OTHER_ERROR``."""
    iss: str | None = None

    def __repr__(self) -> str:
        return "CallbackParams(***)"

    @property
    def is_cancelled(self) -> bool:
        """Return whether the user did not want to log in, which is nobody's failure. Believed only once ``check_iss``
        has passed."""
        return self.error in CANCELS


def read_callback(params: Sequence[tuple[str, str]]) -> CallbackParams:
    """Read what the provider sent back. ``params``: of the query, decoded, in their order. Raises ``Wrong``, before
    anything is used up."""
    known = [(name, value) for name, value in params if name in MAX_PARAMETER_CHARS]
    if any(count > 1 for count in Counter(name for name, _ in known).values()):
        raise Wrong("callback-doubled")
    found = {name: value for name, value in known if value}
    if not all(is_visible(value, MAX_PARAMETER_CHARS[name]) for name, value in found.items()):
        raise Wrong("callback-value")
    if ("code" in found) == ("error" in found):
        raise Wrong("callback-neither")
    error = found.get("error")
    if error is not None and error not in AUTHORIZATION_ERRORS:
        error = OTHER_ERROR
    return CallbackParams(state=found.get("state"), code=found.get("code"), error=error, iss=found.get("iss"))


def check_iss(metadata: Metadata, iss: str | None) -> None:
    """Raises ``Wrong``. Errors come with an issuer as codes do."""
    if iss is None:
        if metadata.requires_iss:
            raise Wrong("callback-issuer-missing")
    elif iss != metadata.issuer:
        raise Wrong("callback-issuer")


def code_of(params: CallbackParams) -> str:
    """Raises ``Wrong`` where the provider answered with an error instead."""
    if params.code is None:
        known = params.error is not None and params.error != OTHER_ERROR
        raise Wrong("callback-error", f'It said "{params.error}".' if known else "")
    return params.code
