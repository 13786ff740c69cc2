//! The commands of cmd and the programs of Windows: one row each, from `NAME /?` of Windows 11 and
//! learn.microsoft.com/windows-server/administration/windows-commands, read in November 2026.

use doorward_core::intent::{Direction, PrivilegeKind, WriteMode};

use super::super::Value;
use super::super::powershell::places;
use super::Batch;

enum Does {
    /// Nothing but printing or computing.
    Quiet,
    Looks,
    Deletes,
    Makes,
    Copies,
    Moves,
    Host,
    Privilege(&'static str),
    Finding(&'static str, &'static str),
    /// Harmless with one of these words, or with none at all where `-` is listed; else what follows.
    Unless(&'static str, &'static Does),
    Own(fn(&mut Batch<'_>, &[String])),
}

use Does::{Copies, Deletes, Finding, Host, Looks, Makes, Moves, Own, Privilege, Quiet, Unless};

const ROWS: &[(&str, Does)] = &[
    (
        "echo rem exit cls title ver vol prompt verify date time pause shift setlocal endlocal goto color break chcp \
            help mode path \
      where whoami hostname tasklist systeminfo ipconfig netstat getmac driverquery query quser gpresult timeout \
          choice waitfor \
      clip doskey label more_ tree_ arp route_ nbtstat pathping_ echo. echo: set cmdkey_ graftabl",
        Quiet,
    ),
    ("type more fc comp findstr find sort", Own(read)),
    ("dir tree", Looks),
    ("del erase", Deletes),
    ("rd rmdir", Deletes),
    ("md mkdir", Makes),
    ("copy xcopy replace", Copies),
    ("robocopy", Own(robocopy)),
    ("move ren rename", Moves),
    ("mklink", Own(link)),
    ("ping tracert pathping nslookup", Host),
    ("attrib", Own(attrib)),
    ("assoc ftype", Own(association)),
    ("icacls cacls", Own(permissions)),
    ("takeown", Privilege("takes over the ownership of files")),
    ("runas", Privilege("runs a program as another user")),
    ("reg", Own(registry)),
    ("regedit", Privilege("changes the registry of Windows")),
    (
        "schtasks",
        Unless("/query -", &Finding("shell.persistence", "changes tasks, which Windows starts by itself")),
    ),
    ("at", Unless("-", &Finding("shell.persistence", "makes a task, which Windows starts by itself"))),
    (
        "sc",
        Unless(
            "query queryex qc qdescription qfailure getdisplayname getkeyname enumdepend sdshow",
            &Finding("shell.persistence", "changes a service of Windows"),
        ),
    ),
    ("net net1", Own(net)),
    ("netsh", Unless("show dump", &Privilege("changes the network or the firewall"))),
    ("route", Unless("print", &Privilege("changes the network"))),
    ("wmic", Own(wmic)),
    ("vssadmin", Unless("list", &Finding("shell.data_loss", "deletes or changes shadow copies"))),
    ("wbadmin", Unless("get", &Finding("shell.data_loss", "deletes or changes backups"))),
    (
        "wevtutil",
        Unless(
            "qe el gl gli ep gp query-events enum-logs get-log get-loginfo",
            &Finding("shell.tamper", "wipes or changes logs"),
        ),
    ),
    ("bcdedit", Unless("/enum -", &Finding("shell.data_loss", "changes how Windows starts"))),
    ("auditpol", Unless("/get /list", &Finding("shell.tamper", "changes what is logged"))),
    ("diskpart format diskshadow sdelete", Finding("shell.data_loss", "destroys disks or files")),
    ("cipher", Unless("-", &Finding("shell.data_loss", "wipes free space or encrypts files"))),
    (
        "fsutil",
        Unless(
            "fsinfo queryinfo query queryfree querycasesensitiveinfo",
            &Finding("shell.data_loss", "changes a file system"),
        ),
    ),
    ("shutdown logoff", Finding("shell.resource", "shuts the machine down")),
    ("taskkill tskill", Finding("shell.resource", "ends processes by number or name")),
    ("certutil", Own(certutil)),
    ("bitsadmin", Own(bitsadmin)),
    ("setx", Finding("shell.persistence", "changes the environment of every program")),
    ("cmdkey", Unless("/list -", &Privilege("changes stored credentials"))),
    ("vaultcmd", Finding("shell.secret_read", "lists stored credentials")),
    ("ntdsutil esentutl", Finding("shell.secret_read", "copies the store of accounts")),
    ("procdump", Finding("shell.secret_read", "writes out the memory of a program")),
    (
        "rundll32 regsvr32 regsvcs regasm mshta cscript wscript msiexec installutil pcalua hh control cmstp odbcconf \
            presentationhost \
      ieexec mavinject xwizard infdefaultinstall",
        Privilege("runs code through a program of Windows"),
    ),
    (
        "dism sfc pnputil",
        Unless(
            "/get-features /get-packages /verifyonly /enum-drivers /get-drivers",
            &Privilege("changes Windows"),
        ),
    ),
    ("manage-bde", Unless("-status", &Privilege("changes the encryption of a disk"))),
    ("gpupdate w32tm", Privilege("changes Windows")),
    ("nltest dsquery", Quiet),
    ("subst", Unless("-", &Privilege("makes a drive"))),
    ("psexec paexec winrs", Privilege("runs a program on another host or as another user")),
];

fn row(name: &str) -> Option<&'static Does> {
    ROWS.iter().find(|(names, _)| names.split_ascii_whitespace().any(|own| own == name)).map(|(_, does)| does)
}

/// Commands that [`Batch`] itself runs.
const INSIDE: &[&str] = &["call", "cd", "chdir", "for", "forfiles", "if", "popd", "pushd", "start"];

/// Programs that are files, so that other shells start them too.
const FILES: &[&str] = &[
    "arp",
    "at",
    "attrib",
    "auditpol",
    "bcdedit",
    "bitsadmin",
    "cacls",
    "certutil",
    "cipher",
    "cmdkey",
    "comp",
    "diskpart",
    "diskshadow",
    "dism",
    "driverquery",
    "fc",
    "findstr",
    "fsutil",
    "getmac",
    "gpresult",
    "gpupdate",
    "icacls",
    "ipconfig",
    "manage-bde",
    "net",
    "net1",
    "netsh",
    "nltest",
    "ntdsutil",
    "pnputil",
    "procdump",
    "psexec",
    "query",
    "reg",
    "regsvr32",
    "robocopy",
    "rundll32",
    "runas",
    "sc",
    "schtasks",
    "sdelete",
    "setx",
    "sfc",
    "subst",
    "systeminfo",
    "takeown",
    "taskkill",
    "tasklist",
    "tskill",
    "vaultcmd",
    "vssadmin",
    "w32tm",
    "wbadmin",
    "wevtutil",
    "winrs",
    "wmic",
    "xcopy",
    "esentutl",
    "mshta",
    "cscript",
    "wscript",
    "msiexec",
    "logoff",
    "quser",
    "choice",
    "nbtstat",
    "tracert",
    "where",
];

/// Whether it is a command of cmd or a program of Windows.
pub(crate) fn is_own(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    row(&name).is_some() || INSIDE.contains(&name.as_str())
}

/// Whether another shell starts it by this name.
pub(crate) fn is_file(name: &str) -> bool {
    FILES.contains(&name)
}

/// Whether it passes on what it is fed.
pub(crate) fn is_filter(name: &str) -> bool {
    matches!(name, "findstr" | "find" | "more" | "sort" | "clip")
}

/// Judges a command; false if it isn't in the table.
pub(super) fn judge(batch: &mut Batch<'_>, base: &str, words: &[String]) -> bool {
    let Some(does) = row(base) else { return false };
    apply(batch, does, words);
    true
}

fn operands(words: &[String]) -> Vec<String> {
    words
        .iter()
        .skip(1)
        .filter(|word| !word.starts_with('/') || word.len() > 4 && word.matches('/').count() > 1)
        .cloned()
        .collect()
}

fn has(words: &[String], option: &str) -> bool {
    // Options may stand close together: `del/s/q`.
    words.iter().skip(1).any(|word| {
        let lower = word.to_ascii_lowercase();
        lower == option || lower.starts_with('/') && lower.split('/').any(|part| format!("/{part}") == option)
    })
}

fn privileged(batch: &mut Batch<'_>, message: &str) {
    let span = batch.effects.span;
    batch.effects.deeds.privilege.push(doorward_core::intent::Privilege {
        kind: PrivilegeKind::Root,
        detail: message.to_owned(),
        span,
    });
    batch.harmless = false;
}

fn apply(batch: &mut Batch<'_>, does: &Does, words: &[String]) {
    match does {
        Quiet => {}
        Looks => operands(words).iter().for_each(|path| batch.looks(path)),
        Deletes => {
            let recursive = has(words, "/s");
            operands(words).iter().for_each(|path| batch.deletes(path, recursive));
        }
        Makes => operands(words).iter().for_each(|path| batch.writes(path, WriteMode::Create)),
        Copies => {
            let paths = operands(words);
            let Some((last, sources)) = paths.split_last() else { return };
            let alone = sources.is_empty();
            for source in if alone { &paths } else { sources } {
                source.split('+').for_each(|part| batch.reads(part));
            }
            batch.writes(if alone { "." } else { last }, WriteMode::Create);
        }
        Moves => {
            let paths = operands(words);
            let Some((last, sources)) = paths.split_last() else { return };
            for source in sources {
                if let (Some(from), Some(to)) = (batch.path(source), batch.path(last)) {
                    batch.harmless = false;
                    if places::is_startup(&to) {
                        batch.find("shell.persistence", "writes where Windows starts programs by itself");
                    }
                    batch.effects.move_to(&Value::literal(from), &Value::literal(to));
                }
            }
        }
        Host => {
            batch.harmless = false;
            let valued = ["-n", "-l", "-w", "-i", "-h", "/n", "/w"];
            let mut skip = false;
            for word in words.iter().skip(1) {
                let option = word.starts_with(['-', '/']);
                if !option && !std::mem::take(&mut skip) {
                    batch.effects.host(&Value::literal(word.clone()), "icmp", Direction::Both);
                }
                skip = option && valued.contains(&word.to_ascii_lowercase().as_str());
            }
        }
        Privilege(message) => privileged(batch, message),
        Finding(code, message) => batch.find(code, message),
        Unless(harmless, does) => {
            let plain = words.len() == 1 && harmless.split(' ').any(|own| own == "-")
                || words
                    .iter()
                    .skip(1)
                    .any(|word| harmless.split(' ').any(|own| own.eq_ignore_ascii_case(word)))
                || words.iter().skip(1).any(|word| word == "/?");
            if !plain {
                apply(batch, does, words);
            }
        }
        Own(act) => act(batch, words),
    }
}

/// Filters: what they look for stands in front of the files.
fn read(batch: &mut Batch<'_>, words: &[String]) {
    let base = super::base_name(words.first().map_or("", String::as_str));
    let mut paths = operands(words);
    let pattern_given = words.iter().any(|word| {
        word.to_ascii_lowercase().starts_with("/c:") || word.to_ascii_lowercase().starts_with("/g:")
    });
    if matches!(base.as_str(), "find" | "findstr") && !pattern_given && !paths.is_empty() {
        paths.remove(0);
    }
    paths.iter().for_each(|path| batch.reads(path));
    if let Some(out) =
        words.iter().position(|word| word.eq_ignore_ascii_case("/o")).filter(|_| base == "sort")
        && let Some(path) = words.get(out + 1)
    {
        batch.writes(path, WriteMode::Create);
    }
}

fn robocopy(batch: &mut Batch<'_>, words: &[String]) {
    let paths = operands(words);
    if let Some(from) = paths.first() {
        batch.reads(from);
        if has(words, "/move") || has(words, "/mov") {
            batch.deletes(from, true);
        }
    }
    if let Some(to) = paths.get(1) {
        batch.writes(to, WriteMode::Create);
        if has(words, "/mir") || has(words, "/purge") {
            batch.deletes(to, true);
        }
    }
}

fn link(batch: &mut Batch<'_>, words: &[String]) {
    let paths = operands(words);
    if let Some(target) = paths.get(1) {
        batch.reads(target);
    }
    if let Some(link) = paths.first() {
        batch.writes(link, WriteMode::Create);
    }
}

fn attrib(batch: &mut Batch<'_>, words: &[String]) {
    let changes = words.iter().skip(1).any(|word| word.starts_with(['+', '-']));
    for path in operands(words).iter().filter(|word| !word.starts_with(['+', '-'])) {
        if changes { batch.writes(path, WriteMode::Metadata) } else { batch.looks(path) }
    }
}

fn association(batch: &mut Batch<'_>, words: &[String]) {
    if words.iter().skip(1).any(|word| word.contains('=')) || words.len() > 2 {
        batch.find("shell.persistence", "changes which program opens files");
    }
}

fn permissions(batch: &mut Batch<'_>, words: &[String]) {
    const CHANGES: &[&str] = &[
        "/grant",
        "/deny",
        "/remove",
        "/reset",
        "/setowner",
        "/inheritance",
        "/restore",
        "/setintegritylevel",
        "/g",
        "/p",
        "/r",
        "/e",
    ];
    let changes = words
        .iter()
        .skip(1)
        .any(|word| CHANGES.iter().any(|own| word.to_ascii_lowercase().split(':').next() == Some(own)));
    if changes {
        privileged(batch, "changes who may reach files");
    }
    operands(words).iter().take(1).for_each(|path| batch.looks(path));
}

fn registry(batch: &mut Batch<'_>, words: &[String]) {
    let verb = words.get(1).map(|verb| verb.to_ascii_lowercase()).unwrap_or_default();
    let key = words.get(2).cloned().unwrap_or_default();
    match verb.as_str() {
        "query" | "compare" | "/?" | "" => {
            if places::holds_credentials(&key) {
                batch.find("shell.secret_read", "reads credentials of Windows");
            }
        }
        "export" | "save" => {
            if places::holds_credentials(&key) {
                batch.find("shell.secret_read", "copies credentials of Windows");
            }
            if let Some(file) = words.get(3) {
                batch.writes(file, WriteMode::Create);
            }
        }
        _ => {
            if places::starts_programs(&key) {
                batch.find(
                    "shell.persistence",
                    "writes where Windows starts programs by itself, or what guards it",
                );
            }
            privileged(batch, "changes the registry of Windows");
        }
    }
}

fn net(batch: &mut Batch<'_>, words: &[String]) {
    let verb = words.get(1).map(|verb| verb.to_ascii_lowercase()).unwrap_or_default();
    match verb.as_str() {
        "use" if words.len() > 2 => {
            let share =
                words.iter().find(|word| word.starts_with("\\\\")).cloned().unwrap_or_else(|| "…".to_owned());
            let host = share.trim_start_matches('\\').split('\\').next().unwrap_or_default().to_owned();
            batch.harmless = false;
            batch.effects.host(&Value::literal(format!("smb://{host}/")), "smb", Direction::Both);
        }
        "view" | "config" | "statistics" | "help" | "helpmsg" | "time" | "" | "use" => {}
        "user" | "localgroup" | "group" | "accounts" | "share" | "start" | "session" | "file"
            if words.len() <= 3
                && !words
                    .iter()
                    .any(|word| word.contains("/delete") || word.contains("/add") || word.contains('='))
                && (verb != "start" || words.len() == 2) => {}
        _ => privileged(batch, "changes users, groups, shares or services of Windows"),
    }
}

fn wmic(batch: &mut Batch<'_>, words: &[String]) {
    let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let has = |word: &str| lower.iter().any(|own| own == word);
    if has("delete") && has("shadowcopy") {
        return batch.find("shell.data_loss", "deletes shadow copies");
    }
    if let Some(at) = lower.iter().position(|word| word == "create") {
        let line = words.get(at + 1..).unwrap_or_default().join(" ");
        batch.harmless = false;
        return batch.run(&line, None);
    }
    if has("call")
        || has("delete")
        || has("set")
        || lower.iter().any(|word| word.starts_with("/node:") || word.starts_with("/format:"))
    {
        privileged(batch, "changes Windows through WMI");
    }
}

fn certutil(batch: &mut Batch<'_>, words: &[String]) {
    let has = |option: &str| {
        words.iter().skip(1).any(|word| word.trim_start_matches(['-', '/']).eq_ignore_ascii_case(option))
    };
    let paths: Vec<String> =
        words.iter().skip(1).filter(|word| !word.starts_with(['-', '/'])).cloned().collect();
    if has("hashfile") || has("dump") || has("store") || has("verify") || has("viewstore") {
        return paths.iter().take(1).for_each(|path| batch.looks(path));
    }
    if let Some(url) = paths.iter().find(|path| path.contains("://")) {
        batch.harmless = false;
        batch.effects.host(&Value::literal(url.clone()), "https", Direction::Fetch);
        if let Some(file) = paths.iter().rfind(|path| !path.contains("://")) {
            batch.writes(file, WriteMode::Create);
            batch.effects.deeds.writes.iter_mut().for_each(|write| write.downloaded = true);
        }
        return batch.find("shell.obfuscated", "downloads through a program that has another purpose");
    }
    if has("decode") || has("decodehex") || has("encode") || has("encodehex") {
        if let Some(path) = paths.first() {
            batch.reads(path);
        }
        if let Some(path) = paths.get(1) {
            batch.writes(path, WriteMode::Create);
        }
        if has("decode") || has("decodehex") {
            batch.find("shell.obfuscated", "writes a file that had to be decoded");
        }
        return;
    }
    privileged(batch, "changes certificates");
}

fn bitsadmin(batch: &mut Batch<'_>, words: &[String]) {
    if has(words, "/list") || words.len() == 1 {
        return;
    }
    batch.harmless = false;
    if let Some(at) = words.iter().position(|word| word.contains("://")) {
        let send = words.iter().any(|word| word.eq_ignore_ascii_case("/upload"));
        let direction = if send { Direction::Send } else { Direction::Fetch };
        batch.effects.host(&Value::literal(words.get(at).cloned().unwrap_or_default()), "https", direction);
        if let Some(file) = words.get(at + 1) {
            if send {
                batch.reads(file)
            } else {
                batch.writes(file, WriteMode::Create)
            }
            batch.effects.deeds.writes.iter_mut().for_each(|write| write.downloaded = true);
        }
    }
    batch.find("shell.obfuscated", "transfers through a program that has another purpose");
}
