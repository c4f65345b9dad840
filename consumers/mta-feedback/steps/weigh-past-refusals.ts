import { applyFeedback } from '../../../domain/messages/apply-feedback';
import { HARD_CLASSES } from '../../../domain/bounces/bounce-class';
import { endOfDoubt, isDoubtful, isFullForGood } from '../../../domain/bounces/past-refusals';
import type { Feedback } from '../../../domain/messages/feedback';
import type { Message } from '../../../domain/messages/message';
import type { Stores } from '../../../stores/ports';
import { decideWith } from '../../outcome-change';
import { applyEffects } from './apply-effects';

/**
 * What a refusal means together with earlier ones to the same contact. The refusal is stored before the others are
 * read, so of two that come at once the later one sees both; whatever their order, the same ones end alike.
 */
export const weighPastRefusals = (
  stores: Pick<Stores, 'messages' | 'contacts' | 'suppressions' | 'bounces'>,
  evidenceWait: number,
): ((message: Message, feedback: Feedback) => Promise<void>) => {
  const applyToRecipient = applyEffects(stores);

  /** Makes the refusal a hard bounce when the mailbox has been full for too long. */
  const countFull = async (message: Message, feedback: Feedback): Promise<void> => {
    if (!isFullForGood(message, await stores.bounces.refusedSince(message.contactId, ['mailbox_full']))) return;
    const at = message.refusedAt ?? feedback.at;
    const forGood: Feedback = { ...feedback, kind: 'bounced', trusted: true, hard: true, at };
    const effects = applyFeedback(message, forGood, evidenceWait)?.effects;
    if (effects) await applyToRecipient(message, effects, forGood.at);
    await stores.messages.change(
      message.id,
      decideWith((current) => applyFeedback(current, forGood, evidenceWait)?.outcome ?? null),
    );
  };

  /** Suppresses the address at the second doubtful refusal, without a penalty: nothing is proved. */
  const endDoubt = async (message: Message): Promise<void> => {
    const last = endOfDoubt(await stores.bounces.refusedSince(message.contactId, HARD_CLASSES));
    if (!last) return;
    const refused = { ...message, id: last.messageId };
    await applyToRecipient(refused, { suppress: 'hard_bounce', contact: 'bounced' }, last.at);
  };

  return async (message, feedback) => {
    if (feedback.hard || feedback.class === null) return;
    if (feedback.class === 'mailbox_full' && message.refusedClass === 'mailbox_full')
      await countFull(message, feedback);
    if (isDoubtful(message)) await endDoubt(message);
  };
};
