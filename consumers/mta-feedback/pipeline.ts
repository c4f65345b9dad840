import { applyFeedback } from '../../domain/messages/apply-feedback';
import type { Message } from '../../domain/messages/message';
import type { Report } from '../../operations/messages/mail-outcome';
import type { OutcomePublisher } from '../../operations/messages/publish-outcome';
import type { Stores } from '../../stores/ports';
import type { FeedbackRecord } from '../../streams/record-values';
import { dead, drop, ok, type Result } from '../../streams/results';
import type { Logger } from '../../lib/logger';
import { flagAtDelivery } from '../flag-at-delivery';
import { notInStore } from '../not-in-store';
import { decideWith } from '../outcome-change';
import { applyEffects } from './steps/apply-effects';
import { autoPauseForm } from './steps/auto-pause-form';
import { weighPastRefusals } from './steps/weigh-past-refusals';

export interface FeedbackDeps {
  stores: Pick<Stores, 'messages' | 'contacts' | 'suppressions' | 'signals' | 'bounces' | 'optIns'>;
  /** Whether opens and clicks that come with the report are a machine's (see EngagementOptions). */
  flagsAtDelivery: boolean;
  /** How long a handed over message waits for a report, ms (docs/architecture.md). */
  evidenceWait: number;
  /** Hears what became of messages; absent: nobody does. */
  outcomes?: Pick<OutcomePublisher, 'beforeStored' | 'stored'>;
  logger: Logger;
}

/**
 * Handles one report. It first applies the effects on the recipient (idempotent), then changes the message. In this
 * order a crash in between repeats everything. Once the message has changed, a repeat of the report does nothing.
 */
export function feedbackPipeline({
  stores,
  evidenceWait,
  flagsAtDelivery,
  outcomes,
  logger,
}: FeedbackDeps): (record: FeedbackRecord) => Promise<Result> {
  const applyToRecipient = applyEffects(stores);
  const weigh = weighPastRefusals(stores, evidenceWait);
  const brake = autoPauseForm(stores, logger);
  const flag = flagAtDelivery(stores);
  return async ({ messageId, feedback }) => {
    const message = await stores.messages.get(messageId);
    if (!message) return notInStore;
    const found = applyFeedback(message, feedback, evidenceWait);
    const report: Report = { from: 'report', message, feedback };
    await outcomes?.beforeStored(report);
    if (!found && !feedback.trusted) {
      // A wrong KURIR_REPORT_PEERS shows up here long before mails fail because no report arrived.
      logger.warn({ messageId, kind: feedback.kind }, 'dropped a report from a peer that is not trusted');
    }
    if (feedback.kind === 'unclear' && feedback.trusted)
      return dead(`failed with a status of success: ${feedback.text}`);
    // Also after a repeat: a crash may have come between the change and these.
    const finish = async (current: Message): Promise<void> => {
      if (flagsAtDelivery && feedback.kind === 'delivered') await flag(messageId, current.workspaceId);
      await weigh(current, feedback);
      await brake(current);
    };
    if (!found) await finish(message);
    if (!found) return drop(`nothing to do: ${feedback.kind} on ${message.status}`);
    if (found.effects) await applyToRecipient(message, found.effects, feedback.at);
    const change = decideWith((current) => applyFeedback(current, feedback, evidenceWait)?.outcome ?? null);
    const changed = await stores.messages.change(messageId, change);
    if (changed.applied) await outcomes?.stored(report);
    await finish(changed.message ?? message);
    return changed.applied ? ok : drop('overtaken by another report');
  };
}
