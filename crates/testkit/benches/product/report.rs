//! The table and the file of results.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::samples::{Pair, Samples};

/// What a value should not exceed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// So many times the floor.
    Ratio(f64),
    /// So much in the row's own unit.
    AtMost(f64),
    /// Shown for information.
    None,
}

struct Row {
    name: String,
    unit: &'static str,
    value: f64,
    p99: Option<f64>,
    floor: Option<f64>,
    target: Target,
}

impl Row {
    fn ratio(&self) -> Option<f64> {
        self.floor.map(|floor| self.value / floor)
    }

    fn verdict(&self) -> &'static str {
        let kept = match self.target {
            Target::None => return "",
            Target::AtMost(most) => self.value <= most,
            Target::Ratio(most) => self.ratio().is_some_and(|ratio| ratio <= most),
        };
        if kept { "ok" } else { "MISS" }
    }

    fn target(&self) -> String {
        match self.target {
            Target::None => String::new(),
            Target::AtMost(most) => format!("<= {most} {}", self.unit),
            Target::Ratio(most) => format!("<= {most:.2} x"),
        }
    }
}

/// Everything that was measured.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

impl Report {
    /// A value that stands alone.
    pub(crate) fn value(&mut self, name: impl Into<String>, unit: &'static str, value: f64, target: Target) {
        self.rows.push(Row { name: name.into(), unit, value, p99: None, floor: None, target });
    }

    /// Times without a floor, shown in milliseconds.
    pub(crate) fn times(&mut self, name: impl Into<String>, samples: &Samples, target: Target) {
        let (value, p99) = (samples.median() / 1e3, Some(samples.p99() / 1e3));
        self.rows.push(Row { name: name.into(), unit: "ms", value, p99, floor: None, target });
    }

    /// Times with their floor, shown in milliseconds.
    pub(crate) fn pair(&mut self, name: impl Into<String>, pair: &Pair, target: Target) {
        let (value, p99) = (pair.product.median() / 1e3, Some(pair.product.p99() / 1e3));
        let floor = Some(pair.floor.median() / 1e3);
        self.rows.push(Row { name: name.into(), unit: "ms", value, p99, floor, target });
    }

    /// A value with its floor, both in `unit`.
    pub(crate) fn compared(
        &mut self,
        name: impl Into<String>,
        unit: &'static str,
        (value, floor): (f64, f64),
        target: Target,
    ) {
        self.rows.push(Row { name: name.into(), unit, value, p99: None, floor: Some(floor), target });
    }

    /// Prints the table.
    pub(crate) fn print(&self) -> Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{:<52} {:>10} {:>10} {:>10} {:>7}  {:<5} {:<12} verdict",
            "what", "median", "p99", "floor", "ratio", "unit", "target"
        )?;
        for row in &self.rows {
            let number = |value: Option<f64>| value.map(|value| format!("{value:.3}")).unwrap_or_default();
            let ratio = row.ratio().map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
            writeln!(
                out,
                "{:<52} {:>10} {:>10} {:>10} {ratio:>7}  {:<5} {:<12} {}",
                row.name,
                number(Some(row.value)),
                number(row.p99),
                number(row.floor),
                row.unit,
                row.target(),
                row.verdict()
            )?;
        }
        let missed = self.rows.iter().filter(|row| row.verdict() == "MISS").count();
        writeln!(out, "{} values, {missed} targets missed", self.rows.len())?;
        Ok(())
    }

    /// Writes the rows as JSON.
    pub(crate) fn write(&self, file: &Path) -> Result<()> {
        let rows: Vec<Value> = self.rows.iter().map(as_json).collect();
        let cores = std::thread::available_parallelism().map(usize::from).unwrap_or(0);
        let report = json!({"cores": cores, "os": std::env::consts::OS, "rows": rows});
        let text = serde_json::to_string_pretty(&report)?;
        std::fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))
    }
}

fn as_json(row: &Row) -> Value {
    json!({
        "name": row.name,
        "unit": row.unit,
        "median": row.value,
        "p99": row.p99,
        "floor": row.floor,
        "ratio": row.ratio(),
        "target": row.target(),
        "verdict": row.verdict(),
    })
}
