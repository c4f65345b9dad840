import type { Clock } from '../../../lib/clock';
import { passFence, type HandOff } from '../../../domain/lifecycle';
import type { Message } from '../../../domain/message';
import type { HandOffOutcome, Transport } from '../../../email/transports/transport';
import { UnavailableError } from '../../../lib/errors';
import type { MessageChange, MessageStore } from '../../../stores/ports/message-store';
import { toChange } from '../../outcome-change';
import type { ReadyMail } from './compose-mail';

export interface HandOffDeps {
  messages: Pick<MessageStore, 'change'>;
  transport: Transport;
  clock: Clock;
  newToken: () => string;
  isLeaseValid: (token: string) => boolean;
}

/** Beside what the transport tells: the contact was deleted after the mail was composed, so the fence was closed. */
export type DispatchOutcome = HandOffOutcome | { kind: 'recipient_gone' };

export interface HandedOff {
  handOff: HandOff;
  /** The token of a fence that perhaps was passed all the same: the store failed and did not say. */
  doubt: string | null;
  outcome: DispatchOutcome;
  /** The message as this hand-off left it. */
  known: Message;
}

const LAPSED = 'This process was not heard of for too long to hand anything over: the hand-off begins anew.';

/**
 * Hands the mail to the sending server. After the 354 and before the first byte of the body the fence is passed: a
 * compare-and-set on the claim that only one hand-off can win, stored together with the links the mail holds (DESIGN 3.5). A
 * process that was frozen hands nothing over (docs/decisions/0023): it rejects with UnavailableError before the fence, and past it
 * gives the claim back, as nothing was sent.
 */
export const handOff = (deps: HandOffDeps) =>
  async function handOff(message: Message, mail: ReadyMail): Promise<HandedOff> {
    const token = deps.newToken();
    const hand: HandOff = { attempt: message.attempt, fence: null };
    // Nothing to store for a first attempt without links; a later one may have to clear those of the one before.
    const hasLinks = mail.destinations.length > 0 || message.attempt > 1;
    const store = { failed: false };
    const life = { lapsed: false };
    let known = message;
    const passed = async (): Promise<boolean> => {
      const decide = (current: Message): MessageChange | null => {
        const outcome = passFence(current, hand.attempt, token, deps.clock.now());
        if (!outcome) return null;
        const change = toChange(current, outcome);
        if (hasLinks) change.links = mail.destinations;
        return change;
      };
      const { applied, message: after } = await deps.messages.change(message.id, decide, message);
      if (applied) hand.fence = token;
      known = after ?? message;
      return applied;
    };
    const fence = async (): Promise<boolean> => {
      try {
        life.lapsed = !deps.isLeaseValid(token);
        if (life.lapsed || !(await passed())) return false;
        life.lapsed = !deps.isLeaseValid(token);
        return !life.lapsed;
      } catch (error) {
        store.failed = true;
        throw error;
      }
    };
    const outcome = await deps.transport.handOff(mail.envelope, mail.raw, fence);
    if (outcome.kind === 'fenced_out' && life.lapsed && hand.fence === null) throw new UnavailableError(LAPSED);
    // Not lost to another hand-off but never passed, or passed in vain: a certain no like any other.
    if (outcome.kind === 'fenced_out' && (store.failed || life.lapsed))
      return { outcome: { ...outcome, kind: 'not_sent' }, handOff: hand, doubt: token, known };
    if (outcome.kind === 'fenced_out' && known.to === null)
      return { outcome: { kind: 'recipient_gone' }, handOff: hand, doubt: null, known };
    return { outcome, handOff: hand, doubt: null, known };
  };
