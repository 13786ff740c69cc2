//! Options that only choose what is read and how it is shown, for programs whose words are read by a function beside
//! their row.
//!
//! A call of such a program that was found to only read keeps that proof only if every option stands here; any other
//! option is `shell.unknown_option`. An option isn't listed if it writes, runs, loads or asks another server. The
//! roles of values are those of a row: `=read` is a file that is read.

use std::collections::HashMap;
use std::sync::LazyLock;

use doorward_knowledge::row::Style;

/// What one group of programs takes.
pub(super) struct Reader {
    pub(super) programs: &'static str,
    /// The manual.
    #[cfg_attr(not(test), expect(dead_code, reason = "for people, and for the test that every row has one"))]
    pub(super) source: &'static str,
    pub(super) style: Style,
    pub(super) options: &'static str,
}

const fn gnu(programs: &'static str, source: &'static str, options: &'static str) -> Reader {
    Reader { programs, source, style: Style::Gnu, options }
}

const fn word(programs: &'static str, source: &'static str, options: &'static str) -> Reader {
    Reader { programs, source, style: Style::Word, options }
}

pub(super) const READERS: &[Reader] = &[
    // Processes and hardware.
    gnu(
        "ps",
        "ps(1) procps 4.0",
        "-A -a -d -e -f -F -j -l -L -M -o=data -O=data -p=num -q=num -C=data -g=data -G=data -s=num \
            -t=data -T -u=data -U=data -V -w -x -y -Z -c -H -m -N -P -X --pid=num --ppid=num \
            --sort=data --forest --cols=num --columns=num --width=num --rows=num --format=data \
            --headers --deselect --user=data --User=data --group=data --Group=data --tty=data \
            --sid=num --lines=num --cumulative --context --info --quick-pid=num",
    ),
    gnu(
        "pgrep pidof",
        "pgrep(1) procps 4.0",
        "-a|--list-full -A --ignore-ancestors -c|--count -d|--delimiter=data -f|--full \
            -g|--pgroup=data -G|--group=data -i|--ignore-case -l|--list-name -n|--newest -o|--oldest \
            -O|--older=num -P|--parent=data -s|--session=data -t|--terminal=data -u|--euid=data \
            -U|--uid=data -v|--inverse -w|--lightweight -x|--exact -F|--pidfile=read -L|--logpidfile \
            -r|--runstates=data --cgroup=data --ns=num --nslist=data -q -S -z",
    ),
    gnu(
        "pstree",
        "pstree(1) psmisc 23.6",
        "-a|--arguments -A|--ascii -c|--compact-not -C|--color=data -g|--show-pgids -G|--vt100 \
            -h|--highlight-all -H|--highlight-pid=num -l|--long -n|--numeric-sort -N|--ns-sort=data \
            -p|--show-pids -s|--show-parents -S|--ns-changes -t|--thread-names -T|--hide-threads \
            -u|--uid-changes -U|--unicode -V|--version -Z|--security-context",
    ),
    gnu(
        "top htop btop atop glances",
        "top(1) procps 4.0",
        "-b -c -d=num -e=data -E=data -H -h -i -n=num -o=data -O -p=data -s -S -u=data -U=data -v -V \
            -w?=num -1 -l=num -C|--no-color -t|--tree -M|--no-mouse -F|--filter=data --sort-key=data \
            --readonly",
    ),
    gnu(
        "vmstat iostat mpstat sar numastat slabtop",
        "vmstat(8) procps 4.0, iostat(1) sysstat 12.7",
        "-a -A -b -c -C -d -D -f -F -g=data -h -H -I=data -j=data -k -m -M -n -N=data -p?=data \
            -P=data -q -r -R -s -S=data -t -T -u -v -V -w -W -x -y -z -B -o=write -i=num --human \
            --pretty --dec=num",
    ),
    gnu(
        "free uptime",
        "free(1) procps 4.0",
        "-b|--bytes -k|--kibi -m|--mebi -g|--gibi -h|--human -c|--count=num -s|--seconds=num \
            -l|--lohi -t|--total -w|--wide -L|--line --kilo --mega --giga --tera --tebi --si -v -V \
            -p|--pretty",
    ),
    gnu(
        "lsblk lsmem lscpu lsns lsipc lslocks lslogins lsfd ipcs findmnt blkid",
        "lsblk(8), findmnt(8) util-linux 2.39",
        "-a|--all -A|--noempty -b|--bytes -B -d|--nodeps -D|--discard -e|--exclude=data \
            -E|--dedup=data -f|--fs -g -i|--ascii -I|--include=data -J|--json -l|--list -L \
            -m|--perms -M|--merge -n|--noheadings -N|--nvme -o|--output=data -O|--output-all \
            -p|--paths|--parse?=data -P|--pairs -q -r|--raw -s|--inverse -S|--scsi=data \
            -t|--topology|--types=data -T?=data -u|--uid=data -v -V -w -W|--width=num -x|--sort=data \
            -y|--shell -z|--zoned --tree?=data --real --pseudo --df --evaluate --first-only \
            --target=data --source=data --mountpoint=data --uniq --verify -C --extended?=data \
            -U=data --label=data --match=data",
    ),
    gnu(
        "lspci lsusb lsmod lshw dmidecode hwinfo inxi acpi biosdec lsdev",
        "lspci(8) pciutils 3.10, inxi(1) 3.3",
        "-v -vv -vvv -n -nn -k -m -mm -mmm -t -s=data -d=data -D -b -x -q -j -u -A -B -F -G -N -S -M \
            -I -w -z -i -p -P -R -f -V -a -c?=num -short -businfo -numeric -class=data -C=data -html \
            -xml -json -sanitize -quiet --type=data --handle=num --short --tree --string=data",
    ),
    gnu(
        "pmap pwdx getcap nproc-build",
        "pmap(1) procps 4.0",
        "-x|--extended -X -d|--device -q|--quiet -A|--range=data -p|--show-path -r -n -v -V",
    ),
    word(
        "nvidia-smi rocm-smi",
        "nvidia-smi(1) 550",
        "-L -q -i=data -d=data -x -l=num -lms=num -h -B --query-gpu=data --query-compute-apps=data \
            --format=data --id=data --list-gpus --query --display=data --loop=num --showtemp \
            --showuse --showmeminfo=data --showpower --showproductname --showid topo dmon pmon",
    ),
    gnu(
        "duf ncdu dust procs",
        "duf(1) 0.8, dust 0.8",
        "-0 -1 -a -d=num -n=num -r -s -x -f -e -q -h --hide=data --only=data --sort=data \
            --output=data --style=data --theme=data --inodes --width=num --depth=num --tree --watch",
    ),
    gnu(
        "neofetch fastfetch screenfetch",
        "neofetch(1) 7.1",
        "--stdout --off --ascii_distro=data --disable=data --logo --no_config -n -N -v -V -h",
    ),
    gnu(
        "pidstat",
        "pidstat(1) sysstat 12.7",
        "-d -G=data -h -H -I -l -p=data -r -R -s -t -T=data -u -U=data -v -V -w --human --dec=num",
    ),
    gnu(
        "lsof",
        "lsof(8) 4.98",
        "-a -b -c=data -C -d=data -e=data -E -f -F=data -g=data -i?=data -K?=data -l -L -M -n -N \
            -o=data -O -p=data -P -Q -R -r=num -s?=data -S=num -t -T=data -u=data -U -v -V -w \
            -x=data -X -z -Z +c=num +d=look +D=look +f=data +L=data +w",
    ),
    // Networks.
    gnu(
        "ss netstat",
        "ss(8) iproute2 6.7, netstat(8) net-tools 2.10",
        "-H|--no-header -Q -O|--oneline -n|--numeric -r|--resolve|--route -a|--all -l|--listening -B \
            -o|--options|--timers -e|--extended|--extend -m|--memory \
            -p|--processes|--programs|--program -T|--threads -i|--info|--interfaces \
            -s|--summary|--statistics -E -Z|--context -z -N=data -b -4|--ipv4 -6|--ipv6 -0 -t|--tcp \
            -u|--udp -d -w|--raw -x|--unix -S|--sctp -M -f|--family=data -A|--query=data --tos \
            --cgroup --net=data -c -C -v -W -g --inet --inet6 --tipc --vsock -V -L -F -R",
    ),
    word(
        "ip tc bridge",
        "ip(8) iproute2 6.7",
        "-4 -6 -0 -M -B -V -s -stats -statistics -d -details -f=data -family=data -o -oneline -r \
            -resolve -n=data -a -c?=data -color?=data -t -timestamp -ts -br -brief -j -json -p \
            -pretty -iec -h -human -N -Numeric -echo -b-none",
    ),
    gnu(
        "ifconfig route arp iwconfig iw ethtool networkctl nstat ifstat",
        "ifconfig(8) net-tools 2.10, iw(8) 5.19",
        "-a -s -v -n -e -ee -F -C -A -i=data -S -k -g -c -m -P -T -l -t=num",
    ),
    gnu(
        "nmcli resolvectl systemd-resolve",
        "nmcli(1) 1.46",
        "-t|--terse -p|--pretty -m|--mode=data -c|--colors=data -f|--fields=data \
            -g|--get-values=data -e|--escape=data -w|--wait=num -s|--show-secrets -o|--overview -4 \
            -6 -i|--interface=data -p=data --legend=data --status --statistics",
    ),
    gnu(
        "ping ping6 tracepath traceroute traceroute6 mtr",
        "ping(8) iputils 20240117",
        "-# -4 -6 -a -A -b -B -c=num -C -d -D -e=num -f -F=data -g=data -h -H -i=num -I=data -l=num \
            -L -m=num -M=data -n -N=data -o -O -p=data -P=num -q=num -Q=data -r -R -s=num -S=num \
            -t=num -T -U -v -V -w=num -W=num -y=data -z=num --report --report-wide \
            --report-cycles=num --no-dns --tcp --udp --port=num",
    ),
    gnu(
        "dig host nslookup drill kdig dog delv whois",
        "dig(1) 9.18",
        "-4 -6 -b=data -c=data -d -i -m -p=num -q=data -r -s -S -t=data -T -u -v -V -x=data -C \
            -N=num -R=num -W=num -w -a -l -n -A -H",
    ),
    // Services and logs.
    gnu(
        "localectl systemd-analyze systemd-cgls \
            systemd-cgtop systemd-path systemd-detect-virt bootctl",
        "systemd 255",
        "-a|--all -l|--full -p|--property=data --value -n|--lines=num -o|--output=data -q|--quiet \
            --user --system --global -k -u|--unit=data --order -P -r -c -m -t -i -d=num -b -1 -s -j \
            --json=data --iterations=num --depth=num --raw --no-pager --man?=data \
            --from-pattern=data --to-pattern=data --fuzz=num",
    ),
    gnu(
        "dmesg",
        "dmesg(1) util-linux 2.39",
        "-d|--show-delta -e|--reltime -f|--facility=data -H|--human -J|--json -k|--kernel \
            -l|--level=data -L|--color?=data -n=data -P|--nopager -p|--force-prefix -r|--raw \
            -S|--syslog -s|--buffer-size=num -T|--ctime -t|--notime -u|--userspace -w|--follow \
            -W|--follow-new -x|--decode --time-format=data --since=data --until=data --noescape",
    ),
    gnu(
        "modinfo getenforce sestatus aa-status localectl zramctl losetup swapon mount",
        "mount(8) util-linux 2.39",
        "-l|--list|--show-labels -a|--all|--author -b -d|--description -F|--field=data -k=data -n -0 \
            -p|--parameters -v -t=data -O=data -J|--json -o|--output=data -s|--summary --show?=data \
            --raw --noheadings --bytes --enabled --profiled --enforced --output-all",
    ),
    gnu(
        "fdisk sfdisk parted gdisk sgdisk lvs vgs pvs lvdisplay vgdisplay pvdisplay mdadm zfs zpool \
            btrfs cryptsetup",
        "fdisk(8) util-linux 2.39, lvs(8) 2.03",
        "-l|--list -a|--all -b -c -d|--dump -D|--detail -E|--examine -h -H -o=data -O=data \
            -p|--parsable -P -r -s|--script -S=data -t=data -v -x --units=data --noheadings \
            --segments --query",
    ),
    gnu(
        "sysctl ldconfig kmod modprobe auditctl efibootmgr lsmod update-alternatives alternatives \
            semanage semodule",
        "sysctl(8) procps 4.0",
        "-a|--all -b|--binary -e|--ignore -n|--values -N|--names -q -r|--pattern=pat -A -X \
            -p|--print-cache -c|--showconfig -D|--show-depends -D -s -l|--list -v --display --list \
            --query --get-selections --dry-run",
    ),
    gnu("crontab", "crontab(1) 3.0", "-l -u=data"),
    gnu(
        "aureport ausearch last lastcomm",
        "ausearch(8) 3.1",
        "-i|--interpret -k=data -m=data -ts=data -te=data -ui=data -p=num -x=data -r -au -l -f -n \
            --summary --failed --success --start=data --end=data",
    ),
    // Building blocks of programs.
    gnu(
        "nm",
        "nm(1) binutils 2.42",
        "-a|--debug-syms -A|-o|--print-file-name -B -C|--demangle?=data --no-demangle -D|--dynamic \
            -e -f|--format=data -g|--extern-only -h -j|--just-symbols -l|--line-numbers \
            -n|-v|--numeric-sort -p|--no-sort -P|--portability -r|--reverse-sort -S|--print-size \
            -s|--print-armap -t|--radix=data -u|--undefined-only -U|--defined-only -V -W|--no-weak \
            -X=data --size-sort --special-syms --synthetic --with-symbol-versions --quiet \
            --defined-only --line-numbers --recurse-limit",
    ),
    gnu(
        "objdump",
        "objdump(1) binutils 2.42",
        "-a|--archive-headers -b|--target=data -C|--demangle?=data -d|--disassemble?=data \
            -D|--disassemble-all -z|--disassemble-zeroes -EB -EL --endian=data -f|--file-headers \
            -F|--file-offsets -g|--debugging -e -h|--section-headers|--headers -i|--info \
            -j|--section=data -l|--line-numbers -L -m|--architecture=data \
            -M|--disassembler-options=data -p|--private-headers -P=data -r|--reloc \
            -R|--dynamic-reloc -s|--full-contents -S|--source --source-comment?=data -t|--syms \
            -T|--dynamic-syms -w|--wide -W?=data --dwarf?=data -x|--all-headers -G \
            --start-address=data --stop-address=data --no-show-raw-insn --show-raw-insn \
            --prefix-addresses --no-addresses --visualize-jumps?=data -I|--include=look \
            --adjust-vma=data",
    ),
    gnu(
        "readelf",
        "readelf(1) binutils 2.42",
        "-a|--all -h|--file-header -l|--program-headers|--segments -S|--section-headers|--sections \
            -g|--section-groups -t|--section-details -e|--headers -s|--syms|--symbols --dyn-syms \
            --lto-syms --demangle?=data -C -n|--notes -r|--relocs -u|--unwind -d|--dynamic \
            -V|--version-info -A|--arch-specific -c|--archive-index -D|--use-dynamic -L|--lint \
            -x|--hex-dump=data -p|--string-dump=data -R|--relocated-dump=data -z|--decompress \
            -w?=data --debug-dump?=data -I|--histogram -v -W|--wide -T|--silent-truncation --quiet",
    ),
    gnu(
        "size addr2line c++filt",
        "size(1) binutils 2.42",
        "-A -B -G -d -o -x -t|--totals --common --format=data --radix=data -a|--addresses \
            -b|--target=data -C|--demangle?=data -e|--exe=read -f|--functions -i|--inlines \
            -j|--section=data -p|--pretty-print -s|--basenames|--format=data -n -r -R -_ -P",
    ),
    gnu(
        "otool dwarfdump lddtree pahole",
        "otool(1)",
        "-L -l -h -f -a -t -d -v -V -x -D -I -r -S -s -C=data -E -M -R",
    ),
    word(
        "pkg-config pkgconf",
        "pkg-config(1) 1.8",
        "--modversion --cflags --cflags-only-I --cflags-only-other --libs --libs-only-l \
            --libs-only-L --libs-only-other --exists --atleast-version=data --exact-version=data \
            --max-version=data --list-all --list-package-names --print-errors --short-errors \
            --silence-errors --static --shared --variable=data --print-variables --print-requires \
            --print-requires-private --print-provides --validate --uninstalled --path",
    ),
    gnu(
        "gcc g++ cc c++ clang clang++ rustc javac",
        "gcc(1) 13",
        "-dumpversion -dumpmachine -dumpspecs -print-search-dirs -print-libgcc-file-name \
            -print-multiarch -print-sysroot -v -V -vV --print=data --target-help --version \
            -print-file-name=data -print-prog-name=data",
    ),
    // Text and data.
    gnu(
        "csvcut csvgrep csvstat csvlook csvsort csvjoin csvstack csvjson in2csv",
        "csvkit 1.3",
        "-d|--delimiter=data -t|--tabs -q|--quotechar=data -u|--quoting=data \
            -b|--no-doublequote|--blanks -p|--escapechar=data -z|--maxfieldsize=num \
            -e|--encoding=data -L|--locale=data -S|--skipinitialspace -H|--no-header-row \
            -K|--skip-lines=num -v -l|--linenumbers -n|--names -c|--columns=data \
            -C|--not-columns=data -x|--delete-empty-rows -m|--match=pat -r|--regex=pat --reverse \
            -f|--format=data --file=read -i|--invert-match|--indent=num -a|--any-match -k|--key=data \
            -y|--snifflimit=num -I|--no-inference --zero --csv --type --nulls --unique --min --max \
            --sum --mean --median --stdev --len --freq --freq-count=num --count --max-rows=num \
            --max-columns=num --max-column-width=num --outer --left --right -g|--groups=data \
            --filenames --stream --lat=data --lon=data --sheet=data --names",
    ),
    word(
        "mlr miller",
        "mlr(1) 6",
        "--icsv --ocsv --csv --tsv --itsv --otsv --json --ijson --ojson --jsonl --ijsonl --ojsonl \
            --xtab --oxtab --ixtab --pprint --opprint --ipprint --nidx --inidx --onidx --dkvp \
            --idkvp --odkvp --markdown --omd --c2p --c2j --c2t --c2d --c2m --c2l --t2c --t2j --t2p \
            --j2c --j2t --j2p --j2l --l2c --l2j --l2p -n -I-none --ifs=data --ofs=data --fs=data \
            --ips=data --ops=data --ps=data --irs=data --ors=data --implicit-csv-header \
            --headerless-csv-output --allow-ragged-csv-input --ragged --barred --right --ofmt=data \
            --nr-progress-mod=num --records-per-batch=num --no-auto-flatten --no-auto-unflatten \
            --from=read -s-none -f=data -r -nf=data -nr=data -c=data -o=data -x -h -a=data -g=data \
            -k=data -v=data -i=data -d=data",
    ),
    gnu(
        "xsv qsv xan",
        "xsv 0.13",
        "-d|--delimiter=data -n|--no-headers -s|--select=data -i|--ignore-case|--nulls \
            -v|--invert-match -N|--numeric -R|--reverse -l|--limit|--len=num -f -j|--jobs=num -e -p \
            -c|--condense=num -w|--width=num --everything --mode --cardinality --median --no-case \
            --left --right --full --cross --seed=num --sep=data --start=num --end=num --index",
    ),
    gnu(
        "datamash",
        "datamash(1) 1.8",
        "-A|--annotate -f|--full -g|--group=data --header-in --header-out -H|--headers \
            -i|--ignore-case -s|--sort -S -t|--field-separator=data -T -W|--whitespace \
            -R|--round=num -N=data -F=data --narm --filler=data -z --output-delimiter=data \
            --format=data --skip-comments -C",
    ),
    gnu(
        "xmllint",
        "xmllint(1) 2.12",
        "--noout --format --pretty=num --xpath=pat --valid --dtdvalid=read --schema=read \
            --relaxng=read --schematron=read --html --xmlout --nowarning --noblanks --nsclean \
            --nocdata --noent --nonet --recover --huge --c14n --encode=data --version --timing \
            --postvalid --stream --push --debug --quiet --dropdtd --loaddtd --dtdattr --catalogs \
            --nocatalogs --path=look",
    ),
    gnu(
        "xmlstarlet xml",
        "xmlstarlet(1) 1.6",
        "-t|--template -v|--value-of=pat -m|--match=pat -c|--copy-of=pat -o|--output=data -n|--nl \
            -s=data -i|--if=pat -b|--break -N=data -T|--text -R|--root -B|--noblanks -I|--indent \
            -E|--encode=data -D|--xml-decl -q -w -e|--err|--elif=pat -d=read -r=read -p --net -C -u \
            -a --else -f|--inp-name --var=data",
    ),
    gnu(
        "tidy html2text pup htmlq xsltproc xpath",
        "tidy(1) 5.8",
        "-q|-quiet|--quiet -e|-errors|--errors -i|-indent -w=num -u -c -b -n -utf8 -ascii -xml \
            -asxml -asxhtml -ashtml -omit -version -help -nobs -width=num -nometa -style=data \
            -t|--text -p|--pretty -a|--attribute=data -r|--remove-nodes=data -w --color -n --plain \
            --indent=num -l --limit=num -B --base=data --novalid --nonet --noout --stringparam=data \
            --param=data --timing --maxdepth=num --nodtdattr --html",
    ),
    word(
        "ffprobe mediainfo identify pdfinfo",
        "ffprobe(1) 6.1, pdfinfo(1) 24",
        "-v=data -loglevel=data -hide_banner -show_format -show_streams -show_entries=data \
            -show_frames -show_packets -show_chapters -show_error -show_data -select_streams=data \
            -count_frames -count_packets -of=data -print_format=data -output_format=data -pretty \
            -unit -sexagesimal -i=read -f=data -read_intervals=data -format=data -verbose -ping \
            -regard-warnings -quiet -units=data -depth=num -density=data -strip -l=num -r=num -x=num \
            -y=num -W=num -H=num -layout -fixed=num -raw -nodiag -htmlmeta -bbox -bbox-layout -tsv \
            -cropbox -enc=data -eol=data -nopgbrk -listenc -q -isodates -rawdates -meta -js -struct \
            -struct-text -url -dests -box -custom --Output=data --Full --Inform=data -opw=secret \
            -upw=secret",
    ),
    gnu(
        "fd fdfind",
        "fd(1) 9",
        "-H|--hidden -I|--no-ignore -u|--unrestricted -s|--case-sensitive -i|--ignore-case -g|--glob \
            -F|--fixed-strings -a|--absolute-path -l|--list-details -L|--follow -p|--full-path \
            -d|--max-depth=num --min-depth=num --exact-depth=num -E|--exclude=pat --prune \
            -t|--type=data -e|--extension=data -S|--size=data --changed-within=data \
            --changed-before=data -o|--owner=data --format=data --max-results=num -1 -q|--quiet \
            -c|--color=data -j|--threads=num --base-directory=look --path-separator=data \
            --search-path=look -0|--print0 --strip-cwd-prefix?=data --regex --no-ignore-vcs \
            --no-ignore-parent --no-require-git --ignore-file=read --and=pat --one-file-system \
            --show-errors --hyperlink?=data -x|--exec=data -X|--exec-batch=data --batch-size=num",
    ),
    gnu(
        "seq factor expr jot",
        "seq(1) coreutils 9.4",
        "-f|--format=data -s|--separator=data -w|--equal-width -h|--exponents -b=data -c -n -p=num -r",
    ),
    // Packages.
    gnu(
        "rpm rpmquery repoquery dnf yum zypper",
        "rpm(8) 4.19, dnf(8) 4",
        "-q|--query -a|--all -f|--file=read -i|--info|--installed -l|--list -R|--requires \
            -c|--configfiles -d|--docfiles -s|--state -p|--package=read -g|--group=data -V|--verify \
            -h -v -C|--cacheonly --qf=data --queryformat=data --provides --conflicts --obsoletes \
            --changelog --scripts --triggers --last --whatprovides=data --whatrequires=data --dump \
            --nosignature --nodigest --showduplicates --available --upgrades --updates \
            --latest-limit=num --repo=data --enablerepo=data --disablerepo=data --userinstalled \
            --deplist --location --arch=data --showrc --querytags -L -t --tree",
    ),
    gnu(
        "dpkg dpkg-query dpkg-deb",
        "dpkg(1) 1.22",
        "-l|--list -s|--status -L|--listfiles -S|--search -p|--print-avail -W|--show \
            -f|--field|--showformat=data -c|--contents -I|--info -C|--audit -V|--verify \
            --get-selections --print-architecture --print-foreign-architectures --compare-versions \
            --yet-to-unpack --no-pager --control-list --control-show",
    ),
    gnu(
        "apt apt-get apt-cache apt-file apt-mark apt-config aptitude",
        "apt(8) 2.7",
        "-a|--all-versions -f|--full -i|--important|--installed -n|--names-only -p -q -r \
            -u|--upgradable -v -V|--verbose-versions -s|--simulate --dry-run --recurse \
            --no-all-versions --installed --upgradeable --manual-installed --all-names \
            --no-recommends --no-suggests --no-depends --generate -x|--regexp -F -l|--package-only \
            -D -w=num -F=data --show-format=data",
    ),
    gnu(
        "pacman yay paru",
        "pacman(8) 6",
        "-Q -Qi -Ql -Qo -Qs -Qu -Qe -Qdt -Qm -Qn -Qk -S -Ss -Si -Sg -Sl -F -Fl -Fo -i|--info \
            -l|--list -o|--owns -s|--search -q|--quiet -u|--upgrades -e|--explicit -d|--deps \
            -t|--unrequired -m|--foreign -n|--native -k|--check -g|--groups -p|--file=read \
            -c|--changelog",
    ),
    gnu(
        "apk brew snap flatpak port pkg nix-env emerge equery apt-listchanges",
        "apk(8), brew(1) 4",
        "-a|--all -v -vv -q -e -d -i|--info|--installed -I|--installed -L -r|--rdepends -R|--depends \
            -s|--size -t|--origin -u|--upgradable -w -W|--who-owns -x -l -1 -P --cask --casks \
            --formula --formulae --versions --installed --leaves --json?=data --desc --tree \
            --full-name --prefix --deps --uses --multiple --pinned --columns=data --app --runtime \
            --system --user --arch=data --show-details --unicode=data",
    ),
    word(
        "gofmt",
        "go 1.22",
        "-f=data -json -m -u -v -deps -e -export-none -test -versions -retracted -compiled -find \
            -mod=data -src -all -c -cmd -short -d -l -s",
    ),
    gnu(
        "nix nix-env nix-store nix-instantiate nix-channel",
        "nix 2.20",
        "-q|--query -a|--available --installed -R|--requisites --references --referrers --roots \
            --tree --outputs --size --description --attr-path -P --no-name --list --json --parse \
            --strict",
    ),
    // Containers, clusters, clouds.
    gnu(
        "jj",
        "hg 6",
        "-R|--repository=look --cwd=look -r|--rev|--revision=data -l|--limit=num -v -q -g|--git \
            -p|--patch -T|--template=data -G|--graph -u|--user|--show-updates=data -k|--keyword=data \
            -d|--date|--depth=data -b|--branch=data -c|--change=data -n|--number|--no-status -A -m \
            -a -i -X=pat -I=pat --stat --stop-on-copy --xml --summarize --diff --show-item=data \
            --verbose",
    ),
    word(
        "openssl",
        "openssl(1) 3.0",
        "-in=read -inform=data -noout -text -subject -issuer -dates -enddate -startdate -serial \
            -fingerprint -sha1 -sha256 -sha384 -sha512 -md5 -hash -modulus -pubkey -pubin -ext=data \
            -purpose -checkend=num -checkhost=data -nameopt=data -hex -r -c -v -a -b -o -p \
            -verify_hostname=data -CAfile=read -CApath=look -untrusted=read -verbose -help -base64 \
            -rand-none",
    ),
    gnu(
        "screen tmux",
        "tmux(1) 3.4",
        "-ls -list -v -V -a -F=data -t=data -f=data -s -p -q -J -S=data -E=data -g",
    ),
    gnu(
        "xset xrandr xrdb xinput gsettings dconf defaults xprop xwininfo wmctrl",
        "xrandr(1) 1.5",
        "-q|--query --verbose --listmonitors --listproviders --current --props -query --list -root \
            -id=data -name=data -tree -children -stats -all -l -m -p -G -x -d --screen=num",
    ),
    gnu(
        "pactl amixer playerctl tput setterm",
        "pactl(1) 16",
        "-f|--format=data -c=num -D=data -M -T=data -a -s -l -p=data -V",
    ),
    gnu(
        "uuidgen uuid mcookie semver json_pp json_xs jsonlint readtags",
        "uuidgen(1) util-linux 2.39",
        "-r|--random -t|--time -n|--namespace=data -N|--name=data -m|--md5 -s|--sha1 -x|--hex -v=num \
            -f=data -i=data --increment=data -r=data --preid=data -c -l -d -e -p -1 -V -q -E -a",
    ),
    gnu(
        "jq gojq jaq",
        "jq(1) 1.7",
        "-n|--null-input -R|--raw-input -s|--slurp -c|--compact-output -r|--raw-output \
            -j|--join-output -a|--ascii-output -S|--sort-keys -C|--color-output \
            -M|--monochrome-output -f|--from-file -L|--library-path=read -e|--exit-status \
            -b|--binary -h --raw-output0 --tab --indent=num --unbuffered --stream --stream-errors \
            --seq --arg --argjson --slurpfile --rawfile --args --jsonargs",
    ),
    gnu("sensors", "sensors(1) 3.6", "-f -A|--no-adapter -u -j"),
    gnu("kill", "kill(1) util-linux 2.39", "-l|--list?=data -L|--table -0 -s|--signal=data -n=data"),
    gnu("man-db apropos whatis info", "man(1) 2.12", "-k -f -w"),
    gnu("bash sh dash zsh ksh", "bash(1) 5.2", "-n --noprofile --norc --posix -V"),
    gnu("perl ruby node python python3", "perl(1) 5.38", "-v -V -h -c"),
    gnu(
        "cmake ctest meson ninja make",
        "cmake(1) 3.28",
        "-N -LA -LAH -L --help-command=data --help-module=data --help-variable=data --help-commands \
            --help-modules --help-policy=data --help-property=data --system-information -V --targets \
            -t=data",
    ),
    gnu("gcov act lcov-summary", "gcov(1) 13", "-l|--list -v -V -n"),
    gnu("claude codex gemini opencode goose crush", "their manual pages", "-v -V -h"),
];

