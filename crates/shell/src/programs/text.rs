//! Search, filters and pagers-in-pipes: programs that turn text into text.

use doorward_core::intent::{Below, Direction, Form, WriteMode};

use crate::deed::{Output, Run, Word};
use crate::languages;

use super::call::Call;
use super::row::{Nature, ProgramRow, Style, filter, named, reads, works};
use super::word;

const GREP: &str = "-# -E|--extended-regexp -F|--fixed-strings -G|--basic-regexp -P|--perl-regexp \
    -e|--regexp=pat -f|--file=read -i|-y|--ignore-case --no-ignore-case -v|--invert-match \
    -w|--word-regexp -x|--line-regexp -c|--count --color?=data --colour?=data \
    -L|--files-without-match -l|--files-with-matches -m|--max-count=num -o|--only-matching \
    -q|--quiet|--silent -s|--no-messages -b|--byte-offset -H|--with-filename -h|--no-filename \
    --label=data -n|--line-number -T|--initial-tab -u|--unix-byte-offsets -Z|--null \
    -A|--after-context=num -B|--before-context=num -C|--context=num --group-separator=data \
    --no-group-separator -a|--text --binary-files=data -D|--devices=data -d|--directories=data \
    --exclude=pat --exclude-from=read --exclude-dir=pat -I --include=pat --include-dir=pat \
    -r|--recursive -R|--dereference-recursive --line-buffered -U|--binary -z|--null-data -S -O -p";
const RG: &str = "-e|--regexp=pat -f|--file=read --pre=prog --pre-glob=pat -z|--search-zip \
    -s|--case-sensitive --crlf --dfa-size-limit=num -E|--encoding=data --engine=data \
    -F|--fixed-strings -i|--ignore-case -v|--invert-match -x|--line-regexp -m|--max-count=num --mmap \
    -U|--multiline --multiline-dotall --no-unicode --null-data -P|--pcre2 --regex-size-limit=num \
    -S|--smart-case --stop-on-nonmatch -a|--text -j|--threads=num -w|--word-regexp \
    --auto-hybrid-regex --no-pcre2-unicode --binary -L|--follow -g|--glob=pat \
    --glob-case-insensitive -. --hidden --iglob=pat --ignore-file=read \
    --ignore-file-case-insensitive -d|--max-depth|--maxdepth=num --max-filesize=num --no-ignore \
    --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-parent \
    --no-ignore-vcs --no-require-git --one-file-system -t|--type=data -T|--type-not=data \
    --type-add=data --type-clear=data -u|--unrestricted -A|--after-context=num \
    -B|--before-context=num --block-buffered -b|--byte-offset --color=data --colors=data --column \
    -C|--context=num --context-separator=data --no-context-separator --field-context-separator=data \
    --field-match-separator=data --heading --no-heading --hostname-bin=prog --hyperlink-format=data \
    --include-zero --line-buffered -n|--line-number -N|--no-line-number -M|--max-columns=num \
    --max-columns-preview -0|--null -o|--only-matching --path-separator=data --passthru -p|--pretty \
    -q|--quiet -r|--replace=data --sort=data --sortr=data --trim --no-trim --vimgrep \
    -H|--with-filename -I|--no-filename --sort-files -c|--count --count-matches \
    -l|--files-with-matches --files-without-match --json --debug --no-ignore-messages --no-messages \
    --stats --trace --files --generate=data --no-config --pcre2-version --type-list -V";

