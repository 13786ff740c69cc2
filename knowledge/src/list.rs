//! A list that lives as long as the process, as all that is known about programs does.

use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize};

/// Items of a row. They are made once and never freed.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct List<T: 'static>(&'static [T]);

impl<T> List<T> {
    /// A list without items.
    pub const EMPTY: Self = Self(&[]);

    /// Its items, for as long as the process lives.
    #[must_use]
    pub const fn all(self) -> &'static [T] {
        self.0
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        if items.is_empty() { Self::EMPTY } else { Self(items.leak()) }
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0
    }
}

// Derived, these would ask that items can be copied.
impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<'de: 'static, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(Self::from)
    }
}
