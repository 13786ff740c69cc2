//! Types and methods of .NET and COM that scripts call: one row a method, from the .NET 8 API reference and the Windows
//! Script Host reference (learn.microsoft.com), read in November 2026.

use base64::Engine as _;
use doorward_core::intent::{Direction, WriteMode};

use super::eval::Runner;
use super::objects;
use super::value::{Data, HOLE, Value, both};

/// Short names of types (about_Type_Accelerators 7.4) and namespaces that may be left out.
const SHORT: &[(&str, &str)] = &[
    ("adsisearcher", "system.directoryservices.directorysearcher"),
    ("bool", "system.boolean"),
    ("byte", "system.byte"),
    ("char", "system.char"),
    ("char[]", "system.char[]"),
    ("int", "system.int32"),
    ("long", "system.int64"),
    ("powershell", "system.management.automation.powershell"),
    ("ref", "system.management.automation.psreference"),
    ("regex", "system.text.regularexpressions.regex"),
    ("scriptblock", "system.management.automation.scriptblock"),
    ("string", "system.string"),
    ("type", "system.type"),
    ("uint32", "system.uint32"),
    ("void", "system.void"),
    ("wmi", "system.management.managementobject"),
    ("wmiclass", "system.management.managementclass"),
    ("xml", "system.xml.xmldocument"),
    ("pscustomobject", "pscustomobject"),
    ("ordered", "ordered"),
    ("adsi", "adsi"),
];

/// The full name of a type in lower case.
pub(super) fn full(name: &str) -> String {
    let lower = name.trim_matches(['[', ']', ' ']).to_ascii_lowercase();
    let lower =
        if name.ends_with("[]") { format!("{}[]", lower.trim_end_matches(['[', ']'])) } else { lower };
    if let Some((_, full)) = SHORT.iter().find(|(short, _)| *short == lower) {
        return (*full).to_owned();
    }
    let first = lower.split('.').next().unwrap_or_default();
    if matches!(first, "system" | "microsoft" | "windows") || lower.starts_with("type:") {
        lower
    } else {
        format!("system.{lower}")
    }
}

