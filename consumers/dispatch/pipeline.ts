import type { DispatchRecord } from '../../streams/record-values';
import { drop, type Result } from '../../streams/results';
import { resendsInDoubt } from '../change-in-doubt';
import type { AttemptEnd } from './attempt-end';
import type { DispatchDeps } from './deps';
import { DomainKeys } from './domain-keys';
import { SMALL_MAIL, SMALL_ROOM, type MailInHand, type MailsInHand } from './mails-in-hand';
import { composeMail, type Prepared } from './steps/compose-mail';
import { handOff as handOffStep } from './steps/hand-off';
import { loadJob, type NeedsMemory } from './steps/load-job';
import { recordOutcome } from './steps/record-outcome';

/** The first record is not done yet, so a crash brings it again. */
const inHandAlready = drop('another record of the same claim is being processed');

/**
 * The steps of one claimed message: take a slot, load, compose and sign, hand off behind the fence, record the
 * outcome. A step returns what the next one needs, the end of the attempt, or the result of a claim that needs nothing
 * more.
 */
export function dispatchPipeline(
  deps: DispatchDeps,
  inHand: Pick<MailsInHand, 'take'>,
): (claim: DispatchRecord) => Promise<Result> {
  const { messages, workspaces, domains } = deps.stores;
  const load = loadJob(messages);
  const compose = composeMail({ ...deps, workspaces, keys: new DomainKeys(domains, deps.keyring) });
  const handOff = handOffStep({ ...deps, messages });
  const resends = (workspaceId: number): Promise<boolean> => resendsInDoubt(workspaces, workspaceId);
  const record = recordOutcome({ ...deps, messages, resends });

  const prepare = async (
    claim: DispatchRecord,
    room: number,
    upTo?: number,
  ): Promise<Prepared | NeedsMemory | AttemptEnd | Result> => {
    const job = await load(claim, upTo);
    return 'body' in job ? compose(job, { room, server: claim.server }, () => load(claim)) : job;
  };

  /** Its own function, so that the mail is out of memory while its outcome waits for the store. */
  const handOver = async (claim: DispatchRecord, slot: MailInHand): Promise<AttemptEnd | Result> => {
    let prepared = await prepare(claim, SMALL_ROOM, SMALL_MAIL);
    // A large mail waits for memory; again only when a value has grown meanwhile.
    while ('needs' in prepared) {
      const { message, needs } = prepared;
      if (!(await slot.enlarge(message.workspaceId, needs))) return inHandAlready;
      // The claim may have ended while it waited, so everything is read again.
      prepared = await slot.alone(() => prepare(claim, needs));
    }
    if (!('mail' in prepared)) return prepared;
    return handOff(prepared.message, prepared.mail);
  };

  return async (claim) => {
    const slot = await inHand.take(claim.messageId, claim.attempt, claim.lane);
    try {
      const end = await handOver(claim, slot);
      if (!('outcome' in end)) return end;
      slot.forget();
      return await record(end);
    } finally {
      slot.release();
    }
  };
}
