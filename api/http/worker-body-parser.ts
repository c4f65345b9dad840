import { JobThread } from '../../lib/job-thread';
import type { Shape, Source } from '../../schemas/rules/normalize';
import { ApiError } from '../errors';
import type { BodyParser } from './body-parser';
import type { BodyJob, BodyResult } from './body-protocol';
import { parseBody } from './parse-body';

/** Bodies up to this size are parsed here, bytes: even the worst takes no longer than a few ms. */
export const PARSED_HERE = 128 * 1024;
/** The largest body needs about 100 MB. With less room, what earlier bodies left is collected sooner. */
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 };

/**
 * Parses large bodies in a thread, so that other callers do not wait meanwhile: 20 MB of JSON take 30 to 200 ms. The
 * thread starts with the first large body. When it fails, the bodies it had reject, and the next one starts another.
 */
export class WorkerBodyParser implements BodyParser {
  private readonly thread: JobThread<BodyJob, BodyResult>;

  /** `program` is the compiled body-worker. */
  constructor(program: string, onGone: (error: Error) => void, idleMs?: number) {
    this.thread = new JobThread({ name: 'body worker', program, limits: LIMITS, onGone, idleMs });
  }

  parse(bytes: Buffer, source: Source, shape: Shape): object | Promise<object> {
    return bytes.length <= PARSED_HERE ? parseBody(bytes, source) : this.parseInThread(bytes, source, shape);
  }

  private async parseInThread(bytes: Buffer, source: Source, shape: Shape): Promise<object> {
    const result = await this.thread.run({ bytes, source, shape }, [bytes.buffer as ArrayBuffer]);
    if ('fields' in result) return result.fields;
    throw new ApiError(result.code, { text: result.text });
  }

  /** Ends the thread; bodies that it still had reject. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}
