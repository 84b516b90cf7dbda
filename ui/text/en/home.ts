export const home = {
  runningNow: "Running now",
  runningFor: (project: string, length: string, limit: string, output: string) =>
    `${project} · running ${length} · limit ${limit} · ${output} of output`,
  showOutput: "Show output",
  stop: "Stop",
  stopping: "Stopping",
  stopNamed: (command: string) => `Stop ${command}`,
  lately: "What happened lately",
  allActivity: "All activity",
  nothingYet: "Nothing yet",
  nothingYetMore: "Calls of connected clients appear here as they happen.",
  connect: "Connect a client",
  connectDetails: "All connections",
  other: "Other",
};
