//! A self-contained fuzzer: paths composed of pieces, tricks and random bytes, in a tree full of links.
//!
//! `cargo run --release -p doorward-paths --example fuzz_paths -- SECONDS [SEED]`. Tests both resolvers: an allowed
//! path must be the one that the kernel opens, and lie inside the roots. Nothing may panic or be created outside.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("SKIPPED: paths are resolved on Linux only");
}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::os::unix::fs::symlink;
    use std::path::Path;
    use std::time::{Duration, Instant};

    use doorward_core::call::{OutsideRoots, Root};
    use doorward_paths::access::Operation;
    use doorward_paths::archive::{ArchiveMembers, Limits, Member};
    use doorward_paths::{
        Access, Answer, Resolver, Roots, could_be_secret, glob, is_secret, key, protection, text,
    };

    const PIECES: &[&str] = &[
        "a",
        "b",
        "f",
        "up",
        "out",
        "in",
        "abs",
        "dangling",
        "loop",
        "hard",
        "fifo",
        "deep",
        ".",
        "..",
        "...",
        "",
        "/",
        "//",
        "~",
        "~/",
        "~root",
        "$HOME",
        "${x}",
        "$(id)",
        "`id`",
        "*",
        "?",
        "[a]",
        "{a,b}",
        "\\",
        "%2e%2e",
        "%2f",
        "%00",
        "%",
        "\0",
        "\n",
        "\r",
        "\t",
        " ",
        "\u{202e}",
        "\u{200c}",
        "\u{ff0e}\u{ff0e}",
        "\u{2215}",
        "\u{131}",
        ".git",
        ".GIT",
        ".g\u{200c}it",
        "git~1",
        ".git ",
        ".git.",
        ".git::$INDEX_ALLOCATION",
        ".env",
        ".env.example",
        "id_rsa",
        "id_rsa.pub",
        ".ssh",
        "authorized_keys",
        "file://",
        "FILE://localhost",
        "file://other/",
        "C:",
        "\\\\?\\",
        "CON",
        "a:b",
        "/proc/self/root",
        "/proc/self/fd/0",
        "/dev/fd/1",
        "/dev/null",
        "/etc/passwd",
        "/tmp",
        "node_modules",
        "Makefile",
        "é",
        "日本",
        "-rf",
        "--",
        "x",
        "new",
        "w",
        "outside",
    ];
    const OPERATIONS: &[&str] = &[
        "read",
        "list",
        "stat",
        "lstat",
        "write",
        "append",
        "create",
        "mkdir",
        "delete",
        "delete_tree",
        "chmod:777",
        "chmod:644",
        "mknod",
        "extract:a/b",
        "extract:../x",
        "extract_link:..",
        "rename_to:a/x",
        "link_to:a/y",
        "symlink_to:../outside",
        "copy_to:b",
        "",
    ];

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn below(&mut self, most: usize) -> usize {
            (self.next() % most.max(1) as u64) as usize
        }

        fn path(&mut self, root: &Path) -> String {
            let mut path = String::new();
            match self.below(10) {
                0 => {
                    let bytes: Vec<u8> = (0..self.below(80)).map(|_| self.next() as u8).collect();
                    return String::from_utf8_lossy(&bytes).into_owned();
                }
                1 => return PIECES[self.below(PIECES.len())].repeat(self.below(2_000)),
                2 | 3 => path.push_str(root.to_str().unwrap()),
                _ => {}
            }
            for _ in 0..self.below(8) {
                path.push_str(PIECES[self.below(PIECES.len())]);
                if self.below(4) != 0 {
                    path.push('/');
                }
            }
            path
        }
    }

    pub(super) fn main() {
        let argument = |at: usize| std::env::args().nth(at).and_then(|text| text.parse::<u64>().ok());
        let (seconds, seed) = (argument(1).unwrap_or(10), argument(2).unwrap_or(1).max(1));
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        let w = base.join("w");
        plant(&base, &w);
        let open = || Roots::open(&[Root::parse(w.to_str().unwrap())]).unwrap();
        let resolvers = [open(), open().resolving(Resolver::Walk)];
        let before = names(&base.join("outside"));
        let mut random = Random(seed);
        let (started, mut told) = (Instant::now(), Instant::now());
        let (mut runs, mut bytes, mut allowed, mut opened) = (0_u64, 0_u64, 0_u64, 0_u64);
        let mut slowest = Duration::ZERO;
        while started.elapsed() < Duration::from_secs(seconds) {
            let input = random.path(&w);
            let other = random.path(&w);
            let begin = Instant::now();
            (allowed, opened) = one(&resolvers, &w, &input, &other, &mut random, (allowed, opened));
            let took = begin.elapsed();
            if took > slowest && took > Duration::from_millis(100) {
                println!(
                    "SLOW {took:?} {} bytes {:?}",
                    input.len(),
                    input.chars().take(200).collect::<String>()
                );
            }
            slowest = slowest.max(took);
            runs += 1;
            bytes += input.len() as u64;
            if runs % 64 == 0 {
                assert_eq!(names(&base.join("outside")), before, "something changed outside");
            }
            if told.elapsed() > Duration::from_secs(60) {
                told = Instant::now();
                println!(
                    "{runs} runs, {bytes} bytes, {allowed} allowed, {opened} opened, slowest {slowest:?}"
                );
            }
        }
        println!(
            "done: {runs} runs, {bytes} bytes in {:?}, {allowed} allowed, {opened} opened, \
             slowest {slowest:?}, seed {seed}",
            started.elapsed()
        );
    }

    /// A folder with links of every kind, and a file outside that must never be reached.
    fn plant(base: &Path, w: &Path) {
        std::fs::create_dir_all(w.join("a/b/deep")).unwrap();
        std::fs::create_dir_all(base.join("outside/b")).unwrap();
        std::fs::write(base.join("outside/f"), "outside").unwrap();
        for file in ["f", "a/f", "a/b/f", ".env", "a/id_rsa"] {
            std::fs::write(w.join(file), "inside").unwrap();
        }
        std::fs::create_dir(w.join(".git")).unwrap();
        for (name, target) in [
            ("up", "..".into()),
            ("out", base.join("outside")),
            ("in", "a/b".into()),
            ("abs", w.join("a")),
            ("dangling", base.join("outside/none")),
            ("loop", "loop".into()),
            ("a/b/up", "../../../outside".into()),
        ] {
            symlink(target, w.join(name)).unwrap();
        }
        std::fs::hard_link(base.join("outside/f"), w.join("hard")).unwrap();
    }

    fn names(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let mut all: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                (path.display().to_string(), std::fs::read(&path).unwrap_or_default())
            })
            .collect();
        all.sort();
        all
    }

    fn one(
        resolvers: &[Roots; 2],
        w: &Path,
        input: &str,
        other: &str,
        random: &mut Random,
        (mut allowed, mut opened): (u64, u64),
    ) -> (u64, u64) {
        let _ = std::hint::black_box((
            key::key(input),
            is_secret(input),
            could_be_secret(input),
            protection(input),
        ));
        // Matching costs the product of both lengths; names have at most this length.
        let pattern: String = other.chars().take(255).collect();
        let _ = std::hint::black_box((text::read(input).is_ok(), glob::overlaps(&pattern, input)));
        let _ = std::hint::black_box(glob::matches_component(&pattern, input));
        let mut members = ArchiveMembers::new(Limits::default());
        let _ = std::hint::black_box((
            members.next(input, Member::Symlink(other)),
            members.next(other, Member::File(1)),
        ));
        let operation = OPERATIONS[random.below(OPERATIONS.len())];
        let _ = std::hint::black_box(Operation::parse(operation));
        let row = doorward_paths::scope_row(input, operation, &[Root::parse(w.to_str().unwrap())], other);
        let _ = std::hint::black_box(row);
        let access = [Access::Read, Access::Stat, Access::Lstat, Access::List, Access::Delete, Access::Write];
        let access = &access[random.below(access.len())];
        for roots in resolvers {
            let verdict = roots.check(input, access, w, OutsideRoots::Strict);
            if verdict.answer == Answer::Allow && verdict.code.is_none() {
                allowed += 1;
                assert!(
                    verdict.real.starts_with(w) || verdict.real == Path::new("/dev/null"),
                    "{input:?}: {verdict:?}"
                );
            }
            if let Ok(scoped) = roots.open_scoped(input, w, &Access::Read) {
                opened += 1;
                let real = std::fs::read_link(format!(
                    "/proc/self/fd/{}",
                    std::os::fd::AsRawFd::as_raw_fd(&scoped.fd)
                ));
                let real = real.unwrap();
                let sink = real == Path::new("/dev/null");
                assert!(sink || real.starts_with(w), "{input:?} opened outside: {real:?}");
            }
        }
        (allowed, opened)
    }
}
