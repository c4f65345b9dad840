import { builtInRules, type BounceRules } from '../../../domain/bounces/bounce-rules';
import type { Clock } from '../../../lib/clock';
import {
  becameUnknown,
  recipientGone,
  refusedPermanently,
  refusedTemporarily,
  sent,
  type EvidenceOptions,
  type HandOff,
  type Outcome,
} from '../../../domain/messages/lifecycle';
import { maskAddresses } from '../../../domain/addresses/mask-addresses';
import type { Message } from '../../../domain/messages/message';
import type { MessageStore } from '../../../stores/ports/message-store';
import { drop, ok, type Result } from '../../../streams/results';
import type { Logger } from '../../../lib/logger';
import { decideWith } from '../../outcome-change';
import { retryUntilStored } from '../../retry-until-stored';
import type { AttemptEnd, DispatchOutcome } from '../attempt-end';

export interface RecordDeps {
  messages: Pick<MessageStore, 'change'>;
  clock: Clock;
  evidenceWait: number;
  /**
   * True when a hand-off without an answer may turn out not to have been taken
   * (docs/architecture.md#the-log-of-postfix).
   */
  followsLog?: boolean;
  /** Called with each message that the sending server took. */
  onTaken?: (messageId: string) => void;
  /** Default: those that Kurir comes with. */
  rules?: BounceRules;
  logger: Logger;
}

/**
 * Stores the outcome of an attempt. Retries until the store accepts it, since the sending server reports it only once.
 * The stored message shows whether an unconfirmed fence was passed.
 */
export const recordOutcome = (deps: RecordDeps) =>
  async function recordOutcome({ known, handOff, outcome: said, unconfirmedFence }: AttemptEnd): Promise<Result> {
    if (said.kind === 'fenced_out') return drop('another hand-off of this claim passed the fence');
    const outcome = withoutAddresses(said);
    const { id: messageId } = known;
    if (outcome.kind === 'sent') deps.onTaken?.(messageId);
    const evidence = { evidenceWait: deps.evidenceWait, mayComeBack: deps.followsLog === true };
    const rule = (message: Message): Outcome | null => {
      const passed = unconfirmedFence !== null && message.fence === unconfirmedFence;
      const held = passed ? { ...handOff, fence: unconfirmedFence } : handOff;
      const decided = decide(message, held, outcome, deps.clock.now(), evidence);
      return decided && outcome.kind === 'refused'
        ? withClass(decided, outcome.reply, deps.rules ?? builtInRules)
        : decided;
    };
    const { applied } = await retryUntilStored(
      () => deps.messages.change(messageId, decideWith(rule), known),
      (error) => deps.logger.warn({ err: error, messageId }, 'waiting for the store to take the outcome of a hand-off'),
    );
    return applied ? ok : drop('another process settled the claim');
  };

/** Records what the sending server's refusal means; what follows from it stays that of a refused hand-off. */
function withClass(outcome: Outcome, reply: string, rules: BounceRules): Outcome {
  const { class: refusedClass } = rules.classify(reply);
  return { ...outcome, set: { ...outcome.set, refusedClass, refusedAt: outcome.at } };
}

type Settled = Exclude<DispatchOutcome, { kind: 'fenced_out' }>;

/** The stored reply outlives the contact, and is sent to webhooks. */
function withoutAddresses(outcome: Settled): Settled {
  if ('reply' in outcome) return { ...outcome, reply: maskAddresses(outcome.reply) };
  return 'reason' in outcome ? { ...outcome, reason: maskAddresses(outcome.reason) } : outcome;
}

function decide(
  message: Message,
  handOff: HandOff,
  outcome: Settled,
  now: number,
  evidence: EvidenceOptions,
): Outcome | null {
  switch (outcome.kind) {
    case 'sent':
      return sent(message, handOff, outcome.reply, now, evidence.evidenceWait);
    case 'refused':
      if (outcome.permanent) return refusedPermanently(message, handOff, outcome.reply, now);
      return refusedTemporarily(message, handOff, { reply: outcome.reply, outcome: 'refused_temporarily' }, now);
    case 'not_sent':
      return refusedTemporarily(message, handOff, { reply: outcome.reason, outcome: 'not_sent' }, now);
    case 'recipient_gone':
      return recipientGone(message, handOff, now);
    case 'unknown':
      return message.fence === handOff.fence ? becameUnknown(message, outcome.reason, now, evidence) : null;
  }
}
