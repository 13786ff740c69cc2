//! Which argument of a cmdlet goes to which parameter.

use super::cmdlets::{self, CmdletParameter, CmdletRow, ParameterRole};
use super::eval::Runner;
use super::value::{Data, Value};

/// An argument after its value was computed.
pub(super) enum Given {
    Named(String, Option<Value>),
    Value(Value),
}

/// A cmdlet's arguments by parameter.
#[derive(Debug, Default)]
pub(super) struct Bound {
    pub(super) values: Vec<(&'static str, Value)>,
    /// Switches that are given.
    pub(super) switches: Vec<&'static str>,
    /// What no parameter takes.
    pub(super) rest: Vec<Value>,
    pub(super) piped: Option<Value>,
}

impl Bound {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.switches.contains(&name)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(Value::shown)
    }

    /// Whether another parameter of the same role got a value.
    pub(super) fn has_role(&self, row: &CmdletRow, role: Option<ParameterRole>) -> bool {
        row.parameters.iter().any(|other| other.role == role && self.get(other.name()).is_some())
    }
}

impl Runner<'_> {
    pub(super) fn bind(&mut self, row: &'static CmdletRow, given: Vec<Given>, piped: Option<Value>) -> Bound {
        let mut bound = Bound { piped, ..Bound::default() };
        let mut free: Vec<Value> = Vec::new();
        let mut given = given.into_iter().peekable();
        while let Some(argument) = given.next() {
            let (name, attached) = match argument {
                Given::Value(value) => {
                    free.push(value);
                    continue;
                }
                Given::Named(name, attached) => (name, attached),
            };
            let own = cmdlets::parameter(row, &name);
            let Some(parameter) = own.or_else(|| cmdlets::common(&name)) else {
                let (command, code) = (row.name(), "shell.unknown_option");
                let message =
                    format!("uses the parameter -{name} of {command}, which Doorward does not know");
                self.find(code, message);
                free.extend(attached);
                continue;
            };
            if parameter.role.is_none() {
                if own.is_some() && !attached.is_some_and(|value| is_false(&value)) {
                    bound.switches.push(parameter.name());
                }
                continue;
            }
            let next = || match given.next_if(|next| matches!(next, Given::Value(_))) {
                Some(Given::Value(value)) => Some(value),
                _ => None,
            };
            let value = attached.or_else(next).unwrap_or_else(Value::unknown);
            if own.is_some() {
                bound.values.push((parameter.name(), value));
            }
        }
        by_position(row, &mut bound, free);
        bound
    }
}

fn is_false(value: &Value) -> bool {
    value.known().is_some_and(|value| value.eq_ignore_ascii_case("false") || value == "0")
}

/// Gives the arguments without a name to the parameters that have a place.
fn by_position(row: &'static CmdletRow, bound: &mut Bound, mut free: Vec<Value>) {
    let mut places: Vec<&CmdletParameter> =
        row.parameters.all().iter().filter(|parameter| parameter.position.is_some()).collect();
    // A block goes where blocks are run, wherever it stands.
    let script = row
        .parameters
        .iter()
        .find(|parameter| parameter.role == Some(ParameterRole::Script) && parameter.position.is_some());
    if let Some(script) = script
        && bound.get(script.name()).is_none()
        && let Some(at) = free.iter().position(|value| matches!(value.data, Data::Script(_)))
    {
        bound.values.push((script.name(), free.remove(at)));
    }
    places.sort_by_key(|parameter| parameter.position);
    let mut free = free.into_iter();
    for parameter in places {
        // `-LiteralPath x` takes the place of the path.
        let replaced = parameter.position == Some(0)
            && row.parameters.iter().any(|other| {
                other.position.is_none()
                    && other.role.is_some_and(|role| role != ParameterRole::Data)
                    && other.role == parameter.role
                    && bound.get(other.name()).is_some()
            });
        if bound.get(parameter.name()).is_some() || replaced {
            continue;
        }
        let Some(value) = free.next() else { break };
        bound.values.push((parameter.name(), value));
    }
    bound.rest = free.collect();
}
