"""Two authors of one bot in two browsers, and an author whose network goes away while they save."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.e2e.page_checks import axe
from tests.e2e.studio_visit import Visit
from tests.e2e.test_studio import switch
from tests.live import ROOT, Service, echo_bot

if TYPE_CHECKING:
    from collections.abc import Iterator

ASKED, TOLD = "What is your name?", "Nice to meet you, {{name}}!"
OTHERS = "Somebody else changed these files"
DRAFT = "**/v1/studio/bots/blank/draft"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("authors")
    shutil.copytree(ROOT / "examples" / "blank", folder / "blank")
    service = Service([folder / "blank", echo_bot(folder / "echo")], folder / "data", environment=studio_store)
    yield service
    service.stop()


class Author(Visit):
    """Build of the bot, open in a browser of its own."""

    @classmethod
    def of(cls, browser: Browser, service: Service, session: Any) -> Author:
        author = cls(browser, service, storage_state=session, reduced_motion="reduce")
        author.opens("build", "blank")
        expect(author.rows.first).to_be_visible()
        return author

    @property
    def rows(self) -> Any:
        return self.page.locator("build-outline [role=treeitem]")

    def rewords(self, number: int, text: str) -> None:
        """Change the wording of a step of the conversation ``introduction``."""
        step = self.page.get_by_role("treeitem", name=self.steps()[number])
        step.click()
        self.page.get_by_role("textbox", name="Wording 1").fill(text)

    def steps(self) -> list[str]:
        return [step["messages"][0] for step in self.stored()["conversations"]["introduction"]["steps"]]

    def stored(self) -> Any:
        """The flow as the service has it."""
        asked = "async () => (await (await fetch('/v1/studio/bots/blank/draft')).json()).files['flow.json']"
        return json.loads(self.page.evaluate(asked))

    def is_saved(self) -> None:
        expect(self.button("Saved")).to_be_visible()

    def meets_the_other(self) -> None:
        expect(self.page.get_by_role("heading", name=OTHERS)).to_be_visible()

    def leaves(self) -> None:
        """The browser's own lines about refusals and broken requests are no mistakes of the page."""
        assert [one for one in self.errors if "409" not in one and "ERR_" not in one] == []
        self.context.close()


@pytest.fixture
def authors(browser: Browser, service: Service, session: Any) -> Iterator[tuple[Author, Author]]:
    both = Author.of(browser, service, session), Author.of(browser, service, session)
    yield both
    for one in both:
        one.leaves()


@pytest.fixture
def author(browser: Browser, service: Service, session: Any) -> Iterator[Author]:
    one = Author.of(browser, service, session)
    yield one
    one.leaves()


def test_what_both_changed_is_merged_as_often_as_the_other_is_faster(authors: tuple[Author, Author]) -> None:
    ada, ben = authors
    ada.rewords(0, "Your name?")
    ben.rewords(1, "Welcome!")
    ada.page.keyboard.press("Control+s")
    ada.is_saved()
    ben.page.keyboard.press("Control+s")
    ben.meets_the_other()
    ada.rewords(0, "Who are you?")
    ada.page.keyboard.press("Control+s")
    ada.is_saved()
    # The text that was merged meets another save: the merge view again, with the newest.
    with ben.page.expect_response(lambda answer: answer.status == 409):
        ben.button("Save the left text").click()
    ben.meets_the_other()
    assert ben.steps() == ["Who are you?", TOLD]
    ben.button("Save the left text").click()
    ben.is_saved()
    assert ben.steps() == ["Who are you?", "Welcome!"]


def test_changes_that_are_saved_on_the_way_to_another_bot_are_merged_too(authors: tuple[Author, Author]) -> None:
    ada, ben = authors
    first, second = ada.steps()
    ben.rewords(1, f"{second} Really.")
    ada.rewords(0, f"{first} Please.")
    ada.page.keyboard.press("Control+s")
    ada.is_saved()
    switch(ben.page, "echo")
    ben.button("Save them").click()
    ben.meets_the_other()
    assert axe(ben.page) == []
    ben.button("Cancel").click()
    expect(ben.page.get_by_role("alert").filter(has_text="Nothing is saved yet")).to_be_visible()
    assert ben.steps() == [f"{first} Please.", second]
    ben.button("Save them").click()
    with ben.page.expect_response(lambda answer: answer.request.method == "PUT" and answer.ok):
        ben.button("Save the left text").click()
    expect(ben.page.get_by_role("treeitem", name="Hello")).to_be_visible()
    assert ben.steps() == [f"{first} Please.", f"{second} Really."]


def test_a_save_without_a_network_is_told_and_loses_nothing(author: Author) -> None:
    first, second = author.steps()
    author.rewords(0, f"{first} Kindly.")
    author.context.set_offline(True)
    author.page.keyboard.press("Control+s")
    expect(author.page.get_by_role("alert").filter(has_text="reach")).to_be_visible()
    expect(author.button("Save")).to_be_enabled()
    expect(author.page.get_by_role("textbox", name="Wording 1")).to_have_value(f"{first} Kindly.")
    author.context.set_offline(False)
    assert author.steps() == [first, second]
    author.page.keyboard.press("Control+s")
    author.is_saved()
    assert author.steps() == [f"{first} Kindly.", second]


def test_a_save_whose_answer_is_lost_is_told_and_saved_once(author: Author) -> None:
    def lose(route: Route) -> None:
        if route.request.method == "PUT":
            route.fetch(max_retries=2)  # of a connection that the service closed at this moment
            route.abort("connectionreset")
            return
        route.fallback()

    first, second = author.steps()
    author.rewords(1, f"{second} Again.")
    author.page.route(DRAFT, lose)
    author.page.keyboard.press("Control+s")
    expect(author.page.get_by_role("alert").filter(has_text="reach")).to_be_visible()
    expect(author.button("Save")).to_be_enabled()
    author.page.unroute(DRAFT)
    author.page.keyboard.press("Control+s")
    author.is_saved()
    expect(author.page.get_by_role("heading", name=OTHERS)).to_have_count(0)
    assert author.steps() == [first, f"{second} Again."]
