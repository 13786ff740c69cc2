//! What a call leaves for later runs, brings in from elsewhere, opens to others or takes from the person at the
//! machine: settings that choose code or servers, packages and manifests from addresses, listeners on every
//! interface, screens and microphones.
//!
//! Looked at for every program, beside its row: the tables below say which words of which programs do it.

use std::collections::HashSet;
use std::sync::LazyLock;

use doorward_knowledge::row::Nature;

use crate::deed::{Output, Stdin, Word};

use super::call::Call;
use super::names::{Names, lists};

/// Programs with the words that set something: the verbs before the name of a setting. Sources: the manuals of npm
/// 10, Yarn 4, pnpm 8, pip 24, Poetry 1.8, Composer 2, Bundler 2.5, conda 24, Go 1.22, gh 2.44, git 2.43.
const SETTERS: &[(&str, &[&[&str]])] = &[
    ("npm pnpm yarn cnpm bun", &[&["config", "set"], &["set"], &["c", "set"]]),
    ("pip pip2 pip3", &[&["config", "set"]]),
    ("composer", &[&["config"], &["global", "config"]]),
    ("poetry pdm", &[&["config"]]),
    ("bundle bundler", &[&["config", "set"], &["config"]]),
    ("conda mamba micromamba", &[&["config"]]),
    ("go", &[&["env"]]),
    ("gh glab", &[&["config", "set"]]),
    ("gcloud aws az", &[&["config", "set"], &["configure", "set"]]),
];

/// Words in a setting's name that say it chooses what runs or who is asked.
const CHOOSING: &[&str] = &[
    "_auth",
    "_authtoken",
    "_password",
    "allow-plugins",
    "browser",
    "ca",
    "cafile",
    "cc",
    "channels",
    "cxx",
    "editor",
    "endpoint_url",
    "extra-index-url",
    "find-links",
    "git",
    "globalconfig",
    "goflags",
    "goinsecure",
    "gonosumcheck",
    "gonosumdb",
    "goproxy",
    "gosumdb",
    "gotoolchain",
    "hooks",
    "http-proxy",
    "https-proxy",
    "ignore-scripts",
    "index-url",
    "init-module",
    "mirror",
    "node-options",
    "npmregistryserver",
    "pager",
    "plugins",
    "pnpmfile",
    "prefix",
    "proxy",
    "registry",
    "repo",
    "repos",
    "repositories",
    "script-shell",
    "scripts",
    "secure-http",
    "shell",
    "strict-ssl",
    "toolexec",
    "trusted-host",
    "userconfig",
    "viewer",
    "yarnpath",
];

