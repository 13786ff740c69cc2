//! Literals that read as command lines: what no row knows the call of may still run them.
//!
//! A row names the calls that run commands; a language has more of them than any table, and some languages have no
//! table. So a literal that is a command line, or the words of one, and that is given to a call which isn't known to
//! treat it as data, is followed as shell text. Whether it is dangerous is judged like any command.

use crate::programs;

use super::rules::LanguageRow;
use super::tokens::Token;
use super::{CodeEffects, Value};

/// Calls that only look at text, print or keep it, by the last part of their name.
const DATA: &[&str] = &[
    "print",
    "println",
    "printf",
    "sprintf",
    "format",
    "puts",
    "echo",
    "say",
    "p",
    "pp",
    "log",
    "info",
    "debug",
    "warn",
    "warning",
    "error",
    "critical",
    "exception",
    "trace",
    "write",
    "writelines",
    "write_text",
    "writeLine",
    "append",
    "push",
    "add",
    "insert",
    "extend",
    "len",
    "str",
    "repr",
    "strlen",
    "length",
    "replace",
    "replaceAll",
    "sub",
    "gsub",
    "subn",
    "match",
    "fullmatch",
    "search",
    "findall",
    "finditer",
    "test",
    "split",
    "rsplit",
    "splitlines",
    "join",
    "startswith",
    "endswith",
    "startsWith",
    "endsWith",
    "includes",
    "contains",
    "include?",
    "indexOf",
    "index",
    "find",
    "strip",
    "trim",
    "lower",
    "upper",
    "encode",
    "decode",
    "count",
    "title",
    "center",
    "add_argument",
    "addArgument",
    "addOption",
    "InputArgument",
    "InputOption",
    "setHelp",
    "setDescription",
    "isset",
    "empty",
    "method_option",
    "class_option",
    "describe",
    "context",
    "shared_context",
    "shared_examples",
    "include_context",
    "it_behaves_like",
    "option",
    "separator",
    "on",
    "desc",
    "add_parser",
    "ArgumentParser",
    "assertEqual",
    "assertIn",
    "assertTrue",
    "assert_eq",
    "expect",
    "toBe",
    "toEqual",
    "describe",
    "it",
    "raise",
    "throw",
    "fail",
    "Error",
    "Exception",
    "dump",
    "dumps",
    "loads",
    "stringify",
    "parse",
    "quote",
    "compile",
    "set",
    "get",
    "setdefault",
    "update",
    "dict",
    "list",
    "tuple",
    "Text",
    "Label",
    "message",
    "display",
    "cat",
    "paste",
    "paste0",
    "sha256",
    "md5",
    "hash",
    "write_file",
    "writeFile",
    "writeFileSync",
    "appendFileSync",
    "file_put_contents",
    "file_get_contents",
    "shlex",
    "io:format",
    "IO.puts",
    "putStrLn",
    "putStr",
    "var_dump",
    "print_r",
    "sorted",
    "input",
    "confirm",
    "alert",
    "grep",
    "ok",
    "is",
    "like",
    "if",
    "while",
    "elif",
    "return",
    "unless",
    "and",
    "or",
    "not",
    "in",
];

/// Calls that ask about a path, or make another one of it, by the last part of their name.
const ABOUT: &[&str] = &[
    "exists",
    "existsSync",
    "isfile",
    "isdir",
    "is_file",
    "is_dir",
    "file_exists",
    "lexists",
    "access",
    "stat",
    "lstat",
    "basename",
    "dirname",
    "extname",
    "splitext",
    "Path",
    "PurePath",
    "resolve",
    "relative",
    "normalize",
    "load_dotenv",
    "config",
    "ignore",
    "ignore_patterns",
    "fnmatch",
    "minimatch",
    "exclude",
    "has",
    "some",
    "filter",
    "ends_with",
    "starts_with",
    "removesuffix",
    "removeprefix",
    "partition",
    "rpartition",
    "zip",
    "def",
    "fn",
    "function",
];

/// Whether a literal names a hidden file or the like of a key, which no other text looks like.
fn names_hidden(text: &str) -> bool {
    let last = text.rsplit('/').next().unwrap_or(text);
    let hidden = |part: &str| {
        part.len() > 2 && part.starts_with('.') && part.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic)
    };
    text.len() < 256
        && !text
            .contains(|letter: char| letter.is_whitespace() || matches!(letter, '(' | '{' | '<' | ';' | ','))
        && !text.contains("://")
        && (text.split('/').any(hidden) || last.starts_with("id_") || text.starts_with("/proc/"))
}

/// Follows what a call that nobody knows is given, where it reads as a command line or as the words of one, or names
/// a hidden file: each argument, `None` for one that isn't a text.
pub(super) fn offered(effects: &mut CodeEffects, call: &str, arguments: &[Option<Value>]) {
    let last = call.rsplit(['.', ':', '/']).next().unwrap_or(call);
    let tests = ["assert", "expect", "test", "describe"].iter().any(|word| last.starts_with(word));
    if DATA.contains(&last) || tests || last.ends_with("Error") || last.ends_with("Exception") {
        return;
    }
    for (at, text) in arguments.iter().enumerate() {
        let Some(text) = text.as_ref().filter(|text| !text.text.is_empty() && text.text.len() < 4096) else {
            continue;
        };
        if names_hidden(&text.text) && !ABOUT.contains(&last) {
            effects.may_read(text);
        } else if is_command_line(&text.text) {
            effects.shell(text);
        } else if at == 0 && names_program(&text.text) {
            let words: Vec<Value> = arguments.iter().map_while(Clone::clone).collect();
            if words.len() > 1 {
                return effects.argv(&words);
            }
        }
    }
}

