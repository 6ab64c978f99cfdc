"""What the description says of logging in: the two addresses that browsers go to, and the proof of a chat page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.http.openapi.chat import BASE, PARAMETERS, PLACE
from dialoom.http.openapi.forms import Answer, Form, asked, content, of, operation, text
from dialoom.http.openapi.problems import BODY, EVERYWHERE, refusals
from dialoom.http.openapi.web import SESSION

if TYPE_CHECKING:
    from collections.abc import Iterable

_PASSING = ("too-many-requests", "internal", "store-away", "sealed")
_LINK = ("bad-text", "bad-parameter", "login-browser", "login-unknown", "login-over", "login-failed", "login-timeout")
_PAGE = content(text("HTML, in the bot's language."), None, "text/html")
_STATE = asked("state", "Of the login link.", {"type": "string"}, {"one": ("As the link has it", "q83vEjRWeJA")})
_LANDING = "\n\n`login-landing`: this browser's login by the link is still on its way into the chat."
_SIGNED = "eyJzdGF0ZSI6InE4M3YifQ.c2lnbmVk"

SCHEMAS: Form = {
    "LoginProof": {
        "type": "object",
        "description": "What shows the start page of a login whose it is.",
        "properties": {"proof": text("Signed, for two minutes, for the browser that asked.", _SIGNED)},
        "required": ["proof"],
    },
    "LoginStanding": {
        "type": "object",
        "description": "How a chat stands to a login link of its own.",
        "properties": {
            "standing": text(
                "`open`: a login may still come of it. `through`: not any more, and the user is logged in. `over`: "
                "neither.",
                "open",
                enum=["open", "through", "over"],
            )
        },
        "required": ["standing"],
    },
    "LoginAddress": {
        "type": "object",
        "description": "Where a login goes on.",
        "properties": {"address": text("The provider's.", "https://login.example.com/authorize?state=q83v")},
        "required": ["address"],
    },
}


def paths() -> Form:
    return {
        "/v1/account-linking/start": {"get": _start(), "post": _go_on()},
        "/v1/account-linking": {"get": _back()},
        f"{BASE}/web/login": {"parameters": PLACE, "get": _tell_standing()},
        f"{BASE}/web/login-proof": {"parameters": PLACE, "post": _prove()},
    }


def _refused(codes: Iterable[str]) -> Form:
    """The same refusals as pages."""
    return {status: response | {"content": _PAGE} for status, response in refusals(codes).items()}


def _leaves(to: str) -> Form:
    where = {"description": to, "required": True, "schema": {"type": "string"}, "example": "https://login.example.com/"}
    return {"303": {"description": to, "headers": {"Location": where}}}


def _start() -> Form:
    by = asked("by", "`code`: on without asking the chat page.", {"type": "string"}, {"code": ("With a code", "code")})
    described = operation(
        "startLogin",
        "Pages",
        "Where login links lead",
        "For a browser. Opening it uses nothing up.",
        Answer(
            "200",
            "A page that asks whose login it is, where the channel's `binding` wants that; or once more the code that "
            "this browser was shown; or, for the browser that has logged in by it, that it has.",
            _PAGE,
        ),
        (),
        parameters=[_STATE, by],
    )
    described["responses"] |= _leaves("On to the provider.") | _refused((*_LINK, *_PASSING))
    described["responses"]["503"]["description"] += _LANDING
    return described


def _go_on() -> Form:
    form: Form = {
        "type": "object",
        "properties": {"answer": text("What the page's form carries.", _SIGNED)},
        "required": ["answer"],
    }
    bodies = content(of("LoginProof"), {"one": ("What the chat page had signed", {"proof": _SIGNED})})
    described = operation(
        "goOnWithLogin",
        "Pages",
        "On from the start page of a login",
        "For the page itself: its script brings the chat page's proof, its form the user's yes.",
        Answer(
            "200",
            "Where it goes on: to the script as JSON, to the form as a page.",
            content(of("LoginAddress"), {"one": ("The provider's", {"address": "https://login.example.com/"})}) | _PAGE,
        ),
        (),
        parameters=[_STATE],
        body=content(form, None, "application/x-www-form-urlencoded") | bodies,
    )
    codes = {*_LINK, *_PASSING, *BODY}
    for status, response in refusals(sorted(codes)).items():
        described["responses"][status] = response | {"content": response["content"] | _PAGE}
    return described


def _back() -> Form:
    given = [
        asked("code", "The provider's code.", {"type": "string"}),
        _STATE,
        asked("iss", "The provider's issuer (RFC 9207).", {"type": "string"}),
        asked("error", "In place of a code: why there is none.", {"type": "string"}),
        asked("error_description", "Not read.", {"type": "string"}),
    ]
    described = operation(
        "finishLogin",
        "Pages",
        "Where the provider sends the browser back",
        "Register it at the provider. A state serves once; parameters that a provider adds are left alone.",
        Answer(
            "200",
            "The confirmation page, or one with a code to type into the chat. Loaded anew, it says that the user is "
            "logged in already.",
            _PAGE,
        ),
        (),
        parameters=given,
    )
    described["responses"] |= _leaves("Back to the chat, where the channel can.") | _refused((*_LINK, *_PASSING))
    # Met by browsers alone, and always as a page.
    described["responses"]["403"]["description"] += "\n\n`login-cancelled`: the user cancelled at the provider."
    described["responses"]["503"]["description"] += "\n\n`login-lost`: the login could not be stored; the link is used."
    described["responses"]["503"]["description"] += _LANDING
    return described


def _tell_standing() -> Form:
    about = "The `key` of the dialog that asks for the login."
    link = asked("link", about, {"type": "string"}, {"one": ("A key", "7x_Q")}, required=True)
    found = content(of("LoginStanding"), {"one": ("Not used yet", {"standing": "open"})})
    return operation(
        "seeLogin",
        "Web channel",
        "Where a login stands",
        "For a chat page that was left for the login: that a link was used up in vain, no message says. Say the "
        "dialog's `key` as an `option` to be asked again, with a new link where the old one is over.",
        Answer("200", "Where it stands.", found),
        (*PARAMETERS, "session", "user-token-required", "other-channel", "origin", "not-found", *EVERYWHERE),
        security=[SESSION],
        parameters=[link],
    )


def _prove() -> Form:
    bodies = content(of("ProofBody"), {"one": ("A challenge", {"challenge": _SIGNED})})
    return operation(
        "proveLogin",
        "Web channel",
        "Prove that a login is this session's",
        "A login's start page asks the window that opened it (`postMessage`, type `dialoom:login-challenge`). Have its "
        "`challenge` signed here and post the proof back to the service's origin (type `dialoom:login-proof`).",
        Answer("200", "The proof.", content(of("LoginProof"), {"one": ("A proof", {"proof": _SIGNED})})),
        (
            "unknown-parameter",
            "session",
            "user-token-required",
            "other-channel",
            "origin",
            "not-found",
            "login-challenge",
            *BODY,
            *EVERYWHERE,
        ),
        security=[SESSION],
        body=bodies,
    )
