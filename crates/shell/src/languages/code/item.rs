//! What is known of a value while code is followed.

use std::cell::RefCell;
use std::rc::Rc;

use super::tree::Function;
use crate::languages::Value;

/// A value.
#[derive(Debug, Clone)]
pub(in crate::languages) enum Item {
    Text(Value),
    Number(i64),
    List(Rc<Vec<Item>>),
    Map(Rc<Vec<(Item, Item)>>),
    /// A module, class or function of the language's library, by its full name.
    Library(Rc<str>),
    /// What a call of a library function returned: its full name and positional arguments.
    Made(Rc<str>, Rc<Vec<Item>>),
    Function(Rc<Closure>),
    Class(Rc<OwnClass>),
    Object(Rc<Object>),
    /// A method of a value that isn't an object of the code: `path.unlink`, not yet called.
    Method(Rc<(Item, String)>),
    /// A function with its first arguments.
    Partial(Rc<(Item, Vec<Given>)>),
    /// One of these.
    Either(Rc<Vec<Item>>),
    /// Nothing, for sure: an argument that the call doesn't give. Whatever acts on it ends with an error.
    Nothing,
    Unknown,
}

/// An argument as it is given.
#[derive(Debug, Clone)]
pub(in crate::languages) struct Given {
    pub(in crate::languages) name: Option<String>,
    pub(in crate::languages) item: Item,
}

/// A function of the code, and the variables that it sees.
#[derive(Debug)]
pub(in crate::languages) struct Closure {
    pub(in crate::languages) function: Rc<Function>,
    pub(in crate::languages) seen: Option<Rc<RefCell<super::scope::Names>>>,
    /// The object of a bound method.
    pub(in crate::languages) this: Option<Item>,
}

/// A class of the code.
#[derive(Debug)]
pub(in crate::languages) struct OwnClass {
    pub(in crate::languages) bases: Vec<Item>,
    pub(in crate::languages) members: RefCell<super::scope::Names>,
    /// The object that was made last.
    pub(in crate::languages) last: RefCell<Option<Item>>,
}

/// An object of such a class.
#[derive(Debug)]
pub(in crate::languages) struct Object {
    pub(in crate::languages) class: Rc<OwnClass>,
    pub(in crate::languages) fields: RefCell<super::scope::Names>,
}

/// The field that holds the text of an object whose class is one (`class Command(str)`).
pub(in crate::languages) const AS_TEXT: &str = " text";

/// Most values that one name may have.
const MOST_ALTERNATIVES: usize = 8;
/// How deep a value may be nested, and how many parts it may have.
const DEEPEST_NESTING: usize = 48;
const MOST_PARTS: usize = 20_000;

impl Item {
    pub(in crate::languages) fn text(text: impl Into<String>) -> Self {
        Self::Text(Value::literal(text))
    }

    pub(in crate::languages) fn library(name: impl AsRef<str>) -> Self {
        Self::Library(Rc::from(name.as_ref()))
    }

    pub(in crate::languages) fn list(items: Vec<Self>) -> Self {
        Self::List(Rc::new(items))
    }

