//! Router, guard, authentication, request policy, the MCP edge and the Server's own tools.
