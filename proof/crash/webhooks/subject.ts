import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../../../lib/sleep';
import { ALL_ROLES, ClusterProcesses } from '../cluster/processes';
import type { Installation } from '../installation';
import { startSink } from '../sink-role';
import { Stage } from '../stage';
import type { Downtime } from './schedule';

/** A service that runs, in one process or two. */
export interface Subject {
  installation: Installation;
  /** Where its pages and its API are, one for each process. */
  origins: readonly string[];
  /** Folder of its logs. */
  folder: string;
  /** Times at which no process ran. */
  downtimes: Downtime[];
  kills: number;
  /** What the sink received. */
  journal: string;
  pids(): number[];
  /** Sends SIGKILL to a process, and starts it again. */
  kill(): Promise<void>;
  /** True when every record is handled. */
  isIdle(): Promise<boolean>;
  /** Number of reports of the sink that were not taken yet. */
  pendingReports(): Promise<number>;
  /** Advances the clock of the service, ms. */
  advance(ms: number): Promise<void>;
  /** Stops it gracefully; returns a line for each process that did not end cleanly. */
  stop(): Promise<string[]>;
  /** Ends all processes, and deletes the data. */
  close(): Promise<void>;
}

/** Starts a service with all roles and these settings, after `seed` has prepared its data. */
export type StartSubject = (
  program: string,
  seed: (installation: Installation) => Promise<void>,
  env?: Record<string, string>,
) => Promise<Subject>;

const REPORT_WAIT = 150;
/** A killed process stays down for so long, ms. */
const DOWN = 500;

/** One process on the embedded engine. */
export const embeddedSubject: StartSubject = async (program, seed, env = {}) => {
  const stage = await Stage.open({ program });
  const { installation, folder } = stage;
  const downtimes: Downtime[] = [];
  await seed(installation);
  if (!(await stage.start(null, env))) throw new Error(`The service did not start; see ${folder}.`);
  return {
    installation,
    origins: [new URL(stage.baseUrl).origin],
    folder,
    downtimes,
    get kills() {
      return stage.kills;
    },
    journal: stage.journal,
    pids: () => [stage.service.pid],
    kill: async () => {
      const from = Date.now();
      await stage.kill();
      await sleep(DOWN);
      if (!(await stage.start(null, env))) throw new Error(`The service did not restart; see ${folder}.`);
      downtimes.push({ from, to: Date.now() });
    },
    isIdle: () => stage.isIdle(),
    pendingReports: () => stage.sink.pendingReports(),
    advance: (ms) => stage.advance(ms),
    stop: async () => {
      const { code } = await stage.stop();
      return code === 0 ? [] : [`the service did not stop cleanly: exit code ${code}`];
    },
    close: () => stage.close(),
  };
};

/** Two processes on the cluster engine. They are killed by turns. */
export const clusterSubject =
  (installation: Installation): StartSubject =>
  async (program, seed, env = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'kurir-webhooks-'));
    const log = openSync(join(folder, 'sink.log'), 'a');
    const journal = join(folder, 'journal.jsonl');
    await seed(installation);
    let sink: Awaited<ReturnType<typeof startSink>> | null = null;
    const processes = await ClusterProcesses.create({
      program,
      installation,
      env: { KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1', ...env },
      roleLists: [ALL_ROLES],
      folder,
      mtaUrl: async (bouncePorts) => {
        sink = await startSink(program, { journal, bouncePorts, reportWait: REPORT_WAIT, slowWait: 0 }, log);
        return `smtp://127.0.0.1:${sink.port}`;
      },
    });
    await processes.start();
    return {
      installation,
      origins: processes.baseUrls.map((url) => new URL(url).origin),
      folder,
      downtimes: [],
      get kills() {
        return processes.kills;
      },
      journal,
      pids: () => processes.members.map(({ pid }) => pid),
      kill: async () => {
        const member = processes.members[processes.kills % processes.members.length]!;
        await processes.kill(member);
        await sleep(DOWN);
        if (!(await processes.startMember(member))) throw new Error(`${member.name} did not restart; see ${folder}.`);
      },
      isIdle: async () => (await processes.lag()) === 0,
      pendingReports: async () => sink?.pendingReports() ?? 0,
      advance: (ms) => processes.advance(ms),
      stop: () => processes.stop(),
      close: async () => {
        await processes.clear();
        await sink?.close();
        closeSync(log);
        await installation.remove();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  };
