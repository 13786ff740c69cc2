//! Clients behind the MCP gateway: their tools are those of the MCP servers.

use doorward_core::tool::Client;

use super::Contract;

pub(super) static CONTRACT: Contract = Contract::of(Client::Mcp, "an MCP client", &[]);
