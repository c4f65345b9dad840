import { refund, type LedgerEntry } from './coins';
import type { AttemptOutcome, Message, MessageState, MessageStatus } from './message';
import { SECOND } from '../lib/clock';
import { nextMtaAttempt } from './retry-schedule';
import type { MessageEventName } from './signal';
import { texts } from './texts';

/**
 * The moves a message may make (docs/architecture.md#status-table). Forward only; from `failed` only when evidence
 * comes for a message that failed for want of it (`reopenable`).
 */
export const TRANSITIONS: Readonly<Record<MessageStatus, readonly MessageStatus[]>> = {
  queued: ['sending', 'failed'],
  sending: ['queued', 'sent_to_mta', 'delivered', 'bounced', 'failed'],
  sent_to_mta: ['delivered', 'bounced', 'failed'],
  delivered: ['bounced'],
  bounced: [],
  failed: ['delivered', 'bounced'],
};

/** What becomes of a message, as a value: the change of state and everything that must be said with it. */
export interface Outcome {
  set: Partial<Omit<MessageState, 'version'>>;
  at: number;
  attempt?: { fencedAt?: number; finishedAt?: number; outcome?: AttemptOutcome; reply?: string };
  dropAttachments?: boolean;
  ledger: LedgerEntry[];
  events: { name: MessageEventName; occurredAt: number; reason?: string }[];
}

/** The hand-off as its dispatcher knows it: the claim, and its fence token once it passed the fence. */
export interface HandOff {
  attempt: number;
  fence: string | null;
}

/** The end of the current attempt, with when it had passed the fence. */
const closed = (
  message: Message,
  outcome: AttemptOutcome,
  reply: string,
  at: number,
): NonNullable<Outcome['attempt']> => ({
  finishedAt: at,
  outcome,
  reply,
  ...(message.fencedAt === null ? {} : { fencedAt: message.fencedAt }),
});

const nothingSaid = { ledger: [], events: [] } satisfies Partial<Outcome>;

/**
 * True while the message is in the hands of this very hand-off. One that passed the fence may still speak for itself after it
 * was thought lost: its word is better than any wait for evidence.
 */
const inHand = (message: Message, handOff: HandOff): boolean =>
  message.status === 'sending' &&
  message.attempt === handOff.attempt &&
  message.fence === handOff.fence &&
  (handOff.fence !== null || !message.unknown);

/**
 * The fence (docs/architecture.md#the-fence-and-evidence): one hand-off of a claim may pass, and only while the claim
 * stands and its contact has not been deleted. Null: it may not.
 */
export function passFence(message: Message, attempt: number, token: string, at: number): Outcome | null {
  if (message.to === null || !inHand(message, { attempt, fence: null })) return null;
  return { set: { fence: token, fencedAt: at }, at, ...nothingSaid };
}

/** The sending server answered 250. Evidence may have been faster; then only the attempt is closed. */
export function sent(
  message: Message,
  handOff: HandOff,
  reply: string,
  at: number,
  evidenceWait: number,
): Outcome | null {
  if (message.fence === null || message.fence !== handOff.fence) return null;
  const attempt = closed(message, 'sent', reply, at);
  if (message.status !== 'sending') return { set: {}, at, attempt, ...nothingSaid };
  return {
    set: {
      status: 'sent_to_mta',
      dispatchedAt: at,
      dueAt: at + evidenceWait,
      unknown: false,
      failedReason: null,
      attachmentsUntil: null,
    },
    at,
    attempt,
    dropAttachments: true,
    ...nothingSaid,
  };
}

/** The sending server refused for good (5xx): failed with its text, and the coin back. */
export function refusedPermanently(message: Message, handOff: HandOff, reply: string, at: number): Outcome | null {
  if (!inHand(message, handOff)) return null;
  const attempt = closed(message, 'refused_permanently', reply, at);
  return { ...failed(message, reply, at), attempt };
}

/** The contact was deleted after the claim and before the fence: nothing may be sent any more, and the coin goes back. */
export function recipientGone(message: Message, handOff: HandOff, at: number): Outcome | null {
  if (!inHand(message, handOff)) return null;
  const attempt = closed(message, 'not_sent', 'The contact was deleted before the mail was sent.', at);
  return { ...failed(message, texts.contactDeleted, at), attempt };
}

