import { Readable } from 'node:stream';

/** Small against what a kernel takes, so that the end of a large mail is not given away long before it can be sent. */
const CHUNK = 64 * 1024;

/**
 * The bytes of a mail behind a gate. The SMTP client reads from it for the first time when the server has asked for the
 * mail (354); then the gate is asked, once, and nothing comes out unless it opens.
 */
export class FencedBody extends Readable {
  private asked = false;
  private offset = 0;
  private complete = false;

  /** `gate` must not reject. `mayFinish` is asked right before the last bytes, without which no server has the mail. */
  constructor(
    private readonly raw: Buffer,
    private readonly gate: () => Promise<boolean>,
    private readonly mayFinish: () => boolean,
  ) {
    super({ highWaterMark: CHUNK });
  }

  /** False as long as the server cannot have the whole mail. */
  get finished(): boolean {
    return this.complete;
  }

  override _read(): void {
    if (this.asked) return this.pushNext();
    this.asked = true;
    void this.gate().then((open) => {
      if (open && !this.destroyed) this.pushNext();
    });
  }

  private pushNext(): void {
    const chunk = this.raw.subarray(this.offset, this.offset + CHUNK);
    this.offset += chunk.length;
    if (this.offset < this.raw.length) return void this.push(chunk);
    if (!this.mayFinish()) return;
    this.complete = true;
    this.push(chunk);
    this.push(null);
  }
}
