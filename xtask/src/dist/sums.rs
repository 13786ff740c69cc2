//! `SHA256SUMS`, and its signature where a key is given.
//!
//! The signature is one of OpenSSH, because `ssh-keygen` is on most machines. With the public key in a file `signers`
//! (`doorward namespaces="doorward-release" ssh-ed25519 AAAA…`) it is checked by
//! `ssh-keygen -Y verify -f signers -I doorward -n doorward-release -s SHA256SUMS.sig < SHA256SUMS`.

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use super::{read, told, write};

/// What the signature is for; one made for anything else isn't taken.
const NAMESPACE: &str = "doorward-release";

/// The digest of bytes in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The line of the file of signers that stands for a private key.
pub(super) fn signer(key: &Path) -> Result<String, String> {
    let public = told(Command::new("ssh-keygen").arg("-y").arg("-f").arg(key))?;
    let plain: Vec<&str> = public.split_whitespace().take(2).collect();
    Ok(format!("doorward namespaces=\"{NAMESPACE}\" {}", plain.join(" ")))
}

/// Writes the checksums of files, in the form that `sha256sum --check` reads, and the signature.
pub(super) fn write_for(files: &[PathBuf], out: &Path, key: Option<&Path>) -> Result<Vec<PathBuf>, String> {
    let mut lines = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        lines.push(format!("{}  {name}\n", sha256(&read(file)?)));
    }
    let sums = out.join("SHA256SUMS");
    write(&sums, lines.concat().as_bytes())?;
    let Some(key) = key else { return Ok(vec![sums]) };
    told(Command::new("ssh-keygen").args(["-q", "-Y", "sign", "-n", NAMESPACE, "-f"]).arg(key).arg(&sums))?;
    let signers = out.join("signers");
    write(&signers, format!("{}\n", signer(key)?).as_bytes())?;
    Ok(vec![sums, out.join("SHA256SUMS.sig"), signers])
}
