"""Lists the endpoints of the studio, one row each, with the roles that may call it and for which bots. They are no
part of the public interface."""

from __future__ import annotations

from functools import partial

from dialoom.http import parameters
from dialoom.http.routing import Access, Endpoint
from dialoom.http.studio.studio import PATH as STUDIO
from dialoom.service.access.studio_sign_in import ROLES

HEAD = ("HEAD",)
STUDIO_BOT = f"{STUDIO}/bots/{{bot_id}}"
STUDIO_CONVERSATION = f"{STUDIO_BOT}/conversations/{{conversation_id}}"
STUDIO_ROOMS = (
    "build",
    "understand",
    "test",
    "conversations",
    "insights",
    "hand-off",
    "operate",
    "people",
    "settings",
)
"""Each has the studio's page under its own address."""
TRY_OUT = f"{STUDIO_BOT}/try-outs/{{id}}"

_studio = partial(Endpoint, access=Access.STUDIO, roles=("administrator", "developer"))
_administrators = partial(_studio, roles=("administrator",))
_readers = partial(_studio, roles=("administrator", "developer", "analyst"))
_agents = partial(_studio, roles=("administrator", "developer", "agent"))
_everybody = partial(_studio, roles=ROLES)

STUDIO_ENDPOINTS: tuple[Endpoint, ...] = (
    # The studio's page is the same at its own address and at that of each room: the script reads the address.
    Endpoint("studioPage", "GET", "/studio", also=HEAD, is_opened=True),
    Endpoint("studioPage", "GET", "/studio/", also=HEAD, is_opened=True),
    *(Endpoint("studioRoom", "GET", f"/studio/{{bot_id}}/{room}", also=HEAD, is_opened=True) for room in STUDIO_ROOMS),
    Endpoint("studioSignIn", "POST", f"{STUDIO}/sign-in"),
    Endpoint("studioSignInWays", "GET", f"{STUDIO}/sign-in/ways"),
    Endpoint(
        "studioOpenIdStart",
        "GET",
        f"{STUDIO}/sign-in/openid",
        query=parameters.StudioOpenIdQuery,
        is_opened=True,
    ),
    Endpoint(
        "studioOpenIdBack",
        "GET",
        f"{STUDIO}/sign-in/openid/callback",
        query=parameters.CallbackQuery,
        is_opened=True,
    ),
    Endpoint("studioSignOut", "POST", f"{STUDIO}/sign-out"),
    _administrators("studioPeople", "GET", f"{STUDIO}/people", reach="service"),
    _administrators("studioInvite", "POST", f"{STUDIO}/people/links", reach="service"),
    _administrators("studioEndSession", "POST", f"{STUDIO}/people/{{id}}/end", reach="service"),
    _administrators("studioAudit", "GET", f"{STUDIO}/audit", query=parameters.AuditQuery, reach="service"),
    _administrators("studioBackUp", "POST", f"{STUDIO}/backup", reach="service"),
    _administrators("studioBackup", "GET", f"{STUDIO}/backup/{{id}}", reach="service"),
    _everybody("studioSession", "GET", f"{STUDIO}/session", reach="own"),
    _readers("studioBot", "GET", STUDIO_BOT),
    _studio("studioDraft", "GET", f"{STUDIO_BOT}/draft"),
    _studio("studioDraftState", "GET", f"{STUDIO_BOT}/draft/state"),
    _studio("studioSaveDraft", "PUT", f"{STUDIO_BOT}/draft"),
    _studio("studioDiscardDraft", "DELETE", f"{STUDIO_BOT}/draft"),
    _studio("studioCheckDraft", "POST", f"{STUDIO_BOT}/draft/check"),
    _studio("studioFixDraft", "POST", f"{STUDIO_BOT}/draft/fix"),
    _studio("studioArchiveDraft", "GET", f"{STUDIO_BOT}/draft/archive"),
    _studio("studioDifference", "GET", f"{STUDIO_BOT}/draft/difference"),
    _studio("studioPublish", "POST", f"{STUDIO_BOT}/draft/publish"),
    _studio("studioVersions", "GET", f"{STUDIO_BOT}/versions"),
    _studio("studioRollBack", "POST", f"{STUDIO_BOT}/rollback"),
    _studio("studioVersionDifference", "GET", f"{STUDIO_BOT}/versions/{{version}}/difference/{{other}}"),
    _studio("studioChannels", "GET", f"{STUDIO_BOT}/channels"),
    _studio("studioCheckChannel", "POST", f"{STUDIO_BOT}/channels/{{channel_id}}/check"),
    _studio("studioDeadLetters", "GET", f"{STUDIO_BOT}/dead-letters"),
    _studio("studioResendDead", "POST", f"{STUDIO_BOT}/dead-letters/resend"),
    _studio("studioDropDead", "POST", f"{STUDIO_BOT}/dead-letters/drop"),
    _studio("studioDoctor", "POST", f"{STUDIO_BOT}/doctor", reach="service"),
    _administrators("studioKeys", "GET", f"{STUDIO_BOT}/keys", reach="service"),
    _studio("studioPicture", "GET", f"{STUDIO_BOT}/picture"),
    _studio("studioDrawPicture", "POST", f"{STUDIO_BOT}/picture"),
    _studio("studioMakeBot", "POST", f"{STUDIO}/bots", reach="service"),
    _studio("studioWords", "GET", f"{STUDIO}/words", reach="own"),
    _studio("studioSchemas", "GET", f"{STUDIO}/schema", reach="own"),
    _administrators("studioMakeToken", "POST", f"{STUDIO_BOT}/tokens"),
    _administrators("studioShowToken", "POST", f"{STUDIO_BOT}/tokens/{{id}}/show"),
    _administrators("studioRevokeToken", "POST", f"{STUDIO_BOT}/tokens/{{id}}/revoke"),
    _readers("studioConversations", "GET", f"{STUDIO_BOT}/conversations", query=parameters.StudioListQuery),
    _readers("studioCount", "GET", f"{STUDIO_BOT}/conversations/_count", query=parameters.StudioListQuery),
    _readers("studioSaid", "GET", f"{STUDIO_BOT}/conversations/_said", query=parameters.StudioSaidQuery),
    _readers("studioConversation", "GET", f"{STUDIO_CONVERSATION}", query=parameters.StudioPageQuery),
    _readers("studioExport", "GET", f"{STUDIO_CONVERSATION}/export"),
    _studio("studioReplay", "POST", f"{STUDIO_CONVERSATION}/try-out"),
    _administrators("studioErase", "POST", f"{STUDIO_BOT}/users/{{user_id}}/erase"),
    _readers("studioInsights", "GET", f"{STUDIO_BOT}/insights", query=parameters.InsightsQuery),
    _studio("studioBeginTryOut", "POST", f"{STUDIO_BOT}/try-outs"),
    _studio("studioTryOut", "GET", TRY_OUT),
    _studio("studioDeleteTryOut", "DELETE", TRY_OUT),
    _studio("studioTryOutTurn", "POST", f"{TRY_OUT}/turns"),
    _studio("studioRewindTryOut", "POST", f"{TRY_OUT}/rewind"),
    _studio("studioChangeTryOut", "POST", f"{TRY_OUT}/settings"),
    _studio("studioReplayTryOut", "POST", f"{TRY_OUT}/replay"),
    _studio("studioTestOfTryOut", "POST", f"{TRY_OUT}/test"),
    _readers("studioTraces", "GET", f"{STUDIO_BOT}/traces/{{conversation_id}}"),
    _agents("studioHandOffs", "GET", f"{STUDIO_BOT}/hand-offs"),
    _agents("studioHandOff", "GET", f"{STUDIO_BOT}/hand-offs/{{id}}", query=parameters.StudioHandOffQuery),
    _agents("studioActInHandOff", "POST", f"{STUDIO_BOT}/hand-offs/{{id}}"),
    _studio("studioRunTests", "POST", f"{STUDIO_BOT}/tests/run"),
    _studio("studioTrySentence", "POST", f"{STUDIO_BOT}/understanding/try"),
    _studio("studioTrainingReport", "POST", f"{STUDIO_BOT}/understanding/report"),
    _studio("studioMissed", "GET", f"{STUDIO_BOT}/understanding/missed", query=parameters.MissedQuery),
    _studio("studioUnderstandingEffect", "POST", f"{STUDIO_BOT}/understanding/effect"),
)
