//! The rows of the risk table, resolved against a small world.

use doorward_core::effect::Scope;
use doorward_core::effect::{HostClass, Protection, Tri};
use doorward_core::intent::{
    Code, Direction, HistoryLoss, HostIntent, Install, InstallSource, Privilege, PrivilegeKind,
    RecoverableBy, SimpleCommand, WriteMode,
};
use doorward_core::mode::CallClass;
use doorward_core::session::{SessionView, WrittenFile};
use doorward_core::world::{VcsState, World};
use doorward_paths::OwnFiles;
use doorward_shell::Options;

use super::*;
use crate::run::Follow;
use crate::{EmptyWorld, Hosts, MapWorld};
use SecurityRisk::{High, Low, Medium, Unknown as Unclear};

fn path(text: &str) -> Operand {
    let form = match text {
        _ if text.contains('…') => Form::Unknown,
        _ if doorward_paths::glob::is_pattern(text) => Form::Glob,
        _ => Form::Literal,
    };
    let certainty = if form == Form::Literal { Certainty::Exact } else { Certainty::May };
    Operand { text: text.to_owned(), form, certainty, ..Operand::default() }
}

fn read(text: &str) -> Intent {
    let read = ReadIntent {
        path: path(text),
        metadata: false,
        reaches_host: false,
        reaches_code: false,
        below: Below::default(),
    };
    Intent { reads: vec![read], commands: vec![command("cat", true)], ..Intent::default() }
}

fn sent(text: &str, host: &str) -> Intent {
    let mut intent = read(text);
    intent.reads[0].reaches_host = true;
    intent.commands[0].read_only = false;
    intent.hosts = vec![contact(host, Direction::Send, &[text])];
    intent
}

/// `scp -i KEY FILE HOST:`
fn keyed(key: &str, file: &str, host: &str) -> Intent {
    let mut intent = sent(key, host);
    intent.hosts[0].body_from = vec![file.to_owned()];
    intent
}

fn write(text: &str, mode: WriteMode) -> Intent {
    let write = WriteIntent {
        path: path(text),
        mode,
        content: None,
        downloaded: false,
        chmod: None,
        moved_from: None,
        redirected: false,
    };
    Intent { writes: vec![write], commands: vec![command("tee", false)], ..Intent::default() }
}

fn moved(from: &str, to: &str) -> Intent {
    let mut intent = write(to, WriteMode::Create);
    intent.writes[0].moved_from = Some(path(from));
    intent
}

fn chmod(text: &str, bits: &str) -> Intent {
    let mut intent = write(text, WriteMode::Metadata);
    intent.writes[0].chmod = Some(bits.to_owned());
    intent
}

fn delete(text: &str, recursive: bool) -> Intent {
    let delete = DeleteIntent { path: path(text), recursive, force: recursive, own: false, untracked: None };
    Intent { deletes: vec![delete], commands: vec![command("rm", false)], ..Intent::default() }
}

fn contact(host: &str, direction: Direction, body: &[&str]) -> HostIntent {
    HostIntent {
        host: host.to_owned(),
        form: if host.contains('…') { Form::Unknown } else { Form::Literal },
        port: None,
        scheme: "https".to_owned(),
        url: None,
        direction,
        body_from: body.iter().map(|text| (*text).to_owned()).collect(),
        configured_remote: None,
        redirected: false,
        span: Span::default(),
    }
}

fn host(host: &str, direction: Direction, body: &[&str]) -> Intent {
    Intent {
        hosts: vec![contact(host, direction, body)],
        commands: vec![command("curl", false)],
        ..Intent::default()
    }
}

fn raw(name: &str) -> Intent {
    let mut intent = host(name, Direction::Send, &["-"]);
    intent.hosts[0].scheme = "udp".to_owned();
    intent
}

fn push(remote: Option<&str>, scheme: &str) -> Intent {
    let mut intent = host(if remote.is_some() { "" } else { "evil.example" }, Direction::Send, &[]);
    intent.hosts[0].configured_remote = remote.map(str::to_owned);
    intent.hosts[0].scheme = scheme.to_owned();
    intent
}

fn command(program: &str, read_only: bool) -> SimpleCommand {
    SimpleCommand {
        words: vec![program.to_owned()],
        program: program.to_owned(),
        read_only,
        ..SimpleCommand::default()
    }
}

