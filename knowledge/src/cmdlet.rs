//! What cmdlets of PowerShell and methods of .NET do: reads the files under `cmdlets/` into rows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::document::Node;
use crate::list::List;
use crate::make::text;
use crate::parse::{Reader, SpecError};
use crate::spec::Example;
use crate::vocabulary::{FINDINGS, word, words_of};

const FILE: &[&str] = &["source", "options", "common", "programs", "cmdlet", "types", "methods", "examples"];
const CMDLET: &[&str] = &["does", "prints", "options", "use", "recursive", "when"];
const ACTS: &[&str] = &["acts", "finding", "privilege", "installs", "contacts-unknown", "rust"];

/// What is done with a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterRole {
    /// No place, and nothing that runs.
    Data,
    /// Files that are read.
    Read,
    /// Names, sizes, times.
    Look,
    /// Files that are written.
    Write,
    /// Files that are written with what a server sent.
    Download,
    /// Files that are appended to.
    Append,
    /// Files whose owner, times or attributes change.
    Meta,
    /// Files that are deleted.
    Delete,
    /// Address that is fetched, or sent to where the call has something to send.
    Url,
    /// Address that is sent to.
    UrlSent,
    /// Host name.
    Host,
    /// How a request is made.
    Method,
    /// File that is sent.
    Sent,
    /// What is written or sent.
    Content,
    /// Block that is run.
    Script,
    /// Script that is run.
    File,
}

/// What a cmdlet puts out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CmdletOutput {
    /// What its arguments and its input decide.
    Other,
    /// Nothing.
    Nothing,
    /// What it was fed, or part of it.
    Input,
    /// The content of what it reads.
    Content,
    /// What a server sent.
    Network,
}

/// A parameter. A switch has no role.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct CmdletParameter {
    /// Its name, then its aliases.
    #[serde(borrow)]
    pub names: List<&'static str>,
    /// What its value is; `None` for a switch.
    pub role: Option<ParameterRole>,
    /// Place among the arguments without a name.
    pub position: Option<u8>,
    /// It takes what comes through the pipeline.
    pub piped: bool,
    /// Its value where none is given.
    #[serde(borrow)]
    pub default: Option<&'static str>,
}

/// What a cmdlet does beside the roles of its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CmdletDeed {
    /// It changes something that nobody loses.
    Acts,
    /// A finding: code and sentence.
    Finding(&'static str, &'static str),
    /// It takes rights over the system: why.
    Privilege(&'static str),
    /// It installs modules of this registry.
    Installs(&'static str),
    /// It reaches a host that the words don't name, by this scheme.
    Contacts(&'static str),
    /// A function of `doorward-shell`.
    Rust(&'static str),
}

/// A deed, and the parameters of which one must be given for it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct CmdletRule {
    /// Empty: always.
    #[serde(borrow)]
    pub given: List<&'static str>,
    /// What is done.
    pub deed: CmdletDeed,
}

/// A cmdlet.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct CmdletRow {
    /// Its name, then its aliases.
    #[serde(borrow)]
    pub names: List<&'static str>,
    /// Its parameters.
    pub parameters: List<CmdletParameter>,
    /// Nothing changes by it, but for what the roles say.
    pub reads: bool,
    /// What it puts out.
    pub prints: CmdletOutput,
    /// Switches with which it goes through folders with all that is below.
    #[serde(borrow)]
    pub recursive: List<&'static str>,
    /// What it does besides.
    pub rules: List<CmdletRule>,
}

impl CmdletParameter {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }
}

impl CmdletRow {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }
}

/// What a method does with its arguments, of which the first is a path, address, command or name where nothing else is
/// said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodAct {
    /// Computes and no more.
    Pure,
    /// Reads a file.
    Read,
    /// Reads names, sizes or times.
    Look,
    /// Writes the second argument to a file.
    Write,
    /// Makes a file, or opens it so that it may be written.
    Open,
    /// Appends the second argument to a file.
    Append,
    /// Deletes a file.
    Delete,
    /// Deletes a folder with everything below.
    DeleteTree,
    /// Copies the first to the second.
    Copy,
    /// Moves the first to the second.
    Move,
    /// Fetches an address.
    Fetch,
    /// Fetches the address in the second argument.
    FetchSecond,
    /// Fetches the first, writes the second.
    Download,
    /// Sends the other arguments to an address.
    Send,
    /// Sends the file that the last argument names to an address.
    SendFile,
    /// Reaches a host.
    Connect,
    /// Starts a program; the second argument holds its words.
    Words,
    /// Starts a command line.
    Shell,
    /// Runs code of PowerShell.
    Eval,
    /// Reads a variable of the environment.
    Env,
    /// Reads all variables of the environment.
    EnvAll,
    /// Sets a variable of the environment.
    SetEnv,
    /// Changes a key of the registry.
    Registry,
    /// Loads an assembly by its name, or from bytes.
    Load,
}

