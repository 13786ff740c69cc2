//! Ways that many programs share, whatever their rows say: options that set a variable for what they run, ports that
//! others may reach, texts on standard input that hold commands, a command behind `--`, and words that delete what a
//! service keeps. Sources: each program's manual.

use doorward_core::intent::{Direction, WriteMode};

use crate::deed::{Stdin, Word};

use super::super::call::Call;
use super::super::names::lists;
use super::super::{environment, unknown, word};

/// Options whose value is `NAME=VALUE` in the environment of what runs.
const SET: &[(&str, &[&str])] = &[
    ("strace", &["-E", "--env"]),
    ("systemd-run machinectl systemd-nspawn", &["-E", "--setenv"]),
    ("flatpak firejail", &["--env"]),
    ("tmux", &["-e"]),
];

/// Programs that take such settings in front of a command.
const SETTERS: &str = "cross-env env-cmd dotenvx envchain";

/// Interpreters and clients that run what they are fed, and how its text is read.
const FED: &[(&str, &str)] = &[
    ("cpan perldoc", "console"),
    ("xsltproc saxon xmlstarlet xml", "markup"),
    ("parallel-ssh pssh", "console"),
];

/// What says that a server may be reached by everybody: programs, words that must stand there, and whether one of
/// these words keeps it on this machine.
const OPEN: &[(&str, &[&str], &[&str])] = &[
    ("mongod mongos", &["--bind_ip_all"], &[]),
    ("git", &["daemon"], &["--listen=127.0.0.1", "--listen=localhost", "--listen=::1", "--inetd"]),
    ("git", &["instaweb"], &["-l", "--local", "--stop"]),
    ("git-daemon", &[], &["--inetd"]),
    ("rsync", &["--daemon"], &["--address=127.0.0.1", "--address=localhost", "--address=::1"]),
    ("websocketd", &[], &["--address=127.0.0.1", "--address=localhost"]),
    ("impacket-smbserver smbserver.py", &[], &[]),
];

/// Programs that let somebody else use this machine's terminal or screen.
const SHARED: &[(&str, &[&str])] = &[
    ("tmate tty-share teleconsole sshx warp-share", &[]),
    ("upterm", &["host"]),
    ("code code-insiders cursor", &["tunnel"]),
    ("code code-insiders", &["serve-web"]),
    ("grdctl", &["enable"]),
    ("xhost", &["+"]),
    ("rustdesk anydesk teamviewer", &["--password"]),
];

/// Addresses that stand for every interface.
fn is_everywhere(text: &str) -> bool {
    ["0.0.0.0", "[::]", "*:", "::"].iter().any(|front| text.starts_with(front)) || text == "*"
}

/// Says what of this a call does. Also looked at for programs that only run another.
pub(in crate::programs) fn note(call: &mut Call<'_>) {
    variables(call);
    ports(call);
    crate::programs::patches::note(call);
    fed_texts(call);
    // Every program of a JDK hands these to the Java that it is written in.
    let given: Vec<Word> = words(call).iter().filter_map(|own| word::after(own, "-J")).collect();
    if given.iter().any(|own| own.text.starts_with('-')) {
        let program = call.program.clone();
        environment::java_options(call, &program, &given);
    }
    if call.is_raw && words(call).iter().take(3).any(|own| own.text == "deploy") {
        for folder in super::values(&words(call), &["-d", "--dir"]) {
            call.read(&folder);
        }
        unknown::sends_from_outside(call, |_| true);
    }
    match call.program.as_str() {
        "strace" | "ltrace" => {
            for value in super::values(&words(call), &["-o", "--output"]) {
                let command = word::after(&value, "|").or_else(|| word::after(&value, "!"));
                if command.is_some_and(|command| crate::languages::is_interpreter(&command.text)) {
                    call.finding("shell.generated_code", "a command is given what this program prints");
                }
            }
        }
        program if program.starts_with("qemu-system-") => machine(call),
        "ftp" => upload(call),
        "ffmpeg" | "avconv" => stream(call),
        "vlc" | "cvlc" | "nvlc" => stream_output(call),
        "restic" | "rustic" | "kopia" | "borg" | "duplicity" | "duplicacy" | "tarsnap" => backup(call),
        "openssl" | "keytool" => certificates(call),
        "ipython" | "ipython3" | "jupyter" => start_code(call),
        "guix" => behind_dashes(call),
        // Their externals aren't the shell's words.
        "nu" | "elvish" => {
            for text in super::values(&words(call), &["-c", "--commands"]) {
                call.run_language("nushell", text);
            }
        }
        "lwp-download" | "lwp-mirror" => fetch(call),
        _ => {}
    }
}

fn words(call: &Call<'_>) -> Vec<Word> {
    call.argv.words.get(1..).unwrap_or_default().to_vec()
}

