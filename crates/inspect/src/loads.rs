//! Modules that code or a program loads by name: in which files of this machine they are.
//!
//! Code says `import x`, a program is told `-m x` or `-B folder`; what of it lies in the project runs as part of the
//! call. The languages' own libraries are not looked at: only folders that the call itself brings into play.

use doorward_core::intent::{Code, ModuleLoad, Origin, SimpleCommand};
use doorward_core::world::FileKind;
use doorward_paths::lexical;

use crate::place::CallContext;

/// A language, and the files that a module called `{}` may be.
///
/// Sources: the Python tutorial (6.1.2), perlfunc (require), Ruby's Kernel#require, the Lua manual (package.path), the
/// documentation of Node.js (modules), gcc(1) (-B).
const FILES: &[(&str, &str)] = &[
    ("compiler", "{}/cc1 {}cc1 {}/cc1plus {}/as {}as {}/ld {}ld {}/collect2 {}/cpp {}/lto1"),
    ("javascript", "{} {}.js {}.cjs {}.mjs {}.ts {}/index.js"),
    ("lua", "{}.lua {}/init.lua"),
    ("perl", "{}.pm {}"),
    ("python", "{}.py {}/__init__.py"),
    ("ruby", "{}.rb {}"),
];

/// What modules of Python's own library import from it. With `-m` the working folder is looked through first.
const PYTHON_LIBRARY: &str = "argparse array ast base64 binascii bisect bz2 calendar cmd code collections \
    concurrent configparser contextlib copy copyreg csv ctypes dataclasses datetime decimal dis email enum errno \
    fileinput fnmatch functools getopt getpass gettext glob gzip hashlib heapq html http imp importlib inspect \
    ipaddress json keyword linecache locale logging lzma mimetypes numbers opcode operator optparse pathlib \
    pickle pkgutil platform plistlib pprint queue random re reprlib selectors shlex shutil signal socket \
    socketserver ssl string struct subprocess symtable sysconfig tarfile tempfile textwrap threading token \
    tokenize traceback types typing unicodedata urllib uuid warnings weakref xml zipfile zlib";

/// Modules that an interpreter loads by itself, if it finds them in a folder that its environment names.
const BY_ITSELF: &[(&str, &[&str])] = &[("python", &["sitecustomize", "usercustomize"])];

/// Folders that a command's variables or options add to those where modules are looked for, as its environment names
/// them, and what is loaded from there at the start.
pub(crate) fn searched(
    ground: &CallContext<'_>,
    commands: &[SimpleCommand],
) -> (Vec<String>, Vec<ModuleLoad>) {
    let mut folders = Vec::new();
    let mut loads = Vec::new();
    for command in commands {
        let (Origin::File(path), Code::Language(language)) = (&command.origin, &command.code) else {
            continue;
        };
        let place = ground.place(path, crate::place::Use::Read);
        if ground.kind(&place.path) != Some(FileKind::Directory) {
            continue;
        }
        let load = |name: &str| ModuleLoad {
            language: language.clone(),
            name: name.to_owned(),
            folder: command.folder.clone(),
            span: command.span,
        };
        let by_itself = BY_ITSELF.iter().filter(|(own, _)| own == language).flat_map(|(_, names)| *names);
        loads.extend(by_itself.map(|name| load(name)));
        if language == "compiler" {
            loads.push(load(&place.path));
        }
        folders.push(place.path);
    }
    (folders, loads)
}

/// The files that are loaded for a module: one for each part of its name that is a file of `folders`.
pub(crate) fn files_of(
    module: &ModuleLoad,
    folders: &[String],
    is_there: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let Some((_, patterns)) = FILES.iter().find(|(language, _)| *language == module.language) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for name in names_of(module) {
        // A path is the file itself, else it is a module like others.
        let alone = (name == module.name).then(|| name.clone());
        let files = || {
            alone
                .iter()
                .cloned()
                .chain(patterns.split_ascii_whitespace().map(|file| file.replace("{}", &name)))
        };
        let file = folders.iter().flat_map(|folder| files().map(|file| lexical::join(folder, &file)));
        found.extend(file.into_iter().find(|file| is_there(file)));
    }
    found
}

/// The paths that a module's name stands for: loading `a.b` loads `a`, too.
fn names_of(module: &ModuleLoad) -> Vec<String> {
    let name = module.name.as_str();
    let is_path = name.contains('/') || name.ends_with(".py");
    match module.language.as_str() {
        "python" if name == ModuleLoad::LIBRARY => {
            PYTHON_LIBRARY.split_ascii_whitespace().map(str::to_owned).collect()
        }
        // Relative imports (`..x`) name modules beside or above: every folder above is looked in.
        "python" if !is_path => {
            let parts: Vec<&str> = name.split('.').filter(|part| !part.is_empty()).collect();
            (1..=parts.len()).filter_map(|upto| Some(parts.get(..upto)?.join("/"))).collect()
        }
        "lua" if !is_path => vec![name.replace('.', "/")],
        "perl" => vec![name.replace("::", "/")],
        // Anything else is a package of the registry.
        "javascript" if !name.starts_with(['.', '/']) => Vec::new(),
        _ => vec![name.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_looked_for_where_its_language_looks() {
        let there =
            ["/w/ut.py", "/w/pkg/__init__.py", "/w/pkg/a.py", "/w/lib/Foo/Bar.pm", "/w/v.js", "/w/b/cc1"];
        let folders = ["/w".to_owned(), "/w/lib".to_owned()];
        for (language, name, expected) in [
            ("python", "ut", "/w/ut.py"),
            ("python", "os.path", ""),
            ("python", "pkg.a", "/w/pkg/__init__.py /w/pkg/a.py"),
            ("python", "./ut.py", "/w/ut.py"),
            ("perl", "Foo::Bar", "/w/lib/Foo/Bar.pm"),
            ("javascript", "./v", "/w/v.js"),
            ("javascript", "v", ""),
            ("compiler", "b", "/w/b/cc1"),
            ("cobol", "ut", ""),
        ] {
            let module = ModuleLoad {
                language: language.to_owned(),
                name: name.to_owned(),
                folder: String::new(),
                span: doorward_core::Span::default(),
            };
            let found = files_of(&module, &folders, &|path| there.contains(&path));
            assert_eq!(found.join(" "), expected, "{language} {name}");
        }
    }
}
