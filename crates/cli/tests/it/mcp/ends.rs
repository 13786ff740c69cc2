//! How a gateway ends, and what its record holds then.

use serde_json::{Value, json};

use super::client::Client;
use super::{ALLOW, outcomes};
use crate::support::Bench;

/// The outcome of the last call waits for the next record, at most 10 ms. A gateway that ends at once writes it first.
#[test]
fn every_way_to_end_writes_the_outcome_of_the_last_call() {
    for served in [false, true] {
        let mut bench = Bench::new(ALLOW);
        if served {
            bench.serve();
        }
        let mut calls = 0;
        for how in ["the client closes", "terminated", "the server ends", "the client closes"] {
            let Some(mut client) = Client::scripted(&bench, &[]) else { return };
            client.initialize(json!({}));
            for number in 0..3 {
                assert!(client.call("echo", json!({"text": format!("{number}")}))["result"].is_object());
                calls += 1;
            }
            let (code, more) = match how {
                "terminated" => {
                    client.terminate();
                    (client.wait(), Vec::new())
                }
                "the server ends" => {
                    let answer = client.call("crash", json!({}));
                    assert_eq!(answer["error"]["code"], -32000, "{answer}");
                    (client.wait(), vec!["unobserved".to_owned()])
                }
                _ => (client.end(), Vec::new()),
            };
            assert_eq!(code, i32::from(how == "the server ends"), "{how}: {}", client.errors());
            let ledger: Vec<Value> = if served { bench.ledger() } else { client.own_ledger() };
            let wanted = if served { calls } else { 3 };
            assert_eq!(outcomes(&ledger, "echo"), vec!["ran"; wanted], "served {served}, {how}");
            if !more.is_empty() {
                assert_eq!(outcomes(&ledger, "crash"), more, "served {served}, {how}");
            }
        }
        if served {
            assert_eq!(bench.ask("GET", "/healthz", &json!({}))["open_permits"], 0);
        }
    }
}
