import { randomBytes } from 'node:crypto';
import { wallTime } from '../../lib/advancing-clock';
import type { Services } from '../services';
import type { RecordEntry } from '../../domain/records/record';
import { IMPORTS, type ImportBody, type ImportReport } from './import-record';
import { DAY, SECOND } from '../../lib/clock';
import type { Fault, Progress } from '../definition';
import type { Done } from '../perform';

/** Imports that run at once in this process. */
const RUNNING = 4;
/** How long a report is kept, ms. */
const KEPT = 7 * DAY;
/** How often an import says that it runs and how far it is, real ms. */
const BEAT = 2 * SECOND;
/** One that has said nothing for so long has stopped with its process, real ms. */
const SILENT = 15 * SECOND;

/** An import, as every process sees it. What it imports is stored as it goes, so that its end loses only the rest. */
export type ImportJob = RecordEntry<ImportBody>;

const running = new WeakMap<Services, number>();
const countRunning = (services: Services, more: number): void =>
  void running.set(services, (running.get(services) ?? 0) + more);

/** The import of an id in a workspace; null when there is none, or it began too long ago. */
export async function findImport(
  { engine, clock }: Services,
  workspaceId: number,
  id: string,
): Promise<ImportJob | null> {
  const job = await engine.stores.records.get(IMPORTS, id, clock.now());
  return job?.workspaceId === workspaceId ? job : null;
}

/** True if the process that ran it is gone: it will not go on. */
export const isStopped = ({ body }: ImportJob): boolean => body.ended === null && wallTime() - body.saidAt > SILENT;

type Work = (progress: () => Progress) => Promise<Done<ImportReport>>;

/** Begins an import, and waits for it for `wait` ms. Null: too many run. */
export async function startImport(
  services: Services,
  of: { workspaceId: number; name: string; audience: string | null; bytes: Buffer },
  work: Work,
  wait: number,
): Promise<ImportJob | null> {
  if ((running.get(services) ?? 0) >= RUNNING) return null;
  const run = new Run(services, of);
  countRunning(services, 1);
  const ended = run.begin(work).finally(() => countRunning(services, -1));
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, wait)))]);
  clearTimeout(timer);
  return run.job;
}

/** An import of this process, which alone writes what the others read of it. */
class Run {
  job: ImportJob;

  constructor(
    private readonly services: Services,
    private readonly of: { workspaceId: number; name: string; audience: string | null; bytes: Buffer },
  ) {
    const { name, audience, bytes, workspaceId } = of;
    const body: ImportBody = { name, audience, read: 0, total: bytes.length, line: 1, saidAt: wallTime(), ended: null };
    const id = randomBytes(12).toString('hex');
    const expiresAt = services.clock.now() + KEPT;
    this.job = { kind: IMPORTS.name, id, user: null, workspaceId, expiresAt, version: 1, body };
  }

  async begin(work: Work): Promise<void> {
    const { services, job } = this;
    await services.engine.stores.records.add(IMPORTS, job, services.clock.now());
    let read = 0;
    const progress: Progress = {
      step: (count = 1) => (read += count),
      to: (count) => (read = count),
      done: () => undefined,
    };
    let saving = Promise.resolve();
    const beat = setInterval(() => {
      saving = saving.then(() => this.say(read, null)).catch(() => undefined);
    }, BEAT);
    const ended = await work(() => progress).catch((error: unknown) => {
      services.logger.error({ err: error }, 'an import from the dashboard failed');
      return 'broken' as const;
    });
    clearInterval(beat);
    await saving;
    // Unless it can be written, the import looks as if it had stopped: its contacts are there all the same.
    await this.say(read, ended).catch((error: unknown) =>
      services.logger.error({ err: error }, 'the report of an import could not be stored'),
    );
  }

  /** Writes down how far it is, or how it ended. */
  private async say(read: number, ended: ImportBody['ended']): Promise<void> {
    const { job, of } = this;
    const line = job.body.line + linesIn(of.bytes.subarray(job.body.read, read));
    const body = { ...job.body, read, line, saidAt: wallTime(), ended };
    this.job = { ...job, body };
    const { engine, clock } = this.services;
    if (await engine.stores.records.replace(IMPORTS, job, { body }, clock.now())) this.job.version += 1;
  }
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

/** What is wrong with the input of an import, which has then touched nothing; null otherwise. */
export const refusalOf = ({ body: { ended } }: ImportJob): Fault | null =>
  ended !== null && ended !== 'broken' && !ended.ok && ended.fault.field !== null ? ended.fault : null;
