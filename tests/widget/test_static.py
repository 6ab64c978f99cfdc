"""The built front end: there, small enough, self-contained and with the licenses of what is in it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from dialoom.languages import LANGUAGES, chat_texts, login_texts, system_texts
from dialoom.widget import static_folder

MAX_LOADER_BYTES = 6_000
MAX_CHAT_BYTES = 45_000
"""Both gzipped (channels.md section 4)."""
MAX_STUDIO_BYTES = 300_000
"""Gzipped, for a reader of one language, without the files that the chat's page has too: the try-out shows the chat itself."""
MAX_FOLLOW_BYTES = 7_000
"""Gzipped; the protocol's part without the view."""
STUDIO = ("studio.en.html", "studio.de.html")
FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
PLACEHOLDERS = {
    "chat.html": {
        "header",
        "bot",
        "channel",
        "name",
        "language",
        "direction",
        "avatar",
        "spoken",
        "noscript",
        "initial",
    },
    "pick.html": {"name", "language", "direction", "avatar", "spoken", "noscript", "initial", "text", "back"},
    "studio.en.html": set(),
    "studio.de.html": set(),
}


@pytest.fixture(scope="module")
def folder() -> Path:
    folder = static_folder()
    assert (folder / "chat.html").is_file(), "The front end is not built. Run: python hatch_build.py frontend"
    return folder


def scripts(folder: Path) -> list[Path]:
    return [*folder.glob("*.js"), *(folder / "assets").glob("*.js")]


