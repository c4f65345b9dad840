/**
 * The history of a run, as an outsider saw it: one JSON line for each invocation and each completion, as Jepsen writes
 * them. Whoever plays writes it; the judge reads nothing else.
 */
export interface Line {
  /** ms of the run's time. */
  t: number;
  /** Who acted: `caller-1`, `mta`, `hook-3`, `person`, `operator`, `nemesis`. One acts once at a time. */
  process: string;
  /** `ok`: it was done; `fail`: it was not done, for certain; `info`: nobody outside knows. */
  type: 'invoke' | 'ok' | 'fail' | 'info';
  /** What was done; the keys of `Acts`. */
  f: keyof Acts;
  /** Links a completion to its invocation. */
  n: number;
  /** What was asked in an invocation, what was answered in a completion. */
  value: object;
}

/** What the sending server reports of a mail. */
export type ReportKind =
  | 'delivered'
  /** The address does not exist, or its mailbox is disabled for good: a hard bounce. */
  | 'unknown'
  | 'disabled'
  /** Bounces that say nothing about the address. */
  | 'full'
  | 'blocked'
  | 'spam'
  /** The server gave up after refusals for the time being. */
  | 'expired'
  | 'delayed'
  | 'complaint';

/** What a mail is to say: its subject, and what stands in each of its parts, with `{{email}}` for its recipient. */
export interface Content {
  subject: string;
  text: string;
}

/** What the recipient of a mail sees of it. */
export interface Shown {
  /** The address in its field To. */
  to: string;
  subject: string;
  /** The beginning of each part, without tags. */
  texts: string[];
  /** The link of List-Unsubscribe, and those of the parts, each once. */
  unsubscribe: { header: string | null; links: string[] };
}

/** The counts of a campaign. */
export type Progress = Readonly<
  Record<'recipients' | 'delivered' | 'bounced' | 'failed' | 'skipped' | 'pending' | 'in_hand', number>
>;

/** A row of the manifest of a campaign. */
export interface Recipient {
  to: string;
  state: string;
  reason: string | null;
  message: string | null;
}

/** The path of a contact through a journey; one that was deleted has no address, which is empty then. */
export interface Traveller {
  to: string;
  state: string;
  reason: string | null;
  /** `at` in ms. */
  steps: { step: number; type: string; at: number; message: string | null }[];
}

/** Every act: what its invocation and its completion `ok` say. A `fail` says `{ status, reason }`. */
export interface Acts {
  /** Facts of a workspace before the run; no completion. */
  account: [{ workspace: number; coins: number; isFree: boolean }, never];
  /**
   * POST /messages. `key`: its Idempotency-Key. `to` is the same in two sends only where both have the same key, or
   * `again` is true. `relay`: it came by the SMTP relay, where a repeat is answered as the first one was; a mail to
   * several recipients is an act for each. A mail whose content is told has an unsubscribe link.
   */
  send: [
    { workspace: number; key: string | null; to: string; again?: true; relay?: true } & Partial<Content>,
    { status: number; message: string; state: string },
  ];
  /**
   * The sending server got the final dot of a mail. `ok`: it answered 250; `fail`: it refused; `info`: it kept the mail
   * and did not answer.
   */
  take: [{ message: string; to: string; fault: string | null; shown?: Shown }, { reply: string }];
  /** It refused the recipient before any mail: invoked and completed at once. */
  refuse: [{ message: string; to: string; permanent: boolean }, { reply: string }];
  /** It reports to the report listener; `ok` once that answered 250. */
  report: [{ message: string; kind: ReportKind }, { reply: string }];
  /**
   * A person fetches the pixel of a mail (`open`) or follows link `link` (`click`). `ok` with the status of the answer.
   */
  open: [{ message: string }, { status: number }];
  click: [{ message: string; link: number }, { status: number }];
  /** Its recipient looks at the page behind its unsubscribe link; `names`: the addresses on it. */
  page: [{ message: string }, { status: number; names: string[] }];
  /** A webhook is registered, for these events. */
  subscribe: [{ workspace: number; hook: string; events: string[] }, { webhook: number }];
  /** A webhook is deleted. */
  drop: [{ workspace: number; hook: string }, { status: number }];
  /** A request reached the receiver of a hook; `ok` with the status it answered, `info` if it cut the connection. */
  deliver: [
    { hook: string; id: string; event: string; message: string; at: string; signed: boolean },
    { status: number },
  ];
  /** The operator adds coins; `reference` makes it happen once. */
  'top-up': [{ workspace: number; coins: number; reference: string }, { status: number }];
  /** GET /account. */
  balance: [{ workspace: number }, { coins: number }];
  /**
   * A contact is deleted or unsubscribes, or an address is put on the filter list: mail to it that is not yet claimed
   * fails. `leaves`: it is a contact that goes, and leaves its journeys.
   */
  block: [{ workspace: number; to: string; leaves?: true }, { status: number }];
  /**
   * An address is to be in an audience: by the API, by a line of an import, or by the public form. `double`: it counts
   * once it has confirmed by mail. An address is of one audience.
   */
  join: [{ workspace: number; audience: number; to: string; double: boolean }, { status: number }];
  /** The button behind the link of a confirmation mail. */
  confirm: [{ workspace: number; audience: number; to: string }, { status: number }];
  /** POST /campaigns/{id}/send: a mail to all of an audience. */
  campaign: [{ workspace: number; campaign: number; audience: number } & Partial<Content>, { state: string }];
  /** POST /campaigns/{id}/pause, /resume and /cancel. */
  move: [{ workspace: number; campaign: number; move: 'pause' | 'resume' | 'cancel' }, { state: string }];
  /** GET /campaigns/{id}. */
  progress: [{ workspace: number; campaign: number }, { state: string; counts: Progress }];
  /**
   * A journey as it is from before the run: its steps in order, those that wait with their ms. `audience`: who counts
   * there enters it; null: who is enrolled. `goal`: a click ends it. No completion.
   */
  journey: [
    {
      workspace: number;
      journey: number;
      audience: number | null;
      steps: ({ type: string; wait: number } & Partial<Content>)[];
      goal: boolean;
    },
    never,
  ];
  /** POST /journeys/{id}/enroll. */
  enroll: [{ workspace: number; journey: number; to: string }, { status: number }];
  /** POST /conversions: an order of that amount, that the click on a mail led to. */
  sale: [{ workspace: number; order: string; amount: number; message: string }, { status: number; duplicate: boolean }];
  /**
   * The program is killed, loses its power, or is started: invoked only. `behind`: how far the clock of its machine is
   * set back from now on, ms.
   */
  fault: [{ kind: string; behind?: number }, never];
  /** After the end of all faults, once all is idle: all that the API tells of a workspace. */
  final: [
    { workspace: number },
    {
      coins: number;
      messages: { message: string; to: string; state: string; reason: string | null }[];
      /** The ledger as the operator exports it: every row once, in order. */
      ledger: { id: string; kind: string; amount: number; message: string | null }[];
    },
  ];
  /** All that is told of campaigns, journeys, audiences and sales, after `final`. */
  export: [
    { workspace: number },
    {
      campaigns: { campaign: number; state: string; counts: Progress; recipients: Recipient[] }[];
      journeys: { journey: number; contacts: Traveller[] }[];
      audiences: { audience: number; members: { to: string; confirmed: boolean }[] }[];
      sales: { order: string; amount: number; message: string }[];
    },
  ];
  /** `kurir audit` over the data in the end: its differences. */
  audit: [Record<string, never>, { differences: string[] }];
}