/// Variables that options or words in front of a command set.
fn variables(call: &mut Call<'_>) {
    let program = call.program.clone();
    let sets = SET.iter().find(|(programs, _)| lists(programs, &program)).map(|(_, options)| *options);
    let user_mode = program.starts_with("qemu-") && !program.starts_with("qemu-system-");
    let mut settings = Vec::new();
    if let Some(options) = sets.or_else(|| user_mode.then_some(&["-E"])) {
        let given = words(call);
        settings.extend(super::values(&given, options));
        // `-ENAME=VALUE`.
        settings.extend(given.iter().filter_map(|own| word::after(own, "-E")));
    } else if program == "bwrap" {
        let given = words(call);
        for (at, _) in given.iter().enumerate().filter(|(_, word)| word.text == "--setenv") {
            if let (Some(name), Some(value)) = (given.get(at + 1), given.get(at + 2)) {
                environment::apply(call, &[(name.text.clone(), value.clone())]);
            }
        }
    } else if lists(SETTERS, &program) {
        settings.extend(words(call).into_iter().take_while(|word| word.text.contains('=')));
    }
    for setting in settings {
        if let Some((name, value)) = word::halves(&setting, '=') {
            environment::apply(call, &[(name.text, value)]);
        }
    }
}

/// Ports that others may reach, and programs that share a terminal.
fn ports(call: &mut Call<'_>) {
    let program = call.program.clone();
    let given = words(call);
    let stands = |wanted: &[&str]| wanted.iter().all(|word| given.iter().any(|own| own.text == *word));
    let helps = given.iter().any(|word| matches!(word.text.as_str(), "--help" | "-h" | "--version" | "-V"));
    if helps {
        return;
    }
    let open = |(programs, wanted, local): &&(&str, &[&str], &[&str])| {
        lists(programs, &program)
            && stands(wanted)
            && !given.iter().any(|own| local.contains(&own.text.as_str()))
    };
    if OPEN.iter().any(|row| open(&row)) {
        listens(call);
    }
    if program == "git" && given.iter().any(|word| word.text == "--enable=receive-pack") {
        call.finding("shell.tamper", "lets whoever connects change these repositories");
    }
    let shares = |(programs, wanted): &&(&str, &[&str])| lists(programs, &program) && stands(wanted);
    if SHARED.iter().any(|row| shares(&row)) {
        lets_in(call, format!("{program} lets others in"));
    }
    if matches!(program.as_str(), "ssh" | "autossh" | "slogin") {
        let mut tunnels = call.values("-D");
        tunnels.extend(call.values("-L"));
        if !tunnels.is_empty() && (call.has("-g") || tunnels.iter().any(|spec| is_everywhere(&spec.text))) {
            listens(call);
        }
        if call.has("-w") {
            lets_in(call, format!("{program} lets others in"));
        }
    }
    // A server nobody described, by the name of its option: `--rc-addr=:5572`, `--bind 0.0.0.0`.
    let opaque = !call.deeds.known || call.is_raw || !call.strangers.is_empty();
    let told = call.deeds.hosts.iter().any(|host| host.direction == Direction::Listen);
    if opaque && !told && given.iter().enumerate().any(|(at, own)| opens(own, given.get(at + 1))) {
        listens(call);
    }
}

/// Opens a port to every machine, unless the program's description said so already.
fn listens(call: &mut Call<'_>) {
    if !call.deeds.hosts.iter().any(|host| host.direction == Direction::Listen) {
        call.listen("0.0.0.0", None, "tcp");
    }
    let program = call.program.clone();
    lets_in(call, format!("{program} listens to every machine that reaches this one"));
}

fn lets_in(call: &mut Call<'_>, what: String) {
    if !call.deeds.findings.iter().any(|finding| finding.code == "net.listen") {
        call.finding("net.listen", what);
    }
}

/// Whether an option makes a server listen to everybody.
fn opens(own: &Word, next: Option<&Word>) -> bool {
    if !own.text.starts_with("--") {
        return false;
    }
    let (name, value) = match own.text.split_once('=') {
        Some((name, value)) => (name, value),
        None => (own.text.as_str(), next.map(|next| next.text.as_str()).unwrap_or_default()),
    };
    let last = name.trim_start_matches('-').rsplit(['-', '_', '.']).next().unwrap_or_default();
    let address = matches!(last, "addr" | "address" | "bind" | "listen" | "ip" | "interface");
    let port_only = value.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    address && (is_everywhere(value) || port_only) || last == "host" && is_everywhere(value)
}

