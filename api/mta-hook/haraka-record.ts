import type { BounceRules } from '../../domain/bounces/bounce-rules';
import { reportOf, textOf, textsOf, type MtaEvent, type MtaRecord, type Outcome } from './mta-event';

/** The hooks of Haraka's outbound queue. */
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map([
  ['delivered', 'delivered'],
  ['deferred', 'delayed'],
  ['bounce', 'refused'],
  ['bounced', 'refused'],
]);

/** True for a record of Haraka's outbound queue. */
export const isHarakaRecord = ({ type, from }: MtaRecord): boolean =>
  typeof type === 'string' && OUTCOMES.has(type) && typeof from === 'string';

/**
 * Reads a record of Haraka's outbound queue (docs/mta-events.md#haraka). Haraka itself writes none: these are the
 * fields of the plugin in our docs, and of the public plugins that log as JSON.
 */
export function readHarakaRecord(record: MtaRecord, rules: BounceRules): MtaEvent {
  const outcome = OUTCOMES.get(textOf(record['type'])) ?? 'refused';
  const text = outcome === 'delivered' ? textOf(record['smtp_response']) : refusalText(record);
  return {
    of: { sender: textOf(record['from']) },
    report: reportOf(isGivenUp(outcome, record) ? 'expired' : outcome, text, textsOf(record['recipient']), rules),
    trusted: true,
  };
}

/** Status and words; the status is left out where the words begin with it. */
function refusalText(record: MtaRecord): string {
  const status = textOf(record['dsn_status']);
  const words = textOf(record['dsn_message']) || textOf(record['undelivered_reason']);
  return words.startsWith(status) ? words : `${status} ${words}`;
}

/** Haraka bounces what failed for now too often, and then writes 5 for the 4 of the status. */
const isGivenUp = (outcome: Outcome, record: MtaRecord): boolean =>
  outcome === 'refused' && /^too many failures/i.test(textOf(record['undelivered_reason']));
