//! What snippets do.

use crate::languages::testing::check;

#[test]
fn calls() {
    check(
        "php",
        &[
            ("echo 1;", "read-only"),
            ("system('rm x');", "sh rm x"),
            ("<?php SYSTEM('rm x');", "sh rm x"),
            ("<?php \\exec('rm x', $out, $code);", "sh rm x"),
            ("<?php echo `rm x`;", "sh rm x"),
            ("<p><?= `rm $x` ?></p>", "sh rm …"),
            ("<?php proc_open(['rm', 'x'], [], $p);", "argv rm x"),
            ("<?php pcntl_exec('/bin/rm', ['-rf', 'x']);", "argv /bin/rm -rf x"),
            ("<?php $f = 'sys' . 'tem'; $f('x');", "obfuscated; sh x"),
            ("<?php ('sys' . 'tem')('x');", "obfuscated; sh x"),
            ("<?php $f = 'str' . 'rev'; echo $f('x');", "code.snippet"),
            ("<?php array_map('shell_exec', ['x', 'y']);", "sh x; sh y"),
            ("<?php call_user_func(strrev('metsys'), 'x');", "obfuscated; sh x"),
            ("<?php call_user_func_array('system', ['x']);", "sh x"),
            ("<?php $s = system(...); $s('x');", "sh x"),
            ("<?php 'rm x' |> system(...);", "sh rm x"),
            ("<?php ' x ' |> trim(...) |> (fn($f) => unlink($f));", "delete-f x"),
            ("<?php 'x mr' |> strrev(...) |> system(...);", "sh rm x"),
            ("echo ' x ' |> trim(...) |> strtoupper(...);", "read-only"),
            ("<?php (new ReflectionFunction('system'))->invoke('x');", "obfuscated; sh x"),
            ("<?php eval('system(1);');", "php system(1);"),
            ("<?php $_GET['f']('x');", "obfuscated"),
            ("<?php assert(1 === 1);", "code.snippet"),
            ("<?php preg_replace('/x/e', 'system(1)', 'x');", "php system(1)"),
        ],
    );
}

#[test]
fn values() {
    check(
        "php",
        &[
            ("<?php $a = 'x'; system(\"rm {$a} $a[0]\");", "sh rm x x"),
            ("<?php $a = <<<E\n  rm $b\n  x\n  E; system($a);", "sh rm …\nx"),
            ("<?php $a = ['k' => 'x']; foreach ($a as $k => $v) system($v . $k);", "sh xk"),
            ("<?php $a = []; $a[] = 'r'; $a[] = 'm'; system(implode('', $a));", "sh rm"),
            ("<?php extract(['c' => 'x']); system($c);", "sh x"),
            ("<?php $n = 'c'; $$n = 'x'; system($c);", "sh x"),
            ("<?php system(sprintf('%s -%02d', 'x', 3));", "sh x -3"),
            ("<?php system(match ($y) { 1 => 'a', default => 'b' });", "sh a; sh b"),
            ("<?php system($y ?? 'b');", "sh …; sh b"),
            ("<?php ['k' => $c] = ['k' => 'x']; system($c);", "sh x"),
            ("<?php const A = 'x'; define('B', 'y'); system(A . B);", "sh xy"),
            ("<?php function f() { global $g; system($g); } $g = 'x'; f();", "sh x"),
            ("<?php system(implode(array_map('chr', [114, 109])));", "obfuscated; sh rm"),
        ],
    );
}

#[test]
fn functions_and_classes() {
    check(
        "php",
        &[
            ("<?php $p = 'x'; $g = function () use ($p) { system($p); }; $g();", "sh x"),
            ("<?php (fn($c) => system($c))('x');", "sh x"),
            (
                "<?php class A { function __construct(private string $d = 'x') {} \
                 function go() { system($this->d); } } (new A)->go();",
                "sh x",
            ),
            (
                "<?php class B { function go() { system($this->c()); } } \
                 class C extends B { function c() { return 'x'; } } (new C)->go();",
                "sh x",
            ),
            (
                "<?php class B { function __construct($c) { $this->c = $c; } } \
                 class C extends B { function __construct() { parent::__construct('x'); } \
                 function go() { system($this->c); } } (new C)->go();",
                "sh x",
            ),
            (
                "<?php class A { static $c = 'x'; static function go() { system(self::$c); } } A::go();",
                "sh x",
            ),
            (
                "<?php trait T { function go($c) { system($c); } } class U { use T; } (new U)->go('x');",
                "sh x",
            ),
            (
                "<?php class F { static function __callStatic($n, $a) { return $n(...$a); } } F::system('x');",
                "obfuscated; sh x",
            ),
            (
                "<?php class F { function __call($n, $a) { return $this; } } (new F)->system('x');",
                "code.snippet",
            ),
            ("<?php enum C: string { case W = 'x'; } system(C::W->value);", "sh x"),
            ("<?php class R { function unlink($x) { return $x; } } (new R)->unlink('/');", "code.snippet"),
            ("<?php [new class { function go($c) { system($c); } }, 'go']('x');", "sh x"),
        ],
    );
}

#[test]
fn files_and_hosts() {
    check(
        "php",
        &[
            ("<?php unlink('a');", "delete-f a"),
            ("<?php file_put_contents('a', 'x', FILE_APPEND);", "append a"),
            ("<?php echo file_get_contents('.env');", "read .env"),
            ("<?php foreach (glob('a/*') as $f) unlink($f);", "delete-f a/*"),
            ("<?php foreach (new DirectoryIterator('a') as $f) unlink($f->getPathname());", "delete-f a/**"),
            ("<?php include __DIR__ . '/x.php';", "read ./x.php; file ./x.php"),
            (
                "<?php $c = curl_init('https://a.example'); curl_setopt($c, CURLOPT_RETURNTRANSFER, true);",
                "fetch a.example",
            ),
            (
                "<?php $c = curl_init('https://a.example'); \
                 curl_setopt($c, CURLOPT_POSTFIELDS, file_get_contents('.env'));",
                "read .env; fetch a.example; send a.example <.env",
            ),
            (
                "<?php $x = stream_context_create(['http' => ['method' => 'POST']]); \
                 file_get_contents('https://a.example', false, $x);",
                "send a.example",
            ),
        ],
    );
}

#[test]
fn hostile_texts_end() {
    let open = |text: &str| text.repeat(if text.len() < 3 { 100_000 } else { 10_000 });
    let texts = [
        open("["),
        open("("),
        format!("<?php {}", open("{")),
        format!("<?php {}1{};", open("("), open(")")),
        format!("<?php {}", open("if (a) ")),
        format!("<?php {}", open("function a() {")),
        format!("<?php $a = {}1;", open("1 . ")),
        format!("<?php $a = {}1;", open("1 + ")),
        format!("<?php $a{};", open("->b")),
        format!("<?php {}", open("\"{$a[")),
        "<?php <<<A\nunclosed {$a".to_owned(),
        "<?php 'unclosed".to_owned(),
        "<?php `unclosed".to_owned(),
        (0..60_000_u32).filter_map(|n| char::from_u32(n.wrapping_mul(2_654_435_761) % 0xd7ff)).collect(),
    ];
    for text in texts {
        let _ = super::super::describe(
            "php",
            &text,
            Default::default(),
            doorward_core::intent::Span::default(),
            &crate::programs::Context::default(),
        );
    }
}
