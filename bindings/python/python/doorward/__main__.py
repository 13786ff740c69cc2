"""``python -m doorward ...`` runs the ``doorward`` binary: the one beside this package, else the one on ``PATH``."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path


def binary() -> str | None:
    """Path of the binary: ``$DOORWARD``, beside the package, beside the interpreter, or on ``PATH``."""
    named = os.environ.get("DOORWARD")
    if named:
        return named
    for folder in (Path(__file__).parent / "bin", Path(sys.executable).parent):
        if (folder / "doorward").is_file():
            return str(folder / "doorward")
    return shutil.which("doorward")


def main() -> None:
    """Becomes the binary."""
    program = binary()
    if program is None:
        sys.exit("doorward: the binary isn't installed; put it on PATH, or name it in the variable DOORWARD")
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"doorward: {program} can't be started: {error.strerror}; name the binary in the variable DOORWARD")


if __name__ == "__main__":
    main()
