import ipaddr from 'ipaddr.js';
import { LookUpError } from '../../lib/look-up-error';
import { expandMacros, isAskable } from './expand-macros';
import { isSpf, parseSpf, type Network, type SpfTerm } from './parse-spf';

/** Look-ups; what does not exist is an empty list, and no answer rejects with a `LookUpError`. */
export interface SpfDns {
  /** Each record whole. */
  txt(name: string): Promise<string[]>;
  a(name: string): Promise<string[]>;
  aaaa(name: string): Promise<string[]>;
  /** Hosts; the empty name is a null MX (RFC 7505). */
  mx(name: string): Promise<string[]>;
  /** Names of an address. */
  ptr(address: string): Promise<string[]>;
}

/** Why a record is an error: `at` is the domain of the record, `what` the term or name. */
export interface SpfFault {
  kind: 'syntax' | 'look-ups' | 'void' | 'include' | 'several' | 'dns';
  at: string;
  what: string;
}

export interface SpfOutcome {
  result: 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'permerror' | 'temperror';
  /** The term of the first record that decided; null where none did. */
  by: string | null;
  fault: SpfFault | null;
}

/** Told of what is compared on the way; `passes`: an address in it would pass. */
export interface SpfTrace {
  network(network: Network, passes: boolean): void;
  /** `<name>:<domain>` in lower case; a redirect is told as an include. */
  term(text: string, passes: boolean): void;
}

export interface SpfQuery {
  /** Address of the client; an IPv4-mapped one is an IPv4 address (RFC 7208 section 5). */
  ip: string;
  /** Address of MAIL FROM, and the name in HELO. */
  sender: string;
  helo: string;
  trace?: SpfTrace;
  /** Look-ups without an answer that are forgiven; two, as RFC 7208 section 4.6.4 says. */
  mostVoid?: number;
}

class SpfError extends Error {
  constructor(readonly fault: SpfFault) {
    super(fault.kind);
  }
}

const MAX_LOOK_UPS = 10;
const MAX_VOID = 2;
/** Hosts of an `mx`, and names of an address. */
const MAX_NAMES = 10;
const RESULTS = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const;

/** Whether `ip` may send for `domain`: check_host() of RFC 7208 section 4. `exp` is not looked up. */
export const checkHost = (dns: SpfDns, domain: string, query: SpfQuery): Promise<SpfOutcome> =>
  outcome(async () => {
    const record = await recordOf(dns, domain);
    return record === null ? { result: 'none', by: null } : new Evaluation(dns, query).evaluate(record, domain, true);
  });

/** The same for a record of `domain` that is known already. */
export const evaluateSpf = (dns: SpfDns, record: string, domain: string, query: SpfQuery): Promise<SpfOutcome> =>
  outcome(() => new Evaluation(dns, query).evaluate(record, domain, true));

type Decided = Pick<SpfOutcome, 'result' | 'by'>;

async function outcome(evaluate: () => Promise<Decided>): Promise<SpfOutcome> {
  try {
    return { ...(await evaluate()), fault: null };
  } catch (error) {
    if (error instanceof LookUpError)
      return { result: 'temperror', by: null, fault: { kind: 'dns', at: '', what: error.message } };
    if (error instanceof SpfError) return { result: 'permerror', by: null, fault: error.fault };
    throw error;
  }
}

