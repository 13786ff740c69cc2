//! Real builds and test suites inside, with a raised time limit.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{Workspace, err, out, python};
use crate::{Engine, Limits, Network, Report, Root, Spec, Status};

fn roomy() -> Limits {
    Limits {
        wall: Duration::from_secs(120),
        memory: 2 << 30,
        cpu: Duration::from_secs(120),
        ..Limits::default()
    }
}

fn works(mut spec: Spec, what: &str) -> Report {
    spec.limits = roomy();
    let report = Engine::new().run(spec).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(report.status, Status::Exited { code: 0 }, "{what}: {} {}", out(&report), err(&report));
    report
}

#[test]
fn a_crate_builds_offline() {
    let path = |program: &str| {
        let found = Command::new(program).args(["--print", "sysroot"]).output().ok()?;
        Some(String::from_utf8(found.stdout).ok()?.trim().to_owned()).filter(|path| Path::new(path).is_dir())
    };
    let Some(toolchain) = path("rustc") else {
        doorward_needs::lacking!("no rustc that this user can run");
        return;
    };
    let work = Workspace::new();
    std::fs::create_dir(work.path().join("src")).unwrap();
    std::fs::write(
        work.path().join("Cargo.toml"),
        "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    )
    .unwrap();
    std::fs::write(work.path().join("src/main.rs"), "fn main() { println!(\"built inside\"); }\n").unwrap();
    for overlay in [true, false] {
        let mut spec =
            work.shell("cargo build --offline -q && ./target/debug/small").root(Root::read(&toolchain));
        spec.env.insert("PATH".to_owned(), format!("{toolchain}/bin:/usr/bin:/bin"));
        spec.overlay = overlay;
        assert_eq!(out(&works(spec, "cargo")), "built inside");
        assert_eq!(work.path().join("target").exists(), !overlay);
    }
}

#[test]
fn a_node_package_tests_itself() {
    if !Path::new("/usr/bin/npm").exists() {
        doorward_needs::lacking!("no npm");
        return;
    }
    let work = Workspace::new();
    std::fs::write(
        work.path().join("package.json"),
        r#"{"name":"small","version":"1.0.0","scripts":{"test":"node --test"}}"#,
    )
    .unwrap();
    let test = "const t=require('node:test');const fs=require('fs');const \
        os=require('os');t('works',()=>{fs.writeFileSync('made','x');os.cpus();\
        os.totalmem();fs.mkdtempSync(os.tmpdir()+'/x')});";
    std::fs::write(work.path().join("small.test.js"), test).unwrap();
    let report = works(work.shell("npm test"), "npm");
    assert!(out(&report).contains("pass 1"), "{}", out(&report));
}

#[test]
fn python_tests_run() {
    let work = Workspace::new();
    std::fs::write(
        work.path().join("test_small.py"),
        "import unittest, tempfile, subprocess, multiprocessing, threading\nclass T(unittest.TestCase):\n    def \
         test_it(self):\n        with tempfile.NamedTemporaryFile() as f: f.write(b'x')\n        \
         self.assertEqual(subprocess.check_output(['echo', 'x']), b'x\\n')\n        with multiprocessing.Pool(2) \
         as p: self.assertEqual(p.map(abs, [-1, 2]), [1, 2])\n",
    )
    .unwrap();
    let Some(mut spec) = python(&work.path(), "") else { return };
    spec.argv.truncate(1);
    let spec = spec.arg("-m").arg("unittest").arg("-q").arg("test_small");
    works(spec, "python");
    let tar = "mkdir d && echo x > d/f && chmod 600 d/f && tar cf t.tar d && mkdir e && tar xpf t.tar -C e && cp \
        -p e/d/f g && stat -c %a g";
    assert_eq!(out(&works(work.shell(tar), "tar")), "600");
    works(
        work.shell("perl -e 'use POSIX; my $m = POSIX::open(\"/dev/ptmx\", 2); exit !defined $m'"),
        "a terminal of its own",
    );
}

#[test]
fn pytest_runs() {
    let work = Workspace::new();
    // Installed together with the tools for the API tests.
    let lib = std::env::var_os("DOORWARD_TOOLS").map(|tools| Path::new(&tools).join("schemathesis/lib"));
    let mut folders = lib.and_then(|lib| std::fs::read_dir(lib).ok()).into_iter().flatten().flatten();
    let packages = folders.find_map(|folder| {
        let packages = folder.path().join("site-packages");
        packages.join("pytest").is_dir().then_some(packages)
    });
    let (Some(packages), Some(mut spec)) = (packages, python(&work.path(), "")) else {
        doorward_needs::lacking!("no pytest below DOORWARD_TOOLS; run `cargo xtask test`");
        return;
    };
    std::fs::write(
        work.path().join("test_small.py"),
        "import pytest, subprocess\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_it(n, tmp_path, \
         monkeypatch):\n    (tmp_path / 'f').write_text(str(n))\n    monkeypatch.setenv('N', str(n))\n    assert \
         subprocess.check_output(['sh', '-c', 'echo $N']) == b'%d\\n' % n\n",
    )
    .unwrap();
    spec.argv.truncate(1);
    spec.env.insert("PYTHONPATH".to_owned(), packages.display().to_string());
    let report = works(spec.root(Root::read(&packages)).arg("-m").arg("pytest").arg("-q"), "pytest");
    assert!(out(&report).contains("2 passed"), "{}", out(&report));
}

#[test]
fn a_server_and_its_client_talk_inside() {
    let work = Workspace::new();
    let command = "perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => \
        \"127.0.0.1\", LocalPort => 0);
        if (!fork) { my $c = IO::Socket::INET->new(PeerAddr => \"127.0.0.1\", PeerPort => $s->sockport); \
        print $c \"hi\\n\"; exit }
        print $s->accept->getline'";
    assert_eq!(out(&works(work.shell(command), "server")), "hi");
}

#[test]
fn the_relay_is_the_only_way_out() {
    use std::io::{Read, Write};
    let work = Workspace::new();
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("proxy");
    let proxy = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let served = std::thread::spawn(move || {
        let mut heads = Vec::new();
        for _ in 0..3 {
            let (mut client, _) = proxy.accept().unwrap();
            let mut buffer = [0; 4096];
            let length = client.read(&mut buffer).unwrap();
            heads.push(String::from_utf8_lossy(&buffer[..length]).into_owned());
            client
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nproxy")
                .unwrap();
        }
        heads
    });
    let direct = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = direct.local_addr().unwrap().port();
    let command = format!(
        "for i in 1 2 3; do curl -sS http://example.test/$i; done; \
         curl -sS --noproxy '*' -m 2 http://127.0.0.1:{port}/ || echo refused; \
         curl -sS --noproxy '*' -m 2 http://192.0.2.1/ || echo no route; \
         env | grep -ic proxy"
    );
    let mut spec = work.shell(&command);
    spec.network = Network::Relay { socket, token: "run-token".to_owned(), port: 3128 };
    let report = works(spec, "curl");
    assert!(
        out(&report).starts_with("proxyproxyproxyrefused\nno route"),
        "{} {}",
        out(&report),
        err(&report)
    );
    assert!(report.features.iter().any(|feature| feature == "relay"));
    for head in served.join().unwrap() {
        assert!(head.starts_with("GET http://example.test/"), "{head}");
        // The run's token, as user of the proxy URL.
        assert!(head.contains("Proxy-Authorization: Basic cnVuLXRva2VuOg=="), "{head}");
    }
}