pub(super) static ROWS: &[ProgramRow] = &[
    filter("grep egrep fgrep rgrep ggrep pcregrep pcre2grep agrep", "grep(1) 3.11", GREP, "").act(grep),
    filter("zgrep zegrep zfgrep bzgrep xzgrep zstdgrep", "zgrep(1) gzip 1.12", GREP, "").act(grep),
    filter("rg ripgrep rga", "rg(1) 14.1", RG, "").act(ripgrep),
    filter("ag ack pt ugrep sift", "ag(1) 2.2, ack(1) 3.7", GREP, "")
        .also(
            "--ackmate --column \
        --nocolor --nogroup --group --nobreak --hidden --ignore=pat --ignore-dir=pat --pager=prog \
        -g=pat -G|--file-search-regex=pat --python --js --type=data -Q|--literal --no-ignore-vcs \
        --path-to-ignore=read --depth=num --stats --html --cpp --java --rust --go --ruby --pager-off \
        --nopager --noenv --match=pat",
        )
        .act(grep),
    filter(
        "sed gsed ssed",
        "sed(1) 4.9",
        "-n|--quiet|--silent --debug -e|--expression=data \
        -f|--file=data --follow-symlinks -i?=data --in-place?=data -l|--line-length=num --posix \
        -E|-r|--regexp-extended -s|--separate --sandbox -u|--unbuffered -z|--null-data -a",
        "",
    )
    .act(sed),
    filter(
        "awk gawk mawk nawk original-awk goawk frawk zawk",
        "gawk(1) 5.2",
        "-F|--field-separator=data \
        -v|--assign=data -f|--file=data -b|--characters-as-bytes -c|--traditional -C|--copyright \
        -d?=data --dump-variables?=write -D?=data --debug?=read -e|--source=data -E|--exec=data \
        -g|--gen-pot -i|--include=data -I|--trace -k|--csv -l|--load=file -L?=data --lint?=data \
        -M|--bignum -n|--non-decimal-data -N|--use-lc-numeric -o?=data --pretty-print?=write \
        -O|--optimize -p?=data --profile?=write -P|--posix -r|--re-interval -s|--no-optimize \
        -S|--sandbox -t|--lint-old -V -W=data",
        "",
    )
    .style(Style::Posix)
    .act(awk),
    filter(
        "jq gojq jaq",
        "jq(1) 1.7",
        "-n|--null-input -R|--raw-input -s|--slurp \
        -c|--compact-output -r|--raw-output --raw-output0 -j|--join-output -a|--ascii-output \
        -S|--sort-keys -C|--color-output -M|--monochrome-output --tab --indent=num --unbuffered \
        --stream --stream-errors --seq -f|--from-file -L|--library-path=read -e|--exit-status --arg \
        --argjson --slurpfile --rawfile --args --jsonargs -b|--binary -h",
        "",
    )
    .style(Style::Raw)
    .act(jq),
    filter(
        "yq dasel tomlq xq fx gron jless jo",
        "yq(1) 4.40",
        "-i|--inplace|--in-place \
        -r|--raw-output|--unwrapScalar?=data -o|--output-format=data -p|--input-format=data \
        -P|--prettyPrint -n|--null-input -C|--colors -M|--no-colors -e|--exit-status \
        -s|--split-exp=write -I|--indent=num -N|--no-doc -j|--tojson -y -Y -c -f|--file=read \
        --front-matter=data --from-file=read -v|--verbose --xml-attribute-prefix=data \
        --expression=data -S -u|--ungron --stream",
        "",
    )
    .act(yq),
    works(
        "patch",
        "patch(1) 2.7",
        "-b|--backup -B|--prefix=data -c|--context -d|--directory=data \
        -D|--ifdef=data --dry-run -e|--ed -E|--remove-empty-files -f|--force -F|--fuzz=num \
        -g|--get=num -i|--input=read -l|--ignore-whitespace --merge?=data -n|--normal -N|--forward \
        -o|--output=write -p|--strip=num -r|--reject-file=write -R|--reverse --read-only=data \
        --reject-format=data -s|--quiet|--silent -t|--batch -T|--set-time -u|--unified -v|--version \
        -V|--version-control=data -Y|--basename-prefix=data -z|--suffix=data -Z|--set-utc --verbose \
        --posix --binary --quoting-style=data --backup-if-mismatch --no-backup-if-mismatch \
        --follow-symlinks",
        "inplace read",
    )
    .act(|call| {
        let piped = matches!(call.argv.stdin, crate::deed::Stdin::Unknown { .. })
            && !call.has("-i")
            && call.operands.len() < 2;
        if call.has("-R") && piped && !call.has("--dry-run") {
            call.loses("changes that a patch takes out again", doorward_core::intent::RecoverableBy::None);
        }
    }),
    filter(
        "column col colrm colcrt ul look strings iconv ts sponge-less vis unvis cat-v rs lam \
        ansi2txt aha lolcat ccze figlet toilet pv antiword fortune banner",
        "column(1) util-linux 2.39",
        "-t|--table \
        -s|--separator=data -n|--table-name=data -o|--output-separator=data -c|--output-width=num \
        -x|--fillrows -J|--json -N|--table-columns=data -R|--table-right=data \
        -T|--table-truncate=data -H|--table-hide=data -e|--table-header-repeat -d|--table-noheadings \
        -L|--keep-empty-lines -W|--table-wrap=data -E=data -O|--table-order=data -r|--tree=data \
        -i|--tree-id=data -p|--tree-parent=data -b -f -h -a -l=num -w=num -A",
        "read*",
    )
    .act(column),
    filter(
        "hexdump hd xxd hexyl",
        "xxd(1) 2023-10",
        "-a|-autoskip -b|-bits \
        -C|-capitalize|--canonical -c|-cols=num -E|-EBCDIC -e -g|-groupsize=num -h|-help -i|-include \
        -l|-len=num -n=num -o=num -p|-ps|-plain|-postscript -r|-revert -R=data -s=num -seek=num -d \
        -u -v -x -f=read",
        "",
    )
    .act(xxd),
    filter(
        "bat batcat glow mdcat pygmentize highlight source-highlight nroff ccat",
        "bat(1) 0.24",
        "-A|--show-all \
        -p|--plain -l|--language=data -H|--highlight-line=data --file-name=data -d|--diff \
        --diff-context=num --tabs=num --wrap=data --terminal-width=num -n|--number --color=data \
        --italic-text=data --decorations=data -f|--force-colorization --paging=data --pager=prog -P \
        --no-paging -m|--map-syntax=data --ignored-suffix=data --theme=data --list-themes -s \
        --style=data -r|--line-range=data -L|--list-languages -u --diagnostic -o=write -O=data -g -t",
        "read*",
    ),
    reads(
        "man info pinfo tldr cheat",
        "man(1) 2.12",
        "-a|--all -d|--debug -e|--extension=data \
        -f|--whatis -k|--apropos -K|--global-apropos -l|--local-file -w|--where|--path|--location \
        -W|--where-cat|--location-cat -c|--catman -C|--config-file=config -D|--default \
        -E|--encoding=data -H?=prog --html?=prog -i|--ignore-case -I -L|--locale=data \
        -m|--systems=data -M|--manpath=look -n -p|--preprocessor=data -P|--pager=prog \
        -r|--prompt=data -R|--recode=data -s|-S|--sections=data -t|--troff -T?=data \
        --troff-device?=data -u|--update -X?=data -Z|--ditroff -7|--ascii --names-only --regex \
        --wildcard --no-hyphenation --nh --no-justification --nj --no-subpages --warnings?=data \
        --apropos=data --output=write -o=write --subnodes --usage --list",
        "data*",
    )
    .act(|call| {
        // A page that is a file is shown as it is.
        for page in call.operands.clone() {
            if call.has("-l") || page.text.contains('/') {
                call.read(&page);
            }
        }
    }),
    reads(
        "less more most zless zmore bzless xzless pg",
        "less(1) 643",
        "-# -a -A -b=num -B -c -C -d \
        -D=data -e -E -f -F -g -G -h=num -i -I -j=num -J -k|--lesskey-file=config \
        --lesskey-src=config -K -L -m -M -n -N -o|--log-file=write -O|--LOG-FILE=write \
        -p|--pattern=pat -P=data -q -Q -r -R -s -S -t=data -T=read -u -U -V -w -W -x=num -X -y=num \
        -z=num -~ -l --no-init --quit-if-one-screen --RAW-CONTROL-CHARS --chop-long-lines",
        "read*",
    )
    .act(|call| {
        // `+command` is typed at the first page; `!` and `|` run a shell.
        for word in std::mem::take(&mut call.operands) {
            let Some(typed) = word.text.strip_prefix('+') else {
                call.operands.push(word);
                continue;
            };
            let at = typed
                .find(['!', '|'])
                .filter(|at| typed.get(..*at).is_some_and(|front| !front.contains('/')));
            if let Some(at) = at {
                let shell = word::slice(&word, at + 2, word.text.len());
                call.run_shell(shell);
            }
        }
    }),
    reads(
        "cowsay cowthink",
        "cowsay(1) 3.03",
        "-b -d -g -p -r -s -t -w -y -n -l -C -e=data -E=data \
        -T=data -W=num -f=data --random --bold --rainbow --super --aurora",
        "data*",
    )
    .act(|call| {
        // A cow is a file of Perl.
        if let Some(cow) = call.value("-f").filter(|cow| cow.text.contains(['/', '.'])) {
            call.run_file(&cow, "perl", Vec::new());
        }
    }),
    reads(
        "dc",
        "dc(1) 1.4",
        "-e|--expression=lang:dc -f|--file=file:dc -h|--help -V|--version -x \
        -z|--leading-zeroes -i -s -q",
        "file:dc*",
    )
    .act(|call| {
        if call.given.is_empty()
            && call.operands.is_empty()
            && !matches!(call.argv.stdin, crate::deed::Stdin::Inherited)
            || call.operands.iter().any(|word| word.text == "-")
        {
            call.run_stdin("dc", Vec::new());
        }
    }),
    reads(
        "bc units qalc",
        "bc(1) 1.07",
        "-h -i|--interactive -l|--mathlib -w|--warn -s|--standard \
        -q|--quiet -e|--expression=data -f|--file=read -t -v -1 -x|--extended-register",
        "read*",
    ),
    reads(
        "ldd",
        "ldd(1) glibc 2.39",
        "-v|--verbose -u|--unused -d|--data-relocs \
        -r|--function-relocs -V|--version",
        "read*",
    )
    .act(|call| {
        // The loader of the program is run, which the program itself may name.
        for file in call.operands.clone() {
            let system =
                ["/usr/", "/bin/", "/sbin/", "/lib"].iter().any(|front| file.text.starts_with(front));
            if !system && file.text.contains('/') {
                call.run_file(&file, "", Vec::new());
            }
        }
    }),
    reads(
        "nm objdump readelf size pahole lddtree otool dwarfdump file-info addr2line c++filt",
        "objdump(1) binutils 2.42",
        "",
        "read*",
    )
    .style(Style::Raw)
    .act(look_at_operands),
    works(
        "strip objcopy ranlib",
        "objcopy(1) binutils 2.42",
        "-o=write -s|--strip-all \
        -g|--strip-debug -S -x -X -K=data -N=data -R=data -j=data -O=data -I=data -B=data -F=data \
        --strip-unneeded --only-keep-debug --add-gnu-debuglink=read --add-section=data \
        --dump-section=data --rename-section=data -v --preserve-dates -p -D -U",
        "inplace*",
    ),
    reads(
        "cloc tokei scc sloccount loccount wordcount aspell ispell hunspell spell codespell \
        shellcheck hadolint yamllint markdownlint vale proselint typos actionlint checkov-lint",
        "cloc(1) 1.98, shellcheck(1) 0.9",
        "-s=data \
        -f=data -e=data -x -a -S=data -W=num -C?=data -l -d=data -m=data --lang=data --list -q \
        --json --by-file --exclude-dir=data --include-lang=data --format=data --shell=data \
        --exclude=data --severity=data --color?=data --config=config --rcfile=config -c=config \
        --vcs=data --not-match-d=pat --quiet --files --sort=data -o=data -r --strict --no-warnings \
        -t --check-sourced --external-sources",
        "read*",
    ),
    reads(
        "csvcut csvgrep csvstat csvlook csvsort csvjoin csvstack csvjson in2csv csvsql-look xsv \
        qsv mlr miller xan datamash tv visidata",
        "csvkit 1.3, mlr(1) 6",
        "",
        "",
    )
    .style(Style::Raw)
    .act(look_at_operands),
    reads(
        "xmllint xpath xsltproc xml xmlstarlet tidy html2text pup htmlq w3m-dump pdftotext pdfinfo \
        exiftool-read mediainfo identify ffprobe",
        "xmllint(1) 2.12",
        "",
        "",
    )
    .style(Style::Raw)
    .act(look_at_operands),
    works("sponge", "sponge(1) moreutils 0.67", "-a", "inplace*").act(|call| {
        if call.stdin_is_empty() && !call.has("-a") {
            call.empties();
        }
    }),
    works(
        "dos2unix unix2dos mac2unix todos fromdos flip",
        "dos2unix(1) 7.5",
        "-# -a -b -c=data -d \
        -e -f|--force -h -i?=data -k|--keepdate -l|--newline -m|--add-bom -n|--newfile -o|--oldfile \
        -q|--quiet -r|--remove-bom -s|--safe -u -v|--verbose -F|--follow-symlink -S -R",
        "inplace*",
    ),
    named(
        "rename prename file-rename perl-rename mmv krename vidir",
        "rename(1) util-linux 2.39",
        "-v|--verbose \
        -n|--no-act|--nono -f|--force -e=lang:perl -0|--null -d|--filename --fullpath -s|--symlink \
        -o|--no-overwrite -i|--interactive -a|--all -l|--last -u=data",
        "",
    )
    .act(rename),
    filter(
        "uuencode uudecode base91 ascii85 recode konwert unaccent",
        "uuencode(1) sharutils 4.15",
        "-m|--base64 \
        -o|--output-file=write -e|--encode-file-name -c|--ignore-chmod",
        "read data",
    )
    .act(|call| {
        if call.program == "uudecode" {
            call.deeds.output = Output::Decoded;
        }
    }),
    reads("envsubst", "envsubst(1) gettext 0.22", "-v|--variables", "data*")
        .act(|call| call.env_read_quietly()),
    reads("printenv", "printenv(1) coreutils 9.4", "-0|--null", "env*").act(|call| {
        if call.operands.is_empty() {
            call.env_read("*")
        }
    }),
    works(
        "pandoc",
        "pandoc(1) 3.1",
        "-f|--from|-r|--read=data -t|--to|-w|--write=data \
        -o|--output=write -s|--standalone --toc --table-of-contents -N|--number-sections \
        -V|--variable=data -M|--metadata=data --metadata-file=read --template=read -F|--filter=prog \
        -L|--lua-filter=file:lua --pdf-engine=prog --pdf-engine-opt=data -c|--css=data \
        -H|--include-in-header=read -B|--include-before-body=read -A|--include-after-body=read \
        --reference-doc=read --bibliography=read --csl=read -C|--citeproc --extract-media=dir \
        --wrap=data --columns=num --self-contained --embed-resources --highlight-style=data \
        --mathjax?=data --resource-path=data --data-dir=read -d|--defaults=read --list-input-formats \
        --list-output-formats --shift-heading-level-by=num --verbose --quiet -i --log=write \
        --atx-headers --markdown-headings=data --reference-links --syntax-definition=read \
        --slide-level=num",
        "read*",
    ),
    reads(
        "fzf sk peco gum dialog whiptail zenity",
        "fzf(1) 0.46",
        "-x -e|--exact -i +i \
        -m|--multi?=num -q|--query=data -f|--filter=data -0|--exit-0 -1|--select-1 --preview=sh \
        --preview-window=data --bind=data --height=data --layout=data --reverse --border?=data \
        --ansi --header=data --header-lines=num --prompt=data -d|--delimiter=data -n|--nth=data \
        --with-nth=data --no-sort +s --tac --print0 --read0 --print-query --tiebreak=data \
        --color=data --info=data --cycle --expect=data --pointer=data --marker=data --file=config \
        --textbox=read --filename=read --editbox=read --tailbox=read --text-info --checklist --menu \
        --yesno --msgbox --inputbox --gauge --title=data",
        "data*",
    )
    .act(|call| {
        for binding in call.values("--bind") {
            for action in ["execute(", "execute-silent(", "reload(", "become(", "transform("] {
                if let Some(at) = binding.text.find(action) {
                    let text =
                        word::slice(&binding, at + action.len(), binding.text.trim_end_matches(')').len());
                    call.run_shell(text);
                }
            }
        }
    }),
    works(
        "ctags etags cscope gtags",
        "ctags(1) 6.1",
        "-R|--recurse?=data -f|-o=write -a|--append \
        -L=read --exclude=pat --languages=data --kinds-all=data -e --fields=data --extras=data -x -b \
        -q -k -n",
        "read*",
    )
    .act(|call| {
        if !call.any(&["-f", "-x"]) {
            call.write_named("tags", WriteMode::Create);
        }
    }),
];

