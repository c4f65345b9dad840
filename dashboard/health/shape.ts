/** What `health` answers, as far as it is shown. */
export interface Health {
  engine: string;
  version: string;
  node: string;
  switches: { api: boolean; module: boolean };
  rates: { platform_cap: number | null; platform_sent_today: number };
  waiting: {
    lanes: readonly { lane: string; due: number; later: number; oldest_due_at: string | null }[];
    claimed: number;
    awaiting_report: number;
    outbox: number;
  };
  groups: readonly { group: string; topic: string; lag: number; behind_since: string | null }[];
  dead_letters: number;
  given_up_tasks: number;
  alarms: readonly {
    text: string;
    ended_at: string | null;
    raised_at: string;
    not_arrived: { url: string | null; mail: string | null };
  }[];
  processes: readonly { name: string; version: string | null; started_at: string | null; clock_ahead_ms: number }[];
  differing_settings: readonly string[];
  disk: { free_bytes: number | null; total_bytes: number | null } | null;
  now: string;
  audit: Audit;
}

/** What `health` says of audits. */
export interface Audit {
  running: { by: string; started_at: string } | null;
  last: {
    at: string;
    by: string;
    ok: boolean;
    differences: number;
    groups: readonly { rule: string; count: number; likely_cause: string }[];
    checked: Readonly<Record<string, number | null>>;
    ms: number;
  } | null;
  failure: { at: string; by: string; reason: string } | null;
}

/** What `doctor` answers, as far as it is shown. */
export interface Examination {
  ok: boolean;
  checks: readonly { check: string; status: string; detail: string }[];
  overdue: readonly {
    message_id: string;
    workspace_id: number;
    status: string;
    owner: string;
    deadline: string;
    expected: string;
  }[];
}
