import type { Job } from "$bridge/types";
import type { StateIcon } from "$kit/icons";
import type { Text } from "$text";

const ICONS: Record<Job["state"], StateIcon> = {
  running: "working", stopping: "working", finished: "ready", failed: "problem", stopped: "off", timed_out: "notice", lost: "unknown",
};

export function jobIcon(job: Job): StateIcon {
  return ICONS[job.state];
}

export function jobWords(job: Job, t: Text): string {
  const { activity: a } = t;
  switch (job.state) {
    case "running":
      return a.jobRunning;
    case "stopping":
      return a.stopping;
    case "finished":
      return a.jobFinished;
    case "failed":
      return job.exitCode === null ? t.calls.failed : a.jobFailed(job.exitCode);
    case "stopped":
      return a.jobStopped;
    case "timed_out":
      return a.jobTimedOut;
    case "lost":
      return a.jobLost;
  }
}
