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
      `INSERT INTO list_blocks (list, owner, level, block, n)
       SELECT 'contacts', workspace_id, 0, id >> 10, count(*) FROM contacts GROUP BY workspace_id, id >> 10`,
      `INSERT INTO list_blocks (list, owner, level, block, n)
       SELECT list, owner, 1, block >> 10, sum(n) FROM list_blocks GROUP BY list, owner, block >> 10`,
    ],
  },
];
