//! Containers and clusters: docker, podman, kubectl, helm and kin.

use doorward_core::intent::{Direction, InstallSource, Place, PrivilegeKind, WriteMode};

use crate::deed::{Run, Word};

use super::call::Call;
use super::row::{Nature, ProgramRow, Style, works};
use super::word;

pub(super) static ROWS: &[ProgramRow] = &[
    works(
        "docker podman nerdctl docker-compose podman-compose buildah skopeo crictl ctr \
        docker-machine finch lima-nerdctl",
        "docker(1) 25, podman(1) 4.9",
        "",
        "",
    )
    .style(Style::Raw)
    .act(docker),
    works("kubectl oc k3s-kubectl microk8s.kubectl kubecolor", "kubectl 1.29", "", "")
        .style(Style::Raw)
        .act(kubectl),
    works(
        "helm helmfile kustomize argocd flux istioctl linkerd velero k9s kubectx kubens stern kind \
        minikube k3d k3s kubeadm eksctl kops rancher nomad consul tkn argo crossplane cmctl kubeseal \
        calicoctl cilium etcdctl docker-credential-helper swarm",
        "helm(1) 3.14",
        "",
        "",
    )
    .style(Style::Raw)
    .act(cluster),
];

/// Options of `docker run`, `create` and `exec` that take a word.
const TAKES: &[&str] = &[
    "-v",
    "--volume",
    "--mount",
    "-e",
    "--env",
    "--env-file",
    "-p",
    "--publish",
    "-w",
    "--workdir",
    "-u",
    "--user",
    "--name",
    "--network",
    "--net",
    "--entrypoint",
    "-h",
    "--hostname",
    "-l",
    "--label",
    "--label-file",
    "-m",
    "--memory",
    "--cpus",
    "--cap-add",
    "--cap-drop",
    "--security-opt",
    "--device",
    "--pid",
    "--ipc",
    "--uts",
    "--userns",
    "--cgroupns",
    "--restart",
    "--platform",
    "--add-host",
    "--dns",
    "--link",
    "--volumes-from",
    "--tmpfs",
    "--ulimit",
    "--log-driver",
    "--log-opt",
    "--gpus",
    "--runtime",
    "--shm-size",
    "--stop-signal",
    "--stop-timeout",
    "--pull",
    "-a",
    "--attach",
    "--cidfile",
    "--ip",
    "--expose",
    "--group-add",
    "--health-cmd",
    "--health-interval",
    "--health-timeout",
    "--health-retries",
    "--detach-keys",
    "--cpu-shares",
    "-c",
    "--cpuset-cpus",
    "--memory-swap",
    "--pids-limit",
    "--sysctl",
    "--network-alias",
    "--mac-address",
    "--blkio-weight",
    "--oom-score-adj",
    "--isolation",
    "--kernel-memory",
    "--storage-opt",
    "--annotation",
    "--domainname",
    "--secret",
    "--userns",
    "--pod",
    "--index",
];

