//! Something worth telling about a call, under a stable code from one catalogue.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::intent::Span;
use crate::risk::SecurityRisk;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Severity {
    /// Worth knowing.
    Low,
    /// Worth a look.
    Medium,
    /// Worth asking about.
    High,
    /// Worth a typed phrase.
    Critical,
}

impl Severity {
    /// The wire word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "LOW",
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
            Self::Critical => "CRITICAL",
        }
    }

    /// The severity a risk has in a warning: UNKNOWN warns like HIGH.
    #[must_use]
    pub const fn of_risk(risk: SecurityRisk) -> Self {
        match risk {
            SecurityRisk::Low => Self::Low,
            SecurityRisk::Medium => Self::Medium,
            SecurityRisk::High | SecurityRisk::Unknown => Self::High,
        }
    }
}

/// A stable code, `room.word`. Rooms own their codes; [`CATALOGUE`] says what each means.
pub type Code = std::borrow::Cow<'static, str>;

/// One finding. Never holds a secret: messages quote paths, hosts and words, not content.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// From the catalogue (`shell.delete`), or a family of it (`secret.<slug>`, `net.<reason>`).
    #[schemars(with = "String")]
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// The risk it stands for; `None` for a remark that moves nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<SecurityRisk>,
    /// Defeats an allow rule (secret egress, canary).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blocking: bool,
    /// A denial whatever the policy says (the hard floor).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub floor: bool,
    /// One sentence: what and why.
    pub message: String,
    /// Where in the command or argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// What would make it pass, or how to do it safely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

impl Finding {
    /// A finding whose severity, risk and floor come from the catalogue row of `code`.
    ///
    /// A code without a row counts as HIGH: an unlisted finding must not be a quiet one.
    #[must_use]
    pub fn new(code: impl Into<Code>, message: impl Into<String>) -> Self {
        let code = code.into();
        let (severity, risk, floor) = catalogue_row(&code)
            .map_or((Severity::High, Some(SecurityRisk::High), false), |row| {
                (row.severity, row.risk, row.floor)
            });
        Self {
            code,
            severity,
            risk,
            blocking: floor,
            floor,
            message: message.into(),
            span: None,
            suggestion: None,
        }
    }

    /// With the place it was found at.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// With what would make it pass.
    #[must_use]
    pub fn suggest(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// With another risk and the matching severity.
    #[must_use]
    pub fn with_risk(mut self, risk: SecurityRisk) -> Self {
        self.risk = Some(risk);
        self.severity = Severity::of_risk(risk);
        self
    }
}

/// A row of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct CatalogueRow {
    /// The code, or a family ending in `.*`.
    pub code: &'static str,
    /// Severity unless the finder knows better.
    pub severity: Severity,
    /// Risk it stands for.
    pub risk: Option<SecurityRisk>,
    /// Whether it is a hard floor.
    pub floor: bool,
    /// What it means.
    pub meaning: &'static str,
}

const fn row(
    code: &'static str,
    severity: Severity,
    risk: Option<SecurityRisk>,
    floor: bool,
    meaning: &'static str,
) -> CatalogueRow {
    CatalogueRow { code, severity, risk, floor, meaning }
}

use SecurityRisk as R;
use Severity as S;