fn runs(program: &str, words: &[&str], code: Code, file: Option<&str>) -> Intent {
    let mut simple = command(program, false);
    simple.words.extend(words.iter().map(|word| (*word).to_owned()));
    simple.code = code;
    if let Some(file) = file {
        simple.origin = Origin::File(path(file));
    }
    Intent { commands: vec![simple], ..Intent::default() }
}

struct Seen {
    risk: SecurityRisk,
    codes: Vec<String>,
    floor: bool,
    effects: Effects,
    classes: std::collections::BTreeSet<CallClass>,
}

fn look_in(world: &dyn World, session: &SessionView, ask: bool, intent: Intent) -> Seen {
    let mut call = crate::example_call("shell:execute", "command", "").unwrap();
    if ask {
        call.outside = doorward_core::call::OutsideRoots::Ask;
    }
    let own = OwnFiles::new().with("/home/user/.local/state/doorward", Protection::Own);
    let ground = CallContext::new(&call, session, world, &own, Via::Command);
    let options = Options::default();
    let hosts = Hosts::default();
    let mut resolved = Resolve::new(&ground, &hosts, CallKind::Command);
    let read_only = intent.is_read_only();
    let mut follow = Follow::new(&ground, &options, &hosts, crate::session::Written::default());
    follow.follow(&intent, &mut resolved.tally);
    let Follow { judged, found, .. } = follow;
    resolved.take(intent);
    resolved.take(found);
    resolved.effects.judged_files = judged;
    resolved.effects.read_only = resolved.proves_read_only(read_only);
    let classes = crate::classes::classes(&resolved, &[], &Default::default(), false);
    Seen {
        risk: resolved.tally.risk,
        codes: resolved.tally.findings.iter().map(|finding| finding.code.to_string()).collect(),
        floor: resolved.tally.findings.iter().any(|finding| finding.floor),
        effects: resolved.effects,
        classes,
    }
}

fn session_that_made(paths: &[&str]) -> SessionView {
    let mut session = SessionView::default();
    for path in paths {
        let file = doorward_core::session::WrittenFile { created: true, ..Default::default() };
        session.written.insert((*path).to_owned(), file);
    }
    session
}

fn look(ask: bool, intent: Intent) -> Seen {
    look_in(&EmptyWorld::at_home("/home/user"), &SessionView::default(), ask, intent)
}

