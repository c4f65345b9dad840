import type { HandOffJob, Message, MessageBody } from '../../../domain/message';
import type { MessageStore } from '../../../stores/ports/message-store';
import type { DispatchRecord } from '../../../streams/record-values';

/** A job that can be composed: its contact has not been deleted since the claim. */
export interface FullJob extends HandOffJob {
  message: Message & { toText: string };
  body: MessageBody;
}

/** False once the contact was deleted, or is being deleted: what was written to it is gone, or goes at any moment. */
export const hasContent = (job: HandOffJob): job is FullJob => job.message.toText !== null && job.body !== null;

/**
 * Reads everything the hand-off needs. Null when this claim is no longer to be handed over: it was before, it lost its lease,
 * or a hand-off of it has passed the fence already and is in other hands.
 */
export const loadJob = (messages: Pick<MessageStore, 'job'>) =>
  async function loadJob(record: DispatchRecord): Promise<HandOffJob | null> {
    const job = await messages.job(record.messageId);
    if (!job) return null;
    const { status, attempt, fence, unknown } = job.message;
    return status === 'sending' && attempt === record.attempt && fence === null && !unknown ? job : null;
  };
