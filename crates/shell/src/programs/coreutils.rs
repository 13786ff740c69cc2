//! GNU coreutils and what belongs to the same shelf on other systems: files, sums, dates, users.

use doorward_core::intent::{Below, PrivilegeKind, WriteMode};

use crate::deed::{Output, StdinRole, Word};

use super::call::Call;
use super::row::{Nature, ProgramRow, Style, filter, named, reads, works, wrapper};
use super::word;

const LS: &str = "-a|--all -A|--almost-all --author -b|--escape --block-size=num -B|--ignore-backups \
    -c -C --color?=data --colour?=data -d|--directory -D|--dired -f -F|--classify?=data --file-type \
    --format=data --full-time -g --group-directories-first -G|--no-group -h|--human-readable --si \
    -H|--dereference-command-line --dereference-command-line-symlink-to-dir --hide=pat \
    --hyperlink?=data --indicator-style=data -i|--inode -I|--ignore=pat -k|--kibibytes -l \
    -L|--dereference -m -n|--numeric-uid-gid -N|--literal -o -p -q|--hide-control-chars \
    --show-control-chars -Q|--quote-name --quoting-style=data -r|--reverse -R|--recursive -s|--size \
    -S --sort=data --time=data --time-style=data -t -T=num --tabsize=num -u -U -v -w|--width=num -x \
    -X -Z|--context -1 --zero -@ -O -e";
const BACKUP: &str = "-b --backup?=data -S|--suffix=data";
const CHECK: &str = "-b|--binary -c|--check -t|--text -z|--zero --tag --ignore-missing --quiet \
    --status --strict -w|--warn -q -r -s=data -a|--algorithm=data -l|--length=num --untagged --raw \
    --base64 --debug";

