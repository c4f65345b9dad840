import { isIP } from 'node:net';
import { finding, type Found } from '../../domain/deliverability/finding';
import { DAY } from '../../lib/clock';
import { isLoopback } from '../../lib/loopback';
import { greet } from '../doctor/probe-ports';
import { certificateOf } from '../doctor/relay-certificate';
import type { DomainDns } from './domain-dns';

/** A certificate that ends within this time is a finding, ms. */
export const SOON = 14 * DAY;

/**
 * What can be seen of the sending server from here: that it answers, the name in its greeting (RFC 5321 section 4.2),
 * which servers say in HELO as well, and its certificate. A local one need not offer TLS. Times in ms.
 */
export async function checkServer(
  dns: DomainDns,
  mtaUrl: string,
  { now, isLocal = isLoopback }: { now: number; isLocal?: (host: string) => boolean },
): Promise<Found[]> {
  const url = new URL(mtaUrl);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (secure ? 465 : 25);
  const { fault, greeting } = await greet(secure ? 'smtps' : 'smtp', host, port);
  if (fault !== null) return [finding('server-silent', `${host}:${port}: ${fault}`)];
  const name = /^220[ -](\S+)/.exec(greeting)?.[1] ?? '';
  const tls = secure || isLocal(host) ? [] : await checkTls(host, port, now);
  return [...(await checkHelo(dns, name)), ...tls];
}

async function checkHelo(dns: DomainDns, name: string): Promise<Found[]> {
  const isName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(name);
  if (!isName || isIP(name) !== 0 || /\.(local|localdomain|lan|internal)$/i.test(name)) {
    return [finding('helo-no-name', name || 'no name in the greeting')];
  }
  return (await dns.addresses(name)).length > 0 ? [] : [finding('helo-no-address', name)];
}

async function checkTls(host: string, port: number, now: number): Promise<Found[]> {
  try {
    const { validTo } = await certificateOf(host, port);
    if (validTo > now + SOON) return [];
    return [finding('server-certificate', `it expires on ${new Date(validTo).toISOString().slice(0, 10)}`)];
  } catch (error) {
    return [finding('server-no-tls', `${host}:${port}: ${(error as Error).message}`)];
  }
}
