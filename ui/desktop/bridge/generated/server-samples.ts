// Written by a test of `crates/contracts`: what the Server says, as the window must understand it.
import type {
  Address, Approval, ApprovalAnswer, Call, CallDetail, Client, Failure, FolderResult, Job, OutputMessage, Project,
  Session,
} from "../types";

export const projects = [
  {
    "id": "agent:here:web",
    "name": "web",
    "path": "/src/web",
    "permission": "read",
    "askFirst": true,
    "facts": {
      "git": {
        "branch": "main",
        "uncommitted": 2
      },
      "files": 10,
      "bytes": 1000,
      "inside": "outer",
      "contains": [
        "inner"
      ],
      "place": "network",
      "linkedFrom": "/link"
    },
    "reachable": true,
    "lastUse": {
      "client": "ChatGPT",
      "at": 1
    },
    "working": false
  },
  {
    "id": "agent:here:web",
    "name": "web",
    "path": "/src/web",
    "permission": "edit",
    "askFirst": true,
    "facts": {
      "git": null,
      "files": null,
      "bytes": null,
      "inside": null,
      "contains": [],
      "place": "cloud",
      "linkedFrom": null
    },
    "reachable": true,
    "lastUse": null,
    "working": false
  },
  {
    "id": "agent:here:web",
    "name": "web",
    "path": "/src/web",
    "permission": "edit_run",
    "askFirst": true,
    "facts": {
      "git": null,
      "files": null,
      "bytes": null,
      "inside": null,
      "contains": [],
      "place": "local",
      "linkedFrom": null
    },
    "reachable": true,
    "lastUse": null,
    "working": false
  }
] satisfies Project[];

export const folderResults = [
  {
    "kind": "added",
    "project": "agent:here:web",
    "name": "web",
    "path": "/src/web",
    "facts": {
      "git": {
        "branch": "main",
        "uncommitted": 2
      },
      "files": 10,
      "bytes": 1000,
      "inside": "outer",
      "contains": [
        "inner"
      ],
      "place": "network",
      "linkedFrom": "/link"
    }
  },
  {
    "kind": "refused",
    "name": "web",
    "path": "/src/web",
    "why": {
      "code": "duplicate",
      "project": "web"
    }
  },
  {
    "kind": "refused",
    "name": "web",
    "path": "/src/web",
    "why": {
      "code": "home"
    }
  },
  {
    "kind": "refused",
    "name": "web",
    "path": "/src/web",
    "why": {
      "code": "system"
    }
  },
  {
    "kind": "refused",
    "name": "web",
    "path": "/src/web",
    "why": {
      "code": "missing"
    }
  },
  {
    "kind": "refused",
    "name": "web",
    "path": "/src/web",
    "why": {
      "code": "not_a_folder"
    }
  },
  {
    "kind": "refused",
    "name": "web",
    "path": "/src/web",
    "why": {
      "code": "unreadable"
    }
  },
  {
    "kind": "refused",
    "name": "web",
    "path": "/src/web",
    "why": {
      "code": "no_answer",
      "afterMs": 5000
    }
  },
  {
    "kind": "refused",
    "name": "web",
    "path": "/src/web",
    "why": {
      "code": "outside_allowed",
      "allowed": [
        "/src"
      ]
    }
  },
  {
    "kind": "refused",
    "name": "web",
    "path": "/src/web",
    "why": {
      "code": "failed",
      "error": {
        "code": "io_failed",
        "message": "no",
        "hint": "try again"
      }
    }
  }
] satisfies FolderResult[];

