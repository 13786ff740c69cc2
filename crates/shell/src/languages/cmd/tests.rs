use super::super::testing::check;

#[test]
fn commands_are_split_as_cmd_splits_them() {
    check(
        "cmd",
        &[
            ("rd /s /q x", "argv rd /s /q x [delete-rf x]"),
            ("dir a & del b", "argv dir a [look a; read-only]; argv del b [delete-f b]"),
            ("r^d x", "obfuscated; argv rd x [delete-f x]"),
            ("set a=rd& %a% x", "argv set a=rd [read-only]; argv rd x [delete-f x]"),
            ("echo a ^& b", "argv echo a & b [read-only]"),
            ("git status", "argv git status"),
            (".\\build.bat x", "file ./build.bat"),
        ],
    );
}

#[test]
fn variables_are_sliced_and_replaced() {
    let mut variables = std::collections::BTreeMap::new();
    variables.insert("x".to_owned(), "abcdef".to_owned());
    for (text, expected) in [
        ("%x:~1,2%", "bc"),
        ("%x:~-2%", "ef"),
        ("%x:~0,-4%", "ab"),
        ("%X:c=-%", "ab-def"),
        ("%x:*c=%", "def"),
        ("!x!", "abcdef"),
        ("%nobody%", "…"),
        ("100%", "100%"),
    ] {
        assert_eq!(super::expand::expand(text, &variables, None), expected, "{text}");
    }
}