/// Every code a finding may carry. A family row (`secret.*`) covers what has no row of its own.
pub const CATALOGUE: &[CatalogueRow] = &[
    // What a command does.
    row(
        "shell.read_outside",
        S::Medium,
        Some(R::Medium),
        false,
        "reads a file outside the roots that is not secret",
    ),
    row(
        "shell.read_unknown",
        S::Medium,
        Some(R::Medium),
        false,
        "reads files that can't be named beforehand",
    ),
    row("shell.unknown_program", S::Medium, Some(R::Medium), false, "a program nobody described"),
    row("shell.file_unseen", S::Medium, Some(R::Medium), false, "runs a file whose content wasn't seen"),
    row("shell.delete_regenerable", S::Medium, Some(R::Medium), false, "deletes what can be made again"),
    row("shell.env_dump", S::Medium, Some(R::Medium), false, "prints the whole environment"),
    row("shell.delete", S::High, Some(R::High), false, "deletes what may not come back"),
    row(
        "shell.delete_everything",
        S::Critical,
        Some(R::High),
        true,
        "deletes the root, home or a system folder",
    ),
    row(
        "shell.persistence",
        S::High,
        Some(R::High),
        false,
        "makes something run later: start-up files, cron, units, keys",
    ),
    row("shell.secret_read", S::High, Some(R::High), false, "reads a secret"),
    row("shell.remote_code", S::High, Some(R::High), false, "runs code that comes from the network"),
    row("shell.generated_code", S::High, Some(R::High), false, "runs code that is made on the spot"),
    row("shell.privilege", S::High, Some(R::High), false, "gains or hands out privilege"),
    row("shell.history_loss", S::High, Some(R::High), false, "loses version history or uncommitted work"),
    row("shell.data_loss", S::High, Some(R::High), false, "destroys data in a database or store"),
    row("shell.infra", S::High, Some(R::High), false, "destroys infrastructure"),
    row("shell.resource", S::High, Some(R::High), false, "stops processes or the machine, or exhausts it"),
    row("shell.tamper", S::High, Some(R::High), false, "touches guards, logs, hooks or security settings"),
    row("shell.obfuscated", S::High, Some(R::High), false, "hides which command runs"),
    row("shell.crlf", S::Low, None, false, "line ends of another system, read as line ends"),
    row(
        "shell.encoded_word",
        S::High,
        Some(R::High),
        false,
        "spells the name of a known command in numeric escapes",
    ),
    row(
        "shell.unknown_option",
        S::Medium,
        Some(R::Medium),
        false,
        "an option of a known program that nobody described",
    ),
    row(
        "shell.sensing",
        S::High,
        Some(R::High),
        false,
        "reads the keyboard, clipboard, screen, camera, microphone or location",
    ),
    row("shell.beacon", S::High, Some(R::High), false, "contacts a host again and again without end"),
    row(
        "shell.secret_walk",
        S::Medium,
        Some(R::Medium),
        false,
        "reads all files of a folder, among them files that hold secrets",
    ),
    row("shell.upload", S::High, Some(R::High), false, "sends a file to a host that is not on the list"),
    row("shell.structure", S::High, Some(R::High), false, "joins commands in a way this policy forbids"),
    row(
        "shell.shadowed",
        S::Medium,
        Some(R::Medium),
        false,
        "a function or alias takes the name of a known program",
    ),
    row(
        "shell.parse_error",
        S::High,
        Some(R::Unknown),
        false,
        "the text is not a command this parser understands",
    ),
    row("shell.too_long", S::High, Some(R::Unknown), false, "longer than what is analysed"),
    row("shell.too_deep", S::High, Some(R::Unknown), false, "nested deeper than what is analysed"),
    row("shell.too_many_layers", S::High, Some(R::Unknown), false, "encoded in more layers than are undone"),
    row("shell.unsupported", S::High, Some(R::Unknown), false, "a construct that is not analysed"),
    row("shell.parser_difference", S::High, Some(R::Unknown), false, "two parsers see different commands"),
    row(
        "shell.control_character",
        S::High,
        Some(R::Unknown),
        false,
        "control characters that tools read differently",
    ),
    row(
        "shell.invisible",
        S::High,
        Some(R::High),
        false,
        "invisible, bidirectional or look-alike characters",
    ),
    row(
        "shell.git_config",
        S::High,
        Some(R::High),
        false,
        "a program that the repository's git configuration names",
    ),
    // Paths.
    row("path.escape", S::High, Some(R::High), true, "claims to lie inside the roots and doesn't"),
    row("path.outside", S::High, Some(R::High), false, "openly names a place outside the roots"),
    row("path.protected", S::High, Some(R::High), false, "a protected name"),
    row("path.own_files", S::Critical, Some(R::High), true, "Doorward's own files, hook entries or keys"),
    row("own.state", S::Critical, Some(R::High), true, "reads Doorward's key, token or records"),
    row("own.command", S::Critical, Some(R::High), true, "a command of Doorward's that only a person gives"),
    row("own.socket", S::Critical, Some(R::High), true, "talks to Doorward's service past its programs"),
    row("own.process", S::Critical, Some(R::High), true, "stops or takes over Doorward's service"),
    row("own.agent", S::Critical, Some(R::High), true, "starts a coding agent without Doorward's hooks"),
    row("path.secret", S::High, Some(R::High), false, "a file that holds secrets"),
    row("path.read_only", S::High, Some(R::High), false, "writing below a read-only root"),
    row("path.denied", S::High, Some(R::High), false, "inside a denied folder"),
    row("path.*", S::High, Some(R::High), false, "a path that was refused"),
    // Network.
    row("net.listen", S::High, Some(R::High), false, "opens a port to other machines"),
    row("net.metadata", S::Critical, Some(R::High), true, "a cloud metadata address"),
    row("net.*", S::High, Some(R::High), false, "a host or URL that was refused"),
    row("net.contact", S::Medium, Some(R::Medium), false, "contacts a public host"),
    row("net.loopback", S::Medium, Some(R::Medium), false, "contacts a service on this machine"),
    row("net.private", S::High, Some(R::High), false, "contacts a private address"),
    // Secrets and flows.
    row("secret.*", S::High, Some(R::High), false, "a secret in the arguments"),
    row(
        "flow.secret_to_egress",
        S::Critical,
        Some(R::High),
        true,
        "a secret's bytes reach a host that isn't its own",
    ),
    row("flow.combination", S::High, None, false, "a secret was read and a host contacted in one session"),
    row("flow.*", S::High, Some(R::High), false, "a flow between calls that was forbidden"),
    // Tools, arguments, models.
    row("tool.unknown", S::High, Some(R::High), false, "a tool nobody knows"),
    row("args.unchecked", S::Low, None, false, "no schema to check the arguments against"),
    row("args.schema", S::High, Some(R::High), true, "the arguments don't fit the tool's schema"),
    row("risk_label.invalid", S::Medium, None, false, "the model's own risk label is not one of the four"),
    row(
        "guardrail.unparseable",
        S::High,
        Some(R::High),
        false,
        "the guardrail's reply holds no single verdict",
    ),
    row("guardrail.unavailable", S::High, Some(R::Unknown), false, "the guardrail could not be asked"),
    row("analyzer.failed", S::High, Some(R::High), false, "an analyzer failed"),
    row("effects.mispredicted", S::High, Some(R::High), false, "what ran did more than was predicted"),
    row("pin.*", S::High, Some(R::High), false, "a pinned tool definition changed"),
    row("mcp.*", S::High, Some(R::High), false, "a message or definition of an MCP server that was refused"),
    row("code.unsandboxed", S::High, Some(R::High), false, "code execution without a verified sandbox"),
    row(
        "code.snippet",
        S::Medium,
        Some(R::Medium),
        false,
        "code in another language that does nothing listed",
    ),
];

/// The row of a code: its own, else its family's.
#[must_use]
pub fn catalogue_row(code: &str) -> Option<&'static CatalogueRow> {
    CATALOGUE.iter().find(|row| row.code == code).or_else(|| {
        let family = code.split_once('.').map(|(room, _)| room)?;
        CATALOGUE.iter().find(|row| row.code.strip_suffix(".*") == Some(family))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_families_answer_for_the_rest() {
        for (index, row) in CATALOGUE.iter().enumerate() {
            assert!(!CATALOGUE[..index].iter().any(|other| other.code == row.code), "{}", row.code);
        }
        assert_eq!(Finding::new("secret.github_pat", "x").severity, Severity::High);
        assert!(Finding::new("net.metadata", "x").floor);
    }

    #[test]
    fn an_unlisted_code_is_never_quiet() {
        assert_eq!(Finding::new("nobody.knows", "x").risk, Some(SecurityRisk::High));
    }
}
