//! How commands start: program, arguments, environment, input, shells, scripts.

use webcodex_contracts::ProjectPath;
use webcodex_contracts::execution::Outcome;
use webcodex_contracts::tools::run_shell::Shell;
use webcodex_process::{Command, JobsError, PathSource, Program, SearchPathSource};

use crate::place::{Place, executable, sh, text};

#[tokio::test]
async fn arguments_arrive_as_they_are() {
    let place = Place::new();
    let odd = ["a b", "", "$HOME", "*", "\"quoted\"", "new\nline", "你好"];
    let mut args = vec!["%s|"];
    args.extend(odd);
    let execution = place.run(executable("printf", &args)).await;
    assert_eq!(text(&execution.stdout), odd.map(|arg| format!("{arg}|")).concat());
    assert_eq!(execution.outcome, Some(Outcome::Passed));
}

#[tokio::test]
async fn a_command_runs_in_the_folder_that_was_asked_for() {
    let place = Place::new();
    std::fs::create_dir_all(place.file("a/b")).unwrap();
    let mut command = sh("pwd");
    command.cwd = ProjectPath::parse("a/b").unwrap();
    assert!(text(&place.run(command.clone()).await.stdout).trim_end().ends_with("/a/b"));
    command.cwd = ProjectPath::parse("nowhere").unwrap();
    assert!(matches!(place.start(command).await, Err(JobsError::WorkingFolder { .. })));
}

#[tokio::test]
async fn keys_of_the_product_are_not_visible_to_commands() {
    let place = Place::with(|config| {
        for name in ["WEBCODEX_TOKEN", "CONTROL_PLANE_API_KEY", "WEBCODEX_ADDR"] {
            config.environment.push((name.into(), "the-secret".into()));
        }
        config.environment.push(("MINE".into(), "kept".into()));
    });
    let all = place.run(executable("env", &[])).await;
    let all = text(&all.stdout);
    assert!(
        !all.contains("the-secret") && !all.contains("WEBCODEX") && !all.contains("CONTROL_PLANE"),
        "{all}"
    );
    assert!(all.contains("MINE=kept") && all.contains("GIT_TERMINAL_PROMPT=0"));
    let mut command = executable("env", &[]);
    command.env.insert("WEBCODEX_TOKEN".to_owned(), "x".to_owned());
    assert!(matches!(place.start(command).await, Err(JobsError::VariableRefused { .. })));
}

#[tokio::test]
async fn a_command_that_asks_for_input_nobody_can_give_ends_quickly_and_says_so() {
    let place = Place::new();
    let execution = place.sh("printf 'Continue? [y/N] '; read answer").await;
    assert_eq!(execution.outcome, Some(Outcome::Failed));
    assert!(execution.notes.iter().any(|note| note.contains("asked for input")), "{:?}", execution.notes);
    let execution = place.sh("printf 'Password: ' >&2; cat < /dev/tty").await;
    assert_eq!(execution.outcome, Some(Outcome::Failed), "there is no terminal");
    assert!(execution.notes.iter().any(|note| note.contains("no terminal")), "{:?}", execution.notes);
}

const TERMINAL_ROLE: &str = "TEST_TERMINAL_ROLE";

