"""Makes the cards of a sign-in to the studio that did not work, in the two languages of the studio."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from dialoom.http.pages.card import Button, Card
from dialoom.service.studio_openid import Arrival

Reason = Literal["over", "browser", "cancelled", "failed"]
REASONS: Final[Mapping[str, Reason]] = {
    "login-browser": "browser",
    "login-cancelled": "cancelled",
    "login-failed": "failed",
    "login-timeout": "failed",
}
"""By the code of a refusal; ``over`` for those of states that are used, too old or none of ours."""


class _Texts(msgspec.Struct, frozen=True, kw_only=True):
    over: tuple[str, str]
    browser: tuple[str, str]
    cancelled: tuple[str, str]
    failed: tuple[str, str]
    no_role: tuple[str, str]
    ask: str
    name: str
    email: str
    no_email: str
    provider: str
    back: str


_TEXTS: Final[Mapping[str, _Texts]] = {
    "en": _Texts(
        over=("This sign-in is over", "It was used already, or its 10 minutes are over. Begin again in the studio."),
        browser=(
            "This sign-in was begun elsewhere",
            (
                "It belongs to another browser, or this one keeps no cookies. If somebody sent you this address, do "
                "not use it: sign in from the studio yourself."
            ),
        ),
        cancelled=("You were not signed in", "The sign-in was cancelled. You can begin again in the studio."),
        failed=(
            "The sign-in did not work",
            (
                "The provider did not answer as it should. Try again in a moment; if it happens again, ask whoever "
                "runs the service: its log has the reason."
            ),
        ),
        no_role=(
            "You have no role in this studio",
            "The provider knows you, but nobody has given you a role here.",
        ),
        ask="Ask whoever runs the service to add your e-mail address, its domain or one of your groups to "
        "DIALOOM_STUDIO_OPENID_ROLES, or to send you a link.",
        name="Name",
        email="E-mail",
        no_email="none that the provider has verified",
        provider="Provider",
        back="Back to the studio",
    ),
    "de": _Texts(
        over=(
            "Diese Anmeldung ist vorbei",
            "Sie wurde schon benutzt, oder ihre 10 Minuten sind um. Beginnen Sie im Studio von vorn.",
        ),
        browser=(
            "Diese Anmeldung wurde anderswo begonnen",
            (
                "Sie gehört einem anderen Browser, oder dieser behält keine Cookies. Hat Ihnen jemand diese Adresse "
                "geschickt, benutzen Sie sie nicht: Melden Sie sich selbst im Studio an."
            ),
        ),
        cancelled=("Sie wurden nicht angemeldet", "Die Anmeldung wurde abgebrochen. Im Studio geht es von vorn."),
        failed=(
            "Die Anmeldung hat nicht funktioniert",
            (
                "Der Anbieter hat nicht geantwortet, wie er sollte. Versuchen Sie es gleich noch einmal; bleibt es "
                "dabei, fragen Sie, wer den Dienst betreibt: Der Grund steht in seinem Log."
            ),
        ),
        no_role=(
            "Sie haben keine Rolle in diesem Studio",
            "Der Anbieter kennt Sie, aber niemand hat Ihnen hier eine Rolle gegeben.",
        ),
        ask="Bitten Sie, wer den Dienst betreibt, Ihre E-Mail-Adresse, deren Domain oder eine Ihrer Gruppen in "
        "DIALOOM_STUDIO_OPENID_ROLES einzutragen oder Ihnen einen Link zu senden.",
        name="Name",
        email="E-Mail",
        no_email="keine, die der Anbieter bestätigt hat",
        provider="Anbieter",
        back="Zurück zum Studio",
    ),
}


def refusal_card(language: str, code: str, back: str) -> Card:
    """Return what happened and what to do. ``back``: the address of the studio's page."""
    texts = _TEXTS[language]
    title, text = getattr(texts, REASONS.get(code, "over"))
    return Card(title=title, texts=(text,), button=Button(texts.back, back))


def no_role_card(language: str, arrival: Arrival, provider: str, back: str) -> Card:
    """Return whom the provider named, and what to ask for."""
    texts = _TEXTS[language]
    title, text = texts.no_role
    rows = (
        (texts.name, arrival.name),
        (texts.email, arrival.person.email or texts.no_email),
        (texts.provider, provider),
    )
    return Card(title=title, texts=(text, texts.ask), rows=rows, button=Button(texts.back, back))
