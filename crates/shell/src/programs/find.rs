//! find, fd and locate: expressions that run, delete and write.

use doorward_core::intent::WriteMode;

use crate::deed::{Run, Word};

use super::call::Call;
use super::row::{Nature, Row, Style, reads, works};
use super::wrappers::unknown_at;

pub(super) static ROWS: &[Row] = &[
    reads("find gfind bfs", "find(1) findutils 4.9", "", "").style(Style::Raw).act(find),
    reads("fd fdfind", "fd(1) 9.0", "-H|--hidden -I|--no-ignore -u|--unrestricted --no-ignore-vcs --no-ignore-parent --no-global-ignore-file -s|--case-sensitive -i|--ignore-case -g|--glob --regex -F|--fixed-strings --and=pat -a|--absolute-path -l|--list-details -L|--follow -p|--full-path -0|--print0 -d|--max-depth=num --min-depth=num --exact-depth=num \
        -E|--exclude=pat --prune -t|--type=data -e|--extension=data -S|--size=data --changed-within=data --changed-before=data -o|--owner=data --format=data --batch-size=num --ignore-file=read -c|--color=data -j|--threads=num --max-buffer-time=num --max-results=num -1 -q|--quiet --show-errors --base-directory=look --path-separator=data --search-path=look --strip-cwd-prefix?=data \
        --one-file-system --hyperlink?=data", "").style(Style::Raw).act(fd),
    reads("locate plocate mlocate slocate mdfind", "locate(1) mlocate 0.26", "-0|--null -A|--all -b|--basename -c|--count -d|--database=read -e|--existing -i|--ignore-case -l|-n|--limit=num -N -p -P|--nofollow -q|--quiet -r|--regexp=pat --regex -S|--statistics -w|--wholename -onlyin=data -name=data", "data*"),
    works("updatedb", "updatedb(8) mlocate 0.26", "-o|--output=write -U|--database-root=look -e|--add-prunepaths=data -l|--require-visibility=data -v|--verbose", "data*"),
];

const FLAGS: &[&str] = &[
    "-H",
    "-L",
    "-P",
    "-depth",
    "-d",
    "-follow",
    "-mount",
    "-xdev",
    "-x",
    "-noleaf",
    "-daystart",
    "-ignore_readdir_race",
    "-noignore_readdir_race",
    "-warn",
    "-nowarn",
    "-help",
    "--help",
    "-version",
    "--version",
    "-empty",
    "-executable",
    "-readable",
    "-writable",
    "-nouser",
    "-nogroup",
    "-true",
    "-false",
    "-print",
    "-print0",
    "-ls",
    "-prune",
    "-quit",
    "-not",
    "-and",
    "-or",
    "-a",
    "-o",
    "-E",
    "-X",
    "-s",
    "-acl",
    "-xattr",
    "-sparse",
    "-hidden",
    "-nohidden",
    "-status",
    "-unique",
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-j",
];
const TAKES_ONE: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-lname",
    "-ilname",
    "-regextype",
    "-type",
    "-xtype",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-size",
    "-links",
    "-inum",
    "-fstype",
    "-amin",
    "-atime",
    "-cmin",
    "-ctime",
    "-mmin",
    "-mtime",
    "-Bmin",
    "-Btime",
    "-Bnewer",
    "-maxdepth",
    "-mindepth",
    "-used",
    "-since",
    "-context",
    "-printf",
    "-D",
    "-flags",
    "-depth-n",
    "-exclude",
    "-capable",
    "-xattrname",
];
const READS_ONE: &[&str] = &["-newer", "-anewer", "-cnewer", "-samefile", "-files0-from", "-f", "-mnewer"];

fn find(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let mut at = 0;
    let mut roots: Vec<Word> = Vec::new();
    let mut expression = false;
    let mut names: Vec<Word> = Vec::new();
    let mut deletes = false;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        at += 1;
        if !expression && !text.starts_with('-') && !matches!(text, "(" | "!" | ")" | ",") {
            roots.push(word.clone());
            continue;
        }
        if matches!(text, "-H" | "-L" | "-P") && !expression {
            continue;
        }
        expression = true;
        match text {
            "(" | ")" | "!" | "," => {}
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let end = words
                    .iter()
                    .skip(at)
                    .position(|word| word.text == ";" || word.text == "+")
                    .map_or(words.len(), |offset| at + offset);
                // `+` ends a command only right after `{}`.
                let end = end_of_command(&words, at).unwrap_or(end);
                let plus = words.get(end).is_some_and(|word| word.text == "+");
                let mut argv: Vec<Word> = words.get(at..end).unwrap_or_default().to_vec();
                if plus {
                    argv.pop();
                }
                argv.iter_mut().for_each(|word| unknown_at(word, "{}"));
                at = end + 1;
                let via = format!("find {text}");
                let place = call.argv.place.clone();
                if !argv.is_empty() {
                    call.run_apart(Run::Argv {
                        words: argv,
                        assignments: Vec::new(),
                        more_operands: plus,
                        via,
                        place,
                        chdir: None,
                        passes_stdin: false,
                    });
                }
            }
            "-delete" | "-rm" => deletes = true,
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                if let Some(file) = words.get(at) {
                    call.write(file, WriteMode::Create);
                    call.beyond_plain = true;
                }
                at += if text == "-fprintf" { 2 } else { 1 };
            }
            _ if READS_ONE.contains(&text) || text.starts_with("-newer") => {
                if let Some(file) = words.get(at)
                    && !text.ends_with('t')
                {
                    call.look(file);
                }
                at += 1;
            }
            _ if TAKES_ONE.contains(&text) => {
                if matches!(text, "-name" | "-iname" | "-path" | "-ipath" | "-wholename")
                    && let Some(name) = words.get(at)
                {
                    names.push(name.clone());
                }
                at += 1;
            }
            _ if FLAGS.contains(&text) => {}
            _ if text.starts_with('-') && text.bytes().skip(1).all(|byte| byte.is_ascii_digit()) => {}
            _ if word.known().is_none() => call.acts = true,
            _ if !text.starts_with('-') => roots.push(word.clone()),
            _ => {
                call.deeds.known = false;
                call.acts = true;
                call.finding(
                    "shell.unknown_program",
                    format!("the test {text} of find is not in the tables"),
                );
            }
        }
    }
    if roots.is_empty() {
        roots.push(Word::literal(".", call.span()));
    }
    for root in &roots {
        call.look(root);
    }
    if deletes {
        call.beyond_plain = true;
        call.nature = Nature::Works;
        deleted(call, &roots, &names);
    }
}

