//! Benchmarks of this crate: `cargo run --release -p doorward-net --example bench_net -- [--sweep]`.
//!
//! Measures verdicts (p50, p99), then the proxy against a direct connection and, if installed, against tinyproxy in
//! the same run: request and CONNECT latency, tunnel throughput, and the memory of 1,000 tunnels. `--sweep` checks
//! every IPv4 address against an independent table. The proxy runs in its own process, so that its memory can be
//! measured.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use doorward_net::proxy::{EgressConfig, EgressProxy, EgressRules, ListenOptions, ProxyParts, SessionSpec};
use doorward_net::{Guard, LiveGuard, address::classify_v4};
use serde_json::json;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--proxy", port] => return serve_proxy(port),
        ["--sweep"] => return sweep(),
        _ => verdicts(),
    }
    let upstream = start_upstream();
    let own = ReferenceProxy::doorward(upstream.port());
    let tinyproxy = ReferenceProxy::tinyproxy();
    if tinyproxy.is_none() {
        eprintln!("SKIPPED: no tinyproxy to compare with (apt-get install tinyproxy)");
    }
    let mut ways: Vec<(&str, Option<&ReferenceProxy>)> = vec![("direct", None), ("doorward", Some(&own))];
    ways.extend(tinyproxy.as_ref().map(|proxy| ("tinyproxy", Some(proxy))));
    // Alternating, so that a slow moment of the machine affects all of them.
    let (mut requests, mut connects) = (vec![vec![]; ways.len()], vec![vec![]; ways.len()]);
    for round in 0..2200 {
        for (at, (_, proxy)) in ways.iter().enumerate() {
            let (request, connect) =
                (time(|| get(*proxy, upstream)), time(|| drop(tunnel(*proxy, upstream))));
            if round >= 200 {
                requests[at].push(request);
                connects[at].push(connect);
            }
        }
    }
    for (at, (name, _)) in ways.iter().enumerate() {
        println!("GET, {name}: {}", percentiles(&mut requests[at]));
        println!("connect, {name}: {}", percentiles(&mut connects[at]));
    }
    for (name, proxy) in &ways {
        let best = (0..3).map(|_| throughput(*proxy, upstream)).fold(0.0, f64::max);
        println!("tunnel throughput, {name}: {best:.0} MiB/s (best of 3)");
    }
    many_tunnels(&own, upstream);
}

fn verdicts() {
    let guard = Guard::default();
    let texts = [
        "https://api.github.com/repos/octocat/Hello-World?per_page=30&sort=updated",
        "https://docs.rs/url/latest/url/struct.Url.html#method.host",
        "http://127.0.0.1:8080/",
        "http://[::ffff:169.254.169.254]/latest/meta-data/",
        "http://0x7f.1/",
        "https://bücher.example/weg?x=1",
        "https://metadata.google.internal/",
        "http://[2a01:4f8:c17:b0f:0:5efe:7f00:1]/",
        "https://user:pw@example.com/",
        "https://registry.npmjs.org/@scope%2fname",
    ];
    let answer = ["140.82.121.3".parse().unwrap(), "2606:4700::6810:84e5".parse().unwrap()];
    let mut all = vec![];
    for round in 0..60_000 {
        let text = texts[round % texts.len()];
        let took = time(|| {
            let verdict = guard.judge_url(text).and_then(|cleared| cleared.check(&answer));
            std::hint::black_box(verdict.is_ok());
        });
        if round >= 10_000 {
            all.push(took);
        }
    }
    println!("verdict with its address check: {}", percentiles(&mut all));
}