pub(super) static ROWS: &[ProgramRow] = &[
    // Listing and looking.
    reads("ls dir vdir gls", "ls(1) coreutils 9.4", LS, "look*").act(ls),
    reads(
        "exa eza lsd",
        "eza(1) 0.18",
        "-a|--all -l|--long -T|--tree -L|--level=num -R|--recurse \
        -r|--reverse -s|--sort=data -h|--header -i|--inode -g|--group -H|--links -m|--modified \
        -S|--blocks -t|--time=data -D|--only-dirs -d|--list-dirs -1|--oneline -G|--grid -x|--across \
        -F|--classify -I|--ignore-glob=pat --git --git-ignore --icons?=data --color?=data \
        --colour=data --group-directories-first --no-permissions --no-filesize --no-user --no-time \
        -B|--bytes -b|--binary -@ --long --time-style=data --total-size",
        "look*",
    ),
    reads(
        "tree",
        "tree(1) 2.1",
        "-a -d -l -f -x -L=num -P=pat -I=pat --gitignore --gitfile=read \
        --ignore-case --matchdirs --metafirst --prune --info --infofile=read --noreport \
        --charset=data --filelimit=num -o=write -q -N -Q -p -u -g -s -h --si --du -D --timefmt=data \
        -F --inodes --device -v -t -c -U -r --dirsfirst --filesfirst --sort=data -i -A -S -n -C -X \
        -J -H=data -T=data --nolinks --hintro=read --houtro=read --fromfile=list --fromtabfile -R",
        "look*",
    ),
    reads(
        "file",
        "file(1) 5.45",
        "-b|--brief -C|--compile -c|--checking-printout -d -E \
        -e|--exclude=data --exclude-quiet=data --extension -f|--files-from=read -F|--separator=data \
        -h|--no-dereference -I -i|--mime --mime-type --mime-encoding -k|--keep-going \
        -L|--dereference -l|--list -m|--magic-file=read -N|--no-pad -n|--no-buffer \
        -p|--preserve-date -P|--parameter=data -r|--raw -s|--special-files -S|--no-sandbox -v \
        -z|--uncompress -Z|--uncompress-noreport -0|--print0 -a --apple",
        "read*",
    )
    .act(file),
    // Reading.
    filter(
        "head ghead",
        "head(1) coreutils 9.4",
        "-# -c|--bytes=num -n|--lines=num \
        -q|--quiet|--silent -v|--verbose -z|--zero-terminated",
        "read*",
    )
    .act(|call| {
        if call.value("-c").or_else(|| call.value("-n")).is_some_and(|count| count.text == "0") {
            call.deeds.output = Output::Nothing;
        }
    }),
    filter(
        "sort gsort",
        "sort(1) coreutils 9.4",
        "-b|--ignore-leading-blanks -d|--dictionary-order \
        -f|--ignore-case -g|--general-numeric-sort -i|--ignore-nonprinting -M|--month-sort \
        -h|--human-numeric-sort -n|--numeric-sort -R|--random-sort --random-source=read -r|--reverse \
        --sort=data -V|--version-sort --batch-size=num -c|--check?=data -C --compress-program=prog \
        --debug --files0-from=list -k|--key=data -m|--merge -o|--output=write -s|--stable \
        -S|--buffer-size=num -t|--field-separator=data -T|--temporary-directory=dir --parallel=num \
        -u|--unique -z|--zero-terminated -#",
        "read*",
    ),
    filter(
        "tsort ptx",
        "ptx(1) coreutils 9.4",
        "-A -b=read -f -F=data -g=num -i=read -M=data -O \
        -o=read -r -R -S=data -T -w=num -W=data",
        "read*",
    ),
    filter(
        "base64 base32 basenc",
        "basenc(1) coreutils 9.4",
        "-d|-D|--decode -i|--ignore-garbage \
        -w|--wrap=num -b=num --break=num --base64 --base64url --base32 --base32hex --base16 \
        --base2msbf --base2lsbf --z85 --base58 --input=read -o|--output=write",
        "read*",
    )
    .act(|call| {
        if call.has("-d") {
            call.deeds.output = Output::Decoded;
        }
    }),
    reads(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum sum cksum shasum md5 \
        sha256 xxhsum crc32",
        "cksum(1) coreutils 9.4",
        CHECK,
        "read*",
    ),
    filter(
        "shuf",
        "shuf(1) coreutils 9.4",
        "-e|--echo -i|--input-range=data -n|--head-count=num \
        -o|--output=write --random-source=read -r|--repeat -z|--zero-terminated",
        "",
    )
    .act(shuf),
    // Printing.
    reads("seq factor expr jot", "seq(1) coreutils 9.4", "", "data*")
        .style(Style::Raw)
        .takes(StdinRole::Ignored),
    reads("yes", "yes(1) coreutils 9.4", "", "data*").style(Style::Raw).answers().takes(StdinRole::Ignored),
    reads("sleep usleep", "sleep(1) coreutils 9.4", "", "data*")
        .prints(Output::Nothing)
        .takes(StdinRole::Ignored),
    reads(
        "date gdate",
        "date(1) coreutils 9.4",
        "-d|--date=data --debug -f|--file=read -I?=data \
        --iso-8601?=data -j -n -r|--reference=data -R|--rfc-email|--rfc-822 --rfc-3339=data \
        --resolution -s|--set=data -u|--utc|--universal --universal -v=data -z=data",
        "data*",
    )
    .act(date)
    .takes(StdinRole::Ignored),
    reads(
        "cal ncal gcal",
        "cal(1) util-linux 2.39",
        "-# -1 -3 -A=num -B=num -n|--months=num \
        -s|--sunday -m=data --monday -S|--span -j|--julian -y|--year -Y|--twelve -w|--week?=num -h \
        -b -C -N -M -o -p --color?=data --reform=data --iso -d=data -H=data -e -J",
        "data*",
    ),
    // Who and where.
    reads(
        "pwd whoami logname tty arch nproc hostid users uptime",
        "coreutils 9.4",
        "-L|--logical \
        -P|--physical -s|--silent|--quiet --all --ignore=num -p|--pretty --since",
        "data*",
    )
    .takes(StdinRole::Ignored),
    reads(
        "id groups",
        "id(1) coreutils 9.4",
        "-a -Z|--context -g|--group -G|--groups -n|--name \
        -r|--real -u|--user -z|--zero -p -P -A",
        "data*",
    )
    .takes(StdinRole::Ignored),
    reads(
        "who w pinky finger last lastb lastlog",
        "who(1) coreutils 9.4",
        "-# -a|--all -b|--boot \
        -d|--dead -H|--heading --ips -i|--ip-addr -l|--login --lookup -m -p|--process -q|--count \
        -r|--runlevel -s|--short -t|--time -T|-w|--mesg -u|--users -f=read -F|--fulltimes \
        -h|--no-header -o|--old-style -n=num -x|--system -R|--nohostname -S -N|--clear-x",
        "data*",
    ),
    reads(
        "hostname",
        "hostname(1) net-tools 2.10",
        "-a|--alias -A|--all-fqdns -b|--boot -d|--domain \
        -f|--fqdn|--long -F|--file=read -i|--ip-address -I|--all-ip-addresses -s|--short \
        -y|--yp|--nis",
        "data*",
    )
    .act(hostname),
    reads(
        "locale localedef",
        "locale(1) glibc 2.39",
        "-a|--all-locales -m|--charmaps \
        -c|--category-name -k|--keyword-name -v|--verbose",
        "data*",
    ),
    reads("getconf getent", "getent(1) glibc 2.39", "-a -s=data -i|--no-idn -v=data", "data*").act(getent),
    works("stty", "stty(1) coreutils 9.4", "", "data*").style(Style::Raw),
    // Changing.
    named(
        "mkdir",
        "mkdir(1) coreutils 9.4",
        "-m|--mode=data -p|--parents -v|--verbose -Z --context?=data",
        "write*",
    )
    .act(mkdir),
    named(
        "rmdir zf_rmdir",
        "rmdir(1) coreutils 9.4",
        "--ignore-fail-on-non-empty -p|--parents -v|--verbose",
        "delete*",
    ),
    named("mkfifo mknod", "mkfifo(1) coreutils 9.4", "-m|--mode=data -Z --context?=data", "write data*"),
    named(
        "mktemp tempfile",
        "mktemp(1) coreutils 9.4",
        "-d|--directory -u|--dry-run -q|--quiet \
        --suffix=data -p|--tmpdir?=data -t",
        "data*",
    )
    .prints(Output::Other)
    .act(mktemp),
    named(
        "touch",
        "touch(1) coreutils 9.4",
        "-a -c|--no-create -d|--date=data -f \
        -h|--no-dereference -m -r|--reference=look -t=data --time=data -A=data",
        "meta*",
    ),
    named(
        "truncate",
        "truncate(1) coreutils 9.4",
        "-c|--no-create -o|--io-blocks \
        -r|--reference=look -s|--size=num",
        "",
    )
    .act(truncate),
    named(
        "fallocate",
        "fallocate(1) util-linux 2.39",
        "-c|--collapse-range -d|--dig-holes \
        -i|--insert-range -l|--length=num -n|--keep-size -o|--offset=num -p|--punch-hole \
        -z|--zero-range -x|--posix -v|--verbose",
        "inplace*",
    )
    .act(|call| {
        // Holes and zeroes take what was there.
        if call.any(&["-p", "-z", "-c"]) {
            call.empties();
        }
    }),
    named(
        "rm grm zf_rm",
        "rm(1) coreutils 9.4",
        "-f|--force -i -I --interactive?=data \
        --one-file-system --no-preserve-root --preserve-root?=data -r|-R|--recursive -d|--dir \
        -v|--verbose -P -W -x",
        "",
    )
    .act(rm),
    named("unlink", "unlink(1) coreutils 9.4", "", "delete*"),
    named(
        "tmpreaper tmpwatch",
        "tmpreaper(8) 1.6",
        "-a|--all -c|--ctime -d|--nodirs -f|--force \
        -m|--mtime -M|--mtime-dir -q|--quiet -s|--symlinks -t|--test -u|--atime -v|--verbose \
        -T|--runtime=num --delay?=num --showdeleted --protect=pat",
        "data",
    )
    .act(|call| {
        for folder in call.operands_from(1) {
            call.delete(&folder, true, true);
        }
    }),
    works(
        "fdupes jdupes rdfind rmlint stow systemd-tmpfiles debugfs bleachbit",
        "fdupes(1) 2.2, stow(8) 2.3, systemd-tmpfiles(8) 255",
        "",
        "",
    )
    .style(Style::Raw)
    .act(|call| {
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
    }),
    named(
        "shred srm wipe",
        "shred(1) coreutils 9.4",
        "-f|--force -n|--iterations=num \
        --random-source=read -s|--size=num -u --remove?=data -v|--verbose -x|--exact -z|--zero -r -R \
        -q -c -k -l -P -m",
        "",
    )
    .act(shred),
    wrapper("shx", "shx 0.3", "", |call| super::wrappers::tail(call, 0)),
    works("gio", "gio(1) 2.80", "", "").style(Style::Raw).act(gio),
    named(
        "trash trash-put gio-trash rmtrash rimraf rimraf-cli del del-cli trash-cli rm-cli premove",
        "trash-put(1) 0.24",
        "-r|-R|--recursive \
        -f|--force -v|--verbose -i -d --trash-dir=dir",
        "delete*",
    ),
    named(
        "cp gcp",
        "cp(1) coreutils 9.4",
        "-a|--archive --attributes-only --copy-contents -c -d \
        -f|--force -i|--interactive -H -l|--link -L|--dereference -n|--no-clobber --update?=data \
        -P|--no-dereference -p --preserve?=data --no-preserve=data --parents -R|-r|--recursive \
        --reflink?=data --remove-destination --sparse=data --strip-trailing-slashes \
        -s|--symbolic-link -t|--target-directory=data -T|--no-target-directory -u -v|--verbose \
        --keep-directory-symlink -x|--one-file-system -X -Z --context?=data --debug",
        "",
    )
    .also(BACKUP)
    .act(copy),
    named(
        "mv gmv zf_mv",
        "mv(1) coreutils 9.4",
        "-f|--force -i|--interactive -n|--no-clobber \
        --no-copy --strip-trailing-slashes -t|--target-directory=data -T|--no-target-directory -u \
        --update?=data -v|--verbose -Z|--context --exchange --debug -h",
        "",
    )
    .also(BACKUP)
    .act(rename),
    named(
        "ln gln zf_ln",
        "ln(1) coreutils 9.4",
        "-d|-F|--directory -f|--force -i|--interactive \
        -L|--logical -n|-h|--no-dereference -P|--physical -r|--relative -s|--symbolic \
        -t|--target-directory=data -T|--no-target-directory -v|--verbose",
        "",
    )
    .also(BACKUP)
    .act(copy),
    named("link", "link(1) coreutils 9.4", "", "").act(copy),
    named(
        "install ginstall",
        "install(1) coreutils 9.4",
        "-c -C|--compare -d|--directory -D \
        -g|--group=data -m|--mode=data -o|--owner=data -p|--preserve-timestamps -s|--strip \
        --strip-program=prog -t|--target-directory=data -T|--no-target-directory -v|--verbose \
        --preserve-context -Z --context?=data",
        "",
    )
    .also(BACKUP)
    .act(install),
    named(
        "chmod gchmod zf_chmod",
        "chmod(1) coreutils 9.4",
        "-c|--changes -f|--silent|--quiet \
        -v|--verbose --no-preserve-root --preserve-root --reference=look -R|--recursive -h -H -L -P \
        -N -E -C -r -w -x -s -t -X -u -g -o -a -rw -rx -wx -rwx",
        "",
    )
    .style(Style::Raw)
    .act(chmod),
    named(
        "chown chgrp gchown zf_chown zf_chgrp",
        "chown(1) coreutils 9.4",
        "-c|--changes \
        -f|--silent|--quiet -v|--verbose --dereference -h|--no-dereference --from=data \
        --no-preserve-root --preserve-root --reference=look -R|--recursive -H -L -P -x -n",
        "data!--reference meta*",
    ),
    named(
        "setfacl",
        "setfacl(1) 2.3",
        "-b|--remove-all -d|--default -k|--remove-default \
        -m|--modify=data -M|--modify-file=read -n|--no-mask -R|--recursive -x|--remove=data \
        -X|--remove-file=read --set=data --set-file=read --restore=read --test --mask -L|--logical \
        -P|--physical",
        "meta*",
    )
    .act(|call| {
        let mut entries = call.values("-m");
        entries.extend(call.values("--set"));
        let listed =
            call.values("-M").into_iter().chain(call.values("--set-file")).any(|file| file.text == "-");
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
    }),
    named(
        "chcon setfattr",
        "setfattr(1) 2.5",
        "-b -d|--default -k -m|--modify=data -M=read -n \
        -R|--recursive -s -x|--remove=data -X=read --set=data --restore=read --test -t|--type=data \
        -u|--user=data -r|--role=data -l|--range=data -v|--verbose --reference=look -L|--logical \
        -P|--physical -h -n|--name=data",
        "meta*",
    ),
    reads(
        "getfacl getfattr lsattr",
        "getfacl(1) 2.3",
        "-a -c -d -e -n -m=data -p -R|--recursive -t \
        -s -E -L -P -h|--no-dereference -v -l -D --only-values --absolute-names -x",
        "look*",
    ),
    named(
        "chattr chflags",
        "chattr(1) e2fsprogs 1.47",
        "-R -V -f -v=num -p=num -h -L -H -P -i -a -A \
        -c -C -d -D -e -E -F -m -s -S -t -T -u -x",
        "data* meta",
    )
    .style(Style::Raw)
    .act(chattr),
    works("dd", "dd(1) coreutils 9.4", "", "data*").act(dd),
    filter("tee", "tee(1) coreutils 9.4", "-a|--append -i|--ignore-interrupts -p --output-error?=data", "")
        .act(tee),
    filter(
        "split gsplit",
        "split(1) coreutils 9.4",
        "-# -a|--suffix-length=num \
        --additional-suffix=data -b|--bytes=num -C|--line-bytes=num -d --numeric-suffixes?=num -x \
        --hex-suffixes?=num -e|--elide-empty-files --filter=sh -l|--lines=num -n|--number=data \
        -t|--separator=data -u|--unbuffered --verbose -p=pat",
        "read data",
    )
    .act(split),
    works(
        "csplit",
        "csplit(1) coreutils 9.4",
        "-b|--suffix-format=data -f|--prefix=data \
        -k|--keep-files --suppress-matched -n|--digits=num -s|-q|--silent|--quiet \
        -z|--elide-empty-files",
        "read data*",
    )
    .act(csplit),
];

