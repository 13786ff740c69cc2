//! Files that a command mentions without anybody knowing what for. A program that nobody described may obey a script or
//! settings that it is given, and so may any program that is given settings from outside the project: such a file is
//! read as if it ran, and counts only where it would do harm. What bash evaluates as a number may run commands, too.

use doorward_core::effect::{JudgedFile, Scope};
use doorward_core::id::Digest;
use doorward_core::intent::{Form, Intent, Mention, MentionKind, ModuleLoad, SimpleCommand, Span};
use doorward_core::risk::SecurityRisk;
use doorward_core::world::Unseen;
use doorward_paths::lexical;

use super::{FILES, Follow, Script, in_file};
use crate::place::Use;
use crate::{loads, picked, readable, recipes};

/// Endings of settings, and of scripts in languages without a reader here.
const ENDINGS: &[&str] = &[
    ".cf", ".cfg", ".ck", ".cnf", ".conf", ".cr", ".csd", ".d", ".el", ".exs", ".fnl", ".gd", ".hcl", ".ini",
    ".jl", ".nf", ".nim", ".nomad", ".r", ".rc", ".scm", ".scr", ".smk", ".sub", ".tcl", ".toml", ".vd",
    ".xml", ".yaml", ".yml", ".zig",
];

/// Folders of the system: what is installed there nobody brought for this call.
const INSTALLED: &[&str] =
    &["/bin/", "/dev/", "/etc/", "/lib/", "/lib64/", "/nix/", "/opt/", "/proc/", "/sys/", "/usr/"];

impl Follow<'_, '_> {
    /// What the mentioned files would do.
    pub(super) fn mentioned(&mut self, intent: &Intent) {
        for mention in intent.mentions.iter().filter(|mention| mention.path.form == Form::Literal).take(FILES)
        {
            let place = self.ground.place(&mention.path, Use::Read);
            match mention.kind {
                MentionKind::Arithmetic => self.evaluated(&place.path, mention),
                MentionKind::Described if place.scope == Scope::Inside => {}
                MentionKind::Described | MentionKind::Unlisted => {
                    self.obeyed(&place.path, mention.path.span);
                }
            }
        }
        for command in intent.commands.iter().filter(|command| command.unlisted).take(FILES) {
            self.named_module(command);
        }
    }

    /// A file of which nobody knows whether the program obeys it.
    fn obeyed(&mut self, path: &str, span: Span) {
        let is_own =
            |path: &str| !self.around.contains_key(path) && !picked::disk::is_strange(self.ground, path);
        let installed = INSTALLED.iter().any(|folder| path.starts_with(folder));
        if installed || is_own(path) || picked::disk::is_installed(self.ground, path) {
            return;
        }
        let Some(text) = self.content(path).ok().filter(|text| !text.contains('\0')) else { return };
        let lower = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        let named =
            recipes::language_of_file(path, &text).filter(|_| lower.contains('.') || text.starts_with("#!"));
        let script = match named.as_deref() {
            Some("notebook") => {
                readable::readable("notebook", &text).map(|(language, text)| Script { language, text })
            }
            Some(language) => Some(Script { language: language.to_owned(), text: text.clone() }),
            None if !lower.contains('.') || ENDINGS.iter().any(|ending| lower.ends_with(ending)) => {
                Some(Script { language: "markup".to_owned(), text: text.clone() })
            }
            None => None,
        };
        let Some(script) = script else { return };
        let said = in_file(path, self.analyze(&script, Some(path), "", None));
        if self.risk(said.clone()) == SecurityRisk::High {
            self.judge(path, &text);
            self.found.absorb(said, span);
        }
    }

    /// Modules that a launcher may load: `app:main`, `worker.Settings`, `tasks`.
    fn named_module(&mut self, command: &SimpleCommand) {
        let folder = lexical::join(&self.ground.call.cwd, &command.folder);
        let is_name = |word: &&String| {
            word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
                && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "_.:".contains(letter))
        };
        for word in command.words.iter().skip(1).filter(is_name).take(FILES) {
            let name = word.split(':').next().unwrap_or(word).to_owned();
            let (language, span) = ("python".to_owned(), command.span);
            let module = ModuleLoad { language, name, folder: folder.clone(), span };
            for path in loads::files_of(&module, std::slice::from_ref(&folder), &|path| self.is_there(path)) {
                self.obeyed(&path, span);
            }
        }
    }

    /// A file whose content is evaluated as a number: bash runs the substitutions in a subscript (bash(1), arithmetic
    /// evaluation).
    fn evaluated(&mut self, path: &str, mention: &Mention) {
        let span = mention.path.span;
        match self.content(path) {
            Ok(text) => {
                self.judge(path, &text);
                if text.contains("$(") || text.contains('`') {
                    let text = format!(": <<END_OF_VALUE\n{text}\nEND_OF_VALUE\n");
                    let said = self.analyze(&Script { language: "shell".to_owned(), text }, None, "", None);
                    self.found.absorb(in_file(path, said), span);
                }
            }
            Err(Unseen::Missing) => {}
            // Nobody can say that it is a number.
            Err(_) => {
                let words = vec!["let".to_owned(), "…".to_owned()];
                let (program, unknown_words) = ("let".to_owned(), vec![1]);
                let command =
                    SimpleCommand { words, program, unknown_words, span, ..SimpleCommand::default() };
                self.found.commands.push(command);
            }
        }
    }

    /// A verdict rests on what the file says now.
    fn judge(&mut self, path: &str, text: &str) {
        if !self.own.contains(path) {
            self.judged.push(JudgedFile { path: path.to_owned(), digest: Digest::of(text.as_bytes()) });
        }
    }
}
