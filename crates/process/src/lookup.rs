//! Which file a caller means by `executable`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use webcodex_contracts::ProjectPath;
use webcodex_projects::ReadAccess;

use crate::JobsError;
use crate::environment::Environment;

/// Names that shells understand and that are no programs.
const SHELL_WORDS: [&str; 8] = ["cd", "export", "source", "alias", "set", "eval", "unset", "ulimit"];
/// Similar names that an error offers.
const MAX_SIMILAR: usize = 3;
/// Of the search path, what an error shows.
const MAX_PATH_CHARS: usize = 500;
/// How alike two names must be, from 0 to 1.
const SIMILAR: f64 = 0.8;

/// Where programs are looked for.
pub(crate) struct Lookup<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) access: &'a ReadAccess,
    /// The working folder, inside the project.
    pub(crate) cwd: &'a ProjectPath,
}

impl Lookup<'_> {
    /// The file to run for `executable`: a name on the search path, or a path in the project. An absolute path counts
    /// if it lies in the project or in a folder of the search path.
    pub(crate) fn find(&self, executable: &str) -> Result<PathBuf, JobsError> {
        if executable.contains('\0') {
            return Err(JobsError::NulByte { place: "`executable`".to_owned() });
        }
        if Path::new(executable).is_absolute() {
            self.absolute(executable)
        } else if is_path(executable) {
            self.in_project(executable)
        } else {
            self.named(executable).ok_or_else(|| self.missing(executable))
        }
    }

    /// The program with this name on the search path.
    pub(crate) fn named(&self, name: &str) -> Option<PathBuf> {
        if name.is_empty() || is_path(name) {
            return None;
        }
        self.folders().find_map(|folder| runnable(&folder.join(name), self.environment))
    }

    fn in_project(&self, executable: &str) -> Result<PathBuf, JobsError> {
        let path = ProjectPath::parse(executable)?;
        match self.project_file(&path) {
            Err(JobsError::ProgramPathMissing { .. }) if !self.cwd.is_root() => {
                let from_cwd = ProjectPath::parse(&format!("{}/{}", self.cwd.as_str(), path.as_str()))?;
                self.project_file(&from_cwd).map_err(|error| match error {
                    JobsError::ProgramPathMissing { .. } => {
                        JobsError::ProgramPathMissing { path: executable.to_owned() }
                    }
                    other => other,
                })
            }
            result => result,
        }
    }

    /// The folder must lie in the project. The file itself may be a link that leads out of it, as the interpreter of
    /// every Python environment is: what matters is who put it there, and a program may start any other anyway.
    fn project_file(&self, path: &ProjectPath) -> Result<PathBuf, JobsError> {
        let missing = || JobsError::ProgramPathMissing { path: path.as_str().to_owned() };
        let confined = self.access.confine(&path.parent());
        let folder = confined.map_err(|source| JobsError::Confine { field: "executable", source })?.absolute;
        let file = folder.join(path.file_name().ok_or_else(missing)?);
        check(&file, self.environment, missing)
    }

    fn absolute(&self, executable: &str) -> Result<PathBuf, JobsError> {
        let path = Path::new(executable);
        let parent = path.parent().and_then(|parent| dunce::canonicalize(parent).ok());
        let inside =
            parent.as_deref().and_then(|parent| parent.strip_prefix(self.access.root()).ok()?.to_str());
        if let (Some(inside), Some(name)) = (inside, path.file_name().and_then(OsStr::to_str)) {
            return self.project_file(&ProjectPath::parse(&format!("{inside}/{name}"))?);
        }
        let of_path = |parent: &PathBuf| {
            self.folders().any(|folder| dunce::canonicalize(folder).is_ok_and(|folder| folder == *parent))
        };
        if !parent.as_ref().is_some_and(of_path) {
            return Err(JobsError::ProgramOutside { path: executable.to_owned() });
        }
        check(path, self.environment, || self.missing(executable))
    }

    /// The absolute folders of the search path; relative ones would let a repository replace any program.
    fn folders(&self) -> impl Iterator<Item = PathBuf> {
        let value = self.environment.get("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> =
            std::env::split_paths(value).filter(|folder| folder.is_absolute()).collect();
        folders.into_iter()
    }

    fn missing(&self, name: &str) -> JobsError {
        let shown: String = name.chars().take(200).collect();
        let first = name.split_whitespace().next().unwrap_or_default();
        let advice = if name.trim().is_empty() {
            "Give the program's name.".to_owned()
        } else if first.len() < name.trim_end().len() && self.named(first).is_some() {
            format!("`executable` is the program alone: use `{first}`, and put the rest into `args`.")
        } else if SHELL_WORDS.contains(&first) {
            format!("`{first}` is a word of shells, not a program: use run_shell.")
        } else if self.project_file(&ProjectPath::parse(name).unwrap_or_else(|_| ProjectPath::root())).is_ok()
        {
            format!("To run the project's own file, write `./{name}`.")
        } else {
            match self.similar(name).as_slice() {
                [] => {
                    let path = self.environment.get("PATH").unwrap_or_default().to_string_lossy();
                    let path: String = path.chars().take(MAX_PATH_CHARS).collect();
                    format!("Install it, or check the name. The search path is {path}")
                }
                names => format!("Similar names: {}.", names.join(", ")),
            }
        };
        JobsError::ProgramMissing { name: shown, advice }
    }

    fn similar(&self, name: &str) -> Vec<String> {
        let entries = self.folders().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
        let names: BTreeSet<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        let mut scored: Vec<(f64, String)> = names
            .into_iter()
            .map(|other| (strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase()), other))
            .filter(|(score, _)| *score >= SIMILAR)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.into_iter().take(MAX_SIMILAR).map(|(_, name)| format!("`{name}`")).collect()
    }
}

