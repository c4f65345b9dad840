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
import type { EndedHandOff, MailOutcome } from '../../../operations/messages/mail-outcome';
import type { OutcomePublisher } from '../../../operations/messages/publish-outcome';
import type { MessageStore } from '../../../stores/ports/message-store';
import { drop, ok, type Result } from '../../../streams/results';
import type { Logger } from '../../../lib/logger';
import { decideWith } from '../../outcome-change';
import { retryUntilStored } from '../../retry-until-stored';
import type { AttemptEnd } from '../attempt-end';

export interface RecordDeps {
  messages: Pick<MessageStore, 'change'>;
  clock: Clock;
  evidenceWait: number;
  /** Whether the workspace wants mail to be sent again when in doubt; default: none does. */
  resends?: (workspaceId: number) => Promise<boolean>;
  /**
   * The server whose log is followed: a hand-off to it without an answer may turn out not to have been taken
   * (docs/architecture.md#the-log-of-postfix). Null or absent: no log is.
   */
  logServer?: string | null;
  /** Default: those that Kurir comes with. */
  rules?: BounceRules;
  /** Hears what became of messages; absent: nobody does. */
  outcomes?: Pick<OutcomePublisher, 'beforeStored' | 'stored'>;
  logger: Logger;
}

/**
 * Stores the outcome of an attempt. Retries until the store accepts it, since the sending server reports it only once.
 * The stored message shows whether an unconfirmed fence was passed.
 */
export const recordOutcome = (deps: RecordDeps) =>
  async function recordOutcome({ known, handOff, outcome: said, unconfirmedFence, over }: AttemptEnd): Promise<Result> {
    if (said.kind === 'fenced_out') return drop('another hand-off of this claim passed the fence');
    const outcome = withoutAddresses(said);
    const { id: messageId } = known;
    const published: MailOutcome = { from: 'hand-off', message: known, handOff, ended: outcome, over };
    const saying = deps.outcomes?.beforeStored(published) ?? NOTHING;
    // A mail that was taken waits for no promise here.
    const done = saying instanceof Promise ? await saying : saying;
    const isLogged = typeof deps.logServer === 'string' && (outcome.server ?? deps.logServer) === deps.logServer;
    const waiting = (error: unknown): void =>
      deps.logger.warn({ err: error, messageId }, 'waiting for the store to take the outcome of a hand-off');
    const isAsked = outcome.kind === 'unknown' && deps.resends;
    const resend = isAsked ? await retryUntilStored(() => isAsked(known.workspaceId), waiting) : false;
    const evidence = { evidenceWait: deps.evidenceWait, mayComeBack: isLogged, resend };
    const rule = (message: Message): Outcome | null => {
      const passed = unconfirmedFence !== null && message.fence === unconfirmedFence;
      const held = passed ? { ...handOff, fence: unconfirmedFence } : handOff;
      const decided = decide(message, held, outcome, deps.clock.now(), evidence);
      if (!decided) return null;
      const told = withNotes(decided, outcome.server === undefined ? done : [`over ${outcome.server}`, ...done]);
      return outcome.kind === 'refused' ? withClass(told, outcome.reply, deps.rules ?? builtInRules) : told;
    };
    const { applied } = await retryUntilStored(() => deps.messages.change(messageId, decideWith(rule), known), waiting);
    if (!applied) return drop('another process settled the claim');
    const hearing = deps.outcomes?.stored(published);
    if (hearing) await hearing;
    return ok;
  };

const NOTHING: readonly string[] = [];

/** The attempt says over which server it went, and what its refusal has done. */
function withNotes(outcome: Outcome, notes: readonly string[]): Outcome {
  const { attempt } = outcome;
  const said = notes.map((note) => ` [${note}]`).join('');
  return said === '' || !attempt
    ? outcome
    : { ...outcome, attempt: { ...attempt, reply: `${attempt.reply ?? ''}${said}` } };
}

/** Records what the sending server's refusal means; what follows from it stays that of a refused hand-off. */
function withClass(outcome: Outcome, reply: string, rules: BounceRules): Outcome {
  const { class: refusedClass } = rules.classify(reply);
  return { ...outcome, set: { ...outcome.set, refusedClass, refusedAt: outcome.at } };
}

/** The stored reply outlives the contact, and is sent to webhooks. */
function withoutAddresses(outcome: EndedHandOff): EndedHandOff {
  if ('reply' in outcome) return { ...outcome, reply: maskAddresses(outcome.reply) };
  return 'reason' in outcome ? { ...outcome, reason: maskAddresses(outcome.reason) } : outcome;
}

function decide(
  message: Message,
  handOff: HandOff,
  outcome: EndedHandOff,
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
