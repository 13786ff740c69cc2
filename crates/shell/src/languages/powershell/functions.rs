//! The functions that `rust` names in rows of cmdlets: what data can't say. `None` leaves the output to the row.

use std::rc::Rc;

use doorward_core::intent::{Code, Direction, WriteMode};

use super::super::Value as Plain;
use super::super::windows::{self, Named};
use super::bound::Bound;
use super::cmdlets;
use super::eval::Runner;
use super::value::{Data, HOLE, Value, both};

type Reply = Option<Value>;

/// What a cmdlet does with its arguments.
pub(super) type Function = fn(&mut Runner<'_>, &Bound) -> Reply;

/// A function by the name that a row has for it.
pub(super) fn named(name: &str) -> Option<Function> {
    Some(match name {
        "add_type" => add_type,
        "alias" => alias,
        "bits" => bits,
        "command_name" => command_name,
        "enter" => enter,
        "evaluate" => evaluate,
        "for_each" => for_each,
        "here" => here,
        "import" => import,
        "invoke" => invoke,
        "item" => item,
        "joined_path" => joined_path,
        "joined_text" => joined_text,
        "listed" => listed,
        "made" => made,
        "new_item" => new_item,
        "open" => open,
        "pop" => pop,
        "printed" => printed,
        "push" => push,
        "rename" => rename,
        "resolved" => resolved,
        "searched" => searched,
        "set_item" => set_item,
        "shown" => shown,
        "start" => start,
        "variable" => variable,
        "variable_value" => variable_value,
        "wmi" => wmi,
        "wmi_method" => wmi_method,
        _ => return None,
    })
}

fn sources(bound: &Bound) -> Value {
    bound
        .get("Path")
        .or_else(|| bound.get("LiteralPath"))
        .or(bound.piped.as_ref())
        .cloned()
        .unwrap_or_else(Value::unknown)
}

fn rename(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let from = sources(bound);
    let to =
        bound.get("Destination").or_else(|| bound.get("NewName")).cloned().unwrap_or_else(Value::unknown);
    let to = runner.paths(&to).into_iter().next();
    for source in runner.paths(&from) {
        match (source, &to) {
            (Named::File(from), Some(Named::File(to))) => {
                runner.effects.move_to(&Plain::literal(from), &Plain::literal(to.clone()));
                if windows::is_startup(to) {
                    runner.find("shell.persistence", "writes where Windows starts programs by itself");
                }
            }
            (Named::Registry(key), _) => runner.registry(&key),
            (Named::File(from), Some(Named::Nothing)) => runner.effects.delete(&Plain::literal(from), true),
            (Named::File(from), _) => {
                runner.effects.delete(&Plain::literal(from), true);
                if let Some(Named::Share { host, .. }) = &to {
                    let url = Value::text(format!("smb://{host}/"));
                    runner.contact(&url, "smb", Direction::Send, &Value::null());
                }
            }
            _ => {}
        }
    }
    Some(Value::null())
}

fn new_item(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let path = bound.get("Path").or(bound.piped.as_ref()).cloned();
    let whole = match (path, bound.get("Name")) {
        (Some(path), Some(name)) => Value::text(format!("{}\\{}", path.shown(), name.shown())),
        (Some(path), None) => path,
        (None, Some(name)) => name.clone(),
        (None, None) => Value::unknown(),
    };
    let kind = bound.text("ItemType").unwrap_or_default().to_ascii_lowercase();
    let is_link = ["symboliclink", "hardlink", "junction"]
        .iter()
        .any(|link| !kind.is_empty() && link.starts_with(&kind));
    let content = bound.get("Value").cloned();
    if is_link && let Some(target) = &content {
        runner.reads(target, false);
    }
    runner.writes(&whole, WriteMode::Create, content.as_ref().filter(|_| !is_link));
    Some(whole)
}

fn set_item(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let (path, value) = (sources(bound), bound.get("Value").cloned().unwrap_or_else(Value::unknown));
    let lower = path.shown().to_ascii_lowercase();
    if let Some(name) = lower.strip_prefix("alias:") {
        Rc::make_mut(&mut runner.scope.aliases)
            .insert(name.trim_start_matches('\\').to_owned(), value.shown());
    } else if let Some(name) = lower.strip_prefix("variable:") {
        runner.set(name.trim_start_matches('\\'), value);
    } else if let Some(name) = lower.strip_prefix("function:") {
        if let Data::Script(block) = &value.data {
            Rc::make_mut(&mut runner.scope.functions)
                .insert(name.trim_start_matches('\\').to_owned(), Rc::clone(block));
        } else {
            runner.find("shell.obfuscated", "a function whose text can't be seen");
        }
    }
    Some(Value::null())
}

fn listed(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let path = bound
        .get("Path")
        .or_else(|| bound.get("LiteralPath"))
        .or(bound.piped.as_ref())
        .cloned()
        .unwrap_or_else(|| Value::text("."));
    let pattern = bound.text("Filter").or_else(|| bound.text("Include"));
    let deep = bound.has("Recurse") || bound.get("Depth").is_some();
    let mut names = Vec::new();
    let mut env = false;
    for place in runner.paths(&path) {
        match place {
            Named::File(path) => {
                let pattern = pattern.as_deref().unwrap_or("*");
                let folder =
                    if path == "." { String::new() } else { format!("{}/", path.trim_end_matches('/')) };
                let last = path.rsplit('/').next().unwrap_or_default();
                // `dir *.log` lists the files themselves.
                if last.contains(['*', '?']) && !deep {
                    names.push(path);
                } else if last.contains(['*', '?']) {
                    names.push(format!("{}**/{last}", path.strip_suffix(last).unwrap_or_default()));
                } else {
                    names.push(format!("{folder}{}{pattern}", if deep { "**/" } else { "" }));
                }
            }
            Named::Environment(_) => env = true,
            _ => {}
        }
    }
    let value =
        if names.is_empty() { Value::unknown() } else { Value { data: Data::Files(names), marks: None } };
    Some(if env { value.marked(|marks| marks.env.push("*".to_owned())) } else { value })
}

fn item(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let path = sources(bound);
    let mut names = Vec::new();
    for place in runner.paths(&path) {
        match place {
            Named::File(path) => names.push(path),
            Named::Environment(name) => return Some(Value::unknown().marked(|marks| marks.env.push(name))),
            _ => {}
        }
    }
    if path.shown().to_ascii_lowercase().starts_with("variable:") {
        let name = path.shown().to_ascii_lowercase();
        return Some(runner.variable(name.trim_start_matches("variable:").trim_start_matches(['\\', '/'])));
    }
    Some(if names.is_empty() { Value::unknown() } else { Value { data: Data::Files(names), marks: None } })
}

fn resolved(_: &mut Runner<'_>, bound: &Bound) -> Reply {
    Some(sources(bound))
}

fn joined_path(_: &mut Runner<'_>, bound: &Bound) -> Reply {
    let mut text = sources(bound).shown();
    let mut marks = sources(bound).marks;
    for part in bound.get("ChildPath").into_iter().chain(bound.get("AdditionalChildPath")).chain(&bound.rest)
    {
        text = format!(
            "{}/{}",
            text.trim_end_matches(['/', '\\']),
            part.shown().trim_start_matches(['/', '\\'])
        );
        marks = both(&marks, &part.marks);
    }
    let assembled = marks.as_deref().is_some_and(|marks| marks.assembled);
    let value = Value::text(text).with(&marks);
    Some(if assembled { value.assembled() } else { value })
}

fn joined_text(_: &mut Runner<'_>, bound: &Bound) -> Reply {
    let input = bound.piped.clone().unwrap_or_else(Value::unknown);
    Some(super::operators::joined(&input, &bound.text("Separator").unwrap_or_default()))
}

/// Files from a pipeline are searched, lines from it are only looked through.
fn searched(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    if let Some(piped) = bound.piped.as_ref().filter(|piped| matches!(piped.data, Data::Files(_))) {
        runner.reads(piped, false);
    }
    None
}

fn bits(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    if bound.text("TransferType").is_some_and(|kind| kind.to_ascii_lowercase().starts_with("upload")) {
        let source = bound.get("Source").cloned().unwrap_or_else(Value::unknown);
        runner.effects.deeds.hosts.clear();
        runner.effects.deeds.writes.clear();
        let files = runner.reads(&source, false);
        let body = Value::null().marked(|marks| marks.reads = files);
        let host = bound.get("Destination").cloned().unwrap_or_else(Value::unknown);
        runner.contact(&host, "https", Direction::Send, &body);
        runner.find("shell.upload", "sends a file");
    }
    Some(Value::null())
}

fn invoke(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    if bound.get("Session").is_some() {
        runner.contact(&Value::unknown(), "winrm", Direction::Both, &Value::null());
    }
    if let Some(Data::Object(class, held)) = bound.get("ScriptBlock").map(|value| value.data.clone())
        && class == "scriptblock"
    {
        let code = held.map_or_else(Value::unknown, |held| *held);
        return Some(runner.run_text(&code));
    }
    None
}

fn evaluate(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let mut code = bound.get("Command").or(bound.piped.as_ref()).cloned().unwrap_or_else(Value::unknown);
    for more in &bound.rest {
        code =
            Value::text(format!("{} {}", code.shown(), more.shown())).with(&both(&code.marks, &more.marks));
    }
    if let Data::List(_) = code.data {
        let lines: Vec<String> = code.items().iter().map(Value::shown).collect();
        code = Value::text(lines.join("\n")).with(&code.marks);
    }
    Some(runner.run_text(&code))
}

fn start(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    if bound
        .text("Verb")
        .is_some_and(|verb| verb.to_ascii_lowercase().starts_with("runas") || verb.contains(HOLE))
    {
        runner.privileged("starts a program with the rights of an administrator");
    }
    if bound.get("Credential").is_some() {
        runner.privileged("starts a program as another user");
    }
    let file = bound.get("FilePath").cloned().unwrap_or_else(Value::unknown);
    let mut args = super::native::argument_words(bound.get("ArgumentList"));
    args.extend(bound.rest.iter().flat_map(Value::items));
    runner.launch(&file, args);
    Some(Value::object("system.diagnostics.process", None))
}

fn open(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let file = sources(bound);
    runner.launch(&file, Vec::new());
    Some(Value::null())
}

fn for_each(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let input = bound.piped.clone().unwrap_or_else(Value::unknown);
    let mut blocks = Vec::new();
    for value in ["Begin", "Process", "Parallel", "End", "RemainingScripts"]
        .iter()
        .filter_map(|name| bound.get(name))
        .chain(&bound.rest)
    {
        blocks.extend(value.items());
    }
    let known = matches!(&input.data, Data::List(items) if items.len() <= 64) && runner.steps > 2_000;
    let items = if known {
        input.items()
    } else {
        vec![match input.data {
            Data::List(_) => Value::unknown().with(&input.marks),
            _ => input,
        }]
    };
    let mut out = Vec::new();
    for item in &items {
        for block in &blocks {
            match &block.data {
                Data::Script(body) => {
                    let body = Rc::clone(body);
                    out.push(runner.inline(&body, Some(item)));
                }
                // `% Delete`, `% Name`.
                _ => {
                    let called = bound.get("ArgumentList").map(Value::items).unwrap_or_default();
                    let name = block.shown();
                    let acts = cmdlets::is_method(&name);
                    out.push(if acts {
                        runner.call(item, block, &called)
                    } else {
                        runner.member(item, block)
                    });
                }
            }
        }
    }
    out.retain(|value| !matches!(value.data, Data::Null));
    Some(match <[Value; 1]>::try_from(out) {
        Ok([only]) => only,
        Err(out) => Value::list(out),
    })
}

fn made(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    if let Some(com) = bound.get("ComObject") {
        let Some(name) = com.known() else {
            runner.find("shell.obfuscated", "which object is made can't be seen");
            return Some(Value::unknown());
        };
        runner.harmless = false;
        return Some(Value::object(format!("com:{}", name.to_ascii_lowercase()), None));
    }
    let mut args = bound.get("ArgumentList").map(Value::items).unwrap_or_default();
    args.extend(bound.rest.iter().flat_map(Value::items));
    let Some(name) = bound.get("TypeName").and_then(Value::known) else {
        runner.find("shell.obfuscated", "which object is made can't be seen");
        return Some(Value::unknown());
    };
    Some(runner.construct(&cmdlets::full_type(&name), &args))
}

fn add_type(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    if bound.get("TypeDefinition").is_some()
        || bound.get("MemberDefinition").is_some()
        || bound.piped.is_some()
    {
        let of = |name: &str| bound.text(name).unwrap_or_default();
        let source = of("TypeDefinition") + &of("MemberDefinition");
        if source.contains("DllImport") || source.contains(HOLE) || source.is_empty() {
            runner.find("shell.obfuscated", "calls functions of Windows that Doorward does not follow");
        } else {
            runner.harmless = false;
            runner.effects.nested("csharp", &Plain::literal(source));
        }
    }
    None
}

fn import(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let modules = bound.get("Name").or(bound.piped.as_ref()).map(Value::items).unwrap_or_default();
    for module in modules {
        let shown = module.shown();
        if shown.contains(['/', '\\', HOLE])
            || shown.to_ascii_lowercase().ends_with(".psm1")
            || shown.to_ascii_lowercase().ends_with(".ps1")
        {
            for place in runner.paths(&module) {
                if let Named::File(path) = place {
                    runner.effects.file(&Plain::literal(path), Code::Language("powershell".to_owned()));
                }
            }
        }
        runner.harmless = false;
    }
    None
}

fn alias(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let name = bound.text("Name").unwrap_or_default().to_ascii_lowercase();
    let target = bound.text("Value").unwrap_or_else(|| HOLE.to_string());
    Rc::make_mut(&mut runner.scope.aliases).insert(name, target);
    Some(Value::null())
}

fn variable(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let name = bound.text("Name").unwrap_or_default();
    let value = bound.get("Value").or(bound.piped.as_ref()).cloned().unwrap_or_else(Value::null);
    runner.set(&name, value);
    Some(Value::null())
}

fn variable_value(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let name = bound.text("Name").unwrap_or_default().to_ascii_lowercase();
    Some(if name.contains(['*', '?']) || name.is_empty() {
        Value::unknown()
    } else {
        Value::object("named", Some(runner.variable(&name)))
    })
}

fn command_name(_: &mut Runner<'_>, bound: &Bound) -> Reply {
    let name = bound.get("Name").cloned().unwrap_or_else(Value::unknown);
    let shown = name.shown();
    // A pattern picks a command without its name being written.
    Some(if shown.contains(['*', '?']) { Value::unknown() } else { Value::object("named", Some(name)) })
}

fn change(runner: &mut Runner<'_>, bound: &Bound) {
    let path = bound.get("Path").or_else(|| bound.get("LiteralPath")).or(bound.piped.as_ref()).cloned();
    let place = path.map(|path| runner.paths(&path).into_iter().next());
    runner.scope.folder = match place {
        Some(Some(Named::File(folder))) if !folder.contains(['*', '?']) => folder,
        Some(_) => HOLE.to_string(),
        None => runner.home.clone().unwrap_or_else(|| "~".to_owned()),
    };
    if runner.scope.folder == "." {
        runner.scope.folder.clear();
    }
}

fn enter(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    change(runner, bound);
    Some(Value::null())
}

fn push(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let before = runner.scope.folder.clone();
    runner.scope.pushed.push(before);
    if bound.get("Path").is_some() || bound.get("LiteralPath").is_some() {
        change(runner, bound);
    }
    Some(Value::null())
}

fn pop(runner: &mut Runner<'_>, _: &Bound) -> Reply {
    runner.scope.folder = runner.scope.pushed.pop().unwrap_or_else(|| HOLE.to_string());
    Some(Value::null())
}

fn here(runner: &mut Runner<'_>, _: &Bound) -> Reply {
    let folder = runner.scope.folder.clone();
    Some(Value::text(if folder.is_empty() { ".".to_owned() } else { folder }))
}

fn printed(_: &mut Runner<'_>, bound: &Bound) -> Reply {
    let value = bound.get("InputObject").or(bound.piped.as_ref()).cloned().unwrap_or_else(Value::null);
    if bound.rest.is_empty() {
        return Some(value);
    }
    let mut items = value.items();
    items.extend(bound.rest.iter().cloned());
    Some(Value::list(items))
}

fn shown(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let values: Vec<Value> = bound
        .values
        .iter()
        .map(|(_, value)| value.clone())
        .chain(bound.piped.clone())
        .chain(bound.rest.iter().cloned())
        .collect();
    for value in values {
        runner.carried(&value, false);
    }
    Some(Value::null())
}

fn wmi(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    if let Some(host) = bound.get("ComputerName").cloned()
        && !matches!(host.shown().as_str(), "." | "localhost" | "127.0.0.1")
    {
        runner.contact(&host, "winrm", Direction::Both, &Value::null());
    }
    let class = bound.text("Class").or_else(|| bound.text("ClassName")).unwrap_or_default()
        + &bound.text("Query").unwrap_or_default();
    let class = class.to_ascii_lowercase();
    let shadow = class.contains("shadowcopy");
    Some(Value::object(if shadow { "wmi:shadowcopy" } else { "wmi" }, None))
}

fn wmi_method(runner: &mut Runner<'_>, bound: &Bound) -> Reply {
    let class = bound
        .text("Class")
        .or_else(|| bound.text("ClassName"))
        .unwrap_or_else(|| HOLE.to_string())
        .to_ascii_lowercase();
    let method = bound
        .text("Name")
        .or_else(|| bound.text("MethodName"))
        .unwrap_or_else(|| HOLE.to_string())
        .to_ascii_lowercase();
    let args = bound.get("ArgumentList").or_else(|| bound.get("Arguments")).cloned();
    if class.contains("win32_process") && method == "create" {
        let line = match args.as_ref().map(|args| &args.data) {
            Some(Data::Map(pairs)) => {
                pairs.iter().find(|(key, _)| key == "commandline").map(|(_, value)| value.clone())
            }
            Some(_) => args.as_ref().and_then(|args| args.items().into_iter().next()),
            None => None,
        };
        runner.command_line(&line.unwrap_or_else(Value::unknown));
    } else {
        runner.privileged("changes Windows through WMI");
    }
    Some(Value::unknown())
}
