//! Modules that interpreters load by name: what an option, a variable or another module tells them.

use doorward_core::intent::ModuleLoad;

use crate::deed::Word;

use super::call::Call;
use super::word;

/// `-W action:message:category`: Python imports the module of a category that has a dot (the documentation of
/// `warnings`).
pub(super) fn loaded_for_warnings(call: &mut Call<'_>) {
    let filters: Vec<Word> = call
        .given
        .iter()
        .filter(|given| given.name == "-W")
        .filter_map(|given| given.value.clone())
        .collect();
    for filter in filters {
        warning_category(call, &filter);
    }
}

/// The module that filters of warnings import: `-W`, `PYTHONWARNINGS`.
pub(super) fn warning_category(call: &mut Call<'_>, filters: &Word) {
    for part in word::split(filters, ',') {
        let category = part.text.split(':').nth(2).and_then(|category| category.rsplit_once('.'));
        if let Some((module, _)) = category {
            call.module(&word::instead(&part, module.to_owned()), "python");
        }
    }
}

/// Modules of Python that read the files they are given and run none of them.
const READS_ONLY: &[&str] = &[
    "ast",
    "base64",
    "black",
    "build",
    "calendar",
    "compileall",
    "csv",
    "dis",
    "ensurepip",
    "fileinput",
    "flake8",
    "gzip",
    "html",
    "http.server",
    "isort",
    "json.tool",
    "mimetypes",
    "mypy",
    "netrc",
    "pickletools",
    "pip",
    "pip3",
    "platform",
    "plistlib",
    "pprint",
    "py_compile",
    "pyflakes",
    "quopri",
    "ruff",
    "site",
    "symtable",
    "sysconfig",
    "tabnanny",
    "tarfile",
    "this",
    "tokenize",
    "twine",
    "uu",
    "uv",
    "venv",
    "virtualenv",
    "zipapp",
    "zipfile",
];

/// Whether a word may name a module, or a file with one.
fn is_module_name(word: &str) -> bool {
    let named = |letter: char| letter.is_alphanumeric() || "_./:*-".contains(letter);
    word.starts_with(|first: char| first.is_alphabetic() || "_./".contains(first)) && word.chars().all(named)
}

/// What a module of Python is given may be code that it loads: `-m unittest NAME`, `-m pydoc FILE.py`.
pub(super) fn loaded_by_module(call: &mut Call<'_>, name: &Word, args: &[Word]) {
    if READS_ONLY.contains(&name.text.as_str()) {
        return call.module(&word::instead(name, ModuleLoad::LIBRARY.to_owned()), "python");
    }
    call.module(&word::instead(name, format!("{}.__main__", name.text)), "python");
    for arg in args.iter().filter(|arg| is_module_name(&arg.text)) {
        call.module(arg, "python");
    }
    if name.text == "pdb" {
        call.module(&word::instead(name, "./.pdbrc".to_owned()), "python");
    }
}

/// `perl -MNAME=…`: a module, a file, or code behind the name, which is returned.
pub(super) fn of_perl(call: &mut Call<'_>, given: &Word) -> Option<Word> {
    let name = given.text.trim_start_matches('-').split('=').next().unwrap_or_default().to_owned();
    let arguments = given.text.split_once('=').map_or("", |(_, arguments)| arguments);
    if arguments.contains(['(', ';']) || name.contains([';', '(', ' ']) {
        return Some(given.clone());
    }
    if name.contains(['/', '.']) {
        call.run_file(given, "perl", Vec::new());
    } else {
        call.module(&word::instead(given, name), "perl");
    }
    None
}

/// `perl -d:Foo=x` and `-dt:Foo` load Devel::Foo.
pub(super) fn debugging_perl(call: &mut Call<'_>, given: &Word) {
    let name = given.text.trim_start_matches('t').trim_start_matches(':');
    let name = format!("Devel::{}", name.split('=').next().unwrap_or(name));
    call.module(&word::instead(given, name), "perl");
}