/// What a method does with its arguments, by their places.
#[derive(Debug, Clone, Copy)]
enum Does {
    Read(usize),
    Look(usize),
    Write(usize, Option<usize>),
    Append(usize, Option<usize>),
    Delete(usize, bool),
    Copies,
    Move,
    Fetch(usize),
    Download,
    Send(usize, usize),
    SendFile(usize),
    Host(usize),
    Starts,
    Line(usize),
    Code(usize),
    Env(usize),
    AllEnv,
    SetEnv,
    Registry(usize),
    Loads(usize),
    Finding(&'static str, &'static str),
    Privilege(&'static str),
    Pure,
}

use Does::{
    AllEnv, Append, Code, Copies, Delete, Download, Env, Fetch, Finding, Host, Line, Loads, Look, Move,
    Privilege, Pure, Read, Registry, Send, SendFile, SetEnv, Starts, Write,
};

const HIDDEN: Does = Finding("shell.obfuscated", "calls what only the running code knows the name of");
const MEMORY: Does = Finding("shell.obfuscated", "reaches into the memory of a program");
const ENDS: Does = Finding("shell.resource", "ends a process");

/// Methods of types: end of the type's name, method, effect. A star fits every method that has no row of its own.
const STATIC: &[(&str, &str, Does)] = &[
    ("system.io.file", "appendalllines", Append(0, Some(1))),
    ("system.io.file", "appendalltext", Append(0, Some(1))),
    ("system.io.file", "appendtext", Append(0, None)),
    ("system.io.file", "copy", Copies),
    ("system.io.file", "create", Write(0, None)),
    ("system.io.file", "createtext", Write(0, None)),
    ("system.io.file", "decrypt", Write(0, None)),
    ("system.io.file", "delete", Delete(0, false)),
    ("system.io.file", "encrypt", Write(0, None)),
    ("system.io.file", "exists", Look(0)),
    ("system.io.file", "getattributes", Look(0)),
    ("system.io.file", "getcreationtime", Look(0)),
    ("system.io.file", "getlastwritetime", Look(0)),
    ("system.io.file", "move", Move),
    ("system.io.file", "open", Write(0, None)),
    ("system.io.file", "openread", Read(0)),
    ("system.io.file", "opentext", Read(0)),
    ("system.io.file", "openwrite", Write(0, None)),
    ("system.io.file", "readallbytes", Read(0)),
    ("system.io.file", "readalllines", Read(0)),
    ("system.io.file", "readalltext", Read(0)),
    ("system.io.file", "readlines", Read(0)),
    ("system.io.file", "replace", Move),
    ("system.io.file", "setattributes", Write(0, None)),
    ("system.io.file", "writeallbytes", Write(0, Some(1))),
    ("system.io.file", "writealllines", Write(0, Some(1))),
    ("system.io.file", "writealltext", Write(0, Some(1))),
    ("system.io.directory", "createdirectory", Write(0, None)),
    ("system.io.directory", "delete", Delete(0, true)),
    ("system.io.directory", "enumeratedirectories", Look(0)),
    ("system.io.directory", "enumeratefiles", Look(0)),
    ("system.io.directory", "exists", Look(0)),
    ("system.io.directory", "getcurrentdirectory", Pure),
    ("system.io.directory", "getdirectories", Look(0)),
    ("system.io.directory", "getfiles", Look(0)),
    ("system.io.directory", "getfilesystementries", Look(0)),
    ("system.io.directory", "move", Move),
    ("system.io.directory", "setcurrentdirectory", HIDDEN),
    ("system.io.compression.zipfile", "createfromdirectory", Copies),
    ("system.io.compression.zipfile", "extracttodirectory", Copies),
    ("system.io.compression.zipfile", "openread", Read(0)),
    ("microsoft.visualbasic.fileio.filesystem", "deletedirectory", Delete(0, true)),
    ("microsoft.visualbasic.fileio.filesystem", "deletefile", Delete(0, false)),
    ("microsoft.visualbasic.interaction", "shell", Line(0)),
    ("system.environment", "exit", Pure),
    ("system.environment", "expandenvironmentvariables", Pure),
    ("system.environment", "getenvironmentvariable", Env(0)),
    ("system.environment", "getenvironmentvariables", AllEnv),
    ("system.environment", "getfolderpath", Pure),
    ("system.environment", "setenvironmentvariable", SetEnv),
    ("system.diagnostics.process", "start", Starts),
    ("system.diagnostics.process", "getprocesses", Pure),
    ("system.diagnostics.process", "getprocessesbyname", Pure),
    ("system.diagnostics.process", "getcurrentprocess", Pure),
    ("system.diagnostics.process", "getprocessbyid", Pure),
    ("system.diagnostics.eventlog", "*", Finding("shell.tamper", "changes logs")),
    ("system.net.dns", "*", Host(0)),
    ("system.net.webrequest", "create", Fetch(0)),
    ("system.net.http.httpclient", "*", Pure),
    ("system.reflection.assembly", "load", Loads(0)),
    ("system.reflection.assembly", "loadfile", Loads(0)),
    ("system.reflection.assembly", "loadfrom", Loads(0)),
    ("system.reflection.assembly", "unsafeloadfrom", Loads(0)),
    ("system.reflection.assembly", "loadwithpartialname", Pure),
    ("system.reflection.assembly", "*", HIDDEN),
    ("system.reflection.emit", "*", HIDDEN),
    ("system.activator", "*", HIDDEN),
    ("system.appdomain", "*", HIDDEN),
    ("system.delegate", "*", HIDDEN),
    ("system.type", "gettype", HIDDEN),
    ("system.type", "gettypefromclsid", HIDDEN),
    ("system.type", "gettypefromprogid", HIDDEN),
    ("system.management.automation.scriptblock", "create", Pure),
    ("system.management.automation.powershell", "create", Pure),
    ("system.management.automation.language.parser", "*", Pure),
    ("system.management.automation.psserializer", "*", Pure),
    ("system.management.automation.runspaces.runspacefactory", "*", HIDDEN),
    ("system.management.managementclass", "*", HIDDEN),
    (
        "system.runtime.interopservices.marshal",
        "ptrtostringauto",
        Finding("shell.secret_read", "shows a secret as plain text"),
    ),
    (
        "system.runtime.interopservices.marshal",
        "ptrtostringbstr",
        Finding("shell.secret_read", "shows a secret as plain text"),
    ),
    (
        "system.runtime.interopservices.marshal",
        "ptrtostringuni",
        Finding("shell.secret_read", "shows a secret as plain text"),
    ),
    (
        "system.runtime.interopservices.marshal",
        "securestringtobstr",
        Finding("shell.secret_read", "shows a secret as plain text"),
    ),
    ("system.runtime.interopservices.marshal", "*", MEMORY),
    ("system.runtime.interopservices.runtimeinformation", "*", Pure),
    (
        "system.security.cryptography.protecteddata",
        "unprotect",
        Finding("shell.secret_read", "decrypts what Windows protects"),
    ),
    ("system.security.principal.windowsidentity", "*", Pure),
    ("system.servicep", "*", Privilege("changes a service of Windows")),
    ("microsoft.win32.registry", "getvalue", Pure),
    ("microsoft.win32.registry", "setvalue", Registry(0)),
    ("microsoft.win32.registrykey", "*", Privilege("opens the registry of Windows")),
    ("system.windows.forms.sendkeys", "*", HIDDEN),
    ("system.windows.forms.clipboard", "*", Pure),
];

/// Types whose methods compute and no more.
const PURE: &[&str] = &[
    "system.array",
    "system.bitconverter",
    "system.boolean",
    "system.byte",
    "system.char",
    "system.collections",
    "system.console",
    "system.consolecolor",
    "system.convert",
    "system.datetime",
    "system.datetimeoffset",
    "system.decimal",
    "system.double",
    "system.enum",
    "system.environment",
    "system.gc",
    "system.globalization",
    "system.guid",
    "system.int32",
    "system.int64",
    "system.io.path",
    "system.io.searchoption",
    "system.linq",
    "system.math",
    "system.net.ipaddress",
    "system.net.networkcredential",
    "system.net.securityprotocoltype",
    "system.net.servicepointmanager",
    "system.net.webutility",
    "system.numerics",
    "system.random",
    "system.security.cryptography",
    "system.string",
    "system.stringcomparison",
    "system.text",
    "system.threading.thread",
    "system.timespan",
    "system.timezoneinfo",
    "system.tuple",
    "system.uint32",
    "system.uri",
    "system.version",
    "system.web.httputility",
    "system.xml",
    "system.diagnostics.stopwatch",
    "system.io.memorystream",
    "system.io.stringreader",
    "system.io.stringwriter",
    "system.nullable",
    "system.object",
    "system.void",
    "pscustomobject",
    "ordered",
    "system.management.automation.semanticversion",
    "system.text.json",
    "system.io.driveinfo",
    "system.io.fileinfo",
    "system.io.directoryinfo",
    "system.diagnostics.fileversioninfo",
    "system.exception",
    "system.management.automation.psobject",
    "system.management.automation.pscustomobject",
    "system.hashtable",
    "system.management.automation.errorrecord",
    "system.management.automation.psparser",
    "system.management.automation.language",
    "system.security.principal",
    "system.switch",
    "system.management.automation.switchparameter",
    "system.net.http.httpclient",
];

/// Methods of objects: end of the class (empty for any), method, effect.
const METHODS: &[(&str, &str, Does)] = &[
    ("", "downloaddata", Fetch(0)),
    ("", "downloaddatataskasync", Fetch(0)),
    ("", "downloadfile", Download),
    ("", "downloadfileasync", Download),
    ("", "downloadfiletaskasync", Download),
    ("", "downloadstring", Fetch(0)),
    ("", "downloadstringasync", Fetch(0)),
    ("", "downloadstringtaskasync", Fetch(0)),
    ("", "openread", Fetch(0)),
    ("", "openwrite", Send(0, 1)),
    ("", "uploaddata", Send(0, 1)),
    ("", "uploadfile", SendFile(0)),
    ("", "uploadfileasync", SendFile(0)),
    ("", "uploadstring", Send(0, 1)),
    ("", "uploadstringasync", Send(0, 1)),
    ("", "uploadvalues", Send(0, 1)),
    ("", "getasync", Fetch(0)),
    ("", "getbytearrayasync", Fetch(0)),
    ("", "getstreamasync", Fetch(0)),
    ("", "getstringasync", Fetch(0)),
    ("", "postasync", Send(0, 1)),
    ("", "putasync", Send(0, 1)),
    ("", "patchasync", Send(0, 1)),
    ("", "deleteasync", Send(0, 1)),
    ("com:msxml2", "open", Fetch(1)),
    ("com:microsoft.xmlhttp", "open", Fetch(1)),
    ("com:winhttp", "open", Fetch(1)),
    ("com:internetexplorer", "navigate", Fetch(0)),
    ("com:internetexplorer", "navigate2", Fetch(0)),
    ("com:adodb.stream", "savetofile", Write(0, None)),
    ("com:adodb.stream", "loadfromfile", Read(0)),
    ("com:wscript.shell", "run", Line(0)),
    ("com:wscript.shell", "exec", Line(0)),
    ("com:wscript.shell", "regwrite", Registry(0)),
    ("com:wscript.shell", "regdelete", Registry(0)),
    ("com:wscript.shell", "regread", Pure),
    ("com:wscript.shell", "popup", Pure),
    ("com:wscript.shell", "expandenvironmentstrings", Pure),
    ("com:wscript.shell", "createshortcut", Write(0, None)),
    ("com:wscript.shell", "sendkeys", HIDDEN),
    ("com:shell.application", "shellexecute", Starts),
    ("com:shell.application", "open", Line(0)),
    ("com:shell.application", "minimizeall", Pure),
    ("com:scripting.filesystemobject", "deletefile", Delete(0, false)),
    ("com:scripting.filesystemobject", "deletefolder", Delete(0, true)),
    ("com:scripting.filesystemobject", "copyfile", Copies),
    ("com:scripting.filesystemobject", "copyfolder", Copies),
    ("com:scripting.filesystemobject", "movefile", Move),
    ("com:scripting.filesystemobject", "movefolder", Move),
    ("com:scripting.filesystemobject", "createtextfile", Write(0, None)),
    ("com:scripting.filesystemobject", "createfolder", Write(0, None)),
    ("com:scripting.filesystemobject", "opentextfile", Read(0)),
    ("com:scripting.filesystemobject", "fileexists", Look(0)),
    ("com:scripting.filesystemobject", "folderexists", Look(0)),
    (
        "com:schedule.service",
        "*",
        Finding("shell.persistence", "makes a task, which Windows starts by itself"),
    ),
    ("com:mmc20.application", "*", HIDDEN),
    ("com:", "*", HIDDEN),
    ("wmi:shadowcopy", "delete", Finding("shell.data_loss", "deletes shadow copies")),
    ("wmi:shadowcopy", "remove", Finding("shell.data_loss", "deletes shadow copies")),
    ("wmi", "create", Line(0)),
    ("wmi", "*", Privilege("changes Windows through WMI")),
    ("system.diagnostics.process", "kill", ENDS),
    ("system.diagnostics.process", "start", Starts),
    ("system.diagnostics.process", "waitforexit", Pure),
    ("", "kill", ENDS),
    ("", "terminate", ENDS),
    ("", "addscript", Code(0)),
    ("", "addcommand", HIDDEN),
    ("", "invokescript", Code(0)),
    ("", "newscriptblock", Pure),
    ("", "expandstring", Code(0)),
    ("", "shellexecute", Starts),
    ("", "regwrite", Registry(0)),
    ("", "deletesubkeytree", Privilege("changes the registry of Windows")),
    ("", "deletesubkey", Privilege("changes the registry of Windows")),
    ("", "deletevalue", Privilege("changes the registry of Windows")),
    ("", "createsubkey", Privilege("changes the registry of Windows")),
    ("", "setaccesscontrol", Privilege("changes who may reach a file")),
    ("", "getmethod", HIDDEN),
    ("", "getmethods", HIDDEN),
    ("", "getfield", HIDDEN),
    ("", "invokemember", HIDDEN),
    ("", "gettypefromprogid", HIDDEN),
    ("", "createinstance", HIDDEN),
    ("", "definedynamicassembly", HIDDEN),
    ("", "getdelegateforfunctionpointer", MEMORY),
    ("", "getnetworkcredential", Finding("shell.secret_read", "shows a secret as plain text")),
    ("", "connect", Host(0)),
    ("", "connectasync", Host(0)),
];

/// Methods that compute and no more, of whatever object.
const QUIET: &[&str] = &[
    "add",
    "addarguments",
    "addargument",
    "addparameter",
    "addrange",
    "append",
    "appendline",
    "begininvoke",
    "clone",
    "close",
    "compareto",
    "contains",
    "containskey",
    "containsvalue",
    "copyto",
    "count",
    "dispose",
    "endread",
    "endswith",
    "equals",
    "extension",
    "first",
    "flush",
    "foreach",
    "format",
    "getawaiter",
    "getenumerator",
    "gethashcode",
    "getresult",
    "getresponse",
    "getresponsestream",
    "gettype",
    "getvalue",
    "getbytes",
    "getstring",
    "indexof",
    "insert",
    "isinrole",
    "item",
    "join",
    "keys",
    "last",
    "lastindexof",
    "length",
    "match",
    "matches",
    "next",
    "normalize",
    "padleft",
    "padright",
    "peek",
    "pop",
    "push",
    "read",
    "readline",
    "readtoend",
    "readtoendasync",
    "remove",
    "removeat",
    "replace",
    "reverse",
    "send",
    "sort",
    "split",
    "startswith",
    "stop",
    "start",
    "substring",
    "tobase64string",
    "tochararray",
    "toarray",
    "tolist",
    "tolower",
    "tolowerinvariant",
    "tostring",
    "toshortdatestring",
    "toupper",
    "toupperinvariant",
    "trim",
    "trimend",
    "trimstart",
    "trygetvalue",
    "tryparse",
    "tounixtimeseconds",
    "touniversaltime",
    "tolocaltime",
    "values",
    "where",
    "write",
    "writeline",
    "adddays",
    "addhours",
    "addminutes",
    "addmonths",
    "addseconds",
    "addyears",
    "subtract",
    "ismatch",
    "parse",
    "refresh",
    "exists",
    "getfiles",
    "getdirectories",
    "enumeratefiles",
    "selectnodes",
    "selectsinglenode",
    "getattribute",
    "wait",
    "getelementsbytagname",
    "set_item",
    "get_item",
    "op_addition",
    "invokereturnasis",
    "loadxml",
    "new",
    "concat",
    "hasflag",
];

pub(super) fn is_method(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    matches!(name.as_str(), "delete" | "invoke" | "moveto" | "copyto" | "encrypt" | "create" | "setvalue")
        || METHODS.iter().any(|(_, own, _)| *own == name)
        || QUIET.contains(&name.as_str())
}

impl Runner<'_> {
    /// `New-Object NAME args`, `[NAME]::new(args)`.
    pub(super) fn construct(&mut self, class: &str, args: &[Value]) -> Value {
        let first = args.first().cloned();
        if class.ends_with("sockets.tcpclient") || class.ends_with("sockets.udpclient") {
            if let Some(host) = &first {
                self.contact(host, "tcp", Direction::Both, &Value::null());
            }
            return Value::unknown().marked(|marks| marks.network = true);
        }
        if class.starts_with("system.reflection.emit") || class.contains("interopservices") {
            self.find("shell.obfuscated", "reaches into the memory of a program");
        }
        if class == "system.io.streamreader" || class == "system.io.filestream" {
            match &first {
                // A stream of the network, or a file.
                Some(stream) if stream.is(|marks| marks.network) => {
                    return Value::unknown().with(&stream.marks);
                }
                Some(path) if class == "system.io.streamreader" => {
                    let files = self.reads(path, false);
                    return Value::unknown().marked(|marks| marks.reads = files);
                }
                Some(path) => self.writes(path, WriteMode::Create, None),
                None => {}
            }
        }
        if class == "system.io.streamwriter"
            && let Some(path) = &first
        {
            self.writes(path, WriteMode::Create, None);
        }
        if class == "system.string" {
            return match &first {
                Some(letters) => super::operators::joined(letters, ""),
                None => Value::text(""),
            };
        }
        if class == "system.io.fileinfo" || class == "system.io.directoryinfo" {
            return first.unwrap_or_else(Value::unknown);
        }
        let marks = args.iter().fold(None, |marks, arg| both(&marks, &arg.marks));
        let mut held = first;
        if class.contains("processstartinfo") && args.len() > 1 {
            held = Some(Value::text(args.iter().map(Value::shown).collect::<Vec<_>>().join(" ")));
        }
        Value::object(class, held).with(&marks)
    }

