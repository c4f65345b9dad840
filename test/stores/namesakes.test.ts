import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const STORES = join(__dirname, '../../stores');

/** What only one engine has, and why: folders end with `/`. */
const ONLY_EMBEDDED: Readonly<Record<string, string>> = {
  'threaded/': 'the store runs in a thread of its own',
  'database/': 'a file, its transactions and its columns',
  'log/': 'the event log is in the same file; that of the cluster is in streams/drivers/kafka',
  'group-commit.ts': 'one transaction of many callers, with the counts and records of all',
  'open.ts': 'opens the file with stores and log',
  'audit/read-only-file.ts': 'a file can be read beside a service',
  'audit/tables.ts': 'the tables as the audit reads them',
  'contacts/contact-fields.ts': 'the columns of a contact',
  'contacts/join.ts': 'one statement here; many members at once on the cluster',
  'engagement/opened-messages.ts': 'a table of opened messages for lists, which the cluster asks its signals for',
  'engagement/top-contacts.ts': 'sorted in SQL here, by an aggregation of the store there',
  'journeys/journey-versions.ts': 'a table here, a list in the document of the journey there',
  'messages/acceptance-row.ts': 'what crosses to the thread of the store',
  'messages/find-messages.ts': 'the search in SQL',
  'messages/message-counts.ts': 'counters kept in the same transaction',
  'webhooks/list-deliveries.ts': 'the list in SQL',
  'webhooks/trim-deliveries.ts': 'several statements here, one there',
};
const ONLY_MONGODB: Readonly<Record<string, string>> = {
  'transactions/': 'sessions, conflicts, and callers that share a transaction',
  'database/': 'a client, its collections and its documents',
  'log/': 'the outbox and what is kept beside Kafka',
  'audit/collections.ts': 'the collections as the audit reads them',
  'audit/message-faults.ts': 'fields that are derived from others in a document',
  'audit/message-rows.ts': 'how the document of a message reads as a row',
  'audit/pending-records.ts': 'records in the outbox',
  'campaigns/campaign-documents.ts': 'the types of the documents',
  'contacts/change-members.ts': 'many members in one transaction',
  'contacts/member-document.ts': 'the type of the document',
  'contacts/member-planner.ts': 'many members in one transaction',
  'conversions/list-conversions.ts': 'the list as an aggregation',
  'records/record-document.ts': 'the type of the document',
  'engagement/engagement-documents.ts': 'the types of the documents',
  'journeys/write-enrollments.ts': 'many enrollments in one transaction',
  'ledger/booking.ts': 'the balance is a document of its own',
  'ledger/post-entries.ts': 'many entries in one transaction',
  'messages/acceptance-lookup.ts': 'all look-ups at once, before the transaction',
  'messages/attachments.ts': 'a collection of their own',
  'queue/claim-lookups.ts': 'all look-ups at once, within the transaction',
  'queue/due-task-document.ts': 'the type of the document',
  'queue/queue-documents.ts': 'the types of the documents',
  'queue/send-days.ts': 'the counters of a day are documents',
  'queue/shared-state.ts': 'what processes compare, in one request; there is one process here',
  'webhooks/enqueue.ts': 'many deliveries in one transaction',
  'webhooks/erase-answers.ts': 'after the deletion of a contact, step by step',
  'webhooks/fan-out.ts': 'many deliveries in one transaction',
  'webhooks/finish.ts': 'many results in one transaction',
};

const filesOf = (engine: string): string[] =>
  readdirSync(join(STORES, engine), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

const [embedded, mongodb] = [filesOf('embedded'), filesOf('mongodb')];

/** The files without a namesake that no exception covers, and the exceptions that cover nothing. */
function compare(own: readonly string[], other: readonly string[], exceptions: Readonly<Record<string, string>>) {
  const alone = own.filter((name) => !other.includes(name));
  const covers = (exception: string, name: string): boolean =>
    exception.endsWith('/') ? name.startsWith(exception) : name === exception;
  const named = Object.keys(exceptions);
  return {
    unexplained: alone.filter((name) => !named.some((exception) => covers(exception, name))),
    stale: named.filter((exception) => !alone.some((name) => covers(exception, name))),
  };
}

describe('the drivers of the stores have the same folders and file names by subject', () => {
  it('but for what only SQLite has', () => {
    expect(compare(embedded, mongodb, ONLY_EMBEDDED)).toEqual({ unexplained: [], stale: [] });
  });

  it('but for what only MongoDB has', () => {
    expect(compare(mongodb, embedded, ONLY_MONGODB)).toEqual({ unexplained: [], stale: [] });
  });
});
