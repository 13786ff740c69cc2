"""Secrets in text. Nothing here keeps, logs or sends what it reads."""

from __future__ import annotations

import json
from typing import TypedDict, cast

from . import _core


class Hit(TypedDict):
    """One secret: never its value. ``start`` and ``end`` count characters, the end exclusive."""

    kind: str
    severity: str
    start: int
    end: int
    description: str


def find(text: str) -> list[Hit]:
    """Secrets in a text, in order."""
    return cast(list[Hit], json.loads(_core.secrets_find(text)))


def redact(text: str) -> str:
    """The text with every secret masked: at most the first four characters of one stay, and never more than a
    quarter."""
    return _core.secrets_redact(text)
