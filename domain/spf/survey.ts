import ipaddr from 'ipaddr.js';
import { evaluateSpf, type SpfDns, type SpfFault, type SpfOutcome } from './check-host';
import type { Network } from './parse-spf';

/** The names that macros stand for, where mail has the return path at `domain`. */
const client = (domain: string) => ({ sender: `postmaster@${domain}`, helo: domain });

/** What a record names, wherever it leads. */
export interface Survey {
  /** Networks that pass, as far as they can be known without the address of a client. */
  networks: Network[];
  /** Terms that pass and name a domain, `<name>:<domain>` in lower case, in order. */
  terms: string[];
  fault: SpfFault | null;
}

/** Clients that no record names; those at the other end tell a record that lets everybody send. */
const NOBODY = ['0.0.0.0', '::'];
const NOBODY_ELSE = ['255.255.255.255', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'];

/** Follows every term of a record of `domain`, as for a client that none matches. */
export async function surveySpf(dns: SpfDns, record: string, domain: string): Promise<Survey> {
  const survey: Survey = { networks: [], terms: [], fault: null };
  const trace = {
    network: (network: Network, passes: boolean) => passes && survey.networks.push(network),
    term: (text: string, passes: boolean) => passes && survey.terms.push(text),
  };
  for (const ip of NOBODY) {
    const { fault } = await evaluateSpf(dns, record, domain, { ...client(domain), ip, trace, mostVoid: Infinity });
    survey.fault ??= fault;
  }
  return survey;
}

/** True for a record that lets everybody send, by whatever terms. */
export async function isOpen(dns: SpfDns, record: string, domain: string): Promise<boolean> {
  const passes = async (ip: string): Promise<boolean> =>
    (await evaluateSpf(dns, record, domain, { ...client(domain), ip })).result === 'pass';
  for (const [n, ip] of NOBODY.entries()) if ((await passes(ip)) && (await passes(NOBODY_ELSE[n]!))) return true;
  return false;
}

/** Addresses of a network that are tried at most. */
const MAX_POINTS = 64;

/**
 * What becomes of mail from a network by the record of `domain`: the first outcome that is not "pass", else null. An
 * outcome changes only where a network that is compared begins or ends, so these addresses stand for all.
 */
export async function refusalOf(
  dns: SpfDns,
  record: string,
  domain: string,
  network: Network,
): Promise<SpfOutcome | null> {
  const [first, last] = rangeOf(network);
  const kind = network[0].kind();
  const points = new Set([first]);
  const trace = {
    network: (other: Network) => {
      const [begin, end] = rangeOf(other);
      if (other[0].kind() !== kind) return;
      for (const point of [begin, end + 1n]) {
        if (point > first && point <= last && points.size < MAX_POINTS) points.add(point);
      }
    },
    term: () => undefined,
  };
  // A set goes on to what was added meanwhile.
  for (const point of points) {
    const ip = addressAt(point, kind);
    const outcome = await evaluateSpf(dns, record, domain, { ...client(domain), ip, trace });
    if (outcome.result !== 'pass') return outcome;
  }
  return null;
}

/** The first and the last address as numbers. */
function rangeOf([address, bits]: Network): [bigint, bigint] {
  const bytes = address.toByteArray();
  const size = 1n << BigInt(bytes.length * 8 - bits);
  const at = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const first = at - (at % size);
  return [first, first + size - 1n];
}

function addressAt(point: bigint, kind: 'ipv4' | 'ipv6'): string {
  const hex = point.toString(16).padStart(kind === 'ipv4' ? 8 : 32, '0');
  return ipaddr.fromByteArray([...Buffer.from(hex, 'hex')]).toString();
}
