"""Markdown as the signs of platforms that have others."""

from __future__ import annotations

import pytest

from dialoom.messages.formatted import to_signs

SIGNS = {"code": "`", "strike": "~", "italic": "_", "bold": "*"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**bold**, *italic*, ~~old~~ and `code`", "*bold*, _italic_, ~old~ and `code`"),
        ("***both***", "*_both_*"),
        ("# A heading\nand a line", "*A heading*\nand a line"),
        ("[our page](https://a.example/b)", "our page (https://a.example/b)"),
        ("[https://a.example](https://a.example)", "https://a.example"),
        ("[a.example](https://a.example)", "a.example"),
        ("[a **bold** page](https://a.example/b)", "a *bold* page (https://a.example/b)"),
        ("[**us**](mailto:us@a.example)", "*us* (mailto:us@a.example)"),
        ("3 * 4 * 5, snake_case", "3 * 4 * 5, snake_case"),
        ("", ""),
    ],
)
def test_styles_have_the_platform_s_signs_and_links_their_address(text: str, shown: str) -> None:
    assert to_signs(text, SIGNS) == shown


def test_without_signs_a_text_is_plain_and_keeps_its_addresses() -> None:
    assert to_signs("**A** [page](https://a.example/b)", {}) == "A page (https://a.example/b)"
