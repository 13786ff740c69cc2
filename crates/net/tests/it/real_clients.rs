//! Real programs behind the proxy: curl, Python, Node, git and pip in a network namespace with only its own
//! loopback and a relay to the proxy's Unix socket. Listed hosts work, others fail with the reason, and programs
//! that ignore the proxy reach nothing. Missing programs are named on stderr.
#![cfg(all(feature = "proxy", target_os = "linux"))]

use std::io::{Read, Write};
use std::net::TcpStream as StdTcpStream;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use crate::common::{Door, PERMITTED, ScriptedResolver};
use doorward_net::proxy::ListenOptions;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

const HOSTS: [&str; 4] = ["web.example", "git.example", "pypi.example", "closed.example"];

/// A row of `real_clients.txt`.
struct ClientCase {
    name: &'static str,
    needs: &'static str,
    shell: String,
    succeeds: bool,
    says: &'static str,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_in_a_namespace() {
    let Some(unshare) = namespace_command() else {
        doorward_needs::lacking!("no network namespace can be made here (unshare -n, ip)");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    std::fs::create_dir_all(&site).unwrap();
    std::fs::write(site.join("hello.txt"), "hello from outside\n").unwrap();
    let has_repository = make_repository(&site);
    let has_wheel = make_wheel(&site);

    let key = rcgen::generate_simple_self_signed(vec!["web.example".to_owned()]).unwrap();
    let certificate = folder.path().join("ca.pem");
    std::fs::write(&certificate, key.cert.pem()).unwrap();
    let plain = TcpListener::bind((PERMITTED, 0)).await.unwrap();
    let secure = TcpListener::bind((PERMITTED, 0)).await.unwrap();
    let (http, https) = (plain.local_addr().unwrap().port(), secure.local_addr().unwrap().port());
    tokio::spawn(serve_plain(plain, site.clone()));
    tokio::spawn(serve_tls(secure, site.clone(), key));

    let allow: Vec<String> = ["web.example", "git.example", "pypi.example"]
        .iter()
        .flat_map(|host| [format!("{host}:{http}=127.0.0.2"), format!("{host}:{https}=127.0.0.2")])
        .collect();
    let door = Door::open(&json!({"allow": allow}).to_string(), ScriptedResolver::permitted(&HOSTS)).await;
    let socket = folder.path().join("egress.sock");
    let _listening = door
        .proxy
        .listen(ListenOptions { unix: Some(socket.clone()), ..ListenOptions::default() })
        .await
        .unwrap();

    let mut cases = cases(http, https, &certificate);
    cases.retain(|case| (case.needs != "git" || has_repository) && (case.needs != "pip" || has_wheel));
    let missing = missing_programs(&cases);
    for program in &missing {
        doorward_needs::lacking!("the cases of `{program}`: it isn't there, or too old");
    }
    cases.retain(|case| !missing.contains(&case.needs));

    let environment: Vec<Value> = door
        .token
        .environment("c1", "127.0.0.1:3128", None)
        .into_iter()
        .map(|(name, value)| json!([name, value]))
        .collect();
    let shells: Vec<&str> = cases.iter().map(|case| case.shell.as_str()).collect();
    let task = json!({
        "socket": socket, "environment": environment, "shells": shells, "work": folder.path(), "ca": certificate,
    });
    let answers = tokio::task::spawn_blocking(move || run_inside(&unshare, &task)).await.unwrap();
    assert_eq!(answers.len(), cases.len() + 1, "{answers:?}");
    assert_eq!(answers[0]["routes"], 0, "the namespace has another way out");
    let mut wrong = vec![];
    for (case, answer) in cases.iter().zip(&answers[1..]) {
        let output = answer["output"].as_str().unwrap();
        if (answer["code"] == 0) != case.succeeds || !output.contains(case.says) {
            wrong.push(format!("{}: {answer}", case.name));
        }
    }
    println!("{} programs' cases, {} wrong", cases.len(), wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(door.proxy.metrics().denied().contains_key("not_allowlisted"));
}

fn cases(http: u16, https: u16, certificate: &Path) -> Vec<ClientCase> {
    let (http, https) = (http.to_string(), https.to_string());
    let node = node().map_or_else(|| "node".to_owned(), |(path, _)| path);
    let shell = |text: &str| match text.split_once(' ').unwrap_or((text, "")) {
        ("REQUESTS", url) => format!(
            "python3 -c \"import requests; r = requests.get('{url}', timeout=8); print(r.status_code, r.text)\""
        ),
        ("FETCH", url) => format!(
            "{node} -e \"fetch('{url}').then(async r => console.log(r.status, await r.text()))\
            .catch(e => {{ console.error(e, e.cause); process.exit(1) }})\""
        ),
        ("PIP", host) => format!(
            "python3 -m pip download -q --disable-pip-version-check --no-cache-dir --retries 0 \
            --no-deps -d $WORK/w --trusted-host {host} -i http://{host}:{http}/simple doorward-sample && \
            ls $WORK/w"
        ),
        _ => text.to_owned(),
    };
    let case = |row: &'static str| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, needs, text, ends @ ("succeeds" | "fails"), says] = cells[..] else { panic!("{row}") };
        let text = text.replace("{http}", &http).replace("{https}", &https);
        let text = text.replace("{ca}", &certificate.display().to_string());
        ClientCase { name, needs, shell: shell(&text), succeeds: ends == "succeeds", says }
    };
    include_str!("real_clients.txt").lines().filter(|row| !row.starts_with('#')).map(case).collect()
}

/// `DOORWARD_NODE`, else `node` from the path, with its version.
fn node() -> Option<(String, (u32, u32))> {
    let path = std::env::var("DOORWARD_NODE").unwrap_or_else(|_| "node".to_owned());
    let output = Command::new(&path).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut parts = text.trim().strip_prefix('v')?.split('.').map(|part| part.parse().unwrap_or(0));
    Some((path, (parts.next()?, parts.next()?)))
}

fn node_is_recent() -> bool {
    node().is_some_and(|(_, version)| version >= (22, 21) && version.0 != 23)
}

fn missing_programs(cases: &[ClientCase]) -> Vec<&'static str> {
    let works = |program: &str| match program {
        "requests" => succeeds("python3", &["-c", "import requests"]),
        "node ≥ 22.21" => node_is_recent(),
        "old node" => node().is_some() && !node_is_recent(),
        "pip" => succeeds("python3", &["--version"]),
        program => succeeds(program, &["--version"]),
    };
    let mut missing: Vec<&'static str> = cases.iter().map(|case| case.needs).collect();
    missing.sort_unstable();
    missing.dedup();
    missing.retain(|program| !works(program));
    missing
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The arguments that create a namespace here, if any work.
fn namespace_command() -> Option<Vec<&'static str>> {
    [vec!["-n"], vec!["-r", "-n"]].into_iter().find(|arguments| {
        let mut tried = arguments.clone();
        tried.extend(["ip", "link", "set", "lo", "up"]);
        succeeds("unshare", &tried)
    })
}

