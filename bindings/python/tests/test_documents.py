"""What the documentation shows of the package is there: its snippets are read as Python, and every name in them that begins
with ``doorward.`` is looked up in the sources, without importing any framework."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[3]
DOCUMENTS = ["bindings/python/README.md", "docs/python.md", "docs/openhands.md"]
NAME = re.compile(r"\bdoorward((?:\.[A-Za-z_]\w*)+)")


def snippets(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def names_of(module: str) -> set[str]:
    """The names at the top of a module, and ``Class.member`` of its classes."""
    found = importlib.util.find_spec("doorward")
    assert found and found.origin
    folder = Path(found.origin).parent
    tree = ast.parse((folder / f"{module}.py").read_text())
    names: set[str] = set()
    for item in tree.body:
        if isinstance(item, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(item.name)
        elif isinstance(item, ast.Assign):
            names.update(target.id for target in item.targets if isinstance(target, ast.Name))
        elif isinstance(item, ast.ImportFrom):
            names.update(alias.asname or alias.name for alias in item.names)
        if isinstance(item, ast.ClassDef):
            members = (member for member in item.body if isinstance(member, ast.FunctionDef))
            names.update(f"{item.name}.{member.name}" for member in members)
    return names | {path.stem for path in folder.glob("*.py")} if module == "__init__" else names


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_is_shown_is_there(document: str) -> None:
    text = (PROJECT / document).read_text()
    for snippet in snippets(text):
        compile(snippet.replace("…", "..."), document, "exec")
    code = "\n".join(snippets(text) + re.findall(r"`([^`\n]+)`", text))
    named = {match[1:] for match in NAME.findall(code)} - {"toml", "service", "sock"}
    imported = re.findall(r"from doorward(?:\.(\w+))? import ([\w, ]+)", code)
    named |= {f"{module}.{name}".lstrip(".") for module, names in imported for name in names.split(", ")}
    assert len(named) >= (1 if "README" in document else 4), named
    top = names_of("__init__")
    for name in named:
        first, _, rest = name.partition(".")
        assert first in top, f"{document}: doorward.{name}"
        if rest:
            assert rest in names_of(first), f"{document}: doorward.{name}"


def test_the_first_snippet_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The README's snippet, word by word: one command runs, and the other raises."""
    (snippet,) = snippets((PROJECT / DOCUMENTS[0]).read_text())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.txt").write_text("")
    import doorward

    ran: dict[str, object] = {}
    with pytest.raises((doorward.Denied, doorward.ConfirmationRequired)):
        exec(compile(snippet, "README.md", "exec"), ran)
    assert (tmp_path / "here.txt").exists()


def test_the_apis_snippet_runs_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snippet = snippets((PROJECT / "docs/python.md").read_text())[0]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.txt").write_text("")
    ran: dict[str, Any] = {}
    exec(compile(snippet, "docs/python.md", "exec"), ran)
    assert "here.txt" in ran["result"] and "here.txt" in ran["guarded"]("ls")
    assert ran["gate"].health()["open_permits"] == 0
    ran["gate"].close()
