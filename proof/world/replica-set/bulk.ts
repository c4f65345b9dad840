import { MongoBulkWriteError, MongoServerError, type BulkWriteResult, type Document } from 'mongodb';

/** What one operation did. */
export interface Counts {
  insertedCount?: number;
  matchedCount?: number;
  modifiedCount?: number;
  deletedCount?: number;
  upsertedCount?: number;
  upsertedId?: unknown;
}

interface Bulk {
  /** Runs a part at the primary. */
  call: (run: () => void) => Promise<void>;
  operate: (operation: Document) => Counts;
  /** Whether the operations after one that was refused are done too. */
  goesOn: () => boolean;
}

const DUPLICATE_KEY = 11_000;

/** Runs the operations in order. Those whose unique key is taken are told in the end, in one error. */
export async function bulkWrite(operations: readonly Document[], { call, operate, goesOn }: Bulk): Promise<object> {
  const sum = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, deletedCount: 0, upsertedCount: 0 };
  const upsertedIds: Record<number, unknown> = {};
  const writeErrors: { index: number; code: number; errmsg: string }[] = [];
  let next = 0;
  const run = (): void => {
    for (; next < operations.length; next += 1) {
      const { upsertedId, ...counts } = operate(operations[next]!);
      if (upsertedId !== undefined) upsertedIds[next] = upsertedId;
      for (const [name, n] of Object.entries(counts)) sum[name as keyof typeof sum] += Number(n);
    }
  };
  while (next < operations.length) {
    try {
      await call(run);
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error;
      writeErrors.push({ index: next, code: DUPLICATE_KEY, errmsg: error.message });
      next += 1;
      if (!goesOn()) break;
    }
  }
  const result = { ...sum, upsertedIds, acknowledged: true };
  const [first] = writeErrors;
  if (!first) return result;
  throw new MongoBulkWriteError(
    { message: first.errmsg, code: DUPLICATE_KEY, writeErrors: writeErrors as never },
    result as unknown as BulkWriteResult,
  );
}
