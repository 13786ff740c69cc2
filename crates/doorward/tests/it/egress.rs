//! The egress proxy beside a door: accesses in the ledger, questions held until a person answers, tokens that are good
//! for their command only, and the kill switch.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use doorward::egress::{Egress, Errand, WayOut};
use doorward::layers::Places;
use doorward::{Broker, Door, Options};
use doorward_core::approval::Presence;
use doorward_core::decision::Verdict;
use doorward_core::record::{AccessEvent, AccessRecord, ApprovalEvent, Record};
use doorward_ledger::Reader;
use doorward_store::{Answering, Store};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::time::timeout;

const LONG: Duration = Duration::from_secs(60);
// Replies of SOCKS5: succeeded, refused by a rule.
const YES: u8 = 0;
const NO: u8 = 2;

struct House {
    folder: tempfile::TempDir,
    door: Arc<Door>,
    broker: Arc<Broker>,
    egress: Arc<Egress>,
}

impl House {
    async fn open(egress: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let user = folder.path().join("doorward.toml");
        std::fs::write(&user, format!("[egress]\n{egress}\n")).unwrap();
        let places = Places { user: Some(user), ..Places::usual(None) };
        let options = Options::at(folder.path().join("state"), places);
        std::fs::create_dir(folder.path().join("state")).unwrap();
        let store = Store::open_file(&folder.path().join("state/doorward.db")).await.unwrap();
        let remembered = doorward::anchoring::Remembered::OfItsFolder;
        let door = Door::open_with_store(options, store, remembered).await.unwrap();
        let broker = Arc::clone(door.approvals().broker().unwrap());
        let egress = Egress::open(&door, folder.path().join("egress.sock")).await.unwrap();
        Self { folder, door, broker, egress }
    }

    fn way(&self, session: &str, command: &str) -> WayOut {
        self.egress.way_out(&Errand::new(&session.into(), command)).unwrap()
    }

    async fn records(self) -> Vec<Record> {
        self.door.close().await;
        let log = self.folder.path().join("state/ledger");
        let stored = Reader::open(&log).unwrap().tail(1000).unwrap();
        let mut records: Vec<(u64, Record)> =
            stored.iter().map(|stored| (stored.index, stored.record().unwrap())).collect();
        records.sort_by_key(|(index, _)| *index);
        records.into_iter().map(|(_, record)| record).collect()
    }
}

fn accesses(records: &[Record]) -> Vec<&AccessRecord> {
    records
        .iter()
        .filter_map(|record| if let Record::Access(access) = record { Some(&**access) } else { None })
        .collect()
}

/// User name and password out of a proxy URL.
fn credentials(way: &WayOut) -> (String, String) {
    let environment = way.environment("127.0.0.1:3128");
    let url = &environment["HTTP_PROXY"];
    let pair = url.strip_prefix("http://").unwrap().strip_suffix("@127.0.0.1:3128").unwrap();
    let (user, password) = pair.split_once(':').unwrap();
    (user.to_owned(), password.to_owned())
}

/// A SOCKS5 connection to `to` through the socket; the reply, or `None` where the token isn't taken.
async fn socks(
    socket: &Path,
    (user, password): &(String, String),
    to: SocketAddr,
) -> (Option<u8>, UnixStream) {
    let mut stream = UnixStream::connect(socket).await.unwrap();
    stream.write_all(&[5, 1, 2]).await.unwrap();
    let mut two = [0; 2];
    stream.read_exact(&mut two).await.unwrap();
    let mut login = vec![1, u8::try_from(user.len()).unwrap()];
    login.extend(user.as_bytes());
    login.push(u8::try_from(password.len()).unwrap());
    login.extend(password.as_bytes());
    stream.write_all(&login).await.unwrap();
    stream.read_exact(&mut two).await.unwrap();
    if two[1] != 0 {
        return (None, stream);
    }
    let SocketAddr::V4(to) = to else { panic!("an IPv4 server") };
    let mut request = vec![5, 1, 0, 1];
    request.extend(to.ip().octets());
    request.extend(to.port().to_be_bytes());
    stream.write_all(&request).await.unwrap();
    let mut answer = [0; 10];
    stream.read_exact(&mut answer).await.unwrap();
    (Some(answer[1]), stream)
}