    pub(super) fn member(&mut self, object: &Value, name: &Value) -> Value {
        let Some(name) = name.known() else {
            self.find("shell.obfuscated", "reads a member whose name can't be seen");
            return Value::unknown();
        };
        let name = name.to_ascii_lowercase();
        match &object.data {
            Data::Map(pairs) => match pairs.iter().find(|(own, _)| *own == name) {
                Some((_, value)) => value.clone(),
                None => Value::unknown().with(&object.marks),
            },
            Data::Files(names) => match name.as_str() {
                "name" | "basename" => Value { data: Data::Files(names.clone()), marks: None },
                "fullname" | "pspath" | "directory" | "directoryname" | "path" => object.clone(),
                _ => Value::unknown(),
            },
            Data::Object(class, held) if class == "named" => match name.as_str() {
                "name" | "source" | "path" | "definition" | "value" | "fullname" => {
                    held.as_deref().cloned().unwrap_or_else(Value::unknown)
                }
                _ => Value::unknown(),
            },
            Data::Object(class, _) if class.starts_with("type:") => {
                let class = class.trim_start_matches("type:");
                match (class, name.as_str()) {
                    ("system.string", "empty") => Value::text(""),
                    ("system.environment", "newline") => Value::text("\n"),
                    ("system.environment", "currentdirectory") => Value::text("."),
                    ("system.environment", "systemdirectory") => Value::text("C:\\WINDOWS\\system32"),
                    _ if class.contains("text.encoding") => Value::object(format!("encoding:{name}"), None),
                    (_, "assembly") => {
                        self.find("shell.obfuscated", "reaches into the running program");
                        Value::unknown()
                    }
                    _ => Value::unknown(),
                }
            }
            Data::Object(class, _) if class == "executioncontext" => object.clone(),
            Data::Object(class, held) => match name.as_str() {
                "document" | "application" => object.clone(),
                "responsetext" | "responsebody" | "content" | "result" => Value::unknown().marked(|marks| {
                    marks.network = class.contains("http")
                        || class.contains("internetexplorer")
                        || object.is(|marks| marks.network);
                }),
                "startinfo" => Value::object("system.diagnostics.processstartinfo", held.as_deref().cloned()),
                _ => Value::unknown().with(&object.marks),
            },
            Data::Text(text) if name == "length" && !text.contains(HOLE) => {
                Value::text(text.chars().count().to_string())
            }
            Data::List(items) if matches!(name.as_str(), "length" | "count") => {
                Value::text(items.len().to_string())
            }
            Data::List(_) => {
                let values = object
                    .items()
                    .iter()
                    .take(256)
                    .map(|item| self.member(item, &Value::text(name.clone())))
                    .collect();
                Value::list(values)
            }
            _ => {
                let text = matches!(name.as_str(), "path" | "value" | "text" | "content" | "fullname");
                if text && object.known().is_some() && !matches!(object.data, Data::Null) {
                    return object.clone();
                }
                Value::unknown().with(&object.marks)
            }
        }
    }

