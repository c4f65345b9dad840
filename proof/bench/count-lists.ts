import { MESSAGE_STATUSES } from '../../domain/messages/message';
import { COUNT_BY_HOUR } from '../../stores/embedded/database/schema';

const perStatus = (sum: (status: string) => string): string => MESSAGE_STATUSES.map(sum).join(', ');

/** Statements that count all contacts on both levels, for data that was written without the store. */
const COUNT_CONTACTS: readonly string[] = [
  `INSERT INTO list_blocks (list, owner, level, block, n)
   SELECT 'contacts', workspace_id, 0, id >> 10, count(*) FROM contacts GROUP BY workspace_id, id >> 10`,
  `INSERT INTO list_blocks (list, owner, level, block, n)
   SELECT list, owner, 1, block >> 10, sum(n) FROM list_blocks GROUP BY list, owner, block >> 10`,
];

/** The same for messages. */
export const COUNT_MESSAGES: readonly string[] = [
  `INSERT INTO message_blocks (workspace_id, level, block, ${MESSAGE_STATUSES.join(', ')})
   SELECT workspace_id, 0, seq >> 10, ${perStatus((status) => `sum(status = '${status}')`)}
   FROM messages GROUP BY workspace_id, seq >> 10`,
  `INSERT INTO message_blocks (workspace_id, level, block, ${MESSAGE_STATUSES.join(', ')})
   SELECT workspace_id, 1, block >> 10, ${perStatus((status) => `sum(${status})`)}
   FROM message_blocks GROUP BY workspace_id, block >> 10`,
  'DELETE FROM message_hours',
  'DELETE FROM opened_messages',
  ...COUNT_BY_HOUR,
];

export const COUNT_LISTS: readonly string[] = [...COUNT_CONTACTS, ...COUNT_MESSAGES];
