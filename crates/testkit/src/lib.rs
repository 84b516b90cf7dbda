//! Real servers, real clients and temporary projects for tests.
