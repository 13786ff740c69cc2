//! Path patterns in rules, as in gitignore: `./` and inner slashes are relative to the project, `~/` to home, `//` is
//! absolute, and a name without a slash matches at any depth. A pattern that matches a folder covers its content.

use doorward_core::call::{RootAccess, ToolCall};
use doorward_core::intent::Certainty;

use super::command::RuleMatch;

/// Base folders of relative patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    /// The working root.
    project: String,
    /// Other roots and the working folder; a deny is relative to these too.
    others: Vec<String>,
    home: Option<String>,
}

impl Places {
    pub(crate) fn of(call: &ToolCall, home: Option<&str>) -> Self {
        let mut roots =
            call.roots.iter().filter(|root| root.access == RootAccess::Write).map(|root| clean(&root.path));
        let project = roots.next().unwrap_or_else(|| clean(&call.cwd));
        let mut others: Vec<String> = roots.collect();
        others.push(clean(&call.cwd));
        Self { project, others, home: home.map(clean) }
    }

    pub(crate) fn example(home: Option<&str>) -> Self {
        Self { project: "/project".to_owned(), others: Vec::new(), home: home.map(clean) }
    }

    /// The absolute path of an example, which is relative to the project.
    pub(crate) fn absolute(&self, text: &str) -> String {
        if text.starts_with('/') {
            return clean(text);
        }
        match text.strip_prefix("~/") {
            Some(rest) => format!("{}/{rest}", self.home.as_deref().unwrap_or("/home/user")),
            None => clean(&format!("{}/{}", self.project, text.trim_start_matches("./"))),
        }
    }
}

fn clean(path: &str) -> String {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() { "/".to_owned() } else { trimmed.to_owned() }
}

/// A path pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathRule {
    from: GlobAnchor,
    segments: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GlobAnchor {
    /// `//etc/x`
    Root,
    /// `~/x`
    Home,
    /// `./x`, `a/b`
    Project,
    /// `/x`: relative to the project, as in gitignore; a deny also takes it as an absolute path.
    Slash,
    /// `x`: at any depth.
    Anywhere,
}

