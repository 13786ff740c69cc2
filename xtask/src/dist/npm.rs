//! The npm packages: `doorward`, which finds and starts the program, and one with the program for each platform.
//!
//! npm installs the one that fits by its `os`, `cpu` and `libc`; nothing runs while it installs.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::archive::{copy, pack};
use super::tree::{PackageTree, settle};
use super::{filled, put, write};

/// Both packages.
pub(super) fn packages(tree: &PackageTree, out: &Path) -> Result<Vec<PathBuf>, String> {
    let cpu = if tree.machine == "aarch64" { "arm64" } else { "x64" };
    let platform = format!("doorward-linux-{cpu}");
    let shared = |name: &str, about: &str| {
        json!({
            "name": name, "version": tree.version, "description": about, "license": "Apache-2.0 OR MIT",
            "repository": {"type": "git", "url": "https://example.com/doorward"},
        })
    };
    let stage = out.join("stage").join(&platform);
    copy(&tree.folder, &stage.join("package"))?;
    let mut manifest = shared(&platform, "The program of doorward for one platform");
    put(&mut manifest, "os", json!(["linux"]));
    put(&mut manifest, "cpu", json!([cpu]));
    if tree.glibc.is_some() {
        put(&mut manifest, "libc", json!(["glibc"]));
    }
    write(&stage.join("package/package.json"), format!("{manifest:#}\n").as_bytes())?;
    let program = finished(tree, &stage, &out.join(format!("{platform}-{}.tgz", tree.version)))?;

    let stage = out.join("stage/doorward-npm");
    let mut manifest = shared("doorward", "The door that every tool call of an AI agent passes through");
    put(&mut manifest, "bin", json!({"doorward": "bin/doorward.js"}));
    put(&mut manifest, "engines", json!({"node": ">=18"}));
    put(
        &mut manifest,
        "optionalDependencies",
        json!({
            "doorward-linux-x64": tree.version, "doorward-linux-arm64": tree.version,
        }),
    );
    write(&stage.join("package/package.json"), format!("{manifest:#}\n").as_bytes())?;
    write(&stage.join("package/bin/doorward.js"), filled("npm/doorward.js", &[])?.as_bytes())?;
    write(
        &stage.join("package/README.md"),
        &super::read(&tree.folder.join("share/doc/doorward/README.md"))?,
    )?;
    let main = finished(tree, &stage, &out.join(format!("doorward-{}.tgz", tree.version)))?;
    Ok(vec![main, program])
}

fn finished(tree: &PackageTree, stage: &Path, file: &Path) -> Result<PathBuf, String> {
    settle(stage, tree.time)?;
    pack(stage, file, tree.time)?;
    Ok(file.to_owned())
}