impl Call<'_> {
    /// Variables that a template may name.
    fn env_read_quietly(&mut self) {
        let span = self.span();
        self.deeds.env_reads.push(doorward_core::intent::EnvRead {
            name: "*".to_owned(),
            reaches_host: false,
            span,
        });
    }
}

fn look_at_operands(call: &mut Call<'_>) {
    let mut after_output = false;
    for word in call.operands.clone() {
        let text = word.text.as_str();
        if after_output {
            call.beyond_plain = true;
            call.write(&word, WriteMode::Create);
            after_output = false;
        } else if matches!(text, "-o" | "--output" | "--out" | "-w" | "-O" | "-modify" | "-m")
            && call.program != "strip"
            && call.program != "nm"
            && call.program != "objdump"
            && call.program != "readelf"
            && call.program != "mlr"
        {
            after_output = text != "-w" && text != "-m" || call.program == "xsv";
        } else if let Some((_, value)) = word::halves(&word, '=').filter(|_| text.starts_with("--o")) {
            call.beyond_plain = true;
            call.write(&value, WriteMode::Create);
        } else if matches!(text, "-I" | "--in-place" | "-i")
            && matches!(call.program.as_str(), "mlr" | "tidy")
        {
            call.acts = true;
            call.beyond_plain = true;
        } else if !text.starts_with('-')
            && !text.starts_with("//")
            && !text.contains([' ', '(', '{', '$', '\n'])
        {
            if word.text.contains("://") {
                call.contact(&word, "https", Direction::Fetch, Vec::new());
            } else {
                call.read(&word);
            }
        }
    }
    // `xmlstarlet ed -L` changes its files.
    let edits =
        matches!(call.first(), Some("ed" | "edit")) && matches!(call.program.as_str(), "xmlstarlet" | "xml");
    if edits
        && call.operands.iter().any(|word| matches!(word.text.as_str(), "-L" | "--inplace"))
        && let Some(file) = call.operands.last().cloned()
    {
        call.beyond_plain = true;
        call.write(&file, WriteMode::InPlace);
    }
    let words: Vec<&str> = call.operands.iter().map(|word| word.text.as_str()).collect();
    // `mlr tee FILE`, `mlr … then split -g a`; `tee > FILE` inside an expression.
    let writes = matches!(call.program.as_str(), "mlr" | "miller")
        && words.iter().enumerate().any(|(at, word)| match at.checked_sub(1).and_then(|at| words.get(at)) {
            _ if word.contains("> \"") || word.contains("> $") || word.contains("tee >") => true,
            Some(before) => {
                matches!(*word, "tee" | "split" | "case") && (*before == "then" || before.starts_with('-'))
            }
            None => matches!(*word, "tee" | "split"),
        });
    if writes {
        call.acts = true;
        call.beyond_plain = true;
    }
    // Expressions of these tools can run programs: `mlr put 'system(…)'`.
    let runs = call
        .operands
        .iter()
        .find(|word| ["system(", "exec(", "| \"", "shell("].iter().any(|name| word.text.contains(name)))
        .cloned();
    if let Some(text) = runs
        && matches!(call.program.as_str(), "mlr" | "miller" | "visidata")
    {
        call.run_language("awk", text);
    }
}

