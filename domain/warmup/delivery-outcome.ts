import type { BounceClass } from '../bounces/bounce-class';
import type { Feedback } from '../messages/feedback';
import type { WarmupCounts } from './warmup-plan';

/** What became of a mail, as a warm-up counts it. */
export type DeliveryOutcome = Exclude<keyof WarmupCounts, 'sent'>;

/** Classes that say that the sender or its mail is not wanted, whoever the recipient is. */
const BLAMING: ReadonlySet<BounceClass> = new Set<BounceClass>(['sender_blocked', 'policy', 'content_refused']);

/** Null for nothing that counts: the size of a mail says nothing about its sender. */
export const outcomeOfRefusal = (refusal: BounceClass | null, isForGood: boolean): DeliveryOutcome | null => {
  if (refusal === 'mail_too_large') return null;
  if (refusal !== null && BLAMING.has(refusal)) return 'refused';
  return isForGood ? 'bounced' : 'deferred';
};

/** What a report says; null for nothing that counts. Of a mail that is delayed the first report counts. */
export function outcomeOfReport({ kind, class: refusal }: Feedback, isFirst: boolean): DeliveryOutcome | null {
  if (kind === 'complaint') return 'complained';
  if (kind === 'bounced') return outcomeOfRefusal(refusal, true);
  return kind === 'delayed' && isFirst ? outcomeOfRefusal(refusal, false) : null;
}
