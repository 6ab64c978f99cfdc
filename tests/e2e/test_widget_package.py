"""The npm package of the widget: what it holds, its types, and pages of frameworks that use it."""

from __future__ import annotations

import json
import mimetypes
import subprocess
import sys
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.test_widget import SHOP, TOKEN, Visit, shop
from tests.live import ROOT, Service

if TYPE_CHECKING:
    pass

__all__ = ["shop"]

FRONTEND = ROOT / "frontend"
PACKAGE = FRONTEND / "npm"
PAGES = ROOT / "tests" / "frameworks"
USER = """
import { load, type Options, type Widget } from "@dialoom/widget";

const chat: Widget = load({ server: "https://bots.example.org", bot: { id: "clinic" }, channel: { id: "web" } });
const off: () => void = chat.on("message", ({ from, text }) => console.log(from.toUpperCase(), text.length));
chat.on("unread", (count) => count.toFixed());
off();
chat.setContext({ plan: "gold" });
// @ts-expect-error -- there is no such event
chat.on("opened", () => undefined);
const options: Options = { server: "https://bots.example.org", bot: { id: "clinic" }, channel: { id: "web" } };
load(options).destroy();
// @ts-expect-error -- there is no such option
load({ bot: { id: "clinic" }, channel: { id: "web" }, display: { luancher: {} } });
"""


def _run(*words: str, cwd: Path = FRONTEND) -> str:
    command = [sys.executable, str(ROOT / "hatch_build.py"), *words]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def package() -> Path:
    """The package's folder, built."""
    _run("npm", "run", "package")
    return PACKAGE


def test_the_package_holds_the_code_its_licenses_and_the_public_types_alone(package: Path) -> None:
    told = json.loads(_run("npm", "pack", "--dry-run", "--json", "./npm"))
    (packed,) = told.values() if isinstance(told, dict) else told
    files = {file["path"] for file in packed["files"]}
    types = {"dist/types/package.d.ts", "dist/types/loader/options.d.ts"}
    assert {"package.json", "README.md", "dist/index.js", "dist/licenses.txt", *types} <= files
    assert {path for path in files if path.endswith(".d.ts")} == types
    assert packed["version"] == json.loads((FRONTEND / "package.json").read_text())["version"]


@pytest.mark.parametrize("resolution", ["bundler", "nodenext"])
def test_a_plain_typescript_file_is_checked_against_its_types(package: Path, tmp_path: Path, resolution: str) -> None:
    modules = tmp_path / "node_modules" / "@dialoom"
    modules.mkdir(parents=True)
    (modules / "widget").symlink_to(package)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "page.ts").write_text(USER)
    module = "nodenext" if resolution == "nodenext" else "esnext"
    options = {
        "strict": True,
        "noEmit": True,
        "module": module,
        "moduleResolution": resolution,
        "lib": ["ES2023", "DOM"],
    }
    config = tmp_path / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": options | {"types": []}, "files": ["page.ts"]}))
    _run("npm", "exec", "--", "tsc", "-p", str(config))


@pytest.fixture(scope="module")
def pages(package: Path) -> Path:
    _run("packages", str(PAGES))
    _run("npm", "exec", "--", "vite", "build", "--config", str(PAGES / "vite.config.js"))
    return PAGES / "build"


class AppVisit(Visit):
    """A browser on a page of a framework, which is bundled with the package."""

    def __init__(self, browser: Browser, service: Service, folder: Path, name: str) -> None:
        self._folder = folder
        super().__init__(browser, service)
        query = urllib.parse.urlencode({"server": service.url, "token": TOKEN})
        self.page.goto(f"{SHOP}/{name}.html?{query}")

    def _serve(self, route: Route) -> None:
        path = self._folder / urllib.parse.urlsplit(route.request.url).path.lstrip("/")
        route.fulfill(body=path.read_bytes(), content_type=mimetypes.guess_type(path.name)[0])


def _launcher(page: Page) -> Any:
    return page.get_by_role("button", name="Chat with Tea house")


def test_a_react_component_has_the_chat_as_long_as_it_is_shown(browser: Browser, shop: Service, pages: Path) -> None:
    visit = AppVisit(browser, shop, pages, "react")
    expect(_launcher(visit.page)).to_have_count(1)
    visit.open()
    visit.write("tea")
    visit.page.get_by_role("button", name="Choose a size").click()
    visit.page.get_by_role("option", name="Small").dblclick()
    visit.hears("So small.")
    visit.page.get_by_role("button", name="Toggle").click()
    expect(visit.page.locator(".dialoom")).to_have_count(0)
    visit.page.get_by_role("button", name="Toggle").click()
    visit.hears("So small.")
    assert visit.errors == []
    visit.context.close()


def test_a_vue_component_shows_the_chat_as_a_part_of_the_page(browser: Browser, shop: Service, pages: Path) -> None:
    visit = AppVisit(browser, shop, pages, "vue")
    visit.hears("Welcome to the shop!")
    visit.page.get_by_role("button", name="Toggle").click()
    expect(visit.page.locator("dialoom-chat")).to_have_count(0)
    visit.page.get_by_role("button", name="Toggle").click()
    visit.hears("Welcome to the shop!")
    assert visit.errors == []
    visit.context.close()


def test_a_page_that_draws_itself_anew_on_each_navigation_keeps_the_chat(
    browser: Browser, shop: Service, pages: Path
) -> None:
    visit = AppVisit(browser, shop, pages, "router")
    line = visit.page.locator(".line")
    expect(_launcher(visit.page)).to_be_visible()
    expect(line).to_be_hidden()
    visit.page.get_by_role("button", name="Cups").click()
    expect(line).to_have_text("Questions about cups?")
    visit.open()
    visit.page.get_by_role("button", name="Cups").click()
    expect(visit.page.locator(".dialoom")).to_have_count(1)
    visit.hears("Welcome to the shop!")
    assert visit.errors == []
    visit.context.close()
