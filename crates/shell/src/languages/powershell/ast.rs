//! PowerShell text as a tree: statements, pipelines, commands and expressions.

use std::rc::Rc;

/// Statements one after the other: a script, the inside of braces or of `$(…)`.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) params: Vec<Param>,
    pub(super) statements: Vec<Statement>,
}

/// A parameter of a function or script block.
#[derive(Debug)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) default: Option<Expr>,
    /// It is given without a value.
    pub(super) switch: bool,
}

#[derive(Debug)]
pub(super) enum Statement {
    Pipeline(Vec<Stage>),
    Assign {
        target: Expr,
        operator: String,
        value: Box<Statement>,
    },
    /// `if`, `elseif`, `else`: conditions with what follows, and the last resort.
    If(Vec<(Statement, Rc<Block>)>, Option<Rc<Block>>),
    /// `while`, `do`, `for`: what runs around the body, and the body.
    Loop(Vec<Statement>, Rc<Block>),
    ForEach {
        variable: String,
        list: Box<Statement>,
        body: Rc<Block>,
    },
    Switch(Box<Statement>, Vec<(Expr, Rc<Block>)>),
    /// `try`, `catch`, `finally`, `trap`, `begin`, `process`, `end`, `data`: each of them may run.
    Parts(Vec<Rc<Block>>),
    Function {
        name: String,
        body: Rc<Block>,
    },
    /// A class, whose methods run when somebody calls them.
    Class(Rc<Block>),
    /// `return`, `throw`, `exit` with their value.
    Leave(Option<Box<Statement>>),
    /// Both sides of `&&` and `||`.
    Chain(Vec<Statement>),
}

/// One stage of a pipeline.
#[derive(Debug)]
pub(super) enum Stage {
    Expr(Expr, Vec<Redirect>),
    Command(Command),
}

#[derive(Debug)]
pub(super) struct Command {
    /// `&` or `.` stands in front.
    pub(super) operator: Option<char>,
    pub(super) name: Expr,
    pub(super) args: Vec<Argument>,
    pub(super) redirects: Vec<Redirect>,
    /// Bytes of the text.
    pub(super) range: (usize, usize),
}

#[derive(Debug)]
pub(super) enum Argument {
    /// `-Name`, and what `:` attaches to it.
    Named(String, Option<Expr>),
    Value(Expr),
    /// `@variable`.
    Splat(String),
}

#[derive(Debug)]
pub(super) struct Redirect {
    pub(super) append: bool,
    pub(super) target: Expr,
}

#[derive(Debug)]
pub(super) enum Expr {
    /// Exactly this text. `ticked`: backquotes or quotes stand inside the word.
    Literal {
        text: String,
        ticked: bool,
    },
    Number(String),
    /// Text with values in it.
    Text(Vec<Part>),
    Variable(String),
    List(Vec<Expr>),
    /// `$(…)` and `@(…)`.
    Statements(Rc<Block>),
    Paren(Box<Statement>),
    Hash(Vec<(Expr, Statement)>),
    Script(Rc<Block>),
    Type(String),
    Cast(String, Box<Expr>),
    Unary(String, Box<Expr>),
    Binary(String, Box<Expr>, Box<Expr>),
    Member {
        on: Box<Expr>,
        name: Box<Expr>,
    },
    Call {
        on: Box<Expr>,
        name: Box<Expr>,
        args: Vec<Expr>,
    },
    Index(Box<Expr>, Box<Expr>),
}

impl Expr {
    pub(super) fn literal(text: impl Into<String>) -> Self {
        Self::Literal { text: text.into(), ticked: false }
    }
}

#[derive(Debug)]
pub(super) enum Part {
    Text(String),
    Value(Expr),
}