/** Null where there is none (RFC 7208 section 4.5). */
async function recordOf(dns: SpfDns, domain: string): Promise<string | null> {
  if (!isAskable(domain) || !domain.includes('.') || /^\[/.test(domain)) return null;
  const [only, ...others] = (await dns.txt(domain)).filter(isSpf);
  if (others.length > 0) throw new SpfError({ kind: 'several', at: domain, what: domain });
  return only ?? null;
}

/** One check, with what it may still look up. */
class Evaluation {
  private readonly ip: ipaddr.IPv4 | ipaddr.IPv6;
  private lookUps = 0;
  private voids = 0;
  private names: Promise<string[]> | null = null;

  constructor(
    private readonly dns: SpfDns,
    private readonly query: SpfQuery,
  ) {
    this.ip = ipaddr.process(query.ip);
  }

  async evaluate(record: string, domain: string, passes: boolean): Promise<Decided> {
    const { terms, redirect, wrong } = parseSpf(record);
    if (wrong.length > 0) throw new SpfError({ kind: 'syntax', at: domain, what: wrong.join(' ') });
    for (const term of terms) {
      if (await this.matches(term, domain, passes && term.qualifier === '+')) {
        return { result: RESULTS[term.qualifier], by: term.text };
      }
    }
    if (redirect === null) return { result: 'neutral', by: null };
    this.count(domain, `redirect=${redirect}`);
    const { result } = await this.follow(await this.nameOf(redirect, domain), domain, passes);
    return { result, by: `redirect=${redirect}` };
  }

  private async matches(term: SpfTerm, domain: string, passes: boolean): Promise<boolean> {
    if (term.name === 'all') return true;
    if (term.network !== null) return this.isIn(term.network, passes);
    this.count(domain, term.text);
    const name = term.spec === null ? domain : await this.nameOf(term.spec, domain);
    if (term.name === 'include') return (await this.follow(name, domain, passes)).result === 'pass';
    this.query.trace?.term(`${term.name}:${name.toLowerCase()}`, passes);
    if (term.name === 'ptr') return (await this.validatedNames()).some((one) => isUnder(one, name));
    if (!isAskable(name)) return false;
    const found = await this.found(domain, term, name);
    if (term.name === 'exists') return found.length > 0;
    return found.map((one) => this.isIn([ipaddr.parse(one), term.bits[this.ip.kind()]], passes)).includes(true);
  }

  /** Addresses that `a` and `mx` stand for, of the kind of the client. */
  private async found(domain: string, { name: kind, text }: SpfTerm, name: string): Promise<string[]> {
    if (kind === 'exists') return this.notVoid(domain, text, await this.dns.a(name));
    if (kind === 'a') return this.notVoid(domain, text, await this.addresses(name));
    const hosts = this.notVoid(domain, text, await this.dns.mx(name)).filter(isAskable);
    if (hosts.length > MAX_NAMES) throw new SpfError({ kind: 'look-ups', at: domain, what: text });
    return (await Promise.all(hosts.map((host) => this.addresses(host)))).flat();
  }

  private addresses(name: string): Promise<string[]> {
    return this.ip.kind() === 'ipv4' ? this.dns.a(name) : this.dns.aaaa(name);
  }

  private notVoid(domain: string, text: string, found: string[]): string[] {
    if (found.length === 0) this.voids += 1;
    if (this.voids > (this.query.mostVoid ?? MAX_VOID)) throw new SpfError({ kind: 'void', at: domain, what: text });
    return found;
  }

  private count(domain: string, text: string): void {
    this.lookUps += 1;
    if (this.lookUps > MAX_LOOK_UPS) throw new SpfError({ kind: 'look-ups', at: domain, what: text });
  }

  /** What an `include` or `redirect` leads to; one that leads to no record is an error. */
  private async follow(name: string, from: string, passes: boolean): Promise<Decided> {
    this.query.trace?.term(`include:${name.toLowerCase()}`, passes);
    const record = await recordOf(this.dns, name);
    if (record === null) throw new SpfError({ kind: 'include', at: from, what: name });
    return this.evaluate(record, name, passes);
  }

  private isIn([address, bits]: Network, passes: boolean): boolean {
    this.query.trace?.network([address, bits], passes);
    if (address.kind() === 'ipv4') return this.ip.kind() === 'ipv4' && (this.ip as ipaddr.IPv4).match(address, bits);
    return this.ip.kind() === 'ipv6' && (this.ip as ipaddr.IPv6).match(address, bits);
  }

  private async nameOf(spec: string, domain: string): Promise<string> {
    const { sender, helo } = this.query;
    const validated = /%\{p/i.test(spec) ? await this.validatedName(domain) : '';
    return expandMacros(spec, { sender, helo, domain, ip: this.ip }, validated);
  }

  /** The value of `%{p}` (RFC 7208 section 7.3). */
  private async validatedName(domain: string): Promise<string> {
    const names = await this.validatedNames();
    const same = names.find((one) => one.toLowerCase() === domain.toLowerCase());
    return same ?? names.find((one) => isUnder(one, domain)) ?? names[0] ?? 'unknown';
  }

  /** Names of the client that lead back to it (RFC 7208 section 5.5); those that cannot be looked up are none. */
  private validatedNames(): Promise<string[]> {
    this.names ??= (async () => {
      const all = await this.dns.ptr(this.ip.toString()).catch(noneFound);
      const names = all.slice(0, MAX_NAMES).map((one) => one.replace(/\.$/, ''));
      const back = await Promise.all(names.map((one) => this.addresses(one).catch(noneFound)));
      const wanted = this.ip.toString();
      return names.filter((_, n) => back[n]!.some((one) => ipaddr.parse(one).toString() === wanted));
    })();
    return this.names;
  }
}

function noneFound(error: unknown): string[] {
  if (error instanceof LookUpError) return [];
  throw error;
}

const isUnder = (name: string, parent: string): boolean =>
  `.${name.toLowerCase()}`.endsWith(`.${parent.toLowerCase().replace(/\.$/, '')}`);
