"""The picture of a flow: what stands in it, and that it is well-formed whatever an author writes."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from dialoom.flow import Bot, read_bot, read_files
from dialoom.flow.picture.boxes import boxes
from dialoom.flow.picture.mermaid import mermaid
from dialoom.flow.picture.svg import MAX_COLUMNS, svg
from tests.flow.files import texts

EXAMPLES = Path(__file__).parents[2] / "examples"


def bot(**conversations: object) -> Bot:
    return read_files(texts({"id": "bot", "name": 'B & "C"'}, {"conversations": conversations}))


def goal(*steps: object, **more: object) -> dict[str, object]:
    return {"type": "goal", "steps": list(steps), **more}


SAY = {"type": "message", "messages": [["<b>Hello</b>", "you"], "Hi"]}


def test_goals_come_before_support_and_each_step_is_a_row() -> None:
    steps = (
        {"type": "question", "entity": "towns", "entity-type": "Text", "capture-multiple-values": True},
        SAY,
        {"type": "webhook", "entity": "got", "data-source": {"endpoint": "https://a.at/x?key=1", "method": "GET"}},
        {"type": "confirmation", "entity": "sure", "conditions": ["{{a}}", "{{b}}"], "note": "Why"},
        {"type": "conversation", "conversation": "help"},
        {"type": "command", "command": "go-to other"},
        {"type": "command", "command": "set-entity", "entity": "a", "data": 1},
    )
    drawn = boxes(bot(help={"type": "support", "steps": []}, book=goal(*steps), other=goal(note="Later")))
    assert [box.key for box in drawn] == ["book", "other", "help"]
    assert [(row.kind, row.text, row.jump) for row in drawn[0].rows] == [
        ("ask", "towns: Text[]", None),
        ("say", "<b>Hello</b>", None),
        ("call", "GET a.at/x → got", None),
        ("confirm", "sure", None),
        ("run", "help", "help"),
        ("do", "go-to other", "other"),
        ("do", "set-entity a", None),
    ]
    assert drawn[0].rows[3].condition == "{{a}} and {{b}}"
    assert drawn[0].rows[3].note == "Why"
    assert drawn[1].note == "Later"


@pytest.mark.parametrize(
    "name", [folder.name for folder in sorted(EXAMPLES.iterdir()) if (folder / "bot.json").exists()]
)
def test_the_examples_are_drawn_with_every_conversation_and_no_address_to_load(name: str) -> None:
    example = read_bot(EXAMPLES / name)
    drawn = svg(example)
    root = ElementTree.fromstring(drawn)
    told = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    for box in boxes(example):
        assert f"{box.title} ({box.key})" in told
    assert "href" not in drawn
    assert "url(#tip)" in drawn or not any(row.jump for box in boxes(example) for row in box.rows)


def test_what_an_author_writes_stays_text() -> None:
    drawn = bot(**{'a"<x>': goal(SAY, **{"display-name": "</text><script>1</script>", "note": "a & b\n<c>"})})
    assert "<script>" not in svg(drawn)
    ElementTree.fromstring(svg(drawn))
    assert '"' not in mermaid(drawn).split('c0["')[1].split('"]')[0]
    assert "&lt;b&gt;Hello" in mermaid(drawn)


def test_a_jump_is_an_arrow_in_both_forms() -> None:
    drawn = bot(a=goal({"type": "command", "command": "go-to b"}), b=goal(SAY))
    assert "s0_0 --> c1" in mermaid(drawn)
    assert svg(drawn).count('class="jump"') == 1


def test_boxes_do_not_lie_on_each_other() -> None:
    drawn = svg(bot(**{f"c{number}": goal(*[SAY] * (number % 7)) for number in range(30)}))
    rects = [
        tuple(int(rect.get(side, "0")) for side in ("x", "y", "width", "height"))
        for rect in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}rect")
        if rect.get("class") == "box"
    ]
    assert len(rects) == 30
    assert len({x for x, *_ in rects}) == MAX_COLUMNS
    for x, y, _, height in rects:
        below = [other for other in rects if other[0] == x and other[1] > y]
        assert all(other[1] >= y + height for other in below)


def test_an_address_is_shown_without_its_query_and_user_whatever_it_is() -> None:
    ends = ("https://{{list.[0].host}}/x?key=1", "https://ann:pw@a.at/x#y", "{{url}}", "https://[::1]/x")
    steps = [{"type": "webhook", "entity": "e", "data-source": {"endpoint": end, "method": "GET"}} for end in ends]
    [box] = boxes(bot(a=goal(*steps)))
    assert [row.text for row in box.rows] == [
        "GET {{list.[0].host}}/x → e",
        "GET a.at/x → e",
        "GET {{url}} → e",
        "GET [::1]/x → e",
    ]
