//! Calls that run commands or delete, handed over as values: `sorted(lines, key=os.system)`.
//!
//! Whoever is given such a call may call it with what nobody here sees. It is no disguise where the call itself was
//! followed, where the value is still known afterwards, and where nothing but its name is looked at.

use super::item::{Given, Item};
use super::run::Run;
use crate::languages::rules::{Act, NameRole, is};

impl Run<'_> {
    /// Makes a call, and says so if it was given what runs commands or deletes and nobody saw that run.
    pub(super) fn watched(
        &mut self,
        callee: &str,
        given: &[Given],
        call: impl FnOnce(&mut Self) -> Item,
    ) -> Item {
        let Some(runner) = given.iter().find_map(|given| self.runner(&given.item)) else { return call(self) };
        let before = self.acts_seen();
        let item = call(self);
        let last = callee.rsplit('.').next().unwrap_or(callee);
        let pure = is(NameRole::NeverCalls, last) || last.starts_with("assert");
        if !pure && !holds(&item, &runner) && self.acts_seen() == before {
            self.unnamed(&format!("{runner} is handed over to be called"));
        }
        item
    }

    fn runner(&self, item: &Item) -> Option<String> {
        match item {
            Item::Library(name) if name.contains('.') => {
                let deletes = |act: Act| matches!(act, Act::Delete | Act::DeleteTree);
                let acts = self.language.exact(name).is_some_and(|act| act.runs() || deletes(act));
                acts.then(|| name.to_string())
            }
            Item::Partial(partial) => self.runner(&partial.0),
            Item::Either(items) => items.iter().find_map(|item| self.runner(item)),
            _ => None,
        }
    }

    /// How much the code was seen to do.
    fn acts_seen(&self) -> usize {
        let deeds = &self.effects.deeds;
        deeds.runs.len() + deeds.deletes.len() + deeds.writes.len() + deeds.findings.len()
    }
}

fn holds(item: &Item, runner: &str) -> bool {
    match item {
        Item::Library(name) => **name == *runner,
        Item::Partial(partial) => holds(&partial.0, runner),
        Item::Either(items) => items.iter().any(|item| holds(item, runner)),
        Item::List(items) => items.iter().any(|item| holds(item, runner)),
        Item::Map(pairs) => pairs.iter().any(|(_, item)| holds(item, runner)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::testing::check;

    #[test]
    fn a_runner_is_not_handed_over_unseen() {
        check(
            "python",
            &[
                ("import os; sorted(['rm x'], key=os.system)", "obfuscated"),
                (
                    "import os, argparse\np = argparse.ArgumentParser()\np.add_argument('x', type=os.system)",
                    "obfuscated",
                ),
                ("import os; d = {'a': os.system}; d['a']('rm x')", "sh rm x"),
                ("import os\nclass A: __class_getitem__ = os.system\nA['rm x']", "sh rm x"),
                ("import os, atexit; atexit.register(os.remove, 'a')", "delete-f a"),
                (
                    "import subprocess\nfrom functools import partial\nrun = partial(subprocess.run, check=True)",
                    "code.snippet",
                ),
                ("import shutil\nx = isinstance(shutil.rmtree, object)", "code.snippet"),
            ],
        );
        check(
            "javascript",
            &[
                (
                    "const {exec} = require('child_process'); const run = require('util').promisify(exec)",
                    "code.snippet",
                ),
                ("Object.values(require('child_process'))[3]('rm x')", "obfuscated"),
                ("new Proxy({}, {get: (t, k) => require('child_process').execSync(k)})['rm x']", "sh rm x"),
            ],
        );
    }

    #[test]
    fn names_of_a_library_are_found_however_they_are_taken() {
        check(
            "python",
            &[
                ("from ctypes import *; cdll.LoadLibrary('libc.so.6')['unlink'](b'a')", "obfuscated"),
                ("import webbrowser; webbrowser.get('rm x %s').open('y')", "fetch y; sh rm x %s"),
                ("import distutils.dir_util; distutils.dir_util.remove_tree('a')", "delete-rf a"),
                ("import tempfile; tempfile.TemporaryDirectory._rmtree('a')", "delete-rf a"),
                ("import logging; logging.basicConfig(filename='a', filemode='w')", "truncate a"),
                ("import logging; logging.FileHandler('a')", "append a"),
                ("import wave; wave.open('a', 'wb')", "truncate a"),
                ("import io; io.FileIO('a', 'w')", "truncate a"),
                ("import io; io.FileIO('a')", "read a"),
                ("import fileinput; fileinput.input('a', inplace=True)", "inplace a"),
                ("import fileinput; fileinput.input('a')", "read a"),
                ("import shelve; shelve.open('a')", "create a"),
            ],
        );
    }
}
