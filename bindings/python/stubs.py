"""Writes ``python/doorward/_core.pyi`` from the Rust sources: ``python stubs.py`` (``--check`` only compares).

It reads the functions and methods that PyO3 exports, with their doc comments. A type it doesn't know is an error.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
TARGET = HERE / "python/doorward/_core.pyi"
TYPES = {
    "&str": "str",
    "String": "str",
    "&'static str": "str",
    "bool": "bool",
    "f64": "float",
    "u64": "int",
    "PathBuf": "os.PathLike[str] | str",
    "Vec<String>": "list[str]",
    "Self": "None",
    "": "None",
}
GIVEN_BACK = {"PathBuf": "pathlib.Path"}
FUNCTION = re.compile(r"((?:[ ]*///[^\n]*\n)+)((?:[ ]*#\[[^\n]*\]\n)*)[ ]*fn (\w+)\(([^)]*)\)(?: -> ([^{]+?))? \{")


def python(rust: str, back: bool = False) -> str:
    """A Rust type as Python's."""
    rust = rust.strip().replace("std::path::", "")
    for wrapper, shape in (("PyResult", "{}"), ("Option", "{} | None")):
        if rust.startswith(wrapper + "<"):
            return shape.format(python(rust[len(wrapper) + 1 : -1], back))
    if rust.startswith("("):
        return (
            "tuple[" + ", ".join(python(part, back) for part in rust[1:-1].split(", ")) + "]"
            if rust != "()"
            else "None"
        )
    return GIVEN_BACK[rust] if back and rust in GIVEN_BACK else TYPES[rust]


def parameters(text: str, signature: str) -> list[str]:
    """The parameters as Python's, with defaults from PyO3's signature."""
    given = re.search(r"signature = \(([^)]*)\)", signature)
    defaults = dict(part.strip().split("=") for part in given.group(1).split(",") if "=" in part) if given else {}
    words = {"None": "None", "true": "True", "false": "False"}
    found = []
    for part in re.split(r",\s*(?![^<]*>)", text.strip().rstrip(",")):
        name, _, kind = part.strip().partition(":")
        if name == "&self":
            found.append("self")
        elif name and name != "py":
            default = f" = {words[defaults[name]]}" if name in defaults else ""
            found.append(f"{name}: {python(kind)}{default}")
    return found


def docstring(comment: str, indent: str) -> str:
    """Doc comments as a docstring."""
    lines = [line.strip().removeprefix("///").strip() for line in comment.strip().splitlines()]
    return f'{indent}"""{" ".join(lines)}"""\n'


def stub() -> str:
    """The text of the stub."""
    problem = 'class Problem(Exception):\n    """What the core refuses: `args` is a stable code and a sentence."""\n\n'
    head = '"""Made from the Rust sources by stubs.py; don\'t edit."""\n\n'
    imports = "import os\nimport pathlib\nfrom typing import Final, final\n\n"
    out = [head, imports, "VERSION: Final[str]\n\n", problem]
    gate = (HERE / "src/gate.rs").read_text()
    body = gate[gate.index("#[pymethods]") : gate.index("\nasync fn settle")]
    (about,) = re.findall(r"(///[^\n]*)\n#\[pyclass", gate)
    out.append(f"@final\nclass Gate:\n{docstring(about, '    ')}\n")
    for comment, attributes, name, arguments, back in FUNCTION.findall(body):
        listed = parameters(arguments, attributes)
        if "#[new]" in attributes:
            name, listed = "__new__", ["cls", *listed]
            back = "Gate"
        answer = "Gate" if back == "Gate" else python(back, True)
        out.append(f"    def {name}({', '.join(listed)}) -> {answer}:\n{docstring(comment, ' ' * 8)}\n")
    for file in ("functions", "compat"):
        for comment, attributes, name, arguments, back in FUNCTION.findall((HERE / f"src/{file}.rs").read_text()):
            if "#[pyfunction]" in attributes:
                listed = ", ".join(parameters(arguments, attributes))
                out.append(f"def {name}({listed}) -> {python(back, True)}:\n{docstring(comment, '    ')}\n")
    names = ["VERSION", "Problem", *re.findall(r"^(?:def|class) (\w+)", "".join(out), re.MULTILINE)]
    listed = ", ".join(f'"{name}"' for name in dict.fromkeys(names))
    return "".join(out).rstrip() + f"\n\n__all__ = [{listed}]\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if TARGET.read_text() == stub() else f"{TARGET} isn't what the sources say: run python stubs.py")
    TARGET.write_text(stub())
