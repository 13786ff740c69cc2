//! Methods of .NET, COM and WMI: what is computed here, and what `knowledge/cmdlets/dotnet.kdl` says of the others.

use std::rc::Rc;

use base64::Engine as _;
use doorward_core::intent::{Direction, WriteMode};

use super::super::Value as Plain;
use super::super::windows::Named;
use super::cmdlets::{self, MethodAct, MethodDeed};
use super::eval::Runner;
use super::operators::joined;
use super::value::{Data, HOLE, Marks, Value, both};

/// The class of what a process is started with.
const START_INFO: &str = "system.diagnostics.processstartinfo";

fn argument(args: &[Value], at: usize) -> Value {
    args.get(at).cloned().unwrap_or_else(Value::unknown)
}

impl Runner<'_> {
    /// `New-Object NAME args`, `[NAME]::new(args)`.
    pub(super) fn construct(&mut self, class: &str, args: &[Value]) -> Value {
        let first = args.first().cloned();
        let deed = cmdlets::method(&format!("{class}::new"));
        match (deed, &first) {
            // A stream of the network.
            (Some(MethodDeed::Act(MethodAct::Read)), Some(stream)) if stream.is(|marks| marks.network) => {
                return Value::unknown().with(&stream.marks);
            }
            (Some(MethodDeed::Act(act @ (MethodAct::Read | MethodAct::Connect))), Some(_)) => {
                return self.act_on(act, args);
            }
            (Some(MethodDeed::Act(MethodAct::Connect)), None) => {
                return Value::unknown().marked(|marks| marks.network = true);
            }
            (Some(MethodDeed::Act(_)), None) | (None, _) => {}
            (Some(deed), _) => {
                self.does(deed, args);
            }
        }
        let held = match (class, first) {
            ("system.string", letters) => {
                return letters.map_or_else(|| Value::text(""), |letters| joined(&letters, ""));
            }
            ("system.io.fileinfo" | "system.io.directoryinfo", path) => {
                let path = path.unwrap_or_else(Value::unknown);
                let file = |named| if let Named::File(path) = named { Some(path) } else { None };
                let files: Vec<String> = self.paths(&path).into_iter().filter_map(file).collect();
                let known = path.known().is_some() && !files.is_empty();
                return if known { Value { data: Data::Files(files), marks: path.marks } } else { path };
            }
            (START_INFO, Some(_)) => {
                let words: Vec<String> = args.iter().map(Value::shown).collect();
                Some(Value::text(words.join(" ")))
            }
            (_, first) => first,
        };
        let marks = args.iter().fold(None, |marks, arg| both(&marks, &arg.marks));
        Value::object(class, held).with(&marks)
    }

    pub(super) fn call(&mut self, object: &Value, name: &Value, args: &[Value]) -> Value {
        let Some(method) = name.known() else {
            self.find("shell.obfuscated", "calls a method whose name can't be seen");
            return Value::unknown();
        };
        if name.is(|marks| marks.assembled) {
            self.find("shell.obfuscated", "the name of a method is put together on the spot");
        }
        let method = method.to_ascii_lowercase();
        if args.iter().any(|arg| arg.shown().to_ascii_lowercase().contains("amsi")) {
            self.find("shell.tamper", "reaches for what guards scripts");
        }
        let marks = args.iter().fold(object.marks.clone(), |marks, arg| both(&marks, &arg.marks));
        for arg in args {
            if let Data::Script(block) = &arg.data {
                self.inline(&Rc::clone(block), Some(object));
            }
        }
        let class = object.class().to_owned();
        if let Some(class) = class.strip_prefix("type:") {
            let value = self.static_call(class, &method, args);
            let keeps = !matches!(method.as_str(), "exists" | "getfolderpath");
            return if keeps { value.with(&marks) } else { value };
        }
        let own = self.own_method(object, &method, args, &marks);
        own.unwrap_or_else(|| self.listed_method(object, &method, args, &marks))
    }

    /// A method of a value that is followed here.
    fn own_method(
        &mut self,
        object: &Value,
        method: &str,
        args: &[Value],
        marks: &Option<Rc<Marks>>,
    ) -> Option<Value> {
        match (&object.data, method) {
            (Data::Script(_), "getnewclosure") => Some(object.clone()),
            (Data::Script(block), "invoke" | "invokereturnasis") => {
                let args = args.iter().map(|arg| (String::new(), arg.clone())).collect();
                Some(self.body(&Rc::clone(block), args, None))
            }
            (Data::Object(class, held), "invoke" | "invokereturnasis" | "begininvoke")
                if class == "scriptblock" =>
            {
                let code = held.as_deref().cloned().unwrap_or_else(Value::unknown);
                Some(self.run_text(&code))
            }
            (_, "newscriptblock") => Some(Value::object("scriptblock", args.first().cloned())),
            (Data::Object(class, _), _) if class.starts_with("encoding:") => {
                Some(encoded(class, method, args.first()).with(marks))
            }
            (Data::Object(class, Some(held)), "start")
                if class == "system.diagnostics.process" || class == START_INFO =>
            {
                self.command_line(held);
                Some(Value::null())
            }
            (Data::Object(class, _), "invoke") if class == "system.management.automation.powershell" => {
                Some(Value::unknown())
            }
            (Data::Files(_), "moveto" | "copyto") => {
                self.reads(object, false);
                if let Some(to) = args.first() {
                    self.writes(to, WriteMode::Create, None);
                }
                Some(Value::null())
            }
            (Data::Text(_), _) => self.text_method(object, method, args),
            (_, "invoke" | "invokereturnasis") => {
                self.find("shell.obfuscated", "invokes what can't be seen");
                Some(Value::unknown())
            }
            (data, "delete") if !matches!(data, Data::Object(..)) => {
                self.deletes(object, true);
                Some(Value::null())
            }
            _ => None,
        }
    }

    /// A method that a row describes, or nobody.
    fn listed_method(
        &mut self,
        object: &Value,
        method: &str,
        args: &[Value],
        marks: &Option<Rc<Marks>>,
    ) -> Value {
        match cmdlets::method(&format!("{}.{method}", object.class())) {
            Some(MethodDeed::Act(MethodAct::Pure)) => {}
            Some(deed) => {
                let value = self.does(deed, args);
                // What is read of the object afterwards is what was fetched or run.
                let stays = deed == MethodDeed::Act(MethodAct::FetchSecond) || method == "addscript";
                return if stays { object.clone().with(&value.marks) } else { value };
            }
            None => self.unlisted(args),
        }
        Value::unknown().with(marks)
    }

    /// A method that isn't described: an address among its arguments is one that it may reach.
    fn unlisted(&mut self, args: &[Value]) {
        self.harmless = false;
        if let Some(url) = args.iter().find(|arg| arg.shown().contains("://")) {
            self.contact(url, "https", Direction::Both, &Value::null());
        }
    }

    fn static_call(&mut self, class: &str, method: &str, args: &[Value]) -> Value {
        if method == "new" {
            return self.construct(class, args);
        }
        if let Some(value) = self.computed(class, method, args) {
            return value;
        }
        match cmdlets::method(&format!("{class}::{method}")) {
            Some(deed) => self.does(deed, args),
            None => {
                self.unlisted(args);
                Value::unknown()
            }
        }
    }

    /// A static method that only computes, where its arguments are known.
    fn computed(&mut self, class: &str, method: &str, args: &[Value]) -> Option<Value> {
        let first = argument(args, 0);
        let all = |skipped: usize| Value::list(args.iter().skip(skipped).flat_map(Value::items).collect());
        Some(match (class, method) {
            ("system.convert", "frombase64string") => decoded(&first),
            ("system.convert", "tobase64string") => Value::unknown().with(&first.marks),
            ("system.convert", "toint32" | "tobyte" | "toint16" | "touint32") => {
                converted(&first, args.get(1)).with(&first.marks)
            }
            ("system.convert", "tochar") => self.cast("char", first),
            ("system.string", "join") => joined(&all(1), &first.shown()),
            ("system.string", "concat") => joined(&all(0), ""),
            ("system.string", "format") => self.binary("f", &first, &all(1)),
            ("system.array", "reverse") => Value::null(),
            ("system.text.regularexpressions.regex", "replace") => {
                let parts = Value::list(args.iter().skip(1).cloned().collect());
                self.binary("replace", &first, &parts)
            }
            ("system.text.regularexpressions.regex", "unescape" | "escape") => first,
            ("system.io.path", "combine" | "join") => {
                let parts: Vec<String> = all(0).items().iter().map(Value::shown).collect();
                Value::text(parts.join("/"))
            }
            ("system.io.path", "getfullpath") => first,
            ("system.io.path", "gettemppath" | "gettempfilename") => Value::text("/tmp/"),
            ("system.management.automation.scriptblock", "create") => {
                Value::object("scriptblock", Some(first))
            }
            ("system.management.automation.powershell", "create") => Value::object(class, None),
            ("system.environment", "getfolderpath") => {
                let home = self.home.clone().unwrap_or_else(|| "~".to_owned());
                Value::text(match first.shown().to_ascii_lowercase().as_str() {
                    "userprofile" => home,
                    "startup" | "commonstartup" => {
                        format!("{home}/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup")
                    }
                    "applicationdata" => format!("{home}/AppData/Roaming"),
                    "localapplicationdata" => format!("{home}/AppData/Local"),
                    "system" => "C:\\WINDOWS\\system32".to_owned(),
                    other => format!("{home}/{other}"),
                })
            }
            ("system.text.encoding", "getencoding") => {
                Value::object(format!("encoding:{}", first.shown().to_ascii_lowercase()), None)
            }
            _ => return None,
        })
    }

    /// Does what a row says of a method.
    fn does(&mut self, deed: MethodDeed, args: &[Value]) -> Value {
        match deed {
            MethodDeed::Act(act) => return self.act_on(act, args),
            MethodDeed::Finding(code, message) => self.find(code, message),
            MethodDeed::Privilege(message) => self.privileged(message),
        }
        Value::unknown()
    }

    fn act_on(&mut self, act: MethodAct, args: &[Value]) -> Value {
        let first = argument(args, 0);
        match act {
            MethodAct::Read => {
                let files = self.reads(&first, false);
                return Value::unknown().marked(|marks| marks.reads = files);
            }
            MethodAct::Look => {
                self.reads(&first, true);
                let folder = first.shown().replace('\\', "/");
                let listed = Value { data: Data::Files(vec![format!("{folder}/*")]), marks: None };
                return if folder.contains(HOLE) { Value::unknown() } else { listed };
            }
            MethodAct::Write => self.writes(&first, WriteMode::Create, args.get(1)),
            MethodAct::Append => self.writes(&first, WriteMode::Append, args.get(1)),
            MethodAct::Open => self.writes(&first, WriteMode::Create, None),
            MethodAct::Delete => self.deletes(&first, false),
            MethodAct::DeleteTree => self.deletes(&first, true),
            MethodAct::Copy => {
                self.reads(&first, false);
                self.writes(&argument(args, 1), WriteMode::Create, None);
            }
            MethodAct::Move => self.moved(&first, &argument(args, 1)),
            MethodAct::Fetch
            | MethodAct::FetchSecond
            | MethodAct::Download
            | MethodAct::Send
            | MethodAct::SendFile
            | MethodAct::Connect => return self.reaches(act, args),
            MethodAct::Words => self.started(&first, args),
            MethodAct::Shell => {
                self.harmless = false;
                self.command_line(&first);
            }
            MethodAct::Eval => return self.run_text(&first),
            MethodAct::Env => {
                return match first.known() {
                    Some(name) => self.environment(&name.to_ascii_lowercase()),
                    None => Value::unknown().marked(|marks| marks.env.push("*".to_owned())),
                };
            }
            MethodAct::EnvAll => {
                self.harmless = false;
                self.effects.env("*");
                return Value::unknown().marked(|marks| marks.env.push("*".to_owned()));
            }
            MethodAct::SetEnv => self.sets_environment(args),
            MethodAct::Registry => self.registry(&first.shown()),
            MethodAct::Load => {
                let known = first
                    .known()
                    .filter(|_| !first.is(|marks| marks.network || marks.decoded || !marks.reads.is_empty()));
                let is_file =
                    |name: &String| name.contains(['/', '\\']) || name.to_ascii_lowercase().ends_with(".dll");
                match known {
                    Some(name) if !is_file(&name) => self.harmless = false,
                    _ => self.find("shell.obfuscated", "loads code that can't be seen"),
                }
            }
            MethodAct::Pure => {}
        }
        Value::unknown()
    }

    /// Reaches a server.
    fn reaches(&mut self, act: MethodAct, args: &[Value]) -> Value {
        let url = argument(args, usize::from(act == MethodAct::FetchSecond));
        let mut urls = Vec::new();
        match act {
            MethodAct::Connect => self.contact(&url, "tcp", Direction::Both, &Value::null()),
            MethodAct::Send => {
                let body = args.iter().skip(1).fold(Value::null(), |all, arg| all.with(&arg.marks));
                self.contact(&url, "https", Direction::Send, &body);
            }
            MethodAct::SendFile => {
                let file = args.last().cloned().unwrap_or_else(Value::unknown);
                let files = self.reads(&file, false);
                let body = Value::null().marked(|marks| marks.reads = files);
                self.contact(&url, "https", Direction::Send, &body);
                self.find("shell.upload", "sends a file");
            }
            MethodAct::Download => {
                self.contact(&url, "https", Direction::Fetch, &Value::null());
                self.writes(&argument(args, 1), WriteMode::Create, None);
                if let Some(write) = self.effects.deeds.writes.last_mut() {
                    write.downloaded = true;
                }
                return Value::unknown();
            }
            _ => {
                self.contact(&url, "https", Direction::Fetch, &Value::null());
                urls.push(url.shown());
            }
        }
        Value::unknown().marked(|marks| {
            marks.network = true;
            marks.urls = urls;
        })
    }

    fn moved(&mut self, from: &Value, to: &Value) {
        let (from, to) = (self.paths(from), self.paths(to));
        for pair in from.into_iter().zip(to) {
            if let (Named::File(from), Named::File(to)) = pair {
                self.harmless = false;
                self.effects.move_to(&Plain::literal(from), &Plain::literal(to));
            }
        }
    }

    /// `Start(file, words)`, `Start(info)`.
    fn started(&mut self, file: &Value, args: &[Value]) {
        self.harmless = false;
        match &file.data {
            Data::Object(class, Some(held)) if class == START_INFO => self.command_line(held),
            _ => {
                let words = args.get(1).map(Value::shown).unwrap_or_default();
                let words = words.split_whitespace().map(|word| Value::text(word.trim_matches('"')));
                self.launch(file, words.collect());
            }
        }
        if args.iter().any(|arg| arg.shown().eq_ignore_ascii_case("runas")) {
            self.privileged("starts a program with the rights of an administrator");
        }
    }

    /// `SetEnvironmentVariable(name, value, target)`.
    fn sets_environment(&mut self, args: &[Value]) {
        self.harmless = false;
        let target = args.get(2).map(|target| target.shown().to_ascii_lowercase());
        if target.is_some_and(|target| target != "process") {
            return self.find("shell.persistence", "changes the environment of every program");
        }
        let name = argument(args, 0).shown().to_ascii_lowercase();
        self.set(&format!("env:{name}"), argument(args, 1));
    }
}

