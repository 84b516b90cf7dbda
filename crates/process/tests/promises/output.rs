//! What of a command's output arrives.

use webcodex_contracts::execution::{ExecutionState, Outcome};
use webcodex_contracts::limits::MAX_STREAM_BYTES;
use webcodex_contracts::tools::observe_jobs::StreamName;
use webcodex_process::{Job, Look, observe};

use crate::place::{Place, text};

async fn raw(job: &Job, stream: StreamName, offset: u64) -> (u64, String, u64) {
    let look = Look { job: job.clone(), token: None, raw: Some((stream, offset)) };
    let observed = observe(&[look], std::time::Duration::ZERO, 5).await.remove(0).unwrap();
    let raw = observed.raw.unwrap();
    assert!(observed.execution.stdout.is_none(), "bytes instead of text");
    (raw.offset, raw.base64, raw.total_bytes)
}

#[tokio::test]
async fn both_streams_arrive_with_the_exit_code() {
    let place = Place::new();
    let execution = place.sh("echo out; echo err >&2; exit 7").await;
    assert_eq!((text(&execution.stdout), text(&execution.stderr)), ("out\n", "err\n"));
    assert_eq!((execution.exit_code, execution.outcome), (Some(7), Some(Outcome::Failed)));
    assert_eq!(execution.execution_state, ExecutionState::Finished);
    assert!(execution.continuation.is_none() && execution.notes.is_empty());
    let killed = place.sh("kill -9 $$").await;
    assert_eq!((killed.exit_code, killed.signal, killed.outcome), (None, Some(9), Some(Outcome::Failed)));
}

#[tokio::test]
async fn colours_and_redrawn_lines_do_not_reach_the_answer() {
    let place = Place::new();
    let execution = place
        .sh(r"printf '\033[31mred\033[0m\r\n'; for n in 1 2 3; do printf '\r\033[K%s/3' $n; done; echo")
        .await;
    assert_eq!(text(&execution.stdout), "red\n3/3\n");
}

#[tokio::test]
async fn output_in_a_code_page_is_readable_next_to_utf8_and_nothing_is_lost() {
    let place = Place::new();
    // "错误：找不到文件" in GBK.
    let script =
        r"printf '你好\n'; printf '\264\355\316\363\243\272\325\322\262\273\265\275\316\304\274\376\n'";
    let job = place.start(crate::place::sh(script)).await.unwrap();
    job.ended_or_handed_over().await;
    let execution = job.execution(5).await;
    let stdout = execution.stdout.unwrap();
    assert_eq!(stdout.text, "你好\n错误：找不到文件\n");
    assert_eq!(stdout.encoding.as_deref(), Some("GBK"));
    let (offset, base64, total) = raw(&job, StreamName::Stdout, 7).await;
    assert_eq!((offset, base64.as_str(), total), (7, "tO3O86O61dKyu7W9zsS8/go=", 24));
}

#[tokio::test]
async fn bytes_that_are_no_text_are_marked_and_stay_retrievable() {
    let place = Place::new();
    let job = place.start(crate::place::sh(r"printf 'a\377\376b'")).await.unwrap();
    job.ended_or_handed_over().await;
    let execution = job.execution(5).await;
    assert!(execution.stdout.as_ref().unwrap().lossy);
    assert!(execution.notes.iter().any(|note| note.contains("raw_stream")), "{:?}", execution.notes);
    assert_eq!(raw(&job, StreamName::Stdout, 0).await, (0, "Yf/+Yg==".to_owned(), 4));
}

#[tokio::test]
async fn endless_output_keeps_both_ends_in_bounded_space_and_states_the_rest() {
    let place = Place::new();
    let job = place
        .start(crate::place::sh("echo first; yes 0123456789 | head -c 30000000; echo last"))
        .await
        .unwrap();
    job.ended_or_handed_over().await;
    let stdout = job.execution(5).await.stdout.unwrap();
    assert!(stdout.text.starts_with("first\n0123456789\n") && stdout.text.ends_with("last\n"));
    assert!(stdout.text.len() < MAX_STREAM_BYTES + 100);
    assert_eq!(stdout.total_bytes, 30_000_011);
    assert!(stdout.text.contains(&format!("{} bytes left out", stdout.omitted_bytes)));
    let kept: u64 = std::fs::read_dir(place.data.path().join("jobs"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "out"))
        .map(|entry| entry.metadata().unwrap().len())
        .sum();
    assert!(kept > 0 && kept <= 8 << 20, "{kept}");
    let (offset, base64, total) = raw(&job, StreamName::Stdout, 30_000_006).await;
    assert_eq!((offset, base64.as_str(), total), (30_000_006, "bGFzdAo=", 30_000_011));
}
