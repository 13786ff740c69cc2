mkdir -p src/bin tests benches examples target/debug .cargo
printf '[package]\nname = "tally"\nversion = "0.2.0"\nedition = "2021"\n\n[dependencies]\nserde = "1"\n' > Cargo.toml
printf 'version = 3\n' > Cargo.lock
printf 'pub mod parse;\n\npub fn tally(words: &[&str]) -> usize {\n    words.len()\n}\n' > src/lib.rs
printf 'pub fn number(text: &str) -> Option<u32> {\n    text.parse().ok()\n}\n' > src/parse.rs
printf 'fn main() {\n    println!("{}", tally::tally(&["a"]));\n}\n' > src/main.rs
printf '#[test]\nfn counts() {\n    assert_eq!(tally::tally(&["a", "b"]), 2);\n}\n' > tests/counts.rs
printf 'fn main() {}\n' > examples/demo.rs
printf 'fn main() {}\n' > benches/speed.rs
printf '[alias]\nt = "test"\n' > .cargo/config.toml
printf 'check:\n    cargo check\ntest:\n    cargo test\n' > justfile
echo '# tally' > README.md
printf 'target\n' > .gitignore
git init -q -b main . && git add -A && git commit -qm 'Start' && echo '//' >> src/parse.rs && git commit -qam 'Parse'
git remote add origin https://github.com/acme/tally.git
git update-ref refs/remotes/origin/main HEAD
git config branch.main.remote origin && git config branch.main.merge refs/heads/main
echo binary > target/debug/tally
