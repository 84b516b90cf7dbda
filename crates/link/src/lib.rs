//! The link between Server and Runner: frames, hello, capabilities and multiplexed calls over any duplex stream.