/// Programs of rows that only read whose first operand says what they do, with those that read, by their manuals:
/// systemd 255, pactl(1) 16, amixer(1) 1.2, playerctl(1) 2.4, aspell(1) 0.60, apt-file(1) 3.3, gum 0.13, qsv 0.123,
/// xsv 0.13, xan 0.20.
const READING: &[(&str, &str)] = &[
    (
        "localectl",
        "status list-locales list-keymaps list-x11-keymap-models list-x11-keymap-layouts \
            list-x11-keymap-variants list-x11-keymap-options",
    ),
    (
        "systemd-analyze",
        "time blame critical-chain dump plot dot unit-files unit-paths exit-status capability \
            condition filesystems calendar timestamp timespan cat-config compare-versions verify \
            security inspect-elf fdstore image-policy pcrs architectures",
    ),
    (
        "pactl",
        "info list stat subscribe get-default-sink get-default-source get-sink-volume \
            get-source-volume get-sink-mute get-source-mute",
    ),
    ("amixer", "scontrols scontents controls contents sget cget get info"),
    ("playerctl", "status metadata position volume loop shuffle"),
    ("airport", "en0 en1 en2 prefs"),
    ("aspell", "list dicts filters modes config dump munch expand soundslike norm conv usage help"),
    ("apt-file", "search list show find"),
    ("gum", "choose confirm file filter format input join pager style table write"),
    (
        "xsv qsv",
        "behead cat count dedup enum excel explode fill fixlengths flatten fmt frequency headers \
            input join joinp jsonl pseudo rename replace reverse sample search searchset select \
            slice sniff sort stats table tojsonl transpose help list",
    ),
    (
        "xan",
        "agg behead bins cat cluster count dedup drop enum explode fill filter fixlengths flatten \
            fmt frequency from groupby headers heatmap help hist implode input join map pivot plot \
            range rename reverse sample search select shuffle slice sort stats tokenize top to \
            transform transpose view",
    ),
    ("bootctl", "status list is-installed random-seed-status systemd-efi-options"),
    ("machinectl", "list list-images status show image-status show-image"),
];

