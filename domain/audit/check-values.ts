import { STORED_STATUSES } from '../contacts/contact';
import { LANES, MESSAGE_STATUSES, type Channel, type MessageCategory, type Reopenable } from '../messages/message';
import { NO_DIFFERENCE, unless, type Difference } from './difference';
import type { MessageRecord } from './message-record';

const CHANNELS: Record<Channel, true> = { api: true, smtp: true, app: true };
/** Campaigns and journeys are marketing, which is no category of its own (docs/contract.md#transactional-mail). */
const CATEGORIES: readonly MessageCategory[] = ['transactional'];
const REOPENABLE: Record<NonNullable<Reopenable>, true> = { no_record: true, expired: true, unconfirmed: true };

/**
 * Every field with fixed words holds one of them, and metadata is an object; a message of a deleted contact has none.
 */
export function checkValues({ message, contactStatus, metadataReadable }: MessageRecord): readonly Difference[] {
  const { id, status, lane, category, channel, reopenable } = message;
  const found = [
    ...known(id, 'status', status, MESSAGE_STATUSES),
    ...known(id, 'lane', lane, LANES),
    ...known(id, 'category', category, lane === 'transactional' ? CATEGORIES : []),
    ...known(id, 'channel', channel, Object.keys(CHANNELS)),
    ...known(id, 'reopenable', reopenable, Object.keys(REOPENABLE)),
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
