import { refund, type LedgerEntry } from '../ledger/coins';
import type { AttemptOutcome, Message, MessageState, MessageStatus } from './message';
import { SECOND } from '../../lib/clock';
import { nextMtaAttempt, resendAt } from './retry-schedule';
import type { MessageEventName } from '../engagement/signal';
import { texts } from '../texts';

/**
 * The allowed status changes of a message (docs/architecture.md#status-table). Forward only; out of `failed` only when
 * late evidence arrives for a message that failed without it (`reopenable`), and past `sending` only when evidence of
 * an earlier hand-off arrives.
 */
export const TRANSITIONS: Readonly<Record<MessageStatus, readonly MessageStatus[]>> = {
  queued: ['sending', 'delivered', 'bounced', 'failed'],
  sending: ['queued', 'sent_to_mta', 'delivered', 'bounced', 'failed'],
  sent_to_mta: ['delivered', 'bounced', 'failed'],
  delivered: ['bounced'],
  bounced: [],
  failed: ['delivered', 'bounced'],
};

/** The result of a transition, as a value: the state change and everything to publish with it. */
export interface Outcome {
  set: Partial<Omit<MessageState, 'version'>>;
  at: number;
  attempt?: { fencedAt?: number; finishedAt?: number; outcome?: AttemptOutcome; reply?: string };
  dropAttachments?: boolean;
  ledger: LedgerEntry[];
  events: { name: MessageEventName; occurredAt: number; reason?: string }[];
}

/** The hand-off as its dispatcher knows it: the claim, and the fence token once past the fence. */
export interface HandOff {
  attempt: number;
  fence: string | null;
}

