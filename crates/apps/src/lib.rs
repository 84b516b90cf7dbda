//! App resources and the one registry of their URIs.
