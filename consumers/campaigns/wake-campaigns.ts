import { DRIVE_WORK } from '../../domain/campaigns/campaign-moves';
import type { Message, MessageStatus } from '../../domain/messages/message';
import type { Activity } from '../../lib/activity';
import { SECOND, type Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { TaskWakes } from '../../stores/ports/due-tasks';

export interface WakeDeps {
  taskWakes: TaskWakes;
  clock: Clock;
  activity: Activity;
  logger: Pick<Logger, 'error'>;
}

const ENDED: readonly MessageStatus[] = ['delivered', 'bounced', 'failed'];
/** A campaign is woken at most once in this time, ms of real time. */
const EVERY = SECOND;

/**
 * Brings the next look at a campaign forward when one of its messages has ended, so that nobody has to look for it all
 * the time. What a crash or a failure of the store loses is found by the look itself, an hour later at most.
 */
export class WakeCampaigns {
  /** The campaigns that were woken a moment ago, and whether they are to be woken once more. */
  private readonly woken = new Map<number, { again: boolean }>();
  private readonly underWay = new Set<Promise<void>>();
  private closed = false;

  constructor(private readonly deps: WakeDeps) {}

  /** Call it with a message that was changed, as it is now. */
  note({ lane, campaignId, status }: Pick<Message, 'lane' | 'campaignId' | 'status'>): void {
    if (lane !== 'campaign' || campaignId === null || !ENDED.includes(status)) return;
    const woken = this.woken.get(campaignId);
    if (woken) woken.again = true;
    else this.begin(campaignId);
  }

  /** Before the store is closed: wakes nothing more, and waits for what is under way. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.underWay);
  }

  private begin(campaignId: number): void {
    if (this.closed) return;
    const waking = this.wake(campaignId).finally(() => this.underWay.delete(waking));
    this.underWay.add(waking);
  }

  /** Never rejects. */
  private async wake(campaignId: number): Promise<void> {
    const { taskWakes, clock, activity, logger } = this.deps;
    const woken = { again: false };
    this.woken.set(campaignId, woken);
    const task = `waking campaign ${campaignId}`;
    activity.begin(task);
    try {
      // A look that is under way may have read what was before.
      if (!(await taskWakes.hasten({ kind: DRIVE_WORK, id: String(campaignId) }, clock.now()))) woken.again = true;
    } catch (err) {
      logger.error({ err, campaign: campaignId }, 'a campaign could not be woken; it is checked again later');
    } finally {
      activity.end(task);
    }
    setTimeout(() => {
      this.woken.delete(campaignId);
      if (woken.again) this.begin(campaignId);
    }, EVERY).unref();
  }
}