/// Runs this test program again inside the namespace, as `inside` below.
fn run_inside(unshare: &[&str], task: &Value) -> Vec<Value> {
    let own = std::env::current_exe().unwrap();
    let output = Command::new("unshare")
        .args(unshare)
        .arg(own)
        .args(["--exact", "real_clients::inside", "--ignored", "--nocapture"])
        .env("DOORWARD_TEST_INSIDE", task.to_string())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter_map(|line| line.strip_prefix("ANSWER "));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Not a test of its own: the part of `programs_in_a_namespace` that runs in the namespace.
#[test]
#[ignore = "run by programs_in_a_namespace"]
fn inside() {
    let Ok(task) = std::env::var("DOORWARD_TEST_INSIDE") else { return };
    let task: Value = serde_json::from_str(&task).unwrap();
    assert!(succeeds("ip", &["link", "set", "lo", "up"]));
    let routes = std::fs::read_to_string("/proc/net/route").unwrap().lines().count() - 1;
    println!("\nANSWER {}", json!({"routes": routes}));
    let socket = PathBuf::from(task["socket"].as_str().unwrap());
    let listener = std::net::TcpListener::bind("127.0.0.1:3128").unwrap();
    std::thread::spawn(move || {
        for child in listener.incoming().flatten() {
            let proxy = StdUnixStream::connect(&socket).unwrap();
            relay(child, proxy);
        }
    });
    for (number, shell) in task["shells"].as_array().unwrap().iter().enumerate() {
        let work = Path::new(task["work"].as_str().unwrap()).join(format!("work{number}"));
        std::fs::create_dir_all(&work).unwrap();
        let mut command = Command::new("timeout");
        command.args(["20", "sh", "-c", shell.as_str().unwrap()]).env_remove("DOORWARD_TEST_INSIDE");
        for pair in task["environment"].as_array().unwrap() {
            command.env(pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
        }
        for name in ["NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"] {
            command.env(name, task["ca"].as_str().unwrap());
        }
        command
            .env("WORK", &work)
            .env("HOME", &work)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
            .env("PIP_CONFIG_FILE", "/dev/null")
            .env("PYTHONWARNINGS", "ignore")
            .env_remove("PIP_INDEX_URL");
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text: String = String::from_utf8_lossy(&text).chars().take(3000).collect();
        println!("ANSWER {}", json!({"code": output.status.code(), "output": text}));
    }
}

fn relay(child: StdTcpStream, proxy: StdUnixStream) {
    fn copy(
        mut from: impl Read + Send + 'static,
        mut to: impl Write + Send + 'static,
        end: impl FnOnce() + Send + 'static,
    ) {
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut to);
            end();
        });
    }
    let (child_writes, proxy_writes) = (child.try_clone().unwrap(), proxy.try_clone().unwrap());
    let (child_ends, proxy_ends) = (child.try_clone().unwrap(), proxy.try_clone().unwrap());
    copy(child, proxy_writes, move || drop(proxy_ends.shutdown(std::net::Shutdown::Write)));
    copy(proxy, child_writes, move || drop(child_ends.shutdown(std::net::Shutdown::Write)));
}

