//! One thread's patterns, applied to one text after the other.

use std::sync::Arc;

use webcodex_contracts::ProjectPath;

use super::mask::Mask;
use super::outcome::FileHits;
use super::pattern::{AnyOf, Hit, Pattern};
use super::plan::Plan;
use super::render::Collector;

/// Texts after which it is known whether asking for all patterns at once pays.
const TRIAL_TEXTS: u32 = 64;

/// One thread's patterns.
#[derive(Debug)]
pub(super) struct Matchers {
    plan: Arc<Plan>,
    /// Copies, because threads that share a matcher wait for each other.
    patterns: Vec<Option<Pattern>>,
    any_of: Option<AnyOf>,
    tried: u32,
    passed: u32,
}

impl Matchers {
    pub(super) fn new(plan: &Arc<Plan>) -> Self {
        let pattern = |number| plan.query(number).map(|query| query.pattern.clone());
        Self {
            patterns: (0..u8::BITS as usize).map(pattern).collect(),
            any_of: plan.any_of.clone(),
            plan: Arc::clone(plan),
            tried: 0,
            passed: 0,
        }
    }

    /// The queries whose matches lie in one line.
    pub(super) fn linewise(&self) -> Mask {
        self.plan.linewise
    }

    /// The first hit, at or after the line that begins at `from`, of each query that has one.
    pub(super) fn first_hits(&mut self, text: &[u8], from: usize, queries: Mask) -> Vec<(usize, Hit)> {
        let linewise = queries & self.plan.linewise;
        let asked = match linewise.count() > 1 && self.none_of(&text[from..]) {
            true => queries.without(linewise),
            false => queries,
        };
        let find = |number: usize| Some((number, self.patterns.get(number)?.as_ref()?.find(text, from)?));
        asked.iter().filter_map(find).collect()
    }

    /// Whether all patterns at once say that none of them occurs.
    fn none_of(&mut self, text: &[u8]) -> bool {
        let Some(any_of) = &self.any_of else { return false };
        let pass = any_of.may_match(text);
        self.tried += 1;
        self.passed += u32::from(pass);
        if self.tried == TRIAL_TEXTS && self.passed * 2 > TRIAL_TEXTS {
            self.any_of = None;
        }
        !pass
    }

    /// Everything that queries find in a text, given where each finds something first.
    pub(super) fn collect(
        &self,
        text: &str,
        path: &ProjectPath,
        first: Vec<(usize, Hit)>,
    ) -> Vec<(usize, FileHits)> {
        first
            .into_iter()
            .filter_map(|(number, first)| Some((number, self.collect_one(text, path, number, first)?)))
            .filter(|(_, hits)| hits.lines > 0)
            .collect()
    }

    fn collect_one(&self, text: &str, path: &ProjectPath, number: usize, first: Hit) -> Option<FileHits> {
        let pattern = self.patterns.get(number)?.as_ref()?;
        let mut collector = Collector::new(self.plan.query(number)?, path);
        let mut next = Some(first);
        while let Some(hit) = next {
            next = if collector.add(text, hit) { pattern.find(text.as_bytes(), hit.next()) } else { None };
        }
        Some(collector.finish(text))
    }
}
