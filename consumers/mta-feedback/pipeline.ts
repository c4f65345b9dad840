import { applyFeedback } from '../../domain/apply-feedback';
import type { Stores } from '../../stores/ports';
import type { FeedbackRecord } from '../../streams/record-values';
import { dead, drop, ok, type Result } from '../../streams/results';
import type { Logger } from '../../lib/logger';
import { notInStore } from '../not-in-store';
import { toChange } from '../outcome-change';
import { applyEffects } from './steps/apply-effects';

export interface FeedbackDeps {
  stores: Pick<Stores, 'messages' | 'contacts' | 'suppressions'>;
  /** How long a handed over message waits for a report, ms (docs/architecture.md). */
  evidenceWait: number;
  logger: Logger;
}

/**
 * Handles one report. It first applies the effects on the recipient (idempotent), then changes the message. In this
 * order a crash in between repeats everything. Once the message has changed, a repeat of the report does nothing.
 */
export function feedbackPipeline({
  stores,
  evidenceWait,
  logger,
}: FeedbackDeps): (record: FeedbackRecord) => Promise<Result> {
  const applyToRecipient = applyEffects(stores);
  return async ({ messageId, feedback }) => {
    const message = await stores.messages.get(messageId);
    if (!message) return notInStore;
    const found = applyFeedback(message, feedback, evidenceWait);
    if (!found && !feedback.trusted) {
      // A wrong KURIR_REPORT_PEERS shows up here long before mails fail because no report arrived.
      logger.warn({ messageId, kind: feedback.kind }, 'dropped a report from a peer that is not trusted');
    }
    if (feedback.kind === 'unclear' && feedback.trusted)
      return dead(`failed with a status of success: ${feedback.text}`);
    if (!found) return drop(`nothing to do: ${feedback.kind} on ${message.status}`);
    if (found.effects) await applyToRecipient(message, found.effects, feedback.at);
    const { applied } = await stores.messages.change(messageId, (current) => {
      const outcome = applyFeedback(current, feedback, evidenceWait)?.outcome;
      return outcome ? toChange(current, outcome) : null;
    });
    return applied ? ok : drop('overtaken by another report');
  };
}
