//! `copies` and `moves` of the specs: `SOURCE... TARGET`, or `SOURCE...` with an option that names the folder.

use doorward_core::intent::{Below, Direction, WriteMode};
use doorward_knowledge::effect::{Copies, Copying};

use crate::deed::Word;

use super::call::Call;
use super::picks;
use super::word;

pub(crate) fn apply(call: &mut Call<'_>, copying: &Copying) {
    let mut sources = picks::words(call, &copying.pick);
    let folder = copying.into.iter().find_map(|option| call.value(option));
    let alone = folder.is_none() && sources.len() == 1;
    let target = if alone { None } else { folder.clone().or_else(|| sources.pop()) };
    let into = folder.is_some() || sources.len() > 1 || target.as_ref().is_some_and(is_folder);
    if copying.kind == Copies::Move {
        let Some(target) = target else { return };
        return sources.iter().for_each(|source| call.move_to(source, &lands_at(source, &target, into)));
    }
    if copying.kind == Copies::Made {
        return make(call, &sources, target);
    }
    let below = if call.any(&copying.whole) { Below::Everything } else { Below::Nothing };
    sources.iter().for_each(|source| call.read_below(source, below));
    let Some(target) = target else {
        // Alone it lands here, under its own name.
        if let Some(name) = sources.first().and_then(|source| source.text.rsplit('/').next()) {
            let name = name.to_owned();
            call.write_named(&name, WriteMode::Create);
        }
        return;
    };
    let empties =
        copying.kind != Copies::Soft && sources.first().is_some_and(|file| file.text == "/dev/null");
    let mode = if empties { WriteMode::Truncate } else { WriteMode::Create };
    sources.iter().for_each(|source| call.write(&lands_at(source, &target, into), mode));
    if copying.kind == Copies::Hard {
        // A second name for the same file: whoever may write there from now on writes here.
        sources.iter().for_each(|source| call.write(source, WriteMode::Metadata));
    }
}

/// `convert a.png b.jpg`: addresses are fetched, or sent to.
fn make(call: &mut Call<'_>, sources: &[Word], target: Option<Word>) {
    let is_address = |word: &Word| word.text.contains("://");
    for source in sources {
        if is_address(source) {
            let direction = if target.is_none() { Direction::Both } else { Direction::Fetch };
            call.contact(source, "https", direction, Vec::new());
        } else {
            call.read(source);
        }
    }
    match target {
        Some(target) if is_address(&target) => call.contact(&target, "https", Direction::Both, Vec::new()),
        Some(target) => call.write(&target, WriteMode::Create),
        None => {}
    }
}

fn is_folder(target: &Word) -> bool {
    target.text.ends_with('/') || target.text == "." || target.text == ".."
}

/// Where `source` ends up.
pub(super) fn lands_at(source: &Word, target: &Word, into: bool) -> Word {
    // The temp folder is a folder wherever it is.
    let into = into || matches!(target.text.as_str(), "/tmp" | "/var/tmp");
    if !into || target.known().is_none() {
        return target.clone();
    }
    let name = source.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let folder = target.text.trim_end_matches('/');
    let path = match (folder, target.text.is_empty()) {
        ("", false) => format!("/{name}"),
        (".", _) => name.to_owned(),
        (folder, _) => format!("{folder}/{name}"),
    };
    let mut landed = word::instead(target, path);
    landed.form = source.form;
    if matches!(name, "" | "." | "..") {
        landed = target.clone();
    }
    landed
}
