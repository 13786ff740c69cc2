//! Each package installed from its file on an empty copy of this machine, as an ordinary user would: until `doorward
//! doctor` says "protected: yes" and the hook of Claude Code denies `rm -rf ~`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::{megabytes, put, read, told, write};
use crate::python;

const SCRIPT: &str = include_str!("trial.sh");

/// A way in which people get Doorward.
struct Channel {
    name: &'static str,
    /// Beginnings and ends of the names of the files that are downloaded.
    files: &'static [(&'static str, &'static str)],
    /// What root types, a command a line; `FILE` is the first file.
    root: &'static str,
    /// What the user types; `$RELEASE` is where the files are served.
    user: &'static str,
}

const CHANNELS: &[Channel] = &[
    Channel {
        name: "install.sh",
        files: &[("doorward-", "-linux.tar.gz"), ("install", ".sh")],
        root: "",
        user: "curl -fsSL $RELEASE/install.sh | DOORWARD_BASE=$RELEASE sh",
    },
    Channel {
        name: "tar.gz",
        files: &[("doorward-", "-linux.tar.gz")],
        root: "",
        user: "mkdir -p .local && curl -fsSL $RELEASE/FILE | tar -xz --strip-components=1 -C .local",
    },
    Channel {
        name: "npx",
        files: &[("doorward-linux-", ".tgz"), ("doorward-0", ".tgz")],
        root: "",
        user: "doorward() { npx --yes --registry=$RELEASE/npm/ doorward \"$@\"; }",
    },
    Channel {
        name: "npm install --global",
        files: &[("doorward-linux-", ".tgz"), ("doorward-0", ".tgz")],
        root: "",
        user: "npm install --global --prefix .local --registry=$RELEASE/npm/ doorward",
    },
    Channel {
        name: "pip",
        files: &[("doorward_cli-", ".whl")],
        root: "",
        user: "PYTHON -m venv .venv\n.venv/bin/pip install --quiet --no-index --find-links $RELEASE doorward-cli",
    },
    Channel { name: ".deb", files: &[("doorward_", ".deb")], root: "dpkg --install /release/FILE", user: "" },
    // The rows of Debian's packages aren't in the database of rpm, so it can't see the C library.
    Channel {
        name: ".rpm",
        files: &[("doorward-", ".rpm")],
        root: "rpm --install --nodeps /release/FILE",
        user: "",
    },
    Channel {
        name: "devcontainer feature",
        files: &[("devcontainer-feature-", ".tgz")],
        root: "mkdir /tmp/feature && tar -xzf /release/FILE -C /tmp/feature && sh /tmp/feature/install.sh",
        user: "",
    },
    Channel {
        name: "GitHub Action",
        files: &[("doorward-", "-linux.tar.gz"), ("install", ".sh"), ("action", ".yml")],
        root: "",
        user: ACTION,
    },
];

/// The steps of the action as a runner runs them: a clean folder passes, one with a key fails, both with a summary.
const ACTION: &str = r#"export RUNNER_TEMP=$HOME/runner DOORWARD_BASE=$RELEASE DOORWARD_ARGUMENTS="scan
."
export GITHUB_PATH=$RUNNER_TEMP/path GITHUB_STEP_SUMMARY=$RUNNER_TEMP/summary.md GITHUB_OUTPUT=$RUNNER_TEMP/output
mkdir -p $RUNNER_TEMP && mkdir clean key && sh -e /release/steps/0.sh && grep -q /doorward/bin $GITHUB_PATH
cd clean && bash -e /release/steps/1.sh && grep -q 'Nothing to report' $GITHUB_STEP_SUMMARY && cd ..
head -c 60 /dev/urandom | base64 -w0 | tr -dc A-Za-z0-9 | head -c 36 | sed 's/^/token = "ghp_/; s/$/"/' >key/settings.py
cd key && if bash -e /release/steps/1.sh; then exit 9; fi && cd ..
grep -q 'Exit code' $GITHUB_STEP_SUMMARY && grep -q 'exit-code=[1-9]' $GITHUB_OUTPUT"#;

/// What was measured of a channel.
#[derive(Debug)]
pub(super) struct Measured {
    name: &'static str,
    commands: usize,
    seconds: f64,
    megabytes: f64,
    /// The signature of the checksums was checked, not the checksums alone.
    is_signed: bool,
}

