//! Archives and compression.

use doorward_core::intent::{Below, WriteMode};
use doorward_knowledge::row::{Nature, Role};

use crate::deed::{Output, Word};

use super::call::Call;
use super::word;

pub(in crate::programs) fn tar(call: &mut Call<'_>) {
    if call.value("--to-command").is_some_and(|command| crate::languages::is_interpreter(&command.text)) {
        call.finding("shell.generated_code", "runs what the archive holds");
    }
    if let Some(mode) = call.value("--mode") {
        super::coreutils::judge_mode(call, &mode);
    }
    // Old style: the first word is a bundle without a dash.
    let old =
        call.argv.words.get(1).filter(|word| !word.text.starts_with('-') && !word.text.is_empty()).cloned();
    if let Some(bundle) = old.filter(|_| !call.operands.is_empty()) {
        let mut words = vec![];
        let mut rest: Vec<Word> = call.argv.words.iter().skip(2).cloned().collect();
        for letter in bundle.text.chars() {
            words.push(word::instead(&bundle, format!("-{letter}")));
            let takes =
                matches!(letter, 'f' | 'b' | 'C' | 'F' | 'g' | 'H' | 'I' | 'K' | 'L' | 'N' | 'T' | 'V' | 'X');
            if takes && !rest.is_empty() {
                words.push(rest.remove(0));
            }
        }
        words.extend(rest);
        if let Some(row) = super::lookup("tar") {
            let parsed = super::parse::parse(&words, row);
            let own: Vec<_> = parsed
                .given
                .iter()
                .filter(|given| given.role.is_some_and(Role::acts) || given.role == Some(Role::Read))
                .cloned()
                .collect();
            let before: Vec<_> =
                call.given.iter().filter(|given| given.value.is_some()).map(|given| given.name).collect();
            for given in own.iter().filter(|given| !before.contains(&given.name)) {
                if let (Some(role), Some(value)) = (given.role, &given.value) {
                    call.apply(role, value);
                }
            }
            call.given = parsed.given;
            call.operands = parsed.operands;
            call.strangers = parsed.strangers;
        }
    }
    for action in call.values("--checkpoint-action") {
        if let Some(text) = word::after(&action, "exec=") {
            call.run_shell(text);
        }
    }
    let archive = call.value("-f").filter(|archive| archive.text != "-");
    if let Some(archive) = &archive
        && super::url::scp_host(&archive.text).is_some()
        && !call.has("--force-local")
    {
        let host = word::halves(archive, ':').map_or_else(|| archive.clone(), |(host, _)| host);
        call.contact(&host, "ssh", doorward_core::intent::Direction::Both, Vec::new());
    }
    let folder = call.value("-C").map(|folder| folder.text);
    let members = call.operands.clone();
    if call.any(&["-t", "-d", "--test-label"]) {
        call.nature = Nature::Reads;
        if let Some(archive) = archive {
            call.read(&archive);
        }
    } else if call.has("-x") {
        if let Some(archive) = archive {
            call.read(&archive);
        }
        if call.any(&["-O", "--to-command"]) {
            members.iter().for_each(|member| super::unknown::mention(call, member));
            call.nature = Nature::Reads;
            call.deeds.output = Output::Decoded;
            return;
        }
        // What is inside isn't known: anything below the folder may be overwritten.
        match folder {
            Some(folder) => {
                call.write_named(&folder, WriteMode::Create);
                call.nature = Nature::Named;
            }
            None => {
                call.write_named(".", WriteMode::Create);
                call.nature = Nature::Named;
            }
        }
        if call.has("-P") {
            call.beyond_plain = true;
            call.finding("path.outside", "unpacks absolute names, wherever they lead");
        }
    } else if call.any(&["-c", "-r", "-u", "-A", "--delete"]) {
        let listed = call.value("-T").filter(|list| matches!(list.text.as_str(), "-" | "/dev/stdin"));
        let mut members = members;
        if listed.is_some() {
            members.extend(call.stdin_names());
        }
        for member in &members {
            let at = match &folder {
                Some(folder) if !member.text.starts_with('/') => {
                    word::instead(member, format!("{}/{}", folder.trim_end_matches('/'), member.text))
                }
                _ => member.clone(),
            };
            call.read_below(&at, Below::Everything);
            if call.has("--remove-files") {
                call.delete(&at, true, true);
            }
        }
        if let Some(archive) = archive {
            let mode = if call.has("-c") { WriteMode::Create } else { WriteMode::InPlace };
            call.nature = Nature::Named;
            call.write(&archive, mode);
        } else {
            call.deeds.output = Output::Filtered;
        }
    }
}

