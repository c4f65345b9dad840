import type { LibrdKafkaError } from 'node-rdkafka';
import { withTimeout } from '../../../../lib/with-timeout';
import type { Position } from '../../../event-log';
import { REQUEST_TIMEOUT } from '../options';

type Settle = (error: Error | null) => void;

/** Runs commits one after the other, since librdkafka reports that one is done, but not which. */
export class Commits {
  private last: Promise<void> = Promise.resolve();
  private current: Settle | null = null;
  private closed = false;

  constructor(
    private readonly send: (positions: readonly Position[]) => void,
    /**
     * Called when no report arrived in time. A late report would be taken for that of the next commit, so this is the
     * last commit.
     */
    private readonly onTimeout: (error: unknown) => void,
  ) {}

  /** Resolves when the positions are durable. Rejects when they are not, or when no report arrives in time. */
  add(positions: readonly Position[]): Promise<void> {
    const result = this.last.then(() => this.run(positions));
    this.last = result.catch(() => {});
    return result;
  }

  settle(error: LibrdKafkaError | null): void {
    this.current?.(error ? new Error(error.message) : null);
  }

  close(): void {
    this.closed = true;
    this.current?.(new Error('the reader was closed'));
  }

  private giveUp(): void {
    this.closed = true;
    this.onTimeout(new Error('a commit was never answered'));
  }

  private async run(positions: readonly Position[]): Promise<void> {
    if (this.closed) throw new Error('the reader was closed');
    const reported = new Promise<void>((resolve, reject) => {
      this.current = (error) => (error ? reject(error) : resolve());
    });
    try {
      this.send(positions);
      await withTimeout(reported, REQUEST_TIMEOUT, { what: 'committing', onLate: () => this.giveUp() });
    } finally {
      this.current = null;
    }
  }
}
