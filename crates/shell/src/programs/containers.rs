//! What the specs of docker, kubectl and kin leave to code.

use doorward_core::intent::{Code, Direction, InstallSource, Place, PrivilegeKind, WriteMode};

use crate::deed::Word;

use super::call::Call;
use super::word;

/// `docker -H HOST`: another machine's daemon, unless it is a socket.
pub(super) fn daemon(call: &mut Call<'_>) {
    for host in call.values("-H") {
        if !host.text.starts_with("unix:") {
            call.contact(&host, "docker", Direction::Both, Vec::new());
        }
    }
}

/// `docker pull IMAGE`.
pub(super) fn pull(call: &mut Call<'_>) {
    if let Some(image) = call.operands.last().cloned() {
        fetch(call, &image);
    }
}

fn fetch(call: &mut Call<'_>, image: &Word) {
    call.contact(&registry(image), "https", Direction::Fetch, Vec::new());
    call.install(vec![image.text.clone()], InstallSource::Registry, false, false);
}

/// `docker push IMAGE`.
pub(super) fn push(call: &mut Call<'_>) {
    if let Some(image) = call.operands.last().cloned() {
        call.contact(&registry(&image), "https", Direction::Send, Vec::new());
        call.finding("shell.upload", "publishes an image");
    }
}

/// `docker build CONTEXT`: a folder, or a URL.
pub(super) fn build(call: &mut Call<'_>) {
    call.run_own("Dockerfile", Code::None);
    for secret in call.values("--secret") {
        if let Some(file) = part_of(&secret, &["src", "source"]) {
            call.read(&file);
        }
    }
    for output in call.values("-o") {
        // `type=local,dest=FOLDER`, or the folder alone.
        match part_of(&output, &["dest"]) {
            Some(target) => call.write(&target, WriteMode::Create),
            None if !output.text.contains('=') => call.write(&output, WriteMode::Create),
            None => {}
        }
    }
    mounts(call);
    let Some(context) = call.operands.last().cloned() else { return };
    if context.text.contains("://") {
        call.contact(&context, "https", Direction::Fetch, Vec::new());
        call.finding("shell.remote_code", "builds from a URL");
    } else {
        call.look(&context);
    }
}

/// The value of one key in `key=value,key=value`.
fn part_of(list: &Word, keys: &[&str]) -> Option<Word> {
    let parts = word::split(list, ',');
    parts
        .iter()
        .filter_map(|part| word::halves(part, '='))
        .find_map(|(key, value)| keys.contains(&key.text.as_str()).then_some(value))
}

/// `skopeo copy SOURCE TARGET`: the target may be a folder or an archive.
pub(super) fn copies_image(call: &mut Call<'_>) {
    let Some(target) = call.operands.last().cloned() else { return };
    for kind in ["dir:", "oci:", "oci-archive:", "docker-archive:"] {
        if let Some(path) = word::after(&target, kind) {
            call.beyond_plain = true;
            call.write(&path, WriteMode::Create);
        }
    }
}

/// `docker cp` and `kubectl cp`: what has a colon is the container's.
pub(super) fn copy(call: &mut Call<'_>) {
    if let [source, target] = call.operands.clone().as_slice() {
        if !source.text.contains(':') {
            call.read(source);
        }
        if !target.text.contains(':') {
            call.write(target, WriteMode::Create);
        }
    }
}

/// `docker-machine ssh HOST COMMAND`.
pub(super) fn machine_ssh(call: &mut Call<'_>) {
    if let Some(text) = word::join(&call.operands_from(1)) {
        let host = call.operand(0).map(|host| host.text).unwrap_or_default();
        call.run_shell_in(text, Vec::new(), Place::Remote(host));
    }
}

/// The registry that an image name leads to.
fn registry(image: &Word) -> Word {
    let first = image.text.split('/').next().unwrap_or_default();
    let named = image.text.contains('/') && (first.contains(['.', ':']) || first == "localhost");
    let mut host = image.clone();
    host.text = if named { first.to_owned() } else { "registry-1.docker.io".to_owned() };
    host
}

/// `docker run IMAGE COMMAND`: mounts, ports and variables, the image, and the command inside.
pub(super) fn run(call: &mut Call<'_>) {
    mounts(call);
    for port in call.values("-p") {
        let address = match port.text.split_once(':') {
            Some((address, rest)) if rest.contains(':') => address.to_owned(),
            _ => "*".to_owned(),
        };
        let number = port.text.rsplit(':').nth(1).and_then(|port| port.parse().ok());
        call.listen(&address, number, "tcp");
    }
    for variable in call.values("-e") {
        if !variable.text.contains('=') {
            call.env_read(&variable.text);
        }
    }
    let Some(image) = call.operand(0) else { return };
    fetch(call, &image);
    let mut argv: Vec<Word> = call.value("--entrypoint").into_iter().collect();
    argv.extend(call.operands_from(1));
    // With the project mounted, paths inside may be the project's own.
    call.run_argv_in(argv, Place::Container(image.text));
}

/// `-v SOURCE:TARGET` and `--mount`.
pub(super) fn mounts(call: &mut Call<'_>) {
    for name in ["-v", "--mount"] {
        for value in call.values(name) {
            mount(call, name, &value);
        }
    }
}

fn mount(call: &mut Call<'_>, name: &str, value: &Word) {
    let (source, read_only) = if name == "--mount" {
        let mut source = None;
        let mut read_only = false;
        for part in word::split(value, ',') {
            match word::halves(&part, '=') {
                Some((key, path)) if matches!(key.text.as_str(), "source" | "src") => source = Some(path),
                _ => read_only |= matches!(part.text.as_str(), "readonly" | "ro" | "readonly=true"),
            }
        }
        (source, read_only)
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
    call.read(&source);
    if !read_only {
        call.write(&source, WriteMode::InPlace);
    }
}

/// Files that describe what kubectl changes: `-f FILE`, `-k FOLDER`, `--from-file KEY=FILE`.
pub(super) fn manifests(call: &mut Call<'_>) {
    let names = ["-f", "-k", "--from-file", "--from-env-file", "--patch-file"];
    let mut files: Vec<Word> = names.iter().flat_map(|name| call.values(name)).collect();
    if call.path.last() == Some(&"kustomize") {
        files.extend(call.operands.iter().filter(|base| base.text.contains("://")).cloned());
    }
    for file in files {
        if file.text.contains("://") {
            call.contact(&file, "https", Direction::Fetch, Vec::new());
        } else {
            let path = word::halves(&file, '=').map_or(file, |(_, path)| path);
            call.read(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn clusters() {
        check(&[
            ("helm uninstall app -n prod", "infra"),
            ("helm list", "read-only"),
            ("nomad job stop -purge api", "infra"),
        ]);
    }
}
