import { createJourneys } from '../../consumers/journeys';
import { createGoalsConsumer } from '../../consumers/journeys/goals';
import { Poster } from '../../consumers/journeys/poster';
import { createWebhookSender } from '../../commands/webhooks/client/sender';
import type { Services } from '../services';
import { groupPart } from './groups';
import type { Part } from './part';
import { webhookTargets } from './webhook-targets';

/** The group that reaches goals, the steps, and the posts of webhook steps, which stop first. */
export function journeysParts(services: Services, isTravelling: () => boolean): Part[] {
  const { engine, clock, activity, keyring, newId, logger, config, wrap } = services;
  const { stores, log } = engine;
  const { webhookLimits: limits, webhookLogKept: postsKept } = config;
  const accept = { stores, log, keyring, clock, newId };
  const journeys = createJourneys({ stores, accept, clock, activity, logger, postsKept });
  const made = createWebhookSender({ targets: webhookTargets(services, { lookups: limits.inAll }) });
  const wrapped = wrap.webhookSender?.(made) ?? made;
  const sender = services.metrics?.traffic.webhookSender(wrapped) ?? wrapped;
  const poster = new Poster({ stores, keyring, sender, clock, activity, logger, limits, isTravelling });
  return [
    groupPart(services, createGoalsConsumer({ stores, clock })),
    {
      name: 'journeys',
      start: async () => journeys.start(),
      stop: () => journeys.stop(),
      isIdle: () => journeys.isIdle(),
      nextDue: () => journeys.nextDue(),
    },
    {
      name: 'webhook steps',
      start: async () => poster.start(),
      stop: async () => {
        await poster.stop();
        await sender.close();
      },
      isIdle: () => poster.isIdle(),
      nextDue: () => poster.nextDue(),
    },
  ];
}
