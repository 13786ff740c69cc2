"""Plain functions, risks and policies; the recorded answers of OpenHands through Python."""

from __future__ import annotations

import hashlib
import json
import os
import secrets as randomness
from pathlib import Path

import pytest

import doorward
from conftest import lacking
from doorward import ConfirmRisky, SecurityRisk, _core, net, paths, secrets, shell, toolshield

DATA = Path(os.environ.get("DOORWARD_DATA") or "no-development-data")


def test_secrets_are_found_by_character_and_masked() -> None:
    token = "ghp_" + randomness.token_hex(18)
    text = f"ключ: {token}!"
    (hit,) = secrets.find(text)
    assert text[hit["start"] : hit["end"]] == token and token not in json.dumps(hit)
    assert token not in secrets.redact(text) and secrets.redact(text).startswith("ключ: ")


def test_urls_and_addresses() -> None:
    assert net.check_url("https://example.com/")["allowed"]
    assert net.check_url("http://127.0.0.1/")["code"] == "address_denied:loopback"
    assert net.check_address("169.254.169.254") == "metadata" and net.check_address("1.1.1.1") is None
    with pytest.raises(ValueError):
        net.check_address("nowhere")


def test_shell_and_paths(tmp_path: Path) -> None:
    intent = shell.analyze("x=r; ${x}m -rf build")
    assert intent["deletes"][0]["path"]["text"] == "build"
    assert "deletes build" in shell.explain("rm -rf build")
    (tmp_path / "in").mkdir()
    (tmp_path / "in/link").symlink_to("/etc")
    root = str(tmp_path / "in")
    assert paths.check("../out", "read", [root], root).answer == "deny"
    assert paths.check("link/passwd", "read", [root], root).answer == "deny"
    assert paths.is_secret("/home/u/.ssh/id_ed25519") and not paths.is_secret("README.md")


def test_risks_compare_and_unknown_does_not() -> None:
    assert SecurityRisk.LOW < SecurityRisk.MEDIUM <= SecurityRisk.HIGH >= SecurityRisk.HIGH
    for compare in (
        lambda: SecurityRisk.UNKNOWN < SecurityRisk.LOW,
        lambda: SecurityRisk.HIGH.is_riskier(SecurityRisk.UNKNOWN),
        lambda: SecurityRisk.UNKNOWN >= SecurityRisk.UNKNOWN,
    ):
        with pytest.raises(ValueError):
            compare()
    with pytest.raises(TypeError):
        SecurityRisk.LOW < 1  # noqa: B015
    with pytest.raises(ValueError):
        ConfirmRisky(threshold=SecurityRisk.UNKNOWN)


#: The truth table of the founding document: risk by threshold, with and without `confirm_unknown`.
TABLE = {
    "LOW": "aa aa CC",
    "MEDIUM": "aa CC CC",
    "HIGH": "CC CC CC",
    "UNKNOWN": "Ca Ca Ca",
}


@pytest.mark.parametrize("risk", TABLE)
def test_the_confirmation_table(risk: str) -> None:
    for pair, threshold in zip(TABLE[risk].split(), ("HIGH", "MEDIUM", "LOW"), strict=True):
        for word, unknown in zip(pair, (True, False), strict=True):
            policy = ConfirmRisky(SecurityRisk(threshold), unknown)
            assert policy.should_confirm(SecurityRisk(risk)) == (word == "C"), (policy, risk)
    assert doorward.AlwaysConfirm().should_confirm(SecurityRisk(risk))
    assert not doorward.NeverConfirm().should_confirm(SecurityRisk(risk))


def test_experiences_by_upstreams_helper_names(tmp_path: Path) -> None:
    seeds = toolshield.default_safety_experiences()
    assert "## Safety Guidelines for terminal-mcp" in seeds and "filesystem-mcp" in seeds
    assert toolshield.load_safety_experiences(["terminal-mcp"]) in seeds
    with pytest.raises(ValueError):
        toolshield.load_safety_experiences(["../../etc/passwd"])
    with pytest.raises(ValueError):
        toolshield.load_safety_experiences(["no-such-mcp"])
    found = toolshield.auto_detect_safety_experiences({"mcpServers": {"My_FileSystem": {}}}, ["terminal"])
    assert "terminal-mcp" in found


def expanded(value: object) -> object:
    """Long texts of the rows are stored as parts."""
    if isinstance(value, dict) and "$concat" in value:
        parts = ((p["$repeat"][0] * p["$repeat"][1]) if isinstance(p, dict) else p for p in value["$concat"])
        return "".join(parts)
    if isinstance(value, dict):
        return {name: expanded(item) for name, item in value.items()}
    return [expanded(item) for item in value] if isinstance(value, list) else value


