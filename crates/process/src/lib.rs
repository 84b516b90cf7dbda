//! Commands, everything they start, their output, and the jobs they become when they run longer than a caller waits.
//!
//! One execution has one identity from its start on. It runs at most once; what is known of it is one of: not started,
//! running, ended with a result, unknown. A caller that goes away ends nothing.
//!
//! **Invariants.** No process that a command started outlives the command's end by time limit, its stop, the shutdown
//! of the Runner or the Runner's own death, however it came; detached commands alone outlive the Runner. Memory does
//! not grow with the output or with the number of commands. Nothing wakes up while nothing happens.
//!
//! How a group of processes is held together differs: a process group and a mark in the environment on Unix, a Job
//! Object on Windows. Own code serves both because the two crates for it wait for all processes of a group, while here
//! a command is over when it itself ends.
//!
//! ```no_run
//! use std::time::Duration;
//! use webcodex_contracts::ProjectId;
//! use webcodex_process::{Command, Jobs, JobsConfig, Program};
//! use webcodex_projects::Project;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let project = Project::new(ProjectId::parse("agent:me:demo")?, "demo", "/home/me/demo".as_ref())?;
//! let jobs = Jobs::open(JobsConfig::new("/home/me/.local/share/webcodex", "0a1b2c3d"))?;
//! let program = Program::Executable { executable: "cargo".into(), args: vec!["test".into()] };
//! let job = jobs.start(project.run_access()?, Command::new(program), Duration::from_secs(10)).await?;
//! job.ended_or_handed_over().await;
//! let execution = job.execution(50).await;
//! # Ok(())
//! # }
//! ```

mod base64;
mod command;
mod config;
mod core;
mod drive;
mod environment;
mod error;
mod facts;
mod guard;
mod invocation;
mod job;
mod jobs;
mod launch;
mod ledger;
mod lookup;
mod notes;
mod observe;
mod output;
mod readiness;
mod record;
mod restore;
mod roster;
mod search_path;
mod sys;
mod text;
mod token;

pub use command::{Command, Program};
pub use config::{JobsConfig, PathSource, SearchPathSource};
pub use error::JobsError;
pub use facts::{JobFacts, NewOutput};
pub use job::Job;
pub use jobs::{JobPage, Jobs};
pub use observe::{Look, Observed, observe};
pub use readiness::{Reached, Readiness};
pub use search_path::{SearchPath, search_path};
