/** Work on the same key, one after the other in the order of the calls; keys without work take no memory. */
export class InTurn {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Keys with work under way or waiting. */
  get size(): number {
    return this.last.size;
  }

  /** Settles as `work` does, which begins once earlier work on the key has ended, however it did. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const running = before
      .catch(() => undefined)
      .then(work)
      .finally(() => {
        if (this.last.get(key) === running) this.last.delete(key);
      });
    this.last.set(key, running);
    return running;
  }
}