async fn serve_plain(listener: TcpListener, site: PathBuf) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve_file(stream, site.clone()));
    }
}

async fn serve_tls(listener: TcpListener, site: PathBuf, key: rcgen::CertifiedKey<rcgen::KeyPair>) {
    let private = rustls::pki_types::PrivatePkcs8KeyDer::from(key.signing_key.serialize_der());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![key.cert.der().clone()], private.into())
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, site) = (acceptor.clone(), site.clone());
        tokio::spawn(async move {
            if let Ok(stream) = acceptor.accept(stream).await {
                serve_file(stream, site).await;
            }
        });
    }
}

async fn serve_file(mut stream: impl AsyncRead + AsyncWrite + Unpin, site: PathBuf) {
    let mut head = vec![];
    let mut byte = [0; 1];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).await.unwrap_or(0) == 1 {
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path =
        head.split(' ').nth(1).unwrap_or("/").split('?').next().unwrap_or("/").trim_matches('/').to_owned();
    let mut file = site.join(path);
    if file.is_dir() {
        file = file.join("index.html");
    }
    let (status, body) = match std::fs::read(&file) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", vec![]),
    };
    let kind = if file.ends_with("index.html") { "text/html" } else { "application/octet-stream" };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(&[head.as_bytes(), &body].concat()).await;
    let _ = stream.shutdown().await;
}

fn make_repository(site: &Path) -> bool {
    let script = "git init -q work && cd work && git config user.email a@example.com && git config user.name a && \
                  echo 'from the repository' > readme && git add readme && git commit -qm one && cd .. && \
                  git clone -q --bare work repo.git && cd repo.git && git update-server-info";
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(site).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn make_wheel(site: &Path) -> bool {
    let script = r#"
import os, zipfile
os.makedirs('simple/doorward-sample')
name = 'doorward_sample-1.0-py3-none-any.whl'
with zipfile.ZipFile('simple/doorward-sample/' + name, 'w') as wheel:
    info = 'doorward_sample-1.0.dist-info/'
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\nName: doorward-sample\nVersion: 1.0\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
    wheel.writestr(info + 'RECORD', '')
with open('simple/doorward-sample/index.html', 'w') as page:
    page.write(f'<!DOCTYPE html><html><body><a href="{name}">{name}</a></body></html>')
"#;
    let mut command = Command::new("python3");
    command.args(["-c", script]).current_dir(site).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success()) && succeeds("python3", &["-m", "pip", "--version"])
}