/// What a method does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MethodDeed {
    /// Something with its arguments.
    Act(MethodAct),
    /// A finding: code and sentence.
    Finding(&'static str, &'static str),
    /// It takes rights over the system: why.
    Privilege(&'static str),
}

/// One file under `cmdlets/`, or all of them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Cmdlets {
    /// Parameters of every cmdlet.
    pub common: Vec<CmdletParameter>,
    /// Aliases that are programs of their own where PowerShell doesn't define them.
    #[serde(borrow)]
    pub programs: Vec<&'static str>,
    /// The cmdlets.
    pub rows: Vec<CmdletRow>,
    /// Short names of types, and their full names in lower case.
    #[serde(borrow)]
    pub types: Vec<(&'static str, &'static str)>,
    /// Names of methods in lower case, in the order in which they are looked up; `*` stands for any letters.
    #[serde(borrow)]
    pub methods: Vec<(&'static str, MethodDeed)>,
    /// The tests: file, and what a command does.
    #[serde(skip)]
    pub examples: Vec<(String, Example)>,
}

impl Cmdlets {
    /// The bytes for [`Cmdlets::open`].
    ///
    /// # Errors
    /// A row that can't be written.
    pub fn pack(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_allocvec(self)
    }

    /// What [`Cmdlets::pack`] packed; nothing if these aren't its bytes.
    #[must_use]
    pub fn open(bytes: &'static [u8]) -> Self {
        postcard::from_bytes(bytes).unwrap_or_default()
    }
}

/// The folder with the cmdlets that are shipped.
#[must_use]
pub fn shipped_cmdlets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cmdlets")
}

/// Reads every file of a folder.
///
/// # Errors
/// The first file that can't be read or is wrong, and a name that stands twice.
pub fn load_cmdlets(folder: &Path) -> Result<Cmdlets, SpecError> {
    let mut all = Cmdlets::default();
    let mut names = BTreeSet::new();
    for (file, text) in crate::files(folder)? {
        parse_cmdlets(&file, &text, &mut all, &mut names)?;
    }
    Ok(all)
}

/// Reads one file; `names` are those of cmdlets that were read before.
fn parse_cmdlets(
    file: &str,
    text: &str,
    all: &mut Cmdlets,
    names: &mut BTreeSet<String>,
) -> Result<(), SpecError> {
    let reader = Reader::new(file, text);
    let document = reader.document()?;
    let mut groups: Vec<(String, Vec<CmdletParameter>)> = Vec::new();
    let mut has_source = false;
    for node in &document {
        match reader.one_of(node, "key of a file of cmdlets", &node.name, FILE.iter().copied())? {
            "source" => has_source = reader.source(node).map(|_| true)?,
            "options" => groups.push((reader.only(node)?, reader.parameters(node)?)),
            "common" => all.common.extend(reader.parameters(node)?),
            "programs" => all.programs.extend(node.values.iter().map(|name| lower(name))),
            "types" => {
                for line in &node.children {
                    all.types.push((lower(&line.name), lower(&reader.only(line)?)));
                }
            }
            "methods" => {
                for block in &node.children {
                    let deed = reader.method_deed(block)?;
                    let lines = block.children.iter();
                    let own = lines.flat_map(|line| std::iter::once(&line.name).chain(&line.values));
                    all.methods.extend(own.map(|name| (lower(name), deed)));
                }
            }
            "examples" => {
                for line in &node.children {
                    all.examples.push((file.to_owned(), reader.example(line)?));
                }
            }
            _ => {
                let row = reader.cmdlet(node, &groups)?;
                if let Some(twice) = row.names.iter().find(|name| !names.insert(name.to_ascii_lowercase())) {
                    return Err(reader.error(node, format!("`{twice}` is listed twice")));
                }
                all.rows.push(row);
            }
        }
    }
    if has_source { Ok(()) } else { Err(reader.error_at(1, "no `source` is named")) }
}

fn lower(name: &str) -> &'static str {
    text(name.to_ascii_lowercase())
}

fn kept(words: &[String]) -> List<&'static str> {
    words.iter().map(|word| text(word.clone())).collect()
}