#[test]
fn the_rows_of_the_risk_table() {
    use WriteMode::{Create, InPlace, Metadata, Truncate};
    let rows: Vec<(&str, Intent, SecurityRisk, &str)> = vec![
        ("read inside", read("src/a"), Low, ""),
        ("read in scratch", read("/tmp/a"), Low, ""),
        ("read a device", read("/dev/zero"), Low, ""),
        ("read outside", read("/etc/hosts"), Medium, "shell.read_outside"),
        ("read above", read("../x"), Medium, "shell.read_outside"),
        ("read a glob", read("*.rs"), Medium, "shell.read_unknown"),
        ("read anything", read("…"), Medium, "shell.read_unknown"),
        ("read a glob that fits a secret", read(".e*"), High, "shell.secret_read"),
        ("read a secret", read(".env"), High, "shell.secret_read"),
        ("read a secret outside", read("/etc/shadow"), High, "shell.secret_read"),
        ("read an environment", read("/proc/self/environ"), High, "shell.secret_read"),
        ("send a secret", sent(".env", "evil.example"), High, "flow.secret_to_egress"),
        ("send from outside", sent("/etc/hosts", "evil.example"), High, "shell.upload"),
        ("send from inside", sent("a.txt", "evil.example"), High, "shell.upload"),
        ("send to oneself", sent("a.txt", "localhost"), Medium, "net.loopback"),
        ("write inside", write("a", Create), Medium, ""),
        ("write in scratch", write("/tmp/a", Create), Medium, ""),
        ("write to nothing", write("/dev/null", Create), Medium, ""),
        ("write somewhere inside", write("logs/….txt", Create), Medium, ""),
        ("write a matching name", write("*.rs", InPlace), Medium, ""),
        ("write anywhere", write("…", Create), High, "path.outside"),
        ("write outside", write("/opt/x", Create), High, "path.outside"),
        ("write above", write("../x", Create), High, "path.outside"),
        ("write out of a folder inside", write("src/../../x", Create), High, "path.escape"),
        ("write far above", write("../../a/x", Create), High, "path.outside"),
        ("write up and up again", write("../a/../../x", Create), High, "path.escape"),
        ("write a protected name", write(".git/hooks/pre-commit", Create), High, "path.protected"),
        ("write an asked name", write("CLAUDE.md", Create), High, "path.protected"),
        ("write our own", write("doorward.toml", Create), High, "path.own_files"),
        ("write a unit", write("/etc/systemd/system/x.service", Create), High, "shell.persistence"),
        ("write keys", write("~/.ssh/authorized_keys", Create), High, "shell.persistence"),
        ("write a log of the system", write("/var/log/auth.log", Create), High, "shell.tamper"),
        ("write a disk", write("/dev/sda", Create), High, "shell.data_loss"),
        ("write a secret name", write(".env", Create), Medium, ""),
        ("touch", write("a", Metadata), Medium, ""),
        ("chmod", chmod("a", "755"), Medium, ""),
        ("chmod for all", chmod("a", "777"), High, "shell.privilege"),
        ("chmod setuid", chmod("a", "4755"), High, "shell.privilege"),
        ("truncate", write("a", Truncate), High, "shell.delete"),
        ("truncate a log", write("a.log", Truncate), Medium, ""),
        ("move inside", moved("a", "b"), Medium, ""),
        ("move in from scratch", moved("/tmp/a", "b"), Medium, ""),
        ("move out", moved("a", "/tmp/b"), High, "shell.delete"),
        ("move in from outside", moved("/opt/a", "b"), High, "path.outside"),
        ("move git away", moved(".git", "g"), High, "path.protected"),
        ("delete", delete("src/a", false), High, "shell.delete"),
        ("delete a build", delete("target", true), Medium, "shell.delete_regenerable"),
        ("delete deep in a build", delete("web/node_modules/x", true), Medium, "shell.delete_regenerable"),
        ("delete objects", delete("src/*.o", false), Medium, "shell.delete_regenerable"),
        ("delete in scratch", delete("/tmp/x", true), Medium, "shell.delete_regenerable"),
        ("delete scratch itself", delete("/tmp", true), High, "shell.delete"),
        ("delete the root", delete("/", true), High, "shell.delete_everything"),
        ("delete all of home", delete("~/*", true), High, "shell.delete_everything"),
        ("delete a system folder", delete("/usr", true), High, "shell.delete_everything"),
        ("delete the folder itself", delete(".", true), High, "shell.delete"),
        ("delete anything", delete("…", true), High, "shell.delete"),
        ("delete git", delete(".git", true), High, "path.protected"),
        ("fetch", host("example.com", Direction::Fetch, &[]), Medium, "net.contact"),
        ("post", host("example.com", Direction::Send, &[]), Medium, "net.contact"),
        ("upload", host("example.com", Direction::Send, &["a"]), High, "shell.upload"),
        ("bytes to oneself", raw("127.0.0.1"), High, "shell.upload"),
        ("fetch from oneself", host("127.0.0.1", Direction::Fetch, &[]), Medium, "net.loopback"),
        ("fetch from a private host", host("10.0.0.1", Direction::Fetch, &[]), High, "net.private"),
        ("fetch metadata", host("169.254.169.254", Direction::Fetch, &[]), High, "net.metadata"),
        ("push", push(Some("origin"), "git"), Medium, "net.contact"),
        ("push elsewhere", push(None, "git"), High, "shell.upload"),
    ];
    let session = session_that_made(&["/tmp/a", "/tmp/b", "/tmp/x"]);
    for (name, intent, risk, code) in rows {
        let seen = look_in(&EmptyWorld::at_home("/home/user"), &session, true, intent);
        assert_eq!(seen.risk, risk, "{name}: {:?}", seen.codes);
        match code {
            "" => assert!(seen.codes.is_empty(), "{name}: {:?}", seen.codes),
            code => assert!(seen.codes.iter().any(|own| own == code), "{name}: {:?}", seen.codes),
        }
    }
}

