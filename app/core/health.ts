import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isLocalVisitor } from '../../api/http/local-visitor';
import { withTimeout } from '../../lib/with-timeout';
import type { WorkReport } from '../../lib/work-report';
import { FailingWork } from './failing-work';

/**
 * Resolves with one line why something is not ready, or null when it is. Never hangs for long: each check has a time
 * limit.
 */
export type HealthCheck = () => Promise<string | null>;

/** Something that is not as it should be, and why. */
export interface Shortcoming {
  name: string;
  reason: string;
}

/** Without something `needed` a process is not ready; without something `missed` it works less well. */
export type Weight = 'needed' | 'missed';

interface Found extends Shortcoming {
  weight: Weight;
}

const HEALTH_PATH = /^\/(healthz|readyz)(?:\?|$)/;
const CHECK_LIMIT = 2_000;
/** A check is not repeated more often than this, ms: anyone may request it. */
const FRESH = 1_000;

/** Whether this process is alive and ready for work: `/healthz` and `/readyz` on its HTTP port, under any host name. */
export class Health {
  /** Work on the store and on the log that fails all the time. */
  readonly failing = { store: new FailingWork(), log: new FailingWork() };
  /**
   * Reports of work above the calls of the store: due work and timers. What fails with the log is the log's failure.
   */
  readonly work: WorkReport = {
    worked: (what) => {
      this.failing.store.worked(what);
      this.failing.log.worked(what);
    },
    failed: (what, error, retryAfter) => {
      const { store, log } = this.failing;
      (log.knows(error) ? log : store).failed(what, error, retryAfter);
    },
  };
  private state: 'starting' | 'running' | 'stopping' = 'starting';
  /** By name and weight. */
  private readonly checks = new Map<string, { name: string; check: HealthCheck; weight: Weight }>();
  private readonly waits = new Map<string, string>();
  private last: { at: number; found: Promise<Found[]> } | null = null;

  /** Adds a check; another of the same name may have the other weight. */
  watch(name: string, check: HealthCheck, weight: Weight = 'needed'): void {
    this.checks.set(`${name} ${weight}`, { name, check, weight });
  }

  /** The start waits for something; null: it no longer waits. */
  waitsFor(name: string, reason: string | null): void {
    if (reason === null) this.waits.delete(name);
    else this.waits.set(name, reason);
  }

  running(): void {
    this.state = 'running';
  }

  stopping(): void {
    this.state = 'stopping';
  }

  /** Everything that is not as it should be. Checks at most once a second. */
  private async shortcomings(): Promise<Found[]> {
    const needed = { weight: 'needed' } as const;
    const waits = [...this.waits].map(([name, reason]) => ({ name, reason, ...needed }));
    if (this.state !== 'running') return [{ name: 'service', reason: this.state, ...needed }, ...waits];
    const now = performance.now();
    if (!this.last || now - this.last.at >= FRESH) this.last = { at: now, found: this.lookAtAll() };
    return [...waits, ...(await this.last.found)];
  }

  private async lookAtAll(): Promise<Found[]> {
    const found = await Promise.all(
      [...this.checks.values()].map(async ({ name, check, weight }) => ({
        name,
        weight,
        reason: await withLimit(check),
      })),
    );
    return found.flatMap(({ reason, ...rest }) => (reason === null ? [] : [{ ...rest, reason }]));
  }

  /**
   * Answers the two paths and passes every other request on. What is not as it should be is named to visitors on this
   * machine only: it tells of servers and their errors.
   */
  serve(handler: RequestListener, trustedHops = 0): RequestListener {
    return (req, res) => {
      const path = HEALTH_PATH.exec(req.url ?? '')?.[1];
      if (path === undefined) return handler(req, res);
      if (path === 'readyz') return void this.answerReady(req, res, isLocalVisitor(req, trustedHops));
      if (isRead(req)) return answer(req, res, 200, { status: 'ok' });
      refuse(req, res);
    };
  }

  /** Answers a request for `/readyz`; `detailed`: with the names and reasons of what is not as it should be. */
  async answerReady(req: IncomingMessage, res: ServerResponse, detailed: boolean): Promise<void> {
    if (!isRead(req)) return refuse(req, res);
    const { ready, degraded, ...details } = readiness(await this.shortcomings());
    answer(req, res, ready ? 200 : 503, { ready, degraded, ...(detailed && details) });
  }
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

const refuse = (req: IncomingMessage, res: ServerResponse): void =>
  answer(req, res, 405, { message: 'Method Not Allowed.' });

function answer(req: IncomingMessage, res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(req.method === 'HEAD' ? undefined : `${JSON.stringify(body)}\n`);
}

/** The response to `/readyz`. */
function readiness(found: readonly Found[]) {
  const of = (wanted: Weight): Shortcoming[] =>
    found.flatMap(({ name, reason, weight }) => (weight === wanted ? [{ name, reason }] : []));
  const [notReady, degradedBy] = [of('needed'), of('missed')];
  return {
    ready: notReady.length === 0,
    degraded: degradedBy.length > 0,
    not_ready: notReady,
    degraded_by: degradedBy,
  };
}

async function withLimit(check: HealthCheck): Promise<string | null> {
  try {
    return await withTimeout(check(), CHECK_LIMIT, { error: () => new Error('no answer in 2 seconds') });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
