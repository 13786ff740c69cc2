"""Where a path leads, as the kernel says it, against folders that may be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import _core


@dataclass(frozen=True, slots=True)
class Scope:
    """``answer`` is ``allow``, ``ask`` or ``deny``; ``code`` says why (``path.escape``, ``path.protected``, ...)."""

    answer: str
    code: str | None


def check(path: str, operation: str, roots: Sequence[str], cwd: str) -> Scope:
    """Where a path leads, links followed, and whether that is inside the roots. Nothing is changed.

    Args:
        path: as the agent wrote it.
        operation: ``read``, ``write``, ``delete``, ``list``, ...
        roots: folders; ``ro:DIR`` to read only, ``deny:DIR`` for none.
        cwd: absolute working folder.
    """
    answer, code = _core.paths_check(path, operation, list(roots), cwd)
    return Scope(answer, code)


def is_secret(path: str) -> bool:
    """Whether a path's name says that it holds secrets (``.env``, ``id_ed25519``, ...)."""
    return _core.paths_is_secret(path)
