import type { BEHAVIOURS } from '../../../sandbox/behaviour';

/** The recipients of the sandbox. The sink must handle each: a new one is a compile error here. */
export type Kind = keyof typeof BEHAVIOURS;
export type ReportKind =
  'delivered' | 'failed' | 'expired' | 'delayed' | 'complaint' | 'full' | 'blocked' | 'spam' | 'disabled';

/** How the sink treats mail for a recipient. */
export interface SinkBehaviour {
  /** The reply to RCPT in attempt `n` (1 = the first); accepted when absent. */
  recipient?: (n: number) => string | null;
  /** The answer to the final dot: late, or the connection drops without one. 250 at once when absent. */
  answer?: 'slow' | 'drop';
  /** Sent in any order, some of them twice. */
  reports: readonly ReportKind[];
  /** The final status of a message that the sink took. */
  ends: 'delivered' | 'bounced' | 'failed';
  /** A hard bounce or a complaint costs four coins. */
  penalty?: true;
}

const refuseFirst =
  (tries: number) =>
  (n: number): string | null =>
    n <= tries ? `451 4.2.0 Not yet, try ${n}` : null;

/** The behaviour that docs/sandbox.md promises per recipient, in a server that shares no code with the sandbox. */
export const SINK_BEHAVIOURS: Readonly<Record<Kind, SinkBehaviour>> = {
  delivered: { reports: ['delivered'], ends: 'delivered' },
  hardbounce: { reports: ['failed'], ends: 'bounced', penalty: true },
  mailboxfull: { reports: ['full'], ends: 'bounced' },
  blocked: { reports: ['blocked'], ends: 'bounced' },
  spam: { reports: ['spam'], ends: 'bounced' },
  disabled: { reports: ['disabled'], ends: 'bounced', penalty: true },
  autoreply: { reports: ['delivered'], ends: 'delivered' },
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