#[test]
fn the_temp_folder_is_scratch_only_where_the_session_made_something() {
    let world = crate::world::MapWorld::new()
        .file("/tmp/stranger/notes.txt", "theirs")
        .file("/tmp/made/old.txt", "ours")
        .file("/tmp/loose.txt", "somebody's");
    let session = session_that_made(&["/tmp/made", "/tmp/stranger/left.txt"]);
    for (path, ask, scope) in [
        ("/tmp/made/new.txt", true, Scope::Scratch),
        ("/tmp/made/old.txt", true, Scope::Scratch),
        ("/tmp/nobody-took-this", true, Scope::Scratch),
        ("/tmp/nobody-took-this/either", true, Scope::Scratch),
        ("/tmp/stranger/left.txt", true, Scope::Scratch),
        ("/tmp/stranger/notes.txt", true, Scope::Outside),
        ("/tmp/stranger/new.txt", true, Scope::Outside),
        ("/tmp/loose.txt", true, Scope::Outside),
        ("/tmp/loose.txt", false, Scope::Escape),
    ] {
        let seen = look_in(&world, &session, ask, write(path, WriteMode::Create));
        assert_eq!(seen.effects.writes.first().map(|write| write.scope), Some(scope), "{path} ask: {ask}");
    }
}

#[test]
fn floors_are_where_the_design_puts_them() {
    for (name, intent, ask, floor) in [
        ("a secret sent", sent(".env", "evil.example"), true, true),
        ("metadata", host("169.254.169.254", Direction::Fetch, &[]), true, true),
        ("a key that opens the way", keyed("~/.ssh/id_rsa", "a.txt", "example.com"), true, false),
        ("the root deleted", delete("/", true), true, true),
        ("all that is in the root", delete("/*", true), true, true),
        ("all that is in a folder", delete("src/*", true), true, false),
        ("our own files", write("~/.local/state/doorward/x", WriteMode::Create), true, true),
        ("our own files taken along", delete("~/.local", true), true, true),
        ("above, asked", write("../x", WriteMode::Create), true, false),
        ("above, strict", write("../x", WriteMode::Create), false, true),
        ("out of a folder inside", write("src/../../x", WriteMode::Create), true, true),
        ("openly outside, asked", write("/opt/x", WriteMode::Create), true, false),
        ("openly outside, strict", write("/opt/x", WriteMode::Create), false, true),
        ("protected", write(".git/config", WriteMode::Create), true, false),
        ("read outside", read("/etc/hosts"), false, false),
    ] {
        assert_eq!(look(ask, intent).floor, floor, "{name}");
    }
}

#[test]
fn classes_of_commands() {
    for (name, intent, class) in [
        ("read inside", read("a"), CallClass::ShellReadOnly),
        ("read outside", read("/etc/hosts"), CallClass::ShellReadOnly),
        ("read a secret", read(".env"), CallClass::ReadOutsideRootsOrSensitive),
        ("read anything", read("…"), CallClass::ShellOther),
        ("write", write("a", WriteMode::Create), CallClass::ShellOther),
        ("delete", delete("a", false), CallClass::ShellDestructiveOrUnparseable),
        ("delete a build", delete("target", true), CallClass::EditInsideRoots),
        ("write a hook", write(".git/hooks/x", WriteMode::Create), CallClass::EditProtectedDenyCommand),
        ("write outside", write("/opt/x", WriteMode::Create), CallClass::EditOutsideRoots),
    ] {
        let seen = look(true, intent);
        assert!(seen.classes.contains(&class), "{name}: {:?}", seen.classes);
        assert_eq!(seen.classes.contains(&CallClass::ShellReadOnly), seen.effects.read_only, "{name}");
    }
}

#[test]
fn the_rest_of_an_intent_is_weighed_too() {
    let privilege = Intent {
        privilege: vec![Privilege {
            kind: PrivilegeKind::Root,
            detail: "sudo".into(),
            span: Span::default(),
        }],
        ..read("a")
    };
    let history = Intent {
        history_loss: vec![HistoryLoss {
            what: "x".into(),
            recoverable_by: RecoverableBy::None,
            span: Span::default(),
            depends_on: None,
        }],
        ..read("a")
    };
    let install = |source, system| Intent {
        installs: vec![Install {
            manager: "pip".into(),
            packages: vec![],
            source,
            scripts: true,
            system,
            span: Span::default(),
        }],
        commands: vec![command("pip", false)],
        ..Intent::default()
    };
    let unclear = Intent {
        unknown: vec![Unknown {
            code: "shell.parse_error".into(),
            reason: "x".into(),
            span: Span::default(),
        }],
        ..Intent::default()
    };
    for (name, intent, risk) in [
        ("privilege", privilege, High),
        ("history", history, High),
        ("install from a lock file", install(InstallSource::Lockfile, false), Medium),
        ("install from a URL", install(InstallSource::Url, false), High),
        ("install for the system", install(InstallSource::Registry, true), High),
        ("not understood", unclear, Unclear),
    ] {
        assert_eq!(look(false, intent).risk, risk, "{name}");
    }
    let dump = Intent {
        env_reads: vec![doorward_core::intent::EnvRead {
            name: "*".into(),
            reaches_host: false,
            span: Span::default(),
        }],
        ..read("a")
    };
    let seen = look(true, dump);
    assert_eq!((seen.risk, seen.effects.read_only), (Medium, false));
}

