//! Plants a token of every type in files, finds it, and searches every output for more of it than may be shown.

use std::fs;

use doorward_secrets::scan::{self, Baseline, Format, Options};
use doorward_secrets::{Detector, FingerprintKey, Style, batch_line, redact_text, rules};

/// Name and token of every row whose format needs no context.
fn planted(seed: u64) -> Vec<(&'static str, String)> {
    rules::all()
        .filter(|rule| rule.words.is_empty())
        .flat_map(|rule| rule.examples(seed).into_iter().map(|token| (rule.slug, token)))
        .collect()
}

/// Whether the detector finds a token alone between quotes.
fn found(token: &str) -> bool {
    let text = format!("x \"{token}\" y");
    Detector::shared()
        .search(text.as_bytes(), Style::Unknown)
        .hits
        .iter()
        .any(|hit| hit.start <= 3 + token.len())
}

#[test]
fn every_row_finds_its_own_examples_and_nothing_when_cut() {
    let mut missed = vec![];
    let (mut total, mut cut) = (0, 0);
    for seed in [3, 77, 1009] {
        for (slug, token) in planted(seed) {
            total += 1;
            if !found(&token) {
                missed.push((slug, token.chars().take(6).collect::<String>()));
            }
            let half = &token[..token.len() / 2];
            let text = format!("x \"{half}\" y");
            cut += usize::from(Detector::shared().find(&text).iter().any(|hit| hit.slug == slug));
        }
    }
    // Two formats can't be distinguished from a shorter one of the same family, and a few random draws look like
    // words.
    assert!(missed.len() * 100 <= total * 3, "{} of {total}: {missed:?}", missed.len());
    assert!(cut * 100 <= total * 12, "{cut} of {total} halves still look whole");
}

#[test]
fn no_output_holds_more_than_the_shown_prefix() {
    let folder = tempfile::tempdir().unwrap();
    let tokens: Vec<_> = planted(42).into_iter().filter(|(_, token)| found(token)).collect();
    let mut all = String::new();
    for (index, (_, token)) in tokens.iter().enumerate() {
        let text = format!("line one\nvalue = \"{token}\"\n");
        fs::write(folder.path().join(format!("f{index}.rs")), &text).unwrap();
        all.push_str(&text);
    }
    let key = FingerprintKey::from_bytes([9; 32]);
    let options = Options { paths: vec![folder.path().to_owned()], key: Some(key), ..Options::default() };
    let report = scan::run(Detector::shared(), &options, &|_| {});
    assert!(report.findings.len() >= tokens.len());
    assert_eq!(report.exit_code(), 1);
    let baseline = folder.path().join("baseline.json");
    Baseline::save(&baseline, &report.findings).unwrap();
    let mut outputs: Vec<String> =
        [Format::Text, Format::Json, Format::JsonLines, Format::Sarif, Format::Html]
            .map(|format| scan::render(&report, format))
            .to_vec();
    outputs.push(fs::read_to_string(&baseline).unwrap());
    outputs.push(format!("{report:?}"));
    outputs.push(batch_line(&serde_json::json!({"id": 1, "text": all}).to_string()));
    outputs.push(format!("{:?}", Detector::shared().find(&all)));
    outputs.push(redact_text(&all));
    for (slug, token) in &tokens {
        let rest = &token[token.len().min(8)..];
        let probe = &rest[..rest.len().min(12)];
        for output in outputs.iter().filter(|_| probe.len() >= 8) {
            assert!(!output.contains(probe), "{slug} leaks");
        }
    }
    // Accepted findings are no longer reported; the baseline is keyed, so without the key it accepts nothing.
    let again = Options {
        baseline: Some(Baseline::load(&baseline).unwrap()),
        exclude: vec!["baseline.json".into()],
        ..options
    };
    let report = scan::run(Detector::shared(), &again, &|_| {});
    assert_eq!(report.findings.len(), 0);
    assert!(!report.suppressed.is_empty());
    let keyless = Options { key: None, ..again };
    assert!(!scan::run(Detector::shared(), &keyless, &|_| {}).findings.is_empty());
}

