/** Failures that have their own words; any other code shows the shell's message and hint. */
export const failures = {
  close: "Close this message",
  codes: {
    permission_denied: { message: "The system refused access.", hint: "Check the permissions of the folder, then try again." },
    disk_full: { message: "The disk is full, so it was not saved.", hint: "Make room, then try again. Nothing was changed." },
    server_unreachable: { message: "The Server does not answer.", hint: "It is being started again; try once more in a moment." },
    project_not_found: { message: "This project is not on the list any more.", hint: "It was removed, perhaps in another window." },
    job_not_found: { message: "This command is not known any more.", hint: "It has ended; Activity shows how." },
    approval_gone: { message: "This request does not wait any more.", hint: "Its time was up or the client withdrew it. Nothing was run." },
    editor_not_found: { message: "No editor was found on this computer.", hint: "Show the folder in the file manager instead." },
    no_answer: { message: "There was no answer in time.", hint: "Nothing is repeated by itself; try again when you like." },
  },
};
