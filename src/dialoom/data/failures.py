"""Why an outside call has no answer: the stable words of ``NoResponse.kind``. The docs print this table."""

from __future__ import annotations

from typing import Final

KINDS: Final = {
    "timeout": "No whole answer came within the time limit of the call, all tries included.",
    "refused": "No connection: the far end refused it or cannot be reached.",
    "name": "The host's name cannot be resolved.",
    "tls": "No trusted connection: the far end's certificate or its TLS is not accepted.",
    "broken": "The connection broke, or what came is not HTTP, is cut short, or is compressed in a way not asked for.",
    "too-large": "The body is larger than 2 MiB after decompression.",
    "egress": "The address may not be reached by a flow.",
    "request": "The request cannot be sent as the flow wrote it: its address or one of its headers is not allowed.",
    "credential": "A secret or credential that the call needs is not there or may not be used.",
    "turn-deadline": "The outside calls of one turn have used up the time that they share.",
    "status": "Dynamic data only: the list came with a status outside 200 to 299.",
    "list": "Dynamic data only: what came is no list, is too long, or no value can be made of any element.",
    "login": "Not of a call: an expired login could not be renewed, so that its user is asked to log in.",
    "no-mock": "In a conversation test: no mock answers this call.",
}

RETRIED: Final = frozenset({"refused", "name", "broken"})
"""The connection errors of flow-language.md section 7. A refusal of ours or a certificate does not mend itself."""
