const files = (count: number) => (count === 1 ? "1 file" : `${count} files`);

/** What a call did, in words: while it runs, and after. */
export const calls = {
  read: (count: number) => `Read ${files(count)}`,
  readOne: (file: string) => `Read ${file}`,
  search: (query: string) => `Searched “${query}”`,
  searchMatches: (query: string, matches: string) => `Searched “${query}”, ${matches} matches`,
  edit: (names: string) => `Edited ${names}`,
  editTried: (names: string) => `Edit of ${names}`,
  editMany: (first: string, more: number) => `${first} and ${more} more`,
  command: (command: string) => `Ran ${command}`,
  commandRunning: (command: string) => `Running ${command}`,
  commandTried: (command: string) => `Command: ${command}`,
  session: (title: string) => `Started session “${title}”`,
  review: (count: number) => `Looked at the changes of ${files(count)}`,
  other: (tool: string) => `Called ${tool}`,

  /** The same as part of a sentence that names who did it. */
  saidRead: (client: string, project: string, count: number, length: string) =>
    `${client} read ${files(count)} in ${project}, finished in ${length}.`,
  saidOther: (client: string, project: string, what: string, length: string) =>
    `${client} in ${project}: ${what}, ${length}.`,
  noProject: "no project",

  running: "Running",
  waiting: "Waits for you",
  finished: "Finished",
  exit: (code: number) => `Exit code ${code}`,
  refused: "Refused",
  denied: "You denied",
  noAnswer: "No answer",
  failed: "Failed",
  interrupted: "Interrupted",
};
