import type { HandOff } from '../../domain/messages/lifecycle';
import type { Message } from '../../domain/messages/message';
import type { HandOffOutcome } from '../../email/transports/transport';
import type { EndedHandOff } from '../../operations/messages/mail-outcome';

/** How a hand-off ended, or that it lost its claim to another. */
export type DispatchOutcome = EndedHandOff | Extract<HandOffOutcome, { kind: 'fenced_out' }>;

/** How the attempt of a claim ended, with or without a hand-off. */
export interface AttemptEnd {
  /** The message as this attempt left it. */
  known: Message;
  handOff: HandOff;
  outcome: DispatchOutcome;
  /** The sending server that the mail was to go over, where there are several. */
  over?: string | undefined;
  /** The token of a fence that may have been passed: the store failed without confirming it. */
  unconfirmedFence: string | null;
}

/** The attempt ended before anything was handed over. */
export const endedBefore = (message: Message, outcome: DispatchOutcome): AttemptEnd => ({
  known: message,
  handOff: { attempt: message.attempt, fence: null },
  outcome,
  unconfirmedFence: null,
});
