//! GNU coreutils and what belongs to the same shelf on other systems: files, sums, dates, users.

use doorward_core::intent::{Below, PrivilegeKind, WriteMode};

use crate::deed::{Output, Word};

use super::call::Call;
use super::row::Nature;
use super::word;

pub(in crate::programs) fn fdupes(call: &mut Call<'_>) {
    let has = |words: &[&str]| call.operands.iter().any(|word| words.contains(&word.text.as_str()));
    let cluster = |letter: char| {
        call.operands.iter().any(|word| {
            word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(letter)
        })
    };
    let deletes = match call.program.as_str() {
        "fdupes" | "jdupes" => cluster('d') || has(&["--delete"]),
        "rdfind" => has(&["-deleteduplicates", "-makesymlinks", "-makehardlinks"]),
        "stow" => cluster('D') || has(&["--delete"]),
        "systemd-tmpfiles" => has(&["--remove", "--clean", "--purge"]),
        "debugfs" => has(&["-w"]),
        "bleachbit" => has(&["-c", "--clean", "-s", "--shred", "-w", "--wipe-free-space"]),
        _ => true,
    };
    if deletes {
        call.finding("shell.delete", format!("{} deletes what it finds", call.program));
    }
}

pub(in crate::programs) fn setfacl(call: &mut Call<'_>) {
    let mut entries = call.values("-m");
    entries.extend(call.values("--set"));
    let listed = call.values("-M").into_iter().chain(call.values("--set-file")).any(|file| file.text == "-");
    if let (true, crate::deed::Stdin::Known { text, span }) = (listed, &call.argv.stdin) {
        let text = text.lines().map(str::trim).collect::<Vec<_>>().join(",");
        entries.push(Word::literal(text, *span));
    }
    for entry in &entries {
        let opens = entry.text.split(',').any(|entry| {
            let parts: Vec<&str> = entry.trim_start_matches("d:").split(':').collect();
            let others = matches!(parts.first(), Some(&("o" | "other")))
                || parts.len() == 3 && !parts.get(1).is_some_and(|name| name.is_empty());
            others && parts.last().is_some_and(|bits| bits.contains(['w', '7', '6', '2', '3']))
        });
        if opens {
            call.finding("shell.privilege", "lets other users write");
        }
    }
}

/// `gio remove x`, `gio copy a b`: GLib's own file commands.
pub(in crate::programs) fn gio(call: &mut Call<'_>) {
    let words: Vec<Word> = call.operands.iter().filter(|word| !word.text.starts_with('-')).cloned().collect();
    let Some((verb, files)) = words.split_first() else { return };
    match verb.text.as_str() {
        "remove" | "trash" => files.iter().for_each(|file| call.delete(file, verb.text == "trash", true)),
        "copy" | "move" => {
            if let Some((target, sources)) = files.split_last() {
                for source in sources {
                    if verb.text == "move" {
                        call.move_to(source, target);
                    } else {
                        call.read(source);
                        call.write(target, WriteMode::Create);
                    }
                }
            }
        }
        "save" | "mkdir" => files.iter().for_each(|file| call.write(file, WriteMode::Create)),
        "rename" | "set" => files.iter().take(1).for_each(|file| call.write(file, WriteMode::Metadata)),
        "cat" => {
            call.nature = Nature::Reads;
            files.iter().for_each(|file| call.read(file));
            call.deeds.output = Output::Filtered;
        }
        "open" | "launch" => {
            call.finding("shell.unknown_program", "opens a file with whatever program is set for it")
        }
        "info" | "list" | "tree" | "monitor" | "mime" | "help" | "version" => {
            call.nature = Nature::Reads;
            files.iter().for_each(|file| call.look(file));
        }
        _ => call.unknown_sub(verb),
    }
}

/// Names of files as they were given, of folders what is in them.
pub(in crate::programs) fn ls(call: &mut Call<'_>) {
    if call.any(&["-l", "-m", "-s", "-i", "-n", "-g", "-o", "-x"]) {
        return;
    }
    for name in call.operands.clone() {
        call.deeds.lists.push(name.clone());
        if !call.has("-d") && name.form == doorward_core::intent::Form::Literal {
            call.lists("*");
        }
    }
    if call.operands.is_empty() {
        call.lists("*");
    }
}

pub(in crate::programs) fn getent(call: &mut Call<'_>) {
    match call.first() {
        Some("shadow" | "gshadow") => call.secret("reads password hashes"),
        Some("hosts" | "ahosts" | "ahostsv4" | "ahostsv6") if call.program == "getent" => {
            if let Some(host) = call.operand(1) {
                call.contact(&host, "dns", doorward_core::intent::Direction::Both, Vec::new());
            }
        }
        _ => {}
    }
}

