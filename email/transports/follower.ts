import type { Deadline } from './deadline';
import type { Called } from './slots';

/** How long a mail waits for the answer to the one before it, ms, until it asks for another connection. */
const PATIENCE = 1_000;

/** The part of a delivery that was announced behind another. */
export interface Announced {
  /** False once it is its turn. */
  readonly follows: boolean;
  withdraw(): void;
}

interface FollowingJob {
  deadline: Deadline;
  /** Where it was announced; null when it was not, or has left. */
  announced: unknown;
}

/**
 * A mail that was announced behind another one over the same connection, and has no place of its own: it takes over that of
 * the one before. When that one is not answered for soon, or its own time is over, it leaves.
 */
export class Follower {
  private readonly patience: NodeJS.Timeout;
  private gone = false;

  constructor(
    private readonly called: Called<FollowingJob>,
    private readonly delivery: Announced,
  ) {
    this.patience = setTimeout(() => this.leave(() => called.sendBack()), PATIENCE);
    called.asker.deadline.whenPassed(() => this.leave(() => called.refuse()));
  }

  /** The one before is done. False when the follower has left, and the place is nobody's. */
  inherit(): boolean {
    if (this.gone) return false;
    clearTimeout(this.patience);
    this.called.admit();
    return true;
  }

  private leave(then: () => void): void {
    if (!this.delivery.follows) return;
    this.gone = true;
    clearTimeout(this.patience);
    this.delivery.withdraw();
    this.called.asker.announced = null;
    then();
  }
}
