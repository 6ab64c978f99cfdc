"""A secret shows itself only to who asks for it by name."""

from __future__ import annotations

import pickle

import pytest

from dialoom.auth.secret import Secret


def test_a_secret_is_stars_wherever_it_is_printed() -> None:
    secret = Secret("hunter2")
    assert repr(secret) == str(secret) == f"{secret}" == "***"
    assert repr({"token": secret}) == "{'token': ***}"
    assert secret.reveal() == "hunter2"


def test_secrets_are_equal_by_value() -> None:
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret(b"a"), Secret(b"a")}) == 1


def test_a_secret_is_not_pickled() -> None:
    with pytest.raises(TypeError, match="seal it"):
        pickle.dumps(Secret("hunter2"))