pub(in crate::programs) fn compress(call: &mut Call<'_>) {
    let keeps = call.has("-k")
        || matches!(call.program.as_str(), "zstd" | "unzstd" | "lz4" | "unlz4" | "brotli" | "pzstd")
            && !call.has("--rm");
    let prints = call.has("-c") || call.operands.is_empty();
    let unpacks = call.has("-d")
        || call.program.starts_with("un")
        || call.program == "bunzip2"
        || call.program == "gunzip";
    for file in call.operands.clone() {
        call.read(&file);
        // The packed file is the one that is named; nothing keeps what a device gets.
        if let Some(target) = call.value("-o").filter(|_| !keeps && call.has("--rm")) {
            match target.text.starts_with("/dev/") {
                true => call.delete(&file, false, false),
                false => call.move_to(&file, &target),
            }
        }
        if prints || call.any(&["-l", "-t", "-o"]) || file.text == "-" {
            continue;
        }
        let suffix = match call.program.as_str() {
            "bzip2" | "pbzip2" | "lbzip2" => ".bz2",
            "xz" | "pixz" => ".xz",
            "zstd" | "pzstd" => ".zst",
            "lz4" => ".lz4",
            "lzma" => ".lzma",
            _ => ".gz",
        };
        let target = if unpacks {
            file.text.rsplit_once('.').map_or_else(|| file.text.clone(), |(stem, _)| stem.to_owned())
        } else {
            format!("{}{suffix}", file.text)
        };
        let target = word::instead(&file, target);
        // The packed file takes the place of the plain one: nothing is lost.
        if keeps { call.write(&target, WriteMode::Create) } else { call.move_to(&file, &target) }
    }
    if prints || call.any(&["-l", "-t"]) {
        call.nature = Nature::Reads;
        call.deeds.output = if unpacks { Output::Decoded } else { Output::Filtered };
    }
}

pub(in crate::programs) fn zip(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    // Single letters may be put together (`-rm`), which its long words keep from being split like others.
    let together = call.strangers.iter().any(|stranger| {
        let letters = stranger.word.text.trim_start_matches('-');
        letters.contains('m') && letters.bytes().all(|byte| b"rmqjuyo9v".contains(&byte))
    });
    call.strangers.retain(|stranger| {
        !stranger
            .word
            .text
            .trim_start_matches('-')
            .bytes()
            .all(|byte| b"0123456789rmqjuyoTvXDe".contains(&byte))
    });
    if call.has("-@") {
        operands.extend(call.stdin_names());
    }
    let Some(archive) = (!operands.is_empty()).then(|| operands.remove(0)) else { return };
    let archive = if archive.text.contains('.') || archive.text == "-" {
        archive
    } else {
        word::instead(&archive, format!("{}.zip", archive.text))
    };
    call.write(&archive, if call.has("-d") { WriteMode::InPlace } else { WriteMode::Create });
    if call.has("-d") {
        return;
    }
    for member in &operands {
        let below = if call.has("-r") { Below::Everything } else { Below::Nothing };
        call.read_below(member, below);
        if call.has("-m") || together {
            call.delete(member, true, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn archives_are_read_and_written() {
        check(&[
            ("tar -tzf r.tgz", "read r.tgz; read-only"),
            ("tar tzf r.tgz", "read r.tgz; read-only"),
            ("tar -xOf a.tar a", "read a.tar; read-only"),
            ("tar czf o.tgz src", "read src; create o.tgz; plain"),
            ("tar -xzf o.tgz -C d", "read o.tgz; create d; plain"),
            ("tar cf /dev/null a --checkpoint=1 --checkpoint-action=exec='touch x'", "read a; sh touch x"),
            ("tar cf /dev/null a --checkpoint-act=exec='touch x'", "read a; sh touch x"),
            ("tar -I 'sh -c x' -cf o a", "read a; create o; argv sh -c x"),
            ("tar xf o --to-com='touch x'", "read o; sh touch x"),
            ("gzip a", "read a; move a a.gz; plain"),
            ("gzip -dc a.gz", "read a.gz; read-only"),
            ("unzip -l a.zip", "read a.zip; read-only"),
            ("zip -r o.zip a -TT 'touch x'", "read a; create o.zip; sh touch x"),
        ]);
    }
}
