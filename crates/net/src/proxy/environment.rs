//! Environment variables through which a child's programs find the proxy.
//!
//! They don't enforce anything: in a network namespace whose only way out is the proxy, a program that ignores them
//! reaches nothing. Each name is set in both cases, as there is no standard.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Variables of programs that use a certificate bundle of their own (OpenSSL, requests, curl, git, Node, pip).
const CA_VARIABLES: &[&str] = words! {
    "SSL_CERT_FILE" "REQUESTS_CA_BUNDLE" "CURL_CA_BUNDLE" "GIT_SSL_CAINFO" "NODE_EXTRA_CA_CERTS"
    "PIP_CERT"
};

/// The variables for a proxy at `authority` (`host:port`).
pub(crate) fn of(
    user: &str,
    password: &str,
    authority: &str,
    ca_bundle: Option<&Path>,
) -> Vec<(&'static str, String)> {
    let http = format!("http://{user}:{password}@{authority}");
    let socks = format!("socks5h://{user}:{password}@{authority}");
    let mut variables = vec![
        ("HTTP_PROXY", http.clone()),
        ("HTTPS_PROXY", http.clone()),
        ("ALL_PROXY", socks.clone()),
        ("http_proxy", http.clone()),
        ("https_proxy", http),
        ("all_proxy", socks),
        ("NO_PROXY", String::new()),
        ("no_proxy", String::new()),
        ("NODE_USE_ENV_PROXY", "1".to_owned()),
    ];
    if let Some((host, port)) = authority.rsplit_once(':') {
        variables.push(("GIT_SSH_COMMAND", SSH.to_owned()));
        variables.push((SSH_CONNECT, connect_script(host, port, &format!("{user}:{password}"))));
    }
    if let Some(bundle) = ca_bundle {
        variables.extend(CA_VARIABLES.iter().map(|name| (*name, bundle.display().to_string())));
    }
    variables
}

/// Contains the script that [`SSH`] runs.
const SSH_CONNECT: &str = "DOORWARD_SSH_CONNECT";
/// ssh for git, through the proxy only.
const SSH: &str = r#"ssh -o ProxyCommand='bash -c "$DOORWARD_SSH_CONNECT" connect %h %p'"#;

/// ssh has no proxy support, and `nc` differs from system to system, so this makes a CONNECT in bash alone. It
/// reads the answer line by line, up to the empty line, then copies both directions until the server's side ends.
fn connect_script(host: &str, port: &str, pair: &str) -> String {
    let host = host.trim_matches(['[', ']']);
    let basic = STANDARD.encode(pair);
    [
        &format!("exec 3<>/dev/tcp/{host}/{port} 4<&0 || exit 1\n"),
        r"printf 'CONNECT %s:%s HTTP/1.1\r\nHost: %s:%s\r\nProxy-Authorization: Basic ",
        &basic,
        "\\r\\n\\r\\n' \"$1\" \"$2\" \"$1\" \"$2\" >&3\n",
        "read -r -u 3 _ code _; [ \"$code\" = 200 ] || exit 1\n",
        "while IFS= read -r -u 3 line && [ ${#line} -gt 1 ]; do :; done\n",
        "cat <&4 >&3 & cat <&3; kill $! 2>/dev/null\n",
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'v>(variables: &'v [(&'static str, String)], name: &str) -> Option<&'v str> {
        variables.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn every_client_finds_the_proxy_and_trusts_the_bundle() {
        let plain = of("s.c", "t", "127.0.0.1:3128", None);
        assert_eq!(value(&plain, "https_proxy"), Some("http://s.c:t@127.0.0.1:3128"));
        assert_eq!(value(&plain, "ALL_PROXY"), Some("socks5h://s.c:t@127.0.0.1:3128"));
        assert_eq!(value(&plain, "NO_PROXY"), Some(""));
        assert_eq!(value(&plain, "GIT_SSH_COMMAND"), Some(SSH));
        assert!(value(&plain, SSH_CONNECT).is_some_and(|text| text.contains("/dev/tcp/127.0.0.1/3128")));
        assert!(CA_VARIABLES.iter().all(|name| value(&plain, name).is_none()));
        let trusting = of("s.c", "t", "127.0.0.1:3128", Some(Path::new("/x/ca.pem")));
        assert!(CA_VARIABLES.iter().all(|name| value(&trusting, name) == Some("/x/ca.pem")));
    }
}