/// An echo on a loopback address that stands for a permitted host.
async fn echo() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.2:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut from, mut to) = stream.split();
                let _ = tokio::io::copy(&mut from, &mut to).await;
            });
        }
    });
    address
}

#[tokio::test]
async fn every_access_is_recorded_under_its_command() {
    let server = echo().await;
    let house = House::open(&format!("allow = [\"{server}\"]")).await;
    let socket = house.egress.socket().to_owned();
    let way = house.way("agent/session 1", "toolu_1");
    let pair = credentials(&way);
    let (reply, mut stream) = socks(&socket, &pair, server).await;
    assert_eq!(reply, Some(YES));
    stream.write_all(b"hello").await.unwrap();
    let mut back = [0; 5];
    stream.read_exact(&mut back).await.unwrap();
    stream.shutdown().await.unwrap();
    assert_eq!(timeout(LONG, stream.read(&mut back)).await.unwrap().unwrap(), 0);
    let (refused, _) = socks(&socket, &pair, "127.0.0.3:9".parse().unwrap()).await;
    assert_eq!(refused, Some(NO));
    // Another command's name doesn't fit the token, and a way out that is given back is closed.
    let forged = (pair.0.replace("toolu_1", "toolu_2"), pair.1.clone());
    assert_eq!(socks(&socket, &forged, server).await.0, None);
    drop(way);
    assert_eq!(socks(&socket, &pair, server).await.0, None);
    assert!(TcpStream::connect(house.egress.tcp().unwrap()).await.is_ok());
    let records = house.records().await;
    // Those without a good token are nobody's, and recorded once a second.
    let (strangers, own): (Vec<_>, Vec<_>) =
        accesses(&records).into_iter().partition(|access| access.session.is_empty());
    assert!((1..=2).contains(&strangers.len()), "{strangers:?}");
    assert!(strangers.iter().all(|access| access.code.as_deref() == Some("auth_required")), "{strangers:?}");
    let found: Vec<_> = own
        .into_iter()
        .map(|access| {
            assert_eq!((access.session.as_str(), access.command.as_str()), ("agent/session 1", "toolu_1"));
            (access.event, access.verdict, access.code.as_deref(), access.bytes_up, access.bytes_down)
        })
        .collect();
    assert_eq!(
        found,
        [
            (AccessEvent::Decided, Verdict::Allow, None, 0, 0),
            (AccessEvent::Ended, Verdict::Allow, None, 5, 5),
            (AccessEvent::Decided, Verdict::Deny, Some("address_denied:loopback"), 0, 0),
        ]
    );
}

