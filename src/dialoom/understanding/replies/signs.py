"""Tells which pictographs beside a yes leave it as it is: "yes 😊", but "yes 🤔". Signs that answer by themselves (👍)
stand with the reader of ``Confirmation``.
"""

from __future__ import annotations

from dialoom.understanding.values.confirmation import NO_SIGNS, YES_SIGNS

_GLAD_FACES = "😀😁😃😄😅😆😇😉😊😋😌😍😎😗😘😙😚😛😜😝😸😹😺😻😽🙂🤓🤗🤝🤟🤠🤣🤤🤩🤪🥰🥲🥳🥹🙋🙌🙏🙇"
_FACES = (
    ("\U0001f600", "\U0001f64f"),
    ("\U0001f90c", "\U0001f92f"),
    ("\U0001f970", "\U0001f97a"),
    ("\U0001f9cd", "\U0001f9cf"),
    ("\U0001fae0", "\U0001faef"),
)
"""Faces and gestures: of these only the glad ones say nothing against a yes."""
_DOUBTS = "☹⚠✋✍❓❔❕❗➕➖➗➡⤴♻☎💔💤💢💭💬🔁🔂🔃🔄🔙🔚🔜🔛🛑📞📱🖕🗣🤔🤷"
"""Other signs of doubt, of a change, of something more."""
_CLOCKS = ("\U0001f550", "\U0001f567")
_PICTOGRAPHS = "\u2600"
"""The first of the signs that are words by themselves."""


def is_sign(word: str) -> bool:
    return len(word) == 1 and word >= _PICTOGRAPHS and not word.isalnum()


def is_decoration(word: str) -> bool:
    """Return whether a word is a pictograph that says nothing by itself: a smile, a heart, a flower."""
    if not is_sign(word) or word in YES_SIGNS or word in NO_SIGNS or word in _DOUBTS:
        return False
    if _CLOCKS[0] <= word <= _CLOCKS[1]:
        return False
    return word in _GLAD_FACES or not any(first <= word <= last for first, last in _FACES)
