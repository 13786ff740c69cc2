"""URLs and addresses: what may be reached. Text only, no look-ups."""

from __future__ import annotations

import json
from typing import TypedDict, cast

from . import _core


class UrlVerdict(TypedDict):
    """What the text of a URL says. ``allowed`` is what the built-in guard says before any name is resolved; ``code``
    is why not (``address_denied:loopback``, ``ambiguous_literal``, ...). ``class`` is the kind of host."""

    allowed: bool
    code: str | None
    host: str
    port: int | None


def check_url(url: str) -> UrlVerdict:
    """Judges the text of a URL. A name that is allowed here may still resolve to an address that isn't."""
    return cast(UrlVerdict, json.loads(_core.net_check_url(url)))


def check_address(address: str) -> str | None:
    """The class of an IPv4 or IPv6 address that may not be reached (``loopback``, ``metadata``, ...), or ``None``.

    Raises:
        ValueError: it is no address.
    """
    try:
        return _core.net_check_address(address)
    except _core.Problem as error:
        raise ValueError(f"{address!r}: {error.args[1]}") from None
