from __future__ import annotations

import inspect
from pathlib import Path

import msgspec

from dialoom.flow import channels, model, parts, steps
from dialoom.flow.pieces import SECRETS
from dialoom.flow.shape import _NAMES as NAMES
from dialoom.flow.words import WORDS, word

DOCS = (Path(__file__).parents[2] / "docs/look-up/flow.md").read_text(encoding="utf-8")
STRUCTS = {
    name: struct
    for module in (channels, model, parts, steps)
    for name, struct in inspect.getmembers(module, inspect.isclass)
    if issubclass(struct, msgspec.Struct)
    and struct.__module__ == module.__name__
    and name not in ("Bot", "ChannelRow", "StepType")
}


def keys(struct: type[msgspec.Struct]) -> set[str]:
    tag = struct.__struct_config__.tag_field
    return set(struct.__struct_encode_fields__) | ({tag} if tag else set())


def test_every_key_of_the_model_has_a_sentence_and_every_sentence_a_key() -> None:
    for name, struct in STRUCTS.items():
        for key in keys(struct) if name != "_Select" else ():
            assert word(name, key), f"{name}.{key}"
    for name, sentences in WORDS.items():
        assert set(sentences) <= keys(STRUCTS[name]), name


def test_every_object_has_a_name_for_sentences() -> None:
    without = {name for name in STRUCTS if not name.startswith("_")} - set(NAMES)
    assert without == {"Described", "BotFile", "FlowFile", "TrainingFile"}


def test_every_secret_of_the_model_is_known_as_one() -> None:
    kinds = {
        "BotFile": "bot",
        "Channel": "channel",
        "BasicCredential": "credential",
        "BearerCredential": "credential",
        "CertificateCredential": "credential",
        "Oidc": "oidc",
        "Socialnet": "socialnet",
    }
    for name, struct in STRUCTS.items():
        for field in msgspec.structs.fields(struct):
            if "FromEnvironment" in str(field.type) and name != "DataSource":
                assert field.encode_name in SECRETS[kinds[name]], f"{name}.{field.encode_name}"