fn grep(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    if !call.any(&["-e", "-f", "-g", "--match"]) && !operands.is_empty() {
        operands.remove(0);
    }
    let recursive =
        call.any(&["-r", "-R"]) || matches!(call.program.as_str(), "rgrep" | "ag" | "ack" | "pt" | "sift");
    if operands.is_empty() && recursive {
        operands.push(Word::literal(".", call.span()));
    }
    let chosen = if recursive { call.values("--include") } else { Vec::new() };
    // ag and kin leave hidden names out unless they are told.
    let hidden = !matches!(call.program.as_str(), "ag" | "ack" | "pt" | "sift")
        || call.any(&["--hidden", "-u", "-U", "-a"]);
    let below = match (recursive && chosen.is_empty(), hidden) {
        (false, _) => Below::Nothing,
        (true, true) => Below::Everything,
        (true, false) => Below::Visible,
    };
    for operand in &operands {
        call.read_below(operand, below);
    }
    read_chosen(call, &operands, &chosen);
    if call.any(&["-l", "-L", "--files-with-matches", "--files-without-match"]) {
        found_in(call, &operands, &chosen, recursive);
    }
}

/// Files below folders that a pattern chooses are read by name.
fn read_chosen(call: &mut Call<'_>, folders: &[Word], chosen: &[Word]) {
    for folder in folders {
        for pattern in
            chosen.iter().filter(|pattern| !pattern.text.starts_with('!') && !is_source(&pattern.text))
        {
            let folder = folder.text.trim_end_matches('/');
            let mut word =
                word::instead(pattern, format!("{folder}/**/{}", pattern.text.trim_start_matches("**/")));
            word.form = Form::Glob;
            call.read(&word);
        }
    }
}

