//! Commands that use up memory or disk, each with twins that end by themselves.

use doorward_shell::{Options, analyze};

fn is_bomb(text: &str) -> bool {
    analyze(text, &Options::default()).findings.iter().any(|finding| finding.code == "shell.resource")
}

fn check(bombs: &[&str], harmless: &[&str]) {
    let missed: Vec<&&str> = bombs.iter().filter(|text| !is_bomb(text)).collect();
    let wrong: Vec<&&str> = harmless.iter().filter(|text| is_bomb(text)).collect();
    assert!(missed.is_empty() && wrong.is_empty(), "missed {missed:#?}, wrongly said of {wrong:#?}");
}

#[test]
fn input_without_end_is_not_kept_in_memory() {
    check(
        &[
            "tail /dev/zero",
            "tail -n 5 /dev/zero",
            "cat /dev/zero | sort",
            "sort < /dev/urandom",
            "sort /dev/urandom",
            "grep x /dev/zero",
            "sed s/a/b/ < /dev/zero",
            "yes | sort",
            "yes | tac",
            "sudo yes | sudo sort -u",
            "{ yes; } | tr a-z A-Z | sort",
            "f() { yes; }; f | sort",
            "cat /dev/urandom | tr -dc a-z | fold -w 8 | sort | head -3",
            "seq 1e12 | sort",
            "seq inf | shuf",
            "echo $(yes)",
            "x=$(cat /dev/urandom)",
            "mapfile lines < <(yes); mapfile lines < /dev/urandom",
            "bash -c 'yes | sort'",
            "timeout 100 sort /dev/urandom",
            "head -c 100G /dev/zero | sort",
            "exec 3< /dev/zero; sort <&3",
        ],
        &[
            "yes | head",
            "yes | head -n 3 | sort",
            "yes | apt install x",
            "yes '' | make oldconfig",
            "yes | sudo sdkmanager --licenses > log",
            "head -c 100 /dev/zero",
            "head -c 16 /dev/urandom | base64 | sort",
            "tail -f log",
            "tail -F log | grep x",
            "cat /dev/null",
            "cat /dev/null | sort",
            "sort < /dev/null",
            "seq 1000 | sort",
            "seq 1 1000000 | shuf -n 5",
            "sort -R --random-source=/dev/urandom f",
            "grep -rn /dev/zero src",
            "tr -dc a-z < /dev/urandom | head -c 12",
            "tr -dc 'a-zA-Z0-9' < /dev/urandom | fold -w 32 | head -n 1",
            "cat /dev/urandom | strings | grep -o x | head -3 | tr -d x",
            "od -An -N4 -tu4 /dev/urandom | sort",
            "x=$(head -c 8 /dev/urandom | xxd -p)",
            "tr '\\0' '\\n' < /dev/zero | grep -m 3 ''",
            "cmp -n 10 f /dev/zero",
            "yes | sed 5q | sort",
            "openssl rand -hex 16",
        ],
    );
}

#[test]
fn input_without_end_is_not_written_to_files() {
    check(
        &[
            "yes > f",
            "yes >> f",
            "yes | tee f",
            "yes | tee f > /dev/null",
            "cat /dev/zero | tr a b > f",
            "cat < /dev/urandom > f",
            "head -c 100G /dev/zero > f",
            "head -c -1 /dev/zero > f",
            "dd if=/dev/zero of=f",
            "dd if=/dev/zero of=f bs=1G count=1000",
            "dd if=/dev/urandom bs=1M > f",
            "yes | dd of=f",
            "cp /dev/zero f",
            "seq 1e12 > f",
            "gzip < /dev/zero > f.gz",
            "(yes) > f &",
        ],
        &[
            "yes > /dev/null",
            "yes | head -100 > f",
            "head -c 1G /dev/urandom > f",
            "head -c 10M /dev/zero | tee f",
            "dd if=/dev/zero of=f bs=1M count=10",
            "dd if=/dev/zero of=/dev/null bs=1M count=100000",
            "dd if=/dev/zero of=f bs=1M count=$N",
            "dd if=image of=f",
            "cp -a /dev/zero jail/dev/zero",
            "cat /dev/null > f",
            "seq 100000 > f",
            "yes | sed -n 1,5p > f",
            "yes | awk 'NR > 3 { exit } { print }' > f",
            "truncate -s 100G f",
        ],
    );
}

#[test]
fn words_and_texts_are_not_larger_than_the_memory() {
    check(
        &[
            "echo {1..999999999}",
            "for i in {1..999999999}; do :; done",
            "echo {1..100000}{1..100000}",
            "touch f{a,b}{1..99999999}",
            "python3 -c 'x = \"a\" * 10**12'",
            "python3 -c 'x = [0] * 10**11'",
            "python3 -c 'x = bytearray(10**12)'",
            "node -e '\"x\".repeat(1e12)'",
            "node -e 'Buffer.alloc(1e12)'",
            "perl -e '$x = \"a\" x 1e12'",
            "ruby -e 'x = \"a\" * 10**12'",
            "php -r 'str_repeat(\"a\", 1000000000000);'",
            "python3 - <<'E'\nx = 'a' * 10_000_000_000\nE",
        ],
        &[
            "echo {1..100}",
            "echo {1..100000}",
            "echo '{1..999999999}'",
            "echo \"{1..999999999}\"",
            "echo {a..z}{0..9}",
            "python3 -c 'print(\"-\" * 80)'",
            "python3 -c 'print(5 * 10**12)'",
            "python3 -c 'print(2 ** 1000)'",
            "node -e 'console.log(\"x\".repeat(80))'",
            "node -e 'console.log(1e12)'",
            "perl -e 'print \"-\" x 80'",
        ],
    );
}
