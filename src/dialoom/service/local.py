"""Says what follows from who reaches a service: what it allows because only this machine does (``Settings.is_local``),
what it does not allow although it listens on loopback, and that people come without TLS."""

from __future__ import annotations

from dialoom.service.settings import Settings

IN_CLEAR = (
    "base_url is http: tokens and messages go over the network in clear, and whoever is on the way can put a cookie of "
    "his own into a user's browser, so that a login is no longer safe from forwarded links. Put a proxy with TLS "
    "before the service and set base_url to its https address."
)
"""What a start and ``dialoom doctor`` say of ``Settings.is_in_clear``."""


def allowances(settings: Settings) -> str | None:
    """Return in a sentence what a local service allows. None for one that others reach."""
    if not settings.is_local:
        return None
    allowed = [
        "bots may call private addresses" if settings.allows_private else "",
        "/metrics needs no token",
        "/ lists the bots",
        "calls of test clients need no signature" if settings.unsigned_calls == "allow" else "",
    ]
    *first, last = filter(None, allowed)
    return f"Local service: {', '.join(first)} and {last}."


def restrictions(settings: Settings) -> str | None:
    """Return what a service on loopback keeps closed because of its public ``base_url``, where no setting has decided
    it. None where there is nothing to say."""
    if settings.is_local or not settings.is_loopback_only:
        return None
    closed = []
    if settings.egress_private is None:
        closed.append(
            "bots may not call private addresses (list the hosts that they need in DIALOOM_EGRESS_ALLOW, or set "
            "DIALOOM_EGRESS_PRIVATE=allow)"
        )
    if settings.metrics_token is None:
        closed.append("/metrics is closed (set DIALOOM_METRICS_TOKEN)")
    if settings.unsigned_calls == "allow":
        closed.append("DIALOOM_UNSIGNED_CALLS=allow has no effect")
    if not closed:
        return None
    return f"Others reach this service under {settings.base_url}, so it is not local: {'; '.join(closed)}."
