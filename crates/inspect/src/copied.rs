//! Files that a call copies, or packs and unpacks, before it runs them under their new name.

use doorward_core::intent::{Intent, SimpleCommand, Span};
use doorward_paths::lexical;

use crate::place::{CallContext, Use};

/// Programs that put files into an archive; what is unpacked later in the call may be these.
const PACK: &[&str] = &["7z", "7za", "bsdtar", "cpio", "jar", "pax", "star", "tar", "zip"];
/// Programs that give a file a second name or a copy.
const COPY: &[&str] = &["cp", "dd", "gcp", "ginstall", "gmv", "install", "link", "ln", "mv", "rsync"];

/// What a call copies and packs, by absolute paths.
#[derive(Debug, Default)]
pub(crate) struct Copied {
    packed: Vec<String>,
    /// The new name, or the folder that holds it, and what it is a copy of.
    copies: Vec<(String, String)>,
}

impl Copied {
    pub(crate) fn of(intent: &Intent, ground: &CallContext<'_>) -> Self {
        let mut copied = Self::default();
        for command in &intent.commands {
            let folder = lexical::join(&ground.call.cwd, &command.folder);
            if PACK.contains(&command.program.as_str()) {
                let names = command.words.iter().skip(1).filter(|word| !word.starts_with('-'));
                copied.packed.extend(names.map(|word| lexical::join(&folder, word)));
            }
            if COPY.contains(&command.program.as_str()) {
                copied.copies.extend(copies(command, intent, ground));
            }
        }
        copied
    }

    /// The files that one of this path may be a copy of.
    pub(crate) fn sources(&self, path: &str, is_there: &dyn Fn(&str) -> bool) -> Vec<String> {
        let leaf = path.rsplit('/').next().unwrap_or(path);
        let same_name = |source: &str| source.rsplit('/').next() == Some(leaf);
        let copies = self
            .copies
            .iter()
            .filter(|(to, from)| to == path || lexical::is_within(path, to) && same_name(from))
            .map(|(_, from)| from.clone());
        // Of an archive, any end of the path may be the name of the member.
        let ends = || {
            path.char_indices()
                .filter(|(_, letter)| *letter == '/')
                .map(|(at, _)| path.get(at + 1..).unwrap_or_default())
        };
        let members = self.packed.iter().flat_map(|packed| {
            let below = ends().map(move |end| lexical::join(packed, end));
            below.chain(same_name(packed).then(|| packed.clone()))
        });
        let mut found: Vec<String> = Vec::new();
        for source in copies.chain(members) {
            if source != path && !found.contains(&source) && is_there(&source) {
                found.push(source);
            }
        }
        found
    }
}

/// What a command copies: its writes, each with what it moves there or reads.
fn copies(command: &SimpleCommand, intent: &Intent, ground: &CallContext<'_>) -> Vec<(String, String)> {
    let within = |span: Span| command.span.start <= span.start && span.end <= command.span.end;
    let mut all = Vec::new();
    for write in intent.writes.iter().filter(|write| within(write.path.span)) {
        let to = ground.place(&write.path, Use::Write).path;
        let read = intent.reads.iter().filter(|read| !read.metadata && within(read.path.span));
        let from = read.map(|read| &read.path).chain(&write.moved_from);
        all.extend(from.map(|from| (to.clone(), ground.place(from, Use::Read).path)));
    }
    all
}
