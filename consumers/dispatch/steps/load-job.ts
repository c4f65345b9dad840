import type { HandOffJob, Message, MessageBody } from '../../../domain/messages/message';
import type { MessageStore } from '../../../stores/ports/message-store';
import type { DispatchRecord } from '../../../streams/record-values';
import { drop, type Result } from '../../../streams/results';
import { notInStore } from '../../not-in-store';
import { endedBefore, type AttemptEnd } from '../attempt-end';
import { memoryOf } from '../mails-in-hand';

/** A job that can be composed: its contact has not been deleted since the claim. */
export interface FullJob extends HandOffJob {
  message: Message & { toText: string };
  body: MessageBody;
}

/** A mail that has to wait for memory, bytes. */
export interface NeedsMemory {
  message: Message;
  needs: number;
}

const claimEnded = drop('the claim has ended or was handed over already');

/**
 * Reads everything the hand-off needs. A result when this claim must not be handed over any more: it was handed over
 * before, it lost its lease, or another hand-off has already passed its fence. Content of more than `upTo` bytes is not
 * loaded.
 */
export const loadJob = (messages: Pick<MessageStore, 'get' | 'job'>) =>
  async function loadJob(claim: DispatchRecord, upTo?: number): Promise<FullJob | NeedsMemory | AttemptEnd | Result> {
    const job = await messages.job(claim.messageId, upTo);
    if (!job) return (await messages.get(claim.messageId)) ? claimEnded : notInStore;
    const { message, withheld } = job;
    if (!isOpen(message, claim)) return claimEnded;
    if (withheld) return { message, needs: memoryOf(withheld) };
    return hasContent(job) ? job : endedBefore(message, { kind: 'recipient_gone' });
  };

const isOpen = ({ status, attempt, fence, unknown }: Message, claim: DispatchRecord): boolean =>
  status === 'sending' && attempt === claim.attempt && fence === null && !unknown;

/** False once the contact is deleted or its deletion has started: the content is gone or may go at any moment. */
const hasContent = (job: HandOffJob): job is FullJob => job.message.toText !== null && job.body !== null;
