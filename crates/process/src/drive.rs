//! Follows one execution from its start to the end of everything it started.

use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tempfile::TempPath;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Child;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use webcodex_contracts::execution::Outcome;
use webcodex_contracts::tools::observe_jobs::StreamName;

use crate::core::{Core, Order};
use crate::output::index;
use crate::record::now_ms;
use crate::roster::Shared;
use crate::sys::Group;

/// Time that processes get to end when they are asked to.
const GRACE: Duration = Duration::from_secs(2);
/// Time after which a process that was killed and still is there is given up.
const STUCK: Duration = Duration::from_secs(5);
/// Time for the rest of the output after a command has ended; used up only if something still holds its output.
const DRAIN: Duration = Duration::from_millis(100);
/// A read asks for this much first, and for the second amount once so much came.
const SMALL_READ: usize = 8 * 1024;
const LARGE_READ: usize = 64 * 1024;
/// How often the files of a detached command are kept within bounds.
const TRIM_EVERY: Duration = Duration::from_secs(60);

/// A command that has just been started.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) group: Arc<Group>,
    pub(crate) stdin: Option<String>,
    /// How long its caller waits.
    pub(crate) handoff: Duration,
    /// A script of ours that goes when the command has ended.
    pub(crate) script: Option<TempPath>,
}

/// Why an execution is over.
enum Cause {
    Itself(std::io::Result<ExitStatus>),
    TimeLimit,
    Ordered(Order),
}

/// Follows an ordinary command.
pub(crate) async fn drive(shared: Arc<Shared>, core: Arc<Core>, mut running: Running) {
    let _fault =
        Fault { shared: Arc::clone(&shared), core: Arc::clone(&core), group: Arc::clone(&running.group) };
    let mut orders = core.orders.subscribe();
    let mut streams = Streams::of(&core, &mut running.child, running.stdin.take());
    let cause = streams.alongside(until_over(&shared, &core, &mut running, &mut orders)).await;
    let forced = !matches!(cause, Cause::Itself(_));
    let status = match &cause {
        Cause::Itself(status) => {
            running.group.note_leader_gone();
            status.as_ref().ok().copied()
        }
        Cause::TimeLimit | Cause::Ordered(_) => streams.alongside(end(&core, &mut running)).await,
    };
    let drained = streams.drain().await;
    let survivors = match forced || (drained && !running.group.may_live()) {
        true => Vec::new(),
        false => members(&running.group).await,
    };
    let lingers = !forced && (!survivors.is_empty() || !drained);
    conclude(&core, &cause, status, survivors);
    drop(running.script.take());
    shared.note_end(&core, !lingers);
    if lingers {
        linger(&core, &running.group, &mut orders, streams).await;
        shared.note_settled(&core);
    }
}

/// The living processes of a group.
async fn members(group: &Arc<Group>) -> Vec<u32> {
    let group = Arc::clone(group);
    blocking(move || group.members()).await.unwrap_or_default()
}

/// If following a command fails through a fault of ours, the command is ended and nobody waits for ever.
struct Fault {
    shared: Arc<Shared>,
    core: Arc<Core>,
    group: Arc<Group>,
}

impl Drop for Fault {
    fn drop(&mut self) {
        if !std::thread::panicking() || self.core.progress.borrow().settled {
            return;
        }
        self.group.kill();
        self.core.note("It was ended because of a fault in the Runner.");
        let ending = self.core.ending_now(Outcome::Lost, None, None);
        self.core.state.lock().ending.get_or_insert(ending);
        self.shared.note_end(&self.core, true);
    }
}

async fn until_over(
    shared: &Arc<Shared>,
    core: &Arc<Core>,
    running: &mut Running,
    orders: &mut watch::Receiver<Option<Order>>,
) -> Cause {
    let start = Instant::now();
    let limit = sleep_until(start + core.timeout);
    let handoff = sleep_until(start + running.handoff);
    tokio::pin!(limit, handoff);
    let mut handed_over = false;
    loop {
        tokio::select! {
            biased;
            status = running.child.wait() => return Cause::Itself(status),
            order = next(orders) => match order {
                Order::Settle => {}
                order => return Cause::Ordered(order),
            },
            () = &mut limit => return Cause::TimeLimit,
            () = &mut handoff, if !handed_over => {
                handed_over = true;
                shared.hand_over(core);
            }
        }
    }
}

/// The next order; never, if none can come any more.
async fn next(orders: &mut watch::Receiver<Option<Order>>) -> Order {
    match orders.wait_for(Option::is_some).await.ok().and_then(|order| *order) {
        Some(order) => order,
        None => std::future::pending().await,
    }
}