/// A pattern that only fixes an ending, and one that no key or certificate has.
fn is_source(pattern: &str) -> bool {
    const KEPT: &[&str] =
        &["pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "tfstate", "tfvars", "env", "backup"];
    let ending = pattern.trim_start_matches("**/").strip_prefix("*.");
    ending.is_some_and(|ending| {
        !KEPT.contains(&ending)
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"{,}".contains(&byte))
    })
}

/// The names that a search prints: those it was given, or what lies below them.
fn found_in(call: &mut Call<'_>, places: &[Word], chosen: &[Word], recursive: bool) {
    for place in places {
        if !recursive {
            call.deeds.lists.push(place.clone());
        } else if chosen.is_empty() {
            call.lists_below(place);
        } else {
            let folder = place.text.trim_end_matches('/').to_owned();
            chosen.iter().for_each(|pattern| call.lists(format!("{folder}/**/{}", pattern.text)));
        }
    }
}

fn ripgrep(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    if !call.any(&["-e", "-f", "--files", "--type-list"]) && !operands.is_empty() {
        operands.remove(0);
    }
    let shows = call.has("--hidden")
        || call.has("-.")
        || call.given.iter().filter(|given| given.name == "-u").count() > 1;
    let below = if shows { Below::Everything } else { Below::Visible };
    for operand in &operands {
        let below = if call.has("-g") || call.has("-t") { Below::Nothing } else { below };
        if call.has("--files") { call.look(operand) } else { call.read_below(operand, below) }
    }
    let named = !operands.is_empty();
    let places = if named { operands } else { vec![Word::literal(".", call.span())] };
    let chosen: Vec<Word> = call.values("-g").into_iter().chain(call.values("--iglob")).collect();
    if !call.has("--files") && (named || matches!(call.argv.stdin, crate::deed::Stdin::Inherited)) {
        read_chosen(call, &places, &chosen);
    }
    if call.any(&["-l", "--files", "--files-without-match"]) {
        let chosen: Vec<Word> = chosen.into_iter().filter(|pattern| !pattern.text.starts_with('!')).collect();
        found_in(call, &places, &chosen, true);
    }
    // Nothing ignored and nothing hidden is left out.
    if shows && call.any(&["-u", "--no-ignore"]) && !call.has("--files") && chosen_all(call) {
        for place in &places {
            call.read_below(place, Below::Everything);
        }
        call.remark("shell.secret_walk", "reads hidden and ignored files, where secrets lie");
    }
    if call.has("-z") {
        // Unpackers are looked up in PATH.
        call.beyond_plain = true;
    }
}