/// Checks every IPv4 address against ranges written as first and last address.
fn sweep() {
    const DENIED: &[(&str, &str)] = &[
        ("0.0.0.0", "0.255.255.255"),
        ("10.0.0.0", "10.255.255.255"),
        ("100.64.0.0", "100.127.255.255"),
        ("127.0.0.0", "127.255.255.255"),
        ("168.63.129.16", "168.63.129.16"),
        ("169.254.0.0", "169.254.255.255"),
        ("172.16.0.0", "172.31.255.255"),
        ("192.0.0.0", "192.0.0.255"),
        ("192.0.2.0", "192.0.2.255"),
        ("192.31.196.0", "192.31.196.255"),
        ("192.52.193.0", "192.52.193.255"),
        ("192.88.99.0", "192.88.99.255"),
        ("192.168.0.0", "192.168.255.255"),
        ("192.175.48.0", "192.175.48.255"),
        ("198.18.0.0", "198.19.255.255"),
        ("198.51.100.0", "198.51.100.255"),
        ("203.0.113.0", "203.0.113.255"),
        ("224.0.0.0", "255.255.255.255"),
    ];
    let ranges: Vec<(u32, u32)> = DENIED
        .iter()
        .map(|(first, last)| {
            (first.parse::<Ipv4Addr>().unwrap().into(), last.parse::<Ipv4Addr>().unwrap().into())
        })
        .collect();
    let started = Instant::now();
    let half = |from: u32, to: u32| {
        let (mut wrong, mut denied) = (0_u64, 0_u64);
        // The ranges are in order: the first one that doesn't end before the address is the only candidate.
        let mut at = ranges.partition_point(|(_, last)| *last < from);
        for bits in from..=to {
            let ours = classify_v4(bits.into()).is_some();
            let theirs = ranges.get(at).is_some_and(|(first, last)| {
                at += usize::from(*last == bits);
                *first <= bits
            });
            wrong += u64::from(ours != theirs);
            denied += u64::from(ours);
        }
        (wrong, denied)
    };
    let (low, high) = std::thread::scope(|scope| {
        let low = scope.spawn(|| half(0, u32::MAX / 2));
        let high = half(u32::MAX / 2 + 1, u32::MAX);
        (low.join().unwrap(), high)
    });
    println!(
        "IPv4 sweep: {} addresses, {} denied, {} wrong, {:.1} s",
        1_u64 << 32,
        low.1 + high.1,
        low.0 + high.0,
        started.elapsed().as_secs_f64()
    );
    assert_eq!(low.0 + high.0, 0);
}

fn time(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

fn percentiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 1000).min(times.len() - 1)].as_secs_f64() * 1e6;
    format!("p50 {:.2} µs, p99 {:.2} µs, n = {}", at(500), at(990), times.len())
}

/// Answers a GET with a few bytes, and `SEND <bytes>` with that many bytes.
fn start_upstream() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.2:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::Builder::new()
                .stack_size(64 << 10)
                .spawn(move || {
                    let mut buffer = [0; 4096];
                    let Ok(read @ 1..) = stream.read(&mut buffer) else { return };
                    let mut request = buffer[..read].to_vec();
                    if request.starts_with(b"GET") {
                        // tinyproxy sends its head line by line.
                        while !request.ends_with(b"\r\n\r\n") {
                            let Ok(read @ 1..) = stream.read(&mut buffer) else { return };
                            request.extend_from_slice(&buffer[..read]);
                        }
                        let _ = stream.write_all(
                            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
                        );
                    } else if let Some(amount) =
                        String::from_utf8_lossy(&buffer[..read]).strip_prefix("SEND ")
                    {
                        let block = vec![7; 256 << 10];
                        let mut left: usize = amount.trim().parse().unwrap();
                        while left > 0 && stream.write_all(&block[..left.min(block.len())]).is_ok() {
                            left -= left.min(block.len());
                        }
                    } else {
                        // An open tunnel: echo until the end.
                        let _ = stream.write_all(&buffer[..read]);
                        while let Ok(read @ 1..) = stream.read(&mut buffer) {
                            let _ = stream.write_all(&buffer[..read]);
                        }
                    }
                })
                .unwrap();
        }
    });
    address
}

struct ReferenceProxy {
    address: SocketAddr,
    authorization: String,
    process: Child,
    _folder: Option<tempfile::TempDir>,
}

impl Drop for ReferenceProxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl ReferenceProxy {
    fn doorward(port: u16) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--proxy", &port.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (address, url) = line.trim().split_once(' ').unwrap();
        let pair = url.strip_prefix("http://").unwrap().strip_suffix("@x").unwrap();
        let authorization = format!("Proxy-Authorization: Basic {}\r\n", base64(pair.as_bytes()));
        Self { address: address.parse().unwrap(), authorization, process, _folder: None }
    }

    fn tinyproxy() -> Option<Self> {
        let folder = tempfile::tempdir().ok()?;
        let port = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let config = folder.path().join("tinyproxy.conf");
        let text = format!(
            "Port {port}\nListen 127.0.0.1\nTimeout 600\nMaxClients 2000\nLogLevel Critical\nAllow 127.0.0.0/8\n"
        );
        std::fs::write(&config, text).ok()?;
        let mut command = Command::new("tinyproxy");
        command.arg("-d").arg("-c").arg(&config).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().ok()?;
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let proxy = Self { address, authorization: String::new(), process, _folder: Some(folder) };
        let answers = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(30));
            TcpStream::connect(address).is_ok()
        });
        answers.then_some(proxy)
    }

    fn memory_kib(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.trim().split(' ').next()).and_then(|text| text.parse().ok()).unwrap_or(0)
    }
}

