"""The checks of a login at an identity provider (login.md), as values: what to send, what each answer must hold.

No I/O, no clock, no randomness: bytes and the time come in, values go out, ``Wrong`` says what is wrong. When what is
sent, fetched, kept and tried again is left to ``service.login``.
"""

from dialoom.auth.provider.addresses import is_at_issuer
from dialoom.auth.provider.callback import CallbackParams, check_iss, code_of, read_callback
from dialoom.auth.provider.checks import CHECKS, Check, UnknownKey, Wrong
from dialoom.auth.provider.id_token import Claims, Expected, check_id_token, read_checked
from dialoom.auth.provider.keys import Keys, read_keys
from dialoom.auth.provider.metadata import Metadata, discovery_address, read_metadata
from dialoom.auth.provider.person import Person, lacks_profile, person_of, read_userinfo
from dialoom.auth.provider.requests import (
    Asked,
    OidcClient,
    authorization_address,
    discovery_request,
    keys_request,
    max_age_of,
    refresh_request,
    revocation_request,
    token_request,
    userinfo_request,
)
from dialoom.auth.provider.social import (
    Inspection,
    SocialClient,
    appsecret_proof,
    dialog_address,
    exchange_request,
    inspection_request,
    read_inspection,
)
from dialoom.auth.provider.token_answer import TokenAnswer, entity_value, id_token_of, read_token_answer, social_value

__all__ = (
    "CHECKS",
    "Asked",
    "CallbackParams",
    "Check",
    "Claims",
    "Expected",
    "Inspection",
    "Keys",
    "Metadata",
    "OidcClient",
    "Person",
    "SocialClient",
    "TokenAnswer",
    "UnknownKey",
    "Wrong",
    "appsecret_proof",
    "authorization_address",
    "check_id_token",
    "check_iss",
    "code_of",
    "dialog_address",
    "discovery_address",
    "discovery_request",
    "entity_value",
    "exchange_request",
    "id_token_of",
    "inspection_request",
    "is_at_issuer",
    "keys_request",
    "lacks_profile",
    "max_age_of",
    "person_of",
    "read_callback",
    "read_checked",
    "read_inspection",
    "read_keys",
    "read_metadata",
    "read_token_answer",
    "read_userinfo",
    "refresh_request",
    "revocation_request",
    "social_value",
    "token_request",
    "userinfo_request",
)
