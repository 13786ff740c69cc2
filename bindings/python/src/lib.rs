//! `doorward._core`: the part of the Python package that is compiled.
//!
//! `gate` is the gate inside the process. `compat` answers what OpenHands' analyzers, confirmation policies and
//! experience helpers answer. `functions` are the rooms' plain functions: secrets, addresses, shell text, paths.
//! Structured values cross the border as JSON text: the Python side gives them types. Nothing here decides anything of
//! its own, and every function that judges releases Python's lock while it does.

mod compat;
mod functions;
mod gate;
mod terminal;

use pyo3::prelude::*;

pyo3::create_exception!(
    doorward._core,
    Problem,
    pyo3::exceptions::PyException,
    "What the core refuses: `args` is a stable code and a sentence."
);

/// An error of the core: its code and a sentence, which doesn't begin with the code once more.
pub(crate) fn problem(code: &str, message: impl std::fmt::Display) -> PyErr {
    let text = message.to_string();
    let sentence = text.strip_prefix(code).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text);
    Problem::new_err((code.to_owned(), sentence.to_owned()))
}

/// The compiled part of the package.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Problem", module.py().get_type::<Problem>())?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<gate::Gate>()?;
    functions::register(module)?;
    compat::register(module)
}
