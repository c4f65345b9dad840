import type { RequestListener } from 'node:http';

/** Why something is not ready, in a line; null when it is. Never rejects for long: a look has a limit. */
export type Look = () => Promise<string | null>;

/** What is not ready, and why. */
export interface NotReady {
  name: string;
  reason: string;
}

const LOOK_LIMIT = 2_000;
/** A look is not repeated more often than this, ms: anyone may ask. */
const FRESH = 1_000;

/**
 * Whether this process lives and whether it is ready for work, for whoever runs it: `/healthz` and `/readyz` on its HTTP port,
 * under any host name.
 */
export class Health {
  private state: 'starting' | 'running' | 'stopping' = 'starting';
  private readonly looks = new Map<string, Look>();
  private readonly waits = new Map<string, string>();
  private last: { at: number; found: Promise<NotReady[]> } | null = null;

  /** Something to look at from now on. */
  watch(name: string, look: Look): void {
    this.looks.set(name, look);
  }

  /** The start waits for something; null: no longer. */
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

  /** Everything that is not ready. Looks at most once a second. */
  async notReady(): Promise<NotReady[]> {
    const waits = [...this.waits].map(([name, reason]) => ({ name, reason }));
    if (this.state !== 'running') return [{ name: 'service', reason: this.state }, ...waits];
    const now = performance.now();
    if (!this.last || now - this.last.at >= FRESH) this.last = { at: now, found: this.lookAtAll() };
    return [...waits, ...(await this.last.found)];
  }

  private async lookAtAll(): Promise<NotReady[]> {
    const found = await Promise.all(
      [...this.looks].map(async ([name, look]) => ({ name, reason: await withLimit(look) })),
    );
    return found.flatMap(({ name, reason }) => (reason === null ? [] : [{ name, reason }]));
  }

  /** Answers the two paths, and hands every other request on. */
  serve(handler: RequestListener): RequestListener {
    return (req, res) => {
      const path = (req.url ?? '').split('?', 1)[0];
      if (path !== '/healthz' && path !== '/readyz') return handler(req, res);
      const answer = (status: number, body: object): void => {
        res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
        res.end(req.method === 'HEAD' ? undefined : `${JSON.stringify(body)}\n`);
      };
      if (req.method !== 'GET' && req.method !== 'HEAD') return answer(405, { message: 'Method Not Allowed.' });
      if (path === '/healthz') return answer(200, { status: 'ok' });
      void this.notReady().then((notReady) =>
        answer(notReady.length === 0 ? 200 : 503, { ready: notReady.length === 0, not_ready: notReady }),
      );
    };
  }
}

async function withLimit(look: Look): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer in 2 seconds'), LOOK_LIMIT);
  });
  try {
    return await Promise.race([look(), limit]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
