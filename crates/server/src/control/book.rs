//! The calls in flight, and those of late once somebody looks: what Activity, sessions and clients are made of.
//!
//! Until the first listener comes only calls in flight are held. Then what the database has is read once, and kept up
//! with from there on. Listeners compare numbers, so nothing is queued for them.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use parking_lot::Mutex;
use tokio::sync::watch;
use webcodex_contracts::control::{AllowedBy, RecordLevel, ServerState, Step, StepKind, Via};
use webcodex_contracts::{CallId, JobId, ProjectId, SessionId, table};
use webcodex_store::{CallOutcome, CallRecord, ClientSeen, KnownSession, Session, Store, StoreError, now_ms};

/// Sessions held.
const MAX_SESSIONS: usize = 200;
/// Rejected requests held.
const MAX_REJECTED: usize = 50;
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// See the module.
pub(crate) struct Book {
    pub(super) inner: Mutex<Inner>,
    news: watch::Sender<u64>,
}

#[derive(Default)]
pub(super) struct Inner {
    pub(super) in_flight: HashMap<CallId, CallRecord>,
    /// Projects in which something may have changed.
    worked_in: HashSet<ProjectId>,
    asked: HashMap<CallId, Asked>,
    pub(super) kept: Option<Kept>,
    tick: u64,
}

/// What is held once somebody has looked.
#[derive(Default)]
pub(super) struct Kept {
    loaded: bool,
    /// Newest first.
    pub(super) calls: VecDeque<Entry>,
    pub(super) earlier: bool,
    pub(super) today: u64,
    midnight: u64,
    pub(super) sessions: HashMap<SessionId, SessionEntry>,
    pub(super) tools: Vec<ClientSeen>,
    pub(super) rejected: VecDeque<Rejected>,
}

/// A call and the number of its last change.
pub(super) struct Entry {
    pub(super) tick: u64,
    pub(super) record: CallRecord,
}

/// A session and what was done in it.
pub(super) struct SessionEntry {
    pub(super) session: Session,
    pub(super) last_ms: u64,
    pub(super) calls: u64,
    /// Files that are changed by it, and whether the person has accepted them.
    pub(super) files: BTreeMap<String, bool>,
    /// When its model closed it, unless work went on since.
    pub(super) sealed_ms: Option<u64>,
}

/// A request whose credential was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rejected {
    pub(super) at: u64,
    pub(super) program: String,
    pub(super) via: Via,
}

/// A call's question to a person.
#[derive(Default)]
struct Asked {
    since: Option<u64>,
    waits: Vec<(u64, u64)>,
    allowed_by: Option<AllowedBy>,
    word: Option<String>,
}

impl Book {
    pub(super) fn new(news: watch::Sender<u64>) -> Self {
        Self { inner: Mutex::default(), news }
    }