/// Whether no pattern chooses among the files.
fn chosen_all(call: &Call<'_>) -> bool {
    !call.any(&["-g", "--iglob", "-t"])
}

/// Merges what a script does into the call: its plain use ends where the script acts.
fn merge_script(call: &mut Call<'_>, script: crate::deed::Deeds) {
    let acts = !script.writes.is_empty()
        || !script.deletes.is_empty()
        || !script.runs.is_empty()
        || !script.hosts.is_empty()
        || script.findings.iter().any(|finding| finding.code == "shell.obfuscated");
    call.acts |= acts;
    call.beyond_plain |= acts;
    call.deeds.reads.extend(script.reads);
    call.deeds.writes.extend(script.writes);
    call.deeds.deletes.extend(script.deletes);
    call.deeds.hosts.extend(script.hosts);
    call.deeds.env_reads.extend(script.env_reads);
    call.deeds.runs.extend(script.runs);
    call.deeds.findings.extend(script.findings.into_iter().filter(|finding| finding.code != "code.snippet"));
}

/// A script given as text; one that can't be seen hides what it does.
fn embedded(call: &mut Call<'_>, language: &str, text: &Word) {
    if text.known().is_none() && text.text.trim_matches('…').is_empty() {
        call.acts = true;
        call.finding("shell.obfuscated", format!("the {language} script can't be seen"));
        return;
    }
    if text.known().is_none() {
        call.acts = true;
        call.beyond_plain = true;
    }
    let deeds = languages::describe(language, &text.text, text.span, call.ctx);
    merge_script(call, deeds);
}

fn sed(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    let in_place = call.any(&["-i", "--in-place"]);
    let mut scripts = call.values("-e");
    if !call.any(&["-e", "-f"]) && !operands.is_empty() {
        scripts.push(operands.remove(0));
    }
    if !call.has("--sandbox") {
        for script in &scripts {
            embedded(call, "sed", script);
        }
        for file in call.values("-f") {
            call.run_file(&file, "sed", Vec::new());
        }
    }
    for file in &operands {
        if in_place {
            call.beyond_plain = true;
            call.write(file, WriteMode::InPlace);
        } else {
            call.read(file);
        }
    }
    // `sed -i d`, `sed -i '1,$d'`, `sed -i -n ''`: nothing is printed back.
    let prints_nothing = |script: &Word| {
        let script: String = script.text.chars().filter(|letter| !letter.is_whitespace()).collect();
        matches!(
            script.trim_end_matches(';'),
            "d" | "1,$d"
                | "0,$d"
                | "1!d;d"
                | "D"
                | "//d"
                | "/^/d"
                | "/$/d"
                | "/./d"
                | "/.*/d"
                | "z;d"
                | "z"
                | "s/.*//"
                | "s/.*//g"
                | "s/^.*$//"
        ) || call.has("-n") && matches!(script.as_str(), "" | "d" | "p,q" | "q" | "n" | "x" | "Q" | "1q")
            || matches!(script.as_str(), "Q" | "1Q")
    };
    if in_place && scripts.iter().any(prints_nothing) {
        call.empties();
    }
    let suffix = call.value("-i").or_else(|| call.value("--in-place"));
    if let Some(suffix) = suffix.filter(|suffix| suffix.text.contains('/')) {
        call.write(&suffix, WriteMode::Create);
    }
}