def size(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def loaded_with(folder: Path, page: str) -> set[Path]:
    """What a page loads before anything happens: what it names, and what that imports outright."""
    addresses = re.findall(r'(?:src|href)="/static/([^"]+)"', (folder / page).read_text())
    return loaded_by({folder / address for address in addresses})


def loaded_by(entries: set[Path]) -> set[Path]:
    """These files and what they import outright."""
    waiting = list(entries)
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            names = re.findall(r"""(?:^|[;}])import[^;('"`]*["'`]\./([^"'`]+)["'`]""", path.read_text())
            waiting += [path.parent / name for name in names]
    return found


def stages(folder: Path) -> dict[str, str]:
    """The files that the widget's loader names for the chat, with their integrity values."""
    return dict(re.findall(r"\[`(assets/[\w-]+\.js)`,`(sha256-[\w+/=]+)`\]", (folder / "widget.js").read_text()))


def test_the_loader_is_one_file_of_at_most_6_kilobytes_gzipped_without_lit(folder: Path) -> None:
    assert size(folder / "widget.js") <= MAX_LOADER_BYTES
    assert "litElementVersions" not in (folder / "widget.js").read_text()


def test_what_the_loader_loads_for_the_chat_is_at_most_45_kilobytes_gzipped(folder: Path) -> None:
    files = stages(folder)
    (entry,) = (folder / "assets").glob("widget-chat-*.js")
    assert {folder / file for file in files} == loaded_by({entry})
    assert sum(size(folder / file) for file in files) <= MAX_CHAT_BYTES


def test_a_closed_window_listens_with_at_most_7_kilobytes_gzipped_more(folder: Path) -> None:
    (entry,) = (folder / "assets").glob("widget-follow-*.js")
    assert entry.name in (folder / "widget.js").read_text()
    assert sum(size(path) for path in loaded_by({entry})) <= MAX_FOLLOW_BYTES


def test_the_loader_lets_no_other_files_in_place_of_the_chat_s(folder: Path) -> None:
    for file, integrity in stages(folder).items():
        assert integrity == "sha256-" + base64.b64encode(hashlib.sha256((folder / file).read_bytes()).digest()).decode()


def test_developers_find_the_integrity_value_of_the_loader(folder: Path) -> None:
    value = base64.b64encode(hashlib.sha384((folder / "widget.js").read_bytes()).digest()).decode()
    told = {"src": "/static/widget.js", "integrity": f"sha384-{value}"}
    assert json.loads((folder / "widget.json").read_text()) == told


@pytest.mark.parametrize("page", sorted(PLACEHOLDERS))
def test_a_page_loads_at_most_45_kilobytes_gzipped_before_it_can_be_used(folder: Path, page: str) -> None:
    assert sum(size(path) for path in loaded_with(folder, page)) <= MAX_CHAT_BYTES


@pytest.mark.parametrize("page", STUDIO)
def test_the_studio_with_all_its_rooms_is_at_most_300_kilobytes_gzipped(folder: Path, page: str) -> None:
    studio, chat = (loaded_ever(folder, one) for one in (page, "chat.html"))
    names = {path.stem[:-9] for path in studio}
    assert {"frame", "talks", "files", "operate", "insights", "try-out", "json-editor", "map", "merge"} <= names
    assert sum(size(path) for path in studio - chat) <= MAX_STUDIO_BYTES


def test_a_reader_of_the_studio_loads_the_words_of_one_language(folder: Path) -> None:
    chat = loaded_ever(folder, "chat.html")
    english, german = ("".join(path.read_text() for path in loaded_ever(folder, page) - chat) for page in STUDIO)
    english_words, german_words = studio_words()
    assert min(len(english_words), len(german_words)) > 150
    assert [text for text in english_words if text not in english or text in german] == []
    assert [text for text in german_words if text not in german or text in english] == []


def studio_words() -> tuple[set[str], set[str]]:
    """The studio's English and German texts that stand on a line of their own and take no values."""
    halves = [path.read_text().split("\n  de: {") for path in (FRONTEND / "src" / "studio").rglob("words.ts")]
    english, german = (
        set(re.findall(r'^ +\w+: "([^"\\]{20,})",$', "\n".join(half), re.M)) for half in zip(*halves, strict=True)
    )
    return english, german


def test_each_script_belongs_to_a_page_and_only_the_studio_s_are_there_for_each_language(folder: Path) -> None:
    english, german = (loaded_ever(folder, page) for page in STUDIO)
    pages = {path for page in {*PLACEHOLDERS, "sandbox.html"} - {*STUDIO} for path in loaded_ever(folder, page)}
    widget = set((folder / "assets").glob("widget-*.js"))
    assert set((folder / "assets").glob("*.js")) == english | german | pages | widget
    assert pages & (english ^ german) == set()
    assert {path.stem[:-9] for path in english} == {path.stem[:-9] for path in german}


def loaded_ever(folder: Path, page: str) -> set[Path]:
    """The scripts that a page loads at its start or when something needs them."""
    waiting = [path for path in loaded_with(folder, page) if path.suffix == ".js"]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            names = re.findall(r"""(?:from|import)\s*\(?["'`]\./([\w-]+\.js)["'`]""", path.read_text())
            waiting += [path.parent / name for name in names]
    return found


def test_the_chat_page_leaves_the_dialogs_until_a_question_needs_them(folder: Path) -> None:
    (dialogs,) = (folder / "assets").glob("dialogs-*.js")
    assert dialogs not in loaded_with(folder, "chat.html")
    assert dialogs.name in "".join(
        path.read_text() for path in loaded_with(folder, "chat.html") if path.suffix == ".js"
    )


def test_the_pages_name_in_their_heads_what_their_scripts_import(folder: Path) -> None:
    for page in sorted(PLACEHOLDERS):
        text = (folder / page).read_text()
        named = re.findall(r'rel="modulepreload" crossorigin href="/static/([^"]+)"', text)
        entries = re.findall(r'<script type="module" crossorigin src="/static/([^"]+)"', text)
        imported = {path for path in loaded_with(folder, page) if path.suffix == ".js"}
        assert {folder / name for name in (*named, *entries)} == imported, page


def test_no_script_turns_text_into_html_or_needs_a_policy_for_it(folder: Path) -> None:
    for path in scripts(folder):
        found = re.search(r"\.(?:inner|outer)HTML\s*=[^=]|createPolicy|insertAdjacentHTML", path.read_text())
        assert found is None, path.name


def test_each_language_is_a_small_file(folder: Path) -> None:
    files = sorted((folder / "words").glob("*.json"))
    # The English texts are in the chat itself.
    assert [path.stem for path in files] == [language for language in LANGUAGES if language != "en"]
    for path in files:
        assert size(path) < 2_500, path.name
        assert json.loads(path.read_text("utf-8")) == chat_texts(path.stem)


def test_no_built_file_holds_what_only_the_service_reads(folder: Path) -> None:
    alone = ("numberJoiners", "beforeHour", system_texts("en").no_script, login_texts("en").confirm_text)
    found = [(path.name, text) for path in folder.rglob("*.js*") for text in alone if text in path.read_text("utf-8")]
    assert found == []


@pytest.mark.parametrize("name", sorted(PLACEHOLDERS))
def test_a_page_refers_only_to_files_that_are_there_and_carry_a_hash(folder: Path, name: str) -> None:
    page = (folder / name).read_text()
    addresses = re.findall(r'(?:src|href)="([^"{]+)"', page)
    assert len(addresses) >= 3
    for address in addresses:
        assert re.fullmatch(r"/static/assets/[\w.-]+-[\w-]{8}\.(js|css|svg)", address)
        assert (folder / address.removeprefix("/static/")).is_file()


@pytest.mark.parametrize("name", sorted(PLACEHOLDERS))
def test_a_page_has_no_script_or_style_of_its_own(folder: Path, name: str) -> None:
    page = (folder / name).read_text()
    assert re.findall(r"<script[^>]*>([^<]+)</script>|<style|\sstyle=|\son\w+=", page) == []


@pytest.mark.parametrize("name", sorted(PLACEHOLDERS))
def test_a_page_has_the_places_that_the_service_fills(folder: Path, name: str) -> None:
    assert set(re.findall(r"\{\{(\w+)\}\}", (folder / name).read_text())) == PLACEHOLDERS[name]


def test_nothing_in_the_scripts_leads_to_a_third_party(folder: Path) -> None:
    # Names of namespaces and addresses that only stand in messages to developers are no requests.
    known = {"www.w3.org", "lit.dev", "github.com"}
    for path in scripts(folder):
        hosts = set(re.findall(r"https?://([\w-]+(?:\.[\w-]+)+)", path.read_text()))
        assert hosts <= known, path.name


def test_scripts_need_no_eval(folder: Path) -> None:
    for path in scripts(folder):
        assert re.search(r"\beval\(|new Function\(|\.innerHTML\s*=\s*[^=;]*message", path.read_text()) is None, (
            path.name
        )


def test_the_licenses_of_the_bundled_packages_are_shipped(folder: Path) -> None:
    text = (folder / "licenses.txt").read_text()
    packages = re.findall(r"^(\S+) \d+\.\d+\.\d+ \((?:MIT|BSD-3-Clause)\)$", text, re.MULTILINE)
    editor = {name for name in packages if name.startswith(("@codemirror/", "@lezer/"))}
    assert {"@codemirror/state", "@codemirror/merge", "@lezer/json"} <= editor
    beneath = {"@marijn/find-cluster-break", "crelt", "style-mod", "w3c-keyname"}
    assert {*packages} - editor - beneath == {
        "@lit/reactive-element", "lit", "lit-element", "lit-html", "marked", "uplot",
    }  # fmt: skip
    assert text.count("Copyright") >= 5


@pytest.mark.parametrize("name", ["login-start.js", "login-close.js"])
def test_a_script_of_the_login_s_pages_is_one_small_file_of_a_lasting_name(folder: Path, name: str) -> None:
    script = (folder / name).read_text()
    assert 0 < size(folder / name) < 2_000
    assert "import" not in script