/// Whole commands that make later runs obey something: program, and the words that must stand in it in this order.
const LASTING: &[(&str, &[&str], &str)] = &[
    ("npm pnpm yarn", &["config", "edit"], "opens the settings for editing"),
    ("yarn", &["set", "version"], "chooses which Yarn later runs use"),
    ("yarn", &["plugin", "import"], "loads a plug-in into later runs"),
    ("gem", &["sources", "--add"], "adds a server of packages"),
    ("gem", &["sources", "-a"], "adds a server of packages"),
    ("poetry", &["source", "add"], "adds a server of packages"),
    ("rustup", &["toolchain", "link"], "makes a folder a compiler"),
    ("helm", &["repo", "add"], "adds a server of charts"),
    ("helm", &["plugin", "install"], "installs a plug-in"),
    ("kubectl oc", &["krew", "install"], "installs a plug-in"),
    ("kubectl oc", &["config", "set-cluster"], "chooses the server of later runs"),
    ("kubectl oc", &["config", "set-credentials"], "changes how later runs log in"),
    ("docker podman", &["context", "create"], "adds a server for later runs"),
    ("docker", &["plugin", "install"], "installs a plug-in"),
    ("gh glab", &["alias", "set"], "gives a command a new meaning"),
    ("gh glab", &["extension", "install"], "installs a plug-in"),
    ("brew", &["tap"], "adds a source of packages"),
    ("flatpak", &["remote-add"], "adds a server of packages"),
    ("apt-add-repository add-apt-repository", &[], "adds a server of packages"),
    ("code cursor codium code-insiders", &["--install-extension"], "installs a plug-in"),
    ("snap", &["install", "--dangerous"], "installs a package nobody signed"),
    ("nuget", &["sources", "add"], "adds a server of packages"),
    ("dotnet", &["nuget", "add", "source"], "adds a server of packages"),
    ("dnf dnf5 yum", &["config-manager", "--add-repo"], "adds a server of packages"),
    ("dnf5", &["config-manager", "addrepo"], "adds a server of packages"),
    ("yum-config-manager", &["--add-repo"], "adds a server of packages"),
    ("zypper", &["addrepo"], "adds a server of packages"),
    ("zypper", &["ar"], "adds a server of packages"),
    ("opam", &["repository", "add"], "adds a server of packages"),
    ("opam", &["repo", "add"], "adds a server of packages"),
    ("nix-channel", &["--add"], "adds a server of packages"),
    ("guix", &["pull", "--url"], "takes packages from elsewhere"),
    ("asdf mise", &["plugin", "add"], "installs a plug-in"),
    ("asdf", &["plugin-add"], "installs a plug-in"),
    ("vagrant", &["plugin", "install"], "installs a plug-in"),
    ("az", &["extension", "add"], "installs a plug-in"),
    ("claude codex gemini", &["mcp", "add"], "adds a server of tools"),
    ("claude", &["plugin", "install"], "installs a plug-in"),
    ("gemini", &["extensions", "install"], "installs a plug-in"),
    ("git", &["remote", "set-url"], "sends later pushes and pulls elsewhere"),
];

/// Programs that install, build, load or run what an address names, with the verb that does (empty: any use).
const BRINGS: &[(&str, &[&str])] = &[
    ("npm pnpm yarn bun cnpm", &["install", "i", "add", "exec", "x", "dlx", "create", "init"]),
    ("npx bunx pnpx uvx jbang groovy cookiecutter copier nix-shell", &[]),
    ("pip pip2 pip3 pipx poetry pipenv pdm uv", &["install", "add", "run", "sync", "tool"]),
    ("cargo", &["install", "add"]),
    ("gem", &["install"]),
    ("cpan cpanm cpanplus", &[]),
    ("luarocks brew flatpak ansible-galaxy go", &["install"]),
    ("deno bun", &["run", "install", "test", "compile", "serve", "x"]),
    ("node emacs vim nvim java", &[]),
    ("kubectl oc", &["apply", "create", "replace", "run"]),
    ("helm", &["install", "upgrade", "template"]),
    (
        "docker podman docker-compose nerdctl",
        &["build", "compose", "stack", "up", "buildx", "import", "load"],
    ),
    ("terraform tofu", &["init", "get"]),
    ("nix", &["run", "shell", "build", "develop", "profile"]),
    ("kustomize flux", &["build", "install"]),
];

/// Options whose value is no source of code, though it is an address.
const ADDRESSED: &[&str] = &[
    "--proxy",
    "--registry-mirror",
    "--server",
    "--referer",
    "--build-arg",
    "--label",
    "-e",
    "--env",
    "--set",
    "--cache-from",
];

/// Servers of packages that everybody uses. Source: the defaults and installation pages of each tool.
const KNOWN_SERVERS: &[&str] = &[
    "pypi.org",
    "download.pytorch.org",
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "index.crates.io",
    "rubygems.org",
    "conda.anaconda.org",
    "localhost",
    "127.0.0.1",
];

