// Written by a test of `crates/supervisor`: what the app says, as the window must understand it.
import type { Message } from "../bridge";
import type {
  Action, ClientSetup, Part, Reason, Remark, Settings, SettingsChange, StateName, Status, Update,
} from "../types";

export const states = [
  "off",
  "starting",
  "ready",
  "working",
  "problem"
] satisfies StateName[];

export const parts = [
  {
    "state": "stopped",
    "retryAt": null
  },
  {
    "state": "starting",
    "retryAt": null
  },
  {
    "state": "running",
    "retryAt": null
  },
  {
    "state": "backoff",
    "retryAt": null
  },
  {
    "state": "failed",
    "retryAt": null
  }
] satisfies Part[];

export const reasons = [
  {
    "code": "ready"
  },
  {
    "code": "no_project"
  },
  {
    "code": "no_client"
  },
  {
    "code": "paused"
  },
  {
    "code": "starting"
  },
  {
    "code": "working",
    "client": "said",
    "project": "said",
    "command": null
  },
  {
    "code": "approval_waits",
    "count": 2
  },
  {
    "code": "server_restarting",
    "retryAt": 1
  },
  {
    "code": "server_failed",
    "detail": "said"
  },
  {
    "code": "runner_restarting",
    "retryAt": 1
  },
  {
    "code": "runner_failed",
    "detail": "said"
  },
  {
    "code": "port_taken",
    "port": 8765,
    "newPort": 8766
  },
  {
    "code": "disk_full",
    "folder": "said"
  },
  {
    "code": "secrets_unavailable"
  },
  {
    "code": "connection_broken",
    "client": "said"
  }
] satisfies Reason[];

export const actions = [
  "add_folder",
  "connect_client",
  "resume",
  "restart",
  "show_logs",
  "open_approvals",
  "open_activity",
  "open_connections",
  "keep_secrets_in_file"
] satisfies Action[];

export const remarks = [
  {
    "code": "settings_restored",
    "keptAs": "x"
  },
  {
    "code": "history_restored",
    "keptAs": "x"
  },
  {
    "code": "connections_restored",
    "keptAs": "x"
  },
  {
    "code": "no_tray"
  },
  {
    "code": "secrets_in_file",
    "path": "x"
  },
  {
    "code": "address_changed",
    "from": "x",
    "to": "x"
  }
] satisfies Remark[];

export const updates = [
  {
    "state": "unknown"
  },
  {
    "state": "checking"
  },
  {
    "state": "newest",
    "checkedAt": 1
  },
  {
    "state": "available",
    "version": "2.0.0",
    "bytes": 2
  },
  {
    "state": "available",
    "version": "2.0.0",
    "bytes": null
  },
  {
    "state": "installing",
    "version": "2.0.0"
  },
  {
    "state": "failed",
    "checkedAt": 1
  }
] satisfies Update[];

export const settings = [
  {
    "language": "system",
    "theme": "system",
    "startAtLogin": false,
    "notify": {
      "workDone": true,
      "workStuck": true,
      "approvalWanted": true,
      "connectionLost": false
    },
    "allowedRoots": [],
    "newProjects": {
      "permission": "edit",
      "askFirst": true
    },
    "approvalSeconds": 50,
    "secrets": "windows",
    "proxy": {
      "mode": "automatic",
      "url": ""
    },
    "publicAddress": "",
    "waitSeconds": 55,
    "waitProfile": "direct",
    "record": "times",
    "logBytes": 0,
    "logLimitBytes": 8388608,
    "updates": "ask"
  },
  {
    "language": "system",
    "theme": "system",
    "startAtLogin": false,
    "notify": {
      "workDone": true,
      "workStuck": true,
      "approvalWanted": true,
      "connectionLost": false
    },
    "allowedRoots": [],
    "newProjects": {
      "permission": "edit",
      "askFirst": true
    },
    "approvalSeconds": 50,
    "secrets": "macos",
    "proxy": {
      "mode": "automatic",
      "url": ""
    },
    "publicAddress": "",
    "waitSeconds": 55,
    "waitProfile": "direct",
    "record": "times",
    "logBytes": 0,
    "logLimitBytes": 8388608,
    "updates": "ask"
  },
  {
    "language": "system",
    "theme": "system",
    "startAtLogin": false,
    "notify": {
      "workDone": true,
      "workStuck": true,
      "approvalWanted": true,
      "connectionLost": false
    },
    "allowedRoots": [],
    "newProjects": {
      "permission": "edit",
      "askFirst": true
    },
    "approvalSeconds": 50,
    "secrets": "secret_service",
    "proxy": {
      "mode": "automatic",
      "url": ""
    },
    "publicAddress": "",
    "waitSeconds": 55,
    "waitProfile": "direct",
    "record": "times",
    "logBytes": 0,
    "logLimitBytes": 8388608,
    "updates": "ask"
  },
  {
    "language": "system",
    "theme": "system",
    "startAtLogin": false,
    "notify": {
      "workDone": true,
      "workStuck": true,
      "approvalWanted": true,
      "connectionLost": false
    },
    "allowedRoots": [],
    "newProjects": {
      "permission": "edit",
      "askFirst": true
    },
    "approvalSeconds": 50,
    "secrets": "owner_file",
    "proxy": {
      "mode": "automatic",
      "url": ""
    },
    "publicAddress": "",
    "waitSeconds": 55,
    "waitProfile": "direct",
    "record": "times",
    "logBytes": 0,
    "logLimitBytes": 8388608,
    "updates": "ask"
  },
  {
    "language": "system",
    "theme": "system",
    "startAtLogin": false,
    "notify": {
      "workDone": true,
      "workStuck": true,
      "approvalWanted": true,
      "connectionLost": false
    },
    "allowedRoots": [],
    "newProjects": {
      "permission": "edit",
      "askFirst": true
    },
    "approvalSeconds": 50,
    "secrets": "none",
    "proxy": {
      "mode": "automatic",
      "url": ""
    },
    "publicAddress": "",
    "waitSeconds": 55,
    "waitProfile": "direct",
    "record": "times",
    "logBytes": 0,
    "logLimitBytes": 8388608,
    "updates": "ask"
  }
] satisfies Settings[];

