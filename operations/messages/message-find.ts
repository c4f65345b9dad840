import { noun } from '../../schemas/rules/nouns';
import type { Message } from '../../domain/messages/message';
import { found, uuid, rule, unknownId } from '../definition';

/** A message by its id; that of another's workspace counts as unknown. */
export const findMessage = found('message id', uuid(rule('message_uuid')), async (id, finding): Promise<Message> => {
  const one = await finding.stores.messages.get(id);
  if (one && finding.enter(one.workspaceId)) return one;
  throw unknownId({ label: '<id>', what: noun('message'), id }, 'kurir message list <workspace> shows them.');
});
