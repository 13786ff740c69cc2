//! Libraries that drive something else: a database, Git, or any program by its name.

use std::rc::Rc;

use super::item::{Given, Item};
use super::run::Run;
use crate::languages::Value;
use crate::languages::rules::{Act, NameRole, is};

/// First words of statements that take something away or change rows. Others only make the list of effects longer.
const VERBS: &[&str] =
    &["DROP ", "DELETE ", "TRUNCATE ", "UPDATE ", "ALTER ", "GRANT ", "COPY ", "CREATE EXTENSION"];

/// Whether a text is a statement that counts.
fn is_statement(text: &str) -> bool {
    let text = text.trim_start().to_ascii_uppercase();
    VERBS.iter().any(|verb| text.starts_with(verb))
        || text.split(';').any(|part| VERBS.iter().any(|verb| part.trim_start().starts_with(verb)))
}

/// Files that hold secrets, as programs attach them.
const SECRETS: &[&str] =
    &["/.ssh", ".aws/", ".netrc", ".env", "_history", ".gnupg", ".kube/", "credentials", ".pgpass", ".npmrc"];

impl Run<'_> {
    /// What a call does through a library that drives something else; `None` if it is none of these.
    pub(super) fn client(&mut self, receiver: &Item, name: &str, given: &[Given]) -> Option<Item> {
        let last = name.rsplit('.').next().unwrap_or(name);
        self.connects(last, given);
        if is(NameRole::Statements, last) {
            self.statements(receiver, given);
        }
        // `addCleanup(shutil.rmtree, folder)`: it runs with these arguments.
        if matches!(last, "addCleanup" | "addClassCleanup" | "register" | "callback")
            && let [function, rest @ ..] = given
            && matches!(function.item, Item::Library(_) | Item::Function(_) | Item::Partial(_))
            && !rest.is_empty()
        {
            self.apply(&function.item.clone(), rest);
            return Some(Item::Unknown);
        }
        if let Item::Made(of, first) = receiver {
            return self.client_method(&Rc::clone(of), &Rc::clone(first), last, given);
        }
        let program = name.strip_prefix("sh.").or_else(|| name.strip_prefix("plumbum.cmd."))?;
        if program.contains('.') || program.starts_with(char::is_uppercase) {
            return None;
        }
        self.run_program(&[Item::text(program)], given);
        Some(Item::Made(Rc::from("sh.run"), Rc::new(vec![Item::text(program)])))
    }

    fn client_method(&mut self, of: &str, first: &[Item], method: &str, given: &[Given]) -> Option<Item> {
        let chain = || Some(Item::Made(Rc::from(of), Rc::new(first.to_vec())));
        match (of, method) {
            ("RegExp", _) => Some(Item::Unknown),
            // `sh.git.push('origin')`, `sh.sudo.rm(x)`
            ("sh.run", "bake") => chain(),
            (
                "fabric.Connection" | "invoke.Context" | "fabric.connection.Connection",
                "run" | "sudo" | "local",
            ) => {
                self.act(Act::Shell, "fabric.run", None, given);
                chain()
            }
            ("simple-git" | "simple-git.simpleGit" | "simple-git.default", "raw") => {
                self.run_program(&[Item::text("git")], given);
                chain()
            }
            ("simple-git" | "simple-git.simpleGit" | "simple-git.default" | "git.Repo.git", _) => {
                let command = method.replace('_', "-");
                let mut given = given.to_vec();
                // `clean('f', …)`: the mode is an option without its dash.
                if let ("clean", Some(mode)) = (method, given.first_mut())
                    && let Some(letters) = mode.item.known_text().filter(|text| !text.starts_with('-'))
                {
                    mode.item = Item::text(format!("-{letters}"));
                }
                self.run_program(&[Item::text("git"), Item::text(command)], &given);
                chain()
            }
            _ => None,
        }
    }

    /// What a member of a client is, if it leads on.
    pub(super) fn client_member(&mut self, of: &str, first: &[Item], member: &str) -> Option<Item> {
        match (of, member) {
            ("git.Repo", "git") => Some(Item::Made(Rc::from("git.Repo.git"), Rc::new(first.to_vec()))),
            (
                "fabric.Connection" | "invoke.Context" | "fabric.connection.Connection",
                "run" | "sudo" | "local",
            ) => Some(Item::library("fabric.run")),
            _ => None,
        }
    }

    /// `local['rm']['-rf', 'x']`: a program with more and more words.
    pub(super) fn client_index(&mut self, of: &Item, key: &Item) -> Option<Item> {
        let mut words = match of {
            Item::Library(name) if &**name == "plumbum.local" => Vec::new(),
            Item::Made(name, words) if &**name == "plumbum.command" => words.as_ref().clone(),
            _ => return None,
        };
        let named = !words.is_empty();
        match key {
            Item::List(items) => words.extend(items.iter().cloned()),
            item => words.push(item.clone()),
        }
        if named {
            self.run_program(&words, &[]);
        }
        Some(Item::Made(Rc::from("plumbum.command"), Rc::new(words)))
    }

    /// Runs a program with these words.
    pub(super) fn run_program(&mut self, words: &[Item], given: &[Given]) {
        let more = given.iter().filter(|given| given.name.is_none()).flat_map(|given| match &given.item {
            Item::List(items) => items.iter().cloned().collect::<Vec<_>>(),
            item => vec![item.clone()],
        });
        let words: Vec<Value> = words.iter().cloned().chain(more).map(|item| item.shown()).collect();
        self.argv(&words, given);
    }

    /// Notes whether the databases that the code opens are in memory only.
    fn connects(&mut self, last: &str, given: &[Given]) {
        let place = given.first().map(|given| given.item.shown()).unwrap_or_default();
        if place.text.contains(":memory:") || place.text == "sqlite://" {
            self.in_memory.get_or_insert(true);
        } else if matches!(
            last,
            "connect"
                | "create_engine"
                | "Database"
                | "DatabaseSync"
                | "PDO"
                | "Client"
                | "Pool"
                | "createConnection"
        ) {
            // Whatever this reaches, it is no database that nobody else has.
            self.in_memory = Some(false);
        }
    }

    /// Statements among the arguments of a call.
    fn statements(&mut self, receiver: &Item, given: &[Given]) {
        let in_memory = match receiver {
            Item::Made(_, first) => {
                first.first().is_some_and(|first| first.shown().text.contains(":memory:"))
            }
            _ => self.in_memory == Some(true),
        };
        if in_memory {
            return;
        }
        for item in given.iter().flat_map(|given| given.item.alternatives()) {
            if let Item::Text(text) = &item
                && is_statement(&text.text)
            {
                self.effects.nested("sql", text);
            }
        }
    }

    /// Files with secrets among what a call sends, however deep they stand in it.
    pub(super) fn attached(&mut self, given: &[Given]) {
        fn texts(item: &Item, found: &mut Vec<Value>) {
            match item {
                Item::Text(text) => found.push(text.clone()),
                Item::List(items) | Item::Either(items) => items.iter().for_each(|item| texts(item, found)),
                Item::Map(pairs) => pairs.iter().for_each(|(_, item)| texts(item, found)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        given.iter().for_each(|given| texts(&given.item, &mut found));
        for path in found {
            let is_path =
                path.text.starts_with(['~', '/', '.', '$']) && !path.text.contains(char::is_whitespace);
            if is_path && SECRETS.iter().any(|secret| path.text.contains(secret)) {
                self.effects.read(&path);
            }
        }
    }

    /// An object of Python that says what makes it anew: unpacking it calls that.
    pub(super) fn reduced_to(&mut self, made: &Item) {
        let Item::List(parts) = made else { return };
        if let [callable, arguments, ..] = parts.as_slice() {
            let given: Vec<Given> = arguments
                .items()
                .unwrap_or_default()
                .into_iter()
                .map(|item| Given { name: None, item })
                .collect();
            self.apply(&callable.clone(), &given);
        }
    }
}
