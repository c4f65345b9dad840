import { JobThread } from '../../../lib/job-thread';
import type { MailJob, MailResult } from './mail-protocol';
import type { MailReader } from './mail-reader';
import { readMail } from './read-mail';
import type { MailFault, SubmittedMail } from './submitted-mail';

/** Mails up to this size are read here, bytes: even the worst takes no longer than a few ms. */
export const READ_HERE = 64 * 1024;
const LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 };

/**
 * Reads large mails in a thread, so that other clients do not wait meanwhile. The thread starts with the first large
 * mail. When it fails, the mails it had reject, and the next one starts another.
 */
export class WorkerMailReader implements MailReader {
  private readonly thread: JobThread<MailJob, MailResult>;

  /** `program` is the compiled mail-worker. */
  constructor(program: string, onGone: (error: Error) => void, idleMs?: number) {
    this.thread = new JobThread({ name: 'mail worker', program, limits: LIMITS, onGone, idleMs });
  }

  async read(content: Buffer): Promise<SubmittedMail | MailFault> {
    if (content.length <= READ_HERE) return await readMail(content);
    // What shares its memory with other buffers is copied, so that those stay usable.
    const bytes = content.length === content.buffer.byteLength ? content : new Uint8Array(content);
    const { read } = await this.thread.run({ bytes }, [bytes.buffer as ArrayBuffer]);
    return read;
  }

  /** Ends the thread; mails that it still had reject. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}
