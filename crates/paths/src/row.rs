//! Judges one row of a batch: takes a path, an operation, roots and a working folder; returns scope and code. Roots
//! are strict and no mode applies. Looks at files, but changes nothing.

use std::path::Path;

use doorward_core::call::{OutsideRoots, Root};

use crate::access::{Access, Operation};
use crate::archive::{ArchiveMembers, Limits, Member};
use crate::check::PathVerdict;
use crate::code::{Answer, Code, PathRefusal};
use crate::root::Roots;

/// Judges a path row. `allow` with `path.not_found` means in scope but missing.
#[must_use]
pub fn scope_row(input: &str, operation: &str, roots: &[Root], cwd: &str) -> (Answer, Option<Code>) {
    match Roots::open(roots) {
        Ok(roots) => scope_in(&roots, input, operation, Path::new(cwd)),
        Err(error) => (Answer::Deny, Some(error.code)),
    }
}

/// The same with roots that are already open.
#[must_use]
pub(crate) fn scope_in(roots: &Roots, input: &str, operation: &str, cwd: &Path) -> (Answer, Option<Code>) {
    let Some(operation) = Operation::parse(operation) else { return (Answer::Deny, Some(Code::WrongKind)) };
    let check = |path: &str, access: &Access| roots.check(path, access, cwd, OutsideRoots::Strict);
    let verdicts: Vec<PathVerdict> = match &operation {
        Operation::One(access) => vec![check(input, access)],
        Operation::Two(access, other, other_access) => vec![check(input, access), check(other, other_access)],
        Operation::Extract(member) => {
            if let Err(refusal) = ArchiveMembers::new(Limits::default()).next(member, Member::File(0)) {
                return answer_of(&refusal);
            }
            vec![check(input, &Access::Read), check(member, &Access::Write)]
        }
        Operation::ExtractLink(target) => {
            let mut members = ArchiveMembers::new(Limits::default());
            let planted = members
                .next("link", Member::Symlink(target))
                .and_then(|()| members.next("link/member", Member::File(0)));
            if let Err(refusal) = planted {
                return answer_of(&refusal);
            }
            vec![check(input, &Access::Read)]
        }
    };
    verdicts
        .iter()
        .map(|verdict| (verdict.answer, verdict.code))
        .max_by_key(|(answer, code)| (*answer, code.is_some()))
        .unwrap_or((Answer::Deny, Some(Code::Io)))
}

const fn answer_of(refusal: &PathRefusal) -> (Answer, Option<Code>) {
    (refusal.answer, Some(refusal.code))
}
