import type { Keyring } from '../../domain/keyring';
import type { SuppressionEntry } from '../../domain/contacts/suppression';
import type { Clock } from '../../lib/clock';
import {
  checkSuppressionRow,
  SUPPRESSION_COLUMNS,
  type SuppressionColumn,
} from '../../schemas/contacts/suppression-row';
import type { Stores } from '../../stores/ports';
import { block } from '../../commands/suppressions/block';
import type { CsvFile } from '../../lib/csv/csv-file';
import { csvRows, type ColumnNames } from './csv-rows';

/** Entries written at once: they share commits. */
const BATCH = 200;

export interface SuppressionImport {
  /** Null: the global list. */
  workspaceId: number | null;
  file: CsvFile;
  columns: ColumnNames<SuppressionColumn>;
  /** Called with the column that each field was found in. */
  onHeader: (found: ColumnNames<SuppressionColumn>) => void;
  /** Called with each refused line, in order; the header is line 1. */
  onRefused: (line: number, reason: string) => void;
}

/** Of the lines behind the header: `lines` = `blocked` + `refused`. */
export interface SuppressionCounts {
  lines: number;
  blocked: number;
  refused: number;
}

export interface SuppressionImportDeps {
  stores: Pick<Stores, 'workspaces' | 'suppressions' | 'contacts' | 'journeyRuns'>;
  keyring: Keyring;
  clock: Clock;
}

/**
 * Imports a suppression list from CSV, with memory that does not grow with the file. To run it again changes nothing
 * that is there. Throws CsvFileError.
 */
export async function importSuppressions(
  { stores, keyring, clock }: SuppressionImportDeps,
  { workspaceId, file, columns, onHeader, onRefused }: SuppressionImport,
): Promise<SuppressionCounts> {
  const counts = { lines: 0, blocked: 0, refused: 0 };
  let batch: SuppressionEntry[] = [];
  const store = async (): Promise<void> => {
    const entries = batch;
    batch = [];
    await block(stores, entries);
    counts.blocked += entries.length;
  };
  for await (const rows of csvRows({ file, columns: SUPPRESSION_COLUMNS, names: columns, onHeader })) {
    for (const row of rows) {
      counts.lines += 1;
      const read = 'fault' in row ? row.fault : checkSuppressionRow(row.cells, workspaceId === null);
      if (typeof read === 'string') {
        counts.refused += 1;
        onRefused(row.line, read);
        continue;
      }
      const addressHash = 'email' in read ? keyring.hashAddress(read.email) : read.addressHash;
      batch.push({ workspaceId, addressHash, reason: read.reason, messageId: null, createdAt: clock.now() });
      if (batch.length === BATCH) await store();
    }
  }
  await store();
  return counts;
}