pub(in crate::programs) fn mktemp(call: &mut Call<'_>) {
    if call.has("-u") {
        return;
    }
    let template = call.operand(0);
    let folder = call.value("-p").or_else(|| call.value("--tmpdir"));
    match (folder, template) {
        (Some(folder), _) if folder.known().is_none() => call.write(&folder, WriteMode::Create),
        (Some(folder), template) => {
            let name = template.map_or_else(|| "tmp.XXXXXXXXXX".to_owned(), |template| template.text);
            call.write_named(&format!("{}/{name}", folder.text), WriteMode::Create);
        }
        (None, Some(template)) if !call.any(&["-t", "--tmpdir"]) => call.write(&template, WriteMode::Create),
        _ => {}
    }
}

pub(in crate::programs) fn truncate(call: &mut Call<'_>) {
    let like_nothing = call.value("-r").is_some_and(|like| like.text == "/dev/null");
    let empties = like_nothing
        || call.value("-s").is_some_and(|size| {
            matches!(size.text.trim_start_matches(['<', '/', '%']), "0" | "0K" | "0M")
                || size.known().is_none()
        });
    let mode = if empties { WriteMode::Truncate } else { WriteMode::InPlace };
    for path in call.operands.clone() {
        call.write(&path, mode);
    }
}

/// Sources and the destination of a command that takes `SOURCE... DEST` or `-t DIR SOURCE...`.
fn sources_and_target(call: &Call<'_>) -> (Vec<Word>, Option<Word>, bool) {
    let mut operands = call.operands.clone();
    if let Some(folder) = call.value("-t") {
        return (operands, Some(folder), true);
    }
    if operands.len() == 1 && matches!(call.program.as_str(), "ln" | "gln") {
        return (operands, None, true);
    }
    let target = operands.pop();
    let into = operands.len() > 1
        || target
            .as_ref()
            .is_some_and(|target| target.text.ends_with('/') || target.text == "." || target.text == "..");
    (operands, target, into)
}

/// Where `source` ends up.
pub(super) fn lands_at(source: &Word, target: &Word, into: bool) -> Word {
    // The temp folder is a folder wherever it is.
    let into = into || matches!(target.text.as_str(), "/tmp" | "/var/tmp");
    if !into || target.known().is_none() {
        return target.clone();
    }
    let name = source.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let folder = target.text.trim_end_matches('/');
    let path = match (folder, target.text.is_empty()) {
        ("", false) => format!("/{name}"),
        (".", _) => name.to_owned(),
        (folder, _) => format!("{folder}/{name}"),
    };
    let mut landed = word::instead(target, path);
    landed.form = source.form;
    if matches!(name, "" | "." | "..") {
        landed = target.clone();
    }
    landed
}

pub(in crate::programs) fn copy(call: &mut Call<'_>) {
    let (sources, target, into) = sources_and_target(call);
    let whole = call.any(&["-r", "-R", "-a", "--recursive", "--archive"]);
    for source in &sources {
        call.read_below(source, if whole { Below::Everything } else { Below::Nothing });
    }
    let Some(target) = target else {
        let name = sources
            .first()
            .map(|source| source.text.rsplit('/').next().unwrap_or_default().to_owned())
            .unwrap_or_default();
        return call.write_named(&name, WriteMode::Create);
    };
    let empties = sources.first().is_some_and(|source| source.text == "/dev/null")
        && (!call.has("-s") || call.program.ends_with("ln") && call.has("-f"));
    for source in &sources {
        let at = lands_at(source, &target, into);
        call.write(&at, if empties { WriteMode::Truncate } else { WriteMode::Create });
    }
    let is_hard = match call.program.as_str() {
        "link" => true,
        program if program.ends_with("ln") => !call.has("-s"),
        _ => call.has("-l"),
    };
    if is_hard {
        // A second name for the same file: whoever may write there from now on writes here.
        for source in &sources {
            call.write(source, WriteMode::Metadata);
        }
    }
}

pub(in crate::programs) fn rename(call: &mut Call<'_>) {
    let (sources, target, into) = sources_and_target(call);
    let Some(target) = target else { return };
    for source in &sources {
        let at = lands_at(source, &target, into);
        call.move_to(source, &at);
    }
}

pub(in crate::programs) fn install(call: &mut Call<'_>) {
    if let Some(mode) = call.value("-m") {
        judge_mode(call, &mode);
    }
    if call.has("-d") {
        for path in call.operands.clone() {
            call.write(&path, WriteMode::Create);
        }
    } else {
        copy(call);
    }
}