fn docker(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let compose_program = call.program.ends_with("compose");
    let mut at = 0;
    // Global options.
    while let Some(word) = words.get(at) {
        match word.text.as_str() {
            "-H"
            | "--host"
            | "-c"
            | "--context"
            | "--config"
            | "-l"
            | "--log-level"
            | "-f"
            | "--file"
            | "-p"
            | "--project-name"
            | "--profile"
            | "--env-file"
            | "--project-directory"
            | "--tlscacert"
            | "--tlscert"
            | "--tlskey"
            | "--root"
            | "--url"
            | "-n"
            | "--namespace" => {
                if matches!(word.text.as_str(), "-H" | "--host" | "--url")
                    && let Some(host) = words.get(at + 1).filter(|host| !host.text.starts_with("unix:"))
                {
                    call.contact(host, "docker", Direction::Both, Vec::new());
                }
                if compose_program
                    && matches!(word.text.as_str(), "-f" | "--file")
                    && let Some(file) = words.get(at + 1)
                {
                    call.read(file);
                }
                at += 2;
            }
            text if text.starts_with('-') => at += 1,
            _ => break,
        }
    }
    if words.is_empty()
        || words.iter().all(|word| matches!(word.text.as_str(), "-v" | "--version" | "--help"))
    {
        call.nature = Nature::Reads;
        return;
    }
    let verb = words.get(at).map(|verb| verb.text.clone()).unwrap_or_default();
    let rest: Vec<Word> = words.get(at + 1..).unwrap_or_default().to_vec();
    if compose_program || verb == "compose" {
        return compose(call, if compose_program { words.get(at..).unwrap_or_default() } else { &rest });
    }
    let (verb, rest) = match verb.as_str() {
        "container" | "image" | "volume" | "network" | "system" | "builder" | "context" | "plugin"
        | "secret" | "config" | "stack" | "service" | "swarm" | "node" | "buildx" | "manifest" | "trust"
        | "pod" | "machine" | "images-ns" | "tasks" | "containers" => {
            let sub = rest.first().map(|sub| sub.text.clone()).unwrap_or_default();
            let plain = matches!(verb.as_str(), "container" | "image")
                && !matches!(sub.as_str(), "prune" | "ls" | "list" | "rm" | "inspect");
            (
                if plain || sub.is_empty() { sub } else { format!("{verb} {sub}") },
                rest.get(1..).unwrap_or_default().to_vec(),
            )
        }
        _ => (verb, rest),
    };
    let has = |names: &[&str]| {
        rest.iter().any(|word| {
            names.iter().any(|name| {
                word.text == *name || word.text.strip_prefix(name).is_some_and(|tail| tail.starts_with('='))
            })
        })
    };
    match verb.as_str() {
        "run" | "create" => run(call, &rest),
        "exec" => exec(call, &rest),
        "ps" | "images" | "logs" | "inspect" | "version" | "info" | "stats" | "top" | "port" | "diff"
        | "history" | "events" | "search" | "container ls" | "container list" | "container inspect"
        | "image ls" | "image list" | "image inspect" | "volume ls" | "volume inspect" | "volume list"
        | "network ls" | "network list" | "network inspect" | "system df" | "system info"
        | "system events" | "context ls" | "context show" | "context inspect" | "service ls"
        | "service ps" | "service inspect" | "service logs" | "stack ls" | "stack ps" | "stack services"
        | "node ls" | "node inspect" | "node ps" | "secret ls" | "config ls" | "buildx ls"
        | "buildx inspect" | "buildx du" | "plugin ls" | "manifest inspect" | "pods" | "imageinfo"
        | "machine ls" | "pod ps" | "ls" | "ip" | "url" | "status" | "list-tags" | "env" | "wait" => {
            if verb == "search" || verb == "list-tags" || verb == "manifest inspect" {
                call.contact_named("registry-1.docker.io", "https", Direction::Fetch);
            } else {
                call.nature = Nature::Reads;
            }
        }
        "pull" | "image pull" => {
            let image = rest.iter().rfind(|word| !word.text.starts_with('-')).cloned();
            if let Some(image) = image {
                let host = registry(&image);
                call.contact(&host, "https", Direction::Fetch, Vec::new());
                call.install(vec![image.text], InstallSource::Registry, false, false);
            }
        }
        "push" | "image push" => {
            if let Some(image) = rest.iter().rfind(|word| !word.text.starts_with('-')) {
                let host = registry(image);
                call.contact(&host, "https", Direction::Send, Vec::new());
                call.finding("shell.upload", "publishes an image");
            }
        }
        "build" | "buildx build" | "bake" | "buildx bake" | "bud" => {
            call.run_own("Dockerfile", doorward_core::intent::Code::None);
            let context = rest.iter().rfind(|word| !word.text.starts_with('-')).cloned();
            if let Some(context) = context {
                if context.text.contains("://") {
                    call.contact(&context, "https", Direction::Fetch, Vec::new());
                    call.finding("shell.remote_code", "builds from a URL");
                } else {
                    call.look(&context);
                }
            }
            if has(&["--push"]) {
                call.finding("shell.upload", "publishes an image");
            }
        }
        "cp" => {
            let paths: Vec<&Word> = rest.iter().filter(|word| !word.text.starts_with('-')).collect();
            if let [source, target] = paths.as_slice() {
                if !source.text.contains(':') {
                    call.read(source);
                }
                if !target.text.contains(':') {
                    call.write(target, WriteMode::Create);
                }
            }
        }
        "save" | "export" => {
            for pair in rest.windows(2) {
                if let [option, file] = pair
                    && matches!(option.text.as_str(), "-o" | "--output")
                {
                    call.beyond_plain = true;
                    call.write(file, WriteMode::Create);
                }
            }
        }
        "load" | "import" => {
            for file in rest.iter().filter(|word| !word.text.starts_with('-')).take(1) {
                call.read(file);
            }
        }
        "system prune" | "volume prune" | "image prune" | "container prune" | "network prune"
        | "builder prune" | "buildx prune" | "prune" => {
            let volumes = verb == "volume prune" || has(&["--volumes"]);
            if volumes {
                call.finding("shell.data_loss", "deletes volumes");
            } else if has(&["-a", "--all", "-af", "-fa"]) || verb == "system prune" {
                call.finding("shell.infra", "deletes containers and images that aren't running");
            }
        }
        "volume rm" | "volume remove" => call.finding("shell.data_loss", "deletes volumes"),
        "rm" | "container rm" | "kill" | "rmi" | "image rm" | "image remove" => {
            let forced = has(&["-f", "--force", "-v", "-fv", "-vf"]);
            let hidden = rest.iter().any(|word| word.known().is_none());
            if forced && verb != "rmi" || hidden || has(&["-v"]) {
                call.finding("shell.infra", "removes containers or images, running ones too");
            }
        }
        "stack rm" | "service rm" | "secret rm" | "config rm" | "swarm leave" | "node rm" | "context rm"
        | "machine rm" | "pod rm" | "network rm" | "machine reset" => {
            call.finding("shell.infra", format!("`{} {verb}` deletes what others may use", call.program))
        }
        "stop" | "start" | "restart" | "pause" | "unpause" | "rename" | "tag" | "attach" | "commit"
        | "update" | "network create" | "network connect" | "network disconnect" | "volume create"
        | "login" | "logout" | "context use" | "context create" | "buildx create" | "buildx use" | "init"
        | "scan" | "scout" | "unshare" | "mount" | "umount" | "machine start" | "machine stop"
        | "machine init" | "from" | "config" | "copy" | "sync" | "play" | "generate" | "kube"
        | "secret create" | "config create" | "stack deploy" | "service create" | "service update"
        | "service scale" | "swarm init" | "swarm join" | "plugin install" => {
            if verb.starts_with("plugin") {
                call.privilege(PrivilegeKind::ContainerEscape, "installs a plugin of the daemon");
            }
            if verb == "login" {
                call.contact_unknown("https", Direction::Send);
            }
            if verb == "unshare" {
                call.run_argv(rest.clone());
            }
        }
        "ssh" => {
            if let Some(text) = word::join(rest.get(1..).unwrap_or_default()) {
                call.run_shell_in(
                    text,
                    Vec::new(),
                    Place::Remote(rest.first().map(|host| host.text.clone()).unwrap_or_default()),
                );
            }
        }
        _ => {
            let word = words.get(at).cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
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

/// Splits `docker run` words: options with their values, then the image and its command.
fn options_of(rest: &[Word]) -> (Vec<(String, Word)>, Vec<Word>) {
    let mut options = Vec::new();
    let mut at = 0;
    while let Some(word) = rest.get(at) {
        let text = word.text.as_str();
        if !text.starts_with('-') || text == "-" {
            break;
        }
        at += 1;
        if text == "--" {
            break;
        }
        if text.starts_with("--")
            && let Some((name, value)) = word::halves(word, '=')
        {
            options.push((name.text, value));
        } else if TAKES.contains(&text) {
            if let Some(value) = rest.get(at) {
                options.push((text.to_owned(), value.clone()));
            }
            at += 1;
        } else if !text.starts_with("--") {
            // A cluster such as `-itv`: the last letter may take a word.
            let mut taken = false;
            for (index, letter) in text.char_indices().skip(1) {
                let name = format!("-{letter}");
                if TAKES.contains(&name.as_str()) {
                    let tail = word::slice(word, index + letter.len_utf8(), text.len());
                    if tail.text.is_empty() {
                        if let Some(value) = rest.get(at) {
                            options.push((name, value.clone()));
                        }
                        at += 1;
                    } else {
                        options.push((name, tail));
                    }
                    taken = true;
                    break;
                }
                options.push((name, Word { text: String::new(), ..word.clone() }));
            }
            let _ = taken;
        } else {
            options.push((text.to_owned(), Word { text: String::new(), ..word.clone() }));
        }
    }
    (options, rest.get(at..).unwrap_or_default().to_vec())
}

fn run(call: &mut Call<'_>, rest: &[Word]) {
    let (options, rest) = options_of(rest);
    call.beyond_plain = true;
    for (name, value) in &options {
        match name.as_str() {
            "--privileged" => call.privilege(PrivilegeKind::ContainerEscape, "a privileged container"),
            "-v" | "--volume" | "--mount" => mount(call, name, value),
            "--cap-add" => {
                call.privilege(PrivilegeKind::ContainerEscape, format!("adds the capability {}", value.text))
            }
            "--device" => call.privilege(PrivilegeKind::ContainerEscape, "hands a device to a container"),
            "--pid" | "--ipc" | "--uts" | "--userns" | "--network" | "--net"
                if value.text == "host" && !matches!(name.as_str(), "--network" | "--net") =>
            {
                call.privilege(
                    PrivilegeKind::ContainerEscape,
                    format!("shares the host's {} with a container", name.trim_start_matches('-')),
                );
            }
            "--security-opt" if value.text.contains("unconfined") || value.text.contains("disable") => {
                call.privilege(PrivilegeKind::ContainerEscape, "switches confinement off")
            }
            "--env-file" | "--label-file" => call.read(value),
            "--cidfile" => call.write(value, WriteMode::Create),
            "-p" | "--publish" => {
                let port = value.text.rsplit(':').nth(1).and_then(|port| port.parse().ok());
                let address = if value.text.matches(':').count() > 1 {
                    value.text.split(':').next().unwrap_or("*").to_owned()
                } else {
                    "*".to_owned()
                };
                call.listen(&address, port, "tcp");
            }
            "-e" | "--env" if !value.text.contains('=') => {
                let name = value.text.clone();
                call.env_read(&name);
            }
            _ => {}
        }
    }
    let Some((image, command)) = rest.split_first() else { return };
    let image_host = registry(image);
    call.contact(&image_host, "https", Direction::Fetch, Vec::new());
    call.install(vec![image.text.clone()], InstallSource::Registry, false, false);
    let mut argv: Vec<Word> = options
        .iter()
        .rev()
        .find(|(name, _)| name == "--entrypoint")
        .map(|(_, program)| vec![program.clone()])
        .unwrap_or_default();
    argv.extend(command.iter().cloned());
    if argv.is_empty() {
        return;
    }
    // With the project mounted, paths inside may be the project's own.
    let place = Place::Container(image.text.clone());
    call.run_argv_in(argv, place);
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

fn exec(call: &mut Call<'_>, rest: &[Word]) {
    let (options, rest) = options_of(rest);
    if options.iter().any(|(name, _)| name == "--privileged") {
        call.privilege(PrivilegeKind::ContainerEscape, "a privileged command in a container");
    }
    let Some((container, argv)) = rest.split_first() else { return };
    inside(call, container.text.clone(), argv.to_vec());
}

fn inside(call: &mut Call<'_>, name: String, words: Vec<Word>) {
    if words.is_empty() {
        return;
    }
    let via = call.program.clone();
    call.run(Run::Argv {
        words,
        assignments: Vec::new(),
        more_operands: false,
        via,
        place: Place::Container(name),
        chdir: None,
        passes_stdin: true,
    });
}

fn compose(call: &mut Call<'_>, words: &[Word]) {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match word.text.as_str() {
            "-f"
            | "--file"
            | "-p"
            | "--project-name"
            | "--profile"
            | "--env-file"
            | "--project-directory" => {
                if matches!(word.text.as_str(), "-f" | "--file" | "--env-file")
                    && let Some(file) = words.get(at + 1)
                {
                    call.read(file);
                }
                at += 2;
            }
            text if text.starts_with('-') => at += 1,
            _ => break,
        }
    }
    let verb = words.get(at).map(|verb| verb.text.clone()).unwrap_or_default();
    let rest = words.get(at + 1..).unwrap_or_default();
    match verb.as_str() {
        "ps" | "logs" | "config" | "images" | "top" | "port" | "ls" | "version" | "events" | "" | "stats"
        | "convert" => call.nature = Nature::Reads,
        "exec" | "run" => {
            let (options, rest) = options_of(rest);
            for (name, value) in &options {
                if matches!(name.as_str(), "-v" | "--volume") {
                    mount(call, name, value);
                }
            }
            if let Some((service, argv)) = rest.split_first() {
                inside(call, service.text.clone(), argv.to_vec());
            }
        }
        "down" | "rm"
            if rest.iter().any(|word| matches!(word.text.as_str(), "-v" | "--volumes" | "-fv" | "-sfv")) =>
        {
            call.finding("shell.data_loss", "deletes the volumes of the project")
        }
        "up" | "build" | "start" | "stop" | "restart" | "down" | "rm" | "pull" | "create" | "pause"
        | "unpause" | "kill" | "scale" | "cp" | "watch" | "push" | "attach" | "wait" => {
            if matches!(verb.as_str(), "up" | "build" | "create" | "watch") {
                call.run_own("compose.yaml", doorward_core::intent::Code::None);
            }
            if verb == "push" {
                call.contact_unknown("https", Direction::Send);
                call.finding("shell.upload", "publishes images");
            }
        }
        _ => {
            let word = words.get(at).cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}

fn kubectl(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match word.text.as_str() {
            "-n"
            | "--namespace"
            | "--context"
            | "--kubeconfig"
            | "--cluster"
            | "--user"
            | "-s"
            | "--server"
            | "--token"
            | "--as"
            | "--as-group"
            | "-v"
            | "--request-timeout"
            | "--certificate-authority" => {
                if word.text == "--kubeconfig"
                    && let Some(file) = words.get(at + 1)
                {
                    // A kubeconfig names programs that make credentials.
                    call.run_file(file, "", Vec::new());
                }
                at += 2;
            }
            text if text.starts_with('-') => {
                if let Some(file) = word::after(word, "--kubeconfig=") {
                    call.run_file(&file, "", Vec::new());
                }
                at += 1;
            }
            _ => break,
        }
    }
    let verb = words.get(at).map(|verb| verb.text.clone()).unwrap_or_default();
    let rest: Vec<Word> = words.get(at + 1..).unwrap_or_default().to_vec();
    let first = rest
        .iter()
        .find(|word| !word.text.starts_with('-'))
        .map(|word| word.text.clone())
        .unwrap_or_default();
    let has = |names: &[&str]| {
        rest.iter().any(|word| {
            names.iter().any(|name| {
                word.text == *name || word.text.strip_prefix(name).is_some_and(|tail| tail.starts_with('='))
            })
        })
    };
    for file in files_of(
        &rest,
        &["-f", "--filename", "-k", "--kustomize", "--from-file", "--from-env-file", "--patch-file"],
    ) {
        let file = if file.text.contains('=') && !file.text.contains("://") {
            word::halves(&file, '=').map_or(file, |(_, path)| path)
        } else {
            file
        };
        if file.text.contains("://") {
            call.contact(&file, "https", Direction::Fetch, Vec::new());
        } else if file.text != "-" {
            call.read(&file);
        }
    }
    let secret = first
        .split([',', '/'])
        .any(|kind| matches!(kind.to_ascii_lowercase().as_str(), "secret" | "secrets"));
    match verb.as_str() {
        "get" | "describe" if secret => call.secret("reads secrets of the cluster"),
        "get" | "describe" | "logs" | "top" | "version" | "api-resources" | "api-versions"
        | "cluster-info" | "explain" | "events" | "auth" | "diff" | "options" | "completion" | "wait"
        | "" | "kustomize" => {
            if has(&["--raw"]) && verb == "get" {
                call.acts = true;
            }
            if verb == "auth" && first == "reconcile" {
                call.finding("shell.privilege", "changes who may do what in the cluster")
            } else {
                call.nature = Nature::Reads
            }
        }
        "config" => match first.as_str() {
            "view" if has(&["--raw"]) => call.secret("prints the credentials of the cluster"),
            "view" | "get-contexts" | "current-context" | "get-clusters" | "get-users" => {
                call.nature = Nature::Reads
            }
            _ => {}
        },
        "exec" | "debug" => {
            let from = rest.iter().position(|word| word.text == "--");
            let argv: Vec<Word> = match from {
                Some(from) => rest.get(from + 1..).unwrap_or_default().to_vec(),
                None => rest.iter().filter(|word| !word.text.starts_with('-')).skip(1).cloned().collect(),
            };
            if verb == "debug" && first.starts_with("node/") {
                call.privilege(PrivilegeKind::ContainerEscape, "opens a shell on a node");
            }
            inside(call, first, argv);
        }
        "run" | "create" if verb == "run" || first == "job" => {
            let argv = rest
                .iter()
                .position(|word| word.text == "--")
                .map(|from| rest.get(from + 1..).unwrap_or_default().to_vec())
                .unwrap_or_default();
            if rest.iter().any(|word| {
                word.text.contains("hostPath")
                    || word.text.contains("privileged")
                    || word.text.contains("hostPID")
            }) {
                call.privilege(PrivilegeKind::ContainerEscape, "a pod with the host's files or rights");
            }
            inside(call, first, argv);
        }
        "delete" => {
            if !has(&["--dry-run"]) {
                call.finding("shell.infra", format!("deletes {first} in the cluster"));
            }
        }
        "drain" | "cordon" | "taint" | "replace"
            if verb != "cordon" && (verb != "replace" || has(&["--force"])) =>
        {
            call.finding("shell.infra", format!("`kubectl {verb}` takes workloads away"))
        }
        "apply" | "create" | "replace" | "patch" | "edit" | "scale" | "autoscale" | "rollout" | "set"
        | "label" | "annotate" | "expose" | "cordon" | "uncordon" | "attach" | "certificate" | "plugin" => {
            if verb == "rollout" && matches!(first.as_str(), "status" | "history") {
                call.nature = Nature::Reads;
            }
            if has(&["--prune"]) || verb == "scale" && rest.iter().any(|word| word.text == "--replicas=0") {
                call.finding("shell.infra", "takes workloads away");
            }
            if matches!(first.as_str(), "clusterrolebinding" | "rolebinding" | "clusterrole" | "token") {
                call.privilege(PrivilegeKind::Group, "changes who may do what in the cluster");
            }
        }
        "port-forward" | "proxy" => call.listen("127.0.0.1", None, "tcp"),
        "cp" => {
            let paths: Vec<Word> = rest.iter().filter(|word| !word.text.starts_with('-')).cloned().collect();
            if let [source, target] = paths.as_slice() {
                if !source.text.contains(':') {
                    call.read(source);
                }
                if !target.text.contains(':') {
                    call.write(target, WriteMode::Create);
                }
            }
        }
        _ => {
            let word = words.get(at).cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}

fn files_of(words: &[Word], names: &[&str]) -> Vec<Word> {
    let mut files = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if names.contains(&word.text.as_str()) {
            files.extend(words.get(at + 1).cloned());
        } else if let Some((name, value)) = word::halves(word, '=')
            && names.contains(&name.text.as_str())
        {
            files.push(value);
        }
    }
    files
}

fn cluster(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let plain: Vec<String> =
        words.iter().filter(|word| !word.text.starts_with('-')).map(|word| word.text.clone()).collect();
    let has = |names: &[&str]| plain.iter().any(|word| names.contains(&word.as_str()));
    for file in files_of(&words, &["-f", "--values", "--kubeconfig", "--post-renderer", "-var-file"]) {
        call.read(&file);
    }
    for program in files_of(&words, &["--post-renderer"]) {
        call.run_file(&program, "", Vec::new());
    }
    let destroys =
        has(&["uninstall", "delete", "destroy", "purge", "reset", "teardown", "del", "drain", "rollback"])
            || words.iter().any(|word| word.text == "-purge")
            || has(&["stop"]) && call.program == "nomad"
            || call.program == "etcdctl" && has(&["del", "compact", "defrag"])
            || has(&["force-leave", "leave"]) && call.program == "consul"
            || has(&["system"]) && has(&["gc"]);
    if destroys {
        return call.finding(
            "shell.infra",
            format!(
                "`{} {}` deletes or rolls back what runs",
                call.program,
                plain.first().map_or("", String::as_str)
            ),
        );
    }
    if has(&["get", "snapshot"]) && call.program == "etcdctl" || has(&["values"]) && has(&["get"]) {
        return call.secret("prints what the cluster keeps, secrets too");
    }
    if has(&[
        "list",
        "ls",
        "status",
        "get",
        "show",
        "version",
        "template",
        "lint",
        "history",
        "search",
        "build",
        "env",
        "describe",
        "logs",
        "diff",
        "check",
        "info",
        "validate",
        "verify",
        "inspect",
        "repo",
        "test",
        "completion",
        "members",
        "context",
        "current-context",
        "config",
    ]) && !has(&[
        "install", "upgrade", "apply", "create", "add", "update", "sync", "set", "deploy", "exec", "kv",
    ]) {
        call.nature = Nature::Reads;
        return;
    }
    if has(&["exec"]) {
        let at = words.iter().position(|word| word.text == "exec").unwrap_or_default();
        let argv = words.get(at + 2..).unwrap_or_default().to_vec();
        inside(call, plain.get(1).cloned().unwrap_or_default(), argv);
    }
    if has(&["repo", "pull", "install", "upgrade", "update"]) {
        for url in words.iter().filter(|word| word.text.contains("://")) {
            call.contact(url, "https", Direction::Fetch, Vec::new());
        }
        if has(&["plugin"]) {
            call.finding("shell.remote_code", "installs a plugin");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn containers_and_clusters() {
        check(&[
            ("docker ps -a", "read-only"),
            (
                "docker run --rm -v /:/host alpine sh",
                "read /; inplace /; fetch registry-1.docker.io; privilege containerescape; install \
                    registry alpine; argv sh",
            ),
            (
                "docker run --privileged a.example/x",
                "fetch a.example; privilege containerescape; install registry a.example/x",
            ),
            (
                "docker run -it --rm x rm -rf /",
                "fetch registry-1.docker.io; install registry x; argv rm -rf /",
            ),
            ("docker exec -it c sh -c 'rm x'", "argv sh -c rm x"),
            ("docker compose up -d", "file compose.yaml; plain"),
            ("docker compose down -v", "data_loss"),
            ("docker system prune -af --volumes", "data_loss"),
            ("docker build -t x .", "look .; file Dockerfile; plain"),
            ("kubectl get pods -A", "read-only"),
            ("kubectl -n x get secret y -o yaml", "secret_read"),
            ("kubectl exec -it p -- rm x", "argv rm x"),
            ("kubectl delete pods --all -A", "infra"),
            ("kubectl apply -f x.yml", "read x.yml; plain"),
            ("helm uninstall app -n prod", "infra"),
            ("helm list", "read-only"),
            ("nomad job stop -purge api", "infra"),
        ]);
    }
}