/// Programs that serve a shell, a desktop or files to whoever connects.
static SERVERS: Names = Names::new(
    "sshd dropbear vncserver x11vnc x0vncserver wayvnc krfb xrdp ttyd gotty wetty \
    shellinaboxd telnetd ftpd vsftpd proftpd tftpd tcpsvd udpsvd httpd darkhttpd webfsd thttpd \
    mini_httpd smbd nfsd rpcbind ngrok localtunnel lt bore serveo pagekite frpc chisel",
);

/// Options that name the address a server listens on.
const BINDS: &[&str] = &[
    "--inspect",
    "--inspect-brk",
    "--inspect-port",
    "--inspect-wait",
    "--address",
    "--addr",
    "--bind",
    "--bind-address",
    "--host",
    "--hostname",
    "--http-host",
    "--interface",
    "--ip",
    "--listen",
    "--listen-address",
    "--server.address",
    "-H",
    "-S",
    "-a",
    "-b",
    "-l",
    "--tcp",
];

/// Programs that only contact the address they are given.
static CLIENTS: Names = Names::new(
    "curl wget ping ping6 ssh scp dig host nslookup psql mysql redis-cli mongosh \
    telnet nmap http xh git rsync echo printf grep",
);

/// Programs that take a picture of the screen or the room, record sound, read keys, the clipboard or the place,
/// whatever their options. Sources: their manuals.
static SENSES: Names = Names::new(
    "scrot grim maim spectacle flameshot gnome-screenshot ksnip xwd screencapture \
    wf-recorder kazam simplescreenrecorder recordmydesktop byzanz-record peek fswebcam imagesnap \
    streamer libcamera-still libcamera-vid libcamera-jpeg rpicam-still rpicam-vid raspistill \
    raspivid guvcview cheese motion arecord parecord parec pw-record rec evtest showkey logkeys xev \
    xspy screenkey gpspipe cgps gpsctl gpsmon termux-location termux-clipboard-get \
    termux-microphone-record termux-camera-photo termux-sms-list termux-contact-list termux-call-log \
    CoreLocationCLI corelocationcli whereami where-am-i pbpaste wl-paste Get-Clipboard clipman \
    greenclip xsnap",
);

/// Inputs of ffmpeg and kin that are devices of this machine (ffmpeg-devices(1) 6.1).
const DEVICES: &[&str] = &[
    "alsa",
    "avfoundation",
    "bktr",
    "decklink",
    "dshow",
    "fbdev",
    "gdigrab",
    "jack",
    "kmsgrab",
    "openal",
    "oss",
    "pulse",
    "sndio",
    "v4l2",
    "video4linux2",
    "vfwcap",
    "x11grab",
    "xcbgrab",
];

/// Says what of this a call does.
pub(super) fn note(call: &mut Call<'_>) {
    let words = call.argv.words.get(1..).unwrap_or_default();
    let program = call.program.clone();
    settings(call, &program, words);
    brings(call, &program, words);
    listens(call, &program, words);
    senses(call, &program, words);
}

/// Every program that a table above names, so that the others cost one look.
static NAMED: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lasting = LASTING.iter().map(|(programs, ..)| *programs);
    let setters = SETTERS.iter().map(|(programs, _)| *programs);
    let brings = BRINGS.iter().map(|(programs, _)| *programs);
    lasting.chain(setters).chain(brings).flat_map(str::split_ascii_whitespace).collect()
});

/// Keys of git that name a program, a server or more settings, by their ends (git-config(1) 2.43).
const GIT_KEYS: &[&str] = &[
    ".askpass",
    ".clean",
    ".cmd",
    ".command",
    ".editor",
    ".external",
    ".fsmonitor",
    ".gitproxy",
    ".helper",
    ".hookspath",
    ".insteadof",
    ".pager",
    ".path",
    ".process",
    ".program",
    ".proxy",
    ".pushinsteadof",
    ".pushurl",
    ".smudge",
    ".sshcommand",
    ".templatedir",
    ".textconv",
    ".url",
];

