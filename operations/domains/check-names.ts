import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { finding, type Found } from '../../domain/deliverability/finding';
import { sameOrganization } from '../../domain/deliverability/judge-records';
import { LookUpError } from '../../lib/look-up-error';
import type { DomainDns } from './domain-dns';

/** Whether the domains that get reports about `domain` agree to it. */
export async function checkAgreement(
  dns: DomainDns,
  domain: string,
  reportDomains: readonly string[],
): Promise<Found[]> {
  const found: Found[] = [];
  for (const to of reportDomains.filter((name) => !sameOrganization(name, domain))) {
    const name = `${domain}._report._dmarc.${to}`;
    const consents = (await dns.txt(name)).some((text) => /^v\s*=\s*DMARC1/i.test(text));
    if (!consents)
      found.push(finding('dmarc-agreement', `nothing found at ${name}`, `${name}. 3600 IN TXT "v=DMARC1"`));
  }
  return found;
}

/** Whether the hosts that take bounces have an address. */
export async function checkReturnPathHost(dns: DomainDns, bounce: string): Promise<Found[]> {
  const lost: string[] = [];
  for (const host of await dns.mx(bounce)) if ((await dns.addresses(host)).length === 0) lost.push(host);
  return lost.length === 0 ? [] : [finding('return-path-host', `${lost.join(', ')} has no IP address`)];
}

/** Hosts of a domain that are asked for: the others would be tried after them. */
const MAX_HOSTS = 5;

/** Whether a domain of a header takes mail: a host of its MX records has an address, or else it has one itself. */
export async function checkTakesMail(dns: DomainDns, domain: string, check: 'from-no-host' | 'reply-to-no-host') {
  const hosts = await dns.mx(domain);
  if (hosts[0] === '') return [finding(check === 'from-no-host' ? 'from-null-mx' : check, `${domain} has a null MX`)];
  const tried = hosts.length > 0 ? hosts.slice(0, MAX_HOSTS) : [domain];
  for (const host of tried) if ((await dns.addresses(host)).length > 0) return [];
  const found = hosts.length > 0 ? `${tried.join(', ')} has no IP address` : `${domain} has no MX and no IP address`;
  return [finding(check, found)];
}

/** The addresses that send, as far as they are known. */
export interface SendingAddresses {
  known: string[];
  /** Why no answer was had of some names. */
  failed: LookUpError[];
}

/**
 * The addresses that send, by SPF mechanisms such as `ip4:203.0.113.7 a:mail.example`, but private ones; without a DNS
 * no names.
 */
export async function sendingAddresses(dns: DomainDns | null, mechanisms: string): Promise<SendingAddresses> {
  const found: string[] = [];
  const failed: LookUpError[] = [];
  for (const term of mechanisms.split(/\s+/)) {
    const [, name = '', value = ''] = /^[+?~-]?(a|ip4|ip6):(.+)$/i.exec(term) ?? [];
    if (name.toLowerCase() === 'a') {
      const addresses = (await dns?.addresses(value).catch(orLookUpError)) ?? [];
      if (addresses instanceof LookUpError) failed.push(addresses);
      else found.push(...addresses);
    } else if (isIP(value.replace(/\/(32|128)$/, '')) !== 0) found.push(value.replace(/\/\d+$/, ''));
  }
  return { known: found.filter((address) => !LOCAL.has(ipaddr.parse(address).range())), failed };
}

function orLookUpError(error: unknown): LookUpError {
  if (error instanceof LookUpError) return error;
  throw error;
}

const LOCAL = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'unspecified']);

/** The reverse names of the addresses that send. */
export async function checkReverse(dns: DomainDns, addresses: readonly string[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const address of addresses) {
    const names = await dns.ptr(address);
    const [name] = names;
    if (name === undefined) found.push(finding('ptr-missing', `${address} has none`));
    else if (!(await leadsBack(dns, names, address)))
      found.push(finding('ptr-unconfirmed', `${address} is ${name}, which does not resolve to ${address}`));
    else if (isGeneric(name, address)) found.push(finding('ptr-generic', `${address} is ${name}`));
  }
  return found;
}

async function leadsBack(dns: DomainDns, names: readonly string[], address: string): Promise<boolean> {
  const wanted = ipaddr.parse(address).toString();
  for (const name of names) {
    const back = await dns.addresses(name);
    if (back.some((one) => ipaddr.parse(one).toString() === wanted)) return true;
  }
  return false;
}

/** True for a name with all four numbers of the address in it, such as `host-203-0-113-7.provider.example`. */
const isGeneric = (name: string, address: string): boolean => {
  const numbers: readonly string[] = name.match(/\d+/g) ?? [];
  return isIP(address) === 4 && address.split('.').every((number) => numbers.includes(number));
};