/// `gio remove x`, `gio copy a b`: GLib's own file commands.
fn gio(call: &mut Call<'_>) {
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
fn ls(call: &mut Call<'_>) {
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

fn file(call: &mut Call<'_>) {
    if call.has("-C") {
        let target =
            call.value("-m").map_or_else(|| "magic.mgc".to_owned(), |magic| format!("{}.mgc", magic.text));
        call.write_named(&target, WriteMode::Create);
    }
}

fn date(call: &mut Call<'_>) {
    let sets = call.has("-s")
        || call.first().is_some_and(|first| {
            first.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) && !call.has("-j")
        });
    if sets {
        call.privilege(PrivilegeKind::Kernel, "sets the system clock");
    }
    for reference in call.values("-r") {
        call.look(&reference);
    }
}

fn hostname(call: &mut Call<'_>) {
    if !call.operands.is_empty() || call.any(&["-F", "-b"]) {
        call.privilege(PrivilegeKind::Kernel, "sets the host name");
    }
}

fn getent(call: &mut Call<'_>) {
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

fn mkdir(call: &mut Call<'_>) {
    if let Some(mode) = call.value("-m") {
        judge_mode(call, &mode);
    }
}

fn mktemp(call: &mut Call<'_>) {
    if call.has("-u") {
        return;
    }
    let folder = call.value("-p").map(|folder| folder.text);
    match (folder, call.operands.first().cloned()) {
        (Some(folder), Some(template)) => {
            call.write_named(&format!("{folder}/{}", template.text), WriteMode::Create)
        }
        (Some(folder), None) if folder.starts_with('/') => {
            call.write_named(&format!("{folder}/tmp.XXXXXXXXXX"), WriteMode::Create)
        }
        (None, Some(template)) if !call.has("-t") => call.write(&template, WriteMode::Create),
        _ => {}
    }
}

fn truncate(call: &mut Call<'_>) {
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

fn rm(call: &mut Call<'_>) {
    let recursive = call.has("-r");
    let force = call.has("-f") || call.has("--no-preserve-root");
    for path in call.operands.clone() {
        call.delete(&path, recursive, force);
    }
    if call.has("--no-preserve-root") {
        call.finding("shell.delete", "rm without its guard for the root folder");
    }
}

fn shred(call: &mut Call<'_>) {
    for path in call.operands.clone() {
        call.delete(&path, call.any(&["-r"]), true);
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

fn copy(call: &mut Call<'_>) {
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

fn rename(call: &mut Call<'_>) {
    let (sources, target, into) = sources_and_target(call);
    let Some(target) = target else { return };
    for source in &sources {
        let at = lands_at(source, &target, into);
        call.move_to(source, &at);
    }
}

fn install(call: &mut Call<'_>) {
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

fn chmod(call: &mut Call<'_>) {
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

fn chattr(call: &mut Call<'_>) {
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

fn dd(call: &mut Call<'_>) {
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

fn tee(call: &mut Call<'_>) {
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

fn split(call: &mut Call<'_>) {
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

fn shuf(call: &mut Call<'_>) {
    if !call.has("-e") {
        for path in call.operands.clone() {
            call.read(&path);
        }
    }
}

fn csplit(call: &mut Call<'_>) {
    let prefix = call.value("-f").map_or_else(|| "xx".to_owned(), |prefix| prefix.text);
    call.write_named(&format!("{prefix}00"), WriteMode::Create);
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
