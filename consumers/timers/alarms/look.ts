import {
  ALARM_WAYS,
  alarmId,
  listedUntil,
  nextStep,
  noticeId,
  NOTICE_KEPT,
  type Step,
} from '../../../domain/alarms/alarm';
import type { RecordEntry } from '../../../domain/people/records';
import { MINUTE, SECOND } from '../../../lib/clock';
import type { Logger } from '../../../lib/logger';
import { withTimeout } from '../../../lib/with-timeout';
import type { Stores } from '../../../stores/ports';
import type { TimerTask } from '../timer-task';
import { alarmsOfKind } from '../../../operations/alarms/list-alarms';
import type { AlarmSource, Round, Sight, Unknown } from './source';

export interface LookDeps {
  stores: { records: Stores['records']; dueTasks: Pick<Stores['dueTasks'], 'schedule'> };
  logger: Pick<Logger, 'warn'>;
}

/** What has no answer after so long is unknown, ms of real time: the program must be able to stop. */
const PATIENCE = 5 * SECOND;
/** A look that takes longer has found nothing. */
const MOST = PATIENCE + SECOND;
/** Between two questions whether a source is due, ms. */
const ASK_EVERY = MINUTE;

/**
 * Looks at each source when it is due. One process looks: it takes the turn of the source in the record store. Even if
 * two did, an alarm is changed under its version and its notices have the same id.
 */
export const alarmLooks = (deps: LookDeps, sources: readonly AlarmSource[]): TimerTask[] =>
  sources.map((source) => {
    let askedAt = 0;
    return {
      name: `alarms: ${source.name}`,
      run: async (now) => {
        if (Math.abs(now - askedAt) < ASK_EVERY) return false;
        const turn = await takeTurn(deps, source, now);
        if (turn) await lookAt(deps, source, turn);
        askedAt = now;
        return false;
      },
    };
  });

/** Null: it is not due, or another process has it. */
async function takeTurn(
  { stores: { records } }: LookDeps,
  { name: id, every }: AlarmSource,
  now: number,
): Promise<RecordEntry<'alarm_turn'> | null> {
  const last = await records.get('alarm_turn', id, now);
  // A clock may have been set back.
  if (last && Math.abs(now - last.body.at) < every - SECOND) return null;
  const entry = { kind: 'alarm_turn' as const, id, user: null, workspaceId: null, expiresAt: null };
  const body = { at: now, next: last?.body.next ?? 0 };
  const version = last?.version ?? 0;
  const mine = last ? await records.change({ ...entry, version, body }) : await records.add({ ...entry, body }, now);
  return mine ? { ...entry, version: version + 1, body } : null;
}

async function lookAt(deps: LookDeps, source: AlarmSource, turn: RecordEntry<'alarm_turn'>): Promise<void> {
  const { records } = deps.stores;
  const { at: now, next: from } = turn.body;
  const lists = await Promise.all(source.kinds.map((kind) => alarmsOfKind(records, kind, now)));
  const known = new Map(lists.flat().map((entry) => [entry.id, entry]));
  const standing = lists.flat().filter(({ body }) => body.endedAt === null);
  const sight = await lookInTime(source, { now, from, standing: standing.map(({ body }) => body.subject) }).catch(
    (err: unknown) => {
      deps.logger.warn({ err, source: source.name }, 'what alarms are raised by could not be looked at');
      return null;
    },
  );
  if (sight === null) return;
  const failed = sight.found.find((of): of is Unknown => 'error' in of);
  if (failed) deps.logger.warn({ err: failed.error, of: failed.subject }, 'an alarm could not be looked at');
  const seen = new Map(sight.found.map((of) => [alarmId(of), of]));
  for (const id of new Set([...seen.keys(), ...standing.map((entry) => entry.id)])) {
    const of = seen.get(id) ?? null;
    if (of && 'unknown' in of) continue;
    const entry = known.get(id) ?? null;
    const step = nextStep(entry?.body ?? null, of, now);
    if (step) await take(deps, id, entry, step, now);
  }
  // After its alarms: what a crash cut off is looked at again.
  const { next = from } = sight;
  if (next !== from) await records.change({ ...turn, body: { at: now, next } });
}

async function lookInTime(source: AlarmSource, round: Omit<Round, 'late'>): Promise<Sight> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE);
  try {
    return await withTimeout(source.look({ ...round, late: late.signal }), MOST);
  } finally {
    clearTimeout(timer);
  }
}

/** The notice comes first: after a crash in between, the next look makes the same one again. */
async function take(
  { stores: { records, dueTasks } }: LookDeps,
  id: string,
  entry: RecordEntry<'alarm'> | null,
  { alarm, event }: Step,
  now: number,
): Promise<void> {
  const { workspaceId } = alarm;
  if (event) {
    const notice = noticeId(alarm);
    const body = { event, at: now, alarm, failing: {} };
    const expiresAt = now + NOTICE_KEPT;
    await records.add({ kind: 'alarm_notice', id: notice, user: null, workspaceId, expiresAt, body }, now);
    await dueTasks.schedule(
      ALARM_WAYS.map((way) => ({
        ...{ kind: 'alarm-notice' as const, id: `${notice}:${way}`, workspaceId: workspaceId ?? 0, lane: '' },
        ...{ dueAt: now, payload: {} },
      })),
    );
  }
  const expiresAt = listedUntil(alarm);
  if (entry) await records.change({ kind: 'alarm', id, version: entry.version, expiresAt, body: alarm });
  else await records.add({ kind: 'alarm', id, user: null, workspaceId, expiresAt, body: alarm }, now);
}