export const calls = [
  {
    "id": "c000000000001-7",
    "at": 1,
    "tool": "run_shell",
    "subject": {
      "kind": "read",
      "files": [
        "a"
      ]
    },
    "projectName": "web",
    "client": "ChatGPT",
    "outcome": {
      "kind": "running"
    },
    "tookMs": 5,
    "lines": {
      "added": 3,
      "removed": 1
    }
  },
  {
    "id": "c000000000001-7",
    "at": 1,
    "tool": "run_shell",
    "subject": {
      "kind": "search",
      "query": "x",
      "matches": 3
    },
    "projectName": "web",
    "client": "ChatGPT",
    "outcome": {
      "kind": "waiting"
    },
    "tookMs": 5,
    "lines": {
      "added": 3,
      "removed": 1
    }
  },
  {
    "id": "c000000000001-7",
    "at": 1,
    "tool": "run_shell",
    "subject": {
      "kind": "edit",
      "files": [
        "a"
      ]
    },
    "projectName": "web",
    "client": "ChatGPT",
    "outcome": {
      "kind": "finished"
    },
    "tookMs": 5,
    "lines": {
      "added": 3,
      "removed": 1
    }
  },
  {
    "id": "c000000000001-7",
    "at": 1,
    "tool": "run_shell",
    "subject": {
      "kind": "command",
      "command": "make"
    },
    "projectName": "web",
    "client": "ChatGPT",
    "outcome": {
      "kind": "exit",
      "code": 1
    },
    "tookMs": 5,
    "lines": {
      "added": 3,
      "removed": 1
    }
  },
  {
    "id": "c000000000001-7",
    "at": 1,
    "tool": "run_shell",
    "subject": {
      "kind": "session",
      "title": "Fix it"
    },
    "projectName": "web",
    "client": "ChatGPT",
    "outcome": {
      "kind": "refused"
    },
    "tookMs": 5,
    "lines": {
      "added": 3,
      "removed": 1
    }
  },
  {
    "id": "c000000000001-7",
    "at": 1,
    "tool": "run_shell",
    "subject": {
      "kind": "review",
      "files": 2
    },
    "projectName": "web",
    "client": "ChatGPT",
    "outcome": {
      "kind": "denied"
    },
    "tookMs": 5,
    "lines": {
      "added": 3,
      "removed": 1
    }
  },
  {
    "id": "c000000000001-7",
    "at": 1,
    "tool": "run_shell",
    "subject": {
      "kind": "other"
    },
    "projectName": "web",
    "client": "ChatGPT",
    "outcome": {
      "kind": "no_answer"
    },
    "tookMs": 5,
    "lines": {
      "added": 3,
      "removed": 1
    }
  },
  {
    "id": "c000000000001-7",
    "at": 1,
    "tool": "run_shell",
    "subject": {
      "kind": "other"
    },
    "projectName": "web",
    "client": "ChatGPT",
    "outcome": {
      "kind": "failed"
    },
    "tookMs": 5,
    "lines": {
      "added": 3,
      "removed": 1
    }
  },
  {
    "id": "c000000000001-7",
    "at": 1,
    "tool": "run_shell",
    "subject": {
      "kind": "other"
    },
    "projectName": "web",
    "client": "ChatGPT",
    "outcome": {
      "kind": "interrupted"
    },
    "tookMs": 5,
    "lines": {
      "added": 3,
      "removed": 1
    }
  }
] satisfies Call[];

export const details = [
  {
    "id": "c000000000001-7",
    "session": "wcs_1",
    "door": "local",
    "allowedBy": {
      "kind": "permission",
      "permission": "edit_run"
    },
    "steps": [
      {
        "kind": "arrived",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "waited_runner",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "waited_person",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "worked",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "answered",
        "startMs": 0,
        "lengthMs": 1
      }
    ],
    "totalMs": 5,
    "answer": {
      "bytes": 10,
      "cut": true,
      "handedOverAt": 2
    },
    "failure": {
      "code": "io_failed",
      "message": "no",
      "hint": "try again"
    },
    "word": "not now"
  },
  {
    "id": "c000000000001-7",
    "session": "wcs_1",
    "door": "public",
    "allowedBy": {
      "kind": "person",
      "scope": "once"
    },
    "steps": [
      {
        "kind": "arrived",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "waited_runner",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "waited_person",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "worked",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "answered",
        "startMs": 0,
        "lengthMs": 1
      }
    ],
    "totalMs": 5,
    "answer": {
      "bytes": 10,
      "cut": true,
      "handedOverAt": 2
    },
    "failure": {
      "code": "io_failed",
      "message": "no",
      "hint": "try again"
    },
    "word": "not now"
  },
  {
    "id": "c000000000001-7",
    "session": "wcs_1",
    "door": "tunnel",
    "allowedBy": null,
    "steps": [
      {
        "kind": "arrived",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "waited_runner",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "waited_person",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "worked",
        "startMs": 0,
        "lengthMs": 1
      },
      {
        "kind": "answered",
        "startMs": 0,
        "lengthMs": 1
      }
    ],
    "totalMs": 5,
    "answer": {
      "bytes": 10,
      "cut": true,
      "handedOverAt": 2
    },
    "failure": {
      "code": "io_failed",
      "message": "no",
      "hint": "try again"
    },
    "word": "not now"
  }
] satisfies CallDetail[];