pub(in crate::programs) fn chmod(call: &mut Call<'_>) {
    let mut mode: Option<Word> = None;
    let mut files = Vec::new();
    let mut reference = false;
    let mut ended = false;
    for operand in call.operands.clone() {
        let text = operand.text.clone();
        let is_minus_mode = text.len() > 1
            && text.get(1..).is_some_and(|rest| rest.chars().all(|letter| "rwxXstugo,+=-".contains(letter)));
        if !ended && text == "--" {
            ended = true;
        } else if !ended && text.starts_with("--") {
            match text.split_once('=') {
                Some((option, _)) if option.len() > 4 && "--reference".starts_with(option) => {
                    reference = true;
                    if let Some((_, value)) = word::halves(&operand, '=') {
                        call.look(&value);
                        if value.text.starts_with(['/', '~', '…']) {
                            call.finding("shell.privilege", "copies a mode that can't be seen here");
                        }
                    }
                }
                _ if [
                    "--changes",
                    "--silent",
                    "--quiet",
                    "--verbose",
                    "--recursive",
                    "--preserve-root",
                    "--no-preserve-root",
                    "--dereference",
                    "--no-dereference",
                ]
                .iter()
                .any(|known| text.len() > 3 && known.starts_with(text.as_str())) => {}
                _ => call.deeds.known = false,
            }
        } else if !ended && text.starts_with('-') && text.len() > 1 && !is_minus_mode {
            if !text.chars().skip(1).all(|letter| "cfvRhHLPNEC".contains(letter)) {
                call.deeds.known = false;
            }
        } else if mode.is_none() && !reference {
            mode = Some(operand);
        } else {
            files.push(operand);
        }
    }
    let before = call.deeds.writes.len();
    for path in &files {
        call.write(path, WriteMode::Metadata);
    }
    let Some(mode) = mode else { return };
    let text = mode.known().map(str::to_owned);
    call.deeds.writes.iter_mut().skip(before).for_each(|write| write.chmod.clone_from(&text));
    judge_mode(call, &mode);
}

/// Says what a mode hands out: set-id bits, or write access for everybody.
pub(super) fn judge_mode(call: &mut Call<'_>, mode: &Word) {
    let Some(text) = mode.known() else {
        return call.privilege(PrivilegeKind::Setuid, "a mode that can't be seen");
    };
    let (setid, world) = mode_grants(text);
    if setid {
        call.privilege(PrivilegeKind::Setuid, format!("mode {text} sets set-user-id or set-group-id"));
    }
    if world {
        call.privilege(PrivilegeKind::Setuid, format!("mode {text} lets everybody write"));
    }
}

/// Whether a mode sets set-id bits, and whether it lets others write.
fn mode_grants(text: &str) -> (bool, bool) {
    let octal = text.trim_start_matches(['+', '=', '-']);
    if !octal.is_empty() && octal.bytes().all(|byte| (b'0'..=b'7').contains(&byte)) {
        if text.starts_with('-') {
            return (false, false);
        }
        let bits = u32::from_str_radix(octal, 8).unwrap_or(0o7777);
        return (bits & 0o6000 != 0, bits & 0o002 != 0);
    }
    let (mut setid, mut world) = (false, false);
    for clause in text.split(',') {
        let who: String = clause.chars().take_while(|letter| "ugoa".contains(*letter)).collect();
        let actions = clause.get(who.len()..).unwrap_or_default();
        let others = who.contains(['o', 'a']);
        let mut operation = '-';
        for letter in actions.chars() {
            match letter {
                '+' | '=' | '-' => operation = letter,
                's' if operation != '-' && (who.is_empty() || who.contains(['u', 'g', 'a'])) => setid = true,
                'w' | 'u' | 'g' if operation != '-' && others => world = true,
                _ => {}
            }
        }
    }
    (setid, world)
}

pub(in crate::programs) fn chattr(call: &mut Call<'_>) {
    let operands = call.operands.clone();
    let mut immutable = false;
    for operand in &operands {
        match operand.text.chars().next() {
            Some('+' | '-' | '=') => immutable |= operand.text.contains(['i', 'a']),
            _ => call.write(operand, WriteMode::Metadata),
        }
    }
    if immutable {
        call.privilege(PrivilegeKind::Capability, "changes the immutable or append-only flag");
    }
}

