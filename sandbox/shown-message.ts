import type { Message, StatusChange } from '../domain/messages/message';
import { apiTime } from './inbox-json';

/** What the service says of the message of a mail. */
export interface ShownMessage {
  message: Pick<Message, 'id' | 'status' | 'failedReason'>;
  history: readonly StatusChange[];
}

/** Finds the message of a mail; null when the service has none with this id. */
export type FindMessage = (id: string) => Promise<ShownMessage | null>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id that a mail gives itself, if it can be one of ours: mails come from outside as well. */
const messageIdOf = (mail: { messageId?: string | null; envid: string | null }): string | null =>
  [mail.messageId, mail.envid].find((id) => id != null && UUID.test(id))?.toLowerCase() ?? null;

/** The message of a mail, or null. */
export const findShown = async (
  find: FindMessage,
  mail: { messageId?: string | null; envid: string | null },
): Promise<ShownMessage | null> => {
  const id = messageIdOf(mail);
  return id === null ? null : find(id);
};

/** As JSON. */
export const presentShown = ({ message, history }: ShownMessage): object => ({
  status: message.status,
  failed_reason: message.failedReason,
  history: history.map(({ status, at }) => ({ status, at: apiTime(at) })),
});

const TONES: Partial<Record<Message['status'], string>> = { delivered: 'good', failed: 'bad', bounced: 'bad' };

/** The look of a status in a page. */
export const toneOf = (status: Message['status']): string => TONES[status] ?? 'wait';
