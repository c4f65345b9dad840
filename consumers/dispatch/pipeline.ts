import type { HandOff } from '../../domain/lifecycle';
import type { HandOffJob, Message } from '../../domain/message';
import type { DispatchRecord } from '../../streams/record-values';
import { drop, type Result } from '../../streams/results';
import type { DispatchDeps } from './deps';
import { AttachmentsGoneError } from '../../email/composing/composer';
import { notInStore } from '../not-in-store';
import { DomainKeys } from './domain-keys';
import { SMALL_MAIL, type MailInHand, type MailsInHand } from './mails-in-hand';
import { composeMail, type ReadyMail } from './steps/compose-mail';
import { handOff as handOffStep, type HandedOff } from './steps/hand-off';
import { hasContent, loadJob, type FullJob } from './steps/load-job';
import { recordOutcome } from './steps/record-outcome';

/** The steps of one claimed message: load, compose and sign, hand off behind the fence, record the outcome. */
export function dispatchPipeline(
  deps: DispatchDeps,
  inHand: Pick<MailsInHand, 'take'>,
): (record: DispatchRecord) => Promise<Result> {
  const { messages, workspaces, domains } = deps.stores;
  const load = loadJob(messages);
  const compose = composeMail({ ...deps, workspaces, keys: new DomainKeys(domains, deps.keyring) });
  const send = handOffStep({ ...deps, messages });
  const record = recordOutcome({ ...deps, messages });

  /**
   * Starts again from the stored message when its attachments were lost with the compose worker. Null when its claim
   * has ended.
   */
  const composeAgain = async (job: FullJob): Promise<ReadyMail | null> => {
    try {
      return await compose(job);
    } catch (error) {
      if (!(error instanceof AttachmentsGoneError)) throw error;
      const again = await load({ messageId: job.message.id, attempt: job.message.attempt });
      return again && hasContent(again) ? compose(again) : null;
    }
  };

  /**
   * A mail that cannot be composed is a definite failure: the coin is refunded, and the message is retried like any
   * other.
   */
  const composeOrRefuse = async (job: FullJob): Promise<ReadyMail | null> => {
    try {
      return await composeAgain(job);
    } catch (error) {
      deps.logger.error({ err: error, messageId: job.message.id }, 'a mail could not be composed');
      const reason = `The mail could not be composed: ${error instanceof Error ? error.message : String(error)}`;
      await record(job.message, { attempt: job.message.attempt, fence: null }, { kind: 'not_sent', reason });
      return null;
    }
  };

  /** Loads and composes a mail, a large one as soon as there is memory for it. A result: the claim ends before. */
  const prepare = async (claim: DispatchRecord, place: MailInHand): Promise<Prepared | Result> => {
    const composed = async (job: HandOffJob | null): Promise<Prepared | Result> => {
      if (!job) return (await messages.get(claim.messageId)) ? claimEnded : notInStore;
      const { message } = job;
      if (!hasContent(job)) return record(message, unfenced(claim), { kind: 'recipient_gone' });
      const mail = await composeOrRefuse(job);
      return mail ? { message, mail } : drop('the mail could not be composed');
    };
    const job = await load(claim, SMALL_MAIL);
    if (!job?.withheld) return composed(job);
    if (!(await place.enlarge(job.withheld))) return inHandAlready;
    // The claim may have ended while it waited, so everything is read again.
    return place.alone(async () => composed(await load(claim)));
  };

  /** Its own function, so that the mail is out of memory while its outcome waits for the store. */
  const handOver = async (claim: DispatchRecord, place: MailInHand): Promise<HandedOff | Result> => {
    const prepared = await prepare(claim, place);
    return 'mail' in prepared ? send(prepared.message, prepared.mail) : prepared;
  };

  return async (claim) => {
    const place = await inHand.take(claim.messageId, claim.attempt);
    try {
      const handedOver = await handOver(claim, place);
      if (!('outcome' in handedOver)) return handedOver;
      place.forget();
      const { handOff, unconfirmedFence, outcome, known } = handedOver;
      return await record(known, handOff, outcome, unconfirmedFence);
    } finally {
      place.release();
    }
  };
}

/** The first record is not done yet, so a crash brings it again. */
const inHandAlready = drop('another record of the same claim is in hand');
const claimEnded = drop('the claim has ended or was handed over already');

interface Prepared {
  message: Message;
  mail: ReadyMail;
}

const unfenced = ({ attempt }: DispatchRecord): HandOff => ({ attempt, fence: null });