/// A number in the text of a base.
fn converted(text: &Value, base: Option<&Value>) -> Value {
    let base = base.and_then(Value::number).and_then(|base| u32::try_from(base).ok());
    let base = base.filter(|base| matches!(base, 2 | 8 | 10 | 16)).unwrap_or(10);
    let number = text.known().and_then(|text| i64::from_str_radix(text.trim_start_matches("0x"), base).ok());
    number.map_or_else(Value::unknown, |number| Value::text(number.to_string()))
}

/// Bytes of base64, each as one letter.
fn decoded(value: &Value) -> Value {
    let engine = base64::engine::general_purpose::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::GeneralPurposeConfig::new()
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
    );
    let bytes =
        value.known().and_then(|text| engine.decode(text.split_whitespace().collect::<String>()).ok());
    let value = match bytes {
        Some(bytes) => {
            Value::object("bytes", Some(Value::text(bytes.into_iter().map(char::from).collect::<String>())))
        }
        None => Value::unknown().with(&value.marks),
    };
    value.marked(|marks| marks.decoded = true)
}

/// `GetString` and `GetBytes` of an encoding.
fn encoded(encoding: &str, method: &str, value: Option<&Value>) -> Value {
    let Some(value) = value else { return Value::unknown() };
    if method != "getstring" {
        return Value::unknown();
    }
    let Data::Object(class, Some(held)) = &value.data else { return Value::unknown() };
    if class != "bytes" {
        return Value::unknown();
    }
    let Some(bytes) = held.known().map(|text| {
        text.chars().filter_map(|letter| u8::try_from(u32::from(letter)).ok()).collect::<Vec<u8>>()
    }) else {
        return Value::unknown();
    };
    let wide = encoding.contains("unicode") || encoding.contains("utf-16");
    let text = if wide {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| {
                u16::from_le_bytes([
                    pair.first().copied().unwrap_or_default(),
                    pair.get(1).copied().unwrap_or_default(),
                ])
            })
            .collect();
        String::from_utf16_lossy(&units)
    } else {
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Value::text(text)
}
