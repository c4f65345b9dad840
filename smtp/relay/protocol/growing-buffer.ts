const FIRST = 512;

/** Bytes that come in pieces, in one piece of memory that grows by doubling and no further than `most`. */
export class GrowingBuffer {
  private bytes: Buffer | null = null;
  private used = 0;

  /** `most` in bytes. */
  constructor(private most: number) {}

  get length(): number {
    return this.used;
  }

  /** Allows `most` bytes from now on, and takes the memory for them at once. */
  reserve(most: number): void {
    this.most = most;
    this.moveTo(most);
  }

  /** Adds bytes `from` to `to` of a chunk. False, and nothing is added, when they are too many. */
  append(chunk: Buffer, from: number, to: number): boolean {
    const length = this.used + to - from;
    if (length > this.most) return false;
    if (length > (this.bytes?.length ?? 0)) this.moveTo(Math.min(this.most, Math.max(FIRST, 2 * length)));
    if (this.bytes) chunk.copy(this.bytes, this.used, from, to);
    this.used = length;
    return true;
  }

  /** Everything so far. The buffer starts again, with new memory. */
  take(): Buffer {
    const taken = this.bytes?.subarray(0, this.used) ?? Buffer.alloc(0);
    this.bytes = null;
    this.used = 0;
    return taken;
  }

  private moveTo(size: number): void {
    const moved = Buffer.allocUnsafeSlow(size);
    this.bytes?.copy(moved, 0, 0, this.used);
    this.bytes = moved;
  }
}
