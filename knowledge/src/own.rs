//! Reads a spec that was written outside of Doorward: by a user, an administrator, or a project.
//!
//! The text may come from anyone: it is bounded, and it may name no function of Doorward.

use crate::parse::{SpecError, parse};
use crate::spec::{Row, SpecFile};

/// Bytes that a file may have.
pub const LONGEST: usize = 64 << 10;

/// Reads a spec named `file`, which isn't trusted.
///
/// # Errors
/// As [`parse`](crate::parse()); also a text that is too long or too deep, and one that names functions of Doorward.
pub fn parse_own(file: &str, text: &str) -> Result<SpecFile, SpecError> {
    let error =
        |line: usize, message: &str| SpecError { file: file.to_owned(), line, message: message.to_owned() };
    if text.len() > LONGEST {
        return Err(error(1, &format!("the file has more than {} KiB", LONGEST >> 10)));
    }
    let parsed = parse(file, text);
    let spec = parsed.map_err(|wrong| SpecError { file: file.to_owned(), ..wrong })?;
    if !spec.functions.is_empty() {
        return Err(error(1, "`functions` names code of Doorward itself, which only a shipped spec can"));
    }
    let rows = spec.programs.iter().map(|program| &program.row).chain(spec.commands.values().flatten());
    if let Some(program) = spec.programs.iter().find(|program| program.any_case) {
        return Err(error(program.line, "`names any-case` is only for what Doorward ships"));
    }
    match rows.filter_map(rust_line).next() {
        Some(line) => {
            Err(error(line, "`rust` names a function of Doorward itself, which only a shipped spec can"))
        }
        None => Ok(spec),
    }
}

/// Where a row names a Rust function, if it does.
fn rust_line(row: &Row) -> Option<usize> {
    let rules = row.rules.iter().chain(&row.otherwise).chain(&row.throughout);
    let own = rules.filter(|rule| rule.acts.iter().any(|act| act.key == "rust")).map(|rule| rule.line).next();
    own.or_else(|| row.commands.iter().filter_map(rust_line).next())
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, parse_own};

    const SOURCE: &str = "source \"x(1)\" version=\"1\" read=\"2026-11-23\"\n";

    #[test]
    fn hostile_texts_are_refused() {
        let nested = |open: &str, count: usize| format!("program x {}", open.repeat(count));
        for (text, says) in [
            (" ".repeat(LONGEST + 1), "more than 64 KiB"),
            (nested("{\na ", 11), "10 deep"),
            (nested("{\na ", 100_000), "more than 64 KiB"),
            (nested("{\na ", 9), "isn't closed"),
            (nested("{\n}\n}\n", 1), "closes nothing"),
            (nested("{ a }", 1), "`{` ends its line"),
            (nested("\n{\n}", 1), "`{` ends its line"),
            (nested("/* ", 4000), "`/` can only"),
            (nested("/- ", 4000), "`/` can only"),
            (nested("(a)", 4000), "`(` can only"),
            (nested("#\"{\"#", 1), "`#` can only"),
            (nested("\"\n{\"", 1), "ends on its line"),
            (nested("\"\\\"{", 1), "ends on its line"),
            (nested("\"\\u{41}\"", 1), "behind `\\`"),
            (nested("\"\u{202e}\"", 1), "direction"),
            (nested("// \r}", 1), "control characters"),
            (nested("\"a\"b", 1), "a space between"),
            (nested("a= ", 1), "`a=` lacks its value"),
            (nested("-1 -2", 1), "put `-1` into quotation marks"),
            (nested("null", 1), "put `null` into"),
            (nested("{= {= }\n}\n", 5_000), "need a space"),
            (nested("\\ = = ", 5_000), "`\\` can only"),
            (nested("a \\\n", 5_000), "goes on over more"),
            (format!("program x\n{}", "a=b \"c\" 7\n".repeat(5_000)), "begins with a name"),
            (nested("\n7", 5_000), "begins with a name"),
            (nested("{\na \\\n}\n", 3_000), "nothing stands"),
            (nested("\\", 1), "nothing follows"),
            // Long and well formed, but no spec.
            (nested("\na b=c \"c\" 7", 5_000), ""),
            (nested(&format!("{{\n{}}}\n", "a \"\"\n".repeat(9_000)), 1), ""),
            (format!("functions git\nprogram x {{\n{SOURCE}}}"), "functions"),
            (format!("program x {{\n{SOURCE}rust mounts\n}}"), "`rust` names"),
            (format!("program x {{\n{SOURCE}names any-case\n}}"), "any-case` is only"),
            (
                format!("program x {{\n{SOURCE}command a {{\nwhen first=x {{\nrust mounts\n}}\n}}\n}}"),
                "`rust` names",
            ),
            (format!("program x {{\n{SOURCE}{}{}}}", "command a {\n".repeat(9), "}\n".repeat(9)), "6 deep"),
            (format!("program x {{\n{SOURCE}replaces everything\n}}"), "did you mean `shipped`?"),
        ] {
            let before = std::time::Instant::now();
            let error = parse_own("/home/ada/x.kdl", &text).expect_err(&text);
            let start: String = text.chars().take(40).collect();
            assert!(before.elapsed().as_secs() < 2, "{start}: {:?}", before.elapsed());
            assert!(error.message.contains(says), "{error}, not {says}");
            assert_eq!(error.file, "/home/ada/x.kdl");
        }
        let error = parse_own("x.kdl", &format!("program x {{\n{SOURCE}rust mounts\n}}")).expect_err("rust");
        assert_eq!(error.line, 3);
    }
}