fn is_path(executable: &str) -> bool {
    executable.contains('/') || (cfg!(windows) && executable.contains('\\'))
}

/// The file, if it can be run; else what is wrong with it.
fn check(
    file: &Path,
    environment: &Environment,
    missing: impl FnOnce() -> JobsError,
) -> Result<PathBuf, JobsError> {
    if let Some(found) = runnable(file, environment) {
        return Ok(found);
    }
    match std::fs::metadata(file) {
        Ok(meta) if meta.is_dir() => Err(JobsError::ProgramIsFolder { path: file.to_owned() }),
        Ok(_) => Err(JobsError::ProgramNotExecutable { path: file.to_owned() }),
        Err(_) => Err(missing()),
    }
}

/// `file`, or on Windows the first of its names with an extension that programs have.
fn runnable(file: &Path, environment: &Environment) -> Option<PathBuf> {
    if cfg!(windows) {
        let extensions = environment.get("PATHEXT").and_then(OsStr::to_str).unwrap_or(".COM;.EXE;.BAT;.CMD");
        return with_extensions(file, extensions).into_iter().find(|file| is_file(file));
    }
    (is_file(file) && may_execute(file)).then(|| file.to_owned())
}

fn is_file(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|meta| meta.is_file())
}

#[cfg(unix)]
fn may_execute(file: &Path) -> bool {
    rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn may_execute(_file: &Path) -> bool {
    true
}

/// The names under which Windows finds `file`: itself if it has one of the extensions, else with each of them.
fn with_extensions(file: &Path, extensions: &str) -> Vec<PathBuf> {
    let extensions: Vec<&str> = extensions
        .split(';')
        .map(|extension| extension.trim_start_matches('.'))
        .filter(|e| !e.is_empty())
        .collect();
    let own = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    if extensions.iter().any(|extension| extension.eq_ignore_ascii_case(own)) {
        return vec![file.to_owned()];
    }
    let with = |extension: &&str| {
        let mut name = file.as_os_str().to_owned();
        name.push(".");
        name.push(extension.to_ascii_lowercase());
        PathBuf::from(name)
    };
    extensions.iter().map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_scripts_of_windows_are_found_like_programs_also_in_folders_with_blanks() {
        let found = with_extensions(Path::new("C:/Program Files/nodejs/npm"), ".COM;.EXE;.BAT;.CMD");
        let names: Vec<_> = found.iter().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(names.last(), Some(&"C:/Program Files/nodejs/npm.cmd"));
        assert_eq!(names.len(), 4, "the file without an extension is not a program");
        assert_eq!(with_extensions(Path::new("a/npx.CMD"), ".EXE;.CMD"), [PathBuf::from("a/npx.CMD")]);
        assert_eq!(with_extensions(Path::new("a/python3.12"), ".EXE"), [PathBuf::from("a/python3.12.exe")]);
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{PermissionsExt, symlink};

        use webcodex_contracts::ProjectId;
        use webcodex_projects::Project;

        use super::*;

        struct Place {
            folder: tempfile::TempDir,
            bin: tempfile::TempDir,
        }

        impl Place {
            fn new() -> Self {
                let place = Self { folder: tempfile::tempdir().unwrap(), bin: tempfile::tempdir().unwrap() };
                place.program(&place.bin.path().join("gradle"));
                place.program(&place.bin.path().join("cargo"));
                std::fs::create_dir_all(place.folder.path().join("sub/bin")).unwrap();
                place.program(&place.folder.path().join("sub/bin/tool"));
                place
            }

            fn program(&self, path: &Path) {
                std::fs::write(path, "#!/bin/sh\n").unwrap();
                std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
            }

            fn find(&self, executable: &str, cwd: &str) -> Result<PathBuf, JobsError> {
                let path = std::env::join_paths([Path::new("."), self.bin.path()]).unwrap();
                let environment = Environment::new([("PATH".into(), path)]);
                let project =
                    Project::new(ProjectId::parse("agent:a:b").unwrap(), "b", self.folder.path()).unwrap();
                let cwd = ProjectPath::parse(cwd).unwrap();
                let access = project.read_access();
                Lookup { environment: &environment, access: &access, cwd: &cwd }.find(executable)
            }

            fn advice(&self, executable: &str) -> String {
                self.find(executable, "").unwrap_err().hint()
            }
        }

        #[test]
        fn names_and_paths_are_found() {
            let place = Place::new();
            assert!(place.find("cargo", "").unwrap().ends_with("cargo"));
            assert!(place.find("sub/bin/tool", "").is_ok());
            assert!(place.find("./bin/tool", "sub").is_ok(), "from the working folder too");
            let absolute = place.bin.path().join("cargo");
            assert!(place.find(absolute.to_str().unwrap(), "").is_ok(), "in a folder of the search path");
            let inside = place.folder.path().canonicalize().unwrap().join("sub/bin/tool");
            assert!(place.find(inside.to_str().unwrap(), "").is_ok());
        }

        #[test]
        fn a_link_to_an_interpreter_elsewhere_keeps_its_own_path() {
            let place = Place::new();
            std::fs::create_dir_all(place.folder.path().join(".venv/bin")).unwrap();
            symlink(place.bin.path().join("cargo"), place.folder.path().join(".venv/bin/python")).unwrap();
            assert!(place.find(".venv/bin/python", "").unwrap().ends_with(".venv/bin/python"));
        }

        #[test]
        fn what_cannot_be_run_is_told_apart() {
            let place = Place::new();
            std::fs::write(place.folder.path().join("data.txt"), "x").unwrap();
            symlink("/", place.folder.path().join("out")).unwrap();
            let find = |executable: &str| place.find(executable, "").unwrap_err();
            assert!(matches!(find("./data.txt"), JobsError::ProgramNotExecutable { .. }));
            assert!(matches!(find("./sub"), JobsError::ProgramIsFolder { .. }));
            assert!(matches!(find("sub/nothing"), JobsError::ProgramPathMissing { .. }));
            assert!(matches!(find("../x/tool"), JobsError::Path(_)));
            assert!(matches!(find("out/bin/sh"), JobsError::Confine { .. }));
            assert!(matches!(find("/nowhere/tool"), JobsError::ProgramOutside { .. }));
            assert!(matches!(find("a\0b"), JobsError::NulByte { .. }));
        }

        #[test]
        fn a_missing_program_names_what_would_be_right() {
            let place = Place::new();
            assert_eq!(place.advice("gradel"), "Similar names: `gradle`.");
            assert!(place.advice("cargo test").contains("`args`"), "{}", place.advice("cargo test"));
            assert!(place.advice("cd").contains("run_shell"));
            place.program(&place.folder.path().join("configure"));
            assert!(place.advice("configure").contains("`./configure`"));
            assert!(place.advice("").contains("name"));
        }
    }
}