#[tokio::test]
async fn a_question_holds_the_connection_until_a_person_answers() {
    let server = echo().await;
    let house = House::open(&format!("ask = [\"{server}\"]\nask_s = 600")).await;
    let way = house.way("s", "c");
    let pair = credentials(&way);
    for (yes, expected) in [(true, YES), (false, NO)] {
        let (socket, pair) = (house.egress.socket().to_owned(), pair.clone());
        let asked = tokio::spawn(async move { socks(&socket, &pair, server).await.0 });
        let question = timeout(LONG, async {
            loop {
                if let Some(record) =
                    house.broker.store().pending(jiff::Timestamp::now()).await.unwrap().pop()
                {
                    return record;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        let question = question.await.expect("the question is put");
        assert!(!asked.is_finished(), "held");
        assert_eq!(question.ask.binding.tool, doorward::egress::TOOL);
        let answering = Answering::new("ada", Presence::Passphrase, "test", yes);
        house.broker.answer(&question.ask.id, &answering).await.unwrap();
        assert_eq!(timeout(LONG, asked).await.unwrap().unwrap(), Some(expected), "a yes is for once");
    }
    let records = house.records().await;
    let allowed =
        accesses(&records).into_iter().find(|access| access.verdict == Verdict::Allow).unwrap().clone();
    let decided =
        |access: &&AccessRecord| access.event == AccessEvent::Decided && access.verdict == Verdict::Deny;
    let denied = accesses(&records).into_iter().find(decided).unwrap().clone();
    assert_eq!(denied.code.as_deref(), Some("ask_denied"));
    let answers: Vec<(&str, ApprovalEvent)> = records
        .iter()
        .filter_map(|record| {
            if let Record::Approval(own) = record { Some((own.of.as_str(), own.event)) } else { None }
        })
        .collect();
    let expected = [&allowed, &denied].map(|access| access.access.as_str());
    assert_eq!(
        answers,
        [
            (expected[0], ApprovalEvent::Asked),
            (expected[0], ApprovalEvent::Answered),
            (expected[1], ApprovalEvent::Asked),
            (expected[1], ApprovalEvent::Answered),
        ]
    );
}

#[tokio::test]
async fn nobody_who_answers_is_a_no() {
    let server = echo().await;
    let house = House::open(&format!("ask = [\"{server}\"]\nask_s = 1")).await;
    let way = house.way("s", "c");
    let (reply, _) = timeout(LONG, socks(house.egress.socket(), &credentials(&way), server)).await.unwrap();
    assert_eq!(reply, Some(NO));
}

#[tokio::test]
async fn a_stop_ends_what_is_open_and_lets_nothing_new_begin() {
    let server = echo().await;
    let house = House::open(&format!("allow = [\"{server}\"]")).await;
    let way = house.way("s", "c");
    let (reply, mut stream) = socks(house.egress.socket(), &credentials(&way), server).await;
    assert_eq!(reply, Some(YES));
    house.door.approvals().stops().stop("session:s", "ada");
    let ended = timeout(LONG, stream.read(&mut [0; 1])).await.expect("the tunnel ends");
    assert!(!matches!(ended, Ok(1..)), "{ended:?}");
    assert!(house.egress.way_out(&Errand::new(&"s".into(), "d")).is_err());
    assert!(house.egress.way_out(&Errand::new(&"other".into(), "d")).is_ok());
}

#[tokio::test]
async fn changed_rules_are_taken_up_and_broken_ones_are_not() {
    let server = echo().await;
    let house = House::open("deny = []").await;
    let way = house.way("s", "c");
    let pair = credentials(&way);
    let file = house.folder.path().join("doorward.toml");
    let becomes = async |expected: u8| {
        let until = async {
            while socks(house.egress.socket(), &pair, server).await.0 != Some(expected) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(LONG, until).await.is_ok()
    };
    assert!(becomes(NO).await);
    std::fs::write(&file, format!("[egress]\nallow = [\"{server}\"]\n")).unwrap();
    assert!(becomes(YES).await);
    std::fs::write(&file, "[egress]\nallow = [\"*.com\"]\n").unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(becomes(YES).await, "what was in force stays");
    std::fs::write(&file, "[egress]\n").unwrap();
    assert!(becomes(NO).await);
}

#[tokio::test]
async fn credentials_are_placeholders_in_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let value = ["ghp_", "0123456789abcdefABCDEF0123456789abcd"].concat();
    std::fs::write(folder.path().join("token"), format!("{value}\n")).unwrap();
    let house = House::open(&format!(
        "intercept = true\n[egress.credentials.github]\nenv = \"GITHUB_TOKEN\"\nfile = \"{}\"\nhosts = [\"api.github.com\"]",
        folder.path().join("token").display()
    ))
    .await;
    let (one, two, other) = (house.way("s", "c"), house.way("s", "d"), house.way("t", "c"));
    let token = |way: &WayOut| way.environment("127.0.0.1:1")["GITHUB_TOKEN"].clone();
    assert_eq!(token(&one), token(&two));
    assert_ne!(token(&one), token(&other));
    assert!(token(&one).starts_with("ghp_") && token(&one) != value);
    let bundle = one.readable().unwrap().to_owned();
    let environment = one.environment("127.0.0.1:1");
    assert_eq!(Path::new(&environment["SSL_CERT_FILE"]), bundle);
    assert!(std::fs::read_to_string(&bundle).unwrap().contains("BEGIN CERTIFICATE"));
}
