import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WEBHOOK_WORK } from '../../../domain/webhooks/webhook-delivery';
import { withData } from '../../../proof/crash/installation';
import type { CrashPoint } from '../../../proof/crash/points';
import type { Scene } from '../../../proof/crash/stage/play';
import type { Stage } from '../../../proof/crash/stage/stage';
import { ask } from '../../../proof/world/request';
import { SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';

/** Longer than the lease of a claim and than the first wait. */
const STEP = 31 * SECOND;
/** Real time without a change after which time is advanced, ms. An attempt on loopback takes far less. */
const QUIET = 2_000;

/** An endpoint in this process, registered once, and what it receives over all lives of the service. */
export class WebhookEndpoint {
  /** The `webhook-id` of every request. */
  private readonly received: string[] = [];
  private isRegistered = false;
  private readonly server = createServer((req, res) => {
    this.received.push(String(req.headers['webhook-id']));
    req.resume();
    res.writeHead(this.received.length <= this.refusals ? 500 : 204).end();
  });

  /** It refuses so many requests first. */
  private constructor(private readonly refusals: number) {}

  static async open({ activity }: CrashPoint): Promise<WebhookEndpoint> {
    const endpoint = new WebhookEndpoint(activity === 'refused webhook' ? 1 : 0);
    await once(endpoint.server.listen(0, '127.0.0.1'), 'listening');
    return endpoint;
  }

  /** Tries until it is registered. */
  async register({ outside, senders }: Scene, signal: AbortSignal): Promise<void> {
    const { port } = this.server.address() as AddressInfo;
    const body = { url: `http://127.0.0.1:${port}/`, event_types: ['delivered'] };
    while (!this.isRegistered && !signal.aborted) {
      this.isRegistered =
        (await ask(outside.ports.http, '/v1/webhooks', { key: senders[0]!.apiKey, body }))?.status === 201;
      if (!this.isRegistered) await sleep(50);
    }
  }

  /** Advances time until the event has arrived and nothing waits. */
  async untilDelivered(stage: Stage, messageId: string, signal: AbortSignal): Promise<void> {
    await withData(stage.installation, async ({ stores }) => {
      for (let seen = '', since = performance.now(); !signal.aborted; await sleep(50)) {
        const deliveries = await stores.deliveries.ofMessage(messageId);
        if (deliveries.length > 0 && (await stores.dueTasks.nextDue(WEBHOOK_WORK)) === null) return;
        const now = JSON.stringify([deliveries, this.received.length]);
        if (now !== seen) [seen, since] = [now, performance.now()];
        if (performance.now() - since < QUIET || deliveries.length === 0) continue;
        await stage.advance(STEP);
        since = performance.now();
      }
    });
  }

  /** What is wrong in the end with what it received of the message. */
  async wrong(stage: Stage, messageId: string, { attempts: expected }: CrashPoint): Promise<string[]> {
    const [deliveries, due] = await withData(stage.installation, async ({ stores }) => [
      await stores.deliveries.ofMessage(messageId),
      await stores.dueTasks.nextDue(WEBHOOK_WORK),
    ]);
    const ids = new Set(this.received);
    const [delivery] = deliveries;
    if (!delivery || deliveries.length > 1) return [`the event has ${deliveries.length} deliveries`];
    const { id, state, attempts } = delivery;
    return [
      ...(state === 'delivered' ? [] : [`the delivery is ${state}`]),
      ...(ids.size === 1 && ids.has(id) ? [] : [`it arrived under ${[...ids].join(', ')}, not under ${id} alone`]),
      ...(expected.includes(attempts.length)
        ? []
        : [`it took ${attempts.length} attempts, not ${expected.join(' or ')}`]),
      ...(this.received.length <= attempts.length
        ? []
        : [`${this.received.length} requests, ${attempts.length} attempts`]),
      ...(due === null ? [] : ['work for webhooks was left behind']),
    ];
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
