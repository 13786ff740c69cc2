//! The packages of Debian and Red Hat, each built by the system's own builder.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive::copy;
use super::tree::{PackageTree, settle};
use super::{filled, told, write};

/// `doorward_VERSION_ARCH.deb`.
pub(super) fn deb(tree: &PackageTree, out: &Path) -> Result<PathBuf, String> {
    let stage = out.join("stage/deb");
    copy(&tree.folder, &stage.join("usr"))?;
    let architecture = if tree.machine == "aarch64" { "arm64" } else { "amd64" };
    let depends =
        tree.glibc.map(|(major, minor)| format!("Depends: libc6 (>= {major}.{minor}), libgcc-s1\n"));
    let control = filled(
        "debian/control",
        &[
            ("VERSION", &tree.version),
            ("ARCHITECTURE", architecture),
            ("DEPENDS", &depends.unwrap_or_default()),
        ],
    )?;
    write(&stage.join("DEBIAN/control"), control.as_bytes())?;
    settle(&stage, tree.time)?;
    let file = out.join(format!("doorward_{}_{architecture}.deb", tree.version));
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "-Zgzip", "-z6", "--build"]).arg(&stage).arg(&file);
    told(build.env("SOURCE_DATE_EPOCH", tree.time.to_string()))?;
    Ok(file)
}

/// `doorward-VERSION-1.MACHINE.rpm`, where there is `rpmbuild`.
pub(super) fn rpm(tree: &PackageTree, out: &Path) -> Result<Option<PathBuf>, String> {
    if Command::new("rpmbuild").arg("--version").output().is_err() {
        eprintln!("xtask: no .rpm: there is no `rpmbuild` (Debian's package `rpm` has it)");
        return Ok(None);
    }
    let top = out.join("stage/rpm");
    let needs = tree.glibc.map(|(major, minor)| format!("Requires: glibc >= {major}.{minor}"));
    let folder = tree.folder.display().to_string();
    let values =
        [("VERSION", tree.version.as_str()), ("REQUIRES", &needs.unwrap_or_default()), ("TREE", &folder)];
    let spec = top.join("doorward.spec");
    write(&spec, filled("rpm/doorward.spec", &values)?.as_bytes())?;
    let mut build = Command::new("rpmbuild");
    build.args(["-bb", "--quiet", "--target", tree.machine]);
    build.arg("--define").arg(format!("_topdir {}", top.display()));
    told(build.arg(&spec).env("SOURCE_DATE_EPOCH", tree.time.to_string()))?;
    let name = format!("doorward-{}-1.{}.rpm", tree.version, tree.machine);
    let file = out.join(&name);
    std::fs::rename(top.join("RPMS").join(tree.machine).join(&name), &file)
        .map_err(|error| format!("{name}: {error}"))?;
    Ok(Some(file))
}