/// Not a test by itself: what a Runner does in the test below, with a terminal.
#[tokio::test]
async fn role_with_a_terminal() {
    if std::env::var_os(TERMINAL_ROLE).is_none() {
        return;
    }
    std::fs::File::open("/dev/tty").expect("the Runner has a terminal");
    let execution = Place::new().sh("cat < /dev/tty; echo $?").await;
    println!("\nSHOWN {}", text(&execution.stdout));
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_finds_no_terminal_even_if_the_runner_has_one() {
    let run = format!(
        "{} --exact starting::role_with_a_terminal --nocapture",
        std::env::current_exe().unwrap().display()
    );
    let output = std::process::Command::new("script")
        .args(["-qec", &run, "/dev/null"])
        .env(TERMINAL_ROLE, "1")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = shown.lines().find_map(|line| line.trim().strip_prefix("SHOWN ")).unwrap_or(&shown);
    assert!(line.trim().parse::<u32>().is_ok_and(|code| code != 0), "{shown}");
}

#[tokio::test]
async fn input_is_given_whole_and_then_closed() {
    let place = Place::new();
    let mut command = executable("wc", &["-c"]);
    command.stdin = Some("x".repeat(1_000_000));
    assert_eq!(text(&place.run(command).await.stdout).trim(), "1000000");
    let mut ignores_it = executable("true", &[]);
    ignores_it.stdin = Some("x".repeat(1_000_000));
    assert_eq!(place.run(ignores_it).await.outcome, Some(Outcome::Passed));
}

#[tokio::test]
async fn a_missing_program_starts_nothing_and_leaves_no_record() {
    let place = Place::new();
    let error = place.start(executable("no-such-program-here", &[])).await.unwrap_err();
    assert!(matches!(error, JobsError::ProgramMissing { .. }), "{error}");
    std::fs::write(place.file("broken"), "not a program").unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(place.file("broken"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let error = place.start(executable("./broken", &[])).await.unwrap_err();
    assert!(matches!(error, JobsError::Spawn { .. }), "{error}");
    assert!(place.jobs.list(&place.project.id, false, 10, None).unwrap().jobs.is_empty());
}

#[tokio::test]
async fn every_installed_shell_runs_text_and_a_missing_one_names_those() {
    let place = Place::new();
    for shell in [Shell::Auto, Shell::Sh, Shell::Bash] {
        let script = "echo one; echo \"$0 two\" | cat\nexit 3".to_owned();
        let execution = place.run(Command::new(Program::Shell { shell, script })).await;
        assert_eq!(execution.exit_code, Some(3), "{shell:?}");
        assert!(text(&execution.stdout).starts_with("one\n"), "{shell:?}");
    }
    let command = Command::new(Program::Shell { shell: Shell::Cmd, script: "dir".to_owned() });
    let error = place.start(command).await.unwrap_err();
    assert!(
        matches!(&error, JobsError::ShellMissing { available, .. } if available.contains(&"sh")),
        "{error}"
    );
}

#[tokio::test]
async fn text_too_long_for_a_command_line_runs_all_the_same() {
    let place = Place::new();
    let script = format!("# {}\necho done $#", "x".repeat(400_000));
    assert_eq!(text(&place.sh(&script).await.stdout), "done 0\n");
}

#[tokio::test]
async fn a_script_is_a_private_file_outside_the_project_that_goes_afterwards() {
    let place = Place::new();
    let script = r#"ls -l "$0"; echo "arg: $1"; pwd"#.to_owned();
    let program = Program::Script { interpreter: "sh".to_owned(), script, args: vec!["a b".to_owned()] };
    let execution = place.run(Command::new(program)).await;
    let shown = text(&execution.stdout).to_owned();
    assert!(shown.starts_with("-rw-------"), "{shown}");
    assert!(shown.contains("arg: a b") && !shown.contains(&format!(" {}", place.folder.path().display())));
    assert!(shown.trim_end().ends_with(place.project.root.to_str().unwrap()));
    let scripts = place.data.path().join("jobs/scripts");
    assert_eq!(std::fs::read_dir(scripts).unwrap().count(), 0, "gone");
}

#[tokio::test]
async fn tools_of_the_users_terminal_work_and_the_search_path_is_shown_with_its_source() {
    use std::os::unix::fs::PermissionsExt;
    let tools = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("mytool", "#!/bin/sh\necho found".to_owned()),
        ("shell", format!("#!/bin/sh\nexport PATH={}:$PATH\nexec /bin/sh -c \"$4\"", tools.path().display())),
    ] {
        std::fs::write(tools.path().join(name), text).unwrap();
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(tools.path().join(name), mode).unwrap();
    }
    let place = Place::with(|config| {
        config.path_source = PathSource::LoginShell;
        config.environment.push(("SHELL".into(), tools.path().join("shell").into_os_string()));
    });
    assert_eq!(text(&place.run(executable("mytool", &[])).await.stdout), "found\n");
    let path = place.jobs.search_path().await;
    assert!(matches!(path.source, SearchPathSource::LoginShell { .. }));
    assert!(path.value.to_str().unwrap().starts_with(tools.path().to_str().unwrap()));
}
