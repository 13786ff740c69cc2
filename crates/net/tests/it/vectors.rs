//! Test rows: the project's own, and all of them if the data folder is present. Both go through `batch_line`, the
//! function behind `net check --batch`.

use std::path::{Path, PathBuf};

use doorward_net::batch_line;
use serde_json::{Value, json};

fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

fn data_folder() -> Option<PathBuf> {
    doorward_needs::data!("ssrf")
}

fn answer(row: &Value, dns: Option<&Value>) -> Value {
    let mut asked = json!({"id": row["id"], "input": row["input"]});
    for key in ["dns", "config", "redirects", "method", "headers"] {
        if !row[key].is_null() {
            asked[key] = row[key].clone();
        }
    }
    if let Some(dns) = dns {
        asked["dns"] = dns.clone();
    }
    serde_json::from_str(&batch_line(&asked.to_string())).unwrap()
}

fn judge_all(folder: &Path) -> Vec<String> {
    let dns: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("dns.json")).unwrap()).unwrap();
    let mut wrong = vec![];
    let mut judged = 0;
    for (file, dns) in [("vectors.jsonl", Some(&dns)), ("scenarios.jsonl", None)] {
        for row in rows(&folder.join(file)) {
            judged += 1;
            let answer = answer(&row, dns);
            if answer["verdict"] != row["expect"] {
                wrong.push(format!("{} {} {}: {answer}", row["id"], row["expect"], row["input"]));
            }
        }
    }
    for row in rows(&folder.join("redirect_headers.jsonl")) {
        judged += 1;
        let answer = answer(&row, None);
        let refused = row.get("refused").cloned().unwrap_or(Value::Null);
        if answer["hops"] != row["expect_hops"] || answer["refused"] != refused {
            wrong.push(format!("{}: {answer}", row["id"]));
        }
    }
    println!("{judged} rows of {}, {} wrong", folder.display(), wrong.len());
    assert!(judged > 0);
    wrong
}

#[test]
fn shipped_rows() {
    assert_eq!(judge_all(&shipped()), Vec::<String>::new());
}

#[test]
fn all_rows() {
    if let Some(folder) = data_folder() {
        assert_eq!(judge_all(&folder), Vec::<String>::new());
    }
}
