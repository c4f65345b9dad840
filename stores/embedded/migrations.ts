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
  { to: 2, statements: ['DROP INDEX messages_of_workspace', ...COUNT_LISTS] },
];
