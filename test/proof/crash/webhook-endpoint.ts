import { WEBHOOK_WORK } from '../../../domain/webhooks/webhook-delivery';
import { freePorts } from '../../../proof/crash/free-ports';
import { withData } from '../../../proof/crash/installation';
import type { CrashPoint } from '../../../proof/crash/points';
import type { Scene } from '../../../proof/crash/stage/play';
import { subscribe } from '../../../proof/crash/webhooks/subscribe';
import { Receivers } from '../../../proof/world/receivers';
import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';

/** Longer than the lease of a claim and than the first wait. */
const STEP = 31 * SECOND;
/** Real time without a change after which time is advanced, ms. An attempt on loopback takes far less. */
const QUIET = 2_000;

/** A receiver for the events of one message, registered once, over all lives of the service. The judge looks at it. */
export class WebhookEndpoint {
  private registered: Promise<unknown> | null = null;

  private constructor(
    private readonly scene: Scene,
    private readonly receivers: Receivers,
    private readonly receiver: { hook: string; url: string },
  ) {}

  static async open(scene: Scene, { activity }: CrashPoint): Promise<WebhookEndpoint> {
    const { recorder, ports } = scene.outside;
    [ports.hooks = 0] = await freePorts(1);
    const receivers = new Receivers(recorder, scene.random, ports);
    const receiver = receivers.open(0, activity === 'refused webhook' ? 'good once refused' : 'good');
    return new WebhookEndpoint(scene, receivers, receiver);
  }

  /** Asks until it is registered. */
  async register(signal: AbortSignal): Promise<void> {
    const { outside, senders } = this.scene;
    const hook = { receivers: this.receivers, ...this.receiver, events: ['delivered'] };
    await Promise.race([(this.registered ??= subscribe(outside, senders[0]!, hook)), untilAborted(signal)]);
  }

  /** Advances time until the event has arrived and nothing waits. */
  async untilDelivered(messageId: string, signal: AbortSignal): Promise<void> {
    const { stage, outside } = this.scene;
    await withData(stage.installation, async ({ stores }) => {
      for (let seen = '', since = performance.now(); !signal.aborted; await sleep(50)) {
        const deliveries = await stores.deliveries.ofMessage(messageId);
        if (deliveries.length > 0 && (await stores.dueTasks.nextDue(WEBHOOK_WORK)) === null) return;
        const now = JSON.stringify([deliveries, outside.recorder.lines.length]);
        if (now !== seen) [seen, since] = [now, performance.now()];
        if (performance.now() - since < QUIET || deliveries.length === 0) continue;
        await stage.advance(STEP);
        since = performance.now();
      }
    });
  }

  /** What nobody outside can see: claims that are not counted as attempts, and work that is left behind. */
  async wrong(messageId: string, { attempts: expected }: CrashPoint): Promise<string[]> {
    const [deliveries, due] = await withData(this.scene.stage.installation, async ({ stores }) => [
      await stores.deliveries.ofMessage(messageId),
      await stores.dueTasks.nextDue(WEBHOOK_WORK),
    ]);
    const attempts = deliveries.map((one) => one.attempts.length);
    return [
      ...(attempts.length === 1 && expected.includes(attempts[0]!)
        ? []
        : [`it took ${attempts.join(' and ')} attempts, not ${expected.join(' or ')}`]),
      ...(due === null ? [] : ['work for webhooks was left behind']),
    ];
  }

  close(): void {
    this.receivers.close();
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