#[test]
fn sarif_says_what_the_standard_asks() {
    let folder = tempfile::tempdir().unwrap();
    let token = &planted(5)[0].1;
    fs::write(folder.path().join("a b.py"), format!("ä = \"{token}\"\n")).unwrap();
    let options = Options { paths: vec![folder.path().to_owned()], ..Options::default() };
    let report = scan::run(Detector::shared(), &options, &|_| {});
    let sarif: serde_json::Value = serde_json::from_str(&scan::render(&report, Format::Sarif)).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let result = &run["results"][0];
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], result["ruleId"]);
    let place = &result["locations"][0]["physicalLocation"];
    assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("a%20b.py"));
    assert_eq!(place["region"]["startColumn"], 6);
    assert_eq!(place["region"]["endColumn"], 6 + token.len());
}

#[test]
fn what_cannot_be_read_is_listed_and_the_scan_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let token = &planted(6)[0].1;
    let path = |name: &str| folder.path().join(name);
    fs::write(path("one.txt"), format!("x {token}")).unwrap();
    fs::write(path("junk.bin"), [0_u8, 1, 2, 3, 0, 0, 255].repeat(100)).unwrap();
    fs::write(path("invalid.txt"), [b"\xfe\xfd ".as_slice(), token.as_bytes()].concat()).unwrap();
    let utf16: Vec<u8> = format!("k = {token}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(path("wide.txt"), [&[0xff, 0xfe][..], &utf16].concat()).unwrap();
    std::os::unix::fs::symlink(folder.path(), path("loop")).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", path("dangling")).unwrap();
    let options = Options { paths: vec![folder.path().to_owned(), path("missing")], ..Options::default() };
    let report = scan::run(Detector::shared(), &options, &|_| {});
    let files: Vec<_> = report.findings.iter().map(|own| own.file_path.rsplit('/').next().unwrap()).collect();
    assert_eq!(files, ["invalid.txt", "one.txt", "wide.txt"]);
    assert!(report.stats.skipped.iter().any(|own| own.path.ends_with("junk.bin") && own.reason == "binary"));
    assert!(report.stats.skipped.iter().any(|own| own.path.ends_with("missing")));
    assert_eq!(report.exit_code(), 2, "a path that isn't there is no clean scan");
}

#[test]
fn a_file_larger_than_the_window_is_seen_to_its_end_with_right_places() {
    let token = &planted(8)[0].1;
    let mut text = "0123456789 abcdef\n".repeat(300_000);
    text.push_str(&format!("x {token} "));
    text.push_str(&"y".repeat(3_000_000));
    text.push_str(&format!(" {token}"));
    let options = Options::default();
    let findings = scan::scan_reader(Detector::shared(), text.as_bytes(), "big.txt", &options).unwrap();
    let places: Vec<_> = findings.iter().map(|own| (own.line, own.column, own.byte_start)).collect();
    let first = 300_000 * 18;
    assert_eq!(
        places,
        [(300_001, 3, first + 2), (300_001, 5 + token.len() + 3_000_000, text.len() - token.len())]
    );
}

#[test]
fn staged_changes_and_history_are_seen_once() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let status = std::process::Command::new("git")
            .arg("-C")
            .arg(folder.path())
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .stdout(std::process::Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    };
    if !git(&["init", "-q"]) {
        eprintln!("NOT RUN: no git on this machine");
        return;
    }
    let tokens = planted(11);
    let (old, new) = (&tokens[0].1, &tokens[2].1);
    let file = folder.path().join("a.txt");
    fs::write(&file, format!("x {old}\n")).unwrap();
    assert!(git(&["add", "."]) && git(&["commit", "-qm", "one"]));
    fs::write(&file, format!("x {old}\nsecond {new}\n")).unwrap();
    assert!(git(&["add", "."]));
    let options = Options::default();
    let staged = scan::staged(Detector::shared(), folder.path(), &options).unwrap();
    assert_eq!(staged.findings.iter().map(|own| own.line).collect::<Vec<_>>(), [2]);
    assert!(
        git(&["commit", "-qm", "two"]) && git(&["rm", "-q", "a.txt"]) && git(&["commit", "-qm", "three"])
    );
    let history = scan::history(Detector::shared(), folder.path(), None, &options).unwrap();
    assert!(history.findings.iter().all(|own| own.commit.as_ref().is_some_and(|id| id.len() == 40)));
    assert_eq!(history.findings.iter().filter(|own| own.line == 2).count(), 1);
    assert!(scan::history(Detector::shared(), folder.path(), Some("--output=/tmp/x"), &options).is_err());
}

