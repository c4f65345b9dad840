import { maskAddresses } from '../../domain/addresses/mask-addresses';
import {
  afterReply,
  NEW_DESTINATION,
  ownState,
  type DestinationState,
} from '../../domain/destinations/destination-state';
import { domainOf, type DestinationRules } from '../../domain/destinations/destination-rules';
import type { ReplyRule } from '../../domain/destinations/rules-file';
import type { Message } from '../../domain/messages/message';
import type { Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { RecordStore } from '../../stores/ports/record-store';
import { DESTINATIONS } from './destination-states';
import type { Warmups } from '../warmup/warmups';
import type { MailOutcome, OutcomeSubscriber } from '../messages/mail-outcome';
import type { MailRoutes } from './mail-routes';

/** The rules of pacing by destination, who is behind a domain, and which sending domains are warmed up. */
export interface Destinations {
  rules: DestinationRules;
  routes: MailRoutes;
  warmups: Warmups;
}

export interface DestinationRepliesDeps extends Omit<Destinations, 'warmups'> {
  records: Pick<RecordStore, 'change'>;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}

/** A server's refusal of a mail, for now or for good, and when the mail was handed over, ms. */
interface Refusal {
  message: Pick<Message, 'id' | 'workspaceId' | 'to'>;
  reply: string;
  sentAt: number;
}

/**
 * Slows down or stops a destination when a rule says so about a refusal (docs/deliverability.md#pacing-by-destination),
 * and says what it did.
 */
export const destinationReplies = (deps: DestinationRepliesDeps): OutcomeSubscriber => ({
  name: 'destinations',
  beforeStored: (outcome) => {
    const refusal = refusalIn(outcome, deps.clock);
    return refusal && record(deps, refusal);
  },
});

function refusalIn(outcome: MailOutcome, clock: Clock): Refusal | null {
  const { message } = outcome;
  if (outcome.from === 'hand-off') {
    const { ended } = outcome;
    return ended.kind === 'refused' ? { message, reply: ended.reply, sentAt: message.fencedAt ?? clock.now() } : null;
  }
  const { trusted, class: refused, text, at } = outcome.feedback;
  // Anybody may send a report, so only those of the sending server change the pace of a destination.
  if (!trusted || refused === null) return null;
  return { message, reply: text, sentAt: message.dispatchedAt ?? message.fencedAt ?? at };
}

/** Resolves to what was done, in words; null when nothing was. */
async function record(deps: DestinationRepliesDeps, { message, reply, sentAt }: Refusal): Promise<string | null> {
  const domain = domainOf(message.to);
  if (domain === '') return null;
  const destination = await deps.routes.found(domain);
  const rule = deps.rules.replyRule(destination, reply);
  if (!rule) return null;
  const now = deps.clock.now();
  const why = { rule: rule.name, reply: maskAddresses(reply), messageId: message.id, at: now };
  const id = rule.do === 'stop_workspace' ? ownState(destination, message.workspaceId) : destination;
  const after = (state: DestinationState | null) => afterReply(state ?? NEW_DESTINATION, { rule, why, sentAt });
  if (!(await deps.records.change(DESTINATIONS, id, after, { now }))) return null;
  const done = inWords(rule, destination);
  deps.logger.warn({ destination, messageId: message.id, rule: rule.name, reply: why.reply }, done);
  return done;
}

function inWords({ do: act, minutes }: ReplyRule, destination: string): string {
  if (act === 'slow') return `sending to ${destination} was slowed to half speed for ${minutes} minutes`;
  const who = act === 'stop' ? 'sending' : 'sending of this workspace';
  return `${who} to ${destination} was stopped for ${minutes} minutes`;
}