export const sessions = [
  {
    "id": "wcs_1",
    "title": "Fix it",
    "projectId": "agent:here:web",
    "project": "web",
    "client": "ChatGPT",
    "review": {
      "kind": "running"
    },
    "startedAt": 1,
    "lastAt": 2,
    "calls": 3,
    "changedFiles": 4,
    "acceptedFiles": 1
  },
  {
    "id": "wcs_1",
    "title": "Fix it",
    "projectId": "agent:here:web",
    "project": "web",
    "client": "ChatGPT",
    "review": {
      "kind": "waiting_for_review"
    },
    "startedAt": 1,
    "lastAt": 2,
    "calls": 3,
    "changedFiles": 4,
    "acceptedFiles": 1
  },
  {
    "id": "wcs_1",
    "title": "Fix it",
    "projectId": "agent:here:web",
    "project": "web",
    "client": "ChatGPT",
    "review": {
      "kind": "finished",
      "sealed": true,
      "at": 2
    },
    "startedAt": 1,
    "lastAt": 2,
    "calls": 3,
    "changedFiles": 4,
    "acceptedFiles": 1
  },
  {
    "id": "wcs_1",
    "title": "Fix it",
    "projectId": "agent:here:web",
    "project": "web",
    "client": "ChatGPT",
    "review": {
      "kind": "finished",
      "sealed": false,
      "at": 2
    },
    "startedAt": 1,
    "lastAt": 2,
    "calls": 3,
    "changedFiles": 4,
    "acceptedFiles": 1
  }
] satisfies Session[];

export const jobs = [
  {
    "id": "wcj_a_b",
    "call": "c000000000001-7",
    "project": "web",
    "client": "ChatGPT",
    "command": "make",
    "folder": "/src/web",
    "startedAt": 1,
    "endedAt": 2,
    "limitMs": 1000,
    "outputBytes": 10,
    "lastLineAt": 2,
    "state": "running",
    "exitCode": 1
  },
  {
    "id": "wcj_a_b",
    "call": "c000000000001-7",
    "project": "web",
    "client": "ChatGPT",
    "command": "make",
    "folder": "/src/web",
    "startedAt": 1,
    "endedAt": 2,
    "limitMs": 1000,
    "outputBytes": 10,
    "lastLineAt": 2,
    "state": "stopping",
    "exitCode": 1
  },
  {
    "id": "wcj_a_b",
    "call": "c000000000001-7",
    "project": "web",
    "client": "ChatGPT",
    "command": "make",
    "folder": "/src/web",
    "startedAt": 1,
    "endedAt": 2,
    "limitMs": 1000,
    "outputBytes": 10,
    "lastLineAt": 2,
    "state": "finished",
    "exitCode": 1
  },
  {
    "id": "wcj_a_b",
    "call": "c000000000001-7",
    "project": "web",
    "client": "ChatGPT",
    "command": "make",
    "folder": "/src/web",
    "startedAt": 1,
    "endedAt": 2,
    "limitMs": 1000,
    "outputBytes": 10,
    "lastLineAt": 2,
    "state": "failed",
    "exitCode": 1
  },
  {
    "id": "wcj_a_b",
    "call": "c000000000001-7",
    "project": "web",
    "client": "ChatGPT",
    "command": "make",
    "folder": "/src/web",
    "startedAt": 1,
    "endedAt": 2,
    "limitMs": 1000,
    "outputBytes": 10,
    "lastLineAt": 2,
    "state": "stopped",
    "exitCode": 1
  },
  {
    "id": "wcj_a_b",
    "call": "c000000000001-7",
    "project": "web",
    "client": "ChatGPT",
    "command": "make",
    "folder": "/src/web",
    "startedAt": 1,
    "endedAt": 2,
    "limitMs": 1000,
    "outputBytes": 10,
    "lastLineAt": 2,
    "state": "timed_out",
    "exitCode": 1
  },
  {
    "id": "wcj_a_b",
    "call": "c000000000001-7",
    "project": "web",
    "client": "ChatGPT",
    "command": "make",
    "folder": "/src/web",
    "startedAt": 1,
    "endedAt": 2,
    "limitMs": 1000,
    "outputBytes": 10,
    "lastLineAt": 2,
    "state": "lost",
    "exitCode": 1
  }
] satisfies Job[];

