import { ProcessRegister } from '../processes/process-register';
import { differencesBetween } from '../processes/agreed-settings';
import { keptAudit } from '../audit/kept-audit';
import { VERSION } from '../../lib/version';
import { checkDataDir } from '../doctor/check-data-dir';
import { checkLog } from '../doctor/check-log';
import { findRunning } from '../installation/running-file';
import { LANES } from '../../domain/messages/message';
import { wibDay } from '../../domain/wib';
import { alarmsOf } from '../alarms/alarm';
import { presentAudit } from '../audit/audit-view';
import { type Columns, facts, jsonTime, operation, type Session, type View } from '../definition';
import { counted } from '../../lib/counted';

/** Nothing is counted further, so that the look has a bound. */
const COUNTED_UP_TO = 100_000;

interface Processes {
  processes: { name: string; version: string | null; started_at: string | null; clock_ahead_ms: number }[];
  /** A sentence for each setting in which they differ. */
  differing: string[];
}

/** The processes that hold a lease and what each says of itself; on the embedded engine the one with the data dir. */
async function processesOf({ config, stores, clock }: Session): Promise<Processes> {
  if (!config.cluster) {
    const running = findRunning(config.dataDir);
    if (running === null || running === 'unknown') return { processes: [], differing: [] };
    const { pid, version, startedAt } = running;
    return {
      processes: [{ name: `process ${pid}`, version, started_at: jsonTime(startedAt), clock_ahead_ms: 0 }],
      differing: [],
    };
  }
  const living = [...(await new ProcessRegister(stores).look(clock.now())).living.values()];
  return {
    processes: living.map(({ name, release, skew }) => ({
      name,
      version: release ?? null,
      started_at: null,
      clock_ahead_ms: skew,
    })),
    differing: differencesBetween(living),
  };
}

async function waitingOf({ stores, clock }: Session) {
  const { backlogs } = stores;
  const [lanes, claimed, awaiting, outbox] = await Promise.all([
    backlogs.lanes(clock.now(), COUNTED_UP_TO),
    backlogs.claimed(COUNTED_UP_TO),
    backlogs.awaitingReport(COUNTED_UP_TO),
    backlogs.outbox(COUNTED_UP_TO),
  ]);
  return {
    lanes: LANES.map((lane) => {
      const { due, later, oldestDueAt } = lanes[lane];
      return { lane, due, later, oldest_due_at: jsonTime(oldestDueAt) };
    }),
    claimed,
    awaiting_report: awaiting,
    outbox: outbox.writes,
  };
}

async function givenUp({ stores, clock }: Session): Promise<number> {
  const kinds = await stores.dueTasks.kinds();
  const found = await Promise.all(kinds.map((kind) => stores.backlogs.tasks(kind, clock.now(), COUNTED_UP_TO)));
  return found.reduce((sum, of) => sum + of.givenUp, 0);
}

async function look(session: Session) {
  const { config, stores, log, clock } = session;
  const now = clock.now();
  const [waiting, around, records, audit, tasks, alarms] = await Promise.all([
    waitingOf(session),
    processesOf(session),
    checkLog(log, now, true),
    keptAudit(stores.settings),
    givenUp(session),
    alarmsOf(session),
  ]);
  const switches = ((await stores.settings.get('switches')) ?? {}) as { api?: boolean; module?: boolean };
  return {
    now: jsonTime(now),
    engine: config.engine,
    version: VERSION,
    node: process.versions.node,
    switches: { api: switches.api ?? true, module: switches.module ?? true },
    rates: {
      platform_cap: ((await stores.settings.get('warmup_cap')) ?? null) as number | null,
      platform_sent_today: await stores.queue.claimsOn(wibDay(now), null),
    },
    waiting,
    groups: records.groups.map(({ group, topic, lag, behindSince }) => ({
      group,
      topic,
      lag,
      behind_since: jsonTime(behindSince),
    })),
    dead_letters: records.parked,
    given_up_tasks: tasks,
    alarms: alarms.filter(({ ended_at: at, not_arrived: of }) => at === null || of.url !== null || of.mail !== null),
    processes: around.processes,
    differing_settings: around.differing,
    disk: config.cluster ? null : facts((await checkDataDir(config.dataDir)).state, 'freeBytes', 'totalBytes'),
    audit: presentAudit(audit, now),
  };
}
type Health = Awaited<ReturnType<typeof look>>;

const DETAILS: Columns<Health> = {
  version: ({ version, engine, node }) => `${version}, ${engine} engine, Node ${node}`,
  'REST API': ({ switches }) => (switches.api ? 'on' : 'off'),
  'email module': ({ switches }) => (switches.module ? 'on' : 'off'),
  'sent today (WIB)': ({ rates: { platform_sent_today: sent, platform_cap: cap } }) =>
    cap === null ? String(sent) : `${sent} of ${cap}`,
  claimed: ({ waiting }) => String(waiting.claimed),
  'awaiting report': ({ waiting }) => String(waiting.awaiting_report),
  'dead letters': 'dead_letters',
  'failed jobs': 'given_up_tasks',
  alarms: ({ alarms }) => alarms.map(({ text }) => text).join('\n') || null,
  'alarms not sent': ({ alarms }) => alarms.map(({ not_arrived: { url, mail } }) => url ?? mail).find(Boolean) ?? null,
  'differing settings': ({ differing_settings: all }) => all.join('. ') || null,
  'last audit': ({ audit: { last } }) => last && `${counted(last.differences, 'difference')}, at ${last.at}`,
};

const tables = (of: Health, view: View): string =>
  [
    view.title('Waiting'),
    view.table(of.waiting.lanes, { lane: 'lane', due: 'due', 'oldest since': 'oldest_due_at', later: 'later' }),
    view.title('Processes'),
    view.table(of.processes, { process: 'name', version: 'version' }, 'No running processes.'),
    view.title('Consumer groups'),
    view.table(of.groups, { group: 'group', topic: 'topic', lag: 'lag', 'behind since': 'behind_since' }),
  ].join('');

const health = operation('health', 'operator', {
  summary: 'show queues, processes, consumer lag and the result of the last audit',
  examples: [
    ['health', 'an overview; kurir doctor explains what is wrong and why'],
    ['health --json', 'for a script'],
  ],
  handler: (_, session) => look(session),
  details: DETAILS,
  text: tables,
});

export const HEALTH = { health };
