import { Lanes } from '../../consumers/due-work/lanes';
import { AttemptClient } from '../../operations/webhooks/attempt-client';
import { createWebhookSender } from '../../operations/webhooks/client/sender';
import type { Services } from '../shared-services';
import type { WebhookSender } from '../../operations/webhooks/client/webhook-sender';
import { alarmTarget, webhookTargets } from '../../operations/webhooks/webhook-targets';

/** What makes the requests of webhooks and of webhook steps. Both share it, so the limits of the process count once. */
export interface WebhookRequests {
  client: AttemptClient;
  lanes: Lanes;
  /** For the operator's URL for alarms alone. */
  alarmSender: WebhookSender;
  close(): Promise<void>;
}

export function openWebhookRequests(services: Services): WebhookRequests {
  const { config, keyring, clock, metrics, wrap } = services;
  const { webhookLimits: limits } = config;
  const made = createWebhookSender({ targets: webhookTargets(services, { lookups: limits.inAll }) });
  const wrapped = wrap.webhookSender?.(made) ?? made;
  const sender = metrics?.traffic.webhookSender(wrapped) ?? wrapped;
  const alarmSender = createWebhookSender({ targets: alarmTarget(config) });
  return {
    client: new AttemptClient({ keyring, sender, clock }),
    lanes: new Lanes(limits),
    alarmSender,
    close: async () => void (await Promise.all([sender.close(), alarmSender.close()])),
  };
}
