//! Packages that are tar archives: the download with its install script, the container image, the devcontainer feature.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::tree::{PackageTree, settle};
use super::{filled, put, read, sums, told, write};

/// Where releases are, until one says otherwise (`DOORWARD_BASE`).
pub(super) const BASE: &str = "https://example.com/doorward/releases";

/// Packs the contents of a folder, compressed if the name says so; the same contents give the same bytes.
pub(super) fn pack(folder: &Path, file: &Path, time: u64) -> Result<(), String> {
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"]);
    tar.arg(format!("--mtime=@{time}"));
    if file.extension().is_some_and(|ending| ending != "tar") {
        tar.args(["--use-compress-program", "gzip -6n"]);
    }
    // By name, so that archives don't begin with `./`, which npm and the image's layers don't expect.
    let mut names: Vec<_> = folder
        .read_dir()
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .flatten()
        .map(|item| item.file_name())
        .collect();
    names.sort();
    told(tar.arg("--create").arg("--file").arg(file).arg("--directory").arg(folder).args(names)).map(drop)
}

/// Copies a folder with rights and times.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    told(Command::new("cp").arg("-a").arg(from.join(".")).arg(to)).map(drop)
}

/// `doorward-VERSION-MACHINE-linux.tar.gz`.
pub(super) fn tarball(tree: &PackageTree, out: &Path) -> Result<PathBuf, String> {
    let stage = out.join("stage/tarball");
    copy(&tree.folder, &stage.join(tree.name()))?;
    let file = out.join(format!("{}.tar.gz", tree.name()));
    pack(&stage, &file, tree.time)?;
    Ok(file)
}

/// `install.sh`, with the public key of a signed release.
pub(super) fn install_script(
    tree: &PackageTree,
    out: &Path,
    signer: Option<&str>,
) -> Result<PathBuf, String> {
    let glibc = tree.glibc.map(|(major, minor)| format!("{major}.{minor}")).unwrap_or_default();
    let base = format!("{BASE}/{}", tree.version);
    let values = [
        ("VERSION", tree.version.as_str()),
        ("BASE", &base),
        ("GLIBC", &glibc),
        ("SIGNER", signer.unwrap_or_default()),
    ];
    let file = out.join("install.sh");
    write(&file, filled("install.sh", &values)?.as_bytes())?;
    Ok(file)
}

/// The container image as an OCI archive with one layer. It needs a static program: there is nothing else in it.
pub(super) fn image(tree: &PackageTree, out: &Path) -> Result<Option<PathBuf>, String> {
    if tree.glibc.is_some() {
        eprintln!(
            "xtask: no container image: its program has to be static (--target {}-unknown-linux-musl)",
            tree.machine
        );
        return Ok(None);
    }
    let stage = out.join("stage/image");
    let (rootfs, layout) = (stage.join("rootfs"), stage.join("layout"));
    copy(&tree.folder, &rootfs.join("usr"))?;
    write(&rootfs.join("etc/passwd"), b"doorward:x:1000:1000::/home/doorward:/usr/bin/doorward\n")?;
    write(&rootfs.join("etc/group"), b"doorward:x:1000:\n")?;
    settle(&rootfs, tree.time)?;
    let layer = stage.join("layer.tar");
    pack(&rootfs, &layer, tree.time)?;
    let layer = read(&layer)?;
    let blob = |bytes: &[u8], kind: &str| -> Result<serde_json::Value, String> {
        let digest = sums::sha256(bytes);
        write(&layout.join("blobs/sha256").join(&digest), bytes)?;
        let kind = format!("application/vnd.oci.image.{kind}");
        Ok(json!({"mediaType": kind, "digest": format!("sha256:{digest}"), "size": bytes.len()}))
    };
    let layer_at = blob(&layer, "layer.v1.tar")?;
    let architecture = if tree.machine == "aarch64" { "arm64" } else { "amd64" };
    let config = json!({
        "architecture": architecture, "os": "linux",
        "config": {"User": "1000:1000", "Env": ["PATH=/usr/bin"], "Entrypoint": ["/usr/bin/doorward"]},
        "rootfs": {"type": "layers", "diff_ids": [layer_at.get("digest")]},
    });
    let config_at = blob(config.to_string().as_bytes(), "config.v1+json")?;
    let manifest = json!({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config_at, "layers": [layer_at],
    });
    let mut manifest_at = blob(manifest.to_string().as_bytes(), "manifest.v1+json")?;
    put(&mut manifest_at, "annotations", json!({"org.opencontainers.image.ref.name": tree.version}));
    let index = json!({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest_at],
    });
    write(&layout.join("index.json"), index.to_string().as_bytes())?;
    write(&layout.join("oci-layout"), br#"{"imageLayoutVersion":"1.0.0"}"#)?;
    settle(&layout, tree.time)?;
    // Its layer is plain, so that the archive as a whole is compressed once.
    let file = out.join(format!("{}.oci.tar.gz", tree.name()));
    pack(&layout, &file, tree.time)?;
    Ok(Some(file))
}