/// A gzipped tar with a gzipped file and a plain one, and a zip that contains that and a file of its own.
fn archives(token: &str) -> (Vec<u8>, Vec<u8>) {
    use std::io::Write as _;
    let gzip = |bytes: &[u8]| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    };
    let text = format!("x {token}\n");
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in [("in/plain.txt", text.clone().into_bytes()), ("in/log.gz", gzip(text.as_bytes()))] {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, bytes.as_slice()).unwrap();
    }
    let tar = gzip(&tar.into_inner().unwrap());
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in [("own.txt", text.as_bytes()), ("inner.tar.gz", tar.as_slice())] {
        zip.start_file(name, stored).unwrap();
        zip.write_all(bytes).unwrap();
    }
    (tar, zip.finish().unwrap().into_inner())
}

#[test]
fn archives_are_looked_into_when_asked_and_within_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let token = &planted(9)[0].1;
    let (tar, zip) = archives(token);
    fs::write(folder.path().join("a.tgz"), &tar).unwrap();
    fs::write(folder.path().join("b.zip"), &zip).unwrap();
    fs::write(folder.path().join("cut.zip"), &zip[..zip.len() / 2]).unwrap();
    let options =
        Options { paths: vec![folder.path().to_owned()], archives: true, threads: 1, ..Options::default() };
    let report = scan::run(Detector::shared(), &options, &|_| {});
    let mut names: Vec<_> = report
        .findings
        .iter()
        .map(|own| {
            own.file_path.split_once('!').map_or(own.file_path.as_str(), |(_, inner)| inner).to_owned()
        })
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "a!in/log.gz!log",
            "a!in/plain.txt",
            "inner.tar.gz!inner.tar!in/log.gz!log",
            "inner.tar.gz!inner.tar!in/plain.txt",
            "own.txt"
        ]
    );
    assert!(
        report
            .stats
            .skipped
            .iter()
            .any(|own| own.path.ends_with("cut.zip") && own.reason.contains("can't be read"))
    );
    assert_eq!(report.exit_code(), 2);
    let closed = scan::run(Detector::shared(), &Options { archives: false, ..options.clone() }, &|_| {});
    assert!(closed.findings.iter().all(|own| !own.file_path.contains('!')));

    // A bomb: a gigabyte of zeros in a few kilobytes per layer.
    let bomb = tempfile::tempdir().unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..64 {
        std::io::Write::write_all(&mut packed, &zeros).unwrap();
    }
    fs::write(bomb.path().join("bomb.gz"), packed.finish().unwrap()).unwrap();
    let options = Options { paths: vec![bomb.path().to_owned()], ..options };
    let report = scan::run(Detector::shared(), &options, &|_| {});
    assert!(report.stats.bytes < 32 << 20, "{}", report.stats.bytes);
    assert!(report.stats.skipped.iter().any(|own| own.reason.contains("unpacks to more")));
    assert_eq!(report.exit_code(), 2);
}

#[test]
fn what_is_encoded_too_deeply_to_look_into_is_not_clean() {
    use base64::Engine as _;
    let mut text = format!("inner value {} and more words", planted(4)[0].1);
    for depth in 1..=6 {
        text = base64::engine::general_purpose::STANDARD.encode(&text);
        let hits = Detector::shared().find(&text);
        assert!(!hits.is_empty(), "depth {depth}");
        assert_eq!(hits.iter().any(|hit| hit.slug == "undecoded-text"), depth > 3, "depth {depth}: {hits:?}");
        assert!(redact_text(&text).len() < text.len(), "depth {depth}");
    }
    assert!(Detector::shared().search(text.as_bytes(), Style::Unknown).truncated_decoding);
}