    /// Whether two are known to be the same.
    pub(in crate::languages) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::Number(one), Self::Number(other)) => one == other,
            (Self::List(one), Self::List(other)) => {
                Rc::ptr_eq(one, other)
                    || one.len() == other.len()
                        && one.iter().zip(other.iter()).all(|(one, other)| one.is_same(other))
            }
            (Self::Map(one), Self::Map(other)) => Rc::ptr_eq(one, other),
            (Self::Library(one), Self::Library(other)) => one == other,
            (Self::Made(one, given), Self::Made(other, also)) => {
                one == other
                    && given.len() == also.len()
                    && given.iter().zip(also.iter()).all(|(one, other)| one.is_same(other))
            }
            (Self::Function(one), Self::Function(other)) => {
                Rc::ptr_eq(one, other) || Rc::ptr_eq(&one.function, &other.function)
            }
            (Self::Class(one), Self::Class(other)) => Rc::ptr_eq(one, other),
            (Self::Object(one), Self::Object(other)) => Rc::ptr_eq(one, other),
            (Self::Partial(one), Self::Partial(other)) => Rc::ptr_eq(one, other),
            (Self::Method(one), Self::Method(other)) => one.1 == other.1 && one.0.is_same(&other.0),
            (Self::Either(one), Self::Either(other)) => {
                Rc::ptr_eq(one, other)
                    || one.len() == other.len()
                        && one.iter().zip(other.iter()).all(|(one, other)| one.is_same(other))
            }
            (Self::Unknown, Self::Unknown) | (Self::Nothing, Self::Nothing) => true,
            _ => false,
        }
    }

    /// The value as a name may keep it: nothing, if it is nested deeper or is larger than any that a script needs. What
    /// is made of itself again and again would else grow without an end.
    pub(in crate::languages) fn kept(self) -> Self {
        let mut left = MOST_PARTS;
        if self.fits(DEEPEST_NESTING, &mut left) { self } else { Self::Unknown }
    }

    /// Whether it has no more than so many levels and parts. Functions, classes and objects are parts of their own.
    fn fits(&self, levels: usize, left: &mut usize) -> bool {
        let (Some(below), Some(rest)) = (levels.checked_sub(1), left.checked_sub(1)) else { return false };
        *left = rest;
        match self {
            Self::List(items) | Self::Either(items) | Self::Made(_, items) => {
                items.iter().all(|item| item.fits(below, left))
            }
            Self::Map(pairs) => {
                pairs.iter().all(|(key, item)| key.fits(below, left) && item.fits(below, left))
            }
            Self::Method(of) => of.0.fits(below, left),
            Self::Partial(of) => {
                of.0.fits(below, left) && of.1.iter().all(|given| given.item.fits(below, left))
            }
            _ => true,
        }
    }

    /// What may be any of these.
    pub(in crate::languages) fn either(items: impl IntoIterator<Item = Self>) -> Self {
        let mut found: Vec<Self> = Vec::new();
        for item in items {
            for item in item.alternatives() {
                if !found.iter().any(|own| own.is_same(&item)) {
                    found.push(item);
                }
            }
        }
        if found.len() > MOST_ALTERNATIVES {
            // The rest may be anything; functions stay, so that what they do is seen.
            found.truncate(MOST_ALTERNATIVES);
            if !found.iter().any(|item| matches!(item, Self::Unknown)) {
                found.push(Self::Unknown);
            }
        }
        match found.len() {
            0 => Self::Unknown,
            1 => found.pop().unwrap_or(Self::Unknown),
            _ => Self::Either(Rc::new(found)),
        }
    }

    /// Each value that it may be.
    pub(in crate::languages) fn alternatives(&self) -> Vec<Self> {
        match self {
            Self::Either(items) => items.iter().cloned().collect(),
            item => vec![item.clone()],
        }
    }

    /// As a text, as string conversion gives it; unknown parts are `…`.
    pub(in crate::languages) fn shown(&self) -> Value {
        match self {
            Self::Text(value) => value.clone(),
            Self::Number(number) => Value::literal(number.to_string()),
            // A path that is an object.
            Self::Made(name, given) if is_path(name) => {
                given.first().map_or_else(Value::unknown, Self::shown)
            }
            // An object of a class that is a text.
            Self::Object(object) => match object.fields.borrow().get(AS_TEXT) {
                Some(Self::Text(value)) => value.clone(),
                _ => Value::unknown(),
            },
            _ => Value::unknown(),
        }
    }

    /// The text, if this is one that is known.
    pub(in crate::languages) fn known_text(&self) -> Option<&str> {
        match self {
            Self::Text(value) if value.is_known() => Some(&value.text),
            _ => None,
        }
    }

    /// What a loop over it goes through, if that is known.
    pub(in crate::languages) fn items(&self) -> Option<Vec<Self>> {
        match self {
            Self::List(items) => Some(items.as_ref().clone()),
            Self::Map(pairs) => Some(pairs.iter().map(|(key, _)| key.clone()).collect()),
            Self::Text(value) if value.is_known() && value.text.len() <= 4096 => Some(
                value
                    .text
                    .chars()
                    .map(|letter| {
                        Self::Text(Value {
                            text: letter.to_string(),
                            assembled: true,
                            decoded: value.decoded,
                        })
                    })
                    .collect(),
            ),
            _ => None,
        }
    }

    /// As functions of literals take it; what isn't known is `…`.
    pub(in crate::languages) fn literal(&self) -> Self {
        match self {
            Self::Text(_) | Self::Number(_) => self.clone(),
            Self::List(items) => Self::list(items.iter().map(Self::literal).collect()),
            item => Self::Text(item.shown()),
        }
    }
}

/// Whether what a call makes is a path, and a text wherever one is wanted.
pub(in crate::languages) fn is_path(name: &str) -> bool {
    matches!(name, "Pathname.new" | "SplFileInfo" | super::temporary::PLACE)
}
