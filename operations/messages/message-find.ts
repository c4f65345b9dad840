import type { Message } from '../../domain/messages/message';
import { found, NotFoundError, uuid } from '../definition';

/** A message by its id; that of another's workspace counts as unknown. */
export const findMessage = found(
  'message id',
  uuid('the id of a message, a UUID'),
  async (id, finding): Promise<Message> => {
    const one = await finding.stores.messages.get(id);
    if (one && finding.enter(one.workspaceId)) return one;
    throw new NotFoundError(`<id>: no message ${id} found.`, 'kurir message list <workspace> lists them.', '<id>');
  },
);
