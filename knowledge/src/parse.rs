//! Reads a spec strictly.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::document::{self, Node};
use crate::effect::{Arrives, Names, Rights, Transfer, WayBack};
use crate::row::{Nature, Output, StdinRole, Style};
use crate::spec::{Act, Condition, Example, OptionSpec, Program, Row, Rule, Source, SpecFile};
use crate::vocabulary::{self as known, words_of};

/// How deep commands may stand in each other.
const DEEPEST: usize = 6;

/// What is wrong with a spec, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}: {message}")]
pub struct SpecError {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

/// Reads one spec; `name` is its file's name without the extension.
///
/// # Errors
/// Text that isn't KDL, unknown keys and words, a missing source, an option that is listed twice.
pub fn parse(name: &str, text: &str) -> Result<SpecFile, SpecError> {
    let reader = Reader::new(name, text);
    let document = reader.document()?;
    reader.file(&document)
}

/// A file that is being read.
pub(crate) struct Reader<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(name: &'a str, text: &'a str) -> Self {
        Self { name, text }
    }

    pub(crate) fn document(&self) -> Result<Vec<Node>, SpecError> {
        document::read(self.text).map_err(|(line, message)| self.error_at(line, message))
    }

    pub(crate) fn error_at(&self, line: usize, message: impl Into<String>) -> SpecError {
        SpecError { file: format!("{}.kdl", self.name), line, message: message.into() }
    }

    pub(crate) fn error(&self, node: &Node, message: impl Into<String>) -> SpecError {
        self.error_at(node.line, message)
    }

