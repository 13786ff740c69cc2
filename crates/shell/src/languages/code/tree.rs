//! Code as one small tree, whatever language it was written in.
//!
//! Each language's reader (`languages/python.rs` and its siblings) turns the tree of its grammar into this one, and
//! [`super::run`] follows it. Only what can matter for effects is kept: names, calls, values, and which statements
//! may be left out. What a reader doesn't know becomes [`Expr::Opaque`] or [`Stmt::Do`], whose parts are still
//! followed.

use std::rc::Rc;

use crate::languages::Value;

/// An expression.
#[derive(Debug, Clone)]
pub(in crate::languages) enum Expr {
    Text(Value),
    Number(i64),
    Name(String),
    /// `object.member`
    Member(Box<Expr>, String),
    /// `object[key]`
    Index(Box<Expr>, Box<Expr>),
    /// `object[from:to:step]`
    Slice(Box<Expr>, [Option<Box<Expr>>; 3]),
    Call(Box<Call>),
    /// Parts that make one text: a template, neighbouring literals.
    Joined(Vec<Expr>),
    Binary(char, Box<Expr>, Box<Expr>),
    List(Vec<Expr>),
    Map(Vec<(Expr, Expr)>),
    Function(Rc<Function>),
    Class(Rc<Class>),
    /// One of these: a conditional expression, `a or b`.
    Either(Vec<Expr>),
    /// `item for pattern in over`
    Each(Box<Each>),
    /// Text that the language itself gives to a shell: backquotes.
    Command(Box<Expr>),
    /// An assignment that is an expression.
    Assign(Box<Pattern>, Box<Expr>),
    /// Statements whose last value is the value.
    Block(Vec<Stmt>),
    /// Parts that are evaluated for their effects; the value isn't known.
    Opaque(Vec<Expr>),
}

/// A call.
#[derive(Debug, Clone)]
pub(in crate::languages) struct Call {
    pub(in crate::languages) callee: Expr,
    pub(in crate::languages) arguments: Vec<Argument>,
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub(in crate::languages) struct Argument {
    pub(in crate::languages) name: Option<String>,
    /// `*list`, `...list`, `**map`: its items are the arguments.
    pub(in crate::languages) spread: bool,
    pub(in crate::languages) value: Expr,
}

impl Argument {
    pub(in crate::languages) fn plain(value: Expr) -> Self {
        Self { name: None, spread: false, value }
    }
}

/// A comprehension.
#[derive(Debug, Clone)]
pub(in crate::languages) struct Each {
    pub(in crate::languages) item: Expr,
    pub(in crate::languages) loops: Vec<(Pattern, Expr)>,
}

/// A function, method, lambda or block.
#[derive(Debug)]
pub(in crate::languages) struct Function {
    pub(in crate::languages) name: String,
    pub(in crate::languages) parameters: Vec<Parameter>,
    pub(in crate::languages) body: Vec<Stmt>,
}

/// A parameter of a function.
#[derive(Debug, Clone)]
pub(in crate::languages) struct Parameter {
    pub(in crate::languages) pattern: Pattern,
    pub(in crate::languages) default: Option<Expr>,
    /// `*rest`: takes what is left.
    pub(in crate::languages) rest: bool,
}

/// A class.
#[derive(Debug)]
pub(in crate::languages) struct Class {
    pub(in crate::languages) name: String,
    pub(in crate::languages) bases: Vec<Expr>,
    pub(in crate::languages) body: Vec<Stmt>,
}

/// A statement.
#[derive(Debug, Clone)]
pub(in crate::languages) enum Stmt {
    Do(Expr),
    Assign(Pattern, Expr, Declares),
    /// A name for something of the library: an import.
    Import(String, String),
    /// A module that is loaded, by its name or path.
    Load(String),
    /// Every name of a module: `from module import *`.
    ImportAll(String),
    Function(Rc<Function>),
    Class(Rc<Class>),
    /// One of these runs, or none if `or_none`.
    Branch {
        arms: Vec<Vec<Stmt>>,
        or_none: bool,
    },
    /// Runs for each item, or again and again.
    Loop {
        pattern: Option<Pattern>,
        over: Option<Expr>,
        body: Vec<Stmt>,
    },
    Return(Option<Expr>),
    /// Names of a scope further out: `global`, `nonlocal`.
    Outer(Vec<String>),
}

/// Where a name that is assigned to belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::languages) enum Declares {
    /// To the function that the assignment stands in.
    Here,
    /// To where it is known already, else to the outermost scope.
    There,
}

/// What is assigned to.
#[derive(Debug, Clone)]
pub(in crate::languages) enum Pattern {
    Name(String),
    Member(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    /// Items by position.
    Several(Vec<Pattern>),
    /// Members by name: `{a, b: c} = …`.
    Keys(Vec<(String, Pattern)>),
    /// What is left of a list.
    Rest(Box<Pattern>),
    Nothing,
}
