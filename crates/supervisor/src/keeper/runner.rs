//! The Runner: started once the Server serves, told where it is, and serving while it is linked.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::Instant;
use webcodex_contracts::supervised::{PartOrder, PartSays, RunnerStart};

use super::Keeper;
use crate::process::{Did, Role};

/// A Runner must be linked by then, from the moment the Server serves.
const LINK_WITHIN: Duration = Duration::from_secs(8);
/// A Runner without a Server is left in peace for this long.
const WITHOUT_SERVER: Duration = Duration::from_secs(24 * 3600);

impl Keeper {
    pub(super) fn start_runner(&mut self, now: Instant) {
        let Some(server) = self.shared.server.borrow().as_ref().map(|connection| connection.address()) else {
            return;
        };
        let start = RunnerStart { server, credential: self.runner_secret.expose().to_owned() };
        self.start(Role::Runner, serde_json::to_string(&start), now);
    }

    pub(super) fn runner_did(&mut self, did: Did) {
        let now = Instant::now();
        match did {
            Did::Said(PartSays::Failed { detail }) => self.runner.says(detail),
            Did::Said(PartSays::Ready { .. } | PartSays::Alive) => self.runner.heard(now),
            Did::Ended(how) => {
                self.runner.ended(how, now);
                if let Some(state) = &mut self.state {
                    state.runner.linked = false;
                }
                self.note_processes();
            }
        }
    }

    /// Tells a running Runner where the Server is now.
    pub(super) fn tell_runner_of(&self, address: SocketAddr) {
        let Some(runner) = self.runner.process() else { return };
        match serde_json::to_string(&PartOrder::Server { address }) {
            Ok(line) => runner.tell(line),
            Err(error) => tracing::error!(%error, "the Runner could not be told of the Server"),
        }
    }

    /// Takes over what the Server says about the link.
    pub(super) fn runner_link_changed(&mut self, now: Instant) {
        if self.runner.process().is_none() {
            return;
        }
        let linked = self.state.as_ref().is_some_and(|state| state.runner.linked) && self.server.serves();
        if linked {
            self.runner.served(now);
        } else if self.server.serves() {
            self.runner.no_longer_serves(LINK_WITHIN, now);
        } else {
            self.runner.no_longer_serves(WITHOUT_SERVER, now);
        }
    }
}