/// Ends the command and everything it started: asks, waits a little, then kills.
async fn end(core: &Core, running: &mut Running) -> Option<ExitStatus> {
    let deadline = Instant::now() + GRACE;
    let group = Arc::clone(&running.group);
    blocking({
        let group = Arc::clone(&group);
        move || group.ask_to_end()
    })
    .await;
    let mut status = timeout(GRACE, running.child.wait()).await.ok();
    if status.is_some() {
        group.note_leader_gone();
        gone_by(&group, deadline).await;
    }
    let killed = Arc::clone(&group);
    blocking(move || killed.kill()).await;
    if status.is_none() {
        status = timeout(STUCK, running.child.wait()).await.ok();
        group.note_leader_gone();
    }
    if status.is_none() {
        core.note("The system has not ended it although it was killed; it may be waiting for a device.");
    }
    status.and_then(Result::ok)
}

/// Waits until nothing of the group lives, at most until `deadline`.
async fn gone_by(group: &Arc<Group>, deadline: Instant) {
    let mut pause = Duration::from_millis(5);
    while Instant::now() < deadline {
        let looked_at = Arc::clone(group);
        let gone = blocking(move || !looked_at.may_live() || looked_at.members().is_empty()).await;
        if gone.unwrap_or(true) {
            return;
        }
        sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(200));
    }
}

/// Notes how the execution ended.
fn conclude(core: &Core, cause: &Cause, status: Option<ExitStatus>, survivors: Vec<u32>) {
    let exit_code = status.and_then(|status| status.code()).map(i64::from);
    let signal = status.and_then(signal_of);
    let outcome = match cause {
        Cause::Itself(_) if exit_code == Some(0) => Outcome::Passed,
        Cause::Itself(_) => Outcome::Failed,
        Cause::TimeLimit => Outcome::TimedOut,
        Cause::Ordered(_) => Outcome::Stopped,
    };
    match cause {
        Cause::TimeLimit => core.note(format!(
            "It was ended after its time limit of {} s, with everything it started. It may have had effects; nothing is run again by itself.",
            core.timeout.as_secs()
        )),
        Cause::Ordered(Order::ShutDown) => {
            core.note("It was ended, with everything it started, because the Runner shut down. It may have had effects.");
        }
        Cause::Ordered(_) => core.note("It was stopped with everything it started. It may have had effects."),
        Cause::Itself(_) => {}
    }
    let ending = core.ending_now(outcome, exit_code, signal);
    let mut state = core.state.lock();
    state.ending = Some(ending);
    state.survivors = survivors;
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(windows)]
fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}

/// The command has ended and something it started goes on: its output is still read, so that it does not stall.
async fn linger(
    core: &Arc<Core>,
    group: &Arc<Group>,
    orders: &mut watch::Receiver<Option<Order>>,
    mut streams: Streams,
) {
    loop {
        let reading = !streams.ended;
        tokio::select! {
            () = streams.end(), if reading => {
                let left = members(group).await;
                let gone = left.is_empty();
                core.state.lock().survivors = left;
                if gone {
                    return;
                }
            }
            order = next(orders) => {
                if order != Order::Settle {
                    end_survivors(group).await;
                    let ended = std::mem::take(&mut core.state.lock().survivors);
                    core.note(format!("What it left running ({}) was ended.", list(&ended)));
                }
                return;
            }
        }
    }
}

async fn end_survivors(group: &Arc<Group>) {
    let asked = Arc::clone(group);
    blocking(move || asked.ask_to_end()).await;
    gone_by(group, Instant::now() + GRACE).await;
    let killed = Arc::clone(group);
    blocking(move || killed.kill()).await;
}

/// Process numbers for a sentence.
pub(crate) fn list(pids: &[u32]) -> String {
    let shown: Vec<String> = pids.iter().take(8).map(u32::to_string).collect();
    match pids {
        [] => "no longer visible".to_owned(),
        [_] => format!("process {}", shown.join(", ")),
        _ => format!("processes {}", shown.join(", ")),
    }
}

/// Follows a detached command that this Runner started.
pub(crate) async fn drive_detached(
    shared: Arc<Shared>,
    core: Arc<Core>,
    mut child: Child,
    group: Arc<Group>,
) {
    let mut orders = core.orders.subscribe();
    let mut trim = tokio::time::interval(TRIM_EVERY);
    let cause = loop {
        tokio::select! {
            status = child.wait() => break Cause::Itself(status),
            order = next(&mut orders) => if order == Order::Stop { break Cause::Ordered(order) } else { return },
            _ = trim.tick() => trim_output(&core).await,
        }
    };
    let status = match &cause {
        Cause::Itself(status) => status.as_ref().ok().copied(),
        _ => {
            let mut running = Running {
                child,
                group: Arc::clone(&group),
                stdin: None,
                handoff: Duration::ZERO,
                script: None,
            };
            end(&core, &mut running).await
        }
    };
    group.note_leader_gone();
    conclude(&core, &cause, status, Vec::new());
    shared.note_end(&core, true);
}

