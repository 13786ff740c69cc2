//! What a call does, by the rule for its name.

use doorward_core::intent::{Code, Direction, WriteMode};

use super::*;

/// Keyword arguments that carry what is sent.
const BODIES: [&str; 4] = ["data", "json", "files", "body"];

/// Flags of `open(2)` that let a file be written.
const WRITING_FLAGS: [&str; 4] = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"];

fn names_a_sending_method(token: &Token) -> bool {
    match token {
        Token::Text(text) => matches!(text.text.as_str(), "POST" | "PUT" | "PATCH" | "DELETE"),
        token => matches!(token.name(), Some("body" | "method" | "POST" | "PUT")),
    }
}

impl Reader<'_> {
    pub(super) fn rule(&self, name: &str) -> Option<Act> {
        let method = name.rsplit('.').next().unwrap_or(name);
        // On a receiver nobody knows, a method whose name says it all.
        let telling = name.strip_prefix('.').filter(|_| TELLING.contains(&method));
        let star = self.names.get("*").map(|module| format!("{module}.{name}"));
        self.language.rules.iter().find_map(|(names, act)| {
            names
                .split_ascii_whitespace()
                .any(|own| match own.strip_prefix('.') {
                    Some(own) => name.contains('.') && own == method,
                    None => {
                        own == name
                            || telling.is_some() && own.rsplit('.').next() == Some(method)
                            || star.as_deref() == Some(own)
                            || own.contains('.')
                                && name.strip_suffix(own).is_some_and(|front| front.ends_with('.'))
                    }
                })
                .then_some(*act)
        })
    }

    pub(super) fn call(&mut self, name: &str, arguments: &[Vec<Token>], receiver: &[Token]) {
        let last = name.rsplit('.').next().unwrap_or(name);
        if BY_NAME.contains(&last) {
            return self.by_name(name.strip_suffix(last).unwrap_or_default(), arguments);
        }
        let name = name.strip_prefix("CORE.GLOBAL.").or_else(|| name.strip_prefix("CORE.")).unwrap_or(name);
        let Some(act) = self.rule(name) else { return };
        let named =
            |argument: &&Vec<Token>| matches!(argument.as_slice(), [Token::Name(_), Token::Mark('='), ..]);
        let positional: Vec<Vec<Token>> =
            arguments.iter().filter(|argument| !named(argument)).cloned().collect();
        let first = self.value(positional.first());
        let second = self.value(positional.get(1));
        if first.decoded || second.decoded {
            self.effects.finding("shell.obfuscated", format!("{name} is given what had to be decoded"));
        }
        match act {
            Act::Shell | Act::Words if self.feeds(act, arguments, &positional, &first) => {}
            Act::Shell if positional.is_empty() => {
                // `run(args=[…])`
                let words: Vec<Vec<Token>> = arguments
                    .iter()
                    .filter_map(|argument| match argument.as_slice() {
                        [Token::Name(key), Token::Mark('='), value @ ..] if key == "args" => {
                            Some(value.to_vec())
                        }
                        _ => None,
                    })
                    .collect();
                let first = self.value(words.first());
                self.shell(name, &words, &first);
                self.replaced(arguments, &words);
            }
            Act::Shell => {
                self.shell(name, &positional, &first);
                self.replaced(arguments, &positional);
            }
            Act::Words => self.words(name, &positional),
            Act::Delete => {
                for path in &positional {
                    let items = self.list(path).unwrap_or_else(|| vec![self.value(Some(path))]);
                    // `unlink glob "/etc/*"` deletes what the pattern names.
                    items.iter().for_each(|path| self.effects.delete(path, false));
                }
            }
            Act::DeleteTree => {
                let items =
                    positional.first().and_then(|path| self.list(path)).unwrap_or_else(|| vec![first]);
                items.iter().for_each(|path| self.effects.delete(path, true));
            }
            Act::MetaSelf => {
                let path = self.fold(receiver).unwrap_or_else(Value::unknown);
                self.effects.write(&path, WriteMode::Metadata);
                self.mode(name, &positional, true);
            }
            Act::DeleteSelf | Act::WriteSelf | Act::ReadSelf => {
                let path = self.fold(receiver).unwrap_or_else(Value::unknown);
                let path = if path.is_known() || act == Act::DeleteSelf { path } else { first };
                match act {
                    Act::DeleteSelf => self.effects.delete(&path, false),
                    Act::WriteSelf => {
                        let nothing = name.contains("write_")
                            && self.is_text(positional.first())
                            && self.value(positional.first()).text.is_empty();
                        self.effects
                            .write(&path, if nothing { WriteMode::Truncate } else { WriteMode::Create });
                    }
                    _ => self.effects.read(&path),
                }
            }
            Act::Open => self.open(name, arguments, &first, &second, positional.len()),
            Act::Write => self.effects.write(
                &first,
                if name.contains("append") {
                    WriteMode::Append
                } else if name.contains("runcate")
                    || second.text.is_empty() && self.is_text(positional.get(1))
                {
                    WriteMode::Truncate
                } else {
                    WriteMode::Create
                },
            ),
            Act::WriteSecond => {
                let nothing = positional
                    .first()
                    .is_some_and(|lines| lines.iter().all(|token| token.is('[') || token.is(']')));
                self.effects.write(&second, if nothing { WriteMode::Truncate } else { WriteMode::Create });
            }
            Act::WriteThird => {
                let third = self.value(positional.get(2));
                self.effects.write(&third, WriteMode::Create);
            }
            Act::CommandWords => {
                let words: Vec<Value> = arguments.iter().flatten().filter_map(bare_word).collect();
                for command in words.split(|word| matches!(word.text.as_str(), "COMMAND" | "command")).skip(1)
                {
                    let end = command
                        .iter()
                        .position(|word| {
                            matches!(
                                word.text.as_str(),
                                "WORKING_DIRECTORY"
                                    | "RESULT_VARIABLE"
                                    | "OUTPUT_VARIABLE"
                                    | "ERROR_VARIABLE"
                                    | "TIMEOUT"
                            )
                        })
                        .unwrap_or(command.len());
                    self.effects.argv(command.get(..end).unwrap_or_default());
                }
            }
            Act::Read if first.text.starts_with("php://filter/") => {
                let file = first.text.rsplit_once("resource=").map_or("…", |(_, file)| file);
                self.effects.read(&Value::literal(file));
            }
            Act::Read if first.text.contains("://") => self.effects.host(&first, "https", Direction::Fetch),
            // dotenv's own default.
            Act::Read if positional.is_empty() && last == "dotenv_values" => {
                self.effects.read(&Value::literal(".env"));
            }
            Act::Read => self.effects.read(&first),
            Act::Move | Act::Copy if first.text == "/dev/null" => {
                self.effects.write(&second, WriteMode::Truncate);
            }
            Act::Move => self.effects.move_to(&first, &second),
            Act::Copy | Act::HardLink => {
                self.effects.read(&first);
                self.effects.write(&second, WriteMode::Create);
                if act == Act::HardLink {
                    self.effects.write(&first, WriteMode::Metadata);
                }
            }
            Act::Meta => {
                let perl = self.language.lexis.sigils && self.language.bare
                    || name.starts_with("File.ch")
                    || name.starts_with("FileUtils.ch");
                let path = if perl { self.value(positional.last()) } else { first };
                self.effects.write(&path, WriteMode::Metadata);
                self.mode(name, &positional, perl);
            }
            Act::Fetch | Act::Send => {
                let url = positional
                    .iter()
                    .filter_map(|argument| self.fold(argument))
                    .find(|value| value.text.contains("://"))
                    .unwrap_or(first);
                let mut keywords = arguments.iter().filter_map(|argument| argument.first()?.name());
                let sends = act == Act::Send
                    || keywords.any(|keyword| BODIES.contains(&keyword))
                    || arguments.iter().flatten().any(names_a_sending_method);
                self.effects.host(&url, "https", if sends { Direction::Send } else { Direction::Fetch });
            }
            Act::Connect => {
                let pair = positional
                    .first()
                    .and_then(|argument| self.list(argument))
                    .and_then(|items| items.into_iter().next());
                let host = pair
                    .or_else(|| {
                        positional
                            .iter()
                            .filter_map(|argument| self.fold(argument))
                            .find(|value| value.text.parse::<u16>().is_err())
                    })
                    .unwrap_or_else(Value::unknown);
                self.effects.host(&host, "tcp", Direction::Both);
            }
            Act::Download => {
                self.effects.host(&first, "https", Direction::Fetch);
                if positional.len() > 1 {
                    self.effects.write(&second, WriteMode::Create);
                    if let Some(write) = self.effects.deeds.writes.last_mut() {
                        write.downloaded = true;
                    }
                }
            }
            Act::Env => {
                if positional.is_empty() || !first.is_known() {
                    self.effects.env("*")
                } else {
                    self.effects.env(&first.text.clone())
                }
            }
            Act::Eval if last == "create_function" => self.eval(name, &positional, &second),
            Act::Eval => self.eval(name, &positional, &first),
            Act::File => {
                let path = match positional.first() {
                    Some(argument) if !first.is_known() => bare_path(argument).unwrap_or(first),
                    _ => first,
                };
                self.run_file(name, &path);
            }
            Act::Module => self.effects.module(&first),
            Act::Load => {
                self.effects.finding("shell.obfuscated", format!("{name} turns bytes into running code"))
            }
            Act::Kill => self.effects.finding("shell.resource", "stops processes"),
            Act::Listen => {
                // Python: `("", 8000)` is every address.
                let begins = |argument: &Vec<Token>| {
                    let mark = argument.first().is_some_and(|mark| mark.is('('));
                    let everywhere = |host: &Value| matches!(host.text.as_str(), "" | "0.0.0.0" | "::");
                    mark && matches!(argument.get(1), Some(Token::Text(host)) if everywhere(host))
                };
                if positional.first().is_some_and(begins) {
                    let message = format!("{name} listens to every machine that reaches this one");
                    self.effects.finding("net.listen", message);
                }
                self.effects.host(&Value::literal("*"), "tcp", Direction::Listen);
            }
            Act::Drop => {
                let empty = positional
                    .first()
                    .is_none_or(|filter| filter.iter().all(|token| matches!(token, Token::Mark('{' | '}'))));
                if empty || !name.contains("One") && !name.contains("update") {
                    self.effects.finding("shell.data_loss", format!("{name} destroys data"));
                }
            }
        }
    }

    /// Mode bits of a `chmod`: as the risk table wants them, or as wide where nobody can tell.
    pub(super) fn mode(&mut self, name: &str, positional: &[Vec<Token>], mode_first: bool) {
        if !["chmod", "setfperm", "file-modes"].iter().any(|own| name.contains(own)) {
            return;
        }
        let Some(argument) = (if mode_first { positional.first() } else { positional.get(1) }) else {
            return;
        };
        let bits = match argument.as_slice() {
            [Token::Number(number)] => parse_number(number),
            [Token::Text(text)] => i64::from_str_radix(&text.text, 8).ok(),
            // Emacs Lisp: `#o777`.
            [Token::Name(text)] if text.starts_with('o') => {
                i64::from_str_radix(text.get(1..).unwrap_or_default(), 8).ok()
            }
            // `octdec("777")`, `parseInt("777", 8)`.
            [Token::Name(read), Token::Mark('('), Token::Text(text), ..]
                if matches!(read.as_str(), "oct" | "octdec" | "parseInt" | "int") =>
            {
                i64::from_str_radix(&text.text, 8).ok()
            }
            tokens => match self.evaluated(tokens) {
                Some(Item::Number(number)) => Some(number),
                _ => None,
            },
        };
        let named = argument.iter().filter_map(Token::name);
        let wide = named
            .clone()
            .any(|name| ["S_IRWXO", "S_IWOTH", "S_ISUID", "S_ISGID"].iter().any(|bits| name.ends_with(bits)))
            || argument.iter().any(|token| match token {
                // `a+w`, `o=rw`, or `rwxrwxrwx`, whose eighth letter is everyone's right to write.
                Token::Text(text) => {
                    text.text.contains('w') && text.text.contains(['a', 'o'])
                        || text.text.len() == 9 && text.text.get(7..8) == Some("w")
                }
                _ => false,
            });
        match bits {
            Some(bits) => {
                if let Some(write) = self.effects.deeds.writes.last_mut() {
                    write.chmod = Some(format!("{bits:o}"));
                }
            }
            None if wide => {
                self.effects.finding("shell.privilege", "a mode that lets everybody write, or sets set-id");
            }
            None => {}
        }
    }

    /// `send(:system, …)`, `call_user_func('system', …)`, `method(:system)`: a call by a name that is a value.
    pub(super) fn by_name(&mut self, front: &str, arguments: &[Vec<Token>]) {
        let symbol = |argument: &Vec<Token>| match argument.as_slice() {
            [Token::Mark(':'), Token::Name(name)] => Some(Value::literal(name.clone())),
            other => self.fold(other),
        };
        let Some(name) = arguments.first().and_then(symbol) else { return };
        if !name.is_known() {
            return self.effects.finding("shell.obfuscated", "a call whose name is computed");
        }
        // `File.method(:delete)` is `File.delete`.
        let full = format!("{}{}", front.trim_start_matches('.'), name.text);
        let name = if self.rule(&name.text).is_some() { name.text } else { full };
        if self.rule(&name).is_none() {
            return;
        }
        self.effects.finding("shell.obfuscated", "a call by a name in a string");
        self.call(&name, arguments.get(1..).unwrap_or_default(), &[]);
    }

    /// A bare interpreter that is fed by this code: what it is fed, where that is known, else nobody can tell.
    pub(super) fn feeds(
        &mut self,
        act: Act,
        arguments: &[Vec<Token>],
        positional: &[Vec<Token>],
        first: &Value,
    ) -> bool {
        let words = positional.first().and_then(|argument| self.list(argument));
        let alone = act == Act::Shell
            || positional
                .iter()
                .skip(1)
                .all(|argument| !matches!(argument.as_slice(), [Token::Text(_)] | [Token::Mark('['), _, ..]));
        let command = match words {
            Some(words) if words.iter().all(Value::is_known) => {
                words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
            }
            Some(_) => return false,
            None if alone => first.text.clone(),
            None => return false,
        };
        if !crate::languages::is_interpreter(&command) {
            return false;
        }
        let input = arguments.iter().flat_map(|argument| {
            argument.windows(2).enumerate().filter_map(move |(at, pair)| match pair {
                [Token::Name(key), Token::Mark('=' | ':')] if key == "input" => argument.get(at + 2..),
                _ => None,
            })
        });
        let inputs: Vec<Value> = input
            .filter_map(|tokens| {
                let end =
                    tokens.iter().position(|token| token.is(',') || token.is('}')).unwrap_or(tokens.len());
                self.fold(tokens.get(..end).unwrap_or_default())
            })
            .collect();
        match inputs.first() {
            Some(input) => self.effects.fed(&Value::literal(command), input),
            None => self.effects.finding("shell.obfuscated", "an interpreter that this code feeds"),
        }
        true
    }

    /// `new Deno.Command('rm', {args: ['x']})`: the words are in the options.
    pub(super) fn words_in_options(&self, positional: &[Vec<Token>]) -> Option<Vec<Value>> {
        let options = positional.get(1).filter(|options| options.first().is_some_and(|mark| mark.is('{')))?;
        let at = options
            .windows(2)
            .position(|pair| matches!(pair, [Token::Name(key), Token::Mark(':')] if key == "args"))?;
        let list = options.get(at + 2..)?;
        let end = list.iter().position(|token| token.is(']'))?;
        self.list(list.get(..=end)?)
    }

    pub(super) fn shell(&mut self, name: &str, positional: &[Vec<Token>], first: &Value) {
        if let Some(words) = self.words_in_options(positional) {
            let mut argv = vec![first.clone()];
            argv.extend(words);
            return self.effects.argv(&argv);
        }
        if let Some(words) = positional.first().and_then(|argument| self.list(argument)) {
            return self.effects.argv(&words);
        }
        // `open3($in, $out, $err, 'cmd')`: handles stand in front.
        let texts = positional.iter().position(|argument| matches!(argument.as_slice(), [Token::Text(_)]));
        let handles = texts.filter(|_| name.ends_with("open2") || name.ends_with("open3")).unwrap_or(0);
        let positional = positional.get(handles..).unwrap_or_default();
        let first = if handles > 0 { &self.value(positional.first()) } else { first };
        let mut plain: Vec<Value> = positional
            .iter()
            .filter(|argument| matches!(argument.as_slice(), [Token::Text(_)]))
            .map(|argument| self.value(Some(argument)))
            .collect();
        // Ruby and Perl: more than one argument is a list of words.
        if self.language.bare && plain.len() > 1 && plain.len() == positional.len() {
            // `exec qw(rm -rf), "x"`: several words in the first.
            if let Some(words) = plain.first().filter(|first| first.text.contains(' ')) {
                let words: Vec<Value> = words.text.split_ascii_whitespace().map(Value::literal).collect();
                plain.splice(..1, words);
            }
            return self.effects.argv(&plain);
        }
        self.effects.shell(first);
    }

    /// `run(["ls", "push"], executable="git")` runs `git push`: the first word is only the name that the program sees.
    fn replaced(&mut self, arguments: &[Vec<Token>], positional: &[Vec<Token>]) {
        let executable = arguments.iter().find_map(|argument| match argument.as_slice() {
            [Token::Name(key), Token::Mark('='), value @ ..] if key == "executable" => Some(value),
            _ => None,
        });
        let (Some(executable), Some(listed)) = (executable, positional.first()) else { return };
        let Some(mut words) = self.list(listed) else { return };
        if let Some(first) = words.first_mut() {
            *first = self.fold(executable).unwrap_or_else(Value::unknown);
            self.effects.argv(&words);
        }
    }

    pub(super) fn words(&mut self, name: &str, positional: &[Vec<Token>]) {
        let method = name.rsplit('.').next().unwrap_or(name);
        // `spawnl(mode, file, …)`
        let moded = method.starts_with("spawn") && name.starts_with("os.");
        let positional = positional.get(usize::from(moded)..).unwrap_or_default();
        let program = self.value(positional.first());
        let mut words = Vec::new();
        let mut listed = false;
        for argument in positional.iter().skip(1) {
            if let Some(items) = self.list(argument) {
                words.extend(items);
                listed = true;
            } else if !matches!(argument.first(), Some(Token::Mark('{'))) && !listed {
                words.push(self.value(Some(argument)));
            }
        }
        // `execv(file, args)`: the first of these is the name that the program sees, whatever it says.
        if moded || ["exec", "posix_spawn"].iter().any(|front| method.starts_with(front)) {
            if let Some(named) = words.first_mut() {
                *named = program;
            } else {
                words.push(program);
            }
            return self.effects.argv(&words);
        }
        let last = program.text.rsplit('/').next().unwrap_or_default();
        // The first word may be the name again.
        if words.first().is_none_or(|word| word.text.rsplit('/').next().unwrap_or_default() != last) {
            words.insert(0, program);
        }
        self.effects.argv(&words);
    }

    pub(super) fn open(
        &mut self,
        name: &str,
        arguments: &[Vec<Token>],
        first: &Value,
        second: &Value,
        count: usize,
    ) {
        if name.contains("sqlite") {
            return self.effects.write(first, WriteMode::InPlace);
        }
        let perl = self.language.bare && self.language.lexis.sigils;
        if perl {
            // `open(F, "cmd |")`, `open(my $f, '>', 'x')`.
            let third = self.value(arguments.get(2));
            let mode = second.text.trim();
            let (path, mode) = if count > 2 {
                (third, mode.to_owned())
            } else {
                (
                    Value {
                        text: mode.trim_matches(['<', '>', '|', '+', ' ']).to_owned(),
                        assembled: second.assembled,
                        decoded: second.decoded,
                    },
                    mode.to_owned(),
                )
            };
            // `open($h, '-|', 'cat', 'x')`: a list of words.
            let words: Vec<Value> =
                arguments.iter().skip(2).map(|argument| self.value(Some(argument))).collect();
            return if mode.contains('|') && words.len() > 1 {
                self.effects.argv(&words);
            } else if mode.contains('|') {
                self.effects.shell(&path);
            } else if mode.starts_with(">>") {
                self.effects.write(&path, WriteMode::Append);
            } else if mode.contains('>') {
                let empties = !self.puts && !mode.contains('+');
                self.effects.write(&path, if empties { WriteMode::Truncate } else { WriteMode::Create });
            } else {
                self.effects.read(&path);
            };
        }
        if first.text.starts_with('|') {
            let command =
                Value { text: first.text.trim_start_matches('|').trim().to_owned(), ..first.clone() };
            return self.effects.shell(&command);
        }
        if first.text.contains("://") && !first.text.starts_with("php://") {
            return self.effects.host(first, "https", Direction::Fetch);
        }
        let keyword = arguments.iter().find_map(|argument| match argument.as_slice() {
            [Token::Name(key), Token::Mark('='), value @ ..] if key == "mode" => self.fold(value),
            _ => None,
        });
        let writing = |name: &str| WRITING_FLAGS.iter().any(|flag| name.contains(flag));
        let flags = arguments.iter().flatten().filter_map(Token::name).any(writing);
        let mode = keyword
            .map(|mode| mode.text)
            .or_else(|| (count > 1).then(|| second.text.clone()))
            .unwrap_or_else(|| "r".to_owned());
        if name.ends_with("os.open") && !flags {
            return self.effects.read(first);
        }
        if flags
            || mode.contains(['w', 'x', 'c', '+']) && !mode.contains("://") && mode.len() <= 4
            || mode.contains("open_out")
            || name.contains("write")
        {
            let empties = mode.contains('w') && !mode.contains('+') && !self.puts;
            self.effects.write(first, if empties { WriteMode::Truncate } else { WriteMode::Create });
        } else if mode.contains('a') && mode.len() <= 4 {
            self.effects.write(first, WriteMode::Append);
        } else if mode.contains('…') {
            self.effects.write(first, WriteMode::Create);
        } else {
            self.effects.read(first);
        }
    }

    /// A file with code of this language runs.
    pub(super) fn run_file(&mut self, name: &str, path: &Value) {
        let elsewhere = ["data:", "php://", "http:", "https:", "/dev/", "/proc/"];
        if elsewhere.iter().any(|place| path.text.starts_with(place)) {
            return self.effects.finding("shell.obfuscated", format!("{name} runs code that is no file's"));
        }
        // What isn't code in it is printed.
        if name.starts_with("include") || name.starts_with("require") {
            self.effects.read(path);
        }
        let code = Code::Language(self.effects.language.clone());
        self.effects.file(path, code);
    }

    pub(super) fn eval(&mut self, name: &str, positional: &[Vec<Token>], first: &Value) {
        // `eval { … }` of Perl is a block; `compile` only prepares.
        if positional.first().is_none_or(|argument| matches!(argument.first(), Some(Token::Mark('{')))) {
            return;
        }
        // A function is what timers are usually given.
        let timer = matches!(name, "setTimeout" | "setInterval" | "setImmediate" | "Worker")
            || name.ends_with(".Worker");
        if timer && (!first.is_known() || !first.text.contains('(')) {
            return;
        }
        let language = self.effects.language.clone();
        if first.assembled && first.is_known() {
            self.effects.finding("shell.obfuscated", "code that is put together from parts is run");
        }
        self.effects.nested(&language, first);
    }
}

