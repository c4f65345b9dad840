import {
  coinsPart,
  conversionsParts,
  dispatchPart,
  engagementPart,
  feedbackPart,
  journeysParts,
  throttleParts,
  timersParts,
  webhooksParts,
} from './consumers';
import { dueWorkPart } from './due-work';
import { demoPart } from './demo';
import { ONLY_SERVER, type SendingServer } from '../../domain/sending/server-routes';
import type { Part } from '../core/part';
import { LOOPBACK } from '../../operations/config/origin';
import type { PostfixLog } from '../../consumers/postfix-log';
import type { OutcomePublisher } from '../../operations/messages/publish-outcome';
import { openOutcomes } from './outcomes';
import { relayPart } from './relay';
import { openMailReader, openSubmissionPolicy } from './submission-policy';
import { openPostfixLog, postfixLogPart } from './postfix-log';
import { reportsPart } from './reports';
import type { Role } from '../../operations/config/roles';
import { sandboxParts } from './sandbox-part';
import type { StartContext } from './start-context';
import { dashboardPart, webPart } from './web-part';

/** What parts of several roles share. */
interface Shared {
  outcomes: OutcomePublisher;
  /** Null without the role that hands mail over, and when no log is followed. */
  postfixLog: PostfixLog | null;
}

type Factory = (starting: StartContext, shared: Shared) => Part[];

/**
 * The parts of each role, in the order of start. A role that creates work for others comes after them, so that stopping
 * in reverse first ends new claims and then drains running work. Parts without a role are in every process.
 */
const PARTS: readonly (readonly [Role | null, Factory])[] = [
  [null, ({ services }) => [demoPart(services)]],
  ['sandbox', (starting) => sandboxParts(starting)],
  ['mta-feedback', ({ services, ports }) => [reportsPart(services, ports)]],
  [
    null,
    ({ services, web, sandbox, options: { httpApps } }) => [
      webPart(services, web, { sandbox, ...(httpApps && { httpApps }) }),
    ],
  ],
  [
    'dashboard',
    ({ services, dashboardWeb, options: { httpApps } }) =>
      dashboardWeb && httpApps ? [dashboardPart(services, dashboardWeb, httpApps)] : [],
  ],
  [null, ({ host, services }) => host.recovery(services)],
  ['coins', ({ services }) => [coinsPart(services)]],
  ['engagement', ({ services }) => [engagementPart(services)]],
  [null, (starting) => [webhookRequestsPart(starting)]],
  ['webhooks', webhooksParts],
  ['conversions', conversionsParts],
  ['mta-feedback', ({ services }, { outcomes }) => [feedbackPart(services, outcomes)]],
  ['dispatch', (starting, shared) => dispatchParts(starting, shared)],
  ['timers', timersParts],
  ['throttle', ({ services }) => throttleParts(services)],
  ['campaigns', (starting) => [dueWorkPart(starting, 'campaigns')]],
  ['journeys', journeysParts],
  ['smtp', (starting) => [relay(starting)]],
];

function dispatchParts(starting: StartContext, shared: Shared): Part[] {
  const { postfixLog: log } = shared;
  starting.services.metrics?.gauge(
    'kurir_postfix_log_readable',
    '0 while the log file in KURIR_POSTFIX_LOG cannot be followed.',
    () => (log === null || log.look() === null ? 1 : 0),
  );
  const dispatch = dispatchPart(starting.services, () => sendingServers(starting), shared);
  return log ? [postfixLogPart(log, starting.services), dispatch] : [dispatch];
}

/** Ends the requests of webhooks, after everything that makes them has stopped. */
const webhookRequestsPart = (starting: StartContext): Part => ({
  name: 'webhook requests',
  start: async () => undefined,
  stop: async () => starting.webhookRequests?.close(),
});

function relay(starting: StartContext): Part {
  const { services, ports } = starting;
  const reader = openMailReader(services);
  const policy = openSubmissionPolicy(services, reader);
  const part = relayPart(services, policy, { ports, onStart: (started) => (starting.relay = started) });
  const stop = async (): Promise<void> => {
    try {
      await part.stop();
    } finally {
      await reader.close();
    }
  };
  return { ...part, stop };
}

/** The configured sending servers, otherwise the sandbox of this process. */
const sendingServers = ({ services: { config }, ports }: StartContext): readonly SendingServer[] =>
  config.mtaUrl === null ? [{ name: ONLY_SERVER, url: `smtp://${LOOPBACK}:${ports.sandbox}` }] : config.mtaServers;

/** The parts of this process by its roles, in the order of start. Starting waits for the servers of the engine. */
export function roleParts(starting: StartContext): Part[] {
  const { roles } = starting.config;
  const { services } = starting;
  const postfixLog = roles.includes('dispatch') ? openPostfixLog(services) : null;
  const shared = { postfixLog, outcomes: openOutcomes(services, postfixLog) };
  const own = PARTS.flatMap(([role, parts]) => (role === null || roles.includes(role) ? parts(starting, shared) : []));
  starting.roleParts = own;
  return own.map((part) => ({ ...part, start: () => starting.host.begin(part, starting.signal) }));
}
