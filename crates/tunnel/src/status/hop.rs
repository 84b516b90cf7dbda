//! The way from this app to ChatGPT, hop by hop.

use serde::Serialize;

use super::Reason;

/// One part of the way, in the order of travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HopKind {
    /// Our own Server answers.
    LocalServer,
    /// A way out was found: direct or through a proxy.
    Route,
    /// The control plane's name has an address.
    Dns,
    /// A connection was made.
    Tcp,
    /// It is secure, and the other end is who it should be.
    Tls,
    /// The control plane answers.
    ControlPlane,
    /// It accepts the key.
    Key,
    /// It knows the tunnel, and the key may use it.
    Tunnel,
    /// ChatGPT called.
    LastCall,
}

impl HopKind {
    /// All hops in the order of travel.
    pub const ALL: [Self; 9] = [
        Self::LocalServer,
        Self::Route,
        Self::Dns,
        Self::Tcp,
        Self::Tls,
        Self::ControlPlane,
        Self::Key,
        Self::Tunnel,
        Self::LastCall,
    ];
}

/// What is known about a hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "state", content = "reason", rename_all = "snake_case")]
pub enum HopState {
    /// Not observed, or not observed lately.
    Unknown,
    /// It worked when it was last used.
    Works,
    /// Nothing is broken, but there is something to do or to know.
    Attention(Reason),
    /// It is broken.
    Broken(Reason),
}

/// A hop with its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Hop {
    /// Which part of the way.
    pub hop: HopKind,
    /// What is known about it.
    #[serde(flatten)]
    pub state: HopState,
}

/// The chain from what was observed: how far the last attempt got, and the states of both ends.
///
/// `outcome` is the end of the last attempt to reach the tunnel: none yet, success, or the reason of its failure.
/// Everything before a broken hop worked, and nothing is known of what lies behind it.
pub fn chain(local: HopState, outcome: Option<Result<(), Reason>>, last_call: HopState) -> Vec<Hop> {
    HopKind::ALL
        .into_iter()
        .map(|hop| {
            let state = match (hop, outcome) {
                (HopKind::LocalServer, _) => local,
                (HopKind::LastCall, _) => last_call,
                (_, None) => HopState::Unknown,
                (_, Some(Ok(()))) => HopState::Works,
                (_, Some(Err(reason))) => match hop.cmp(&reason.hop()) {
                    std::cmp::Ordering::Less => HopState::Works,
                    std::cmp::Ordering::Equal => HopState::Broken(reason),
                    std::cmp::Ordering::Greater => HopState::Unknown,
                },
            };
            Hop { hop, state }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_before_the_broken_hop_works() {
        let hops = chain(HopState::Works, Some(Err(Reason::TlsFailed)), HopState::Unknown);
        let states: Vec<HopState> = hops.iter().map(|hop| hop.state).collect();
        use HopState::{Broken, Unknown, Works};
        assert_eq!(
            states,
            [Works, Works, Works, Works, Broken(Reason::TlsFailed), Unknown, Unknown, Unknown, Unknown]
        );
    }

    #[test]
    fn nothing_tried_is_nothing_known() {
        let hops = chain(HopState::Unknown, None, HopState::Unknown);
        assert!(hops.iter().all(|hop| hop.state == HopState::Unknown));
    }
}
