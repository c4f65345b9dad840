import { Worker } from 'node:worker_threads';
import { Slab } from '../../lib/slab';
import type { Shape, Source } from '../../schemas/normalize';
import { ApiError } from '../errors';
import type { BodyParser } from './body-parser';
import type { BodyResult } from './body-protocol';
import { parseBody } from './parse-body';

/** Bodies up to this size are parsed here, bytes: even the worst takes no longer than a few ms. */
export const PARSED_HERE = 128 * 1024;
/** After so long without a large body the thread ends, and gives its memory back. */
const IDLE_MS = 10_000;
/** The largest body needs about 100 MB. With less room, what earlier bodies left is collected sooner. */
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 };

interface Pending {
  resolve(fields: object): void;
  reject(error: Error): void;
}

/**
 * Parses large bodies in a thread, so that other callers do not wait meanwhile: 20 MB of JSON take 30 to 200 ms. The
 * thread starts with the first large body. When it fails, the bodies it had reject, and the next one starts another.
 */
export class WorkerBodyParser implements BodyParser {
  private worker: Worker | null = null;
  private readonly pending = new Slab<Pending>();
  private idle: NodeJS.Timeout | null = null;

  /** `program` is the compiled body-worker. */
  constructor(
    private readonly program: string,
    private readonly onGone: (error: Error) => void,
    private readonly idleMs = IDLE_MS,
  ) {}

  async parse(bytes: Buffer, source: Source, shape: Shape): Promise<object> {
    if (bytes.length <= PARSED_HERE) return parseBody(bytes, source);
    if (this.idle) clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      const id = this.pending.insert({ resolve, reject });
      worker.postMessage({ id, bytes, source, shape }, [bytes.buffer as ArrayBuffer]);
    });
  }

  /** Ends the thread; bodies that it still had reject. */
  async close(): Promise<void> {
    if (this.idle) clearTimeout(this.idle);
    await this.end(new Error('the service is stopping'));
  }

  private start(): Worker {
    const worker = new Worker(this.program, { resourceLimits: LIMITS });
    const failed = (error: Error): void => {
      if (this.worker !== worker) return;
      this.onGone(error);
      void this.end(error);
    };
    worker.on('message', (result: BodyResult) => this.settle(result));
    worker.on('error', failed).on('messageerror', failed);
    worker.on('exit', (code) => failed(new Error(`it stopped with code ${code}`)));
    return worker;
  }

  private settle(result: BodyResult): void {
    const pending = this.pending.remove(result.id);
    if ('fields' in result) pending?.resolve(result.fields);
    else if ('code' in result) pending?.reject(new ApiError(result.code, { text: result.text }));
    else pending?.reject(new Error(result.failure));
    if (this.pending.size > 0) return;
    this.idle = setTimeout(() => void this.end(null), this.idleMs);
    this.idle.unref();
  }

  private async end(error: Error | null): Promise<void> {
    const { worker } = this;
    this.worker = null;
    const gone = new Error(`The body worker has ended: ${error?.message ?? 'it was idle'}`, { cause: error });
    for (const [id] of this.pending.entries()) this.pending.remove(id)?.reject(gone);
    await worker?.terminate();
  }
}