/// Whether the program has such operands and this isn't one that reads.
pub(super) fn is_unlisted_verb(program: &str, operand: &str) -> bool {
    let own = READING.iter().find(|(names, _)| names.split_ascii_whitespace().any(|name| name == program));
    own.is_some_and(|(_, verbs)| !verbs.split_ascii_whitespace().any(|verb| verb == operand))
}

/// What a program takes; several rows add up.
pub(super) fn of(program: &str) -> impl Iterator<Item = &'static Reader> {
    BY_NAME.get(program).into_iter().flatten().copied()
}

static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Reader>>> = LazyLock::new(|| {
    let mut index: HashMap<_, Vec<_>> = HashMap::new();
    for row in READERS {
        for name in row.programs.split_ascii_whitespace() {
            index.entry(name).or_default().push(row);
        }
    }
    index
});

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use doorward_core::intent::Span;
    use doorward_knowledge::row::{ProgramRow, Role};

    use super::super::{Context, describe, lookup, names};
    use super::*;
    use crate::deed::{Argv, Word};

    /// Options that often run, load or write something.
    const TRIED: &[&str] =
        &["-e", "--exec", "--eval", "-o", "--output", "--plugin", "--config", "--prepipe", "-c", "@"];

    fn stays_low(words: &[&str]) -> bool {
        let words = words.iter().map(|word| Word::literal(*word, Span::default())).collect();
        describe(&Argv { words, ..Argv::default() }, &Context::default()).read_only
    }

    /// Every program, and every sub-command that a row lists.
    fn commands() -> Vec<(Vec<&'static str>, &'static ProgramRow)> {
        let mut all = Vec::new();
        for (name, row) in names().filter_map(|name| Some((name, lookup(name)?))) {
            all.push((vec![name], row));
            for sub in row.commands() {
                all.extend(sub.names.split_ascii_whitespace().map(|verb| (vec![name, verb], sub)));
            }
        }
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all
    }

    /// Why an option leaves the proof: what its row, or the list of what its program reads, says of it.
    fn reason(program: &str, row: &ProgramRow, option: &str) -> &'static str {
        let readers = of(program).map(|reader| ProgramRow {
            style: reader.style,
            options: reader.options,
            common: "",
            more: "",
            ..*row
        });
        let mut specs = row.specs().chain(readers.flat_map(|row| row.specs().collect::<Vec<_>>()));
        let found = specs.find(|spec| {
            spec.spellings().any(|own| own == option || option.len() > 3 && own.starts_with(option))
        });
        match found.map(|spec| spec.role) {
            Some(None) => "listed: a switch, and the word behind it is an operand",
            Some(Some(Role::Data)) => "listed: text, a number or a pattern",
            Some(Some(Role::Read | Role::Look | Role::List)) => {
                "listed: a file that is read, and judged as one"
            }
            Some(Some(_)) => "listed: judged by its role",
            None if option == "@" => "an operand of that name: the manual knows no lists of arguments",
            None if row.reading == Style::Raw => "its function answers for every option",
            None if row.style == Style::Raw => "not an option of this program: the word is an operand",
            None => "a cluster of listed switches",
        }
    }

    #[test]
    fn what_stays_low_with_an_option_that_could_run_something_has_a_reason() {
        let mut groups: BTreeMap<(String, &str), BTreeSet<String>> = BTreeMap::new();
        for (words, row) in commands() {
            if !stays_low(&words) && !stays_low(&[words.as_slice(), &["x"]].concat()) {
                continue;
            }
            for option in TRIED {
                let given: Vec<&str> = if *option == "@" { vec!["@./x"] } else { vec![option, "./x"] };
                if stays_low(&[words.as_slice(), given.as_slice()].concat()) {
                    let why = reason(words[0], row, option);
                    groups.entry(((*option).to_owned(), why)).or_default().insert(words.join(" "));
                }
            }
        }
        let mut found = String::from(
            "# Commands that stay LOW with `./x` behind an option, by option and reason. Written \
                by\n# `UPDATE=1 cargo test -p doorward-shell stays_low`; a new line here wants the \
                manual read.\n",
        );
        for ((option, why), names) in &groups {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            found.push_str(&format!("\n{option}  {why}\n"));
            let mut line = String::new();
            for name in names {
                if line.len() + name.len() > 116 {
                    found.push_str(&format!("  {}\n", line.trim_end_matches(", ")));
                    line.clear();
                }
                line.push_str(name);
                line.push_str(", ");
            }
            found.push_str(&format!("  {}\n", line.trim_end_matches(", ")));
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/stays_low.txt");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &found).unwrap();
        }
        let expected = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            expected == found,
            "what stays LOW changed; read the manual, then run with UPDATE=1\n{found}"
        );
    }

    #[test]
    fn every_reader_is_a_program_of_the_tables() {
        for row in READERS {
            assert!(!row.source.is_empty());
            for token in row.options.split_ascii_whitespace() {
                assert!(
                    token.starts_with(['-', '+']) || row.style == Style::Word,
                    "{}: {token}",
                    row.programs
                );
                if let Some((_, role)) = token.split_once('=') {
                    let role: &'static str = Box::leak(role.to_owned().into_boxed_str());
                    let acts = Role::named(role).is_none_or(Role::acts);
                    assert!(!acts || role == "write", "{}: {token}", row.programs);
                }
            }
            let known = row.programs.split_ascii_whitespace().filter(|name| lookup(name).is_some()).count();
            assert!(known > 0, "{}", row.programs);
        }
    }
}
