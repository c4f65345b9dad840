import type { Activity } from '../../lib/activity';
import type { Deadline } from './deadline';
import type { Called } from './slots';

/**
 * How long a mail waits for the answer to the one before it, ms, until it asks for another connection. The connection is lost
 * then, so nothing is announced to a server that mostly takes more than half of it.
 */
export const PATIENCE = 1_000;
const FOLLOWING = 'wait for the answer to the mail before';

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
 * the one before. When that one is not answered for soon, or its own time is over, it leaves. So long this is work: the server
 * may wait for the clock, and this mail is not to wait with it.
 */
export class Follower {
  private readonly patience: NodeJS.Timeout;
  private gone = false;

  constructor(
    private readonly called: Called<FollowingJob>,
    private readonly delivery: Announced,
    private readonly activity: Activity,
  ) {
    activity.begin(FOLLOWING);
    this.patience = setTimeout(() => this.leave(() => called.sendBack()), PATIENCE);
    called.asker.deadline.whenPassed(() => this.leave(() => called.refuse()));
  }

  /** The one before is done. False when the follower has left, and the place is nobody's. */
  inherit(): boolean {
    if (this.gone) return false;
    this.end();
    this.called.admit();
    return true;
  }

  private leave(then: () => void): void {
    if (!this.delivery.follows) return;
    this.gone = true;
    this.delivery.withdraw();
    this.called.asker.announced = null;
    then();
    this.end();
  }

  private end(): void {
    clearTimeout(this.patience);
    this.activity.end(FOLLOWING);
  }
}
