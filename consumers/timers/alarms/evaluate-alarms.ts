import {
  ALARM_WAYS,
  alarmId,
  nextStep,
  noticeId,
  type Alarm,
  type AlarmTurn,
  type Step,
} from '../../../domain/alarms/alarm';
import type { RecordEntry } from '../../../domain/records/record';
import { MINUTE, SECOND } from '../../../lib/clock';
import type { Logger } from '../../../lib/logger';
import { withTimeout } from '../../../lib/with-timeout';
import type { Stores } from '../../../stores/ports';
import type { TimerTask } from '../timer-task';
import { ALARMS, ALARM_NOTICES, ALARM_TURNS, listAlarms } from '../../../operations/alarms/list-alarms';
import type { AlarmSource, Evaluation, Findings, Unknown } from './source';

export interface EvaluationDeps {
  stores: { records: Stores['records']; dueTasks: Pick<Stores['dueTasks'], 'schedule'> };
  logger: Pick<Logger, 'warn'>;
}

/** What has no answer after so long is unknown, ms of real time: the program must be able to stop. */
const PATIENCE = 5 * SECOND;
/** A look that takes longer has found nothing. */
const MAX = PATIENCE + SECOND;
/** Between two questions whether a source is due, ms. */
const ASK_EVERY = MINUTE;

/**
 * Looks at each source when it is due. One process looks: it takes the turn of the source in the record store. Even if
 * two did, an alarm is changed under its version and its notices have the same id.
 */
export const alarmEvaluations = (deps: EvaluationDeps, sources: readonly AlarmSource[]): TimerTask[] =>
  sources.map((source) => {
    let askedAt = 0;
    return {
      name: `alarms: ${source.name}`,
      run: async (now) => {
        if (Math.abs(now - askedAt) < ASK_EVERY) return false;
        const turn = await takeTurn(deps, source, now);
        if (turn) await evaluateSource(deps, source, turn);
        askedAt = now;
        return false;
      },
    };
  });

/** Null: it is not due, or another process has it. */
async function takeTurn(
  { stores: { records } }: EvaluationDeps,
  { name: id, every }: AlarmSource,
  now: number,
): Promise<RecordEntry<AlarmTurn> | null> {
  return records.change(
    ALARM_TURNS,
    id,
    // A clock may have been set back.
    (last) => (last && Math.abs(now - last.at) < every - SECOND ? null : { at: now, next: last?.next ?? 0 }),
    { now },
  );
}

async function evaluateSource(deps: EvaluationDeps, source: AlarmSource, turn: RecordEntry<AlarmTurn>): Promise<void> {
  const { records } = deps.stores;
  const { at: now, next: from } = turn.body;
  const lists = await Promise.all(source.kinds.map((kind) => listAlarms(records, now, kind)));
  const known = new Map(lists.flat().map((entry) => [entry.id, entry]));
  const active = lists.flat().filter(({ body }) => body.endedAt === null);
  const findings = await evaluateInTime(source, { now, from, active: active.map(({ body }) => body.subject) }).catch(
    (err: unknown) => {
      deps.logger.warn({ err, source: source.name }, 'the sources of alarms could not be read');
      return null;
    },
  );
  if (findings === null) return;
  const failed = findings.found.find((of): of is Unknown => 'error' in of);
  if (failed) deps.logger.warn({ err: failed.error, of: failed.subject }, 'an alarm could not be evaluated');
  const seen = new Map(findings.found.map((of) => [alarmId(of), of]));
  for (const id of new Set([...seen.keys(), ...active.map((entry) => entry.id)])) {
    const of = seen.get(id) ?? null;
    if (of && 'unknown' in of) continue;
    const entry = known.get(id) ?? null;
    const step = nextStep(entry?.body ?? null, of, now);
    if (step) await take(deps, id, entry, step, now);
  }
  // After its alarms: what a crash cut off is looked at again.
  const { next = from } = findings;
  if (next !== from) await records.replace(ALARM_TURNS, turn, { body: { at: now, next } }, now);
}

async function evaluateInTime(source: AlarmSource, evaluation: Omit<Evaluation, 'late'>): Promise<Findings> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE);
  try {
    return await withTimeout(source.evaluate({ ...evaluation, late: late.signal }), MAX);
  } finally {
    clearTimeout(timer);
  }
}

/** The notice comes first: after a crash in between, the next look makes the same one again. */
async function take(
  { stores: { records, dueTasks } }: EvaluationDeps,
  id: string,
  entry: RecordEntry<Alarm> | null,
  { alarm, event }: Step,
  now: number,
): Promise<void> {
  const { workspaceId } = alarm;
  if (event) {
    const notice = noticeId(alarm);
    await records.add(ALARM_NOTICES, { id: notice, workspaceId, body: { event, at: now, alarm, failing: {} } }, now);
    await dueTasks.schedule(
      ALARM_WAYS.map((way) => ({
        kind: 'alarm-notice' as const,
        id: `${notice}:${way}`,
        workspaceId: workspaceId ?? 0,
        lane: '',
        dueAt: now,
        payload: {},
      })),
    );
  }
  if (entry) await records.replace(ALARMS, entry, { body: alarm }, now);
  else await records.add(ALARMS, { id, workspaceId, body: alarm }, now);
}
