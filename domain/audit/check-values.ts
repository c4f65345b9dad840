import { STORED_STATUSES } from '../contacts/contact';
import { namesOf } from '../field';
import { MESSAGE_FIELDS, MESSAGE_STATUSES } from '../messages/message';
import { NO_DIFFERENCE, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

const WORDED = namesOf(MESSAGE_FIELDS, 'words').map((name) => [name, MESSAGE_FIELDS[name].traits.words!] as const);
/** Campaigns and journeys are marketing, which is no category of its own (docs/contract.md#transactional-mail). */
const WITHOUT: readonly string[] = [];

/**
 * Every field with fixed words holds one of them, and metadata is an object; a message of a deleted contact has none.
 */
export function checkValues({ message, contactStatus, metadataReadable }: MessageRecord): readonly Difference[] {
  const { id, lane } = message;
  const found = [
    ...WORDED.flatMap(([name, words]) =>
      known(id, name, message[name], name === 'category' && lane !== 'transactional' ? WITHOUT : words),
    ),
    ...known(id, 'contact', contactStatus, STORED_STATUSES),
    ...unless(metadataReadable, 'value', id, 'metadata that can be read', 'metadata that cannot'),
  ];
  return found.length > 0 ? found : NO_DIFFERENCE;
}

const known = (id: string, field: string, value: string | null, words: readonly string[]): readonly Difference[] =>
  unless(
    value === null || words.includes(value),
    'value',
    id,
    `${field} ${words.join(' or ') || 'none'}`,
    `${field} ${value}`,
  );

/** False for a status that no rule covers. */
export const hasKnownStatus = ({ message }: MessageRecord): boolean => MESSAGE_STATUSES.includes(message.status);
