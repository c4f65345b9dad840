import { Reason } from '../../lib/reason';
import type { Keyring } from '../../domain/keyring';
import type { SuppressionEntry } from '../../domain/contacts/suppression';
import type { Clock } from '../../lib/clock';
import {
  checkSuppressionRow,
  SUPPRESSION_COLUMNS,
  type SuppressionColumn,
} from '../../schemas/contacts/suppression-row';
import type { Stores } from '../../stores/ports';
import { block } from './block';
import type { CsvFile } from '../../lib/csv/csv-file';
import type { OwnReason } from '../../schemas/contacts/suppression-reasons';
import { csvLines, findColumns, pick, type ColumnNames, type CsvLine } from '../contacts/csv-rows';

/** Entries written at once: they share commits. */
const BATCH = 200;

export interface SuppressionImport {
  /** Null: the global list. */
  workspaceId: number | null;
  file: CsvFile;
  columns: ColumnNames<SuppressionColumn>;
  /** Of lines that give no reason that is known; left out: `manual` for those without any. */
  otherwise?: OwnReason | undefined;
  /** Called with the column that each field was found in. */
  onHeader: (found: ColumnNames<SuppressionColumn>) => void;
  /** Called with each refused line, in order; the header is line 1. */
  onRefused: (line: number, reason: Reason) => void;
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
  { workspaceId, file, columns, otherwise, onHeader, onRefused }: SuppressionImport,
): Promise<SuppressionCounts> {
  const counts = { lines: 0, blocked: 0, refused: 0 };
  let places: ReadonlyMap<SuppressionColumn, number> = new Map();
  let batch: SuppressionEntry[] = [];
  const store = async (): Promise<void> => {
    const entries = batch;
    batch = [];
    await block(stores, entries);
    counts.blocked += entries.length;
  };
  const lines = csvLines(file, ['email', 'reason'], (header) => {
    const read = findColumns(header, SUPPRESSION_COLUMNS, columns);
    places = read.places;
    onHeader(read.found);
  });
  const read = (line: CsvLine) =>
    'fault' in line
      ? line.fault
      : checkSuppressionRow(pick(line.cells, places), { global: workspaceId === null, otherwise });
  for await (const some of lines) {
    for (const line of some) {
      counts.lines += 1;
      const row = read(line);
      if (row instanceof Reason) {
        counts.refused += 1;
        onRefused(line.line, row);
        continue;
      }
      const addressHash = 'email' in row ? keyring.hashAddress(row.email) : row.addressHash;
      batch.push({ workspaceId, addressHash, reason: row.reason, messageId: null, createdAt: clock.now() });
      if (batch.length === BATCH) await store();
    }
  }
  await store();
  return counts;
}
