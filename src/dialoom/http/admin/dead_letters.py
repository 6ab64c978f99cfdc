"""Dead letters: deliveries to the outside that were given up. To see them, to resend them, to drop them."""

# No `from __future__ import annotations`: Litestar reads the handlers' types when it registers them.
from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post
from litestar.datastructures import State
from litestar.params import PathParameter, QueryParameter

from dialoom.errors import RequestError
from dialoom.http.admin.admission import SCHEME, Bot, authorize, check_parameters
from dialoom.http.problems import not_found
from dialoom.service.outbox.outbox import MAX_LISTED, DeadLetter

Letter = Annotated[str, PathParameter(description="The dead letter's `id`.")]
Limit = Annotated[int, QueryParameter(ge=1, le=MAX_LISTED, description=f"At most so many, {MAX_LISTED} at most.")]
CHANGES = "erase"
"""The scope of a token that may change what is stored."""


class DeadLetters(Controller):
    path = "/v1/bots/{bot_id:str}/dead-letters"
    tags = ("Dead letters",)
    security = ({SCHEME: []},)

    @get("/", summary="List dead letters", operation_id="listDeadLetters")
    async def dead_letters(
        self, request: Request[Any, Any, State], bot_id: Bot, limit: Limit = 100
    ) -> list[DeadLetter]:
        """Deliveries that were given up, the oldest first; what they say is not shown."""
        service = await authorize(request, bot_id)
        check_parameters(request, "limit")
        return await service.outbox.dead(bot_id, limit)

    @post("/{letter_id:str}/resend", summary="Resend a dead letter", operation_id="resendDeadLetter", status_code=204)
    async def resend(self, request: Request[Any, Any, State], bot_id: Bot, letter_id: Letter) -> None:
        """Puts it back among what is to be delivered, with all attempts and the same id and `Idempotency-Key`."""
        service = await authorize(request, bot_id, CHANGES)
        check_parameters(request)
        if not await service.outbox.resend(bot_id, [letter_id]):
            raise _unknown(bot_id, letter_id)

    @delete("/{letter_id:str}", summary="Drop a dead letter", operation_id="dropDeadLetter", status_code=204)
    async def drop(self, request: Request[Any, Any, State], bot_id: Bot, letter_id: Letter) -> None:
        """Deletes it: it will never be delivered."""
        service = await authorize(request, bot_id, CHANGES)
        check_parameters(request)
        if not await service.outbox.drop(bot_id, [letter_id]):
            raise _unknown(bot_id, letter_id)


def _unknown(bot: str, letter: str) -> RequestError:
    return not_found(f'Bot "{bot}" has no dead letter "{letter[:80]}".')
