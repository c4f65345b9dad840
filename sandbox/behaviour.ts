import { unquoteLocal } from '../domain/addresses/local-part';
import { SECOND } from '../lib/clock';

export type ReportKind = 'delivered' | 'failed' | 'delayed' | 'complaint' | 'answer';

/** A report that a stored mail triggers. */
export interface PlannedReport {
  kind: ReportKind;
  /** RFC 3463; empty for a complaint and an answer. */
  status: string;
  /** Reply of the simulated receiving server; empty when it gave none. */
  diagnostic: string;
  /** Delay after the previous report was accepted, or after the mail was stored, ms. */
  wait: number;
}

export interface Behaviour {
  /** For the pages and docs/sandbox.md. */
  about: string;
  /** How RCPT is answered; accepted when absent. */
  recipient?: 'reject' | 'greylist' | 'softbounce' | 'defer';
  /** How the final dot is answered; 250 at once when absent. */
  answer?: 'slow' | 'drop';
  reports: readonly PlannedReport[];
}

/** How long `slow` waits, ms. */
export const SLOW_WAIT = 5 * SECOND;

const delivered: PlannedReport = { kind: 'delivered', status: '2.0.0', diagnostic: '250 2.0.0 Delivered', wait: 0 };

const failed = (status: string, diagnostic: string): PlannedReport => ({ kind: 'failed', status, diagnostic, wait: 0 });

/** The sandbox's behaviour, by the local part of the recipient. */
export const BEHAVIOURS = {
  delivered: { about: 'is accepted and reported delivered, as is every other address', reports: [delivered] },
  hardbounce: {
    about: 'is accepted, then bounces with 550 5.1.1',
    reports: [{ kind: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 No such user here', wait: 0 }],
  },
  mailboxfull: {
    about: 'is accepted, then bounces with 552 5.2.2: a full mailbox, no hard bounce',
    reports: [failed('5.2.2', '552 5.2.2 The mailbox is full')],
  },
  blocked: {
    about: 'is accepted, then bounces with 550 5.7.1 that names a block list: no hard bounce',
    reports: [
      failed('5.7.1', '550 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org; https://check.spamhaus.org/'),
    ],
  },
  spam: {
    about: 'is accepted, then bounces with 550 5.7.1 for its content: no hard bounce',
    reports: [failed('5.7.1', '550 5.7.1 Message rejected as spam by the content filter')],
  },
  disabled: {
    about: 'is accepted, then bounces with 550 5.2.1: a mailbox that is disabled, a hard bounce',
    reports: [failed('5.2.1', '550 5.2.1 The mailbox is disabled')],
  },
  autoreply: {
    about: 'is reported delivered, then answers automatically, which changes nothing',
    reports: [delivered, { kind: 'answer', status: '', diagnostic: '', wait: 0 }],
  },
  softbounce: {
    about: 'is refused with 451 three times, then accepted and reported delivered',
    recipient: 'softbounce',
    reports: [delivered],
  },
  reject: { about: 'is refused with 550 5.1.1 at RCPT', recipient: 'reject', reports: [] },
  greylist: {
    about: 'is refused with 451 for one minute from the first try, then accepted and reported delivered',
    recipient: 'greylist',
    reports: [delivered],
  },
  complaint: {
    about: 'is reported delivered, then the recipient complains of spam',
    reports: [delivered, { kind: 'complaint', status: '', diagnostic: '', wait: 0 }],
  },
  slow: {
    about: 'is answered only after five seconds, then reported delivered',
    answer: 'slow',
    reports: [{ ...delivered, wait: SLOW_WAIT }],
  },
  defer: { about: 'is always refused with 451', recipient: 'defer', reports: [] },
  delayed: {
    about: 'is reported delayed, and delivered three seconds later',
    reports: [
      { kind: 'delayed', status: '4.4.1', diagnostic: '421 4.4.1 The server is busy', wait: 0 },
      { ...delivered, wait: 3 * SECOND },
    ],
  },
  expired: {
    about: 'is accepted, then given up with 4.4.1',
    reports: [{ kind: 'failed', status: '4.4.1', diagnostic: '421 4.4.1 The server did not answer for days', wait: 0 }],
  },
  norecord: { about: 'is accepted, and no report follows', reports: [] },
  drop: {
    about: 'is kept and reported delivered, but the connection closes after the final dot without an answer',
    answer: 'drop',
    reports: [delivered],
  },
} as const satisfies Record<string, Behaviour>;

/** The behaviour of an address, by its local part without case and without a `+tag`, at any domain. */
export function behaviourOf(address: string): Behaviour {
  const localPart = unquoteLocal(address.slice(0, address.lastIndexOf('@'))).toLowerCase();
  const name = localPart.replace(/\+.*$/, '');
  return Object.hasOwn(BEHAVIOURS, name) ? BEHAVIOURS[name as keyof typeof BEHAVIOURS] : BEHAVIOURS.delivered;
}

/** A recipient from the envelope. */
export interface Recipient {
  address: string;
  /** NOTIFY in upper case; null when absent. */
  notify: readonly string[] | null;
  /** ORCPT, decoded: `rfc822;a@b`. */
  orcpt: string | null;
}

const ASKED_BY: Record<Exclude<ReportKind, 'complaint' | 'answer'>, string> = {
  delivered: 'SUCCESS',
  failed: 'FAILURE',
  delayed: 'DELAY',
};

/**
 * The reports to send: none to the null sender, and of the delivery reports only those that NOTIFY requests. Without
 * NOTIFY these are failures (RFC 3461 section 4.1). Complaints and answers come from the recipient: NOTIFY does not
 * apply.
 */
export function reportsToSend(mailFrom: string, recipient: Recipient): PlannedReport[] {
  if (mailFrom === '') return [];
  const notify = recipient.notify ?? ['FAILURE'];
  return behaviourOf(recipient.address).reports.filter(
    ({ kind }) => kind === 'complaint' || kind === 'answer' || notify.includes(ASKED_BY[kind]),
  );
}