    pub(super) fn set_member(&mut self, on: &super::ast::Expr, object: &Value, name: &str, value: Value) {
        if name.contains("certificatevalidation") {
            self.find("shell.tamper", "switches off the check of certificates");
        }
        if name == "filename" || name == "arguments" {
            let held = match &object.data {
                Data::Object(_, Some(held)) => held.shown(),
                _ => String::new(),
            };
            let line = if name == "filename" {
                format!("{} {held}", value.shown())
            } else {
                format!("{held} {}", value.shown())
            };
            self.remember(
                on,
                Value::object(
                    "system.diagnostics.processstartinfo",
                    Some(Value::text(line.trim()).with(&value.marks)),
                ),
            );
        } else if matches!(name, "targetpath" | "iconlocation") {
            self.harmless = false;
        } else if name == "verb" && value.shown().eq_ignore_ascii_case("runas") {
            self.privileged("starts a program with the rights of an administrator");
        } else if let Data::Map(pairs) = &object.data {
            let mut pairs = pairs.to_vec();
            pairs.retain(|(own, _)| own != name);
            pairs.push((name.to_owned(), value));
            self.remember(on, Value { data: Data::Map(pairs.into()), marks: object.marks.clone() });
        }
    }

    fn remember(&mut self, on: &super::ast::Expr, value: Value) {
        match on {
            super::ast::Expr::Variable(name) => self.set(name, value),
            super::ast::Expr::Member { on, .. } => self.remember(on, value),
            _ => {}
        }
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
                let block = std::rc::Rc::clone(block);
                self.inline(&block, Some(object));
            }
        }
        let class = object.class().to_owned();
        if let Some(class) = class.strip_prefix("type:") {
            return self.static_call(class, &method, args).with(&marks_kept(&method, &marks));
        }
        match (&object.data, method.as_str()) {
            (Data::Script(block), "invoke" | "invokereturnasis" | "getnewclosure") => {
                let block = std::rc::Rc::clone(block);
                let args = args.iter().map(|arg| (String::new(), arg.clone())).collect();
                return if method == "getnewclosure" {
                    object.clone()
                } else {
                    self.body(&block, args, None)
                };
            }
            (Data::Object(class, held), "invoke" | "invokereturnasis" | "begininvoke")
                if class == "scriptblock" =>
            {
                let code = held.as_deref().cloned().unwrap_or_else(Value::unknown);
                return self.run_text(&code);
            }
            (_, "newscriptblock") => return Value::object("scriptblock", args.first().cloned()),
            (Data::Object(class, _), _) if class.starts_with("encoding:") => {
                let encoding = class.clone();
                return encoded(&encoding, &method, args.first()).with(&marks);
            }
            (Data::Text(_), _) => {
                if let Some(value) = self.text_method(object, &method, args) {
                    return value;
                }
            }
            (Data::Files(_), "delete") => {
                self.deletes(object, true);
                return Value::null();
            }
            (Data::Files(_), "moveto" | "copyto") => {
                self.reads(object, false);
                if let Some(to) = args.first() {
                    self.writes(to, WriteMode::Create, None);
                }
                return Value::null();
            }
            (Data::Object(class, Some(held)), "start") if class.contains("process") => {
                let line = (**held).clone();
                objects::command_line(self, &line);
                return Value::null();
            }
            (_, "invoke" | "invokereturnasis") => {
                if matches!(object.class(), "system.management.automation.powershell") {
                    return Value::unknown();
                }
                self.find("shell.obfuscated", "invokes what can't be seen");
                return Value::unknown();
            }
            (_, "delete") if !matches!(object.data, Data::Object(..)) => {
                self.deletes(object, true);
                return Value::null();
            }
            (Data::List(_), _) if QUIET.contains(&method.as_str()) => return Value::unknown().with(&marks),
            _ => {}
        }
        let row = METHODS.iter().find(|(own, name, _)| {
            (*name == method || *name == "*" && !own.is_empty()) && class.starts_with(own)
        });
        match row {
            Some((_, _, does)) => {
                let value = self.apply_method(*does, args);
                if method == "addscript" || method == "open" {
                    object.clone().with(&value.marks)
                } else {
                    value
                }
            }
            None if QUIET.contains(&method.as_str()) => Value::unknown().with(&marks),
            None => {
                // A method that nobody listed.
                self.harmless = false;
                if args.iter().any(|arg| arg.shown().contains("://")) {
                    let url = args
                        .iter()
                        .find(|arg| arg.shown().contains("://"))
                        .cloned()
                        .unwrap_or_else(Value::unknown);
                    self.contact(&url, "https", Direction::Both, &Value::null());
                }
                Value::unknown().with(&marks)
            }
        }
    }

    fn static_call(&mut self, class: &str, method: &str, args: &[Value]) -> Value {
        if method == "new" {
            return self.construct(class, args);
        }
        let first = args.first().cloned().unwrap_or_else(Value::unknown);
        match (class, method) {
            ("system.convert", "frombase64string") => return decoded(&first),
            ("system.convert", "tobase64string") => return Value::unknown().with(&first.marks),
            ("system.convert", "toint32" | "tobyte" | "toint16" | "touint32") => {
                let radix = args
                    .get(1)
                    .and_then(Value::number)
                    .and_then(|radix| u32::try_from(radix).ok())
                    .filter(|radix| matches!(radix, 2 | 8 | 10 | 16));
                let number = first.known().and_then(|text| {
                    i64::from_str_radix(text.trim_start_matches("0x"), radix.unwrap_or(10)).ok()
                });
                return number.map_or_else(Value::unknown, |number| {
                    Value::text(number.to_string()).with(&first.marks)
                });
            }
            ("system.convert", "tochar") => return self.cast("char", first),
            ("system.string", "join") => {
                let parts = Value::list(args.iter().skip(1).flat_map(Value::items).collect());
                return super::operators::joined(&parts, &first.shown());
            }
            ("system.string", "concat") => {
                return super::operators::joined(
                    &Value::list(args.iter().flat_map(Value::items).collect()),
                    "",
                );
            }
            ("system.string", "format") => {
                let rest = Value::list(args.iter().skip(1).flat_map(Value::items).collect());
                return self.binary("f", &first, &rest);
            }
            ("system.array", "reverse") => return Value::null(),
            ("system.text.regularexpressions.regex", "replace") => {
                let parts = Value::list(args.iter().skip(1).cloned().collect());
                return self.binary("replace", &first, &parts);
            }
            ("system.text.regularexpressions.regex", "unescape" | "escape") => return first,
            ("system.io.path", "combine" | "join") => {
                let parts: Vec<String> =
                    args.iter().flat_map(Value::items).map(|part| part.shown()).collect();
                return Value::text(parts.join("/"));
            }
            ("system.io.path", "getfullpath") => return first,
            ("system.io.path", "gettemppath" | "gettempfilename") => return Value::text("/tmp/"),
            ("system.management.automation.scriptblock", "create") => {
                return Value::object("scriptblock", Some(first));
            }
            ("system.management.automation.powershell", "create") => {
                return Value::object("system.management.automation.powershell", None);
            }
            ("system.environment", "getfolderpath") => {
                let home = self.home.clone().unwrap_or_else(|| "~".to_owned());
                return Value::text(match first.shown().to_ascii_lowercase().as_str() {
                    "userprofile" => home,
                    "startup" | "commonstartup" => {
                        format!("{home}/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup")
                    }
                    "applicationdata" => format!("{home}/AppData/Roaming"),
                    "localapplicationdata" => format!("{home}/AppData/Local"),
                    "system" => "C:\\WINDOWS\\system32".to_owned(),
                    other => format!("{home}/{other}"),
                });
            }
            _ => {}
        }
        if class.contains("text.encoding") && method == "getencoding" {
            return Value::object(format!("encoding:{}", first.shown().to_ascii_lowercase()), None);
        }
        let row = STATIC.iter().find(|(own, name, _)| {
            (*name == method || *name == "*") && class.starts_with(own) && (*name == "*" || class == *own)
        });
        if let Some((_, _, does)) = row {
            return self.apply_method(*does, args);
        }
        if !PURE.iter().any(|own| class.starts_with(own)) {
            self.harmless = false;
            // Types that were compiled on the spot, or that nobody listed.
            if args.iter().any(|arg| arg.shown().contains("://")) {
                self.contact(&first, "https", Direction::Both, &Value::null());
            }
        }
        Value::unknown()
    }

    fn apply_method(&mut self, does: Does, args: &[Value]) -> Value {
        let arg = |at: usize| args.get(at).cloned().unwrap_or_else(Value::unknown);
        match does {
            Read(at) => {
                let files = self.reads(&arg(at), false);
                return Value::unknown().marked(|marks| marks.reads = files);
            }
            Look(at) => {
                self.reads(&arg(at), true);
                let shown = arg(at).shown();
                let folder = shown.replace('\\', "/");
                return if shown.contains(HOLE) {
                    Value::unknown()
                } else {
                    Value { data: Data::Files(vec![format!("{folder}/*")]), marks: None }
                };
            }
            Write(at, content) => {
                let content = content.map(arg);
                self.writes(&arg(at), WriteMode::Create, content.as_ref());
            }
            Append(at, content) => {
                let content = content.map(arg);
                self.writes(&arg(at), WriteMode::Append, content.as_ref());
            }
            Delete(at, recursive) => self.deletes(&arg(at), recursive),
            Copies => {
                self.reads(&arg(0), false);
                self.writes(&arg(1), WriteMode::Create, None);
            }
            Move => {
                let (from, to) = (self.paths(&arg(0)), self.paths(&arg(1)));
                for (from, to) in from.into_iter().zip(to) {
                    if let (
                        super::super::windows::Named::File(from),
                        super::super::windows::Named::File(to),
                    ) = (from, to)
                    {
                        self.harmless = false;
                        self.effects
                            .move_to(&super::super::Value::literal(from), &super::super::Value::literal(to));
                    }
                }
            }
            Fetch(at) => {
                let url = arg(at);
                self.contact(&url, "https", Direction::Fetch, &Value::null());
                return Value::unknown().marked(|marks| {
                    marks.network = true;
                    marks.urls.push(url.shown());
                });
            }
            Download => {
                self.contact(&arg(0), "https", Direction::Fetch, &Value::null());
                self.writes(&arg(1), WriteMode::Create, None);
                self.effects.deeds.writes.iter_mut().rev().take(1).for_each(|write| write.downloaded = true);
            }
            Send(at, body) => {
                let body = args.iter().skip(body).fold(Value::null(), |all, arg| all.with(&arg.marks));
                self.contact(&arg(at), "https", Direction::Send, &body);
                return Value::unknown().marked(|marks| marks.network = true);
            }
            SendFile(at) => {
                let file = args.last().cloned().unwrap_or_else(Value::unknown);
                let files = self.reads(&file, false);
                let body = Value::null().marked(|marks| marks.reads = files);
                self.contact(&arg(at), "https", Direction::Send, &body);
                self.find("shell.upload", "sends a file");
            }
            Host(at) => self.contact(&arg(at), "tcp", Direction::Both, &Value::null()),
            Starts => {
                self.harmless = false;
                let first = arg(0);
                if let Data::Object(class, Some(held)) = &first.data
                    && class.contains("processstartinfo")
                {
                    let line = (**held).clone();
                    objects::command_line(self, &line);
                } else {
                    let mut words: Vec<Value> = Vec::new();
                    if let Some(rest) = args.get(1) {
                        words.extend(
                            rest.shown().split_whitespace().map(|word| Value::text(word.trim_matches('"'))),
                        );
                    }
                    objects::launch(self, &first, words);
                }
                if args.iter().any(|arg| arg.shown().eq_ignore_ascii_case("runas")) {
                    self.privileged("starts a program with the rights of an administrator");
                }
            }
            Line(at) => {
                self.harmless = false;
                objects::command_line(self, &arg(at));
            }
            Code(at) => return self.run_text(&arg(at)),
            Env(at) => {
                let name = arg(at);
                return match name.known() {
                    Some(name) => self.environment(&name.to_ascii_lowercase()),
                    None => Value::unknown().marked(|marks| marks.env.push("*".to_owned())),
                };
            }
            AllEnv => {
                self.harmless = false;
                self.effects.env("*");
                return Value::unknown().marked(|marks| marks.env.push("*".to_owned()));
            }
            SetEnv => {
                self.harmless = false;
                let target = arg(2).shown().to_ascii_lowercase();
                if args.len() > 2 && target != "process" {
                    self.find("shell.persistence", "changes the environment of every program");
                } else {
                    let (name, value) = (arg(0).shown().to_ascii_lowercase(), arg(1));
                    self.set(&format!("env:{name}"), value);
                }
            }
            Registry(at) => {
                let key = arg(at).shown();
                self.registry(&key);
            }
            Loads(at) => {
                let what = arg(at);
                match what
                    .known()
                    .filter(|_| !what.is(|marks| marks.network || marks.decoded || !marks.reads.is_empty()))
                {
                    Some(name)
                        if !name.contains(['/', '\\']) && !name.to_ascii_lowercase().ends_with(".dll") =>
                    {
                        self.harmless = false
                    }
                    _ => self.find("shell.obfuscated", "loads code that can't be seen"),
                }
            }
            Finding(code, message) => self.find(code, message),
            Privilege(message) => self.privileged(message),
            Pure => {}
        }
        Value::unknown()
    }
}

/// Marks of arguments that a method's result keeps.
fn marks_kept(
    method: &str,
    marks: &Option<std::rc::Rc<super::value::Marks>>,
) -> Option<std::rc::Rc<super::value::Marks>> {
    if matches!(method, "exists" | "getfolderpath") { None } else { marks.clone() }
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