pub(in crate::programs) fn dd(call: &mut Call<'_>) {
    call.operands = call.argv.words.iter().skip(1).cloned().collect();
    let mut writes = false;
    // What is copied from nothing, or nothing of it, empties the target.
    let empties = call.operands.iter().any(|word| matches!(word.text.as_str(), "if=/dev/null" | "count=0"))
        || matches!(&call.argv.stdin, crate::deed::Stdin::Known { text, .. } if text.is_empty())
            && !call.operands.iter().any(|word| word.text.starts_with("if="));
    let keeps =
        call.operands.iter().any(|word| word.text.starts_with("conv=") && word.text.contains("notrunc"));
    for operand in call.operands.clone() {
        match word::halves(&operand, '=') {
            Some((name, value)) => match name.text.as_str() {
                "if" => call.read(&value),
                "of" => {
                    let nowhere = matches!(value.text.as_str(), "/dev/null" | "/dev/stdout" | "/dev/stderr");
                    writes |= !nowhere;
                    call.beyond_plain |= !nowhere;
                    let mode = if empties && !keeps { WriteMode::Truncate } else { WriteMode::Create };
                    call.write(&value, mode);
                }
                "bs" | "ibs" | "obs" | "cbs" | "count" | "skip" | "iseek" | "seek" | "oseek" | "conv"
                | "iflag" | "oflag" | "status" => {}
                _ => call.deeds.known = false,
            },
            None if matches!(operand.text.as_str(), "--help" | "--version" | "--") => {}
            None => call.deeds.known = false,
        }
    }
    call.strangers.clear();
    if !writes {
        call.nature = super::row::Nature::Reads;
        call.deeds.output = Output::Filtered;
    }
}

pub(in crate::programs) fn tee(call: &mut Call<'_>) {
    let empty = matches!(&call.argv.stdin, crate::deed::Stdin::Known { text, .. } if text.is_empty());
    let mode = match (call.has("-a"), empty) {
        (true, _) => WriteMode::Append,
        (false, true) => WriteMode::Truncate,
        (false, false) => WriteMode::Create,
    };
    for path in call.operands.clone() {
        call.write(&path, mode);
    }
    call.beyond_plain |= !call.deeds.writes.is_empty();
}

pub(in crate::programs) fn split(call: &mut Call<'_>) {
    if call.has("--filter") {
        return;
    }
    // `-n K/N` prints one part and writes none.
    if call.value("-n").is_some_and(|parts| parts.text.trim_start_matches(['l', 'r', '/']).contains('/')) {
        return;
    }
    let prefix = call.operand(1).map_or_else(|| "x".to_owned(), |prefix| prefix.text);
    call.beyond_plain |= call.operands.len() > 1;
    call.write_named(&format!("{prefix}aa"), WriteMode::Create);
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;
    use super::mode_grants;

    #[test]
    fn files_are_read_written_and_deleted_where_the_words_say() {
        check(&[
            ("ls -la src", "look src; read-only"),
            ("cat -n a b", "read a; read b; read-only"),
            ("head -5 a", "read a; read-only"),
            ("sort -k2,2n a", "read a; read-only"),
            ("sort -o out a", "read a; create out"),
            ("sort --outp=out a", "read a; create out"),
            ("sort --compress-prog=x a", "read a; argv x"),
            ("uniq a b", "read a; create b"),
            ("rm -rf a", "delete-rf a; plain"),
            ("rm --recursive --force a", "delete-rf a; plain"),
            ("rm -r -f -- -a", "delete-rf -a; plain"),
            ("cp a b", "read a; create b; plain"),
            ("cp a b dir/", "read a; read b; create dir/a; create dir/b; plain"),
            ("cp -t dir a", "read a; create dir/a; plain"),
            ("cp -l a b", "read a; create b; meta a; plain"),
            ("ln a b", "read a; create b; meta a; plain"),
            ("ln -s a b", "read a; create b; plain"),
            ("link a b", "read a; create b; meta a; plain"),
            ("cp /dev/null f", "truncate f; plain"),
            ("mv a b", "move a b; plain"),
            ("mv /etc /dev/null", "delete-rf /etc; plain"),
            ("chmod 777 a", "meta a; privilege setuid"),
            ("chmod -R u+x a", "meta a; plain"),
            ("chmod -x a", "meta a; plain"),
            ("truncate -s 0 a", "truncate a; plain"),
            ("tee a", "create a"),
            ("tee -a a", "append a"),
            ("dd if=a of=b", "read a; create b"),
            ("split --filter=x a", "read a; sh x"),
            ("date +%s", "read-only"),
            ("date -s 12:00", "privilege kernel"),
            ("tree -o out", "create out"),
            ("mkdir -p a/b", "create a/b; plain"),
            ("touch a", "meta a; plain"),
        ]);
    }

    #[test]
    fn modes_are_read_as_chmod_reads_them() {
        for (mode, setid, world) in [
            ("777", false, true),
            ("0666", false, true),
            ("4755", true, false),
            ("u+s", true, false),
            ("o+w", false, true),
            ("a=rwx", false, true),
            ("+x", false, false),
            ("go-w", false, false),
            ("o=u", false, true),
            ("ug+rw,o+w", false, true),
            ("644", false, false),
        ] {
            assert_eq!(mode_grants(mode), (setid, world), "{mode}");
        }
    }
}
