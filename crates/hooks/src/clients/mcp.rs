//! Clients behind the MCP gateway: the tools are those of their servers.

use doorward_core::tool::Client;

use super::Contract;

pub(super) static CONTRACT: Contract = Contract::of(Client::Mcp, "an MCP client", &[]);
