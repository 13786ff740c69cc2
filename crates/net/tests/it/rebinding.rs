//! DNS rebinding against a real resolver: a name server on loopback changes its answers by a random schedule
//! (public, internal, mixed, through a CNAME, mapped, empty, lying, slow, silent), and listeners on the internal
//! addresses count connections. As a control, a client that checks first and then dials the name does reach them.
#![cfg(feature = "proxy")]

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{Door, PERMITTED, RecordingServer, client_hello, response};
use doorward_core::Boxed;
use doorward_net::{ClientLimits, FetchRequest, Guard, GuardConfig, GuardedClient, LiveGuard, Resolver};
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ProtocolConfig, ResolveHosts, ResolverConfig,
};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpStream, UdpSocket};
use tokio::task::JoinSet;

const SCHEDULES: usize = 1200;
const INTERNAL_HOSTS: [[u8; 4]; 4] = [[127, 0, 0, 1], [127, 0, 0, 3], [127, 0, 0, 4], [127, 9, 9, 9]];

/// The name server's response to one question.
#[derive(Debug, Clone, Copy)]
enum Says {
    Public,
    Internal(u8),
    Mixed(u8),
    CnamePublic,
    CnameInternal(u8),
    CnameLocalhost,
    Mapped,
    SixLoopback,
    Empty,
    NoSuchName,
    Many,
    Garbage,
    Slow,
    Silent,
}

/// A small generator with a fixed seed: every run draws the same schedules.
struct Draw(u64);