export const change = {
  "language": "system",
  "theme": "system",
  "startAtLogin": true,
  "notify": {
    "workDone": true,
    "workStuck": true,
    "approvalWanted": true,
    "connectionLost": false
  },
  "allowedRoots": [
    "/src"
  ],
  "newProjects": {
    "permission": "edit",
    "askFirst": true
  },
  "proxy": {
    "mode": "automatic",
    "url": ""
  },
  "publicAddress": "",
  "waitSeconds": 55,
  "waitProfile": "direct",
  "record": "times",
  "updates": "ask"
} satisfies SettingsChange;

export const setup = {
  "kind": "other",
  "file": null,
  "text": "",
  "writable": false
} satisfies ClientSetup;

export const status = {
  "observedAt": 1,
  "state": "problem",
  "reason": {
    "code": "runner_restarting",
    "retryAt": 7
  },
  "action": "restart",
  "server": {
    "state": "running",
    "retryAt": null
  },
  "runner": {
    "state": "backoff",
    "retryAt": 7
  },
  "firstRun": true,
  "system": "linux",
  "version": "1.0.0",
  "projects": [],
  "callsToday": 0,
  "earlierCalls": false,
  "sessions": [],
  "jobs": [],
  "approvals": [],
  "clients": [],
  "connections": [],
  "importable": {
    "tunnel": "tunnel_1"
  },
  "address": {
    "local": "http://127.0.0.1:8765/mcp",
    "public": null
  },
  "settings": {
    "language": "system",
    "theme": "system",
    "startAtLogin": false,
    "notify": {
      "workDone": true,
      "workStuck": true,
      "approvalWanted": true,
      "connectionLost": false
    },
    "allowedRoots": [],
    "newProjects": {
      "permission": "edit",
      "askFirst": true
    },
    "approvalSeconds": 50,
    "secrets": "owner_file",
    "proxy": {
      "mode": "automatic",
      "url": ""
    },
    "publicAddress": "",
    "waitSeconds": 55,
    "waitProfile": "direct",
    "record": "times",
    "logBytes": 0,
    "logLimitBytes": 8388608,
    "updates": "ask"
  },
  "update": {
    "state": "unknown"
  },
  "remarks": [
    {
      "code": "settings_restored",
      "keptAs": "x"
    },
    {
      "code": "history_restored",
      "keptAs": "x"
    },
    {
      "code": "connections_restored",
      "keptAs": "x"
    },
    {
      "code": "no_tray"
    },
    {
      "code": "secrets_in_file",
      "path": "x"
    },
    {
      "code": "address_changed",
      "from": "x",
      "to": "x"
    }
  ],
  "calls": []
} satisfies Status;

export const messages = [
  {
    "kind": "status",
    "status": {
      "observedAt": 1,
      "state": "problem",
      "reason": {
        "code": "runner_restarting",
        "retryAt": 7
      },
      "action": "restart",
      "server": {
        "state": "running",
        "retryAt": null
      },
      "runner": {
        "state": "backoff",
        "retryAt": 7
      },
      "firstRun": true,
      "system": "linux",
      "version": "1.0.0",
      "projects": [],
      "callsToday": 0,
      "earlierCalls": false,
      "sessions": [],
      "jobs": [],
      "approvals": [],
      "clients": [],
      "connections": [],
      "importable": {
        "tunnel": "tunnel_1"
      },
      "address": {
        "local": "http://127.0.0.1:8765/mcp",
        "public": null
      },
      "settings": {
        "language": "system",
        "theme": "system",
        "startAtLogin": false,
        "notify": {
          "workDone": true,
          "workStuck": true,
          "approvalWanted": true,
          "connectionLost": false
        },
        "allowedRoots": [],
        "newProjects": {
          "permission": "edit",
          "askFirst": true
        },
        "approvalSeconds": 50,
        "secrets": "owner_file",
        "proxy": {
          "mode": "automatic",
          "url": ""
        },
        "publicAddress": "",
        "waitSeconds": 55,
        "waitProfile": "direct",
        "record": "times",
        "logBytes": 0,
        "logLimitBytes": 8388608,
        "updates": "ask"
      },
      "update": {
        "state": "unknown"
      },
      "remarks": [
        {
          "code": "settings_restored",
          "keptAs": "x"
        },
        {
          "code": "history_restored",
          "keptAs": "x"
        },
        {
          "code": "connections_restored",
          "keptAs": "x"
        },
        {
          "code": "no_tray"
        },
        {
          "code": "secrets_in_file",
          "path": "x"
        },
        {
          "code": "address_changed",
          "from": "x",
          "to": "x"
        }
      ],
      "calls": []
    }
  },
  {
    "kind": "changed",
    "changed": {
      "observedAt": 1,
      "state": "ready",
      "reason": {
        "code": "ready"
      },
      "action": null
    }
  },
  {
    "kind": "calls",
    "calls": []
  },
  {
    "kind": "lost"
  }
] satisfies Message[];