fn serve_proxy(port: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let rules = json!({"allow": [format!("127.0.0.2:{port}")]});
        let rules: EgressConfig = serde_json::from_value(rules).unwrap();
        let guard = Arc::new(LiveGuard::new(Guard::default()));
        let proxy = EgressProxy::new(ProxyParts::new(guard, EgressRules::new(&rules).unwrap()));
        let options = ListenOptions { tcp: Some("127.0.0.1:0".parse().unwrap()), ..ListenOptions::default() };
        let listening = proxy.listen(options).await.unwrap();
        let token =
            proxy.open_session(SessionSpec { session: "bench".into(), ..SessionSpec::default() }).unwrap();
        println!("{} {}", listening.tcp.unwrap(), token.url("http", "c", "x"));
        std::future::pending::<()>().await;
    });
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn get(proxy: Option<&ReferenceProxy>, upstream: SocketAddr) {
    let mut stream = TcpStream::connect(proxy.map_or(upstream, |proxy| proxy.address)).unwrap();
    stream.set_nodelay(true).unwrap();
    let request = match proxy {
        None => format!("GET / HTTP/1.1\r\nHost: {upstream}\r\n\r\n"),
        Some(proxy) => {
            format!("GET http://{upstream}/ HTTP/1.1\r\nHost: {upstream}\r\n{}\r\n", proxy.authorization)
        }
    };
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.ends_with("ok"), "{answer}");
}

fn tunnel(proxy: Option<&ReferenceProxy>, upstream: SocketAddr) -> TcpStream {
    let Some(proxy) = proxy else { return TcpStream::connect(upstream).unwrap() };
    let mut stream = TcpStream::connect(proxy.address).unwrap();
    stream.set_nodelay(true).unwrap();
    let head = format!("CONNECT {upstream} HTTP/1.1\r\nHost: {upstream}\r\n{}\r\n", proxy.authorization);
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = vec![];
    let mut byte = [0];
    while !answer.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        answer.push(byte[0]);
    }
    assert!(answer.windows(5).any(|part| part == b" 200 "), "{}", String::from_utf8_lossy(&answer));
    stream
}

fn throughput(proxy: Option<&ReferenceProxy>, upstream: SocketAddr) -> f64 {
    const BYTES: usize = 512 << 20;
    let mut stream = tunnel(proxy, upstream);
    stream.write_all(format!("SEND {BYTES}\n").as_bytes()).unwrap();
    let mut buffer = vec![0; 256 << 10];
    let started = Instant::now();
    let mut got = 0;
    while got < BYTES {
        match stream.read(&mut buffer).unwrap() {
            0 => break,
            read => got += read,
        }
    }
    assert_eq!(got, BYTES);
    f64::from(u32::try_from(BYTES >> 20).unwrap()) / started.elapsed().as_secs_f64()
}

fn many_tunnels(proxy: &ReferenceProxy, upstream: SocketAddr) {
    const TUNNELS: usize = 1000;
    let before = proxy.memory_kib();
    let started = Instant::now();
    let mut tunnels: Vec<TcpStream> = (0..TUNNELS).map(|_| tunnel(Some(proxy), upstream)).collect();
    let opened = started.elapsed();
    let block = [9; 1024];
    for round in 0..10 {
        for stream in &mut tunnels {
            stream.write_all(&block).unwrap();
        }
        for stream in &mut tunnels {
            let mut back = [0; 1024];
            stream.read_exact(&mut back).unwrap();
            assert_eq!(back, block, "round {round}");
        }
    }
    let during = proxy.memory_kib();
    println!(
        "{TUNNELS} tunnels at a time: opened in {:.0} ms, 10 KiB through each, {:.1} MiB before, {:.1} MiB with \
        them ({:.1} KiB each)",
        opened.as_secs_f64() * 1e3,
        before as f64 / 1024.0,
        during as f64 / 1024.0,
        (during.saturating_sub(before)) as f64 / TUNNELS as f64
    );
}
