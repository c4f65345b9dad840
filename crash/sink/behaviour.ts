import type { BEHAVIOURS } from '../../sandbox/behaviour';

/** The recipients the sandbox knows; the sink must know how to treat each, and a new one is a compile error here. */
export type Kind = keyof typeof BEHAVIOURS;
export type ReportKind = 'delivered' | 'failed' | 'expired' | 'delayed' | 'complaint';

/** How the sink treats mail for a recipient. */
export interface SinkBehaviour {
  /** The reply to RCPT of try `n` (1 = the first); taken when absent. */
  recipient?: (n: number) => string | null;
  /** What becomes of the answer to the final dot; 250 at once when absent. */
  answer?: 'slow' | 'drop';
  /** Sent in any order, some of them twice. */
  reports: readonly ReportKind[];
  /** How a message ends that the sink has taken. */
  ends: 'delivered' | 'bounced' | 'failed';
  /** A hard bounce or a complaint costs four coins. */
  penalty?: true;
}

const refuseFirst =
  (tries: number) =>
  (n: number): string | null =>
    n <= tries ? `451 4.2.0 Not yet, try ${n}` : null;

/** What docs/sandbox.md promises of recipients, done by a server that shares no code with it. */
export const SINK_BEHAVIOURS: Readonly<Record<Kind, SinkBehaviour>> = {
  delivered: { reports: ['delivered'], ends: 'delivered' },
  hardbounce: { reports: ['failed'], ends: 'bounced', penalty: true },
  softbounce: { recipient: refuseFirst(3), reports: ['delivered'], ends: 'delivered' },
  reject: { recipient: () => '550 5.1.1 No such user here', reports: [], ends: 'failed' },
  greylist: { recipient: refuseFirst(1), reports: ['delivered'], ends: 'delivered' },
  complaint: { reports: ['delivered', 'complaint'], ends: 'delivered', penalty: true },
  slow: { answer: 'slow', reports: ['delivered'], ends: 'delivered' },
  defer: { recipient: (n) => `451 4.3.0 Never, try ${n}`, reports: [], ends: 'failed' },
  delayed: { reports: ['delayed', 'delivered'], ends: 'delivered' },
  expired: { reports: ['expired'], ends: 'failed' },
  norecord: { reports: [], ends: 'failed' },
  drop: { answer: 'drop', reports: ['delivered'], ends: 'delivered' },
};

export const KINDS = Object.keys(SINK_BEHAVIOURS) as Kind[];

/** The kind of an address: its local part without a `+tag`. */
export function kindOf(address: string): Kind {
  const name = address.toLowerCase().replace(/[+@].*$/, '');
  return KINDS.find((kind) => kind === name) ?? 'delivered';
}