/** Closes the current attempt, with the time it passed the fence. */
export const closed = (
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

const INTERRUPTED = 'The hand-off was interrupted before the message was sent.';

/**
 * What is known of the wait for evidence: its length, ms, and whether the message may be handed over again. `resend`:
 * its workspace wants that when in doubt.
 */
export interface EvidenceOptions {
  evidenceWait: number;
  mayComeBack?: boolean;
  resend?: boolean;
}

/** Forgets a refusal that was overcome. */
export const NOT_REFUSED = { refusedClass: null, refusedAt: null } satisfies Partial<MessageState>;

/** For what changes only the message. */
export const nothingToPublish = { ledger: [], events: [] } satisfies Partial<Outcome>;

/**
 * True while this hand-off holds the message. One that passed the fence may still report its result after it was
 * presumed lost: its report is better than any wait for evidence.
 */
const isHeldBy = (message: Message, handOff: HandOff): boolean =>
  message.status === 'sending' &&
  message.attempt === handOff.attempt &&
  message.fence === handOff.fence &&
  (handOff.fence !== null || !message.unknown);

/**
 * The fence (docs/architecture.md#the-fence-and-evidence): only one hand-off of a claim may pass, and only while the
 * claim is valid and the contact is not deleted. Returns null when it may not pass.
 */
export function passFence(message: Message, attempt: number, token: string, at: number): Outcome | null {
  if (message.to === null || !isHeldBy(message, { attempt, fence: null })) return null;
  return { set: { fence: token, fencedAt: at }, at, ...nothingToPublish };
}

/** The sending server answered 250. If evidence came first, only the attempt is closed. */
export function sent(
  message: Message,
  handOff: HandOff,
  reply: string,
  at: number,
  evidenceWait: number,
): Outcome | null {
  if (message.fence === null || message.fence !== handOff.fence) return null;
  const attempt = closed(message, 'sent', reply, at);
  if (message.status !== 'sending') return { set: {}, at, attempt, ...nothingToPublish };
  return {
    set: {
      status: 'sent_to_mta',
      dispatchedAt: at,
      dueAt: at + evidenceWait,
      unknown: false,
      failedReason: null,
      attachmentsUntil: null,
      ...(message.refusedClass !== null && NOT_REFUSED),
    },
    at,
    attempt,
    dropAttachments: true,
    ...nothingToPublish,
  };
}

/** The sending server refused permanently (5xx): failed with its text, and a refund. */
export function refusedPermanently(message: Message, handOff: HandOff, reply: string, at: number): Outcome | null {
  if (!isHeldBy(message, handOff)) return null;
  const attempt = closed(message, 'refused_permanently', reply, at);
  return { ...failed(message, reply, at), attempt };
}

/** The contact was deleted between the claim and the fence: nothing is sent, and the coin is refunded. */
export function recipientGone(message: Message, handOff: HandOff, at: number): Outcome | null {
  if (!isHeldBy(message, handOff)) return null;
  const attempt = closed(message, 'not_sent', 'The contact was deleted before the message was sent.', at);
  return { ...failed(message, texts.contactDeleted, at), attempt };
}

/**
 * A definite failure for now (4xx, or the connection failed before): queued again, or failed once three days have
 * passed.
 */
export function refusedTemporarily(
  message: Message,
  handOff: HandOff,
  refusal: { reply: string; outcome: 'refused_temporarily' | 'not_sent' },
  at: number,
): Outcome | null {
  if (!isHeldBy(message, handOff)) return null;
  const attempt = closed(message, refusal.outcome, refusal.reply, at);
  // The contact was deleted meanwhile, so there is no next attempt.
  if (message.to === null) return { ...failed(message, texts.contactDeleted, at), attempt };
  const next = nextMtaAttempt(message.attempt, message.firstClaimedAt ?? at, at);
  if (next === null) return { ...failed(message, `${texts.retriesExhausted} ${refusal.reply}`, at), attempt };
  return { ...requeued(message, refusal.reply, next, at), attempt };
}

/**
 * The hand-off ended without an answer after the body: only evidence can decide the outcome
 * (docs/architecture.md#the-fence-and-evidence). The attachments are not needed any more, unless the message may come
 * back to the queue.
 */
export function becameUnknown(
  message: Message,
  reason: string,
  at: number,
  { evidenceWait, mayComeBack = false, resend = false }: EvidenceOptions,
): Outcome | null {
  if (message.status !== 'sending' || message.unknown || message.fencedAt === null) return null;
  const again = resend ? resendAt(message, evidenceWait) : null;
  const keepsAll = mayComeBack || again !== null;
  return {
    set: {
      unknown: true,
      dueAt: again ?? message.fencedAt + evidenceWait,
      ...(!keepsAll && { attachmentsUntil: null }),
    },
    at,
    attempt: closed(message, 'unknown', reason, at),
    dropAttachments: !keepsAll,
    ...nothingToPublish,
  };
}

/**
 * True for a hand-off past the fence without an answer: what its missing evidence means is the choice of its workspace.
 */
export const isUnconfirmed = ({ status, fence }: Message): boolean => status === 'sending' && fence !== null;

/** What a passed deadline means: a lost lease, or missing evidence. Null when nothing is overdue. */
export function overdue(message: Message, now: number, evidenceWait: number, resend = false): Outcome | null {
  if (message.dueAt === null || message.dueAt > now) return null;
  if (message.status === 'sent_to_mta') return withoutRecord(message, now);
  if (message.status !== 'sending') return null;
  if (message.unknown) return resend ? inDoubt(message, now, evidenceWait) : patient(message, now, evidenceWait);
  return message.fence === null ? interrupted(message, now) : wentSilent(message, now, evidenceWait, resend);
}

function withoutRecord(message: Message, now: number): Outcome {
  const outcome = failed(message, texts.noRecord, now);
  return { ...outcome, set: { ...outcome.set, reopenable: 'no_record' } };
}

/**
 * Waits for the whole time if it was to be sent again before. Any other deadline is the end of the wait, also one that
 * was set back: the fence may be stamped by a clock that was ahead.
 */
function patient(message: Message, now: number, evidenceWait: number): Outcome {
  if (message.dueAt !== resendAt(message, evidenceWait)) return withoutRecord(message, now);
  const end = (message.fencedAt ?? 0) + evidenceWait;
  return end > now ? { set: { dueAt: end }, at: now, ...nothingToPublish } : withoutRecord(message, now);
}

const UNCONFIRMED =
  'No report arrived, and the server never responded. The message is sent again, as its workspace has chosen.';

/**
 * Sends the mail again that may have been taken (docs/architecture.md#the-fence-and-evidence): its coin comes back, and
 * the next claim takes it. What cannot be sent as it was, waits and fails as usual.
 */
function inDoubt(message: Message, now: number, evidenceWait: number): Outcome {
  const hasLost = message.attachmentCount !== 0 && message.attachmentsUntil === null;
  if (message.to === null || hasLost || resendAt(message, evidenceWait) === null)
    return patient(message, now, evidenceWait);
  const outcome = requeued(message, null, now + SECOND, now);
  return {
    ...outcome,
    set: { ...outcome.set, reopenable: 'unconfirmed' },
    attempt: closed(message, 'unconfirmed', UNCONFIRMED, now),
  };
}

/**
 * A hand-off past the fence whose lease ran out, or whose process was silent for too long. The process may only have
 * been frozen, and its refusal still counts, so the attachments stay.
 */
export function wentSilent(message: Message, now: number, evidenceWait: number, resend = false): Outcome | null {
  const options = { evidenceWait, mayComeBack: true, resend };
  return becameUnknown(message, 'The hand-off ended without a result.', now, options);
}

/**
 * A hand-off that ended before the fence: a definite failure that was not reported. It does not count towards the three
 * days and waits only until its refund is booked.
 */
export function interrupted(message: Message, now: number, reason: string = INTERRUPTED): Outcome {
  const outcome = requeued(message, null, now + SECOND, now);
  // The three days begin with the next claim if this was the first.
  const set = message.attempt === 1 ? { ...outcome.set, firstClaimedAt: null } : outcome.set;
  return {
    ...outcome,
    set,
    attempt: closed(message, 'not_sent', reason, now),
  };
}

/** Fails a message whose attachments expired: they are kept for four days (docs/contract.md#attachment-retention). */
export function attachmentsExpired(message: Message, now: number): Outcome | null {
  if (message.status !== 'queued' || message.attachmentsUntil === null || message.attachmentsUntil > now) return null;
  return { ...failed(message, texts.attachmentsExpired, now), ledger: [] };
}

/**
 * The caller takes a message back that was never claimed (docs/contract.md#cancel-a-message). No coin was taken, so
 * none is refunded.
 */
export function cancelled(message: Message, now: number): Outcome | null {
  if (message.status !== 'queued' || message.attempt > 0) return null;
  return { ...failed(message, texts.cancelled, now), ledger: [] };
}

/** Final without a successful hand-off; the coin of the current attempt is refunded. */
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
