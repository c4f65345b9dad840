import ipaddr from 'ipaddr.js';
import { promises as dns } from 'node:dns';
import { LookUpError } from '../../lib/look-up-error';

const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/** Time limit of an answer, ms, and tries. */
export interface DnsPatience {
  timeout: number;
  tries: number;
}

/** Looks names up, each once. What does not exist is an empty list; no answer rejects with LookUpError. */
export class DomainDns {
  private readonly resolver: dns.Resolver;
  private readonly known = new Map<string, Promise<string[]>>();

  constructor(servers: readonly string[], patience: DnsPatience = { timeout: 3_000, tries: 2 }) {
    this.resolver = new dns.Resolver(patience);
    if (servers.length > 0) this.resolver.setServers(servers);
  }

  /** TXT records, each whole. */
  txt(name: string): Promise<string[]> {
    return this.ask('TXT', name, async () => (await this.resolver.resolveTxt(name)).map((pieces) => pieces.join('')));
  }

  /** Hosts of the MX records, in order of priority; the empty name is a null MX (RFC 7505). */
  mx(name: string): Promise<string[]> {
    return this.ask('MX', name, async () => {
      const found = await this.resolver.resolveMx(name);
      return found.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange.toLowerCase());
    });
  }

  /** IPv4. */
  a(name: string): Promise<string[]> {
    return this.ask('A', name, () => this.resolver.resolve4(name));
  }

  /** IPv6. */
  aaaa(name: string): Promise<string[]> {
    return this.ask('AAAA', name, () => this.resolver.resolve6(name));
  }

  /** IPv4 and IPv6. */
  async addresses(name: string): Promise<string[]> {
    return (await Promise.all([this.a(name), this.aaaa(name)])).flat();
  }

  /** Reverse names of an address. */
  ptr(address: string): Promise<string[]> {
    return this.ask('PTR', address, () => this.resolver.resolvePtr(reverseName(address)));
  }

  private ask(type: string, name: string, look: () => Promise<string[]>): Promise<string[]> {
    const key = `${type} ${name}`;
    const asked = this.known.get(key) ?? answered(key, look());
    this.known.set(key, asked);
    return asked;
  }
}

/**
 * The name of an address in the DNS (RFC 1035 section 3.5, RFC 3596 section 2.5); Node's own hides a failed look-up.
 */
const reverseName = (address: string): string =>
  `${reverseZoneName(address)}.${ipaddr.parse(address).kind() === 'ipv4' ? 'in-addr' : 'ip6'}.arpa`;

/** An address with its parts turned round, as names of the DNS that are about it begin (RFC 5782 section 2.1). */
export function reverseZoneName(address: string): string {
  const parsed = ipaddr.parse(address);
  const bytes = parsed.toByteArray();
  if (parsed.kind() === 'ipv4') return bytes.reverse().join('.');
  return [...Buffer.from(bytes).toString('hex')].reverse().join('.');
}

async function answered(key: string, looking: Promise<string[]>): Promise<string[]> {
  try {
    return await looking;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    if (ABSENT.has(code)) return [];
    throw new LookUpError(`${key}: ${code}`, { cause: error });
  }
}