    pub(super) fn changed(&self) {
        self.news.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Reads what the database has, the first time somebody looks.
    pub(super) async fn load(&self, store: &Store) -> Result<(), StoreError> {
        if self.inner.lock().kept.get_or_insert_default().loaded {
            return Ok(());
        }
        let page = store.calls_before(None, ServerState::CALLS_HELD as u32).await?;
        let sessions = store.sessions(MAX_SESSIONS as u32).await?;
        let tools = store.clients().await?;
        let (today, midnight) = store.calls_today().await?;
        let mut inner = self.inner.lock();
        let in_flight: Vec<CallRecord> = inner.in_flight.values().cloned().collect();
        let kept = inner.kept.get_or_insert_default();
        if kept.loaded {
            return Ok(());
        }
        let known: HashSet<CallId> = kept.calls.iter().map(|entry| entry.record.id.clone()).collect();
        let older = page.calls.into_iter().chain(in_flight).filter(|call| !known.contains(&call.id));
        let mut seen = HashSet::new();
        for record in older.filter(|call| seen.insert(call.id.clone())) {
            kept.insert(Entry { tick: 0, record });
        }
        (kept.loaded, kept.today, kept.midnight, kept.tools) = (true, today, midnight, tools);
        kept.earlier |= page.more;
        for known in sessions {
            let entry = SessionEntry::from(known);
            kept.sessions.entry(entry.session.id.clone()).or_insert(entry);
        }
        Ok(())
    }

    /// A call is in flight, or stands differently now.
    pub(crate) fn put(&self, record: CallRecord) {
        let mut inner = self.inner.lock();
        let inner = &mut *inner;
        if inner.kept.is_some()
            && record.outcome != CallOutcome::Running
            && let Some(project) = &record.project
            && table::find(record.tool).is_some_and(|tool| tool.effect.is_destructive())
        {
            inner.worked_in.insert(project.clone());
        }
        match record.outcome {
            CallOutcome::Running => inner.in_flight.insert(record.id.clone(), record.clone()),
            _ => inner.in_flight.remove(&record.id),
        };
        if let Some(kept) = &mut inner.kept {
            inner.tick += 1;
            kept.put(inner.tick, record);
        }
        self.changed();
    }

    /// Projects in which something may have changed since the last time.
    pub(super) fn take_worked_in(&self) -> Vec<ProjectId> {
        self.inner.lock().worked_in.drain().collect()
    }

    /// They are still to be looked at.
    pub(super) fn worked_in(&self, projects: Vec<ProjectId>) {
        self.inner.lock().worked_in.extend(projects);
    }

    /// What is held of a call.
    pub(super) fn find(&self, id: &CallId) -> Option<CallRecord> {
        let inner = self.inner.lock();
        let kept = || Some(&inner.kept.as_ref()?.calls.iter().find(|entry| entry.record.id == *id)?.record);
        inner.in_flight.get(id).or_else(kept).cloned()
    }

    /// A session was started.
    pub(crate) fn session_started(&self, session: &Session) {
        let mut inner = self.inner.lock();
        let Some(kept) = &mut inner.kept else { return };
        let entry = SessionEntry {
            session: session.clone(),
            last_ms: session.created_ms,
            calls: 0,
            files: BTreeMap::new(),
            sealed_ms: None,
        };
        kept.sessions.insert(session.id.clone(), entry);
        if kept.sessions.len() > MAX_SESSIONS {
            let oldest =
                kept.sessions.iter().min_by_key(|(_, entry)| entry.last_ms).map(|(id, _)| id.clone());
            oldest.map(|id| kept.sessions.remove(&id));
        }
    }

    /// A client has fetched the list of tools.
    pub(crate) fn tools_fetched(&self, seen: ClientSeen) {
        let mut inner = self.inner.lock();
        let Some(kept) = &mut inner.kept else { return };
        kept.tools.retain(|known| (&known.name, known.via) != (&seen.name, seen.via));
        kept.tools.push(seen);
        drop(inner);
        self.changed();
    }

    /// A credential was not accepted.
    pub(crate) fn rejected(&self, program: &str, via: Via) {
        let mut inner = self.inner.lock();
        let Some(kept) = &mut inner.kept else { return };
        kept.rejected.push_front(Rejected { at: now_ms(), program: program.to_owned(), via });
        kept.rejected.truncate(MAX_REJECTED);
        drop(inner);
        self.changed();
    }

    /// The call waits for a person from now on.
    pub(crate) fn waits_for_person(&self, call: &CallId) {
        self.update(call, |asked, elapsed| asked.since = Some(elapsed));
    }

    /// A person has answered, or nobody has; the call goes on.
    pub(crate) fn person_answered(&self, call: &CallId, allowed_by: Option<AllowedBy>, word: Option<String>) {
        self.update(call, |asked, elapsed| {
            if let Some(since) = asked.since.take() {
                asked.waits.push((since, elapsed.saturating_sub(since)));
            }
            (asked.allowed_by, asked.word) = (allowed_by, word);
        });
    }

    fn update(&self, call: &CallId, change: impl FnOnce(&mut Asked, u64)) {
        let mut inner = self.inner.lock();
        let inner = &mut *inner;
        let Some(record) = inner.in_flight.get(call) else { return };
        change(inner.asked.entry(call.clone()).or_default(), now_ms().saturating_sub(record.at_ms));
        if let Some(kept) = &mut inner.kept {
            inner.tick += 1;
            kept.put(inner.tick, record.clone());
        }
        self.changed();
    }

    /// Puts what a person did to a call into its record.
    pub(crate) fn take_person(&self, record: &mut CallRecord, level: RecordLevel) {
        let Some(mut asked) = self.inner.lock().asked.remove(&record.id) else { return };
        let elapsed = now_ms().saturating_sub(record.at_ms);
        if let Some(since) = asked.since.take() {
            asked.waits.push((since, elapsed.saturating_sub(since)));
        }
        for (start, length) in asked.waits {
            split_work(&mut record.details.steps, start, length);
        }
        record.details.allowed_by = asked.allowed_by;
        record.details.word = asked.word.filter(|_| level == RecordLevel::Subjects);
    }
}

impl Inner {
    /// Whether the call waits for a person.
    pub(super) fn waits(&self, call: &CallId) -> bool {
        self.asked.get(call).is_some_and(|asked| asked.since.is_some())
    }

