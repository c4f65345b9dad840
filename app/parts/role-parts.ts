import type { Sandbox } from '../../sandbox/sandbox';
import { coinsPart, dispatchPart, engagementPart, feedbackPart, throttleParts, timersPart } from './consumers';
import type { Part } from './part';
import { LOOPBACK } from '../config/origin';
import { reportsPart } from './reports';
import type { Role } from '../config/roles';
import { sandboxPart } from './sandbox-part';
import type { Services } from '../services';
import { webPart, type WebServer } from './web-part';

/** What the parts of one process share besides the services. */
export interface Process {
  services: Services;
  web: WebServer;
  /** Null without the role. */
  sandbox: Sandbox | null;
  /** The real ones, once bound. */
  ports: { http: number; bounce: number; sandbox: number };
  /** See Home. */
  recovery: () => Part[];
}

type Factory = (process: Process) => Part[];

/**
 * What each role is made of, in the order of start: whoever makes work for others comes after them, so that stopping, in reverse,
 * first stops new claims and then drains what is on its way. What has no role is in every process.
 */
const PARTS: readonly (readonly [Role | null, Factory])[] = [
  ['sandbox', ({ sandbox, ports }) => (sandbox ? [sandboxPart(sandbox, ports)] : [])],
  ['mta-feedback', ({ services, ports }) => [reportsPart(services, ports)]],
  [null, ({ services, web, sandbox }) => [webPart(services, web, sandbox)]],
  [null, ({ recovery }) => recovery()],
  ['coins', ({ services }) => [coinsPart(services)]],
  ['engagement', ({ services }) => [engagementPart(services)]],
  ['mta-feedback', ({ services }) => [feedbackPart(services)]],
  ['dispatch', (process) => [dispatchPart(process.services, () => sendingServer(process))]],
  ['timers', ({ services }) => [timersPart(services)]],
  ['throttle', ({ services }) => throttleParts(services)],
];

/** The configured one, or the sandbox beside. */
const sendingServer = ({ services, ports }: Process): string =>
  services.config.mtaUrl ?? `smtp://${LOOPBACK}:${ports.sandbox}`;

/** The parts of this process by its roles, in the order of start. */
export function roleParts(process: Process): Part[] {
  const { roles } = process.services.config;
  return PARTS.flatMap(([role, parts]) => (role === null || roles.includes(role) ? parts(process) : []));
}
