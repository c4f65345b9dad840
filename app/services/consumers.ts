import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createCoinsConsumer } from '../../consumers/coins';
import { createConversionsConsumer } from '../../consumers/conversions';
import { createDispatchConsumer } from '../../consumers/dispatch';
import { createEngagementConsumer } from '../../consumers/engagement';
import { createJourneysConsumer } from '../../consumers/journeys';
import { createFeedbackConsumer } from '../../consumers/mta-feedback';
import type { PostfixLog } from '../../consumers/postfix-log';
import { Throttle } from '../../consumers/throttle';
import { createTimers } from '../../consumers/timers';
import { createWebhooksConsumer } from '../../consumers/webhooks';
import { feedbackSender } from '../../domain/messages/feedback-id';
import { serverOf, unnamedServers, type RoutedMail, type SendingServer } from '../../domain/sending/server-routes';
import { HAND_OFF_LIMIT } from '../../domain/messages/retry-schedule';
import { poolComposer, type Composer } from '../../email/composing/composer';
import { withTimeout } from '../../lib/with-timeout';
import { SpreadComposer } from '../../email/composing/spread-composer';
import { WorkerComposer } from '../../email/composing/worker-composer';
import { SmtpTransport } from '../../email/transports/smtp';
import type { SmtpTransportOptions } from '../../email/transports/smtp-options';
import { RoutedTransport } from '../../email/transports/routed-transport';
import type { Transport } from '../../email/transports/transport';
import { dueWorkPart } from './due-work';
import { groupPart } from './groups';
import { futureRows } from '../../operations/doctor/future-rows';
import type { OutcomePublisher } from '../../operations/messages/publish-outcome';
import type { Part } from '../core/part';
import { queuedServer } from './queued-server';
import { SendingServerWatch } from './sending-server-watch';
import type { Services } from '../shared-services';
import type { StartContext } from './start-context';
import { StartError } from '../../lib/start-error';

/** Time for connections to send QUIT, ms. */
const CLOSE_GRACE = 500;

export const coinsPart = (services: Services): Part =>
  groupPart(services, createCoinsConsumer({ stores: services.engine.stores }));

/** In the sandbox the report comes at once, so a newcomer's own click would look like a machine's. */
const flagsAtDelivery = ({ config }: Services): boolean => config.mtaUrl !== null;

export const engagementPart = (services: Services): Part =>
  groupPart(
    services,
    createEngagementConsumer({ stores: services.engine.stores, flagsAtDelivery: flagsAtDelivery(services) }),
  );

export function feedbackPart(services: Services, outcomes: OutcomePublisher): Part {
  const { engine, config, logger } = services;
  const { evidenceWait } = config;
  const options = {
    evidenceWait,
    flagsAtDelivery: flagsAtDelivery(services),
    logger,
    outcomes,
  };
  return groupPart(services, createFeedbackConsumer({ stores: engine.stores, ...options }));
}

/** The group that stores events, and the deliveries of the webhooks, which stop first. */
export function webhooksParts(starting: StartContext): Part[] {
  const { services } = starting;
  const { engine, clock } = services;
  const work = dueWorkPart(starting, 'webhooks');
  const wake = (): void => work.wake('webhook');
  return [groupPart(services, createWebhooksConsumer({ stores: engine.stores, clock, wake })), work];
}

/** The group that links sales to clicks, and the due work that ends their wait. */
export const conversionsParts = (starting: StartContext): Part[] => [
  groupPart(starting.services, createConversionsConsumer({ stores: starting.services.engine.stores })),
  dueWorkPart(starting, 'conversions'),
];

/** The group that reaches goals and wakes the steps, and the due work of journeys, which stops first. */
export function journeysParts(starting: StartContext): Part[] {
  const { services } = starting;
  const { engine, clock } = services;
  const work = dueWorkPart(starting, 'journeys');
  const wakeSteps = (): void => work.wake('journey-step');
  return [groupPart(services, createJourneysConsumer({ stores: engine.stores, clock, wakeSteps })), work];
}

/** Deadlines and housekeeping, and the due work of the timers. */
export function timersParts(starting: StartContext): Part[] {
  const { engine, clock, activity, config, logger, health } = starting.services;
  const { evidenceWait, webhookLogKept: deliveriesKept } = config;
  health.watch('rows of the future', () => futureRows(engine.stores.setBack, clock.now()), 'missed');
  const timers = createTimers({ ...engine, clock, activity, evidenceWait, deliveriesKept, logger, work: health.work });
  const part = {
    name: 'timers',
    start: async () => timers.start(),
    stop: () => timers.stop(),
    isIdle: () => timers.isIdle(),
    nextDue: () => timers.nextDue(),
  };
  return [part, dueWorkPart(starting, 'timers')];
}

/** The group that wakes the throttle, and the throttle's claims, which stop first. */
export function throttleParts(services: Services): Part[] {
  const { engine, clock, activity, logger, processLease, config, destinations, dispatchers } = services;
  const { stores, log } = engine;
  const { owner } = processLease;
  const serverOf = queuedServer(config, stores.domains);
  const throttle = new Throttle({
    stores,
    clock,
    activity,
    logger,
    owner,
    log,
    dispatchers,
    connections: config.mtaConnections,
    destinations: destinations && { ...destinations, ...(serverOf && { serverOf }) },
  });
  return [
    groupPart(services, throttle.consumer),
    {
      name: 'throttle',
      start: () => throttle.start(),
      stop: () => throttle.stop(),
      isIdle: () => throttle.isIdle(),
      onClockAdvanced: () => throttle.keepShards(true),
    },
  ];
}

