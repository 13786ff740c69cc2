//! People, pins, stops and anchors on each database.

use crate::common;
use crate::common::on_each;
use doorward_store::{Pin, Role, StoreError, StoredAnchor};
use jiff::{SignedDuration, Timestamp};

#[tokio::test(flavor = "multi_thread")]
async fn an_epoch_grows_with_every_change_that_all_must_know_and_with_nothing_else() {
    on_each(async |store| {
        let mut last = store.epochs().await.unwrap();
        let mut grown = async |what: &str| {
            let now = store.epochs().await.unwrap();
            let which = (now.stops > last.stops, now.people > last.people);
            assert!(now.stops >= last.stops && now.people >= last.people, "{what}");
            last = now;
            which
        };
        store.stop("all", "ana", "").await.unwrap();
        assert_eq!(grown("stop").await, (true, false));
        store.lift("all").await.unwrap();
        assert_eq!(grown("lift").await, (true, false));
        let before = store.people_changes();
        store.put_account("user:eve", Role::Viewer, &[]).await.unwrap();
        assert_eq!(grown("account").await, (false, true));
        store.disable_account("user:eve", true).await.unwrap();
        assert_eq!(grown("lock out").await, (false, true));
        store.set_passphrase("user:eve", "correct horse").await.unwrap();
        assert_eq!(grown("passphrase").await, (false, true));
        assert_eq!(store.people_changes(), before + 3, "this process knows at once");
        store.set("approver.sound", "off", "user:eve").await.unwrap();
        assert_eq!(grown("anything else").await, (false, false));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_and_passphrases_let_in_whom_they_should() {
    on_each(async |store| {
        let now = Timestamp::now();
        let later = now + SignedDuration::from_secs(3600);
        store.put_account("user:ana", Role::Approver, &["oncall".to_owned()]).await.unwrap();
        assert!(store.new_token("user:nobody", "", later, None).await.is_err());
        let token = store.new_token("user:ana", "laptop", later, None).await.unwrap();
        assert!(!format!("{token:?}").contains(&token.secret));
        let (account, label) = store.authenticate(&token.secret, now).await.unwrap().unwrap();
        assert_eq!((account.role, account.groups), (Role::Approver, vec!["oncall".to_owned()]));
        assert_eq!(label, doorward_store::TokenLabel::Program);
        assert!(store.authenticate(&format!("{}x", token.secret), now).await.unwrap().is_none());
        assert!(
            store.authenticate(&token.secret, later + SignedDuration::from_secs(1)).await.unwrap().is_none()
        );
        let code = store.new_token("user:ana", "start link", later, Some(1)).await.unwrap();
        let tries: Vec<_> = (0..8)
            .map(|_| {
                let (store, secret) = (store.clone(), code.secret.clone());
                tokio::spawn(
                    async move { store.authenticate(&secret, Timestamp::now()).await.unwrap().is_some() },
                )
            })
            .collect();
        let mut good = 0;
        for attempt in tries {
            good += usize::from(attempt.await.unwrap());
        }
        assert_eq!(good, 1, "a one-time code is good once");
        assert!(store.revoke_token(&token.id).await.unwrap());
        assert!(store.authenticate(&token.secret, now).await.unwrap().is_none());

        assert!(!store.check_passphrase("user:ana", "", now).await.unwrap(), "none is set");
        store.set_passphrase("user:ana", "correct horse").await.unwrap();
        assert!(store.check_passphrase("user:ana", "correct horse", now).await.unwrap());
        for _ in 0..5 {
            assert!(!store.check_passphrase("user:ana", "wrong", now).await.unwrap());
        }
        assert!(
            !store.check_passphrase("user:ana", "correct horse", now).await.unwrap(),
            "locked for a while"
        );
        let after = Timestamp::now() + SignedDuration::from_secs(31);
        assert!(store.check_passphrase("user:ana", "correct horse", after).await.unwrap());
        store.disable_account("user:ana", true).await.unwrap();
        assert!(!store.check_passphrase("user:ana", "correct horse", after).await.unwrap());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn anchors_only_grow() {
    on_each(async |store| {
        let anchor = |size, root, vkey: &str| StoredAnchor {
            home: "machine:/state".into(),
            origin: "a/log".into(),
            vkey: vkey.into(),
            size,
            root: [root; 32],
        };
        store.remember(&anchor(100, 1, "k")).await.unwrap();
        store.remember(&anchor(100, 1, "k")).await.unwrap();
        store.remember(&anchor(200, 2, "k")).await.unwrap();
        let rollback = store.remember(&anchor(150, 3, "k")).await.unwrap_err();
        assert!(matches!(rollback, StoreError::Rollback { known: 200, told: 150 }));
        assert_eq!(store.remember(&anchor(200, 9, "k")).await.unwrap_err().code(), "ledger.fork");
        assert_eq!(store.remember(&anchor(300, 3, "other")).await.unwrap_err().code(), "ledger.fork");
        assert_eq!(store.anchor("a/log").await.unwrap(), Some(anchor(200, 2, "k")));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pins_stops_and_settings_are_kept() {
    on_each(async |store| {
        let pin = |state: &str| Pin {
            server: "files".into(),
            tool: "read".into(),
            state: state.into(),
            digest: Some("sha256:d".into()),
            definition: "{}".into(),
            by: String::new(),
        };
        store.put_pin(&pin("pending")).await.unwrap();
        store.put_pin(&pin("approved")).await.unwrap();
        assert_eq!(store.pins("files").await.unwrap(), [pin("approved")]);
        assert!(store.pins("other").await.unwrap().is_empty());
        store.stop("session:s1", "user:ana", "enough").await.unwrap();
        assert_eq!(store.stops().await.unwrap()[0].scope, "session:s1");
        assert!(store.lift("session:s1").await.unwrap() && !store.lift("session:s1").await.unwrap());
        store.set("approver.sound", "on", "user:ana").await.unwrap();
        assert_eq!(store.get("approver.sound").await.unwrap().as_deref(), Some("on"));
        assert_eq!(store.get("nothing").await.unwrap(), None);
        store.ping().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn two_instances_that_start_at_once_make_one_schema() {
    let Some(server) = common::Postgres::start() else { return };
    let url = server.url();
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let (one, other) = tokio::join!(doorward_store::Store::open(&url), doorward_store::Store::open(&url));
    one.unwrap().ping().await.unwrap();
    other.unwrap().ping().await.unwrap();
}

#[tokio::test]
async fn a_database_that_is_not_there_says_so_without_its_password() {
    let error = doorward_store::Store::open("postgres://u:hunter2@127.0.0.1:1/db").await.unwrap_err();
    assert_eq!(error.code(), "store.unavailable");
    assert!(!error.to_string().contains("hunter2"), "{error}");
}
