import { setTimeout } from 'node:timers/promises';
import { createCoinsConsumer } from '../consumers/coins';
import { createDispatchConsumer } from '../consumers/dispatch';
import { createEngagementConsumer } from '../consumers/engagement';
import { createFeedbackConsumer } from '../consumers/mta-feedback';
import { Throttle } from '../consumers/throttle';
import { Timers } from '../consumers/timers';
import { HAND_OFF_LIMIT } from '../domain/retry-schedule';
import { SmtpTransport } from '../email/transports/smtp';
import type { SmtpTransportOptions } from '../email/transports/smtp-options';
import type { Transport } from '../email/transports/transport';
import { groupPart } from './groups';
import type { Part } from './life-cycle';
import type { Services } from './services';
import { StartError } from './start-error';

/** Time for connections to say goodbye, ms. */
const CLOSE_GRACE = 500;

/** The one process of the embedded engine holds every shard; after a crash the next life takes them over at once. */
const EMBEDDED_OWNER = 'embedded';

/**
 * The consumers in the order they start: whoever makes work for others comes after them, so that stopping, in reverse, first
 * stops new claims and then drains what is on its way.
 */
export function consumerParts(services: Services, mtaUrl: () => string): Part[] {
  const { engine, clock, logger, config, activity } = services;
  const { stores, log } = engine;
  const { evidenceWait } = config;
  const timers = new Timers({ stores, log, clock, activity, evidenceWait, logger });
  const throttle = new Throttle({ stores, clock, activity, logger, owner: EMBEDDED_OWNER });
  return [
    groupPart(services, createCoinsConsumer({ stores })),
    groupPart(services, createEngagementConsumer({ stores })),
    groupPart(services, createFeedbackConsumer({ stores, evidenceWait, logger })),
    dispatchPart(services, mtaUrl),
    {
      name: 'timers',
      start: async () => timers.start(),
      stop: () => timers.stop(),
      caughtUp: () => timers.caughtUp(),
      nextDue: () => stores.queue.nextDeadline(),
    },
    groupPart(services, throttle.consumer),
    {
      name: 'throttle',
      start: () => throttle.start(),
      stop: () => throttle.stop(),
      caughtUp: () => throttle.caughtUp(),
      arrived: () => throttle.keepShards(),
    },
  ];
}

/** Dispatch and its connections to the sending server, whose address is known once everything before has started. */
function dispatchPart(services: Services, mtaUrl: () => string): Part {
  const { engine, keyring, clock, logger, config, publicUrl, newToken, activity, wrap } = services;
  let transport: Transport | null = null;
  let group: Part | null = null;
  return {
    name: 'dispatch',
    start: async () => {
      const smtp = openTransport({
        url: mtaUrl(),
        maxConnections: config.mtaConnections,
        name: new URL(publicUrl()).hostname,
        timeouts: { whole: HAND_OFF_LIMIT },
        activity,
      });
      transport = wrap.transport?.(smtp) ?? smtp;
      const consumer = createDispatchConsumer({
        stores: engine.stores,
        transport,
        keyring,
        clock,
        publicUrl,
        evidenceWait: config.evidenceWait,
        // More than connections: others are composed, signed or recorded while these are on the wire.
        concurrency: config.mtaConnections * 4,
        newToken,
        logger,
      });
      group = groupPart(services, consumer);
      await group.start();
    },
    stop: async () => {
      await group?.stop();
      // What still hangs ends with the process: before the fence nothing was sent, after it evidence will tell.
      if (transport) await Promise.race([transport.close(), setTimeout(CLOSE_GRACE)]);
    },
    caughtUp: async () => (await group?.caughtUp?.()) ?? true,
  };
}

function openTransport(options: SmtpTransportOptions): Transport {
  try {
    return new SmtpTransport(options);
  } catch (error) {
    throw new StartError(`KURIR_MTA_URL: ${(error as Error).message}`, { cause: error });
  }
}
