//! Runs steps one after the other, counts what passed and failed in each, and sums up at the end.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{command, left};

/// How many checks passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

/// The counts of one step, gathered from the lines its programs print.
pub(crate) struct Tally<'a> {
    count: Count,
    left: &'a Path,
}

impl<'a> Tally<'a> {
    /// Nothing counted yet; what the programs leave goes to `left`.
    fn new(left: &'a Path) -> Self {
        Self { count: Count::default(), left }
    }

    /// Runs a command, shows its output as it comes, and adds every `N passed … N failed` line to the count.
    pub(crate) fn run(&mut self, command: &mut Command) -> Result<()> {
        let mut child = command
            .env(left::VARIABLE, self.left)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start `{}`", command::shown(command)))?;
        if let Some(output) = child.stdout.take() {
            for line in BufReader::new(output).split(b'\n') {
                let line = String::from_utf8_lossy(&line?).into_owned();
                say(&line);
                self.add(&line);
            }
        }
        let status = child.wait()?;
        if !status.success() {
            bail!("`{}` failed ({status})", command::shown(command));
        }
        Ok(())
    }

    fn add(&mut self, line: &str) {
        let numbers = (number_before(line, "passed"), number_before(line, "failed"));
        if let (Some(passed), Some(failed)) = numbers {
            self.count.passed += passed;
            self.count.failed += failed;
        }
    }
}

/// The whole number in front of `word` in `line`: 12 of `12 passed`.
fn number_before(line: &str, word: &str) -> Option<u64> {
    let words: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || ";,.:".contains(c)).filter(|w| !w.is_empty()).collect();
    words.windows(2).find(|pair| pair[1] == word).and_then(|pair| pair[0].parse().ok())
}

/// A named part of a run.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) run: fn(&mut Tally) -> Result<()>,
}

struct Ended {
    name: &'static str,
    took: Duration,
    count: Count,
    error: Option<String>,
}

/// Runs all steps, also after one has failed, prints a table and as the last line `N passed, N failed`.
pub(crate) fn run_all(steps: &[&Step]) -> Result<()> {
    let left = left::Left::new()?;
    let ended: Vec<Ended> = steps.iter().map(|step| run_one(step, left.folder())).collect();
    say("");
    for step in &ended {
        let Ended { name, took, count, error } = step;
        let state = error.as_deref().unwrap_or("ok");
        say(&format!(
            "{name:<14} {:>7.1} s {:>6} passed {:>3} failed  {state}",
            took.as_secs_f64(),
            count.passed,
            count.failed
        ));
    }
    let sum = |pick: fn(&Count) -> u64| ended.iter().map(|step| pick(&step.count)).sum::<u64>();
    let (passed, failed) = (sum(|count| count.passed), sum(|count| count.failed));
    say(&format!("{passed} passed, {failed} failed"));
    if failed > 0 {
        bail!("run a failed step alone with `cargo xtask test --only NAME`");
    }
    Ok(())
}

/// A step that prints no counts is one check; a step that fails without saying where is one failed check.
fn run_one(step: &Step, left: &Path) -> Ended {
    say(&format!("\n== {}: {}", step.name, step.about));
    let started = Instant::now();
    let mut tally = Tally::new(left);
    let result = (step.run)(&mut tally);
    let mut count = tally.count;
    match &result {
        Ok(()) if count == Count::default() => count.passed = 1,
        Err(_) if count.failed == 0 => count.failed = 1,
        _ => {}
    }
    let error = result.err().map(|error| format!("{error:#}"));
    if let Some(error) = &error {
        say(&format!("{}: {error}", step.name));
    }
    Ended { name: step.name, took: started.elapsed(), count, error }
}

/// Prints one line; a closed stdout is nobody's fault and ends nothing.
pub(crate) fn say(line: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = writeln!(stdout, "{line}");
    let _ = stdout.flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(lines: &[&str]) -> Count {
        let mut tally = Tally::new(Path::new(""));
        lines.iter().for_each(|line| tally.add(line));
        tally.count
    }

    #[test]
    fn the_summaries_of_all_our_tools_are_counted() {
        let cargo =
            "test result: ok. 41 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.09s";
        assert_eq!(counted(&[cargo, "3 passed, 1 failed"]), Count { passed: 44, failed: 1 });
    }

    #[test]
    fn other_lines_are_not() {
        let lines = ["passed", "x passed, y failed", "12 passed", "it failed", "outcome: passed failed 3"];
        assert_eq!(counted(&lines), Count::default());
    }
}
