//! Windows of marks, as the table of flows gives them.

use doorward_flows::{MarkWindow, Table};

/// The window of a mark; `None` for one that lasts as long as its client, and where the table can't be read.
pub(super) fn of(mark: &str) -> Option<&'static MarkWindow> {
    Table::shipped().ok()?.marks.iter().find(|window| window.name == mark)
}