impl Draw {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

/// Half of the answers are public, so that connections are attempted.
fn draw(draw: &mut Draw) -> Says {
    let which = u8::try_from(draw.next(4)).unwrap();
    match draw.next(26) {
        0..=11 => Says::Public,
        12 | 13 => Says::Internal(which),
        14 | 15 => Says::Mixed(which),
        16 => Says::CnamePublic,
        17 => Says::CnameInternal(which),
        18 => Says::CnameLocalhost,
        19 => Says::Mapped,
        20 => Says::SixLoopback,
        21 => Says::Empty,
        22 => Says::NoSuchName,
        23 => Says::Many,
        24 => Says::Slow,
        _ => {
            if draw.next(8) == 0 {
                Says::Silent
            } else {
                Says::Garbage
            }
        }
    }
}

struct NameServer {
    address: SocketAddr,
    questions: Arc<AtomicUsize>,
}

impl NameServer {
    /// Answers `s<number>.rebind.example` by schedule: question n of a name gets its n-th answer.
    async fn start(schedules: Vec<Vec<Says>>) -> Self {
        let socket = Arc::new(UdpSocket::bind("127.0.0.1:0").await.unwrap());
        let address = socket.local_addr().unwrap();
        let questions = Arc::new(AtomicUsize::new(0));
        let counted = questions.clone();
        tokio::spawn(async move {
            let asked: Mutex<HashMap<(usize, u16), usize>> = Mutex::default();
            let mut buffer = [0; 1500];
            while let Ok((length, peer)) = socket.recv_from(&mut buffer).await {
                counted.fetch_add(1, SeqCst);
                let query = buffer[..length].to_vec();
                let Some((number, kind, end)) = question(&query) else { continue };
                let schedule = &schedules[number % schedules.len()];
                let turn = {
                    let mut asked = asked.lock().unwrap();
                    let turn = asked.entry((number, kind)).or_default();
                    *turn += 1;
                    *turn - 1
                };
                let says = schedule[turn % schedule.len()];
                let Some(reply) = reply(&query[..end], kind, says) else { continue };
                let socket = socket.clone();
                tokio::spawn(async move {
                    if matches!(says, Says::Slow) {
                        tokio::time::sleep(Duration::from_millis(40)).await;
                    }
                    let _ = socket.send_to(&reply, peer).await;
                });
            }
        });
        Self { address, questions }
    }
}

/// Number in the name, type, and end of the question.
fn question(query: &[u8]) -> Option<(usize, u16, usize)> {
    let mut at = 12;
    let mut labels: Vec<String> = vec![];
    while *query.get(at)? != 0 {
        let length = usize::from(query[at]);
        labels.push(String::from_utf8_lossy(query.get(at + 1..at + 1 + length)?).to_ascii_lowercase());
        at += length + 1;
    }
    let kind = u16::from_be_bytes([*query.get(at + 1)?, *query.get(at + 2)?]);
    let number = labels.first()?.strip_prefix('s')?.parse().ok()?;
    Some((number, kind, at + 5))
}

fn reply(query: &[u8], kind: u16, says: Says) -> Option<Vec<u8>> {
    const A: u16 = 1;
    const AAAA: u16 = 28;
    let (mut records, mut code): (Vec<(u16, Vec<u8>)>, u8) = (vec![], 0);
    let public = || (A, vec![127, 0, 0, 2]);
    let internal = |which: u8| (A, INTERNAL_HOSTS[usize::from(which)].to_vec());
    let cname = |labels: &[&str]| {
        let mut name = vec![];
        for label in labels {
            name.push(u8::try_from(label.len()).unwrap());
            name.extend(label.bytes());
        }
        name.push(0);
        (5, name)
    };
    match (says, kind) {
        (Says::Silent, _) => return None,
        (Says::Garbage, _) => return Some(vec![query[0], query[1], 0xff]),
        (Says::NoSuchName, _) => code = 3,
        (Says::Public | Says::Slow, A) => records.push(public()),
        (Says::Internal(which), A) => records.push(internal(which)),
        (Says::Mixed(which), A) => records.extend([public(), internal(which)]),
        (Says::CnamePublic, A) => records.extend([cname(&["cdn", "example"]), public()]),
        (Says::CnameInternal(which), A) => records.extend([cname(&["cdn", "example"]), internal(which)]),
        (Says::CnameLocalhost, A) => records.push(cname(&["localhost"])),
        (Says::Many, A) => {
            records.extend((0..80).map(|last| (A, vec![127, 0, 0, if last == 79 { 3 } else { 2 }])))
        }
        (Says::Mapped, AAAA) => {
            records.push((AAAA, "::ffff:127.0.0.3".parse::<Ipv6Addr>().unwrap().octets().to_vec()));
        }
        (Says::SixLoopback, AAAA) => records.push((AAAA, Ipv6Addr::LOCALHOST.octets().to_vec())),
        _ => {}
    }
    let mut message = query.to_vec();
    message[2] = 0x84;
    message[3] = 0x80 | code;
    message[4..12].copy_from_slice(&[0, 1, 0, u8::try_from(records.len()).unwrap(), 0, 0, 0, 0]);
    // Records after a CNAME are owned by its target.
    let mut owner = vec![0xc0, 12];
    for (kind, data) in records {
        message.extend(&owner);
        message.extend(kind.to_be_bytes());
        message.extend([0, 1, 0, 0, 0, 0]);
        message.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        message.extend(&data);
        if kind == 5 {
            owner = data;
        }
    }
    Some(message)
}

struct Hickory(hickory_resolver::TokioResolver);

impl Hickory {
    fn asking(server: SocketAddr) -> Self {
        let mut connection = ConnectionConfig::new(ProtocolConfig::Udp);
        connection.port = server.port();
        let servers = vec![NameServerConfig::new(server.ip(), true, vec![connection])];
        let config = ResolverConfig::from_parts(None, vec![], servers);
        let mut builder =
            hickory_resolver::TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
        let options = builder.options_mut();
        options.cache_size = 0;
        options.attempts = 0;
        options.timeout = Duration::from_millis(150);
        options.use_hosts_file = ResolveHosts::Never;
        options.try_tcp_on_error = false;
        Self(builder.build().unwrap())
    }
}

impl Resolver for Hickory {
    fn resolve<'a>(&'a self, name: &'a str) -> Boxed<'a, std::io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let answer = self.0.lookup_ip(format!("{name}.")).await.map_err(std::io::Error::other)?;
            Ok(answer.iter().collect())
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flips_never_reach_an_internal_address() {
    let permitted = RecordingServer::start(PERMITTED, 0, |request| {
        let host = request.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or("").to_owned();
        if request.starts_with("GET /go") {
            response("302 Found", &format!("Location: http://{host}/arrived\r\n"), "")
        } else {
            response("200 OK", "", "arrived")
        }
    })
    .await;
    let port = permitted.address.port();
    let mut watched = vec![];
    for octets in INTERNAL_HOSTS {
        watched.push(RecordingServer::ok(octets.into(), port).await);
    }
    watched.push(RecordingServer::ok(Ipv6Addr::LOCALHOST.into(), port).await);
    let reached = || watched.iter().map(RecordingServer::hits).sum::<usize>();

    let mut random = Draw(0x5eed_0bad_cafe_f00d);
    let schedules = (0..SCHEDULES).map(|_| (0..12).map(|_| draw(&mut random)).collect()).collect();
    let names = NameServer::start(schedules).await;
    let resolver = Arc::new(Hickory::asking(names.address));

    let allowed = format!("*.rebind.example:{port}=127.0.0.2");
    let config =
        GuardConfig { allowed_hosts: vec![allowed.clone()], dns_timeout_ms: 1000, ..GuardConfig::default() };
    let guard = Arc::new(LiveGuard::new(Guard::new(config).unwrap()));
    let limits = ClientLimits { total: Duration::from_secs(10), connect: Duration::from_secs(2), body: 1000 };
    let client = GuardedClient::new(guard).unwrap().with_resolver(resolver.clone()).with_limits(limits);
    let door = Arc::new(Door::open(&format!(r#"{{"allow": ["{allowed}"]}}"#), resolver.clone()).await);

    let (mut running, mut arrived, mut refused) = (JoinSet::new(), 0, 0);
    for number in 0..SCHEDULES {
        let (client, door) = (client.clone(), door.clone());
        running.spawn(async move {
            let host = format!("s{number}.rebind.example:{port}");
            let fetched = client.fetch(FetchRequest::get(&format!("http://{host}/go"))).await;
            let plain =
                door.raw(&format!("GET http://{host}/x HTTP/1.1\r\nHost: {host}\r\n{{auth}}\r\n")).await;
            let (tunnel, mut stream) = door.connect(&host).await;
            if tunnel.contains(" 200 ") {
                let _ = stream.write_all(&client_hello(&format!("s{number}.rebind.example"))).await;
                let _ = stream.shutdown().await;
            }
            [fetched.is_ok(), plain.contains("arrived"), tunnel.contains(" 200 ")]
        });
        if running.len() >= 48 {
            let done = running.join_next().await.unwrap().unwrap();
            arrived += done.iter().filter(|arrived| **arrived).count();
            refused += done.iter().filter(|arrived| !**arrived).count();
        }
    }
    for done in running.join_all().await {
        arrived += done.iter().filter(|arrived| **arrived).count();
        refused += done.iter().filter(|arrived| !**arrived).count();
    }
    let questions = names.questions.load(SeqCst);
    println!(
        "{SCHEDULES} schedules, {questions} questions: {arrived} arrived, {refused} refused, {} inside",
        reached()
    );
    assert_eq!(reached(), 0, "an internal address was dialled");
    assert!(arrived > SCHEDULES / 4 && refused > SCHEDULES / 2 && permitted.hits() >= arrived);

    check_then_dial(&resolver, port, &reached).await;
    assert!(reached() > 20, "the listeners would not have noticed");
}

/// The control: checks a name's first answer, then dials its next one.
async fn check_then_dial(resolver: &Hickory, port: u16, reached: &dyn Fn() -> usize) {
    let is_fine = |answer: &[IpAddr]| answer.iter().all(|address| *address == PERMITTED);
    for number in 0..SCHEDULES {
        let name = format!("s{number}.rebind.example");
        let Ok(first) = resolver.resolve(&name).await else { continue };
        if first.is_empty() || !is_fine(&first) {
            continue;
        }
        if let Ok(second) = resolver.resolve(&name).await {
            let dialled = second.into_iter().next().unwrap_or(PERMITTED);
            drop(TcpStream::connect((dialled, port)).await);
        }
        if reached() > 20 {
            break;
        }
    }
}