export const output = {
  "startsOver": true,
  "text": "a",
  "leftOutBytes": 0,
  "totalBytes": 1
} satisfies OutputMessage;

export const approvals = [
  {
    "id": "a1",
    "call": "c000000000001-7",
    "askedAt": 1,
    "expiresAt": 2,
    "client": "ChatGPT",
    "project": "web",
    "folder": "/src/web",
    "because": "to build",
    "forSession": true,
    "asks": {
      "kind": "edit",
      "files": [
        {
          "path": "a",
          "change": "modified",
          "added": 1,
          "removed": 0,
          "lines": [
            {
              "sign": "+",
              "old": 1,
              "new": null,
              "text": "x"
            },
            {
              "sign": "-",
              "old": 1,
              "new": null,
              "text": "x"
            },
            {
              "sign": " ",
              "old": 1,
              "new": null,
              "text": "x"
            }
          ]
        },
        {
          "path": "a",
          "change": "added",
          "added": 1,
          "removed": 0,
          "lines": [
            {
              "sign": "+",
              "old": 1,
              "new": null,
              "text": "x"
            },
            {
              "sign": "-",
              "old": 1,
              "new": null,
              "text": "x"
            },
            {
              "sign": " ",
              "old": 1,
              "new": null,
              "text": "x"
            }
          ]
        },
        {
          "path": "a",
          "change": "deleted",
          "added": 1,
          "removed": 0,
          "lines": [
            {
              "sign": "+",
              "old": 1,
              "new": null,
              "text": "x"
            },
            {
              "sign": "-",
              "old": 1,
              "new": null,
              "text": "x"
            },
            {
              "sign": " ",
              "old": 1,
              "new": null,
              "text": "x"
            }
          ]
        },
        {
          "path": "a",
          "change": "renamed",
          "added": 1,
          "removed": 0,
          "lines": [
            {
              "sign": "+",
              "old": 1,
              "new": null,
              "text": "x"
            },
            {
              "sign": "-",
              "old": 1,
              "new": null,
              "text": "x"
            },
            {
              "sign": " ",
              "old": 1,
              "new": null,
              "text": "x"
            }
          ]
        }
      ]
    },
    "state": "waiting"
  },
  {
    "id": "a1",
    "call": "c000000000001-7",
    "askedAt": 1,
    "expiresAt": 2,
    "client": "ChatGPT",
    "project": "web",
    "folder": "/src/web",
    "because": "to build",
    "forSession": true,
    "asks": {
      "kind": "command",
      "command": "make"
    },
    "state": "expired"
  }
] satisfies Approval[];

export const answers = [
  {
    "kind": "allow",
    "scope": "once"
  },
  {
    "kind": "allow",
    "scope": "session"
  },
  {
    "kind": "deny",
    "word": "not now"
  }
] satisfies ApprovalAnswer[];