    /// The number of the last change.
    pub(super) fn tick(&self) -> u64 {
        self.tick
    }

    /// The call that became a job.
    pub(super) fn call_of_job(&self, job: &JobId) -> Option<&CallRecord> {
        let kept = self.kept.as_ref()?;
        kept.calls.iter().map(|entry| &entry.record).rfind(|record| record.job.as_ref() == Some(job))
    }

    /// Whether a call is at work in the project.
    pub(super) fn works_in(&self, project: &ProjectId) -> bool {
        self.in_flight.values().any(|record| record.project.as_ref() == Some(project))
    }
}

impl Kept {
    fn put(&mut self, tick: u64, record: CallRecord) {
        self.turn_of_the_day();
        let known = self.calls.iter().find(|entry| entry.record.id == record.id);
        // A call that starts a session belongs to it from its end on.
        let new = known.is_none_or(|entry| entry.record.session != record.session);
        if let Some(entry) = self.session_of(&record) {
            entry.last_ms = entry.last_ms.max(now_ms());
            entry.calls += u64::from(new);
        }
        match self.calls.iter_mut().find(|entry| entry.record.id == record.id) {
            Some(entry) => *entry = Entry { tick, record },
            None => {
                self.today += u64::from(self.loaded);
                self.insert(Entry { tick, record });
            }
        }
    }

    fn session_of(&mut self, record: &CallRecord) -> Option<&mut SessionEntry> {
        self.sessions.get_mut(record.session.as_ref()?)
    }

    /// Puts a call where it belongs by the time it began.
    fn insert(&mut self, entry: Entry) {
        let newer = self.calls.iter().take_while(|known| known.record.at_ms > entry.record.at_ms).count();
        self.calls.insert(newer, entry);
        if self.calls.len() > ServerState::CALLS_HELD {
            self.calls.truncate(ServerState::CALLS_HELD);
            self.earlier = true;
        }
    }

    fn turn_of_the_day(&mut self) {
        if self.loaded && now_ms() >= self.midnight {
            let since = self.midnight;
            self.today = self.calls.iter().take_while(|entry| entry.record.at_ms >= since).count() as u64;
            self.midnight += DAY_MS;
        }
    }
}

impl From<KnownSession> for SessionEntry {
    fn from(known: KnownSession) -> Self {
        let KnownSession { session, last_used_ms, calls, files, sealed_ms } = known;
        Self { session, last_ms: last_used_ms, calls, files: files.into_iter().collect(), sealed_ms }
    }
}

/// Takes a wait for a person out of the time that counted as work.
fn split_work(steps: &mut Vec<Step>, start_ms: u64, length_ms: u64) {
    let end = start_ms + length_ms;
    let holds = |step: &Step| {
        step.kind == StepKind::Worked
            && step.start_ms <= start_ms
            && start_ms <= step.start_ms + step.length_ms
    };
    let Some(at) = steps.iter().position(holds) else { return };
    let work = steps[at];
    let work_end = work.start_ms + work.length_ms;
    let part = |kind, from: u64, to: u64| Step { kind, start_ms: from, length_ms: to.saturating_sub(from) };
    let parts = [
        part(StepKind::Worked, work.start_ms, start_ms),
        part(StepKind::WaitedPerson, start_ms, end.min(work_end)),
        part(StepKind::Worked, end.min(work_end), work_end),
    ];
    steps.splice(at..=at, parts);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_taken_out_of_the_work() {
        let work = Step { kind: StepKind::Worked, start_ms: 10, length_ms: 100 };
        let mut steps = vec![Step { kind: StepKind::Arrived, start_ms: 0, length_ms: 10 }, work];
        split_work(&mut steps, 20, 50);
        let seen: Vec<_> = steps.iter().map(|step| (step.kind, step.start_ms, step.length_ms)).collect();
        assert_eq!(
            seen,
            [
                (StepKind::Arrived, 0, 10),
                (StepKind::Worked, 10, 10),
                (StepKind::WaitedPerson, 20, 50),
                (StepKind::Worked, 70, 40),
            ]
        );
        assert_eq!(
            steps.iter().map(|step| step.length_ms).sum::<u64>(),
            110,
            "no time is lost or counted twice"
        );
    }
}