fn awk(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    let mut scripts = call.values("-e");
    let files: Vec<Word> = call.values("-f").into_iter().chain(call.values("-E")).collect();
    if scripts.is_empty() && files.is_empty() && !operands.is_empty() {
        scripts.push(operands.remove(0));
    }
    let sandbox = call.has("-S");
    for script in &scripts {
        if !sandbox {
            embedded(call, "awk", script);
        }
    }
    for file in &files {
        if file.text == "-" {
            call.run_stdin("awk", Vec::new())
        } else {
            call.run_file(file, "awk", Vec::new())
        }
    }
    let mut in_place = false;
    for include in call.values("-i") {
        if include.text == "inplace" { in_place = true } else { call.run_file(&include, "awk", Vec::new()) }
    }
    for (given, default) in [("-o", "awkprof.out"), ("-p", "awkprof.out"), ("-d", "awkvars.out")] {
        if call.has(given) {
            let file = call.value(given).map_or_else(|| default.to_owned(), |file| file.text);
            call.beyond_plain = true;
            call.write_named(&file, WriteMode::Create);
        }
    }
    for operand in operands.iter().filter(|operand| !is_assignment(&operand.text)) {
        if in_place {
            call.beyond_plain = true;
            call.write(operand, WriteMode::InPlace);
        } else {
            call.read(operand);
        }
    }
    // Without a print, and without a pattern that stands for one, nothing comes back.
    let prints = |script: &Word| {
        let text = script.text.trim();
        text.contains("print")
            || !matches!(text, "" | "0" | "{}") && !text.starts_with('{')
            || script.known().is_none()
    };
    if in_place && files.is_empty() && !scripts.iter().any(prints) {
        call.empties();
    }
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

fn jq(call: &mut Call<'_>) {
    let operands = call.operands.clone();
    let mut words = operands.iter();
    let mut program: Option<Word> = None;
    let mut from_file = false;
    let mut rest_is_text = false;
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        match text {
            "--arg" | "--argjson" => {
                words.next();
                words.next();
            }
            "--slurpfile" | "--rawfile" | "--argfile" => {
                words.next();
                if let Some(file) = words.next() {
                    call.read(file);
                }
            }
            "--args" | "--jsonargs" => rest_is_text = true,
            "--indent" => {
                words.next();
            }
            "-L" | "--library-path" => {
                if let Some(folder) = words.next() {
                    call.read_below(folder, Below::Everything);
                }
            }
            "-f" | "--from-file" => from_file = true,
            "--" => {}
            _ if text.starts_with("--") => {}
            _ if text.starts_with('-') && text.len() > 1 => from_file |= text.contains('f'),
            _ if program.is_none() => {
                program = Some(word.clone());
                if from_file {
                    call.read(word);
                }
            }
            _ if rest_is_text => {}
            _ => call.read(word),
        }
    }
    if let Some(program) = program.filter(|_| !from_file) {
        let text = &program.text;
        if text.contains("$ENV")
            || text
                .split(|letter: char| !letter.is_alphanumeric() && letter != '.' && letter != '_')
                .any(|name| name == "env")
        {
            let name = text
                .split(['.', ' ', '|'])
                .skip_while(|part| !part.ends_with("env") && !part.ends_with("$ENV"))
                .nth(1)
                .filter(|name| !name.is_empty())
                .map_or("*", |name| name);
            if name == "*" {
                call.env_read("*")
            } else {
                call.env_read(&name.replace(|letter: char| !letter.is_alphanumeric() && letter != '_', ""))
            }
        }
    }
}

