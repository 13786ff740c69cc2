//! Rows of a shared store are claims: a role, a pin and the end of a stop count with the seal of a known service.

use std::sync::Arc;

use doorward_core::id::Digest;
use doorward_store::{Pin, Role, Seals, Store};
use jiff::{SignedDuration, Timestamp};

use crate::common::Postgres;

/// A service whose seal is its name under a digest, and whose own and known names are these.
struct NamedService(&'static str, &'static [&'static str]);

fn seal_of(name: &str, text: &str) -> String {
    Digest::of(format!("{name}\n{text}").as_bytes()).to_string()
}

impl Seals for NamedService {
    fn seal(&self, text: &str) -> String {
        seal_of(self.0, text)
    }

    fn knows(&self, text: &str, seal: &str) -> bool {
        self.1.iter().any(|name| seal_of(name, text) == seal)
    }
}

/// A service's own connection; without a name, that of somebody who can write to the database.
async fn service(url: &str, seals: Option<NamedService>) -> Store {
    let store = loop {
        match Store::open(url).await {
            Ok(store) => break store,
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(100)).await,
        }
    };
    if let Some(seals) = seals {
        store.seal_with(Arc::new(seals));
    }
    store
}

fn pin(tool: &str) -> Pin {
    let (server, state, definition) = ("files".to_owned(), "approved".to_owned(), "{}".to_owned());
    Pin { server, tool: tool.to_owned(), state, digest: None, definition, by: "ana".to_owned() }
}

#[tokio::test]
async fn what_no_known_service_sealed_is_no_role_no_pin_and_no_lift() {
    let Some(server) = Postgres::start() else { return };
    let url = server.url();
    let one = service(&url, Some(NamedService("one", &["one"]))).await;
    let other = service(&url, Some(NamedService("other", &["other", "one"]))).await;
    let writer = service(&url, None).await;

    one.put_account("ana", Role::Admin, &["ops".to_owned()]).await.unwrap();
    writer.put_account("eve", Role::Admin, &["ops".to_owned()]).await.unwrap();
    let roles = other.accounts().await.unwrap();
    let told: Vec<_> = roles.iter().map(|one| (one.name.as_str(), one.role, one.groups.len())).collect();
    assert_eq!(told, [("ana", Role::Admin, 1), ("eve", Role::Agent, 0)]);
    let ends = Timestamp::now() + SignedDuration::from_hours(1);
    let token = writer.new_token("eve", "x", ends, None).await.unwrap().secret;
    let (eve, _) = other.authenticate(&token, Timestamp::now()).await.unwrap().unwrap();
    assert_eq!(eve.role, Role::Agent);

    one.put_pin(&pin("read")).await.unwrap();
    writer.put_pin(&pin("run")).await.unwrap();
    assert_eq!(other.pins("files").await.unwrap(), [pin("read")]);

    one.stop("all", "ana", "enough").await.unwrap();
    let began = one.stops().await.unwrap()[0].at.as_millisecond();
    assert!(!other.was_lifted("all", began).await.unwrap());
    assert!(writer.lift("all").await.unwrap());
    assert!(!other.was_lifted("all", began).await.unwrap(), "nobody sealed it");
    assert!(!one.lift("all").await.unwrap(), "the row is gone already");
    assert!(other.was_lifted("all", began).await.unwrap());
    let later = Timestamp::now().as_millisecond() + 60_000;
    assert!(!other.was_lifted("all", later).await.unwrap(), "an old lift ends no newer stop");

    let forged = other.forged();
    for what in ["the account eve has the role admin", "files/run", "the stop of all is gone"] {
        assert!(forged.iter().any(|row| row.contains(what)), "{what}: {forged:?}");
    }
    assert!(!forged.iter().any(|row| row.contains("ana") || row.contains("files/read")), "{forged:?}");
}
