import { isStronger } from '../bounces/bounce-class';
import { lateDebit, messagePenalty } from '../ledger/coins';
import { DAY } from '../../lib/clock';
import type { ContactStatus } from '../contacts/contact';
import type { Feedback } from './feedback';
import { failed, NOT_REFUSED, type Outcome } from './lifecycle';
import type { Message } from './message';
import type { SuppressionReason } from '../contacts/suppression';
import { texts } from '../texts';

/** How long after hand-off reports from untrusted peers count, ms (docs/architecture.md#feedback). */
const STRANGERS_WAIT = 30 * DAY;

/** What a report changes beyond the message. */
export interface FeedbackEffects {
  suppress: SuppressionReason;
  contact: ContactStatus;
}

export interface FeedbackOutcome {
  outcome: Outcome;
  effects: FeedbackEffects | null;
}

/**
 * Applies a report to a message (docs/architecture.md#feedback, docs/architecture.md#status-table). Returns null when
 * it has no effect: a repeat, a report overtaken by a stronger one, or one that its sender may not make. The same
 * reports in any order, repeated or not, end in the same status.
 */
export function applyFeedback(message: Message, feedback: Feedback, evidenceWait: number): FeedbackOutcome | null {
  if (!handedOver(message) || !entitled(message, feedback)) return null;
  switch (feedback.kind) {
    case 'delivered':
      return withoutEffects(delivered(message, feedback.at));
    case 'delayed':
      return withoutEffects(delayed(message, feedback, evidenceWait));
    case 'expired':
      return withoutEffects(expired(message, feedback));
    case 'bounced':
      return bounced(message, feedback);
    case 'complaint':
      return complained(message, feedback);
    case 'unclear':
      return null;
  }
}

const withoutEffects = (outcome: Outcome | null): FeedbackOutcome | null => outcome && { outcome, effects: null };

/** Only a mail past the fence can have reached anyone, in this attempt or an earlier one that had no answer. */
const handedOver = ({ fencedAt, status, reopenable }: Message): boolean =>
  (fencedAt !== null && status !== 'queued') || reopenable === 'unconfirmed';

function entitled(message: Message, { kind, trusted, at }: Feedback): boolean {
  if (trusted) return true;
  if (kind !== 'bounced' && kind !== 'complaint') return false;
  return at <= (message.dispatchedAt ?? message.fencedAt ?? message.firstClaimedAt ?? 0) + STRANGERS_WAIT;
}

/** True while the message may still become delivered. */
const undecided = (message: Message): boolean =>
  message.status === 'sending' || message.status === 'sent_to_mta' || message.reopenable !== null;

/** Settles a message: final, dispatched by now at the latest, and debited again if its coin was refunded. */
function settle(message: Message, status: 'delivered' | 'bounced', reason: string | null, at: number): Outcome {
  return {
    set: {
      status,
      failedReason: reason,
      dispatchedAt: message.dispatchedAt ?? at,
      dueAt: null,
      unknown: false,
      reopenable: null,
      attachmentsUntil: null,
      ...(message.refusedClass !== null && NOT_REFUSED),
    },
    at,
    dropAttachments: true,
    ledger: isRefunded(message) ? [lateDebit(message.workspaceId, message.id, at)] : [],
    events: [],
  };
}

/** Of what may still be settled, the coin came back with the failure, or with the return to the queue. */
const isRefunded = ({ status, reopenable }: Message): boolean =>
  reopenable !== null && (status === 'failed' || status === 'queued');

function delivered(message: Message, at: number): Outcome | null {
  if (!undecided(message)) return null;
  const outcome = settle(message, 'delivered', null, at);
  // By the contract, occurred_at is the time of the hand-off to the sending server.
  return { ...outcome, events: [{ name: 'delivered', occurredAt: outcome.set.dispatchedAt ?? at }] };
}

function delayed(message: Message, { text, at }: Feedback, evidenceWait: number): Outcome | null {
  if (message.status !== 'sending' && message.status !== 'sent_to_mta') return null;
  const failedReason = text ? `${texts.delayed}: ${text}` : texts.delayed;
  if (message.status === 'sent_to_mta') {
    return message.failedReason === failedReason ? null : { set: { failedReason }, at, ledger: [], events: [] };
  }
  return {
    set: {
      status: 'sent_to_mta',
      failedReason,
      dispatchedAt: at,
      dueAt: at + evidenceWait,
      unknown: false,
      attachmentsUntil: null,
    },
    at,
    dropAttachments: true,
    ledger: [],
    events: [],
  };
}

/** The sending server gave up after its queue lifetime: a permanent refusal, with a refund. */
function expired(message: Message, { text, class: found, at }: Feedback): Outcome | null {
  if (message.status !== 'sending' && message.status !== 'sent_to_mta') return null;
  const outcome = failed(message, `${texts.retriesExhausted} ${text}`.trim(), at);
  return {
    ...outcome,
    set: {
      ...outcome.set,
      dispatchedAt: message.dispatchedAt ?? at,
      reopenable: 'expired',
      refusedClass: found,
      refusedAt: at,
    },
    // Every report with action failed is a bounce event, also of class 4 (docs/contract.md#events).
    events: [{ name: 'bounce', occurredAt: at, reason: text }],
  };
}

/**
 * Refused by the recipient's server. Only a hard bounce has a penalty and effects
 * (docs/contract.md#classes-of-bounces). Of several bounces the strongest stays, whatever their order.
 */
function bounced(message: Message, feedback: Feedback): FeedbackOutcome | null {
  const { text, hard, at } = feedback;
  const isFirst = undecided(message) || message.status === 'delivered';
  if (!isFirst && !outweighs(message, feedback)) return null;
  const outcome: Outcome = isFirst ? settle(message, 'bounced', text, at) : { set: {}, at, ledger: [], events: [] };
  const penalty = hard && message.hardBouncedAt === null ? [messagePenalty(message.workspaceId, message.id, at)] : [];
  return {
    outcome: {
      ...outcome,
      set: {
        ...outcome.set,
        failedReason: text,
        refusedClass: feedback.class,
        refusedAt: at,
        ...(penalty.length > 0 && { hardBouncedAt: at }),
      },
      ledger: [...outcome.ledger, ...penalty],
      events: [{ name: 'bounce', occurredAt: at, reason: text }],
    },
    effects: hard ? { suppress: 'hard_bounce', contact: 'bounced' } : null,
  };
}

/** True when a bounce says more than the one that a bounced message has: a hard one, or a stronger class. */
function outweighs(message: Message, { hard, class: found }: Feedback): boolean {
  if (message.status !== 'bounced') return false;
  if (hard !== (message.hardBouncedAt !== null)) return hard;
  return found !== null && isStronger(found, message.refusedClass);
}

function complained(message: Message, { at }: Feedback): FeedbackOutcome | null {
  if (message.complainedAt !== null) return null;
  if (!undecided(message) && message.status !== 'delivered' && message.status !== 'bounced') return null;
  const proof = delivered(message, at) ?? { set: {}, at, ledger: [], events: [] };
  return {
    outcome: {
      ...proof,
      set: { ...proof.set, complainedAt: at },
      ledger: [...proof.ledger, messagePenalty(message.workspaceId, message.id, at)],
      events: [...proof.events, { name: 'complaint', occurredAt: at }],
    },
    effects: { suppress: 'complaint', contact: 'complained' },
  };
}
