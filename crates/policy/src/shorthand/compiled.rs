//! Matches a compiled rule with one call.

use super::*;

impl Compiled {
    /// Whether the rule applies to this caller, project and session, and hasn't expired.
    pub(super) fn is_for(&self, inspected: &Inspected) -> bool {
        let (only, call) = (&self.source.only, &inspected.call);
        let is = |wanted: &Option<String>, own: &str| wanted.as_deref().is_none_or(|wanted| wanted == own);
        is(&only.caller, &call.principal.id)
            && is(&only.session, call.session.as_str())
            && only.project.as_deref().is_none_or(|wanted| call.project() == Some(wanted))
            && self.until.is_none_or(|until| inspected.now < until)
    }

    /// Whether the command has an option that disables what the rule asks about (such as `--dry-run`), and no option
    /// that reverts it.
    pub(super) fn is_rehearsal(&self, command: &SimpleCommand) -> bool {
        let words = &command.words;
        let said = |option: &&&str| {
            words.iter().enumerate().any(|(at, word)| {
                let denied =
                    words.get(at + 1).is_some_and(|next| matches!(next.as_str(), "false" | "0" | "no"));
                word == **option && !denied
            })
        };
        let taken_back =
            words.iter().any(|word| word == "--" || word.starts_with("--no-") || word.contains("=false"));
        command.unknown_words.is_empty()
            && !taken_back
            && command.assignments.is_empty()
            && self.source.unless.iter().any(|option| said(&option))
    }

    /// Whether a deny or ask rule matches the call.
    pub(super) fn hits(&self, inspected: &Inspected, places: &Places) -> RuleMatch {
        let effects = &inspected.effects;
        let call = &inspected.call;
        match &self.subject {
            Subject::Words(rule) => {
                let runs_code = call.tool == CanonicalTool::Shell || call.tool.is_code();
                let spoken = effects.executes.iter().filter(|command| !self.is_rehearsal(command));
                let best = spoken.map(|command| rule.denies(command)).max().unwrap_or(RuleMatch::No);
                if best == RuleMatch::Sure || !runs_code {
                    return best;
                }
                // Analysed code and a missing script hide no program; code generated at run time does.
                let hidden = hides(inspected)
                    || effects.executes.iter().any(is_made_up)
                    || (call.tool == CanonicalTool::Shell
                        && effects.executes.is_empty()
                        // A line without a program, such as `> file`, hides none: what it does is seen.
                        && effects.writes.is_empty()
                        && effects.deletes.is_empty()
                        && !effects.read_only);
                best.max(if hidden { RuleMatch::Maybe } else { RuleMatch::No })
            }
            Subject::Reads(rule) => effects
                .reads
                .iter()
                .filter(|read| !read.metadata)
                .map(|read| rule.denies(&read.path, read.certainty, false, places))
                .max()
                .unwrap_or(RuleMatch::No),
            Subject::Edits(rule) => {
                let writes = effects
                    .writes
                    .iter()
                    .map(|write| rule.denies(&write.path, write.certainty, false, places));
                let deletes = effects
                    .deletes
                    .iter()
                    .map(|delete| rule.denies(&delete.path, delete.certainty, delete.recursive, places));
                writes.chain(deletes).max().unwrap_or(RuleMatch::No)
            }
            Subject::Deletes(rule) => effects
                .deletes
                .iter()
                .map(|delete| rule.denies(&delete.path, delete.certainty, delete.recursive, places))
                .max()
                .unwrap_or(RuleMatch::No),
            Subject::Hosts(rule) => {
                let hosts =
                    effects.hosts.iter().map(|host| rule.denies(&host.host)).max().unwrap_or(RuleMatch::No);
                // If the hosts aren't known, one of them may be this host.
                let nameless = effects.network && effects.hosts.is_empty();
                hosts.max(if nameless { RuleMatch::Maybe } else { RuleMatch::No })
            }
            tool => {
                if tool.is_tool(inspected) {
                    RuleMatch::Sure
                } else {
                    RuleMatch::No
                }
            }
        }
    }

    pub(super) fn check_examples(&self, places: &Places) -> Result<(), LoadError> {
        let source = &self.source;
        let expected = source.matches.iter().map(|text| (text, true));
        for (text, wanted) in expected.chain(source.not_matches.iter().map(|text| (text, false))) {
            let got = match &self.subject {
                Subject::Words(rule) => {
                    let command = command::example(text);
                    if source.list == List::Allow {
                        rule.allows(&command)
                    } else {
                        rule.denies(&command) != RuleMatch::No
                    }
                }
                Subject::Reads(rule) | Subject::Edits(rule) | Subject::Deletes(rule) => {
                    let path = places.absolute(text);
                    if source.list == List::Allow {
                        rule.allows(&path, places)
                    } else {
                        rule.denies(&path, doorward_core::intent::Certainty::Exact, false, places)
                            != RuleMatch::No
                    }
                }
                Subject::Hosts(rule) => {
                    if source.list == List::Allow {
                        rule.fits(text)
                    } else {
                        rule.denies(text) != RuleMatch::No
                    }
                }
                Subject::Mcp { server, tool } => text.split_once('/').is_some_and(|(own, name)| {
                    own == server && tool.as_deref().is_none_or(|one| super::names_tool(one, name))
                }),
                Subject::Call { args, .. } => match Value::parse(text) {
                    Ok(Value::Object(given)) => same_members(args, &given),
                    _ => false,
                },
                Subject::Tool(_) | Subject::Class(_) | Subject::Named(_) => wanted,
            };
            if got != wanted {
                let name = format!("rules.{}[{}]", source.list.as_str(), self.place);
                let word =
                    if wanted { "doesn't match its example" } else { "matches what it says it doesn't" };
                let message = format!("rule {} {word}: {text}", source.text);
                return Err(LoadError::new(
                    &Source::new(name, source.text.clone()),
                    (0, source.text.len()).into(),
                    message,
                ));
            }
        }
        Ok(())
    }
}
