//! Roles of words that containers and clusters take (images, mounts, ports, manifests).

use doorward_core::intent::{Below, Direction, InstallSource, PrivilegeKind, WriteMode};

use crate::deed::Word;

use super::call::Call;
use super::word;

/// An image that is fetched from its registry.
pub(super) fn fetch(call: &mut Call<'_>, image: &Word) {
    call.contact(&registry(image), "https", Direction::Fetch, Vec::new());
    call.install(vec![image.text.clone()], InstallSource::Registry, false, false);
}

/// An image that is published in its registry.
pub(super) fn publish(call: &mut Call<'_>, image: &Word) {
    call.contact(&registry(image), "https", Direction::Send, Vec::new());
    call.finding("shell.upload", "publishes an image");
}

/// The value of one key in `key=value,key=value`.
fn part_of(list: &Word, keys: &[&str]) -> Option<Word> {
    let parts = word::split(list, ',');
    parts
        .iter()
        .filter_map(|part| word::halves(part, '='))
        .find_map(|(key, value)| keys.contains(&key.text.as_str()).then_some(value))
}

/// The registry that an image name leads to.
fn registry(image: &Word) -> Word {
    let first = image.text.split('/').next().unwrap_or_default();
    let named = image.text.contains('/') && (first.contains(['.', ':']) || first == "localhost");
    let mut host = image.clone();
    host.text = if named { first.to_owned() } else { "registry-1.docker.io".to_owned() };
    host
}

/// A published port: `[[ADDRESS:]PORT:]INSIDE`.
pub(super) fn publish_port(call: &mut Call<'_>, port: &Word) {
    let address = match port.text.split_once(':') {
        Some((address, rest)) if rest.contains(':') => address.to_owned(),
        _ => "*".to_owned(),
    };
    let number = port.text.rsplit(':').nth(1).and_then(|port| port.parse().ok());
    call.listen(&address, number, "tcp");
}

/// A folder of this machine that a container gets: `SOURCE:TARGET[:ro]`, or `type=bind,source=…,target=…`.
pub(super) fn mount(call: &mut Call<'_>, value: &Word) {
    let (source, read_only) = if value.text.contains("target=") || value.text.contains("type=") {
        let parts = word::split(value, ',');
        let read_only =
            parts.iter().any(|part| matches!(part.text.as_str(), "readonly" | "ro" | "readonly=true"));
        (part_of(value, &["source", "src"]), read_only)
    } else {
        let parts = word::split(value, ':');
        let read_only = parts.last().is_some_and(|last| last.text.split(',').any(|flag| flag == "ro"));
        (parts.first().cloned().filter(|_| parts.len() > 1), read_only)
    };
    let Some(source) = source.filter(|source| source.text.contains(['/', '.', '~', '…', '$'])) else {
        return;
    };
    let text = source.text.trim_end_matches('/');
    let system = text.is_empty()
        || [
            "/etc", "/root", "/var", "/usr", "/boot", "/dev", "/proc", "/sys", "/home", "/bin", "/lib",
            "/run",
        ]
        .contains(&text)
        || text.contains("docker.sock")
        || text.contains("containerd");
    if system {
        call.privilege(PrivilegeKind::ContainerEscape, format!("mounts {} into a container", source.text));
    }
    call.read_below(&source, Below::Everything);
    if !read_only {
        call.write(&source, WriteMode::InPlace);
    }
}

/// A file or an address, alone or behind `KEY=`.
pub(super) fn source(call: &mut Call<'_>, value: &Word) {
    if value.text.contains("://") {
        return call.contact(value, "https", Direction::Fetch, Vec::new());
    }
    let path = word::halves(value, '=').map_or_else(|| value.clone(), |(_, path)| path);
    call.read(&path);
}