/// A path that stands without quotation marks (`source ./a.tcl`).
fn bare_path(argument: &[Token]) -> Option<Value> {
    let parts: Option<String> = argument
        .iter()
        .map(|token| match token {
            Token::Mark(mark @ ('.' | '/' | '-' | '~')) => Some(mark.to_string()),
            token => bare_word(token).map(|word| word.text),
        })
        .collect();
    parts.filter(|path| !path.is_empty()).map(Value::literal)
}

/// Stands in front of a module whose name was computed.
pub(super) const HIDDEN: &str = "…hidden";

/// Functions that call what their first argument names.
pub(super) const BY_NAME: &[&str] = &[
    "send",
    "public_send",
    "__send__",
    "method",
    "instance_method",
    "call_user_func",
    "call_user_func_array",
    "array_map",
    "array_walk",
    "array_filter",
    "usort",
    "register_shutdown_function",
    "forward_static_call",
    "ReflectionFunction",
    "iterator_apply",
    "ob_start",
    "methodcaller",
];

/// Methods that act whatever they are called on.
pub(in crate::languages) const TELLING: &[&str] = &[
    "system",
    "popen",
    "execSync",
    "spawnSync",
    "execFile",
    "execFileSync",
    "rmSync",
    "rmdirSync",
    "unlinkSync",
    "writeFileSync",
    "readFileSync",
    "rmtree",
    "check_output",
    "check_call",
    "getoutput",
    "getstatusoutput",
    "execvp",
    "execve",
    "execlp",
    "spawnvp",
    "removedirs",
    "remove_tree",
    "rm_rf",
    "chmodSync",
    "appendFileSync",
    "copyFileSync",
    "renameSync",
];