/// `git config KEY VALUE`.
fn git_settings(call: &mut Call<'_>, words: &[Word]) {
    let plain: Vec<&str> =
        words.iter().map(|word| word.text.as_str()).filter(|word| !word.starts_with('-')).collect();
    let reads = words.iter().any(|word| {
        word.text.starts_with("--get")
            || word.text.starts_with("--unset")
            || word.text == "-l"
            || word.text == "--list"
    });
    let plain = match plain.as_slice() {
        ["config", "set", rest @ ..] | ["config", rest @ ..] => rest.to_vec(),
        _ => return,
    };
    let (Some(key), Some(value), false) = (plain.first(), plain.get(1), reads) else { return };
    let key = key.to_ascii_lowercase();
    // A program that everybody has, by its name alone, is a taste.
    let taste = [".editor", ".pager"].iter().any(|end| key.ends_with(end))
        && !value.contains(['/', '!', ';', '|', '&', '$']);
    let helper = key.ends_with(".helper")
        && ["cache", "store", "osxkeychain", "manager", "libsecret"].iter().any(|own| value.starts_with(own));
    if GIT_KEYS.iter().any(|end| key.ends_with(end)) && !taste && !helper {
        call.finding("shell.persistence", format!("`git config` sets {key}, which later runs obey"));
    }
}

fn settings(call: &mut Call<'_>, program: &str, words: &[Word]) {
    if program == "git" {
        git_settings(call, words);
    }
    if !NAMED.contains(program) {
        return;
    }
    let plain: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let verbs: Vec<&str> = plain.iter().copied().filter(|word| !word.starts_with('-')).collect();
    for (_, _, why) in LASTING.iter().filter(|(programs, wanted, _)| {
        let mut rest = plain.iter();
        lists(programs, program) && wanted.iter().all(|word| rest.any(|own| own == word))
    }) {
        // A source of packages without an address is the program's own.
        let tap = program == "brew" && !plain.iter().any(|word| word.contains("://"));
        let nameless =
            program == "helm" && !plain.iter().any(|word| word.contains("://") || word.starts_with('.'));
        if !tap && !nameless {
            call.finding("shell.persistence", format!("`{}`: {why}", call.via()));
        }
    }
    let setters = SETTERS.iter().filter(|(programs, _)| lists(programs, program));
    let behind = setters
        .flat_map(|(_, all)| all.iter())
        .filter(|wanted| verbs.starts_with(wanted))
        .map(|wanted| wanted.len())
        .max();
    let Some(behind) = behind else { return };
    let reads = plain.iter().any(|word| {
        matches!(*word, "--list" | "-l" | "list" | "get" | "--get" | "delete" | "--unset" | "unset" | "-u")
    }) || program == "go" && !plain.contains(&"-w");
    let last = behind.checked_sub(1).and_then(|at| verbs.get(at)).copied().unwrap_or_default();
    let from = plain.iter().position(|word| *word == last).map_or(0, |at| at + 1);
    let values: Vec<&str> = plain.get(from..).unwrap_or_default().to_vec();
    let several =
        values.len() > 1 || values.first().is_some_and(|value| value.contains('=')) || program == "conda";
    if reads || !several {
        return;
    }
    let chooses = |name: &str| {
        let name = name.split('=').next().unwrap_or(name).to_ascii_lowercase();
        name.split(['.', ':', '/']).any(|part| CHOOSING.contains(&part))
            || CHOOSING.contains(&name.as_str())
            || name.contains("authtoken")
    };
    if let Some(name) = values.iter().find(|name| chooses(name)) {
        let name = name.split('=').next().unwrap_or(name).to_owned();
        call.finding("shell.persistence", format!("`{}` sets {name}, which later runs obey", call.via()));
    }
}