/// The devcontainer feature: its description, and a script that unpacks the download that lies beside it.
pub(super) fn feature(tree: &PackageTree, archive: &Path, out: &Path) -> Result<PathBuf, String> {
    let stage = out.join("stage/feature");
    let bytes = read(archive)?;
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (version, sum) = (tree.version.as_str(), sums::sha256(&bytes));
    write(&stage.join(&name), &bytes)?;
    let values = [("VERSION", version), ("ARCHIVE", &name), ("SHA256", &sum)];
    for file in ["devcontainer-feature.json", "install.sh"] {
        let text = filled(&format!("devcontainer/{file}"), &values)?;
        write(&stage.join(file), text.as_bytes())?;
    }
    settle(&stage, tree.time)?;
    let file = out.join(format!("devcontainer-feature-doorward-{}.tgz", tree.version));
    pack(&stage, &file, tree.time)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_give_the_same_bytes_whenever_they_were_written() {
        let folder = std::env::temp_dir().join(format!("doorward-pack-{}", std::process::id()));
        let packed = |name: &str| {
            let files = folder.join(name);
            write(&files.join("bin/b"), b"b").unwrap();
            write(&files.join("a"), b"a").unwrap();
            settle(&files, 1_000_000_000).unwrap();
            let file = folder.join(format!("{name}.tar.gz"));
            pack(&files, &file, 1_000_000_000).unwrap();
            read(&file).unwrap()
        };
        let first = packed("first");
        std::thread::sleep(std::time::Duration::from_millis(1_100));
        assert_eq!(first, packed("second"));
        let listed = told(Command::new("tar").arg("-tvzf").arg(folder.join("first.tar.gz"))).unwrap();
        assert!(
            listed.contains("-rwxr-xr-x 0/0") && listed.contains("bin/b") && !listed.contains("./"),
            "{listed}"
        );
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_image_names_its_blobs_by_their_digests_and_needs_a_static_program() {
        let out = std::env::temp_dir().join(format!("doorward-image-{}", std::process::id()));
        let folder = out.join("tree");
        write(&folder.join("bin/doorward"), b"program").unwrap();
        let version = "1.2.3".to_owned();
        let mut tree = PackageTree { folder, version, machine: "aarch64", glibc: Some((2, 34)), time: 1 };
        assert_eq!(image(&tree, &out).unwrap(), None);
        tree.glibc = None;
        let file = image(&tree, &out).unwrap().unwrap();
        let unpacked = out.join("unpacked");
        std::fs::create_dir_all(&unpacked).unwrap();
        told(Command::new("tar").arg("-xzf").arg(&file).arg("-C").arg(&unpacked)).unwrap();
        let parsed =
            |path: &Path| -> serde_json::Value { serde_json::from_slice(&read(path).unwrap()).unwrap() };
        let blob = |at: &serde_json::Value| {
            let digest = at["digest"].as_str().unwrap().strip_prefix("sha256:").unwrap().to_owned();
            let path = unpacked.join("blobs/sha256").join(&digest);
            let bytes = read(&path).unwrap();
            assert_eq!((sums::sha256(&bytes), at["size"].as_u64()), (digest, Some(bytes.len() as u64)));
            path
        };
        let manifest = parsed(&blob(&parsed(&unpacked.join("index.json"))["manifests"][0]));
        let config = parsed(&blob(&manifest["config"]));
        let layer = blob(&manifest["layers"][0]);
        assert_eq!(config["rootfs"]["diff_ids"][0], manifest["layers"][0]["digest"]);
        assert_eq!(
            (&config["architecture"], &config["config"]["User"]),
            (&json!("arm64"), &json!("1000:1000"))
        );
        let listed = told(Command::new("tar").arg("-tf").arg(layer)).unwrap();
        assert!(listed.contains("usr/bin/doorward") && listed.contains("etc/passwd"), "{listed}");
        std::fs::remove_dir_all(out).unwrap();
    }
}
