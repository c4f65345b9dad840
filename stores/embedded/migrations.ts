import { COUNT_LISTS } from './count-lists';

/** What brings older data up to the tables of `schema`, beside the tables and indexes that are only missing. */
interface Migration {
  /** The schema version it leads to. */
  to: number;
  /** Run in order, in the transaction that moves the version. */
  statements: readonly string[];
}

/** In order of their versions; new data needs none of them. */
export const MIGRATIONS: readonly Migration[] = [
  {
    to: 2,
    statements: [
      'DROP INDEX messages_of_workspace',
      'ALTER TABLE messages ADD COLUMN recipient_hash TEXT',
      'DELETE FROM bodies WHERE seq IN (SELECT seq FROM messages WHERE recipient IS NULL)',
      'ALTER TABLE signals ADD COLUMN link INTEGER',
      `UPDATE signals SET link = (SELECT min(j.key) FROM messages m JOIN links l ON l.seq = m.seq, json_each(l.urls) j
         WHERE m.id = signals.message_id AND j.value = signals.url) WHERE url IS NOT NULL`,
      'ALTER TABLE signals DROP COLUMN url',
      ...COUNT_LISTS,
    ],
  },
];
