import type { DispatchRecord } from '../../streams/record-values';
import type { Result } from '../../streams/results';
import type { DispatchDeps } from './deps';
import type { MailInHand, MailsInHand } from './mails-in-hand';
import { prepareMail } from './prepare-mail';
import { handOff as handOffStep, type HandedOff } from './steps/hand-off';
import { recordOutcome } from './steps/record-outcome';

/** The steps of one claimed message: load, compose and sign, hand off behind the fence, record the outcome. */
export function dispatchPipeline(
  deps: DispatchDeps,
  inHand: Pick<MailsInHand, 'take'>,
): (record: DispatchRecord) => Promise<Result> {
  const { messages } = deps.stores;
  const send = handOffStep({ ...deps, messages });
  const record = recordOutcome({ ...deps, messages });
  const prepare = prepareMail(deps, record);

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