/// Whether a text names code somewhere else: an address, a repository, a forge's shorthand.
fn is_remote(text: &str, program: &str) -> bool {
    const FRONTS: &[&str] = &[
        "git+",
        "github:",
        "gitlab:",
        "bitbucket:",
        "gist:",
        "gh:",
        "gl:",
        "bb:",
        "git@",
        "git:",
        "hg+",
        "svn+",
        "npm:http",
    ];
    let address = text.contains("://") && !text.starts_with("file://") && !text.starts_with("docker://");
    // `npm install user/repo` is a repository of GitHub.
    let shorthand = matches!(program, "npm" | "pnpm" | "yarn" | "bun" | "npx" | "cnpm")
        && text.matches('/').count() == 1
        && !text.starts_with(['@', '.', '/', '~', '-'])
        && !text.contains([':', ' ', '=']);
    let known = KNOWN_SERVERS
        .iter()
        .any(|server| text.split("://").nth(1).is_some_and(|rest| rest.starts_with(server)));
    !known
        && (address
            || shorthand
            || FRONTS.iter().any(|front| text.starts_with(front) || text.contains(&format!("={front}"))))
}

fn brings(call: &mut Call<'_>, program: &str, words: &[Word]) {
    if !NAMED.contains(program) {
        return;
    }
    let mut verbs =
        BRINGS.iter().filter(|(programs, _)| lists(programs, program)).map(|(_, verbs)| *verbs).peekable();
    if verbs.peek().is_none() {
        return;
    }
    let plain: Vec<&str> =
        words.iter().map(|word| word.text.as_str()).filter(|word| !word.starts_with('-')).take(3).collect();
    let does = verbs.any(|verbs| verbs.is_empty() || plain.iter().any(|word| verbs.contains(word)));
    let told = call.deeds.findings.iter().any(|finding| finding.code == "shell.remote_code");
    if !does || told || words.iter().any(|word| matches!(word.text.as_str(), "--help" | "--version")) {
        return;
    }
    for (at, word) in words.iter().enumerate() {
        let before =
            at.checked_sub(1).and_then(|at| words.get(at)).map(|word| word.text.as_str()).unwrap_or_default();
        let (option, value) = match word.text.split_once('=') {
            Some((option, value)) if option.starts_with('-') => (option, value),
            _ => (before, word.text.as_str()),
        };
        let code = value.contains([' ', '\n', ';', '(']);
        // Package names come first; what stands behind an option of npx is the tool's own.
        // A script's name or file is no repository.
        let runs = matches!(plain.first(), Some(&("run" | "run-script" | "start" | "test")));
        let shorthand = !value.contains(':') && (at > 2 || at == 0 || runs);
        if ADDRESSED.contains(&option) || code || shorthand || !is_remote(value, program) {
            continue;
        }
        let shown = value.to_owned();
        call.finding("shell.remote_code", format!("`{}` takes code or settings from {shown}", call.via()));
        return;
    }
    let kustomization = lists("kubectl oc kustomize", program)
        && words.iter().any(|word| word.text.starts_with("github.com/"));
    if kustomization {
        call.finding("shell.remote_code", format!("`{}` takes settings from a repository", call.via()));
    }
}

