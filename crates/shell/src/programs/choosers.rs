//! Options that choose what a program obeys: its server or socket, its configuration, plug-ins, other code.
//!
//! One table for all programs, because the manuals agree on these names. An allow rule for a program doesn't cover such
//! an option unless its own text names it, and a call that has one isn't proved to only read. Programs whose rows list
//! their options say it there (`=choose`); this table is for those whose words are read by a function.

use std::collections::HashSet;
use std::sync::LazyLock;

use doorward_knowledge::row::Role;

use crate::deed::Word;

use super::call::Call;
use super::names::{Names, lists};

/// Long options, without their dashes. Sources: the reference pages of kubectl 1.29, helm 3.14, docker 25, aws 2.15,
/// gcloud 460, az 2.57, terraform 1.7, ansible 2.16, npm 10, pip 24, cargo 1.76, go 1.22, gh 2.44, pytest 8, gcc 13,
/// psql 16.
const LONG: &[&str] = &[
    "api-server",
    "as",
    "as-group",
    "ca-bundle",
    "cacert",
    "certificate-authority",
    "chdir",
    "cluster",
    "conf",
    "config",
    "config-file",
    "config-setting",
    "confcutdir",
    "context",
    "default-ca",
    "directory",
    "endpoint",
    "endpoint-url",
    "engine",
    "exec-path",
    "extra-index-url",
    "find-links",
    "git-dir",
    "globalconfig",
    "impersonate-service-account",
    "import",
    "index-url",
    "init-file",
    "insecure",
    "insecure-skip-tls-verify",
    "inventory",
    "kube-apiserver",
    "kube-as-user",
    "kube-ca-file",
    "kube-context",
    "kube-token",
    "kubeconfig",
    "load-plugins",
    "loader",
    "manifest-path",
    "no-verify-ssl",
    "node-options",
    "override-ini",
    "playbook-dir",
    "plugin",
    "plugin-dir",
    "plugins",
    "post-renderer",
    "preload",
    "profile",
    "proxy",
    "raw",
    "rcfile",
    "registry",
    "require",
    "rootdir",
    "script-shell",
    "server",
    "socket",
    "socket-path",
    "specs",
    "token",
    "toolchain",
    "trusted-host",
    "unix-socket",
    "userconfig",
    "work-tree",
    "wrapper",
];

/// Short options and spellings of single programs; one that ends in `*` may have its value attached.
const OWN: &[(&str, &[&str])] = &[
    ("docker podman nerdctl", &["-H*", "-c*", "--host", "--tlscacert", "--connection", "--url"]),
    ("docker-compose podman-compose", &["-H*", "--host"]),
    ("kubectl oc k3s-kubectl kubecolor", &["-s*", "--user"]),
    ("tmux", &["-S*", "-L*", "-f*"]),
    ("screen byobu", &["-c*"]),
    ("zellij", &["--config-dir", "--layout", "-c*", "-l*"]),
    ("pytest py.test", &["-c*", "-p*", "-o*"]),
    (
        "gcc g++ cc c++ clang clang++ gfortran gdc",
        &["-B*", "-wrapper", "-specs*", "-fplugin*", "-iplugindir*"],
    ),
    ("ansible ansible-playbook ansible-console ansible-inventory ansible-pull", &["-i*", "-M*"]),
    ("npm pnpm yarn npx", &["-C*", "--prefix", "--cwd", "--dir", "--init-module"]),
    ("cargo", &["-C*", "-Z*"]),
    ("psql pg_dump pg_dumpall pgcli mysql mysqldump mariadb mongosh mongo redis-cli", &["-h*", "--host"]),
    ("go", &["-C", "-toolexec*", "-exec*", "-overlay*", "-modfile*"]),
    ("java", &["-javaagent*", "-agentlib*", "-agentpath*", "-cp", "-classpath", "-Djava.security.manager*"]),
    ("exiftool", &["-config"]),
    ("virsh", &["-c*", "--connect"]),
    ("rsync", &["-e*"]),
    (
        "journalctl systemctl loginctl machinectl hostnamectl timedatectl",
        &["-H*", "-M*", "--host", "--machine"],
    ),
    ("journalctl", &["-D*", "--directory", "--file", "--root", "--image"]),
    ("dpkg-query dpkg", &["--admindir", "--root"]),
    ("nm objdump readelf size ld gold lld strip objcopy ar", &["--plugin", "-fuse-ld*"]),
];