/// Where the command of `-exec` that starts at `from` ends.
fn end_of_command(words: &[Word], from: usize) -> Option<usize> {
    let mut before = "";
    for (at, word) in words.iter().enumerate().skip(from) {
        if word.text == ";" || word.text == "+" && before == "{}" {
            return Some(at);
        }
        before = word.text.as_str();
    }
    None
}

/// `-delete`: what the name tests let through, below each root.
fn deleted(call: &mut Call<'_>, roots: &[Word], names: &[Word]) {
    for root in roots {
        let folder = root.text.trim_end_matches('/');
        let folder = if folder.is_empty() { "/" } else { folder };
        match names {
            [] => call.delete(root, true, true),
            names => {
                for name in names {
                    let pattern = name.text.trim_start_matches("./");
                    let mut path = name.clone();
                    let inside = pattern.trim_start_matches("*/").trim_end_matches("/*");
                    path.text = if folder == "." {
                        inside.to_owned()
                    } else {
                        format!("{}/{inside}", folder.trim_end_matches('/'))
                    };
                    if path.text.contains(['*', '?', '[']) {
                        path.form = doorward_core::intent::Form::Glob;
                    }
                    if root.known().is_none() {
                        path.form = root.form;
                    }
                    call.delete(&path, pattern.ends_with("/*"), true);
                }
            }
        }
    }
}

fn fd(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let at = words.iter().position(|word| {
        matches!(word.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch")
            || word.text.starts_with("--exec=")
    });
    let (own, command) = match at {
        Some(at) => {
            (words.get(..at).unwrap_or_default().to_vec(), words.get(at..).unwrap_or_default().to_vec())
        }
        None => (words, Vec::new()),
    };
    // A cluster that ends in x or X takes the rest as the command too.
    let cluster = own.iter().position(|word| {
        word.text.starts_with('-')
            && !word.text.starts_with("--")
            && word.text.len() > 2
            && word.text.ends_with(['x', 'X'])
    });
    let (own, command) = match cluster {
        Some(at) => (own.get(..at).unwrap_or_default().to_vec(), own.get(at..).unwrap_or_default().to_vec()),
        None => (own, command),
    };
    let plain: Vec<Word> = own.iter().filter(|word| !word.text.starts_with('-')).cloned().collect();
    for path in plain.iter().skip(1) {
        call.look(path);
    }
    let mut argv: Vec<Word> = Vec::new();
    if let Some((first, rest)) = command.split_first() {
        argv.extend(super::word::halves(first, '=').map(|(_, value)| value));
        argv.extend(rest.iter().take_while(|word| word.text != ";").cloned());
    }
    if argv.is_empty() {
        return;
    }
    let replaces = argv.iter().any(|word| word.text.contains('{'));
    for token in ["{}", "{/}", "{//}", "{.}", "{/.}"] {
        argv.iter_mut().for_each(|word| unknown_at(word, token));
    }
    let place = call.argv.place.clone();
    call.run_apart(Run::Argv {
        words: argv,
        assignments: Vec::new(),
        more_operands: !replaces,
        via: "fd -x".to_owned(),
        place,
        chdir: None,
        passes_stdin: false,
    });
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn expressions_run_delete_and_write() {
        check(&[
            ("find . -name '*.toml' -not -path './target/*'", "look .; read-only"),
            ("find src -type f -print0", "look src; read-only"),
            ("find . -maxdepth 1 -printf %f", "look .; read-only"),
            ("find . -newer a", "look a; look .; read-only"),
            ("find . -exec rm {} ;", "look .; argv rm …; read-only"),
            ("find . -exec rm {} + -execdir ls ;", "look .; argv rm +; argv ls; read-only"),
            ("find . -exec sh -c 'rm {}' ;", "look .; argv sh -c rm …; read-only"),
            ("find / -delete", "look /; delete-rf /"),
            ("find . -name '*.pyc' -delete", "look .; delete-f *.pyc"),
            ("find a b -delete", "look a; look b; delete-rf a; delete-rf b"),
            ("find . -fprint x", "look .; create x"),
            ("find . -fprintf x %p", "look .; create x"),
            ("find . -frobnicate", "look .; unknown_program; unknown"),
            ("fd x src", "look src; read-only"),
            ("fd -e py -x rm", "argv rm +; read-only"),
            ("fd x -X rm {}", "argv rm …; read-only"),
        ]);
    }
}