/// Tries every channel whose files are in the folder.
///
/// # Errors
/// Which channel ends otherwise than protected, with all that it printed.
pub(super) fn all(out: &Path) -> Result<Vec<Measured>, String> {
    prepare(out)?;
    let mut measured = Vec::new();
    for channel in CHANNELS {
        let files: Option<Vec<PathBuf>> =
            channel.files.iter().map(|(begin, end)| found(out, begin, end)).collect();
        match files {
            Some(files) => measured.push(channel.tried(out, &files)?),
            None => eprintln!("xtask: {}: not built, so not tried", channel.name),
        }
    }
    Ok(measured)
}

/// A table of what was measured.
pub(super) fn table(measured: &[Measured]) -> String {
    let mut text =
        "| channel | commands to a denied `rm -rf ~` | seconds | MB | signature checked |\n".to_owned();
    text.push_str("|---|---|---|---|---|\n");
    for one in measured {
        let signed = if one.is_signed { "yes" } else { "no" };
        let (name, commands, seconds, megabytes) = (one.name, one.commands, one.seconds, one.megabytes);
        text.push_str(&format!("| {name} | {commands} | {seconds:.1} | {megabytes:.1} | {signed} |\n"));
    }
    text
}

impl Channel {
    fn tried(&self, out: &Path, files: &[PathBuf]) -> Result<Measured, String> {
        let first = files
            .first()
            .and_then(|file| file.file_name())
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let python = python::interpreters().into_values().next_back();
        let program = python.as_ref().map(|program| program.display().to_string()).unwrap_or_default();
        let folder = python.as_deref().and_then(Path::parent).and_then(Path::parent).unwrap_or(Path::new(""));
        // What the system's own packages hold is in the copy already.
        let folder = if folder.starts_with("/usr") { Path::new("") } else { folder };
        let commands = |text: &str| text.replace("FILE", &first).replace("PYTHON", &program);
        let mut trial = Command::new("unshare");
        trial.args(["--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c", SCRIPT, "trial"]);
        trial.arg(out).arg(folder).arg(commands(self.root)).arg(commands(self.user));
        let output = trial.output().map_err(|error| format!("unshare: {error}"))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let told = || format!("{}:\n{said}{}", self.name, String::from_utf8_lossy(&output.stderr));
        for wanted in ["protected: yes", "\"permissionDecision\":\"deny\""] {
            if !said.contains(wanted) {
                return Err(format!("no {wanted:?} from {}", told()));
            }
        }
        let milliseconds: Option<u32> =
            said.lines().last().and_then(|line| line.strip_prefix("milliseconds ")?.parse().ok());
        let sizes: Result<Vec<f64>, String> = files.iter().map(|file| megabytes(file)).collect();
        // The last is `doorward setup --yes`.
        let typed = [self.root, self.user].iter().map(|text| text.lines().count()).sum::<usize>() + 1;
        Ok(Measured {
            name: self.name,
            commands: if self.user == ACTION { 1 } else { typed },
            seconds: f64::from(milliseconds.ok_or_else(told)?) / 1000.0,
            megabytes: sizes?.iter().sum(),
            is_signed: said.contains("signature and checksum checked"),
        })
    }
}

/// The only file of a folder with this beginning and end.
fn found(out: &Path, begin: &str, end: &str) -> Option<PathBuf> {
    let fits = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(begin) && name.ends_with(end)
    };
    out.read_dir().ok()?.flatten().map(|item| item.path()).find(fits)
}

/// Writes what only trials need: a registry for npm with both packages, and the steps of the action as files.
fn prepare(out: &Path) -> Result<(), String> {
    for (begin, name) in [("doorward-0", "doorward"), ("doorward-linux-", "doorward-linux-x64")] {
        let file = found(out, begin, ".tgz").ok_or(format!("{} has no {begin}*.tgz", out.display()))?;
        let manifest = told(Command::new("tar").arg("-xzOf").arg(&file).arg("package/package.json"))?;
        let mut manifest: serde_json::Value =
            serde_json::from_str(&manifest).map_err(|error| error.to_string())?;
        let version =
            manifest.get("version").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
        let file_name = file.file_name().unwrap_or_default().to_string_lossy();
        put(&mut manifest, "dist", json!({"tarball": format!("http://127.0.0.1:8471/{file_name}")}));
        let versions = json!({version.as_str(): manifest});
        let packument = json!({"name": name, "dist-tags": {"latest": version}, "versions": versions});
        write(&out.join("npm").join(name), packument.to_string().as_bytes())?;
    }
    let action = String::from_utf8_lossy(&read(&out.join("action.yml"))?).into_owned();
    for (at, step) in steps(&action).iter().enumerate() {
        write(&out.join(format!("steps/{at}.sh")), step.as_bytes())?;
    }
    Ok(())
}