#[test]
fn a_file_that_may_not_be_read_is_named_and_the_rest_is_scanned() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let token = &planted(6)[0].1;
    let closed = folder.path().join("closed.txt");
    fs::write(folder.path().join("open.txt"), format!("x {token}")).unwrap();
    fs::write(&closed, "y").unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o0)).unwrap();
    // Even root can't read unmapped data: the first page of a process's memory.
    let everything = fs::File::open(&closed).is_ok();
    let closed = if everything { std::path::PathBuf::from("/proc/self/mem") } else { closed };
    if everything && !closed.exists() {
        eprintln!("NOT RUN: this user may read everything, and there is no /proc");
        return;
    }
    let options = Options { paths: vec![folder.path().to_owned(), closed.clone()], ..Options::default() };
    let report = scan::run(Detector::shared(), &options, &|_| {});
    assert_eq!(report.findings.len(), 1);
    let name = closed.file_name().unwrap().to_str().unwrap();
    assert!(
        report
            .stats
            .skipped
            .iter()
            .any(|own| own.path.ends_with(name) && own.reason.starts_with("can't be read")),
        "{:?}",
        report.stats.skipped
    );
    assert_eq!(report.exit_code(), 2);
}

#[test]
fn keys_and_passwords_in_tests_and_manuals_count_only_when_all_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let body: String = (0..6).map(|line| format!("{line}{}\n", "Ab3dEf6hIj9l+/Qr".repeat(4))).collect();
    let key = format!(
        "{}\n{body}{}\n",
        concat!("-----BEGIN PRIV", "ATE KEY-----"),
        concat!("-----END PRIV", "ATE KEY-----")
    );
    let login = format!("PASSWORD = '{}'\n", ["Vq7", "mZx", "2Lp"].concat());
    let token = &planted(6)[0].1;
    for (name, text) in [
        ("tests/server.key", key.clone()),
        ("docs/login.py", login.clone()),
        ("src/lib.rs", format!("fn f() {{}}\n#[cfg(test)]\nconst K: &str = \"{key}\";\n")),
        ("src/client.py", format!("def f():\n    \"\"\"So:\n\n    {login}    \"\"\"\n")),
        ("deploy/server.key", key),
        ("deploy/login.py", login),
        ("tests/token.txt", format!("x {token}")),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let options = Options { paths: vec![folder.path().to_owned()], ..Options::default() };
    let names = |report: &scan::Report| -> Vec<String> {
        let shown = |path: &str| path.rsplit('/').take(2).collect::<Vec<_>>().join(" in ");
        report.findings.iter().map(|own| shown(&own.file_path)).collect()
    };
    let report = scan::run(Detector::shared(), &options, &|_| {});
    // A provider's token counts anywhere.
    assert_eq!(names(&report), ["login.py in deploy", "server.key in deploy", "token.txt in tests"]);
    assert_eq!(report.samples(), 4);
    let all = scan::run(Detector::shared(), &Options { samples: true, ..options.clone() }, &|_| {});
    assert_eq!((all.findings.len(), all.samples()), (7, 0));
    // Naming a place explicitly includes it.
    let named = Options { paths: vec![folder.path().join("tests")], ..options };
    assert_eq!(scan::run(Detector::shared(), &named, &|_| {}).findings.len(), 2);
}

#[test]
fn ignored_files_with_names_of_secrets_are_scanned() {
    let folder = tempfile::tempdir().unwrap();
    let token = |seed: u64| format!("TOKEN={}\n", planted(seed)[0].1);
    for (name, text) in [
        (".gitignore", ".env*\n*.log\nbuild/\n".to_owned()),
        (".env", token(1)),
        ("app/.env.local", token(2)),
        ("app/trace.log", token(3)),
        ("build/.env", token(4)),
        ("left/.env", token(5)),
        ("seen.txt", token(6)),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let scanned = |options: &Options| -> Vec<String> {
        let report = scan::run(Detector::shared(), options, &|_| {});
        let below = |path: &str| path.rsplit_once(&*folder.path().to_string_lossy()).unwrap().1.to_owned();
        report.findings.iter().map(|own| below(&own.file_path)).collect()
    };
    let plain = Options { paths: vec![folder.path().to_owned()], ..Options::default() };
    assert_eq!(scanned(&plain), ["/seen.txt"]);
    let named = Options {
        secret_names: |path| path.contains("/.env"),
        exclude: vec!["left/.env".to_owned()],
        ..plain
    };
    assert_eq!(scanned(&named), ["/.env", "/app/.env.local", "/seen.txt"]);
    let all = Options { ignore_files: false, exclude: Vec::new(), ..named };
    assert_eq!(scanned(&all).len(), 6);
}
