import type { DispatchRecord } from '../../streams/record-values';
import { drop, type Result } from '../../streams/results';
import type { DispatchDeps } from './deps';
import { AttachmentsGoneError } from '../../email/composing/composer';
import { notInStore } from '../not-in-store';
import { DomainKeys } from './domain-keys';
import { composeMail, type ReadyMail } from './steps/compose-mail';
import { handOff as handOffStep } from './steps/hand-off';
import { hasContent, loadJob, type FullJob } from './steps/load-job';
import { recordOutcome } from './steps/record-outcome';

/** The steps of one claimed message: load, compose and sign, hand off behind the fence, record the outcome. */
export function dispatchPipeline(deps: DispatchDeps): (record: DispatchRecord) => Promise<Result> {
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

  return async ({ messageId, attempt }) => {
    const job = await load({ messageId, attempt });
    if (!job) {
      const ended = drop('the claim has ended or was handed over already');
      return (await messages.get(messageId)) ? ended : notInStore;
    }
    if (!hasContent(job)) return record(job.message, { attempt, fence: null }, { kind: 'recipient_gone' });
    const mail = await composeOrRefuse(job);
    if (!mail) return drop('the mail could not be composed');
    const { handOff, unconfirmedFence, outcome, known } = await send(job.message, mail);
    return record(known, handOff, outcome, unconfirmedFence);
  };
}