class Fixed:
    """A child of an ensemble that says what it is told to."""

    def __init__(self, word: str | None) -> None:
        self.word = word

    def security_risk(self, action: object) -> SecurityRisk:
        if self.word is None:
            raise RuntimeError("a child that fails")
        return SecurityRisk(self.word)


def child(told: dict) -> object:
    if "rail" in told:
        return doorward.PolicyRailAnalyzer()
    if "pattern" in told:
        return doorward.PatternAnalyzer()
    return Fixed(None if "raises" in told else told["fixed"])


def rendered(action: dict) -> str:
    return toolshield.render_action(action)


def policy_of(name: str, given: dict) -> doorward.ConfirmationPolicy:
    if name == "policy.risky":
        return ConfirmRisky(SecurityRisk(given["threshold"]), given["confirm_unknown"])
    return doorward.AlwaysConfirm() if name == "policy.always" else doorward.NeverConfirm()


ANSWERS = {
    "normalize": lambda i: _core.normalise(i["text"]),
    "pattern": lambda i: doorward.PatternAnalyzer().security_risk(i["action"]).value,
    "rail": lambda i: doorward.PolicyRailAnalyzer().security_risk(i["action"]).value,
    "rail.segments": lambda i: dict(zip(("outcome", "rule"), _core.rail_texts(i["segments"]), strict=True)),
    "shell_scan": lambda i: (
        lambda found, open_: {
            "matched": found,
            "detector_id": i["detector_id"] if found else None,
            "uncertain": open_,
        }
    )(*_core.shell_scan(i["command"])),
    "ensemble": lambda i: (
        doorward.EnsembleAnalyzer([child(told) for told in i["children"]], i["propagate_unknown"])
        .security_risk(i["action"])
        .value
    ),
    "score_map": lambda i: _core.risk_of_score(i["score"], i["low_threshold"], i["medium_threshold"]),
    "risk.is_riskier": lambda i: SecurityRisk(i["self"]).is_riskier(SecurityRisk(i["other"]), i.get("reflexive", True)),
    "risk.gt": lambda i: SecurityRisk(i["self"]) > SecurityRisk(i["other"]),
    "risk.lt": lambda i: SecurityRisk(i["self"]) < SecurityRisk(i["other"]),
    "llm": lambda i: doorward.LLMAnalyzer().security_risk(i["action"]).value,
    "extract_security_risk": lambda i: _core.label(
        json.dumps(i["arguments"]), i["read_only"], i["analyzer_configured"]
    ),
    "guardrail.parse_risk": lambda i: _core.parse_risk(i["text"]) or "UNKNOWN",
    "guardrail.format_action": lambda i: rendered(i["action"]),
    "experience.name_from_server": lambda i: toolshield.experience_name_from_server_name(i["server_name"]),
    "experience.tools_from_config": lambda i: toolshield.mcp_tools_from_config(
        i["mcp_config"], i.get("tool_names") or ()
    ),
    "policy.risky": lambda i: policy_of("policy.risky", i).should_confirm(SecurityRisk(i["risk"])),
    "policy.always": lambda i: policy_of("policy.always", i).should_confirm(SecurityRisk(i["risk"])),
    "policy.never": lambda i: policy_of("policy.never", i).should_confirm(SecurityRisk(i["risk"])),
}


def rows() -> list[dict]:
    file = DATA / "openhands/parity.jsonl"
    if not file.is_file():
        return []
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_every_recorded_answer_of_openhands_through_python() -> None:
    recorded = rows()
    if not recorded:
        lacking("test_functions", "no openhands/parity.jsonl below DOORWARD_DATA", "rows")
    differences = []
    for row in recorded:
        try:
            answer = {"value": ANSWERS[row["fn"]](expanded(row["input"]))}
        except ValueError:
            answer = {"raises": "ValueError"}
        if answer != expanded(row["expected"]):
            differences.append((row["id"], row["fn"], answer, row["expected"]))
    assert not differences, (len(differences), len(recorded), differences[:5])
    print(f"{len(recorded)} rows, 0 differences")


def test_real_experience_files_render_as_upstream_renders_them() -> None:
    folder = DATA / "openhands/experiences"
    if not folder.is_dir():
        lacking("test_functions", "no openhands/experiences below DOORWARD_DATA", "rows")
    text = toolshield.default_safety_experiences(folder=folder, natural=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert (len(text), digest) == (14083, "04d25f1c070111adabae19210e3c1b023da62f2d0036ef99ede943b77251a64d")