/// Follows a detached command that an earlier Runner started: its end is seen, its exit code is not.
pub(crate) async fn drive_adopted(shared: Arc<Shared>, core: Arc<Core>, group: Arc<Group>) {
    let mut orders = core.orders.subscribe();
    let mut trim = tokio::time::interval(TRIM_EVERY);
    let ended = crate::sys::wait_for_end(group.leader());
    tokio::pin!(ended);
    let cause = loop {
        tokio::select! {
            result = &mut ended => break result.map(|()| None),
            order = next(&mut orders) => if order == Order::Stop { break Ok(Some(order)) } else { return },
            _ = trim.tick() => trim_output(&core).await,
        }
    };
    let outcome = match cause {
        Ok(None) => Outcome::Lost,
        Ok(Some(_)) => {
            end_survivors(&group).await;
            core.note("It was stopped with everything it started.");
            Outcome::Stopped
        }
        // Its end cannot be watched here. It stays a running job until it is stopped.
        Err(error) => {
            tracing::warn!(job = %core.id, %error, "the end of a detached process cannot be watched");
            return;
        }
    };
    let ending = core.ending_now(outcome, None, None);
    core.state.lock().ending = Some(ending);
    shared.note_end(&core, true);
}

async fn trim_output(core: &Arc<Core>) {
    let core = Arc::clone(core);
    blocking(move || core.output.trim()).await;
}

/// The streams of a command. They are served in the task that waits for the command, so that it never waits for us.
struct Streams {
    serving: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// Nothing more will come.
    ended: bool,
}

impl Streams {
    fn of(core: &Arc<Core>, child: &mut Child, stdin: Option<String>) -> Self {
        let (out, err, feed) = (child.stdout.take(), child.stderr.take(), child.stdin.take().zip(stdin));
        let core = Arc::clone(core);
        let serving = Box::pin(async move {
            let feed = async {
                if let Some((mut pipe, text)) = feed {
                    // A command that does not read it all is not at fault.
                    let _ = pipe.write_all(text.as_bytes()).await;
                }
            };
            tokio::join!(pump(&core, StreamName::Stdout, out), pump(&core, StreamName::Stderr, err), feed);
        });
        Self { serving, ended: false }
    }

    /// Serves the streams until `work` is done.
    async fn alongside<T>(&mut self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        loop {
            let reading = !self.ended;
            tokio::select! {
                biased;
                result = &mut work => return result,
                () = self.end(), if reading => {}
            }
        }
    }

    /// Resolves when both streams have ended.
    async fn end(&mut self) {
        (&mut self.serving).await;
        self.ended = true;
    }

    /// Reads what is left; `false` if something still holds a stream after a moment.
    async fn drain(&mut self) -> bool {
        self.ended || timeout(DRAIN, self.end()).await.is_ok()
    }
}

async fn pump(core: &Arc<Core>, stream: StreamName, pipe: Option<impl AsyncRead + Unpin>) {
    let Some(mut pipe) = pipe else { return };
    let mut buffer = Vec::with_capacity(SMALL_READ);
    // A pipe that cannot be read is one that has ended.
    while let Ok(1..) = pipe.read_buf(&mut buffer).await {
        let full = buffer.len() == buffer.capacity();
        buffer = store(core, stream, buffer).await;
        buffer.clear();
        if full && buffer.capacity() < LARGE_READ {
            buffer.reserve_exact(LARGE_READ);
        }
    }
}

async fn store(core: &Arc<Core>, stream: StreamName, buffer: Vec<u8>) -> Vec<u8> {
    if !core.output.needs_disk(stream, buffer.len()) {
        append(core, stream, &buffer);
        return buffer;
    }
    let writer = Arc::clone(core);
    let stored = blocking(move || {
        append(&writer, stream, &buffer);
        buffer
    });
    stored.await.unwrap_or_default()
}

fn append(core: &Core, stream: StreamName, bytes: &[u8]) {
    let (total, result) = core.output.append(stream, bytes);
    if let Err(error) = result {
        core.note(format!("Its output could not be kept on disk from some point on: {error}"));
    }
    core.progress.send_modify(|progress| progress.written[index(stream)] = total);
    core.wrote_at_ms.store(now_ms(), Ordering::Relaxed);
    core.changed();
}

/// Runs what may wait for the disk or looks through all processes.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}
