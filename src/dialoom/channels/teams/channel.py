"""The channel: what an activity brings and proves, what is posted, and what the connector's answers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.channels._contract.adaptive_cards import read_submit
from dialoom.channels._contract.channel import UNSET_FIELDS, Channel, Inbound, Reply, from_platform
from dialoom.channels.teams import proof, set_up, sign_on
from dialoom.channels.teams.activities import (
    Activity,
    began,
    check_addresses,
    event_id,
    is_arrival,
    message_event,
    profile_of,
    route_of,
    user_of,
)
from dialoom.channels.teams.connector import (
    UNAUTHORIZED,
    code_of,
    download,
    encode_route,
    post,
    read_route,
    sign_in_resource,
    with_newer_token,
    words,
)
from dialoom.channels.teams.render import OWNER, TYPING, activities_of, as_oauth_card, bound_to, is_sign_in
from dialoom.engine.events import NoResponse
from dialoom.service.outbox.delivery import Verdict, judge
from dialoom.service.outbox.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.channels._contract.channel import InboundCall, SetUp
    from dialoom.channels.teams.connector import Route
    from dialoom.engine.effects import Request
    from dialoom.engine.events import Response
    from dialoom.messages import Profile
    from dialoom.service.chat.transcript import Spoken
    from dialoom.service.outbox.bot_channel import BotChannel
    from dialoom.service.outbox.channel_posts import Post

FORBIDDEN: Final = 403
PRECONDITION_FAILED: Final = 412
GONE: Final = frozenset({"ConversationBlockedByUser", "BotNotInConversationRoster", "MessageWritesBlocked"})
"""What the connector says of a user who has removed or blocked the bot
(https://learn.microsoft.com/microsoftteams/platform/bots/build-conversational-capability)."""
CARD_ACTION: Final = "adaptiveCard/action"
CARD_TAKEN: Final = Reply(
    b'{"statusCode":200,"type":"application/vnd.microsoft.activity.message","value":"OK"}',
)
NOT_IMPLEMENTED: Final = Reply(b"{}", status=501)
OTHER_TENANT: Final = Reply(b'{"error":{"code":"Forbidden","message":"The bot is for another tenant."}}', status=403)


class TeamsChannel(Channel):
    """The channel; one object serves all bots."""

    async def verify(self, call: InboundCall, bot_channel: BotChannel) -> None:
        await proof.check(call, bot_channel)

    async def parse(self, call: InboundCall, bot_channel: BotChannel) -> Inbound:
        activity, app_id = call.read(Activity), bot_channel.channel.app_id or ""
        if bot_channel.channel.tenant is not None and activity.tenant != bot_channel.channel.tenant:
            return Inbound(reply=OTHER_TENANT)
        check_addresses(activity)
        user = user_of(activity, app_id)
        if user is None:
            return Inbound(reply=NOT_IMPLEMENTED if activity.type == "invoke" else Reply())
        profile, route = profile_of(activity, user, bot_channel), route_of(activity, user)
        match activity.type:
            case "message":
                return await self._message(activity, profile, route, bot_channel)
            case "messageUpdate" if activity.event_type == "editMessage":
                return await self._message(activity, profile, route, bot_channel)
            case "conversationUpdate" | "installationUpdate" if is_arrival(activity, user, app_id):
                return Inbound([began(activity, profile, route)])
            case "invoke":
                return await self._invoke(activity, profile, route, bot_channel)
        return Inbound()

    async def _message(self, activity: Activity, profile: Profile, route: Route, bot_channel: BotChannel) -> Inbound:
        app_id = bot_channel.channel.app_id or ""
        # In a group people talk to each other; who submits a card of the bot or mentions it talks to the bot.
        if route.is_group and activity.value is None and not activity.mentions_bot(app_id):
            return Inbound()
        if _is_of_another(activity.value, profile):
            return Inbound()
        event = message_event(activity, profile, route, app_id)
        return Inbound([event], signals=[Signal(profile.id, msgspec.json.encode(TYPING), encode_route(route))])

    async def _invoke(self, activity: Activity, profile: Profile, route: Route, bot_channel: BotChannel) -> Inbound:
        if activity.name in (sign_on.EXCHANGE, sign_on.VERIFY, sign_on.FAILURE):
            return await sign_on.invoked(activity, profile, route, bot_channel)
        if activity.name != CARD_ACTION or not isinstance(activity.value, dict):
            return Inbound(reply=NOT_IMPLEMENTED)
        action = activity.value.get("action")
        data = action.get("data") if isinstance(action, dict) else None
        event = read_submit(data, {**UNSET_FIELDS, "profile": profile})
        if event is None or _is_of_another(data, profile):
            return Inbound(reply=NOT_IMPLEMENTED)
        return Inbound([from_platform(event, event_id(activity), encode_route(route))], reply=CARD_TAKEN)

    def render(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel) -> Sequence[bytes]:
        return [msgspec.json.encode(one) for said in spoken for one in activities_of(said, bot_channel.language)]

    def address(self, bot_channel: BotChannel) -> str | None:
        # Each activity says itself where answers to it go; this one is only named.
        return bot_channel.settings.workplace_chat_token_url

    async def request(self, post: Post, bot_channel: BotChannel) -> Request:
        activity: dict[str, Any] = msgspec.json.decode(post.body)
        return await _post(activity, post.user, post.reply_to, bot_channel)

    async def renewed(self, request: Request, answer: Response | NoResponse, bot_channel: BotChannel) -> Request | None:
        return await with_newer_token(request, answer, bot_channel)

    def judge(self, address: str, answer: Response | NoResponse, now: int) -> Verdict:
        if isinstance(answer, NoResponse) or 200 <= answer.status <= 299:
            return judge(address, answer, now)
        if answer.status == FORBIDDEN and code_of(answer.body) in GONE:
            return Verdict("gone", f"Teams: {words(answer.body)}")
        verdict, told = judge(address, answer, now), f"Teams answered {answer.status}: {words(answer.body)}"
        # learn.microsoft.com/microsoftteams/platform/bots/how-to/rate-limit: 412, 502 and 504 are tried again too. With
        # 401 the token was refused, which a newer one mends (``renewed``): at once, or as soon as the bot can sign in.
        what = "again" if answer.status in (PRECONDITION_FAILED, UNAUTHORIZED) else verdict.what
        return Verdict(what, told if what == "again" else f"{told}. Mend that, then resend it.", verdict.pause)

    async def download(self, address: str, bot_channel: BotChannel) -> Request | None:
        return await download(address, bot_channel)

    def keeps_logins(self, bot_channel: BotChannel) -> bool:
        return sign_on.connection_of(bot_channel) is not None

    async def sign_out(self, reply_to: str, bot_channel: BotChannel) -> Request:
        return await sign_on.sign_out(read_route(reply_to), bot_channel)

    async def signal(self, signal: Signal, bot_channel: BotChannel) -> Request:
        return await _post(msgspec.json.decode(signal.body), signal.user, signal.reply_to, bot_channel)

    async def connect(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        return await set_up.connect(bot_channel, address)

    async def check(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        return await set_up.check(bot_channel, address)


CHANNEL: Final = TeamsChannel()


def _is_of_another(value: Any, profile: Profile) -> bool:
    """Return whether a card that was submitted asks somebody else of the group."""
    return isinstance(value, dict) and value.get(OWNER, profile.id) != profile.id


async def _post(activity: dict[str, Any], user: str, reply_to: str, bot_channel: BotChannel) -> Request:
    route, connection = read_route(reply_to), sign_on.connection_of(bot_channel)
    if route.is_group:
        activity = bound_to(activity, user)
    # Teams exchanges tokens in a chat with one person; in a group the card leads to the login's own page.
    if connection is not None and not route.is_group and is_sign_in(activity):
        activity = as_oauth_card(activity, connection, await sign_in_resource(connection, route, bot_channel))
    return await post(activity, route, bot_channel)
