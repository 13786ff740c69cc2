//! The wheel `doorward-cli`: the program as a script, for `pip install` and `pipx install`.
//!
//! The gate inside a Python process is the package `doorward` ([`super::gate_wheel`]); both can be installed side
//! by side.

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::archive::copy;
use super::tree::{DOC, PackageTree, settle};
use super::{read, told, write};

/// Builds the wheel.
pub(super) fn wheel(tree: &PackageTree, out: &Path) -> Result<PathBuf, String> {
    let stage = out.join("stage/wheel");
    let name = format!("doorward_cli-{}", tree.version);
    let (data, info) = (format!("{name}.data"), format!("{name}.dist-info"));
    let tag = tag(tree);
    copy(&tree.folder.join("bin"), &stage.join(&data).join("scripts"))?;
    copy(&tree.folder.join("share/man"), &stage.join(&data).join("data/share/man"))?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"] {
        let text = read(&tree.folder.join(DOC).join(licence))?;
        write(&stage.join(&info).join("licenses").join(licence), &text)?;
    }
    let sbom = read(&tree.folder.join(DOC).join("sbom.cdx.json"))?;
    write(&stage.join(&info).join("sboms/doorward.cdx.json"), &sbom)?;
    let readme = String::from_utf8_lossy(&read(&tree.folder.join(DOC).join("README.md"))?).into_owned();
    let metadata = format!(
        "Metadata-Version: 2.4\nName: doorward-cli\nVersion: {}\n\
         Summary: The door that every tool call of an AI agent passes through\n\
         License-Expression: Apache-2.0 OR MIT\nLicense-File: LICENSE-APACHE\nLicense-File: LICENSE-MIT\n\
         License-File: NOTICE\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{readme}",
        tree.version
    );
    write(&stage.join(&info).join("METADATA"), metadata.as_bytes())?;
    let about =
        format!("Wheel-Version: 1.0\nGenerator: doorward xtask\nRoot-Is-Purelib: false\nTag: {tag}\n");
    write(&stage.join(&info).join("WHEEL"), about.as_bytes())?;
    let mut record = String::new();
    recorded(&stage, &stage, &mut record)?;
    record.push_str(&format!("{info}/RECORD,,\n"));
    write(&stage.join(&info).join("RECORD"), record.as_bytes())?;
    settle(&stage, tree.time)?;
    let file = out.join(format!("{name}-{tag}.whl"));
    let mut zip = Command::new("python3");
    told(zip.args(["-m", "zipfile", "-c"]).arg(&file).args([&data, &info]).current_dir(&stage))?;
    Ok(file)
}

/// The tag of the machine and the least C library (PEP 600, PEP 656).
fn tag(tree: &PackageTree) -> String {
    let machine = tree.machine;
    match tree.glibc {
        Some((major, minor)) => format!("py3-none-manylinux_{major}_{minor}_{machine}"),
        None => format!("py3-none-manylinux_2_17_{machine}.musllinux_1_1_{machine}"),
    }
}

/// A line for each file below a folder: its path, digest and length.
fn recorded(folder: &Path, base: &Path, record: &mut String) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut paths: Vec<PathBuf> =
        folder.read_dir().map_err(failed)?.flatten().map(|item| item.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            recorded(&path, base, record)?;
            continue;
        }
        let bytes = read(&path)?;
        let digest = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&bytes));
        let name = path.strip_prefix(base).unwrap_or(&path).display();
        record.push_str(&format!("{name},sha256={digest},{}\n", bytes.len()));
    }
    Ok(())
}
