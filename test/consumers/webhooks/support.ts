import { Lanes, type LaneLimits } from '../../../consumers/due-work/lanes';
import { deliverWork } from '../../../consumers/webhooks/deliver-work';
import type { MessageEventName } from '../../../domain/engagement/signal';
import { MAX_WEBHOOKS, webhookSecretContext, type Webhook } from '../../../domain/webhooks/webhook';
import { eventId, WEBHOOK_WORK, type MessageEvent } from '../../../domain/webhooks/webhook-delivery';
import { AttemptClient } from '../../../operations/webhooks/attempt-client';
import type { WebhookAnswer, WebhookRequest } from '../../../operations/webhooks/client/webhook-sender';
import { acceptMessage, aWebhook, createSender, TEST_KEYRING } from '../../support/builders';
import { dueRunner } from '../../support/due-work';
import type { Subject } from '../../contract/harness';
import { at, present } from '../../contract/helpers';

export const SECRET = 's'.repeat(40);
export const ANSWERED: WebhookAnswer = { ok: true, status: 204, error: null, durationMs: 3, answer: '' };
export const REFUSED: WebhookAnswer = {
  ok: false,
  status: 500,
  error: 'It answered 500.',
  durationMs: 3,
  answer: 'no',
};

export interface Sent extends WebhookRequest {
  at: number;
}

/** An endpoint at the place of the network: it keeps what was sent and answers as `answer` says. */
export class Endpoint {
  readonly sent: Sent[] = [];
  running = 0;
  mostRunning = 0;
  answer: (request: WebhookRequest) => WebhookAnswer | Promise<WebhookAnswer> = () => ANSWERED;

  constructor(private readonly now: () => number) {}

  async send(request: WebhookRequest): Promise<WebhookAnswer> {
    this.sent.push({ ...request, at: this.now() });
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    try {
      return await this.answer(request);
    } finally {
      this.running -= 1;
    }
  }

  /** The payloads sent, parsed. */
  get payloads(): Record<string, unknown>[] {
    return this.sent.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
  }
}

/** The deliverer on the real stores, with an endpoint at the place of the network. */
export function deliverer(
  subject: Subject,
  options: { limits?: Partial<LaneLimits>; travelling?: boolean; stores?: Subject['stores'] } = {},
) {
  const { clock } = subject;
  const stores = options.stores ?? subject.stores;
  const endpoint = new Endpoint(() => clock.now());
  const warnings: string[] = [];
  const client = new AttemptClient({ keyring: TEST_KEYRING, clock, sender: endpoint });
  const logger = { warn: (_facts: object, text: string) => void warnings.push(text) };
  const lanes = new Lanes({ perEndpoint: 10, perWorkspace: 50, inAll: 500, ...options.limits });
  const work = deliverWork({ stores, client, logger, lanes });
  const isTravelling = (): boolean => options.travelling ?? false;
  const { runner: made, errors, idle } = dueRunner({ stores, clock, isTravelling }, WEBHOOK_WORK, work);
  return { made, endpoint, errors, warnings, idle };
}

/** A webhook of a new workspace, and a way to make events of its messages. */
export async function aSubscription(subject: Subject, eventTypes: MessageEventName[] = ['delivered']) {
  const sender = await createSender(subject.stores);
  return { sender, webhook: await register(subject, sender.workspace.id, eventTypes) };
}

export async function register(
  { stores }: Subject,
  workspaceId: number,
  eventTypes: MessageEventName[] = ['delivered'],
): Promise<Webhook> {
  const made = aWebhook(workspaceId, { eventTypes });
  const secretSealed = TEST_KEYRING.seal(SECRET, webhookSecretContext(made));
  return present(await stores.webhooks.create({ ...made, secretSealed }, MAX_WEBHOOKS));
}

/** Stores an event of a new message of the sender. */
export async function happened(
  subject: Subject,
  sender: Awaited<ReturnType<typeof createSender>>,
  fields: Partial<MessageEvent> = {},
) {
  const message = await acceptMessage(subject.stores, sender);
  const now = subject.clock.now();
  const facts = { messageId: message.id, event: 'delivered', occurredAt: now, reason: null, ...fields } as const;
  const event: MessageEvent = { workspaceId: message.workspaceId, link: null, ...facts, id: eventId(facts) };
  await subject.stores.deliveries.fanOut(event, now);
  return { message, event };
}

/** The only delivery of a message. */
export const deliveryOf = async ({ stores }: Subject, messageId: string) =>
  at(await stores.deliveries.ofMessage(messageId), 0);
