//! What an earlier Runner left: records, processes that must end, and detached ones that go on.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use webcodex_contracts::execution::Outcome;
use webcodex_contracts::limits::DEFAULT_TIMEOUT_SECS;

use crate::core::{Core, Progress, State};
use crate::drive::drive_adopted;
use crate::launch::{DETACHED, mark};
use crate::ledger::{Line, Mark};
use crate::output::Output;
use crate::record::{Ending, now_ms};
use crate::roster::Shared;
use crate::sys::{self, Group};

/// Finished jobs older than this are forgotten.
const MAX_AGE_MS: u64 = 7 * 24 * 60 * 60 * 1000;

/// Splits what the ledger knows into what stays and the slots that become free.
pub(crate) fn sort_out(known: Vec<(usize, Line)>) -> (Vec<(usize, Line)>, Vec<usize>) {
    let oldest = now_ms().saturating_sub(MAX_AGE_MS);
    let (mut kept, old): (Vec<_>, Vec<_>) = known
        .into_iter()
        .partition(|(_, line)| line.mark != Mark::Finished || line.record.started_at_ms >= oldest);
    kept.sort_by_key(|(_, line)| line.record.sequence);
    (kept, old.into_iter().map(|(slot, _)| slot).collect())
}

/// Makes the kept executions known: finished ones as they were, ordinary ones that were running as lost, detached ones
/// as running if they are still there. Nothing is started again.
pub(crate) fn restore(shared: &Arc<Shared>, kept: Vec<(usize, Line)>) {
    let mut owners = HashSet::new();
    for (slot, line) in kept {
        if matches!(line.mark, Mark::Running | Mark::Leftover) {
            owners.insert(line.owner.clone());
            end_group(&line);
        }
        restore_one(shared, slot, line);
    }
    if !owners.is_empty() {
        sys::kill_marked(|mark| mark.split_once('.').is_some_and(|(owner, _)| owners.contains(owner)));
    }
}

/// Ends the group of a command that was running when its Runner ended, if its leader is still that command.
fn end_group(line: &Line) {
    let group = Group::adopt(line.pid, &mark(&line.owner, &line.record.id));
    if group.leader_is_ours() {
        group.kill();
    }
}

fn restore_one(shared: &Arc<Shared>, slot: usize, line: Line) {
    let alive = line.mark == Mark::Detached
        && line.record.stamp.is_some()
        && sys::stamp(line.pid) == line.record.stamp;
    let lost = line.mark == Mark::Running || (line.mark == Mark::Detached && !alive);
    let (pid, was_finished) = (line.pid, line.mark == Mark::Finished);
    let core = Arc::new(to_core(shared, slot, line));
    if lost {
        let ending = core.ending_now(Outcome::Lost, None, None);
        core.state.lock().ending = Some(Ending { duration_ms: 0, ..ending });
    }
    let ended = !alive;
    core.progress.send_modify(|progress| {
        *progress = Progress { written: core.output.totals(), handed_over: true, ended, settled: ended };
    });
    if !was_finished {
        // In this Runner's name: the guard of the earlier one must not take it for its own.
        shared.record(&core);
    }
    shared.insert_restored(&core, alive);
    if alive {
        let group = Arc::new(Group::adopt(pid, &mark(DETACHED, &core.id)));
        tokio::spawn(drive_adopted(Arc::clone(shared), core, group));
    }
}

fn to_core(shared: &Shared, slot: usize, line: Line) -> Core {
    let record = line.record;
    let output = Output::restore(&shared.folder, record.id.as_str(), record.written, record.detached);
    let state = State { pid: line.pid, stamp: record.stamp, ending: record.ending, ..State::default() };
    Core {
        id: record.id,
        project: record.project,
        session_id: record.session_id,
        label: record.command,
        sequence: record.sequence,
        slot,
        started_at_ms: record.started_at_ms,
        started: None,
        detached: record.detached,
        has_input: false,
        timeout: Duration::from_secs(DEFAULT_TIMEOUT_SECS),
        cwd: None,
        wrote_at_ms: AtomicU64::new(0),
        changes: shared.changes.clone(),
        output,
        progress: watch::Sender::new(Progress::default()),
        orders: watch::Sender::new(None),
        state: Mutex::new(state),
    }
}

/// Removes scripts and logs that belong to no execution that is still known.
pub(crate) fn sweep(folder: &Path, kept: &[(usize, Line)]) -> io::Result<()> {
    let scripts = folder.join("scripts");
    if scripts.exists() {
        fs::remove_dir_all(&scripts)?;
    }
    sys::private_folder(&scripts)?;
    let known: HashSet<&str> = kept.iter().map(|(_, line)| line.record.id.as_str()).collect();
    for entry in fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        let log = path.extension().is_some_and(|extension| extension == "out" || extension == "err");
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if log && !known.contains(stem) {
            // Left for the next start if it cannot be removed now.
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}
