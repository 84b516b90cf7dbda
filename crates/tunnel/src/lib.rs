//! The native client of the OpenAI Secure MCP Tunnel.