/// Follows literals that read as commands and that nothing else followed.
pub(super) fn follow(
    effects: &mut CodeEffects,
    tokens: &[Token],
    language: &LanguageRow,
    rules: &dyn Fn(&str) -> bool,
) {
    let unlisted = language.is_unlisted();
    // What is added or written to an archive is a file's name.
    let archives = tokens.iter().filter_map(Token::name).any(|name| {
        matches!(name, "zipfile" | "ZipFile" | "tarfile" | "ZipArchive" | "PharData" | "archiver" | "JSZip")
    });
    let mut callers: Vec<String> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark('(') => callers.push(caller(tokens, at, language.lisp)),
            Token::Mark('[' | '{') => callers.push(callers.last().cloned().unwrap_or_default()),
            Token::Mark(')' | ']' | '}') => {
                callers.pop();
            }
            Token::Text(text) if !text.text.is_empty() && text.text.len() < 4096 => {
                let bare = match at.checked_sub(1).and_then(|before| tokens.get(before)) {
                    Some(Token::Name(name)) if !language.lisp => Some(name.as_str()),
                    _ => None,
                };
                let name = bare.or_else(|| callers.last().map(String::as_str)).unwrap_or_default();
                let last = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
                if archives
                    && matches!(last, "add" | "write" | "addFile" | "file" | "append")
                    && names_hidden(&text.text)
                {
                    effects.may_read(text);
                }
                let is_data = DATA.contains(&last) || last.ends_with("Error") || last.ends_with("Exception");
                // Without parentheses a row's name only counts where the language calls like that.
                let ruled = rules(name) && !unlisted && (bare.is_none() || language.bare);
                if is_data
                    || ruled
                    || (name.is_empty() && !unlisted)
                    || (bare.is_some() && !language.bare && !rules(name))
                {
                    continue;
                }
                if names_hidden(&text.text) && !name.is_empty() && !rules(name) && !ABOUT.contains(&last) {
                    effects.may_read(text);
                } else if is_command_line(&text.text) {
                    effects.shell(text);
                } else if names_program(&text.text) {
                    let words = words_after(tokens, at);
                    if words.len() > 1 {
                        effects.argv(&words);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The dotted name in front of a `(`, or behind it in Lisp.
fn caller(tokens: &[Token], open: usize, lisp: bool) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let front = tokens.get(..open).unwrap_or_default().iter().rev();
    let behind = tokens.get(open + 1..).unwrap_or_default().iter();
    let mut signs = String::new();
    let walk: Box<dyn Iterator<Item = &Token>> = if lisp { Box::new(behind) } else { Box::new(front) };
    for token in walk.take(16) {
        match token {
            Token::Name(name) if parts.len() == signs.len() => parts.push(name),
            Token::Mark(mark @ ('.' | ':' | '-' | '/')) if !parts.is_empty() => {
                if *mark != ':' || !signs.ends_with(':') {
                    signs.push(*mark);
                }
            }
            // `(f)(x)`, `f(x)(y)`: called by what an expression gives.
            Token::Mark(')' | ']') if parts.is_empty() => return "()".to_owned(),
            _ => break,
        }
        if parts.len() > signs.len() + 1 {
            break;
        }
    }
    if lisp {
        return parts.join("-");
    }
    parts.reverse();
    parts.join(".")
}

/// The literals from one on up to the end of what holds it: a program and its words.
fn words_after(tokens: &[Token], at: usize) -> Vec<Value> {
    let mut depth = 0_i32;
    let mut words = Vec::new();
    for token in tokens.get(at..).unwrap_or_default().iter().take(64) {
        match token {
            Token::Text(text) => words.push(text.clone()),
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') if depth == 0 => break,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            Token::Mark(';' | '=' | '+') | Token::Line => break,
            _ => {}
        }
    }
    words
}

fn names_program(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    let plain = text.starts_with('/') || !text.contains('/');
    plain && !programs::is_word(name) && !name.contains(char::is_whitespace) && programs::is_known(name)
}

/// A program's name and what looks like its words.
pub(super) fn is_command_line(text: &str) -> bool {
    let mut fields = text.split_ascii_whitespace();
    let Some(first) = fields.next() else { return false };
    let rest: Vec<&str> = fields.collect();
    let name = first.rsplit('/').next().unwrap_or(first);
    if rest.is_empty() || !programs::is_known(name) || !first.starts_with('/') && first.contains('/') {
        return false;
    }
    let wordy = programs::is_word(name) && !first.starts_with('/');
    let shelly =
        text.contains([';', '|', '&', '>', '`', '$', '/']) || text.contains(" -") || text.contains(" .");
    shelly || !wordy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_sentences() {
        for text in ["rm -rf x", "/bin/rm x", "cat .env", "git reset --hard", "chmod 777 x", "find . -delete"]
        {
            assert!(is_command_line(text), "{text}");
        }
        for text in [
            "rm",
            "find the file",
            "test failed",
            "make it so",
            "hello world",
            "",
            "cat and dog",
            "sort by name",
        ] {
            assert!(!is_command_line(text), "{text}");
        }
    }
}
