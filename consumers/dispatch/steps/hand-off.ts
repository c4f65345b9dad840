import type { Clock } from '../../../lib/clock';
import { passFence, type HandOff } from '../../../domain/messages/lifecycle';
import { fenceOver } from '../../../domain/sending/server-routes';
import type { Message } from '../../../domain/messages/message';
import type { HandOffOutcome, Transport } from '../../../email/transports/transport';
import { UnavailableError } from '../../../lib/errors';
import type { MessageChange, MessageStore } from '../../../stores/ports/message-store';
import { toChange } from '../../outcome-change';
import type { AttemptEnd } from '../attempt-end';
import type { ReadyMail } from './compose-mail';

export interface HandOffDeps {
  messages: Pick<MessageStore, 'change'>;
  transport: Transport;
  clock: Clock;
  newToken: () => string;
  isLeaseValid: (token: string) => boolean;
  /** See RecordDeps. */
  logServer?: string | null;
}

/** What happened at the fence of one hand-off. */
interface FenceState {
  /** Stored with the message when this hand-off passes the fence. */
  token: string;
  /** The process lease ran out, so another process may hand the mail over. */
  leaseLapsed: boolean;
  /** The store failed while passing the fence, without confirming whether it was passed. */
  storeFailed: boolean;
  /** `fence` is the token once the store has confirmed that this hand-off passed. */
  readonly handOff: HandOff;
  known: Message;
}

const LAPSED = 'The process lease ran out before the hand-off: it starts over.';

/**
 * Hands the mail to the sending server. It passes the fence after the 354 reply and before the first byte of the body.
 * The fence is a compare-and-set on the claim that only one hand-off can win, stored together with the links of the
 * mail (docs/architecture.md). A process that was frozen hands nothing over
 * (docs/decisions/0023-a-frozen-process-sends-nothing.md). Before the fence, this rejects with UnavailableError.
 * After it, the claim is given back, since nothing was sent.
 */
export const handOff = (deps: HandOffDeps) =>
  async function handOff(message: Message, mail: ReadyMail): Promise<AttemptEnd> {
    const state: FenceState = {
      token: deps.newToken(),
      leaseLapsed: false,
      storeFailed: false,
      handOff: { attempt: message.attempt, fence: null },
      known: message,
    };
    const fence = (server?: string): Promise<boolean> => {
      // The log of a server says nothing about a mail that another one got: its token must not look like one of them.
      if (server !== undefined && server !== deps.logServer) state.token = fenceOver(state.token, server);
      return askFence(deps, message, mail, state);
    };
    const outcome = await deps.transport.handOff(mail.envelope, mail.raw, fence);
    return { ...concluded(outcome, state), over: mail.envelope.server };
  };

/** True when this hand-off passed the fence and may still hand over. Rejects when the store fails. */
async function askFence(deps: HandOffDeps, message: Message, mail: ReadyMail, state: FenceState): Promise<boolean> {
  try {
    state.leaseLapsed = !deps.isLeaseValid(state.token);
    if (state.leaseLapsed || !(await storeFence(deps, message, mail, state))) return false;
    state.leaseLapsed = !deps.isLeaseValid(state.token);
    return !state.leaseLapsed;
  } catch (error) {
    state.storeFailed = true;
    throw error;
  }
}

async function storeFence(deps: HandOffDeps, message: Message, mail: ReadyMail, state: FenceState): Promise<boolean> {
  // A first attempt without links has nothing to store. A later one may have to clear the links of the previous
  // attempt.
  const hasLinks = mail.destinations.length > 0 || message.attempt > 1;
  const decide = (current: Message): MessageChange | null => {
    const outcome = passFence(current, state.handOff.attempt, state.token, deps.clock.now());
    if (!outcome) return null;
    const change = toChange(current, outcome);
    if (hasLinks) change.links = mail.destinations;
    return change;
  };
  const { applied, message: after } = await deps.messages.change(message.id, decide, message);
  if (applied) state.handOff.fence = state.token;
  state.known = after ?? message;
  return applied;
}

function concluded(outcome: HandOffOutcome, state: FenceState): AttemptEnd {
  const { handOff, known } = state;
  const end = { known, handOff, outcome, unconfirmedFence: null };
  if (outcome.kind !== 'fenced_out') return end;
  if (state.leaseLapsed && handOff.fence === null) throw new UnavailableError(LAPSED);
  // No other hand-off won: the fence was never passed, or was passed without sending. That is an ordinary definite
  // failure.
  if (state.storeFailed || state.leaseLapsed)
    return { ...end, outcome: { ...outcome, kind: 'not_sent' }, unconfirmedFence: state.token };
  return known.to === null ? { ...end, outcome: { kind: 'recipient_gone' } } : end;
}
