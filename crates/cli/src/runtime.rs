//! The asynchronous runtime of subcommands that need one.

use std::future::Future;

use crate::output::Failure;

/// Runs to completion on this thread alone.
pub(crate) fn block_on_one_thread<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(future))
}

/// Runs to completion on a small runtime.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    Ok(runtime.block_on(future))
}
