import type { BounceClass } from '../bounces/bounce-class';
import type { Feedback } from '../messages/feedback';
import type { Message } from '../messages/message';
import type { WarmupCounts } from './warmup-plan';

/** What became of a mail, as a warm-up counts it. */
export type Fate = Exclude<keyof WarmupCounts, 'sent'>;

/**
 * Gets what became of a mail; `server` as the hand-off named it, and `movedTo` the one that it went over instead.
 * Never rejects.
 */
export type NoteFate = (
  mail: { message: Pick<Message, 'id' | 'to' | 'domainId'>; server: string | undefined; movedTo?: string },
  fate: Fate,
) => Promise<void>;

/** Classes that say that the sender or its mail is not wanted, whoever the recipient is. */
const BLAMING: ReadonlySet<BounceClass> = new Set<BounceClass>(['sender_blocked', 'policy', 'content_refused']);

/** Null for nothing that counts: the size of a mail says nothing about its sender. */
export const fateOfRefusal = (refusal: BounceClass | null, isForGood: boolean): Fate | null => {
  if (refusal === 'mail_too_large') return null;
  if (refusal !== null && BLAMING.has(refusal)) return 'refused';
  return isForGood ? 'bounced' : 'deferred';
};

/** What a report says; null for nothing that counts. Of a mail that is delayed the first report counts. */
export function fateOfReport({ kind, class: refusal }: Feedback, isFirst: boolean): Fate | null {
  if (kind === 'complaint') return 'complained';
  if (kind === 'bounced') return fateOfRefusal(refusal, true);
  return kind === 'delayed' && isFirst ? fateOfRefusal(refusal, false) : null;
}