/// What arrives on standard input and is run, where its text is known.
fn fed_texts(call: &mut Call<'_>) {
    let Stdin::Known { text, span } = &call.argv.stdin else { return };
    let input = Word::literal(text.clone(), *span);
    let program = call.program.clone();
    let given = words(call);
    let has = |wanted: &[&str]| given.iter().any(|own| wanted.contains(&own.text.as_str()));
    if let Some((_, language)) = FED.iter().find(|(programs, _)| lists(programs, &program)) {
        return call.run_language(language, input);
    }
    match program.as_str() {
        "patch" if call.has("-e") => call.run_language("ed", input),
        "uv" if has(&["run"]) && has(&["-"]) => call.run_language("python", input),
        "docker" | "podman" | "buildah" | "nerdctl" | "buildctl" | "kaniko" | "docker-compose"
            if has(&["-"]) || has(&["-f-", "--file=-"]) =>
        {
            call.run_language("recipe", input);
        }
        // A program nobody described may be an interpreter: what reads as a command in its input is one.
        _ if call.deeds.unlisted => {
            for text in super::embedded::commands(&input.text) {
                call.run_shell(word::instead(&input, text));
            }
        }
        _ => {}
    }
}

/// Devices of a virtual machine that run a command, or open a port (qemu(1)).
fn machine(call: &mut Call<'_>) {
    for own in words(call) {
        if let Some((_, command)) = own.text.split_once("-cmd:") {
            call.run_shell(word::instead(&own, command.to_owned()));
        }
        for part in word::split(&own, ',') {
            let script = word::after(&part, "script=").or_else(|| word::after(&part, "downscript="));
            if let Some(script) = script.filter(|script| script.text != "no") {
                call.run_file(&script, "shell", Vec::new());
            }
            if let Some(disk) = word::after(&part, "file=").filter(|disk| disk.text.starts_with("/dev/")) {
                call.write(&disk, WriteMode::InPlace);
            }
        }
        let forwards = own.text.contains("hostfwd=tcp::") || own.text.contains("hostfwd=tcp:0.0.0.0");
        if forwards || own.text.starts_with("tcp:0.0.0.0") {
            listens(call);
        }
    }
}

/// `ffmpeg -i FILE … ADDRESS`: what is read goes to the address.
fn stream(call: &mut Call<'_>) {
    let given = words(call);
    let Some(address) = given.last().filter(|last| last.text.contains("://")) else { return };
    if address.text.starts_with("file:") || given.iter().rev().nth(1).is_some_and(|own| own.text == "-i") {
        return;
    }
    call.contact(address, "http", Direction::Send, Vec::new());
    sent(call, &super::values(&given, &["-i"]));
}

/// Files that the host which was named last gets.
fn sent(call: &mut Call<'_>, files: &[Word]) {
    let is_file = |file: &&Word| !file.text.contains("://") && file.text != "-";
    for file in files.iter().filter(is_file) {
        call.read(file);
        if let (Some(read), Some(host)) = (call.deeds.reads.last_mut(), call.deeds.hosts.last_mut()) {
            read.reaches_host = true;
            host.body_from.push(file.text.clone());
        }
    }
}

/// `vlc FILE --sout '#transcode{…}:std{access=http,dst=HOST:PORT/PATH}'`: a file that is written, or a host that gets
/// what is played.
fn stream_output(call: &mut Call<'_>) {
    let given = words(call);
    for chain in super::values(&given, &["--sout"]) {
        let parts: Vec<Word> =
            word::split(&chain, ',').iter().flat_map(|part| word::split(part, '{')).collect();
        let value = |key: &str| {
            let found = parts.iter().find_map(|part| word::after(part, key))?;
            Some(word::slice(&found, 0, found.text.find('}').unwrap_or(found.text.len())))
        };
        let Some(target) = value("dst=") else { continue };
        let is_file = value("access=").map_or(chain.text.contains("file{"), |access| access.text == "file");
        if is_file {
            call.write(&target, WriteMode::Create);
        } else if target.text.starts_with(':') {
            listens(call);
        } else {
            call.contact(&target, "http", Direction::Send, Vec::new());
            let played = given.iter().filter(|own| !own.text.starts_with('-') && **own != chain);
            sent(call, &played.cloned().collect::<Vec<_>>());
        }
    }
}

/// `ftp -u URL FILE`: sends the files.
fn upload(call: &mut Call<'_>) {
    let given = words(call);
    let Some(at) = given.iter().position(|word| word.text == "-u") else { return };
    let mut rest = given.get(at + 1..).unwrap_or_default().iter();
    let Some(address) = rest.next() else { return };
    let files: Vec<&Word> = rest.collect();
    call.contact(address, "ftp", Direction::Send, files.iter().map(|file| file.text.clone()).collect());
    files.into_iter().for_each(|file| call.read(file));
}