impl PathRule {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (from, rest) = if let Some(rest) = text.strip_prefix("//") {
            (GlobAnchor::Root, rest)
        } else if let Some(rest) = text.strip_prefix("~/") {
            (GlobAnchor::Home, rest)
        } else if text == "~" {
            (GlobAnchor::Home, "")
        } else if let Some(rest) = text.strip_prefix("./") {
            (GlobAnchor::Project, rest)
        } else if let Some(rest) = text.strip_prefix('/') {
            (GlobAnchor::Slash, rest)
        } else if text.trim_end_matches('/').contains('/') {
            (GlobAnchor::Project, text)
        } else {
            (GlobAnchor::Anywhere, text)
        };
        let segments: Vec<String> =
            rest.split('/').filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect();
        if segments.iter().any(|part| part == "..") {
            return Err(format!("`{text}`: a pattern doesn't climb; write `//` and the absolute path"));
        }
        if segments.is_empty() && !matches!(from, GlobAnchor::Root | GlobAnchor::Home | GlobAnchor::Project) {
            return Err(format!("`{text}` names no path"));
        }
        if text.contains('\0') || text.starts_with('!') {
            return Err(format!("`{text}`: rules don't negate; deny beats ask beats allow"));
        }
        Ok(Self { from, segments })
    }

    /// The first component of a pattern with one leading slash.
    pub(crate) fn first_after_slash(&self) -> Option<&str> {
        (self.from == GlobAnchor::Slash).then(|| self.segments.first().map(String::as_str))?
    }

    /// Whether an allow covers the path.
    pub(crate) fn allows(&self, path: &str, places: &Places) -> bool {
        let bases = match self.from {
            GlobAnchor::Root => vec!["/".to_owned()],
            GlobAnchor::Home => places.home.iter().cloned().collect(),
            GlobAnchor::Project | GlobAnchor::Slash | GlobAnchor::Anywhere => vec![places.project.clone()],
        };
        bases.iter().any(|base| self.matches_below(base, path))
    }

    /// Whether a deny matches the path. `whole`: everything below the path is affected too.
    pub(crate) fn denies(&self, path: &str, certainty: Certainty, whole: bool, places: &Places) -> RuleMatch {
        if self.bases(places).iter().any(|base| self.matches_below(base, path)) {
            return RuleMatch::Sure;
        }
        let unknown = path.contains('…');
        let globbed = certainty == Certainty::May && path.contains(['*', '?', '[', '{']);
        let known = path.split(['…', '*', '?', '[', '{']).next().unwrap_or_default();
        let known = known.rsplit_once('/').map_or("", |(folder, _)| folder);
        let above = |folder: &str| {
            self.bases(places).iter().any(|base| {
                let literal = self.literal_below(base);
                is_below(&literal, folder) || literal == folder || is_below(folder, &literal)
            })
        };
        if unknown && (known.is_empty() || above(known)) {
            return RuleMatch::Maybe;
        }
        if globbed && above(known) && self.bases(places).iter().any(|base| self.could_meet(base, path)) {
            return RuleMatch::Maybe;
        }
        // Removing a folder also removes a denied file in it.
        let contains =
            whole && self.bases(places).iter().any(|base| is_below(&self.literal_below(base), path));
        if contains { RuleMatch::Sure } else { RuleMatch::No }
    }

    fn bases(&self, places: &Places) -> Vec<String> {
        let project = || {
            let mut all = vec![places.project.clone()];
            all.extend(places.others.iter().cloned());
            all
        };
        match self.from {
            GlobAnchor::Root => vec!["/".to_owned()],
            GlobAnchor::Home => places
                .home
                .clone()
                .map_or_else(|| vec!["/root".to_owned(), "/home/*".to_owned()], |home| vec![home]),
            GlobAnchor::Project => project(),
            GlobAnchor::Slash => {
                let mut all = project();
                all.push("/".to_owned());
                all
            }
            // A name without a slash matches anywhere.
            GlobAnchor::Anywhere => vec!["/".to_owned()],
        }
    }

    fn matches_below(&self, base: &str, path: &str) -> bool {
        let base: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
        let path: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        if path.len() < base.len()
            || !base.iter().zip(&path).all(|(pattern, part)| *pattern == "*" || pattern == part)
        {
            return false;
        }
        let rest = path.get(base.len()..).unwrap_or_default();
        let segments: Vec<&str> = self.segments.iter().map(String::as_str).collect();
        match self.from {
            GlobAnchor::Anywhere => {
                (0..rest.len()).any(|start| prefix_matches(&segments, rest.get(start..).unwrap_or_default()))
            }
            _ => prefix_matches(&segments, rest),
        }
    }

    /// Whether a path that the command's pattern matches could be one that this rule matches.
    fn could_meet(&self, base: &str, pattern: &str) -> bool {
        if pattern.contains('{') {
            return true;
        }
        let mut segments: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
        if self.from == GlobAnchor::Anywhere {
            segments.push("**");
        }
        segments.extend(self.segments.iter().map(String::as_str));
        let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
        patterns_meet(&segments, &parts)
    }

    /// The part of the pattern, below `base`, before its first wildcard.
    fn literal_below(&self, base: &str) -> String {
        let base = base.trim_end_matches("/*").trim_end_matches('/');
        if self.from == GlobAnchor::Anywhere {
            return if base.is_empty() { "/".to_owned() } else { base.to_owned() };
        }
        let literal = self.segments.iter().take_while(|part| !part.contains(['*', '?', '[']));
        literal.fold(base.to_owned(), |path, part| format!("{path}/{part}"))
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    folder == "/" && path != "/" || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether the pattern matches the path or a parent folder.
fn prefix_matches(pattern: &[&str], path: &[&str]) -> bool {
    // Work is bounded by (pattern segments) × (path segments): a table of reachable states, no recursion.
    let mut reached = vec![false; pattern.len() + 1];
    mark(&mut reached, 0, pattern);
    if reached.last() == Some(&true) {
        return true;
    }
    for part in path {
        let mut next = vec![false; pattern.len() + 1];
        for (at, segment) in pattern.iter().enumerate() {
            if reached.get(at) != Some(&true) {
                continue;
            }
            if *segment == "**" {
                mark(&mut next, at, pattern);
                mark(&mut next, at + 1, pattern);
            } else if segment_matches(segment, part) {
                mark(&mut next, at + 1, pattern);
            }
        }
        reached = next;
        if reached.last() == Some(&true) {
            return true;
        }
    }
    false
}

/// Whether one path could match both a rule's segments and a command's pattern, or lie below a path that the rule
/// matches. Work is bounded by their lengths: one table, filled from the end.
fn patterns_meet(segments: &[&str], parts: &[&str]) -> bool {
    // `find` also prints names with a leading dot; a shell's wildcards don't match them.
    let listed = parts.contains(&"**");
    let fits = |segment: &str, part: &str| {
        let hidden = segment.starts_with('.') && part.starts_with(['*', '?', '[']);
        (!hidden || listed) && (segment == part || wildcards_meet(segment, part))
    };
    let width = parts.len() + 1;
    // Row after the last segment: the rule matches, whatever follows.
    let mut below = vec![true; width];
    for segment in segments.iter().rev() {
        let mut row = vec![false; width];
        for at in (0..width).rev() {
            let next = |list: &[bool], at: usize| list.get(at).copied().unwrap_or(false);
            let value = match parts.get(at) {
                _ if *segment == "**" => next(&below, at) || at + 1 < width && next(&row, at + 1),
                Some(&"**") => next(&row, at + 1) || next(&below, at),
                Some(part) => fits(segment, part) && next(&below, at + 1),
                None => false,
            };
            if let Some(place) = row.get_mut(at) {
                *place = value;
            }
        }
        below = row;
    }
    below.first() == Some(&true)
}

/// Whether one name could match both component patterns. A bracket counts as any one character.
fn wildcards_meet(one: &str, other: &str) -> bool {
    let letters = |text: &str| -> Vec<char> {
        let mut out = Vec::new();
        let mut inside = false;
        for letter in text.chars() {
            match letter {
                '[' if !inside => inside = true,
                ']' if inside => {
                    inside = false;
                    out.push('?');
                }
                _ if inside => {}
                letter => out.push(letter),
            }
        }
        // An unclosed bracket is an ordinary character; in doubt, treat it as any character.
        if inside {
            out.push('*');
        }
        out
    };
    let (one, other) = (letters(one), letters(other));
    let width = other.len() + 1;
    let mut below: Vec<bool> = vec![false; width];
    if let Some(last) = below.last_mut() {
        *last = true;
    }
    for at in (0..other.len()).rev() {
        let trailing = other.get(at) == Some(&'*') && below.get(at + 1) == Some(&true);
        if let Some(place) = below.get_mut(at) {
            *place = trailing;
        }
    }
    for own in one.iter().rev() {
        let mut row = vec![false; width];
        for at in (0..width).rev() {
            let next = |list: &[bool], at: usize| list.get(at).copied().unwrap_or(false);
            let value = match (own, other.get(at)) {
                ('*', None) => next(&below, at),
                ('*', Some(_)) => next(&below, at) || next(&row, at + 1),
                (_, Some('*')) => next(&row, at + 1) || next(&below, at),
                (_, Some(letter)) => (*own == '?' || *letter == '?' || own == letter) && next(&below, at + 1),
                (_, None) => false,
            };
            if let Some(place) = row.get_mut(at) {
                *place = value;
            }
        }
        below = row;
    }
    below.first() == Some(&true)
}

/// Marks a state as reached, and those after it, since `**` may match nothing. A final `**` must match something.
fn mark(reached: &mut [bool], at: usize, pattern: &[&str]) {
    let mut at = at;
    loop {
        if let Some(place) = reached.get_mut(at) {
            *place = true;
        }
        let trailing = at + 1 == pattern.len() && pattern.len() > 1;
        if pattern.get(at) == Some(&"**") && !trailing {
            at += 1;
        } else {
            return;
        }
    }
}

/// `*` any run, `?` any one character, `[a-z]` one of a set; within a segment.
fn segment_matches(pattern: &str, part: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let part: Vec<char> = part.chars().collect();
    let (mut at, mut from) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while from < part.len() {
        let matched = match (pattern.get(at), part.get(from)) {
            (Some('*'), _) => {
                star = Some((at, from));
                at += 1;
                continue;
            }
            (Some('?'), Some(_)) => Some(1),
            (Some('['), Some(ch)) => class(pattern.get(at..).unwrap_or_default(), *ch),
            (Some(own), Some(ch)) if own == ch => Some(1),
            _ => None,
        };
        match (matched, star) {
            (Some(width), _) => {
                at += width;
                from += 1;
            }
            (None, Some((behind, tried))) => {
                star = Some((behind, tried + 1));
                at = behind + 1;
                from = tried + 1;
            }
            (None, None) => return false,
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|ch| *ch == '*')
}

/// Length of the bracket expression if it contains `ch`; `None` if it doesn't, or isn't one.
fn class(pattern: &[char], ch: char) -> Option<usize> {
    let end = pattern.iter().skip(2).position(|other| *other == ']')? + 2;
    let inside = pattern.get(1..end)?;
    let (negated, inside) = match inside.split_first() {
        Some(('!' | '^', rest)) => (true, rest),
        _ => (false, inside),
    };
    let mut found = false;
    let mut at = 0;
    while let Some(low) = inside.get(at) {
        match (inside.get(at + 1), inside.get(at + 2)) {
            (Some('-'), Some(high)) => {
                found |= (*low..=*high).contains(&ch);
                at += 3;
            }
            _ => {
                found |= *low == ch;
                at += 1;
            }
        }
    }
    (found != negated).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_gitignores() {
        let places = Places {
            project: "/work/app".to_owned(),
            others: vec!["/work/app/sub".to_owned()],
            home: Some("/home/me".to_owned()),
        };
        for (pattern, path, allow, deny) in [
            ("./.env", "/work/app/.env", true, true),
            ("./.env", "/work/app/x/.env", false, false),
            (".env", "/work/app/x/.env", true, true),
            (".env", "/etc/.env", false, true),
            ("src/**", "/work/app/src/a/b.rs", true, true),
            ("src/**", "/work/app/src", false, false),
            ("src", "/work/app/src/a.rs", true, true),
            ("src/*.rs", "/work/app/src/a.rs", true, true),
            ("src/*.rs", "/work/app/src/a/b.rs", false, false),
            ("**/secrets/**", "/work/app/a/b/secrets/k", true, true),
            ("~/.ssh/**", "/home/me/.ssh/id", true, true),
            ("~/.ssh/**", "/home/you/.ssh/id", false, false),
            ("//etc/**", "/etc/passwd", true, true),
            ("/etc/**", "/etc/passwd", false, true),
            ("/etc/**", "/work/app/etc/x", true, true),
            ("*.pem", "/work/app/k/a.pem", true, true),
            ("*.pem", "/work/app/k/a.pemx", false, false),
            ("key[0-9].txt", "/work/app/key7.txt", true, true),
            ("key[!0-9].txt", "/work/app/key7.txt", false, false),
            ("./**", "/work/application", false, false),
        ] {
            let rule = PathRule::parse(pattern).unwrap();
            assert_eq!(rule.allows(path, &places), allow, "allow {pattern} {path}");
            let denied = rule.denies(path, Certainty::Exact, false, &places) == RuleMatch::Sure;
            assert_eq!(denied, deny, "deny {pattern} {path}");
        }
    }

    #[test]
    fn a_deny_meets_what_may_be_the_path() {
        let places = Places { project: "/w".to_owned(), others: vec![], home: None };
        let rule = PathRule::parse("./conf/key").unwrap();
        for (path, certainty, whole, hit) in [
            ("/w/conf/…", Certainty::May, false, RuleMatch::Maybe),
            ("/w/conf/*", Certainty::May, false, RuleMatch::Maybe),
            ("/w/other/*", Certainty::May, false, RuleMatch::No),
            ("…", Certainty::May, false, RuleMatch::Maybe),
            ("/w/conf", Certainty::Exact, true, RuleMatch::Sure),
            ("/w/conf", Certainty::Exact, false, RuleMatch::No),
            ("/w", Certainty::Exact, true, RuleMatch::Sure),
            ("/w/con", Certainty::Exact, true, RuleMatch::No),
        ] {
            assert_eq!(rule.denies(path, certainty, whole, &places), hit, "{path}");
        }
        let homes = PathRule::parse("~/.aws/**").unwrap();
        assert_eq!(
            homes.denies("/home/you/.aws/credentials", Certainty::Exact, false, &places),
            RuleMatch::Sure
        );
        assert!(!homes.allows("/home/you/.aws/credentials", &places));
    }

    #[test]
    fn matching_is_linear_in_what_it_is_given() {
        let pattern = format!("./{}x", "**/*a*".repeat(40));
        let rule = PathRule::parse(&pattern).unwrap();
        let places = Places { project: "/".to_owned(), others: vec![], home: None };
        let path = format!("/{}", "aaaaaaaaaaaaaaaaaaaa/".repeat(200));
        assert_eq!(rule.denies(&path, Certainty::Exact, false, &places), RuleMatch::No);
    }
}
