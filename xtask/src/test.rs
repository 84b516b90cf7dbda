//! `cargo xtask test`: every check there is, one step after the other.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::setup::{node::Node, python, system};
use crate::tally::{self, Step, Tally};
use crate::workspace::{self, Metadata};
use crate::{cache, command, projects, window_tests, windows};

/// Arguments of `cargo xtask test`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run only these steps, by name.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// List the steps and stop.
    #[arg(long)]
    list: bool,
}

const STEPS: &[Step] = &[
    Step { name: "format", about: "the code is formatted", run: format },
    Step { name: "lints", about: "clippy has nothing to say", run: lints },
    Step { name: "docs", about: "the documentation builds and its links lead somewhere", run: docs },
    Step { name: "workspace", about: "unit, integration and documentation tests", run: workspace_tests },
    Step {
        name: "python",
        about: "the official Python SDK does the whole loop in both eras",
        run: python_sdk,
    },
    Step {
        name: "typescript",
        about: "the TypeScript SDKs v1 and v2 do the whole loop",
        run: typescript_sdks,
    },
    Step { name: "inspector", about: "the Inspector CLI does the whole loop", run: inspector },
    Step {
        name: "openapi",
        about: "/api/tools/call keeps its description under generated input",
        run: openapi,
    },
    Step { name: "conformance", about: "the MCP conformance suite, both revisions", run: conformance },
    Step { name: "window", about: "the page of the window, in Chromium", run: window_tests::window },
    Step {
        name: "desktop",
        about: "the app in its real window, on a private desktop",
        run: window_tests::app,
    },
    Step {
        name: "windows",
        about: "everything type-checks for Windows, and what needs no window runs under wine",
        run: windows::test,
    },
    Step { name: "secrets", about: "no secret is in anything that the steps before have left", run: secrets },
];

/// Steps that run only where they are named: they take long and find what only length brings to light.
const ON_REQUEST: &[Step] = &[Step {
    name: "soak",
    about: "100 000 commands through eight tunnels, with a look at the memory (on request)",
    run: soak,
}];

/// Commands of the soak.
const SOAK: &str = "100000";

/// Runs the chosen steps (all by default) and prints `N passed, N failed` last.
pub(crate) fn run(args: &Args) -> Result<()> {
    if args.list {
        STEPS
            .iter()
            .chain(ON_REQUEST)
            .for_each(|step| tally::say(&format!("{:<12} {}", step.name, step.about)));
        return Ok(());
    }
    system::test_tools()?;
    tally::run_all(&chosen(&args.only)?)
}

fn chosen(names: &[String]) -> Result<Vec<&'static Step>> {
    let all = STEPS.iter().chain(ON_REQUEST);
    if let Some(unknown) = names.iter().find(|name| all.clone().all(|step| step.name != **name)) {
        bail!("no step is called `{unknown}`; see `cargo xtask test --list`");
    }
    if names.is_empty() {
        return Ok(STEPS.iter().collect());
    }
    Ok(all.filter(|step| names.iter().any(|name| name == step.name)).collect())
}

fn format(tally: &mut Tally) -> Result<()> {
    tally.run(&mut workspace::cargo(&["fmt", "--all", "--check"]))
}

fn lints(tally: &mut Tally) -> Result<()> {
    let features = ["--features", CONFORMANCE];
    let clippy = ["clippy", "--quiet", "--all-targets"];
    tally.run(&mut workspace::cargo(&[&clippy[..], &features, &["--", "--deny", "warnings"]].concat()))
}

fn docs(tally: &mut Tally) -> Result<()> {
    let mut doc = workspace::cargo(&["doc", "--quiet", "--no-deps", "--document-private-items"]);
    tally.run(doc.env("RUSTDOCFLAGS", "--deny warnings"))
}

fn workspace_tests(tally: &mut Tally) -> Result<()> {
    let mut tests = workspace::cargo(&["test", "--no-fail-fast"]);
    tally.run(tests.env("WEBCODEX_EXE", product()?))
}

fn soak(tally: &mut Tally) -> Result<()> {
    let test = ["test", "--release", "--package", "webcodex-tunnel", "--test", "tunnel", "soak::"];
    tally.run(workspace::cargo(&test).env("WEBCODEX_TUNNEL_SOAK", SOAK))
}

fn python_sdk(tally: &mut Tally) -> Result<()> {
    let python = python::interpreter()?;
    let script = workspace::root().join("tests").join("python").join("whole_loop.py");
    both(["auto", "legacy"], |mode| {
        let mut run = Command::new(&python);
        run.arg(&script).args(["--mode", mode]);
        tally.run(with_product(&mut run, &format!("python-{mode}"))?)
    })
}

fn typescript_sdks(tally: &mut Tally) -> Result<()> {
    let node = Node::set_up()?;
    both(["v1", "v2"], |version| {
        let mut run = node.script(&format!("node/sdk-{version}.mjs"));
        tally.run(with_product(&mut run, &format!("typescript-{version}"))?)
    })
}

fn inspector(tally: &mut Tally) -> Result<()> {
    let mut run = Node::set_up()?.script("node/inspector.mjs");
    tally.run(with_product(&mut run, "inspector")?)
}

fn openapi(tally: &mut Tally) -> Result<()> {
    let mut run = Command::new(python::interpreter()?);
    run.arg(workspace::root().join("tests").join("python").join("openapi_fuzz.py"));
    tally.run(with_product(&mut run, "openapi")?)
}

fn conformance(tally: &mut Tally) -> Result<()> {
    let node = Node::set_up()?;
    let fixtures = product_with_fixtures()?;
    both(["2025-11-25", "2026-07-28"], |revision| {
        let mut run = node.script("conformance/run.mjs");
        run.arg(revision).env("WEBCODEX_EXE", &fixtures);
        tally.run(run.env("WEBCODEX_PROJECT", projects::fresh_copy("conformance")?))
    })
}

fn secrets(tally: &mut Tally) -> Result<()> {
    let scan = ["run", "--quiet", "--package", "webcodex-testkit", "--example", "left_scan"];
    tally.run(&mut workspace::cargo(&scan))
}

/// Runs a check on two variants, the second one also if the first failed.
fn both(variants: [&str; 2], mut check: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let [first, second] = variants.map(&mut check);
    first.and(second)
}

/// Tells a test which executable to start and which folder, a copy of a real project, to serve.
fn with_product<'a>(test: &'a mut Command, project: &str) -> Result<&'a mut Command> {
    Ok(test.env("WEBCODEX_EXE", product()?).env("WEBCODEX_PROJECT", projects::fresh_copy(project)?))
}

/// The executable, up to date.
fn product() -> Result<PathBuf> {
    command::run(&mut workspace::cargo(&["build", "--quiet", "--bins"]))?;
    Ok(workspace::executable(&Metadata::read()?.target()?, "debug"))
}

const CONFORMANCE: &str = "webcodex-cli/conformance";

/// The executable with the tools, prompts and resources that the conformance suite asks for, kept in the cache.
fn product_with_fixtures() -> Result<PathBuf> {
    let target = cache::folder()?.join("target-conformance");
    let mut build =
        workspace::cargo(&["build", "--quiet", "--package", "webcodex-cli", "--features", CONFORMANCE]);
    command::run(build.arg("--target-dir").arg(&target))?;
    Ok(workspace::executable(&target, "debug"))
}
