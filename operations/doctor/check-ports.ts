import type { Config } from '../config/config';
import { LOOPBACK } from '../config/origin';
import type { RunningService } from '../installation/running-file';
import type { Check } from './check';
import { probe, type Protocol } from './probe-ports';

/** The state of a port. */
export interface PortState {
  name: string;
  port: number;
  answers: boolean;
}

/** Name, port, address and protocol of every listener, running or configured. */
interface Target {
  name: string;
  port: number;
  host: string;
  protocol: Protocol;
}

/**
 * The HTTP port speaks HTTP or HTTPS, that of the metrics HTTP, `smtps` TLS from the start, every other port plain
 * SMTP.
 */
function targets(config: Config, ports: Readonly<Record<string, number>>): Target[] {
  const outside = config.httpHost === '0.0.0.0' ? LOOPBACK : config.httpHost === '::' ? '::1' : config.httpHost;
  return Object.entries(ports).map(([name, port]) => {
    const mail = name === 'smtps' ? 'smtps' : 'smtp';
    const web = name === 'http' && config.tls ? 'https' : 'http';
    const protocol = name === 'http' || name === 'metrics' ? web : mail;
    return { name, port, host: name === 'sandbox' ? LOOPBACK : outside, protocol };
  });
}

/** While a service runs, each of its ports must answer. Without one, each must be free. */
export async function checkPorts(
  config: Config,
  running: RunningService | null,
): Promise<{ ports: PortState[]; checks: Check[] }> {
  const sandbox = config.mtaUrl === null ? { sandbox: config.sandboxPort } : {};
  const relay = { smtp: config.smtpPort, smtps: config.smtpsPort };
  const configured = {
    http: config.httpPort,
    ...relay,
    bounce: config.bouncePort,
    metrics: config.metricsPort,
    ...sandbox,
  };
  const known = targets(config, running?.ports ?? configured).filter(({ port }) => port !== 0);
  const found = await Promise.all(
    known.map(async (target) => ({ target, fault: await probe(target.protocol, target.host, target.port) })),
  );
  return {
    ports: found.map(({ target: { name, port }, fault }) => ({ name, port, answers: fault === null })),
    checks: found.map(({ target, fault }) => (running ? mustAnswer(target, fault) : mustBeFree(target, fault))),
  };
}

function mustAnswer({ name, host, port }: Target, fault: string | null): Check {
  const where = `${host}:${port}`;
  return fault === null
    ? { check: `port ${name}`, status: 'ok', detail: `${where} answers` }
    : { check: `port ${name}`, status: 'wrong', detail: `${where} does not answer: ${fault}` };
}

function mustBeFree({ name, host, port }: Target, fault: string | null): Check {
  const where = `${host}:${port}`;
  return fault !== null
    ? { check: `port ${name}`, status: 'ok', detail: `${where} is free` }
    : { check: `port ${name}`, status: 'wrong', detail: `${where} is taken by another program` };
}