    /// Fails with the nearest word that would be right.
    pub(crate) fn one_of<'w>(
        &self,
        node: &Node,
        what: &str,
        word: &'w str,
        right: impl Iterator<Item = &'static str> + Clone,
    ) -> Result<&'w str, SpecError> {
        if right.clone().any(|own| own == word) {
            return Ok(word);
        }
        let nearest = right.max_by(|one, other| {
            strsim::normalized_damerau_levenshtein(one, word)
                .total_cmp(&strsim::normalized_damerau_levenshtein(other, word))
        });
        let nearest = nearest.map_or(String::new(), |nearest| format!("; did you mean `{nearest}`?"));
        Err(self.error(node, format!("`{word}` is not a known {what}{nearest}")))
    }

    fn file(&self, document: &[Node]) -> Result<SpecFile, SpecError> {
        let mut spec = SpecFile { name: self.name.to_owned(), ..SpecFile::default() };
        for node in document {
            match self.one_of(node, "key of a spec", node.name.as_str(), known::FILE.iter().copied())? {
                "functions" => spec.functions = self.only(node)?,
                "options" => {
                    spec.groups.insert(self.only(node)?, self.options(node)?);
                }
                "commands" => {
                    let rows =
                        node.children.iter().map(|node| self.command(node, 1)).collect::<Result<_, _>>()?;
                    spec.commands.insert(self.only(node)?, rows);
                }
                _ => spec.programs.push(self.program(node)?),
            }
        }
        if spec.programs.is_empty() {
            return Err(self.error_at(1, "no `program` is described"));
        }
        self.references(&spec)?;
        for program in &spec.programs {
            self.conditions(&spec, &program.row, &mut Vec::new())?;
        }
        Ok(spec)
    }

    /// A condition may ask only for options that are listed where it stands, or above.
    fn conditions<'s>(
        &self,
        spec: &'s SpecFile,
        row: &'s Row,
        above: &mut Vec<&'s OptionSpec>,
    ) -> Result<(), SpecError> {
        let before = above.len();
        above.extend(row.uses.iter().filter_map(|name| spec.groups.get(name)).flatten().chain(&row.options));
        for rule in row.rules.iter().chain(&row.otherwise).chain(&row.throughout) {
            let asked = rule
                .conditions
                .iter()
                .filter(|condition| matches!(condition.key.as_str(), "has" | "and-has" | "lacks" | "value"));
            let missing = asked
                .flat_map(|condition| &condition.words)
                .find(|word| !above.iter().any(|option| option.spellings.contains(word)));
            if let Some(missing) = missing {
                let of = row.names.join(" ");
                return Err(SpecError {
                    file: format!("{}.kdl", self.name),
                    line: rule.line,
                    message: format!("a condition asks for `{missing}`, which isn't an option of `{of}`"),
                });
            }
        }
        let shared = row.shared.iter().filter_map(|name| spec.commands.get(name)).flatten();
        for command in row.commands.iter().chain(shared) {
            self.conditions(spec, command, above)?;
        }
        above.truncate(before);
        Ok(())
    }

    /// Names of groups and command sets must lead somewhere.
    fn references(&self, spec: &SpecFile) -> Result<(), SpecError> {
        fn rows<'r>(row: &'r Row, all: &mut Vec<&'r Row>) {
            all.push(row);
            row.commands.iter().for_each(|command| rows(command, all));
        }
        let mut all = Vec::new();
        spec.programs.iter().for_each(|program| rows(&program.row, &mut all));
        spec.commands.values().flatten().for_each(|row| rows(row, &mut all));
        for row in all {
            let groups = row.uses.iter().find(|name| !spec.groups.contains_key(*name));
            let sets = row.shared.iter().find(|name| !spec.commands.contains_key(*name));
            let of = row.names.join(" ");
            let missing = groups.or(sets);
            if let Some(missing) = missing {
                return Err(self.find(missing, format!("`{of}` uses `{missing}`, which isn't here")));
            }
            if row.uses.len() > 2 {
                return Err(self.find(&of, format!("`{of}` uses more than two groups of options")));
            }
        }
        Ok(())
    }

    /// An error at the first line that holds this text.
    fn find(&self, text: &str, message: String) -> SpecError {
        let before = self.text.find(text).and_then(|at| self.text.get(..at)).unwrap_or_default();
        self.error_at(before.bytes().filter(|byte| *byte == b'\n').count() + 1, message)
    }

    fn program(&self, node: &Node) -> Result<Program, SpecError> {
        let mut source = None;
        let mut examples = Vec::new();
        let mut replaces = false;
        let mut any_case = false;
        let row = self.row(node, 0, &mut |child| {
            match child.name.as_str() {
                "replaces" => {
                    self.one_of(child, "value of `replaces`", &self.only(child)?, ["shipped"].into_iter())?;
                    replaces = true;
                }
                "names" => {
                    self.one_of(child, "value of `names`", &self.only(child)?, ["any-case"].into_iter())?;
                    any_case = true;
                }
                "source" => source = Some(self.source(child)?),
                "examples" => {
                    examples =
                        child.children.iter().map(|line| self.example(line)).collect::<Result<_, _>>()?
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let source = source.ok_or_else(|| {
            self.error(node, "no `source \"MANUAL\" version=\"…\" read=\"YYYY-MM-DD\"`: where was this read?")
        })?;
        let line = node.line;
        Ok(Program { row, source, examples, replaces, any_case, line })
    }

    pub(crate) fn source(&self, node: &Node) -> Result<Source, SpecError> {
        let manual = self.only(node)?;
        let named = self.named(node, &["version", "read"])?;
        let get = |key: &str| {
            named.get(key).cloned().ok_or_else(|| self.error(node, format!("`source` lacks `{key}=`")))
        };
        let source = Source { manual, version: get("version")?, read: get("read")? };
        let is_day = source.read.len() == 10 && source.read.bytes().filter(|byte| *byte == b'-').count() == 2;
        if source.manual.is_empty() || source.version.is_empty() || source.is_compared() && !is_day {
            let message = "a source names a manual, a version and a day as YYYY-MM-DD, or `taken-over` if nobody read it";
            return Err(self.error(node, message));
        }
        Ok(source)
    }

    pub(crate) fn example(&self, node: &Node) -> Result<Example, SpecError> {
        let effects = self.only(node)?;
        let line = node.line;
        Ok(Example { command: node.name.clone(), effects, line })
    }

    /// A command, and how many programs and commands it stands in.
    fn command(&self, node: &Node, depth: usize) -> Result<Row, SpecError> {
        self.one_of(node, "key of a list of commands", node.name.as_str(), ["command"].into_iter())?;
        if depth > DEEPEST {
            return Err(self.error(node, format!("commands stand in each other more than {DEEPEST} deep")));
        }
        self.row(node, depth, &mut |_| Ok(false))
    }

    /// A program or command; `more` takes the keys that only a program has.
    fn row(
        &self,
        node: &Node,
        depth: usize,
        more: &mut dyn FnMut(&Node) -> Result<bool, SpecError>,
    ) -> Result<Row, SpecError> {
        let mut row = Row { names: node.values.clone(), ..Row::default() };
        if row.names.is_empty() {
            return Err(self.error(node, "it has no name"));
        }
        for child in node.children.iter() {
            if more(child)? {
                continue;
            }
            let key = child.name.as_str();
            let word = |what, right: &'static [&'static str]| -> Result<String, SpecError> {
                let value = self.only(child)?;
                self.one_of(child, what, &value, right.iter().copied()).map(str::to_owned)
            };
            match key {
                "does" => row.nature = word("value of `does`", words_of::<Nature>())?,
                "parse" => {
                    let right = words_of::<Style>().iter().copied().chain([known::ALL_RAW]);
                    row.style = self.one_of(child, "value of `parse`", &self.only(child)?, right)?.to_owned();
                }
                "prints" => row.prints = word("value of `prints`", words_of::<Output>())?,
                "stdin" => row.stdin = word("value of `stdin`", words_of::<StdinRole>())?,
                "options" => row.options.extend(self.options(child)?),
                "use" => row.uses.extend(child.values.clone()),
                "operands" => row.operands = self.operands(child)?,
                "otherwise" => row.otherwise.push(self.rule(child)?),
                "throughout" if depth == 0 => row.throughout.push(self.rule(child)?),
                "throughout" => {
                    return Err(self.error(child, "`throughout` stands in a program, not in its commands"));
                }
                "when" => row.rules.push(self.rule(child)?),
                "command" => row.commands.push(self.command(child, depth + 1)?),
                "commands" => row.shared.push(self.only(child)?),
                _ => {
                    let keys = known::ROW.iter().chain(known::PROGRAM).copied();
                    let acts = known::ACTS.iter().map(|act| act.key);
                    self.one_of(child, "key", key, keys.chain(acts))?;
                    let act = self.act(child)?;
                    match row.rules.last_mut().filter(|rule| rule.conditions.is_empty()) {
                        Some(rule) => rule.acts.push(act),
                        None => {
                            let line = child.line;
                            row.rules.push(Rule { acts: vec![act], line, ..Rule::default() });
                        }
                    }
                }
            }
        }
        self.no_option_twice(&row)?;
        Ok(row)
    }

    fn no_option_twice(&self, row: &Row) -> Result<(), SpecError> {
        let mut seen = BTreeSet::new();
        for option in &row.options {
            if let Some(twice) = option.spellings.iter().find(|own| !seen.insert((*own).clone())) {
                return Err(SpecError {
                    file: format!("{}.kdl", self.name),
                    line: option.line,
                    message: format!("`{twice}` of `{}` is listed twice", row.names.join(" ")),
                });
            }
        }
        Ok(())
    }

    fn options(&self, node: &Node) -> Result<Vec<OptionSpec>, SpecError> {
        node.children.iter().map(|line| self.option(line)).collect()
    }

    /// `-o --output value=write`, one option a line.
    fn option(&self, node: &Node) -> Result<OptionSpec, SpecError> {
        let mut spellings = vec![node.name.clone()];
        spellings.extend(node.values.clone());
        if let Some(wrong) =
            spellings.iter().find(|own| !own.starts_with(['-', '+']) || own.contains([' ', '|']))
        {
            return Err(self.error(node, format!("`{wrong}` is no option: it must start with `-` or `+`")));
        }
        let named = self.named(node, &["value", "attached", "maybe"])?;
        let (attached, maybe) = (named.contains_key("attached"), named.contains_key("maybe"));
        let role = ["value", "attached", "maybe"].iter().find_map(|key| named.get(*key)).cloned();
        for role in role.iter().flat_map(|role| role.split_ascii_whitespace()) {
            self.role(node, role)?;
        }
        // An option that takes several values has a role for each.
        let role = role.map(|role| role.split_ascii_whitespace().collect::<Vec<_>>().join(","));
        Ok(OptionSpec { spellings, role, attached, maybe, line: node.line })
    }

    fn role(&self, node: &Node, role: &str) -> Result<(), SpecError> {
        if ["lang:", "file:", "module:"].iter().any(|front| role.starts_with(front)) {
            return Ok(());
        }
        self.one_of(node, "role", role, known::ROLES.iter().copied()).map(|_| ())
    }

    fn operands(&self, node: &Node) -> Result<Vec<String>, SpecError> {
        let operands = node.values.clone();
        for operand in &operands {
            let role = operand.split('!').next().unwrap_or_default().trim_end_matches(['*', '?']);
            self.role(node, role)?;
        }
        Ok(operands)
    }

    fn rule(&self, node: &Node) -> Result<Rule, SpecError> {
        let words = |value: &str| value.split_ascii_whitespace().map(str::to_owned).collect();
        let conditions = self
            .named(node, known::CONDITIONS)?
            .into_iter()
            .map(|(key, value)| Condition { key, words: words(&value) })
            .collect();
        let acts = node.children.iter().map(|act| self.act(act)).collect::<Result<Vec<_>, _>>()?;
        let arrives = |condition: &&Condition| condition.key == "stdin";
        let conditions: Vec<Condition> = conditions;
        for word in conditions.iter().filter(arrives).flat_map(|condition| &condition.words) {
            self.one_of(node, "value of `stdin`", word, words_of::<Arrives>().iter().copied())?;
        }
        if acts.is_empty() {
            return Err(self.error(node, "`when` says nothing that then happens"));
        }
        Ok(Rule { conditions, acts, line: node.line })
    }

    fn act(&self, node: &Node) -> Result<Act, SpecError> {
        let key = node.name.as_str();
        self.one_of(node, "effect", key, known::ACTS.iter().map(|act| act.key))?;
        let values = node.values.clone();
        let shape = known::ACTS.iter().find(|act| act.key == key);
        let (wanted, named) = shape.map_or((0, &[][..]), |shape| (shape.values, shape.named));
        if values.len() != wanted {
            return Err(self.error(node, format!("`{key}` takes {wanted} values, not {}", values.len())));
        }
        let act = Act { key: key.to_owned(), named: self.named(node, named)?, values };
        self.act_words(node, &act)?;
        Ok(act)
    }

    /// The words of an act that come from a closed list.
    fn act_words(&self, node: &Node, act: &Act) -> Result<(), SpecError> {
        let value = |at: usize| act.values.get(at).map(String::as_str).unwrap_or_default();
        let closed: Option<(&str, &str, &'static [&'static str])> = match act.key.as_str() {
            "finding" => Some(("finding", value(0), known::FINDINGS)),
            "privilege" => Some(("privilege", value(0), words_of::<Rights>())),
            "contacts" | "contacts-remote" | "contacts-at" => {
                Some(("direction", value(1), words_of::<Transfer>()))
            }
            "contacts-unknown" | "contacts-urls" => Some(("direction", value(0), words_of::<Transfer>())),
            "environment" => Some(("use of the environment", value(0), known::ENVIRONMENT)),
            "prints" => Some(("output", value(0), words_of::<Output>())),
            "lists" => Some(("kind of names", value(0), words_of::<Names>())),
            "copies" => act.named.get("as").map(|link| ("kind of link", link.as_str(), known::LINKS)),
            "loses" => {
                Some(("way back", act.named.get("back").map_or("", String::as_str), words_of::<WayBack>()))
            }
            _ => None,
        };
        match act.key.as_str() {
            "operand" | "value" | "behind" => self.role(node, value(1))?,
            "part" => self.role(node, value(2))?,
            _ => {}
        }
        if let Some((what, word, right)) = closed {
            self.one_of(node, what, word, right.iter().copied())?;
        }
        let number = match act.key.as_str() {
            "runs-remote" | "sends" if crate::acts::is_option(value(0)) => None,
            "contacts-at" | "installs" => return self.places(node, act),
            "operand" if matches!(value(0), "last" | "stdin") => None,
            "operand" | "runs" | "runs-shell" | "wraps" | "wraps-shell" | "runs-inside" | "runs-remote"
            | "sends" => {
                Some(value(0).trim_end_matches("..")).filter(|place| !matches!(*place, "--" | "command"))
            }
            "runs-as" => Some(value(1).trim_end_matches("..")).filter(|place| *place != "--"),
            _ => None,
        };
        match number {
            Some(number) if number.parse::<u16>().is_err() => {
                Err(self.error(node, format!("`{}` takes a place such as 0 or 1.., not `{number}`", act.key)))
            }
            _ => Ok(()),
        }
    }

    /// The places of an act that takes several: operands, options, addresses, or nothing but what a lock file names.
    fn places(&self, node: &Node, act: &Act) -> Result<(), SpecError> {
        let named = act.values.first().into_iter().chain(act.named.get("port"));
        let mut places = named.flat_map(|places| places.split_ascii_whitespace());
        let is_right = |place: &str| {
            place.starts_with('-')
                || matches!(place, "stdin" | "last" | "lock" | "://")
                || place.trim_end_matches("..").parse::<u16>().is_ok()
        };
        match places.find(|place| !is_right(place)) {
            Some(wrong) => {
                let key = &act.key;
                let message =
                    format!("`{key}` takes options and places such as 0, 1.., last or ://, not `{wrong}`");
                Err(self.error(node, message))
            }
            None => Ok(()),
        }
    }

    /// Its only plain value.
    pub(crate) fn only(&self, node: &Node) -> Result<String, SpecError> {
        match node.values.as_slice() {
            [only] => Ok(only.clone()),
            values => {
                Err(self
                    .error(node, format!("`{}` takes one value, not {}", node.name.as_str(), values.len())))
            }
        }
    }

    /// Its named values.
    pub(crate) fn named(
        &self,
        node: &Node,
        right: &'static [&'static str],
    ) -> Result<BTreeMap<String, String>, SpecError> {
        for (key, _) in &node.named {
            self.one_of(node, "key", key, right.iter().copied())?;
        }
        Ok(node.named.iter().cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    const SOURCE: &str = "source \"x(1)\" version=\"1\" read=\"2026-11-23\"\n";

    #[test]
    fn mistakes_are_named_with_their_line_and_what_would_be_right() {
        let program = |body: &str| format!("program x {{\n{SOURCE}{body}\n}}");
        for (text, line, says) in [
            ("program x {\n}".to_owned(), 1, "no `source"),
            ("program x {\nsource \"x(1)\" version=\"1\"\n}".to_owned(), 2, "lacks `read=`"),
            ("program x {\nsource \"x(1)\" version=\"1\" read=never\n}".to_owned(), 2, "or `taken-over`"),
            (program("opitons {\n-a\n}"), 3, "did you mean `options`?"),
            (program("options {\n-a value=raed\n}"), 4, "did you mean `read`?"),
            (program("options {\n-a value=\"data raed\"\n}"), 4, "did you mean `read`?"),
            (program("options {\n-a vlaue=read\n}"), 4, "did you mean `value`?"),
            (program("options {\nfile\n}"), 4, "no option"),
            (program("options {\n-a\n-b -a\n}"), 5, "`-a` of `x` is listed twice"),
            (program("finding infar \"x\""), 3, "did you mean `infra`?"),
            (program("loses x back=refog"), 3, "did you mean `reflog`?"),
            (program("when hsa=-a {\nacts\n}"), 3, "did you mean `has`?"),
            (program("options {\n-a\n}\nwhen has=-b {\nacts\n}"), 6, "`-b`, which isn't an option of `x`"),
            (program("when operands=0 {\n}"), 3, "says nothing"),
            (program("operand first read"), 3, "a place such as 0"),
            (program("contacts x"), 3, "takes 2 values, not 1"),
            (program("operand 0 read ftis=\"*.md\""), 3, "did you mean `fits`?"),
            (program("copies as=herd"), 3, "did you mean `hard`?"),
            (program("lists folder"), 3, "did you mean `folders`?"),
            (program("use y"), 3, "uses `y`, which isn't here"),
            (program("contacts-at first both"), 3, "places such as 0, 1.., last or ://, not `first`"),
            (program("behind exec raed"), 3, "did you mean `read`?"),
            (program("part --set src raed"), 3, "did you mean `read`?"),
            (program("operand 0 read fit=x"), 3, "did you mean `fits`?"),
            (program("command y {\nthroughout operands=0 {\nacts\n}\n}"), 4, "not in its commands"),
            ("program x {\n\"".to_owned(), 2, ""),
            (String::new(), 1, "no `program`"),
        ] {
            let error = parse("x", &text).expect_err(&text);
            assert!(
                error.line == line && error.message.contains(says),
                "{text}\n{error}, line {line} {says}"
            );
        }
    }
}
