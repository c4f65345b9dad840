import type { NoteReply } from '../../operations/destinations/record-destination-reply';
import { applyFeedback } from '../../domain/messages/apply-feedback';
import { serverOfFence } from '../../domain/sending/server-routes';
import { fateOfReport, type NoteFate } from '../../domain/warmup/delivery-outcome';
import type { Message } from '../../domain/messages/message';
import type { Stores } from '../../stores/ports';
import type { FeedbackRecord } from '../../streams/record-values';
import { dead, drop, ok, type Result } from '../../streams/results';
import type { Logger } from '../../lib/logger';
import { flagAtDelivery } from '../flag-at-delivery';
import { notInStore } from '../not-in-store';
import { decideWith } from '../outcome-change';
import { applyEffects } from './steps/apply-effects';
import { brakeForm } from './steps/auto-pause-form';
import { weighPastRefusals } from './steps/weigh-past-refusals';

export interface FeedbackDeps {
  stores: Pick<Stores, 'messages' | 'contacts' | 'suppressions' | 'signals' | 'bounces' | 'optIns'>;
  /** Whether opens and clicks that come with the report are a machine's (see EngagementOptions). */
  flagsAtDelivery: boolean;
  /** How long a handed over message waits for a report, ms (docs/architecture.md). */
  evidenceWait: number;
  /** Gets each refusal of a trusted report, for its destination; absent without pacing by destination. */
  noteReply?: NoteReply;
  /** Gets what became of mail, for the warm-up of its domain. */
  noteFate?: NoteFate;
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
  noteReply,
  noteFate,
  logger,
}: FeedbackDeps): (record: FeedbackRecord) => Promise<Result> {
  const applyToRecipient = applyEffects(stores);
  const weigh = weighPastRefusals(stores, evidenceWait);
  const brake = brakeForm(stores, logger);
  const flag = flagAtDelivery(stores);
  const count = noteFate && fateCounter(noteFate);
  const tellReply = noteReply && replyTeller(noteReply);
  return async ({ messageId, feedback }) => {
    const message = await stores.messages.get(messageId);
    if (!message) return notInStore;
    const found = applyFeedback(message, feedback, evidenceWait);
    await tellReply?.(message, feedback);
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
    if (changed.applied) await count?.(message, feedback);
    await finish(changed.message ?? message);
    return changed.applied ? ok : drop('overtaken by another report');
  };
}

/** A report that changed its message counts in the warm-up of the domain. */
const fateCounter = (noteFate: NoteFate) => async (message: Message, feedback: FeedbackRecord['feedback']) => {
  const fate = fateOfReport(feedback, message.refusedClass === null);
  if (fate !== null) await noteFate({ message, server: serverOfFence(message.fence) }, fate);
};

/** Anybody may send a report, so only those of the sending server change the pace of a destination. */
const replyTeller = (noteReply: NoteReply) => async (message: Message, feedback: FeedbackRecord['feedback']) => {
  if (!feedback.trusted || feedback.class === null) return;
  const sentAt = message.dispatchedAt ?? message.fencedAt ?? feedback.at;
  await noteReply({ message, reply: feedback.text, sentAt });
};
