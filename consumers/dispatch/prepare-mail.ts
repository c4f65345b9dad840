import type { HandOff } from '../../domain/messages/lifecycle';
import type { HandOffJob, Message } from '../../domain/messages/message';
import type { FilledSize } from '../../domain/messages/mail-size';
import { AttachmentsGoneError } from '../../email/composing/composer';
import type { DispatchRecord } from '../../streams/record-values';
import { drop, type Result } from '../../streams/results';
import { notInStore } from '../not-in-store';
import type { DispatchDeps } from './deps';
import { DomainKeys } from './domain-keys';
import { memoryFilled, memoryOf, SMALL_MAIL, SMALL_ROOM, type MailInHand } from './mails-in-hand';
import { composeMail, type NotComposed, type ReadyMail } from './steps/compose-mail';
import { hasContent, loadJob, type FullJob } from './steps/load-job';
import type { recordOutcome } from './steps/record-outcome';

export interface Prepared {
  message: Message;
  mail: ReadyMail;
}

/** A mail that has to wait for memory, bytes. */
interface Unprepared {
  message: Message;
  memory: number;
}

/** The first record is not done yet, so a crash brings it again. */
const inHandAlready = drop('another record of the same claim is in hand');
const claimEnded = drop('the claim has ended or was handed over already');

/** Loads and composes the mail of a claim, a large one as soon as its workspace has memory for it. A result: the claim ends before. */
export function prepareMail(
  deps: DispatchDeps,
  record: ReturnType<typeof recordOutcome>,
): (claim: DispatchRecord, place: MailInHand) => Promise<Prepared | Result> {
  const { messages } = deps.stores;
  const load = loadJob(messages);
  const composed = composeJob(deps, load, record);
  return async (claim, place) => {
    const job = await load(claim, SMALL_MAIL);
    let prepared: Prepared | Unprepared | Result = job?.withheld
      ? { message: job.message, memory: memoryOf(job.withheld) }
      : await composed(claim, job, SMALL_ROOM);
    // Again only when a value has grown meanwhile.
    while ('memory' in prepared) {
      const { message, memory } = prepared;
      if (!(await place.enlarge(message.workspaceId, memory))) return inHandAlready;
      // The claim may have ended while it waited, so everything is read again.
      prepared = await place.alone(async () => composed(claim, await load(claim), memory));
    }
    return prepared;
  };
}

/** Composes a loaded mail in `room` bytes, or says what it needs; a result: the claim ends here. */
function composeJob(deps: DispatchDeps, load: ReturnType<typeof loadJob>, record: ReturnType<typeof recordOutcome>) {
  const { messages, workspaces, domains } = deps.stores;
  const compose = composeMail({ ...deps, workspaces, keys: new DomainKeys(domains, deps.keyring) });

  /**
   * Starts again from the stored message when its attachments were lost with the compose worker. Null when its claim
   * has ended.
   */
  const composeAgain = async (job: FullJob, room: number): Promise<ReadyMail | NotComposed | null> => {
    try {
      return await compose(job, room);
    } catch (error) {
      if (!(error instanceof AttachmentsGoneError)) throw error;
      const again = await load({ messageId: job.message.id, attempt: job.message.attempt });
      return again && hasContent(again) ? compose(again, room) : null;
    }
  };

  /**
   * A mail that cannot be composed is a definite failure: the coin is refunded, and the message is retried like any
   * other. One that is too large is refused for good, as the sending server would.
   */
  const composeOrRefuse = async (job: FullJob, room: number): Promise<ReadyMail | { needs: FilledSize } | Result> => {
    const { message } = job;
    const unfenced: HandOff = { attempt: message.attempt, fence: null };
    try {
      const mail = await composeAgain(job, room);
      if (mail === null) return claimEnded;
      if (!('refused' in mail)) return mail;
      return await record(message, unfenced, { kind: 'refused', permanent: true, reply: mail.refused });
    } catch (error) {
      deps.logger.error({ err: error, messageId: message.id }, 'a mail could not be composed');
      const reason = `The mail could not be composed: ${error instanceof Error ? error.message : String(error)}`;
      await record(message, unfenced, { kind: 'not_sent', reason });
      return drop('the mail could not be composed');
    }
  };

  return async (
    claim: DispatchRecord,
    job: HandOffJob | null,
    room: number,
  ): Promise<Prepared | Unprepared | Result> => {
    if (!job) return (await messages.get(claim.messageId)) ? claimEnded : notInStore;
    const { message } = job;
    if (!hasContent(job)) {
      return record(message, { attempt: claim.attempt, fence: null }, { kind: 'recipient_gone' });
    }
    const mail = await composeOrRefuse(job, room);
    if ('needs' in mail) return { message, memory: memoryFilled(mail.needs) };
    return 'raw' in mail ? { message, mail } : mail;
  };
}