/** The sandbox refuses mail on purpose; a real server that takes none is an outage. */
function watched({ logger, health, config }: Services, transport: Transport, name: string): Transport {
  if (config.mtaUrl === null) return transport;
  const isOnly = config.mtaServers.length <= 1;
  const watch = new SendingServerWatch(
    isOnly ? logger : { warn: (facts, text) => logger.warn({ server: name, ...facts }, text) },
  );
  health.watch(isOnly ? 'sending server' : `sending server ${name}`, async () => watch.fault(), 'missed');
  return watch.transport(transport);
}

/**
 * The servers that take over from none: those that are warmed up, or may have to be. When the store fails nothing is
 * known of them.
 */
const serversApart =
  ({ destinations, config, logger }: Services) =>
  async (): Promise<ReadonlySet<string>> => {
    try {
      const warming = (await destinations?.warmups.servers()) ?? [];
      return new Set([...warming, ...unnamedServers(config.mtaServers, config.mtaRoutes)]);
    } catch (err) {
      logger.warn({ err }, 'no sending server takes over, because it is not known which ones are warmed up');
      return new Set(config.mtaServers.map(({ name }) => name));
    }
  };

/** The connections to all sending servers. */
function openServers(services: Services, servers: readonly SendingServer[]): Transport {
  const { config, publicUrl, activity, wrap } = services;
  const opened = servers.map(({ name, url }) => {
    const smtp = openTransport({
      url,
      maxConnections: config.mtaConnections,
      name: new URL(publicUrl()).hostname,
      timeouts: { whole: HAND_OFF_LIMIT },
      activity,
      mayMove: servers.length > 1,
    });
    return { name, transport: watched(services, wrap.transport?.(smtp) ?? smtp, name) };
  });
  const [only, ...more] = opened;
  const transport = only && more.length === 0 ? only.transport : new RoutedTransport(opened, serversApart(services));
  return services.metrics?.traffic.transport(transport) ?? transport;
}

/**
 * Dispatch and its connections to the sending servers. Their addresses are known once all earlier parts have started.
 */
export function dispatchPart(
  services: Services,
  servers: () => readonly SendingServer[],
  { outcomes, postfixLog }: { outcomes: OutcomePublisher; postfixLog: PostfixLog | null },
): Part {
  const { engine, keyring, clock, logger, config, publicUrl, processLease, activity } = services;
  let transport: Transport | null = null;
  let composer: Composer = poolComposer;
  let group: Part | null = null;
  return {
    name: 'dispatch',
    start: async () => {
      const all = servers();
      transport = openServers(services, all);
      composer = openComposer(services);
      const consumer = createDispatchConsumer({
        stores: engine.stores,
        transport,
        composer,
        keyring,
        clock,
        publicUrl,
        evidenceWait: config.evidenceWait,
        rules: services.bounceRules,
        outcomes,
        logServer: postfixLog && (all[0]?.name ?? null),
        ...(all.length > 1 && { serverOf: (mail: RoutedMail) => serverOf(config.mtaRoutes, mail) }),
        feedbackSender: feedbackSender(services.installationId),
        unmarkedHosts: config.unmarkedHosts,
        // More than the connections: other mails are composed, signed or recorded while these are on the wire.
        concurrency: config.mtaConnections * 4,
        mailMemory: config.mailMemory,
        maxMail: config.maxMail,
        activity,
        newToken: () => processLease.newToken(),
        isLeaseValid: (token: string) => processLease.isLeaseValid(token),
        logger,
      });
      group = groupPart(services, consumer);
      try {
        await group.start();
      } catch (error) {
        await composer.close();
        throw error;
      }
    },
    stop: async () => {
      try {
        await group?.stop();
        // Connections that still hang end with the process: before the fence nothing was sent, after it evidence
        // decides.
        if (transport) await withTimeout(transport.close(), CLOSE_GRACE).catch(() => undefined);
      } finally {
        await composer.close();
      }
    },
    isIdle: async () => (await group?.isIdle?.()) ?? true,
  };
}

/** With fewer, the main thread and that of the store need the others. */
const CORES_FOR_TWO = 4;

function openComposer({ programs, logger }: Services): Composer {
  if (programs === null) return poolComposer;
  const onGone = (err: unknown): void =>
    logger.error({ err }, 'the compose worker stopped; messages are now composed on the main thread');
  const start = (): WorkerComposer => new WorkerComposer(join(programs, 'compose-worker.js'), onGone);
  try {
    return new SpreadComposer(start, availableParallelism() >= CORES_FOR_TWO ? 2 : 1);
  } catch (err) {
    onGone(err);
    return poolComposer;
  }
}

function openTransport(options: SmtpTransportOptions): Transport {
  try {
    return new SmtpTransport(options);
  } catch (error) {
    throw new StartError(`KURIR_MTA_URL: ${(error as Error).message}`, { cause: error });
  }
}
