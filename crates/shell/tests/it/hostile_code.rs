//! Code that is made to keep its reader busy, or to end it: every language that has a grammar, on the small stack of
//! a worker thread.

use std::time::Instant;

use doorward_shell::{Options, analyze_code};

const LANGUAGES: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "ruby",
    "perl",
    "php",
    "lua",
    "go",
    "r",
    "elisp",
    "tcl",
    "powershell",
];

/// What no text may take on the slowest machine that runs the tests; the worst one takes some seconds there.
const LONGEST: u64 = 60;

fn ends(language: &'static str, text: String) {
    let shown: String = text.chars().take(60).collect();
    let started = Instant::now();
    std::thread::Builder::new()
        .stack_size(2 * 1024 * 1024)
        .spawn(move || drop(analyze_code(language, &text, &Options::default())))
        .unwrap()
        .join()
        .unwrap();
    let took = started.elapsed().as_secs();
    assert!(took < LONGEST, "{language} took {took} s for {shown:?}");
}

#[test]
fn brackets_without_an_end() {
    for language in LANGUAGES {
        for piece in
            ["(", "[", "{", "<", "f(", "[1,", "{a:", "!", "-", "a.", "a->", "${", "#{", "<<E\n", "$a=", "x="]
        {
            ends(language, piece.repeat(10_000));
        }
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("if x {", "}")] {
            ends(language, format!("{}{}", open.repeat(3_000), close.repeat(3_000)));
        }
    }
}

#[test]
fn texts_of_no_language() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for language in LANGUAGES {
        for _ in 0..20 {
            let bytes: Vec<u8> = (0..4000).map(|_| next().to_le_bytes()[0]).collect();
            ends(language, String::from_utf8_lossy(&bytes).into_owned());
            let letters: String =
                (0..4000).map(|_| char::from(b' ' + next().to_le_bytes()[1] % 95)).collect();
            ends(language, letters);
        }
    }
}

#[test]
fn values_that_are_made_of_themselves() {
    let python = [
        "x = [x]\n",
        "x = [x, x]\n",
        "x = {'a': x, 'b': x}\n",
        "x = foo.bar(x)\n",
        "x = A(x)\n",
        "x = x.b\n",
        "x = functools.partial(x, 1)\n",
        "x = x + x\n",
        "x = f'{x}{x}'\n",
        "if a: x = [x, 1]\nelse: x = [x, 2]\n",
        "class A(A): pass\n",
        "x = x.y = A(x)\n",
    ];
    for line in python {
        let start =
            "import foo, functools, os\nclass A:\n  def __init__(self, y):\n    self.y = y\nx = ['a']\n";
        ends("python", format!("{start}{}os.system(x)\nopen(x)\nprint(x == x)\n", line.repeat(10_000)));
    }
    let inside: String = std::iter::repeat_n("  x = lambda: x\n", 5_000).collect();
    ends("python", format!("def f(x):\n{inside}  return x\nf(1)()\n"));
    let several = "x = '1'\nif a: x = '2'\nif b: x = '3'\nif c: x = '4'\n";
    for call in ["os.path.join(", "foo(", "''.join([", "subprocess.run([", "'%s' % (", "open("] {
        ends("python", format!("import os, subprocess\n{several}y = {call}{}", "x, ".repeat(3_000)));
        let close = if call.contains('[') { "])" } else { ")" };
        ends("python", format!("import os, subprocess\n{several}y = {call}{}{close}\n", "x, ".repeat(3_000)));
    }
    for (language, line) in [
        ("javascript", "x = [x, x];\n"),
        ("javascript", "x = {a: x, ...x};\n"),
        ("javascript", "x = () => x;\n"),
        ("javascript", "class A extends A {}\n"),
        ("ruby", "x = [x, x]\n"),
        ("ruby", "x = proc { x }\n"),
        ("ruby", "class A < A; end\n"),
        ("perl", "$x = [$x, $x];\n"),
        ("perl", "$x = sub { $x };\n"),
        ("php", "$x = [$x, $x];\n"),
        ("php", "$x = fn() => $x;\n"),
        ("lua", "x = {x, x}\n"),
        ("go", "x = append(x, x)\n"),
    ] {
        ends(language, line.repeat(10_000));
    }
}

#[test]
fn functions_that_call_each_other() {
    let python: String =
        (1..300).map(|at| format!("def f{at}():\n  f{0}()\n  f{0}()\n  f{at}()\n", at - 1)).collect();
    ends("python", format!("{python}f299()\n"));
    let script: String =
        (1..300).map(|at| format!("const f{at} = () => {{ f{0}(); f{0}(); }};\n", at - 1)).collect();
    ends("javascript", format!("{script}f299();\n"));
    // A name that leads to itself.
    for text in [
        "fib = globalThis.fib;\nconst x = (n) => fib(n);\nx(1);\n",
        "class G { c() { return this.c(); } }\nself.G = G;\nnew G().c();\nself.self.self.G.c();\n",
        "const f = (n, m = {}) => n < 2 ? n : m[n] ?? (m[n] = f(n - 1, m) + f(n - 2, m));\n\
         console.log(f(9), globalThis.f(9));\n",
    ] {
        ends("javascript", text.to_owned());
    }
    ends("python", "import builtins\nf = builtins.f = lambda: builtins.f()\nf()\n".to_owned());
}

#[test]
fn here_documents_without_an_end() {
    for text in
        ["<<E\n$a", "<<E\n${ \nE\n", "<<E\n@{[ \nE\n", "print <<\"E\"\n$a[", "<<~E\n  $x{", "<<`E`\n$("]
    {
        for language in ["perl", "ruby", "php"] {
            ends(language, text.to_owned());
            ends(language, text.repeat(500));
        }
    }
    for language in ["perl", "ruby", "php"] {
        ends(language, format!("x = <<{0}\nrm\n{0}\n", "E".repeat(300)));
        ends(language, format!("x = <<-'{0}'\nrm\n{0}\n", "E".repeat(1_100)));
    }
}
