"""A bot's draft as the studio's page asks for it, kept in memory: answers the requests of Build in place of the service."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from dialoom.flow.schema import schemas

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

WORDS = {
    "helpers": [{"name": "$has", "signature": "$has name", "line": "Whether the entity has a value."}],
    "entityTypes": [{"name": "Text"}, {"name": "Date"}],
}


class FakeDrafts:
    """Holds the files of one bot. ``findings`` are told with each answer; ``fixed`` are the files after their fix."""

    def __init__(self, page: Page, bot: str, files: dict[str, str]) -> None:
        self.files, self.revision = dict(files), 1
        self.findings: list[dict[str, Any]] = []
        self.fixed: dict[str, str] = {}
        self.boxes: list[dict[str, Any]] = []
        self.saved: list[dict[str, str | None]] = []
        self._bot = bot
        for pattern in (f"**/v1/studio/bots/{bot}/**", "**/v1/studio/words", "**/v1/studio/schema"):
            page.route(pattern, self._answer)

    def change_outside(self, file: str, text: str) -> None:
        self.files[file] = text
        self.revision += 1

    def _answer(self, route: Route) -> None:
        request = route.request
        body = request.post_data_json if request.post_data else {}
        path = request.url.split("/v1/studio", 1)[1].removeprefix(f"/bots/{self._bot}")
        status, answer = self._of(request.method, path, body)
        route.fulfill(status=status, content_type="application/json", body=json.dumps(answer))

    def _of(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        match method, path:
            case "GET", "/words":
                return 200, WORDS
            case "GET", "/schema":
                return 200, schemas()
            case "GET", "/draft":
                return 200, self._draft()
            case "PUT", "/draft":
                return self._save(body)
            case "POST", "/draft/check":
                return 200, {"findings": self.findings}
            case "POST", "/draft/fix":
                self.findings = []
                return 200, {"files": self.fixed}
            case "POST", "/picture":
                return 200, {"boxes": self.boxes}
        return 404, {"status": 404, "code": "not-found", "detail": f"No {method} {path}."}

    def _draft(self) -> dict[str, Any]:
        place = {"source": "folder", "base": "version-1", "canWriteFolder": True, "folder": None, "author": None}
        return place | {"revision": str(self.revision), "files": self.files, "findings": self.findings}

    def _save(self, body: Any) -> tuple[int, Any]:
        if body["revision"] != str(self.revision):
            problem = {"status": 409, "code": "draft-changed", "detail": "Somebody else saved these files."}
            return 409, problem | {"revision": str(self.revision), "files": self.files}
        self.saved.append(body["files"])
        changed = self.files | body["files"]
        self.files = {name: text for name, text in changed.items() if text is not None}
        self.revision += 1
        return 200, {"revision": str(self.revision), "findings": self.findings}
