import { setTimeout } from 'node:timers/promises';
import { createCoinsConsumer } from '../consumers/coins';
import { createDispatchConsumer } from '../consumers/dispatch';
import { createEngagementConsumer } from '../consumers/engagement';
import { createFeedbackConsumer } from '../consumers/mta-feedback';
import { Throttle } from '../consumers/throttle';
import { Timers } from '../consumers/timers';
import { HAND_OFF_LIMIT } from '../domain/retry-schedule';
import { SmtpTransport } from '../email/transports/smtp';
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
  const { engine, clock, logger, config } = services;
  const { stores, log } = engine;
  const { evidenceWait } = config;
  const timers = new Timers({ stores, log, clock, evidenceWait, logger });
  const throttle = new Throttle({ stores, clock, logger, owner: EMBEDDED_OWNER });
  return [
    groupPart(log, createCoinsConsumer({ stores }), logger),
    groupPart(log, createEngagementConsumer({ stores }), logger),
    groupPart(log, createFeedbackConsumer({ stores, evidenceWait, logger }), logger),
    dispatchPart(services, mtaUrl),
    { name: 'timers', start: async () => timers.start(), stop: () => timers.stop() },
    groupPart(log, throttle.consumer, logger),
    { name: 'throttle', start: () => throttle.start(), stop: () => throttle.stop() },
  ];
}

/** Dispatch and its connections to the sending server, whose address is known once everything before has started. */
function dispatchPart(services: Services, mtaUrl: () => string): Part {
  const { engine, keyring, clock, logger, config, publicUrl, newToken, wrap } = services;
  let transport: Transport | null = null;
  let group: Part | null = null;
  return {
    name: 'dispatch',
    start: async () => {
      const smtp = openTransport(mtaUrl(), config.mtaConnections, new URL(publicUrl()).hostname);
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
      group = groupPart(engine.log, consumer, logger);
      await group.start();
    },
    stop: async () => {
      await group?.stop();
      // What still hangs ends with the process: before the fence nothing was sent, after it evidence will tell.
      if (transport) await Promise.race([transport.close(), setTimeout(CLOSE_GRACE)]);
    },
  };
}

function openTransport(url: string, maxConnections: number, name: string): Transport {
  try {
    return new SmtpTransport({ url, maxConnections, name, timeouts: { whole: HAND_OFF_LIMIT } });
  } catch (error) {
    throw new StartError(`KURIR_MTA_URL: ${(error as Error).message}`, { cause: error });
  }
}
