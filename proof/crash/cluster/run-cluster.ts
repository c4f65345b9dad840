import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import { AdvancingClock } from '../../../app/core/advancing-clock';
import { DAY, MINUTE, SECOND } from '../../../lib/clock';
import { formatDuration } from '../../../lib/duration';
import { auditData } from '../audit-data';
import { ApiCaller, type Offer } from '../caller';
import type { Installation } from '../installation';
import { acceptAll, makeOffers, stillOpen, type Load } from '../load';
import { seededRandom } from '../random';
import { seedWorkspaces, type Sender } from '../seed';
import { readJournal } from '../sink/journal';
import { startSink, type SinkHandle } from '../sink-role';
import { judge, type Verdict } from '../verdict';
import { ClusterProcesses, type RoleList } from './processes';
import { untilIdle, type IdleCheck } from './rest';
import type { Scenario } from './scenario';
import type { Servers } from './servers';
import { longestSilence } from './silence';

export interface ClusterOptions extends Omit<Load, 'messages' | 'until'> {
  program: string;
  installation: Installation;
  servers: Servers;
  scenario: Scenario;
  roleLists: readonly RoleList[];
  workspaces: number;
  /** ms from one fault to the next. */
  every: number;
}

export interface ClusterResult extends Verdict {
  messages: number;
  kills: number;
  /** What the audit and the scenario found. */
  differences: string[];
  /** Processes that ended by themselves during the scenario and were restarted. */
  unexpectedExits: string[];
  /** The longest time a premium workspace waited for a mail to go out under load, ms. */
  silence: number;
  /** Real time, ms. */
  took: number;
}

/** More messages than any scenario has time for. */
const MOST = 100_000;
/** Load before the first fault, and after the last. */
const LEAD = 5 * SECOND;
/** Steps in which time advances after the faults: retries and lost claims, then the wait for evidence. */
const WAITS = [61 * SECOND, 121 * SECOND, 301 * SECOND, 15 * MINUTE, 3 * DAY, 2 * DAY, 2 * DAY, 4 * DAY];
/** A free account sends ten mails in each window. */
const FREE_WINDOW = 62 * SECOND;
const FREE_SENDS = 10;
/** Claims of one message, on average: some kinds are tried several times. */
const FREE_CLAIMS = 1.7;

/**
 * The crash proof of the cluster. Callers send messages while the scenario runs against several processes and real
 * servers, until every message is final. Then the data is compared with what the callers know and what an independent
 * sink received.
 */
export async function runCluster(options: ClusterOptions): Promise<ClusterResult> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'kurir-cluster-'));
  const journal = join(folder, 'journal.jsonl');
  const log = openSync(join(folder, 'sink.log'), 'a');
  let sink: SinkHandle | null = null;
  let processes: ClusterProcesses | null = null;
  let good = false;
  try {
    const { installation, program, roleLists } = options;
    const senders = await seedWorkspaces(installation, options.workspaces);
    const mtaUrl = async (bouncePorts: readonly number[]): Promise<string> => {
      sink = await startSink(program, { journal, bouncePorts, reportWait: 150, slowWait: 1_000 }, log);
      return `smtp://127.0.0.1:${sink.port}`;
    };
    const env = (await options.scenario.setUp?.(installation)) ?? {};
    processes = await ClusterProcesses.create({ program, installation, env, roleLists, folder, mtaUrl });
    await processes.start();
    const { offers, faults, loaded } = await playUnderLoad(options, processes, senders);
    await untilFinal(offers, options, {
      processes,
      senders,
      pendingReports: () => sink?.pendingReports() ?? Promise.resolve(0),
    });
    const unexpectedExits = [...processes.unexpectedExits];
    faults.push(...(await processes.stop()));
    const verdict = await judge({ installation, journal, senders, offers });
    const differences = [...faults, ...(await auditData(installation))];
    const silence = longestSilence(readJournal(journal), offers, loaded);
    const limit = options.scenario.silence ?? Infinity;
    if (silence > limit)
      differences.push(`a workspace waited ${silence} ms for a mail to go out, not at most ${limit}`);
    const took = performance.now() - began;
    good = [differences, verdict.lost, verdict.doubled, verdict.coinsWrong].every((list) => list.length === 0);
    return { ...verdict, differences, unexpectedExits, silence, messages: offers.length, kills: processes.kills, took };
  } finally {
    await options.servers.restartAll();
    await processes?.clear();
    await options.scenario.tearDown?.();
    await (sink as SinkHandle | null)?.close();
    closeSync(log);
    if (good) rmSync(folder, { recursive: true, force: true });
    else options.progress(`the logs of the processes are in ${folder}`);
  }
}

interface Played {
  /** The accepted messages. */
  offers: Offer[];
  faults: string[];
  /** Real time of the load, ms. */
  loaded: { from: number; to: number };
}

async function playUnderLoad(
  options: ClusterOptions,
  processes: ClusterProcesses,
  senders: readonly Sender[],
): Promise<Played> {
  const { scenario, servers, installation, every, progress, seed, pace } = options;
  const random = seededRandom(seed);
  const caller = new ApiCaller(processes.baseUrls);
  const all = makeOffers({ messages: MOST, seed }, senders, random);
  const over = new AbortController();
  const from = Date.now();
  const load = acceptAll(all, caller, { pace, progress, until: over.signal });
  await sleep(LEAD);
  const faults = await scenario.run({ processes, servers, installation, caller, random, every, progress });
  await sleep(LEAD);
  over.abort();
  const to = Date.now();
  await load;
  return { offers: all.filter(({ id }) => id !== null), faults, loaded: { from, to } };
}

async function untilFinal(
  offers: readonly Offer[],
  { installation, progress }: ClusterOptions,
  { processes, ...check }: Pick<IdleCheck, 'processes' | 'senders' | 'pendingReports'>,
): Promise<void> {
  const clock = new AdvancingClock();
  const engine = await installation.open(clock);
  const { stores } = engine;
  const caller = new ApiCaller(processes.baseUrls);
  try {
    let open = [...offers];
    for (const ms of [0, ...freeWaits(offers), ...WAITS]) {
      clock.advance(ms);
      await processes.advance(ms);
      await untilIdle({ stores, clock, processes, ...check });
      open = await stillOpen(open, caller);
      progress(`${open.length} not final, ${formatDuration(clock.offset)} later`);
      // What the last outcomes left to do, such as refunds.
      if (open.length === 0) return await untilIdle({ stores, clock, processes, ...check });
    }
  } finally {
    await engine.close();
  }
}

/** One wait per minute that the busiest free account needs. */
function freeWaits(offers: readonly Offer[]): number[] {
  const counts = new Map<Sender, number>();
  for (const { sender } of offers) if (sender.isFree) counts.set(sender, (counts.get(sender) ?? 0) + 1);
  return Array.from(
    { length: Math.ceil((FREE_CLAIMS * Math.max(0, ...counts.values())) / FREE_SENDS) },
    () => FREE_WINDOW,
  );
}