/** A certain no for now (4xx, or the connection did not get as far): queued again, or failed when three days are over. */
export function refusedTemporarily(
  message: Message,
  handOff: HandOff,
  refusal: { reply: string; outcome: 'refused_temporarily' | 'not_sent' },
  at: number,
): Outcome | null {
  if (!inHand(message, handOff)) return null;
  const attempt = closed(message, refusal.outcome, refusal.reply, at);
  // The contact was deleted meanwhile: there is no next turn.
  if (message.to === null) return { ...failed(message, texts.contactDeleted, at), attempt };
  const next = nextMtaAttempt(message.attempt, message.firstClaimedAt ?? at, at);
  if (next === null) return { ...failed(message, `${texts.retriesExhausted} ${refusal.reply}`, at), attempt };
  return { ...requeued(message, refusal.reply, next, at), attempt };
}

/**
 * The hand-off is over without an answer, after the body: only evidence can tell
 * (docs/architecture.md#the-fence-and-evidence). No second one will need the attachments.
 */
export function becameUnknown(message: Message, reason: string, at: number, evidenceWait: number): Outcome | null {
  if (message.status !== 'sending' || message.unknown || message.fencedAt === null) return null;
  return {
    set: { unknown: true, dueAt: message.fencedAt + evidenceWait, attachmentsUntil: null },
    at,
    attempt: closed(message, 'unknown', reason, at),
    dropAttachments: true,
    ...nothingSaid,
  };
}

/** What a passed deadline means: a lost lease, or evidence that never came. Null when nothing is overdue. */
export function overdue(message: Message, now: number, evidenceWait: number): Outcome | null {
  if (message.dueAt === null || message.dueAt > now) return null;
  if (message.status === 'sent_to_mta' || (message.status === 'sending' && message.unknown)) {
    const outcome = failed(message, texts.noRecord, now);
    return { ...outcome, set: { ...outcome.set, reopenable: 'no_record' } };
  }
  if (message.status !== 'sending') return null;
  return message.fence === null ? interrupted(message, now) : wentSilent(message, now, evidenceWait);
}

/** A hand-off past the fence whose lease ran out, or whose process was not heard of for too long. Should it only have been frozen, its refusal still counts: so attachments stay. */
export function wentSilent(message: Message, now: number, evidenceWait: number): Outcome | null {
  const outcome = becameUnknown(message, 'The hand-off ended without a word.', now, evidenceWait);
  if (!outcome) return null;
  const { attachmentsUntil: _kept, ...set } = outcome.set;
  return { ...outcome, set, dropAttachments: false };
}

/**
 * A hand-off that ended before the fence: a certain no that nobody said, so it neither counts towards the three days nor waits
 * for longer than its refund needs to be booked.
 */
function interrupted(message: Message, now: number): Outcome {
  const outcome = requeued(message, null, now + SECOND, now);
  // At a first claim the three days have not begun; they do at the next.
  const set = message.attempt === 1 ? { ...outcome.set, firstClaimedAt: null } : outcome.set;
  return {
    ...outcome,
    set,
    attempt: closed(message, 'not_sent', 'The hand-off was interrupted before the mail was sent.', now),
  };
}

/** Attachments are held for four days (docs/contract.md#attachment-retention). */
export function attachmentsExpired(message: Message, now: number): Outcome | null {
  if (message.status !== 'queued' || message.attachmentsUntil === null || message.attachmentsUntil > now) return null;
  return { ...failed(message, texts.attachmentsExpired, now), ledger: [] };
}

/** Final for want of a hand-off; the coin of the current attempt goes back. */
export function failed(message: Message, reason: string, at: number): Outcome {
  return {
    set: { status: 'failed', failedReason: reason, dueAt: null, unknown: false, attachmentsUntil: null },
    at,
    dropAttachments: true,
    ledger: [refund(message.workspaceId, message.id, message.attempt, at)],
    events: [],
  };
}

function requeued(message: Message, reason: string | null, dueAt: number, at: number): Outcome {
  return {
    set: { status: 'queued', failedReason: reason, dueAt, fence: null, fencedAt: null, unknown: false },
    at,
    ledger: [refund(message.workspaceId, message.id, message.attempt, at)],
    events: [],
  };
}