fn yq(call: &mut Call<'_>) {
    for operand in call.operands.clone() {
        for front in ["strenv(", "env(", "envsubst"] {
            if let Some(rest) = operand.text.split(front).nth(1) {
                let name = rest.split(')').next().unwrap_or_default().trim().to_owned();
                call.env_read(&name);
                call.remark("shell.env_dump", "reads the environment");
                break;
            }
        }
    }
    if matches!(call.program.as_str(), "yq" | "dasel") {
        for operand in call.operands.clone() {
            // `load("file")`, `load_str("file")`.
            for rest in operand.text.split("load").skip(1) {
                let name = rest.split_once(['"', '\'']).and_then(|(_, rest)| rest.split(['"', '\'']).next());
                if let Some(name) = name.filter(|_| rest.contains('(')) {
                    call.read(&word::instead(&operand, name));
                }
            }
        }
        // Alone it is a file's name, not the expression that stands in front of one.
        if call.operands.len() == 1
            && call.argv.stdin == crate::deed::Stdin::Inherited
            && let Some(first) = call.operands.first().cloned()
            && first
                .text
                .strip_prefix('.')
                .is_some_and(|name| matches!(name, "env") || name.starts_with("env."))
        {
            super::unknown::mention(call, &first);
        }
    }
    // Whatever isn't a path into the document is JavaScript to fx.
    let path = |text: &str| {
        text.starts_with(['.', '?'])
            && text.chars().all(|letter| letter.is_alphanumeric() || "._[]?-\"' ".contains(letter))
    };
    if call.program == "fx" {
        for code in call.operands.clone().into_iter().skip(1).filter(|word| !path(&word.text)) {
            call.run_language("javascript", code);
        }
    }
    let in_place = call.has("-i");
    let mut operands = call.operands.clone();
    if operands.first().is_some_and(|first| {
        matches!(first.text.as_str(), "eval" | "e" | "eval-all" | "ea" | "r" | "read" | "select")
    }) {
        operands.remove(0);
    }
    // The first is an expression, or a file if there is no other.
    let from = usize::from(
        operands.len() > 1
            || operands.first().is_some_and(|first| {
                first.text.starts_with('.')
                    && !first.text.contains('/')
                    && !std::path::Path::new(&first.text)
                        .extension()
                        .is_some_and(|extension| extension == "yml" || extension == "yaml")
            }),
    );
    for file in operands.iter().skip(from) {
        if in_place {
            call.beyond_plain = true;
            call.write(file, WriteMode::InPlace);
        } else {
            call.read(file);
        }
    }
}

fn column(call: &mut Call<'_>) {
    if call.program == "iconv" && call.has("-o") {
        call.strangers.clear();
    }
    if call.program == "iconv"
        && let Some(target) = call.value("-o")
    {
        call.beyond_plain = true;
        call.write(&target, WriteMode::Create);
    }
}

fn xxd(call: &mut Call<'_>) {
    if let Some(input) = call.operand(0) {
        call.read(&input);
    }
    if call.has("-r") {
        call.deeds.output = Output::Decoded;
    }
    if call.program == "xxd"
        && let Some(output) = call.operand(1)
    {
        call.beyond_plain = true;
        let mode = if call.has("-r") { WriteMode::InPlace } else { WriteMode::Create };
        return call.write(&output, mode);
    }
    for file in call.operands_from(1) {
        call.read(&file);
    }
}

fn rename(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    // Under another name a secret isn't known for one.
    if !call.has("-n") {
        operands.iter().filter(|word| !word.text.contains(['\'', '(', ';'])).for_each(|word| {
            super::unknown::mention(call, word);
        });
    }
    if !call.has("-e") && !operands.is_empty() {
        let first = operands.remove(0);
        let is_code = first.text.contains('/')
            && (first.text.starts_with('s') || first.text.starts_with('y') || first.text.starts_with("tr"));
        if first.text.contains('`')
            || first.text.contains("system")
            || first.text.contains("exec")
            || first.text.trim_end().ends_with(['e', ';'])
                && is_code
                && first.text.rsplit('/').next().is_some_and(|flags| flags.contains('e'))
        {
            let via = call.program.clone();
            call.run(Run::Language { language: "perl".to_owned(), text: first, via });
        } else if !is_code && !operands.is_empty() {
            operands.remove(0);
        }
    }
    if call.has("-n") {
        call.nature = Nature::Reads;
        return operands.iter().for_each(|path| call.look(path));
    }
    for path in &operands {
        call.write(path, WriteMode::InPlace);
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn filters_read_unless_their_script_acts() {
        check(&[
            ("grep -rn touch src", "read src; read-only"),
            ("grep -e a b c", "read b; read c; read-only"),
            ("grep -A 3 --color=auto x a", "read a; read-only"),
            ("rg -n 'fn main' src", "read src; read-only"),
            ("rg --json 'TODO|FIXME' -g '*.rs'", "read-only"),
            ("rg -l --hidden foo", "read-only"),
            ("rg --pre='touch x' hello a", "read a; argv touch x"),
            ("rg --pr=x hello a", "read a; unknown_option; argv x; unknown"),
            ("sed -n 10,20p a", "read a; read-only"),
            ("sed s/foo/bar/g a", "read a; read-only"),
            ("sed -E 's#(a|b);c#x#' a", "read a; read-only"),
            ("sed -i s/a/b/ a", "inplace a"),
            ("sed -n '1e touch x' a", "read a; sh touch x"),
            ("sed -n 'w x' a", "read a; create x"),
            ("sed 's/a/b/w x' a", "read a; create x"),
            ("awk '{s+=$1} END{print s}' a", "read a; read-only"),
            ("awk -F, '$2 ~ /system/ {print $1}' a", "read a; read-only"),
            ("awk 'BEGIN{printf \"%s\", \"a|b\"}'", "read-only"),
            ("awk 'BEGIN{system(\"touch x\")}'", "sh touch x"),
            ("awk '{print > \"x\"}' a", "read a; create x"),
            ("jq .a b.json", "read b.json; read-only"),
            ("yq -i .a=1 b.yml", "inplace b.yml"),
            ("diff a b", "read a; read b; read-only"),
            ("man -w touch", "read-only"),
            ("man --html=x ls", "argv x"),
            ("xxd -r a b", "read a; inplace b"),
            ("printenv", "env *; env_dump; plain"),
        ]);
    }
}