/// Programs that read further words from a file named `@file` (GNU and JDK tools).
static RESPONSE_FILES: Names = Names::new(
    "nm objdump readelf size addr2line c++filt strip objcopy ld ar ranlib \
    gcc g++ cc c++ clang clang++ gfortran as java javac jar javadoc rustc swiftc protoc",
);

/// Every program with spellings of its own.
static NAMED: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| OWN.iter().flat_map(|(programs, _)| programs.split_ascii_whitespace()).collect());

/// Notes the options of a call that choose something, as they are spelled.
pub(super) fn note(call: &mut Call<'_>) {
    let given = call.given.iter();
    let chosen =
        given.filter(|given| given.role == Some(Role::Choose) && !given.value.as_ref().is_some_and(is_local));
    for name in chosen.map(|given| given.name).collect::<Vec<_>>() {
        call.choose(name);
    }
    if !call.reads_own_words {
        return;
    }
    let words = call.argv.words.get(1..).unwrap_or_default();
    let words = words
        .iter()
        .position(|word| word.text == "--")
        .map_or(words, |end| words.get(..end).unwrap_or_default());
    let is_named = NAMED.contains(call.program.as_str());
    let own: Vec<&str> = OWN
        .iter()
        .filter(|(programs, _)| is_named && lists(programs, &call.program))
        .flat_map(|(_, options)| options.iter().copied())
        .collect();
    let mut chosen = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let text = word.text.as_str();
        if text.starts_with('@') && text.len() > 1 && RESPONSE_FILES.has(&call.program) {
            chosen.push(text.to_owned());
            continue;
        }
        let attached = text.split_once('=').map(|(_, value)| value);
        let value = attached.map(str::to_owned).or_else(|| words.get(at + 1).map(|next| next.text.clone()));
        let value = value.unwrap_or_default();
        let option = chosen_option(text, &own).or_else(|| {
            // An address given to any option names whom the program asks; `-o jsonpath-file=x` names a template's file.
            let leads = value.contains("://") || value.contains("-file=");
            (text.starts_with('-') && text.len() > 1 && leads).then(|| text.split('=').next().unwrap_or(text))
        });
        let option = option.or_else(|| foreign_forge(call, text, &value));
        let Some(option) = option else { continue };
        // `pytest -p no:cacheprovider` switches something off.
        let off = call.program.starts_with("py") && value.starts_with("no:");
        if !off && !is_this_machine(&value) {
            chosen.push(option.to_owned());
        }
    }
    chosen.into_iter().for_each(|option| call.choose(option));
}

/// `gh --repo HOST/OWNER/REPO`, and a URL of another host than the forge's own, choose the server.
fn foreign_forge<'w>(call: &Call<'_>, text: &'w str, value: &str) -> Option<&'w str> {
    let own = match call.program.as_str() {
        "gh" => "github.com",
        "glab" => "gitlab.com",
        _ => return None,
    };
    let elsewhere = |text: &str| {
        let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
        !rest.starts_with(own) && (text.contains("://") || rest.matches('/').count() == 2)
    };
    let names = matches!(text.split('=').next(), Some("-R" | "--repo")) && elsewhere(value)
        || !text.starts_with('-') && text.contains("://") && elsewhere(text);
    names.then_some(text)
}

/// The option that a word spells, if it chooses something.
fn chosen_option<'w>(text: &'w str, own: &[&str]) -> Option<&'w str> {
    let name = text.split('=').next().unwrap_or(text);
    if !name.starts_with('-') {
        return None;
    }
    let fits = |spelling: &&str| match spelling.strip_suffix('*') {
        Some(front) => text.starts_with(front) && !text.starts_with("--"),
        None => *spelling == name,
    };
    if own.iter().any(fits) {
        return Some(name);
    }
    // Single-dash words are long options of some programs (`terraform -chdir`).
    let bare = name.strip_prefix("--").or_else(|| name.strip_prefix('-').filter(|bare| bare.len() > 2))?;
    LONG.contains(&bare).then_some(name)
}

fn is_local(value: &Word) -> bool {
    is_this_machine(&value.text)
}

fn is_this_machine(value: &str) -> bool {
    let host = value.split_once("://").map_or(value, |(_, rest)| rest);
    let host = host.split(['/', ':']).next().unwrap_or_default();
    matches!(host, "localhost" | "127.0.0.1")
}
