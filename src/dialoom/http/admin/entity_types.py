"""Reading the list of a dynamic entity type now, for the service that has just changed it (understanding.md)."""

# No `from __future__ import annotations`: Litestar reads the handlers' types when it registers them.
from typing import Annotated, Any

from litestar import Controller, Request, post
from litestar.datastructures import State
from litestar.params import PathParameter

from dialoom.errors import RemoteError, RequestError
from dialoom.http.admin.admission import SCHEME, authorize, check_parameters
from dialoom.http.problems import not_found
from dialoom.service.bots.dynamic_data import Refreshed


class EntityTypes(Controller):
    path = "/v1/bots/{bot_id:str}/entity-types"
    tags = ("Entity types",)
    security = ({SCHEME: []},)

    @post("/{name:str}/_refresh", summary="Read a dynamic list now", operation_id="refreshEntityType", status_code=200)
    async def refresh(
        self,
        request: Request[Any, Any, State],
        bot_id: Annotated[str, PathParameter(description="The bot's id.")],
        name: Annotated[str, PathParameter(description="The entity type's name.")],
    ) -> Refreshed:
        """Reads the list of a type with `dynamic-data` and takes it. When that fails, the last good list stays."""
        service = await authorize(request, bot_id)
        check_parameters(request)
        try:
            return await service.dynamic.refresh(bot_id, name)
        except KeyError as error:
            raise not_found(f'Bot "{bot_id}" has no entity type "{name[:80]}" with dynamic-data.') from error
        except RemoteError as error:
            why = str(error).rstrip(".")
            detail = f'The list of "{name}" was not read: {why}. Its values stay as they are.'
            raise RequestError(502, "list-not-read", detail) from error