impl Reader<'_> {
    fn cmdlet(&self, node: &Node, groups: &[(String, Vec<CmdletParameter>)]) -> Result<CmdletRow, SpecError> {
        if node.values.is_empty() {
            return Err(self.error(node, "it has no name"));
        }
        let mut parameters = Vec::new();
        let mut rules = Vec::new();
        let mut row = CmdletRow {
            names: kept(&node.values),
            parameters: List::EMPTY,
            reads: false,
            prints: CmdletOutput::Other,
            recursive: List::EMPTY,
            rules: List::EMPTY,
        };
        for child in &node.children {
            let keys = CMDLET.iter().chain(ACTS).copied();
            match self.one_of(child, "key of a cmdlet", &child.name, keys)? {
                "does" => {
                    let does = self.only(child)?;
                    row.reads =
                        self.one_of(child, "value of `does`", &does, ["reads", "works"].into_iter())?
                            == "reads";
                }
                "prints" => row.prints = self.known(child, "value of `prints`", &self.only(child)?)?,
                "options" => parameters.extend(self.parameters(child)?),
                "use" => {
                    let name = self.only(child)?;
                    let group = groups.iter().find(|(own, _)| *own == name);
                    let missing = || self.error(child, format!("no `options {name}` stands above"));
                    parameters.extend(group.ok_or_else(missing)?.1.iter().copied());
                }
                "recursive" => row.recursive = self.parameter_names(child, &child.values)?,
                "when" => {
                    let has = self.named(child, &["has"])?.remove("has").unwrap_or_default();
                    let has: Vec<String> = has.split_ascii_whitespace().map(str::to_owned).collect();
                    let given = self.parameter_names(child, &has)?;
                    for act in &child.children {
                        rules.push(CmdletRule { given, deed: self.deed(act)? });
                    }
                }
                _ => rules.push(CmdletRule { given: List::EMPTY, deed: self.deed(child)? }),
            }
        }
        self.no_parameter_twice(node, &parameters)?;
        let listed = |name: &str| parameters.iter().any(|own| own.names.contains(&name));
        let asked = rules.iter().flat_map(|rule| rule.given.iter()).chain(row.recursive.iter());
        if let Some(missing) = asked.copied().find(|name| !listed(name)) {
            return Err(self.error(node, format!("`-{missing}` is asked for and isn't listed")));
        }
        row.parameters = parameters.into();
        row.rules = rules.into();
        Ok(row)
    }

    fn no_parameter_twice(&self, node: &Node, parameters: &[CmdletParameter]) -> Result<(), SpecError> {
        let mut seen = BTreeSet::new();
        let mut names = parameters.iter().flat_map(|parameter| parameter.names.iter());
        match names.find(|name| !seen.insert(name.to_ascii_lowercase())) {
            Some(twice) => Err(self.error(node, format!("`-{twice}` is listed twice"))),
            None => Ok(()),
        }
    }

    fn known<T: serde::de::DeserializeOwned>(
        &self,
        node: &Node,
        what: &str,
        value: &str,
    ) -> Result<T, SpecError> {
        self.one_of(node, what, value, words_of::<T>().iter().copied())?;
        word(value).ok_or_else(|| self.error(node, format!("`{value}` can't be said here")))
    }

    /// Names of parameters without the dash in front of each.
    fn parameter_names(&self, node: &Node, names: &[String]) -> Result<List<&'static str>, SpecError> {
        let bare = |name: &String| {
            let bare = name.strip_prefix('-').filter(|bare| !bare.is_empty() && !bare.starts_with('-'));
            bare.map(|bare| text(bare.to_owned()))
                .ok_or_else(|| self.error(node, format!("`{name}` is no parameter: it must start with `-`")))
        };
        names.iter().map(bare).collect()
    }

    /// `-Path -PSPath value=read at=0 pipe=yes`; `values -A -B` and `switches -C -D` list those of which no more is
    /// said.
    fn parameters(&self, node: &Node) -> Result<Vec<CmdletParameter>, SpecError> {
        let mut parameters = Vec::new();
        for line in &node.children {
            let role = match line.name.as_str() {
                "values" => Some(ParameterRole::Data),
                "switches" => None,
                _ => {
                    parameters.push(self.parameter(line)?);
                    continue;
                }
            };
            for name in &*self.parameter_names(line, &line.values)? {
                let names = vec![*name].into();
                parameters.push(CmdletParameter { names, role, position: None, piped: false, default: None });
            }
        }
        Ok(parameters)
    }

    fn parameter(&self, line: &Node) -> Result<CmdletParameter, SpecError> {
        let mut names = vec![line.name.clone()];
        names.extend(line.values.clone());
        let named = self.named(line, &["value", "at", "pipe", "else"])?;
        let role = named.get("value").map(|role| self.known(line, "role", role)).transpose()?;
        let position = named.get("at").map(|at| {
            at.parse().map_err(|_| self.error(line, format!("`at={at}` is no place: they begin with 0")))
        });
        if let Some(pipe) = named.get("pipe") {
            self.one_of(line, "value of `pipe`", pipe, ["yes"].into_iter())?;
        }
        if role.is_none() && !named.is_empty() {
            return Err(self.error(line, "a switch has no place and no value: what is `value=`?"));
        }
        Ok(CmdletParameter {
            names: self.parameter_names(line, &names)?,
            role,
            position: position.transpose()?,
            piped: named.contains_key("pipe"),
            default: named.get("else").map(|default| text(default.clone())),
        })
    }

    fn deed(&self, node: &Node) -> Result<CmdletDeed, SpecError> {
        Ok(match self.one_of(node, "act of a cmdlet", &node.name, ACTS.iter().copied())? {
            "acts" => CmdletDeed::Acts,
            "finding" => self.finding(node).map(|(code, says)| CmdletDeed::Finding(code, says))?,
            "privilege" => CmdletDeed::Privilege(self.privilege(node)?),
            "installs" => CmdletDeed::Installs(text(self.only(node)?)),
            "contacts-unknown" => {
                self.one_of(node, "direction", &self.only(node)?, ["both"].into_iter())?;
                let scheme = self.named(node, &["scheme"])?.remove("scheme").unwrap_or_default();
                CmdletDeed::Contacts(text(scheme))
            }
            _ => CmdletDeed::Rust(text(self.only(node)?)),
        })
    }

    fn method_deed(&self, node: &Node) -> Result<MethodDeed, SpecError> {
        match node.name.as_str() {
            "finding" => self.finding(node).map(|(code, says)| MethodDeed::Finding(code, says)),
            "privilege" => self.privilege(node).map(MethodDeed::Privilege),
            act => self.known(node, "act of methods", act).map(MethodDeed::Act),
        }
    }

    /// Code and sentence of a finding.
    fn finding(&self, node: &Node) -> Result<(&'static str, &'static str), SpecError> {
        let [code, says] = node.values.as_slice() else {
            return Err(self.error(node, "`finding` takes a code and a sentence"));
        };
        self.one_of(node, "code of a finding", code, FINDINGS.iter().copied())?;
        Ok((text(format!("shell.{code}")), text(says.clone())))
    }

    /// Why rights over the system are taken.
    fn privilege(&self, node: &Node) -> Result<&'static str, SpecError> {
        let [kind, why] = node.values.as_slice() else {
            return Err(self.error(node, "`privilege` takes `root` and a sentence"));
        };
        self.one_of(node, "kind of rights of a cmdlet", kind, ["root"].into_iter())?;
        Ok(text(why.clone()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Cmdlets, parse_cmdlets};

    #[test]
    fn mistakes_are_named_with_their_line_and_what_would_be_right() {
        let source = "source \"x\" version=\"1\" read=\"taken-over\"\n";
        let cmdlet = |body: &str| format!("{source}cmdlet X-Y {{\n{body}\n}}");
        for (text, line, says) in [
            (format!("{source}cmdlt X"), 2, "did you mean `cmdlet`?"),
            (cmdlet("does raeds"), 3, "did you mean `reads`?"),
            (cmdlet("options {\n-Path value=raed\n}"), 4, "did you mean `read`?"),
            (cmdlet("options {\nPath value=read\n}"), 4, "must start with `-`"),
            (cmdlet("options {\n-Path at=0\n}"), 4, "a switch has no place"),
            (cmdlet("options {\n-A -B\nvalues -b\n}"), 2, "`-b` is listed twice"),
            (cmdlet("use web"), 3, "no `options web`"),
            (cmdlet("recursive -Recurse"), 2, "`-Recurse` is asked for"),
            (cmdlet("finding data_los \"x\""), 3, "did you mean `data_loss`?"),
            (format!("{source}cmdlet A b {{\n}}\ncmdlet B {{\n}}"), 4, "`B` is listed twice"),
            (format!("{source}methods {{\nraed {{\n.A\n}}\n}}"), 3, "did you mean `read`?"),
            ("cmdlet A {\n}".to_owned(), 1, "no `source`"),
        ] {
            let read = parse_cmdlets("x", &text, &mut Cmdlets::default(), &mut BTreeSet::new());
            let error = read.expect_err(&text);
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.message.contains(says), "{text}: {error}");
        }
    }
}
