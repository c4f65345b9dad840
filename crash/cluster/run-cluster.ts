import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR, MINUTE, SECOND } from '../../domain/clock';
import { auditData } from '../audit-data';
import { ApiCaller, type Offer } from '../caller';
import type { Installation } from '../installation';
import { acceptAll, makeOffers, sleep, stillOpen, type Load } from '../load';
import { seededRandom } from '../random';
import { seedWorkspaces, type Sender } from '../seed';
import { readJournal } from '../sink/journal';
import { startSink, type SinkHandle } from '../sink-role';
import { judge, type Verdict } from '../verdict';
import { Cast, type Duty } from './cast';
import type { Scenario } from './scenario';
import type { Servers } from './servers';
import { longestSilence } from './silence';

export interface ClusterOptions extends Omit<Load, 'messages' | 'until'> {
  program: string;
  installation: Installation;
  servers: Servers;
  scenario: Scenario;
  duties: readonly Duty[];
  workspaces: number;
  /** ms from one fault to the next. */
  every: number;
}

export interface ClusterResult extends Verdict {
  messages: number;
  kills: number;
  /** What the audit said of the data, and what the scenario found. */
  differences: string[];
  /** Processes that ended by themselves while it was played; they were started again. */
  quits: string[];
  /** The longest time that a premium workspace waited for a mail to go out under load, ms. */
  silence: number;
  /** Real time, ms. */
  took: number;
}

/** More than any scenario has time for. */
const MOST = 100_000;
/** Load before the first fault, and after the last. */
const LEAD = 5 * SECOND;
/** Time that is moved on once the faults are over, one after the other: rates and retries, then the wait for evidence. */
const WAITS = [
  ...Array.from({ length: 12 }, () => 62 * SECOND),
  ...Array.from({ length: 4 }, () => 10 * MINUTE),
  ...Array.from({ length: 4 }, () => HOUR),
  ...Array.from({ length: 10 }, () => DAY),
];
/** Real time that is left to the cluster to come to rest after each, ms. */
const REST = 60_000;

/**
 * The crash proof of the cluster: callers hand messages in while the scenario is played on several processes and real servers, until
 * every message is final; then it is held against what the callers know and what a sink outside has seen.
 */
export async function runCluster(options: ClusterOptions): Promise<ClusterResult> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'kurir-cluster-'));
  const journal = join(folder, 'journal.jsonl');
  const log = openSync(join(folder, 'sink.log'), 'a');
  let sink: SinkHandle | null = null;
  let cast: Cast | null = null;
  let good = false;
  try {
    const { installation, program, duties } = options;
    const senders = await seedWorkspaces(installation, options.workspaces);
    const mtaUrl = async (bouncePorts: readonly number[]): Promise<string> => {
      sink = await startSink(program, { journal, bouncePorts, reportWait: 150, slowWait: 1_000 }, log);
      return `smtp://127.0.0.1:${sink.port}`;
    };
    cast = await Cast.set({ program, installation, duties, folder, mtaUrl });
    await cast.start();
    const { offers, faults, loaded } = await playUnderLoad(options, cast, senders);
    await untilFinal(offers, new ApiCaller(cast.doors), cast, () => sink?.owed() ?? Promise.resolve(0), options);
    const quits = [...cast.quits];
    faults.push(...(await cast.stop()));
    const verdict = await judge({ installation, journal, senders, offers });
    const differences = [...faults, ...(await auditData(installation))];
    const silence = longestSilence(readJournal(journal), offers, loaded);
    const limit = options.scenario.silence ?? Infinity;
    if (silence > limit)
      differences.push(`a workspace waited ${silence} ms for a mail to go out, not at most ${limit}`);
    const took = performance.now() - began;
    good = [differences, verdict.lost, verdict.doubled, verdict.coinsWrong].every((list) => list.length === 0);
    return { ...verdict, differences, quits, silence, messages: offers.length, kills: cast.kills, took };
  } finally {
    await options.servers.reviveAll();
    await cast?.clear();
    await (sink as SinkHandle | null)?.close();
    closeSync(log);
    if (good) rmSync(folder, { recursive: true, force: true });
    else options.progress(`what the processes said is in ${folder}`);
  }
}

interface Played {
  /** Those that were accepted. */
  offers: Offer[];
  faults: string[];
  /** When load was on, real time. */
  loaded: { from: number; to: number };
}

async function playUnderLoad(options: ClusterOptions, cast: Cast, senders: readonly Sender[]): Promise<Played> {
  const { scenario, servers, installation, every, progress, seed, pace } = options;
  const random = seededRandom(seed);
  const caller = new ApiCaller(cast.doors);
  const all = makeOffers({ messages: MOST, seed }, senders, random);
  const over = new AbortController();
  const from = Date.now();
  const load = acceptAll(all, caller, { pace, progress, until: over.signal });
  await sleep(LEAD);
  const faults = await scenario.play({ cast, servers, installation, caller, random, every, progress });
  await sleep(LEAD);
  over.abort();
  const to = Date.now();
  await load;
  return { offers: all.filter(({ id }) => id !== null), faults, loaded: { from, to } };
}

async function untilFinal(
  offers: readonly Offer[],
  caller: ApiCaller,
  cast: Cast,
  owed: () => Promise<number>,
  { progress }: ClusterOptions,
): Promise<void> {
  let open = [...offers];
  for (const ms of [0, ...WAITS, ...WAITS.slice(-1)]) {
    await cast.advance(ms);
    await untilQuiet(cast, owed);
    open = await stillOpen(open, caller);
    progress(`${open.length} not final`);
    if (open.length === 0) return;
  }
}

/** Nothing under way, three times in a row: every record of the log is handled, every report of the sink was taken. */
async function untilQuiet(cast: Cast, owed: () => Promise<number>): Promise<void> {
  const end = performance.now() + REST;
  for (let times = 0; times < 3 && performance.now() < end;) {
    await sleep(400);
    times = (await cast.lag()) === 0 && (await owed()) === 0 ? times + 1 : 0;
  }
}