fn listens(call: &mut Call<'_>, program: &str, words: &[Word]) {
    let every = |text: &str| {
        let host = text.split_once("://").map_or(text, |(_, rest)| rest);
        host == "0.0.0.0"
            || host.starts_with("0.0.0.0:")
            || matches!(host, "::" | "[::]" | "*")
            || host.starts_with("[::]:")
    };
    if SERVERS.has(program)
        && !words.iter().any(|word| matches!(word.text.as_str(), "--version" | "--help" | "-t" | "-T"))
    {
        return call.finding("net.listen", format!("{program} lets others in"));
    }
    if lists("cloudflared tailscale", program)
        && words.iter().any(|word| matches!(word.text.as_str(), "tunnel" | "funnel" | "serve"))
    {
        return call.finding("net.listen", format!("{program} lets others in"));
    }
    if CLIENTS.has(program) || call.nature == Nature::Reads {
        return;
    }
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map(|word| word.text.as_str()).unwrap_or_default();
        let attached = word.text.split_once('=');
        let bound = match attached {
            Some((option, value)) => BINDS.contains(&option) && every(value),
            None => BINDS.contains(&word.text.as_str()) && every(next),
        };
        // `php -S 0.0.0.0:8000`, `serve -l tcp://0.0.0.0:3000`, `runserver 0.0.0.0:8000`.
        let operand = !word.text.starts_with('-') && word.text.contains("0.0.0.0:");
        if bound || operand {
            return call
                .finding("net.listen", format!("{program} listens to every machine that reaches this one"));
        }
    }
    let raw = match program {
        "nc" | "ncat" | "netcat" | "nc.openbsd" | "nc.traditional" => {
            let flag = |word: &Word| {
                word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('l')
            };
            words.iter().any(|word| flag(word) || word.text == "--listen")
        }
        "socat" => words.iter().any(|word| {
            let text = word.text.to_ascii_lowercase();
            text.contains("-listen:") && !text.contains("bind=127.0.0.1") && !text.starts_with("unix")
        }),
        _ => false,
    };
    if raw {
        call.finding("net.listen", format!("{program} listens to every machine that reaches this one"));
    }
}

fn senses(call: &mut Call<'_>, program: &str, words: &[Word]) {
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.text.as_str()));
    let text = |at: usize| words.get(at).map(|word| word.text.as_str()).unwrap_or_default();
    if has(&["--help", "--version", "-version"]) {
        return;
    }
    let first = text(0);
    let fed = !matches!(call.argv.stdin, Stdin::Inherited);
    let sensed = match program {
        _ if SENSES.has(program) => {
            Some("looks or listens in the room, at the screen, the keys, the clipboard or the place")
        }
        "import" if has(&["-window", "root"]) || words.len() == 1 => Some("takes a picture of the screen"),
        "xclip" if has(&["-o", "-out"]) => Some("reads the clipboard"),
        "xsel"
            if has(&["-o", "--output"]) || !fed && !has(&["-i", "--input", "-c", "--clear", "-d", "-a"]) =>
        {
            Some("reads the clipboard")
        }
        "xinput" if matches!(first, "test" | "test-xi2") => Some("reads the keyboard"),
        "libinput" if matches!(first, "debug-events" | "record" | "debug-gui") => Some("reads the keyboard"),
        "ffmpeg" | "ffplay" | "avconv" => {
            let devices = words.windows(2).any(|pair| match pair {
                [option, value] => option.text == "-f" && DEVICES.contains(&value.text.as_str()),
                _ => false,
            });
            devices.then_some("records the screen, a camera or a microphone")
        }
        "gst-launch-1.0" | "gst-launch" => {
            let source = |word: &Word| {
                [
                    "v4l2src",
                    "ximagesrc",
                    "autovideosrc",
                    "autoaudiosrc",
                    "pulsesrc",
                    "alsasrc",
                    "pipewiresrc",
                    "avfvideosrc",
                    "osxaudiosrc",
                ]
                .contains(&word.text.as_str())
            };
            words.iter().any(source).then_some("records the screen, a camera or a microphone")
        }
        "sox" if has(&["-d", "--default-device"]) && first == "-d" => Some("records a microphone"),
        "vlc" | "cvlc" | "mplayer" | "mpv"
            if words.iter().any(|word| {
                ["v4l2:", "screen:", "tv:", "av://v4l2", "pulse:", "dshow:"]
                    .iter()
                    .any(|front| word.text.starts_with(front))
            }) =>
        {
            Some("records the screen, a camera or a microphone")
        }
        _ => None,
    };
    if let Some(sensed) = sensed {
        call.deeds.output = Output::Other;
        call.finding("shell.sensing", format!("{program} {sensed}"));
    }
}
