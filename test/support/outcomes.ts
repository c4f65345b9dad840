import type { Message } from '../../domain/messages/message';
import type { HandOffEnd } from '../../operations/messages/mail-outcome';

/** The first hand-off of the message, over `over`, was refused: for good when the reply says so. */
export const refusedHandOff = (message: Message, reply: string, over?: string): HandOffEnd => ({
  from: 'hand-off',
  message,
  handOff: { attempt: 1, fence: null },
  ended: { kind: 'refused', permanent: reply.startsWith('5'), reply, ...(over !== undefined && { server: over }) },
  over,
});