/// The scripts of an action: the lines below each `run: |` that stand further in.
fn steps(action: &str) -> Vec<String> {
    const INDENT: &str = "        ";
    let parts = action.split("\n      run: |\n").skip(1);
    parts
        .map(|part| part.lines().map_while(|line| line.strip_prefix(INDENT)).collect::<Vec<_>>().join("\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The packages of the program that the tests were built with, if it is there.
    fn packed() -> Option<PathBuf> {
        if std::env::var_os("DOORWARD_TOOLS").is_none() {
            doorward_needs::lacking!("what `cargo xtask tools` installs: the builders of packages");
            return None;
        }
        let program = crate::tools_dir().with_file_name("debug").join("doorward");
        if told(Command::new("id").arg("-u")).as_deref() != Ok("0") {
            doorward_needs::lacking!("an empty copy of the machine is made by root only");
            return None;
        }
        if !program.is_file() {
            doorward_needs::lacking!("{}: build doorward-cli first", program.display());
            return None;
        }
        let out = crate::tools_dir().with_file_name("packages-of-tests");
        let key = crate::tools_dir().with_file_name("key-of-tests");
        let _ = std::fs::remove_file(&key);
        told(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key)).unwrap();
        super::super::pack(&program, &out, Some(&key)).unwrap();
        prepare(&out).unwrap();
        Some(out)
    }

    /// Installs by the script with the release changed as given; what was printed.
    fn refused(out: &Path, before: &'static str) -> String {
        let channel = Channel { name: "changed", files: &[], root: before, user: CHANGED };
        let why = channel.tried(out, &[]).unwrap_err();
        assert!(why.contains("Nothing was installed") && why.contains("no program"), "{why}");
        why
    }

    /// The changed release lies beside the true one.
    const CHANGED: &str = "if DOORWARD_BASE=$RELEASE/changed sh /release/install.sh; then exit 9; fi\n\
                           [ -e .local/bin/doorward ] || { echo no program >&2; exit 1; }";

    #[test]
    fn every_package_gives_a_protected_agent_and_changed_ones_are_refused() {
        let Some(out) = packed() else { return };
        let measured = all(&out).unwrap();
        println!("{}", table(&measured));
        assert!(measured.len() >= CHANNELS.len() - 1, "{measured:?}");
        assert!(measured.iter().any(|one| one.name == "install.sh" && one.is_signed), "{measured:?}");

        let copy = "rm -rf /release/changed && mkdir /release/changed\n\
                    cp /release/SHA256SUMS* /release/doorward-*-linux.tar.gz /release/changed";
        let changed = format!("{copy}\nprintf x >>$(ls /release/changed/*.tar.gz)");
        assert!(refused(&out, Box::leak(changed.into_boxed_str())).contains("isn't what was released"));
        // Whoever changes the checksums too can't sign them.
        let signed = format!("{copy}\ncd /release/changed && sha256sum *.tar.gz >SHA256SUMS");
        assert!(refused(&out, Box::leak(signed.into_boxed_str())).contains("isn't one of the trusted key"));
        let unsigned = format!("{copy}\nrm /release/changed/SHA256SUMS.sig");
        assert!(refused(&out, Box::leak(unsigned.into_boxed_str())).contains("aren't signed"));
        std::fs::remove_dir_all(out).unwrap();
    }

    #[test]
    fn the_formula_and_the_action_have_their_shape() {
        let text = |name: &str| {
            String::from_utf8(read(&crate::root().join("packaging").join(name)).unwrap()).unwrap()
        };
        let formula = text("homebrew/doorward.rb");
        for needed in
            ["class Doorward < Formula", "url \"@URL@\"", "sha256 \"@SHA256@\"", "bin.install", "test do"]
        {
            assert!(formula.contains(needed), "{needed}");
        }
        let opened = formula.lines().filter(|line| {
            let line = line.trim();
            line.starts_with("class ") || line.starts_with("def ") || line.ends_with(" do")
        });
        assert_eq!(opened.count(), formula.lines().filter(|line| line.trim() == "end").count());
        let steps = steps(&text("action/action.yml"));
        assert_eq!(steps.len(), 2);
        assert!(steps[0].contains("install.sh") && steps[1].ends_with("exit \"$code\""), "{steps:?}");
    }
}
