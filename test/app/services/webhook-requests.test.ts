import { afterAll, expect, it } from '@jest/globals';
import { sendTest } from '../../../operations/webhooks/redeliver';
import type { WebhookRequest } from '../../../operations/webhooks/client/webhook-sender';
import { journeySecretContext, type JourneyStep } from '../../../domain/journeys/journey';
import { MAX_WEBHOOKS, webhookSecretContext } from '../../../domain/webhooks/webhook';
import { AdvancingClock } from '../../../lib/advancing-clock';
import { MINUTE } from '../../../lib/clock';
import { eventually, present } from '../../contract/helpers';
import { aWebhook } from '../../support/builders';
import { aJourney, anEnrollment } from '../../support/marketing';
import { Running, temporaryInstallation } from '../../support/running';

const SECRET = 's'.repeat(40);
const POST: JourneyStep = { kind: 'webhook', url: 'https://hook.test/journey' };
let service: Running;
afterAll(() => service.stop());

it('KURIR_WEBHOOKS_IN_ALL counts once in a process that runs webhooks and journeys', async () => {
  const sent: WebhookRequest[] = [];
  const waiting: (() => void)[] = [];
  let [running, most] = [0, 0];
  const send = async (request: WebhookRequest) => {
    sent.push(request);
    most = Math.max(most, (running += 1));
    await new Promise<void>((resolve) => waiting.push(resolve));
    running -= 1;
    return { ok: true, status: 204, error: null, durationMs: 1, answer: '' };
  };
  const sender = { send, close: async () => undefined };
  const env = { KURIR_WEBHOOKS_IN_ALL: '1' };
  const wrap = { webhookSender: () => sender };
  service = await Running.startOn(temporaryInstallation(), env, new AdvancingClock(), { wrap });
  const { stores, clock } = service;
  const { keyring } = service.kurir.services;
  const workspaceId = present((await stores.workspaces.list())[0]).id;
  const made = aWebhook(workspaceId);
  const secretSealed = keyring.seal(SECRET, webhookSecretContext(made));
  const webhook = present(await stores.webhooks.create({ ...made, secretSealed }, MAX_WEBHOOKS));
  for (const nonce of ['a', 'b']) await sendTest(stores, webhook, nonce, clock.now());
  const sealed = keyring.seal(SECRET, journeySecretContext(workspaceId));
  const journey = await stores.journeys.create(aJourney(workspaceId, { steps: [POST], secretSealed: sealed }));
  for (let n = 0; n < 2; n += 1) await stores.journeyRuns.enroll({ ...anEnrollment(journey), at: clock.now() });
  await eventually(async () => expect(sent).toHaveLength(1));
  clock.advance(MINUTE);
  await eventually(async () => expect(await stores.dueTasks.nextDue('journey-post')).not.toBeNull());
  // What is due is looked for every second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for (let answered = 0; answered < 4; answered += 1) {
    await eventually(async () => expect(waiting).not.toEqual([]));
    waiting.shift()?.();
  }
  await eventually(async () => expect(await stores.dueTasks.nextDue('journey-post')).toBeNull());
  expect([sent.filter(({ url }) => url === POST.url).length, sent.length, most]).toEqual([2, 4, 1]);
});
