//! A static program for Linux, built with zig as the C compiler and linker (`cargo zigbuild`, both from PyPI).

use std::path::{Path, PathBuf};

use super::{run, tools_dir};
use crate::{python, root};

/// What builds it, in an environment of its own.
const TOOLS: &[&str] = &["cargo-zigbuild==0.24.1", "ziglang==0.17.1"];

/// Builds the program for a target such as `aarch64-unknown-linux-musl`; where it lies.
///
/// # Errors
/// The target isn't installed, or the build fails.
pub(super) fn build(target: &str, profile: &str) -> Result<PathBuf, String> {
    if !target.ends_with("-linux-musl") {
        return Err(format!(
            "{target} isn't static; give x86_64-unknown-linux-musl or aarch64-unknown-linux-musl"
        ));
    }
    let tools = tools_dir().join("python");
    python::environment(&tools, "zig", Path::new("python3"), TOOLS);
    let mut add = std::process::Command::new("rustup");
    add.args(["target", "add", target]).current_dir(root());
    run(add)?;
    let mut build = crate::cargo();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [tools.join("zig/bin")].into_iter().chain(std::env::split_paths(&path));
    build.env("PATH", std::env::join_paths(folders).map_err(|error| error.to_string())?);
    build.args(["zigbuild", "--locked", "--profile", profile, "--target", target]);
    build.args(["--package", "doorward-cli", "--features", "full"]);
    run(build)?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(tools_dir().with_file_name(target).join(folder).join("doorward"))
}
