import type { HandOffJob, Message, MessageBody } from '../../../domain/messages/message';
import type { MessageStore } from '../../../stores/ports/message-store';
import type { DispatchRecord } from '../../../streams/record-values';

/** A job that can be composed: its contact has not been deleted since the claim. */
export interface FullJob extends HandOffJob {
  message: Message & { toText: string };
  body: MessageBody;
}

/** False once the contact is deleted or its deletion has started: the content is gone or may go at any moment. */
export const hasContent = (job: HandOffJob): job is FullJob => job.message.toText !== null && job.body !== null;

/**
 * Reads everything the hand-off needs. Null when this claim must not be handed over any more: it was handed over
 * before, it lost its lease, or another hand-off has already passed its fence. Content of more than `upTo` bytes is left
 * out.
 */
export const loadJob = (messages: Pick<MessageStore, 'job'>) =>
  async function loadJob(record: DispatchRecord, upTo?: number): Promise<HandOffJob | null> {
    const job = await messages.job(record.messageId, upTo);
    if (!job) return null;
    const { status, attempt, fence, unknown } = job.message;
    return status === 'sending' && attempt === record.attempt && fence === null && !unknown ? job : null;
  };