export const clients = [
  {
    "id": "chatgpt:public",
    "kind": "chatgpt",
    "name": "ChatGPT",
    "via": "local",
    "state": "online",
    "lastCall": {
      "at": 1,
      "tool": "run_shell",
      "outcome": {
        "kind": "finished"
      },
      "tookMs": 1
    },
    "hops": [
      {
        "name": "app",
        "state": "ok",
        "finding": {
          "code": "running",
          "version": "1"
        }
      },
      {
        "name": "server",
        "state": "broken",
        "finding": {
          "code": "answers",
          "ms": 1
        }
      },
      {
        "name": "server",
        "state": "unknown",
        "finding": {
          "code": "no_answer",
          "afterMs": 1
        }
      },
      {
        "name": "runner",
        "state": "notice",
        "finding": {
          "code": "linked",
          "projects": 1
        }
      },
      {
        "name": "runner",
        "state": "ok",
        "finding": {
          "code": "not_linked"
        }
      },
      {
        "name": "address",
        "state": "broken",
        "finding": {
          "code": "listening",
          "address": "http://127.0.0.1:1"
        }
      },
      {
        "name": "address",
        "state": "unknown",
        "finding": {
          "code": "reachable",
          "address": "http://127.0.0.1:1",
          "ms": 1
        }
      },
      {
        "name": "address",
        "state": "notice",
        "finding": {
          "code": "unreachable",
          "address": "http://127.0.0.1:1",
          "detail": "refused"
        }
      },
      {
        "name": "proxy",
        "state": "ok",
        "finding": {
          "code": "not_set"
        }
      },
      {
        "name": "credential",
        "state": "broken",
        "finding": {
          "code": "accepted",
          "at": 1
        }
      },
      {
        "name": "credential",
        "state": "unknown",
        "finding": {
          "code": "rejected",
          "at": 1
        }
      },
      {
        "name": "last_call",
        "state": "notice",
        "finding": {
          "code": "last_call",
          "at": 1,
          "tookMs": null
        }
      },
      {
        "name": "last_call",
        "state": "ok",
        "finding": {
          "code": "no_call"
        }
      },
      {
        "name": "tools",
        "state": "broken",
        "finding": {
          "code": "tools_old",
          "from": 1
        }
      },
      {
        "name": "tools",
        "state": "unknown",
        "finding": {
          "code": "not_checked"
        }
      }
    ],
    "oldToolsFrom": 1,
    "events": [
      {
        "at": 1,
        "kind": "call_finished",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "call_failed",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "rejected",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "offline",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "online",
        "tool": "run_shell",
        "ms": null
      }
    ]
  },
  {
    "id": "chatgpt:public",
    "kind": "claude_desktop",
    "name": "ChatGPT",
    "via": "public",
    "state": "checking",
    "lastCall": {
      "at": 1,
      "tool": "run_shell",
      "outcome": {
        "kind": "finished"
      },
      "tookMs": 1
    },
    "hops": [
      {
        "name": "app",
        "state": "ok",
        "finding": {
          "code": "running",
          "version": "1"
        }
      },
      {
        "name": "server",
        "state": "broken",
        "finding": {
          "code": "answers",
          "ms": 1
        }
      },
      {
        "name": "server",
        "state": "unknown",
        "finding": {
          "code": "no_answer",
          "afterMs": 1
        }
      },
      {
        "name": "runner",
        "state": "notice",
        "finding": {
          "code": "linked",
          "projects": 1
        }
      },
      {
        "name": "runner",
        "state": "ok",
        "finding": {
          "code": "not_linked"
        }
      },
      {
        "name": "address",
        "state": "broken",
        "finding": {
          "code": "listening",
          "address": "http://127.0.0.1:1"
        }
      },
      {
        "name": "address",
        "state": "unknown",
        "finding": {
          "code": "reachable",
          "address": "http://127.0.0.1:1",
          "ms": 1
        }
      },
      {
        "name": "address",
        "state": "notice",
        "finding": {
          "code": "unreachable",
          "address": "http://127.0.0.1:1",
          "detail": "refused"
        }
      },
      {
        "name": "proxy",
        "state": "ok",
        "finding": {
          "code": "not_set"
        }
      },
      {
        "name": "credential",
        "state": "broken",
        "finding": {
          "code": "accepted",
          "at": 1
        }
      },
      {
        "name": "credential",
        "state": "unknown",
        "finding": {
          "code": "rejected",
          "at": 1
        }
      },
      {
        "name": "last_call",
        "state": "notice",
        "finding": {
          "code": "last_call",
          "at": 1,
          "tookMs": null
        }
      },
      {
        "name": "last_call",
        "state": "ok",
        "finding": {
          "code": "no_call"
        }
      },
      {
        "name": "tools",
        "state": "broken",
        "finding": {
          "code": "tools_old",
          "from": 1
        }
      },
      {
        "name": "tools",
        "state": "unknown",
        "finding": {
          "code": "not_checked"
        }
      }
    ],
    "oldToolsFrom": 1,
    "events": [
      {
        "at": 1,
        "kind": "call_finished",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "call_failed",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "rejected",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "offline",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "online",
        "tool": "run_shell",
        "ms": null
      }
    ]
  },
  {
    "id": "chatgpt:public",
    "kind": "claude_code",
    "name": "ChatGPT",
    "via": "tunnel",
    "state": "waiting",
    "lastCall": {
      "at": 1,
      "tool": "run_shell",
      "outcome": {
        "kind": "finished"
      },
      "tookMs": 1
    },
    "hops": [
      {
        "name": "app",
        "state": "ok",
        "finding": {
          "code": "running",
          "version": "1"
        }
      },
      {
        "name": "server",
        "state": "broken",
        "finding": {
          "code": "answers",
          "ms": 1
        }
      },
      {
        "name": "server",
        "state": "unknown",
        "finding": {
          "code": "no_answer",
          "afterMs": 1
        }
      },
      {
        "name": "runner",
        "state": "notice",
        "finding": {
          "code": "linked",
          "projects": 1
        }
      },
      {
        "name": "runner",
        "state": "ok",
        "finding": {
          "code": "not_linked"
        }
      },
      {
        "name": "address",
        "state": "broken",
        "finding": {
          "code": "listening",
          "address": "http://127.0.0.1:1"
        }
      },
      {
        "name": "address",
        "state": "unknown",
        "finding": {
          "code": "reachable",
          "address": "http://127.0.0.1:1",
          "ms": 1
        }
      },
      {
        "name": "address",
        "state": "notice",
        "finding": {
          "code": "unreachable",
          "address": "http://127.0.0.1:1",
          "detail": "refused"
        }
      },
      {
        "name": "proxy",
        "state": "ok",
        "finding": {
          "code": "not_set"
        }
      },
      {
        "name": "credential",
        "state": "broken",
        "finding": {
          "code": "accepted",
          "at": 1
        }
      },
      {
        "name": "credential",
        "state": "unknown",
        "finding": {
          "code": "rejected",
          "at": 1
        }
      },
      {
        "name": "last_call",
        "state": "notice",
        "finding": {
          "code": "last_call",
          "at": 1,
          "tookMs": null
        }
      },
      {
        "name": "last_call",
        "state": "ok",
        "finding": {
          "code": "no_call"
        }
      },
      {
        "name": "tools",
        "state": "broken",
        "finding": {
          "code": "tools_old",
          "from": 1
        }
      },
      {
        "name": "tools",
        "state": "unknown",
        "finding": {
          "code": "not_checked"
        }
      }
    ],
    "oldToolsFrom": 1,
    "events": [
      {
        "at": 1,
        "kind": "call_finished",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "call_failed",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "rejected",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "offline",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "online",
        "tool": "run_shell",
        "ms": null
      }
    ]
  },
  {
    "id": "chatgpt:public",
    "kind": "other",
    "name": "ChatGPT",
    "via": "local",
    "state": "needs_you",
    "lastCall": {
      "at": 1,
      "tool": "run_shell",
      "outcome": {
        "kind": "finished"
      },
      "tookMs": 1
    },
    "hops": [
      {
        "name": "app",
        "state": "ok",
        "finding": {
          "code": "running",
          "version": "1"
        }
      },
      {
        "name": "server",
        "state": "broken",
        "finding": {
          "code": "answers",
          "ms": 1
        }
      },
      {
        "name": "server",
        "state": "unknown",
        "finding": {
          "code": "no_answer",
          "afterMs": 1
        }
      },
      {
        "name": "runner",
        "state": "notice",
        "finding": {
          "code": "linked",
          "projects": 1
        }
      },
      {
        "name": "runner",
        "state": "ok",
        "finding": {
          "code": "not_linked"
        }
      },
      {
        "name": "address",
        "state": "broken",
        "finding": {
          "code": "listening",
          "address": "http://127.0.0.1:1"
        }
      },
      {
        "name": "address",
        "state": "unknown",
        "finding": {
          "code": "reachable",
          "address": "http://127.0.0.1:1",
          "ms": 1
        }
      },
      {
        "name": "address",
        "state": "notice",
        "finding": {
          "code": "unreachable",
          "address": "http://127.0.0.1:1",
          "detail": "refused"
        }
      },
      {
        "name": "proxy",
        "state": "ok",
        "finding": {
          "code": "not_set"
        }
      },
      {
        "name": "credential",
        "state": "broken",
        "finding": {
          "code": "accepted",
          "at": 1
        }
      },
      {
        "name": "credential",
        "state": "unknown",
        "finding": {
          "code": "rejected",
          "at": 1
        }
      },
      {
        "name": "last_call",
        "state": "notice",
        "finding": {
          "code": "last_call",
          "at": 1,
          "tookMs": null
        }
      },
      {
        "name": "last_call",
        "state": "ok",
        "finding": {
          "code": "no_call"
        }
      },
      {
        "name": "tools",
        "state": "broken",
        "finding": {
          "code": "tools_old",
          "from": 1
        }
      },
      {
        "name": "tools",
        "state": "unknown",
        "finding": {
          "code": "not_checked"
        }
      }
    ],
    "oldToolsFrom": 1,
    "events": [
      {
        "at": 1,
        "kind": "call_finished",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "call_failed",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "rejected",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "offline",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "online",
        "tool": "run_shell",
        "ms": null
      }
    ]
  },
  {
    "id": "chatgpt:public",
    "kind": "chatgpt",
    "name": "ChatGPT",
    "via": "public",
    "state": "quiet",
    "lastCall": {
      "at": 1,
      "tool": "run_shell",
      "outcome": {
        "kind": "finished"
      },
      "tookMs": 1
    },
    "hops": [
      {
        "name": "app",
        "state": "ok",
        "finding": {
          "code": "running",
          "version": "1"
        }
      },
      {
        "name": "server",
        "state": "broken",
        "finding": {
          "code": "answers",
          "ms": 1
        }
      },
      {
        "name": "server",
        "state": "unknown",
        "finding": {
          "code": "no_answer",
          "afterMs": 1
        }
      },
      {
        "name": "runner",
        "state": "notice",
        "finding": {
          "code": "linked",
          "projects": 1
        }
      },
      {
        "name": "runner",
        "state": "ok",
        "finding": {
          "code": "not_linked"
        }
      },
      {
        "name": "address",
        "state": "broken",
        "finding": {
          "code": "listening",
          "address": "http://127.0.0.1:1"
        }
      },
      {
        "name": "address",
        "state": "unknown",
        "finding": {
          "code": "reachable",
          "address": "http://127.0.0.1:1",
          "ms": 1
        }
      },
      {
        "name": "address",
        "state": "notice",
        "finding": {
          "code": "unreachable",
          "address": "http://127.0.0.1:1",
          "detail": "refused"
        }
      },
      {
        "name": "proxy",
        "state": "ok",
        "finding": {
          "code": "not_set"
        }
      },
      {
        "name": "credential",
        "state": "broken",
        "finding": {
          "code": "accepted",
          "at": 1
        }
      },
      {
        "name": "credential",
        "state": "unknown",
        "finding": {
          "code": "rejected",
          "at": 1
        }
      },
      {
        "name": "last_call",
        "state": "notice",
        "finding": {
          "code": "last_call",
          "at": 1,
          "tookMs": null
        }
      },
      {
        "name": "last_call",
        "state": "ok",
        "finding": {
          "code": "no_call"
        }
      },
      {
        "name": "tools",
        "state": "broken",
        "finding": {
          "code": "tools_old",
          "from": 1
        }
      },
      {
        "name": "tools",
        "state": "unknown",
        "finding": {
          "code": "not_checked"
        }
      }
    ],
    "oldToolsFrom": 1,
    "events": [
      {
        "at": 1,
        "kind": "call_finished",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "call_failed",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "rejected",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "offline",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "online",
        "tool": "run_shell",
        "ms": null
      }
    ]
  },
  {
    "id": "chatgpt:public",
    "kind": "claude_desktop",
    "name": "ChatGPT",
    "via": "tunnel",
    "state": "off",
    "lastCall": {
      "at": 1,
      "tool": "run_shell",
      "outcome": {
        "kind": "finished"
      },
      "tookMs": 1
    },
    "hops": [
      {
        "name": "app",
        "state": "ok",
        "finding": {
          "code": "running",
          "version": "1"
        }
      },
      {
        "name": "server",
        "state": "broken",
        "finding": {
          "code": "answers",
          "ms": 1
        }
      },
      {
        "name": "server",
        "state": "unknown",
        "finding": {
          "code": "no_answer",
          "afterMs": 1
        }
      },
      {
        "name": "runner",
        "state": "notice",
        "finding": {
          "code": "linked",
          "projects": 1
        }
      },
      {
        "name": "runner",
        "state": "ok",
        "finding": {
          "code": "not_linked"
        }
      },
      {
        "name": "address",
        "state": "broken",
        "finding": {
          "code": "listening",
          "address": "http://127.0.0.1:1"
        }
      },
      {
        "name": "address",
        "state": "unknown",
        "finding": {
          "code": "reachable",
          "address": "http://127.0.0.1:1",
          "ms": 1
        }
      },
      {
        "name": "address",
        "state": "notice",
        "finding": {
          "code": "unreachable",
          "address": "http://127.0.0.1:1",
          "detail": "refused"
        }
      },
      {
        "name": "proxy",
        "state": "ok",
        "finding": {
          "code": "not_set"
        }
      },
      {
        "name": "credential",
        "state": "broken",
        "finding": {
          "code": "accepted",
          "at": 1
        }
      },
      {
        "name": "credential",
        "state": "unknown",
        "finding": {
          "code": "rejected",
          "at": 1
        }
      },
      {
        "name": "last_call",
        "state": "notice",
        "finding": {
          "code": "last_call",
          "at": 1,
          "tookMs": null
        }
      },
      {
        "name": "last_call",
        "state": "ok",
        "finding": {
          "code": "no_call"
        }
      },
      {
        "name": "tools",
        "state": "broken",
        "finding": {
          "code": "tools_old",
          "from": 1
        }
      },
      {
        "name": "tools",
        "state": "unknown",
        "finding": {
          "code": "not_checked"
        }
      }
    ],
    "oldToolsFrom": 1,
    "events": [
      {
        "at": 1,
        "kind": "call_finished",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "call_failed",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "rejected",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "offline",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "online",
        "tool": "run_shell",
        "ms": null
      }
    ]
  },
  {
    "id": "chatgpt:public",
    "kind": "claude_code",
    "name": "ChatGPT",
    "via": "local",
    "state": "unknown",
    "lastCall": {
      "at": 1,
      "tool": "run_shell",
      "outcome": {
        "kind": "finished"
      },
      "tookMs": 1
    },
    "hops": [
      {
        "name": "app",
        "state": "ok",
        "finding": {
          "code": "running",
          "version": "1"
        }
      },
      {
        "name": "server",
        "state": "broken",
        "finding": {
          "code": "answers",
          "ms": 1
        }
      },
      {
        "name": "server",
        "state": "unknown",
        "finding": {
          "code": "no_answer",
          "afterMs": 1
        }
      },
      {
        "name": "runner",
        "state": "notice",
        "finding": {
          "code": "linked",
          "projects": 1
        }
      },
      {
        "name": "runner",
        "state": "ok",
        "finding": {
          "code": "not_linked"
        }
      },
      {
        "name": "address",
        "state": "broken",
        "finding": {
          "code": "listening",
          "address": "http://127.0.0.1:1"
        }
      },
      {
        "name": "address",
        "state": "unknown",
        "finding": {
          "code": "reachable",
          "address": "http://127.0.0.1:1",
          "ms": 1
        }
      },
      {
        "name": "address",
        "state": "notice",
        "finding": {
          "code": "unreachable",
          "address": "http://127.0.0.1:1",
          "detail": "refused"
        }
      },
      {
        "name": "proxy",
        "state": "ok",
        "finding": {
          "code": "not_set"
        }
      },
      {
        "name": "credential",
        "state": "broken",
        "finding": {
          "code": "accepted",
          "at": 1
        }
      },
      {
        "name": "credential",
        "state": "unknown",
        "finding": {
          "code": "rejected",
          "at": 1
        }
      },
      {
        "name": "last_call",
        "state": "notice",
        "finding": {
          "code": "last_call",
          "at": 1,
          "tookMs": null
        }
      },
      {
        "name": "last_call",
        "state": "ok",
        "finding": {
          "code": "no_call"
        }
      },
      {
        "name": "tools",
        "state": "broken",
        "finding": {
          "code": "tools_old",
          "from": 1
        }
      },
      {
        "name": "tools",
        "state": "unknown",
        "finding": {
          "code": "not_checked"
        }
      }
    ],
    "oldToolsFrom": 1,
    "events": [
      {
        "at": 1,
        "kind": "call_finished",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "call_failed",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "rejected",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "offline",
        "tool": "run_shell",
        "ms": null
      },
      {
        "at": 1,
        "kind": "online",
        "tool": "run_shell",
        "ms": null
      }
    ]
  }
] satisfies Client[];

export const address = {
  "local": "http://127.0.0.1:1/mcp",
  "public": "https://x.io"
} satisfies Address;

export const failure = {
  "code": "io_failed",
  "message": "no",
  "hint": "try again"
} satisfies Failure;
