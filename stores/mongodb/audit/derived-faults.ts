import type { DerivedFault } from '../../../domain/audit/check-derived';
import { documents, type MessageDocument } from '../database/documents';
import { guard } from '../transactions/guard';
import { stageOf } from '../messages/message-codec';
import { pages, type Snapshot } from '../transactions/snapshot';

const PAGE = 1_000;
/** The most characters of a value shown: damaged data may hold anything. */
const LONGEST = 60;

/** The fields this driver stores to find messages by, and what each is derived from. */
const FIELDS = {
  status: 1,
  fencedAt: 1,
  unknown: 1,
  attachmentsUntil: 1,
  'attempts.claimedAt': 1,
  'outbox.v': 1,
  version: 1,
  stage: 1,
  claimedAt: 1,
  dropping: 1,
  outboxAt: 1,
} as const;
type Fields = Pick<MessageDocument, '_id' | 'status' | 'fencedAt' | 'unknown' | 'attachmentsUntil'> &
  Partial<Record<'version' | 'stage' | 'claimedAt' | 'dropping' | 'outboxAt', unknown>> & {
    attempts?: { claimedAt?: number }[];
    outbox?: unknown[];
  };

/**
 * Checks this driver's own derived fields. With a wrong one, the timers, the rate or the sweeper would miss a message,
 * and a change would never find it. Messages in the order of acceptance, then the ledger.
 */
export async function* derivedFaults(snapshot: Snapshot, workspaceId: number): AsyncGenerator<DerivedFault[]> {
  const { db, moment } = snapshot;
  const messages = documents(db, 'messages')
    .find<Fields>({ workspaceId }, { ...moment, projection: FIELDS, batchSize: PAGE })
    .sort({ _id: 1 });
  for await (const page of pages(messages, PAGE)) yield page.flatMap(messageFaults);
  yield* ledgerFaults(snapshot, workspaceId);
}

function messageFaults(message: Fields): DerivedFault[] {
  const { _id: subject, version, stage, claimedAt, dropping, attachmentsUntil, outbox, outboxAt } = message;
  const found: DerivedFault[] = [];
  const follows = (field: string, wanted: unknown, is: unknown): void => {
    if (is !== wanted) found.push({ subject, expected: `${field} ${show(wanted)}`, found: `${field} ${show(is)}` });
  };
  follows('stage', stageOf(message), stage);
  follows('claimedAt', message.attempts?.at(-1)?.claimedAt, claimedAt);
  if (dropping !== undefined) {
    const expected = attachmentsUntil === null ? true : undefined;
    follows('dropping', expected, dropping);
  }
  if (!isCount(version)) found.push({ subject, expected: 'a version from 1 on', found: `version ${show(version)}` });
  const waits = (outbox?.length ?? 0) > 0;
  if (waits !== (typeof outboxAt === 'number')) {
    const expected = waits ? 'the time since when records wait' : 'no time, since no records wait';
    found.push({ subject, expected: `outboxAt: ${expected}`, found: `outboxAt ${show(outboxAt)}` });
  }
  return found;
}

/** The rows of a ledger are numbered from 1 without gaps, and its account holds the last number. */
async function* ledgerFaults({ db, moment }: Snapshot, workspaceId: number): AsyncGenerator<DerivedFault[]> {
  const subject = `workspace ${workspaceId}`;
  const rows = documents(db, 'ledger')
    .find<{ seq?: unknown }>({ workspaceId }, { ...moment, projection: { _id: 0, seq: 1 }, batchSize: PAGE })
    .sort({ seq: 1 });
  let last = 0;
  for await (const page of pages(rows, PAGE)) {
    const found: DerivedFault[] = [];
    for (const { seq } of page) {
      if (!isCount(seq)) {
        // The index returns null for a missing field.
        found.push({
          subject,
          expected: 'ledger rows numbered from 1',
          found: `one numbered ${show(seq ?? undefined)}`,
        });
        continue;
      }
      if (seq !== last + 1) {
        found.push({ subject, expected: `ledger row ${last + 1}`, found: `${seq} after ${last}` });
      }
      last = seq;
    }
    yield found;
  }
  const account = await guard(() => documents(db, 'accounts').findOne({ _id: workspaceId }, moment));
  const seq: unknown = account ? account.seq : 0;
  if (seq !== last) yield [{ subject, expected: `newest ledger row ${last}`, found: show(seq) }];
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;

const show = (value: unknown): string =>
  value === undefined
    ? 'none'
    : typeof value === 'string'
      ? value.slice(0, LONGEST)
      : JSON.stringify(value).slice(0, LONGEST);
