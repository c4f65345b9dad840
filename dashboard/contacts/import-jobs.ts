import { randomBytes } from 'node:crypto';
import type { Services } from '../../app/services';
import type { Done } from '../../operations/perform';
import type { Fault, Progress } from '../../operations/spec';

/** Imports that run at once in this process. */
const RUNNING = 4;
/** Reports that are kept, the newest. */
const KEPT = 50;

/** An import of this process: what is imported is stored as it goes, so that its end loses only the report. */
export interface ImportJob {
  id: string;
  workspaceId: number;
  name: string;
  /** The audience that all join; null for none. */
  audience: string | null;
  /** Bytes of the file. */
  read: number;
  total: number;
  /** Null while it runs; `broken`: what no operation refuses. */
  ended: Done | 'broken' | null;
}

const JOBS = new WeakMap<Services, Map<string, ImportJob>>();

function jobsOf(services: Services): Map<string, ImportJob> {
  const jobs = JOBS.get(services) ?? new Map<string, ImportJob>();
  JOBS.set(services, jobs);
  return jobs;
}

/** The import of an id in a workspace; null when this process does not know it. */
export function findImport(services: Services, workspaceId: number, id: string): ImportJob | null {
  const job = jobsOf(services).get(id);
  return job?.workspaceId === workspaceId ? job : null;
}

type Work = (progress: () => Progress) => Promise<Done>;

/** Begins an import, and waits for it for `wait` ms. Null: too many run. */
export async function startImport(
  services: Services,
  of: Pick<ImportJob, 'workspaceId' | 'name' | 'audience' | 'total'>,
  work: Work,
  wait: number,
): Promise<ImportJob | null> {
  const jobs = jobsOf(services);
  if ([...jobs.values()].filter(({ ended }) => ended === null).length >= RUNNING) return null;
  const job: ImportJob = { ...of, id: randomBytes(12).toString('hex'), read: 0, ended: null };
  jobs.set(job.id, job);
  forgetOld(jobs);
  const running = run(services, job, work);
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([running, new Promise((resolve) => (timer = setTimeout(resolve, wait)))]);
  clearTimeout(timer);
  return job;
}

async function run(services: Services, job: ImportJob, work: Work): Promise<void> {
  const progress: Progress = {
    step: (count = 1) => (job.read += count),
    to: (count) => (job.read = count),
    done: () => undefined,
  };
  try {
    job.ended = await work(() => progress);
  } catch (error) {
    services.logger.error({ err: error }, 'an import of the dashboard failed');
    job.ended = 'broken';
  }
}

function forgetOld(jobs: Map<string, ImportJob>): void {
  for (const [id, { ended }] of jobs) {
    if (jobs.size <= KEPT) return;
    if (ended !== null) jobs.delete(id);
  }
}

/** What is wrong with the input of an import, which has then touched nothing; null otherwise. */
export const refusalOf = ({ ended }: ImportJob): Fault | null =>
  ended !== null && ended !== 'broken' && !ended.ok && ended.fault.field !== null ? ended.fault : null;