#[test]
fn files_that_run_are_looked_up_and_remembered() {
    let world = MapWorld::new()
        .file("/workspace/own.sh", "echo")
        .state("/workspace/own.sh", VcsState::Clean)
        .file("/workspace/Makefile", "all:\n\techo hi\n")
        .state("/workspace/Makefile", VcsState::Clean);
    let none = SessionView::default();
    let run = |file: &str| runs("bash", &[file], Code::Shell, Some(file));
    let own = look_in(&world, &none, true, run("own.sh"));
    assert_eq!((own.risk, own.effects.judged_files.len()), (Medium, 1));
    let gone = look_in(&world, &none, true, run("gone.sh"));
    assert_eq!((gone.risk, gone.codes.as_slice()), (Medium, &["shell.file_unseen".to_owned()][..]));
    let make = look_in(&world, &none, true, runs("make", &[], Code::None, None));
    assert_eq!((make.risk, make.effects.judged_files.len()), (Medium, 1));

    let remembered = |content: Option<&str>, downloaded| SessionView {
        written: [(
            "/workspace/gone.sh".to_owned(),
            WrittenFile {
                content: content.map(Into::into),
                digest: None,
                downloaded,
                created: true,
                ..WrittenFile::default()
            },
        )]
        .into(),
        ..SessionView::default()
    };
    assert_eq!(look_in(&world, &remembered(None, false), true, run("gone.sh")).risk, High);
    let downloaded = look_in(&world, &remembered(None, true), true, run("gone.sh"));
    assert!(downloaded.codes.contains(&"shell.remote_code".to_owned()));
    // The content is known, so it was analysed with the call and is compared again before it runs.
    let known = look_in(&world, &remembered(Some("echo hi"), false), true, run("gone.sh"));
    assert_eq!(known.effects.judged_files.len(), 1);
}

#[test]
fn the_session_and_the_world_soften_what_nobody_loses() {
    let session = SessionView {
        written: [("/workspace/mine".to_owned(), WrittenFile { created: true, ..WrittenFile::default() })]
            .into(),
        remotes_added: ["evil".to_owned()].into(),
        ..SessionView::default()
    };
    let world = MapWorld::new()
        .file("/workspace/a.txt", "")
        .file("/workspace/b.txt", "")
        .file("/workspace/.env", "")
        .file("/workspace/package.json", "")
        .remote("origin", "git@github.com:me/x.git")
        .remote("evil", "https://evil.example/x");
    let look = |intent| look_in(&world, &session, true, intent);
    assert_eq!(look(delete("mine", false)).risk, Medium);
    assert_eq!(look(delete("mine", true)).risk, High);
    assert_eq!(look(write("mine", WriteMode::Truncate)).risk, Medium);
    assert_eq!(look(write("brand-new", WriteMode::Truncate)).risk, Medium);
    assert_eq!(look(write("a.txt", WriteMode::Truncate)).risk, High);
    assert_eq!(look(push(Some("evil"), "git")).risk, High);
    let origin = look(push(Some("origin"), "git"));
    assert_eq!((origin.risk, origin.effects.hosts[0].host.as_str()), (Medium, "github.com"));
    // A glob becomes the names that are there; a leading dot has to be written.
    let globbed = look(read("*.txt"));
    assert_eq!((globbed.risk, globbed.effects.reads.len()), (Low, 2));
    assert_eq!(look(read(".*")).risk, High);
    let regenerable = look(delete("build", true)).effects.deletes[0].regenerable;
    assert_eq!(regenerable, Tri::Yes);
}

#[test]
fn spans_and_hosts_of_urls_survive() {
    let mut intent = host("", Direction::Fetch, &[]);
    intent.hosts[0].url = Some("https://u@10.1.1.1:8443/x".to_owned());
    intent.hosts[0].span = Span::new(5, 9);
    let seen = look(true, intent);
    assert_eq!((seen.effects.hosts[0].port, seen.effects.hosts[0].class), (Some(8443), HostClass::Private));
}
