import type { NoteReply } from '../../../operations/destinations/record-destination-reply';
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
import { fateOfRefusal, type NoteFate } from '../../../domain/warmup/delivery-outcome';
import type { Message } from '../../../domain/messages/message';
import { isOfServer } from '../../../email/transports/transport';
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
  /** Whether the workspace wants mail to be sent again when in doubt; default: none does. */
  resends?: (workspaceId: number) => Promise<boolean>;
  /**
   * The server whose log is followed: a hand-off to it without an answer may turn out not to have been taken
   * (docs/architecture.md#the-log-of-postfix). Null or absent: no log is.
   */
  logServer?: string | null;
  /** Called with each message that this server took. */
  onTaken?: (messageId: string) => void;
  /** Default: those that Kurir comes with. */
  rules?: BounceRules;
  /** Gets each refusal, for its destination; absent without pacing by destination. */
  noteReply?: NoteReply;
  /** Gets what became of refused mail, for the warm-up of its domain. */
  noteFate?: NoteFate;
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
    const done = await consequence(deps, known, outcome);
    const isLogged = typeof deps.logServer === 'string' && (outcome.server ?? deps.logServer) === deps.logServer;
    if (outcome.kind === 'sent' && isLogged) deps.onTaken?.(messageId);
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
      const told = withNotes(decided, [outcome.server === undefined ? null : `over ${outcome.server}`, done]);
      return outcome.kind === 'refused' ? withClass(told, outcome.reply, deps.rules ?? builtInRules) : told;
    };
    const { applied } = await retryUntilStored(() => deps.messages.change(messageId, decideWith(rule), known), waiting);
    if (applied) await counted(deps, { known, handOff, outcome, over });
    return applied ? ok : drop('another process settled the claim');
  };

/** What the refusal means for the mail that follows, in words; null for nothing. */
async function consequence({ noteReply, clock }: RecordDeps, known: Message, outcome: Settled): Promise<string | null> {
  if (!noteReply || outcome.kind !== 'refused') return null;
  return noteReply({ message: known, reply: outcome.reply, sentAt: known.fencedAt ?? clock.now() });
}

/**
 * Counts in a warm-up: of a mail that is tried again, the first refusal, and that it did not go at first or went over
 * another server. What the server does not take, or takes from nobody, says nothing about the sender.
 */
async function counted(
  { noteFate, rules = builtInRules }: RecordDeps,
  { known: message, handOff, outcome, over }: Pick<AttemptEnd, 'known' | 'handOff' | 'over'> & { outcome: Settled },
): Promise<void> {
  if (!noteFate) return;
  const unsent = unsentOver(over, outcome);
  // A mail that is tried again took its room before.
  if (unsent && handOff.attempt === 1) await noteFate({ message, server: over, ...unsent }, 'unsent');
  if ((unsent && !unsent.movedTo) || outcome.kind !== 'refused' || (!outcome.permanent && message.refusedAt !== null))
    return;
  const { reply, permanent, server } = outcome;
  const fate = fateOfRefusal(rules.classify(reply).class, permanent);
  if (fate !== null) await noteFate({ message, server }, fate);
}

/** Null for a mail that its server has, or has judged. */
function unsentOver(over: string | undefined, outcome: Settled): { movedTo?: string } | null {
  if (outcome.kind === 'recipient_gone' || 'unasked' in outcome || isOfServer(outcome)) return {};
  const { server } = outcome;
  return over === undefined || server === undefined || server === over ? null : { movedTo: server };
}

/** The attempt says over which server it went, and what its refusal has done. */
function withNotes(outcome: Outcome, notes: readonly (string | null)[]): Outcome {
  const { attempt } = outcome;
  const said = notes.flatMap((note) => (note === null ? [] : [` [${note}]`])).join('');
  return said === '' || !attempt
    ? outcome
    : { ...outcome, attempt: { ...attempt, reply: `${attempt.reply ?? ''}${said}` } };
}

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