/// `--InteractiveShellApp.exec_lines='["code"]'` (traitlets).
fn start_code(call: &mut Call<'_>) {
    for own in words(call) {
        let Some((name, value)) = word::halves(&own, '=') else { continue };
        if name.text.ends_with(".exec_lines") || name.text.ends_with(".code_to_run") {
            let code = value.text.trim_matches(['[', ']', '"', '\'', ' ']).replace("\\\"", "\"");
            call.run_language("python", word::instead(&value, code.replace("\", \"", "\n")));
        } else if name.text.ends_with(".exec_files") || name.text.ends_with(".file_to_run") {
            let file = value.text.trim_matches(['[', ']', '"', '\'', ' ']).to_owned();
            call.run_file(&word::instead(&value, file), "python", Vec::new());
        }
    }
}

/// A command behind `--`, for a program whose words before that are packages.
fn behind_dashes(call: &mut Call<'_>) {
    let given = words(call);
    let at = given.iter().position(|word| word.text == "--");
    let rest = at.and_then(|at| given.get(at..)).unwrap_or_default();
    if rest.len() > 1 {
        unknown::command_line_of(call, rest);
    }
}

/// `lwp-download URL [FILE]`.
fn fetch(call: &mut Call<'_>) {
    let given: Vec<Word> = words(call).into_iter().filter(|word| !word.text.starts_with('-')).collect();
    if let Some(address) = given.first() {
        call.contact(address, "https", Direction::Fetch, Vec::new());
    }
    if let Some(file) = given.get(1) {
        call.download(file);
    }
}

/// A backup to another machine sends what it keeps.
fn backup(call: &mut Call<'_>) {
    let given = words(call);
    let keeps = given
        .iter()
        .any(|word| matches!(word.text.as_str(), "backup" | "create" | "snapshot" | "full" | "-c"));
    let away = |word: &Word| {
        let text = word.text.split_once('=').map_or(word.text.as_str(), |(_, value)| value);
        ["sftp:", "s3:", "b2:", "rest:", "gs:", "azure:", "swift:", "rclone:"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
            || text.contains("://") && !text.starts_with("file:")
    };
    if given.iter().any(away) && (keeps || call.program == "duplicity") {
        call.finding("shell.upload", format!("{} sends files to another machine", call.program));
    }
}

/// A certificate is public, also where its file has the ending of a key: these commands print nothing else of it.
fn certificates(call: &mut Call<'_>) {
    let given = words(call);
    let prints = |word: &Word| matches!(word.text.as_str(), "x509" | "crl" | "verify" | "-printcert");
    if !given.first().is_some_and(prints) {
        return;
    }
    for read in &mut call.deeds.reads {
        let name = read.path.text.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        let kind = [".pem", ".crt", ".cer", ".der", ".crl"].iter().any(|end| name.ends_with(end))
            || ["cert", "ca.", "ca-", "chain"].iter().any(|part| name.contains(part));
        if kind && !name.contains("key") && !read.path.text.contains("/.") {
            read.metadata = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::compact::example;
    use super::super::super::own::Tools;

    #[test]
    fn ways_are_found_whatever_the_row_says() {
        for (command, part) in [
            ("strace -E LD_PRELOAD=/tmp/x.so ls", "/tmp/x.so"),
            ("qemu-x86_64 -E LD_PRELOAD=/tmp/x.so /bin/ls", "/tmp/x.so"),
            ("bwrap --setenv LD_PRELOAD /tmp/x.so --bind / / ls", "/tmp/x.so"),
            ("strace -o '|sh' ls", "generated_code"),
            ("qemu-system-x86_64 -netdev 'user,guestfwd=tcp:10.0.2.100:1-cmd:rm -rf x'", "sh rm -rf x"),
            ("ssh -g -D 1080 h", "net.listen"),
            ("ssh -L 0.0.0.0:80:x:80 h", "net.listen"),
            ("mongod --bind_ip_all", "net.listen"),
            ("restic -r sftp:h:/r backup x", "upload"),
            ("nu -c '^rm -rf x'", "nushell ^rm -rf x"),
            ("GIT_TRACE=/home/user/x git status", "append /home/user/x"),
        ] {
            let found = example(command, &Tools::default());
            assert!(found.contains(part), "{command}: {part} isn't in {found}");
        }
    }

    #[test]
    fn plain_uses_stay_as_they_were() {
        for (command, part) in [
            ("ssh -D 1080 h", "net.listen"),
            ("strace -o out ls", "generated_code"),
            ("git daemon --listen=127.0.0.1", "net.listen"),
            ("restic -r /mnt/r backup x", "upload"),
            ("GIT_TRACE=1 git status", "append"),
            ("tmate -V", "net.listen"),
        ] {
            let found = example(command, &Tools::default());
            assert!(!found.contains(part), "{command}: {part} is in {found}");
        }
    }
}
