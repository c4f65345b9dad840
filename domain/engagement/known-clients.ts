import ipaddr, { IPv4, IPv6 } from 'ipaddr.js';
import { KNOWN_CLIENTS } from './known-clients-data';
import { CLIENT_CLASSES, type ClientClass } from './machine';

/** One line of the data: a part of a user agent (in lower case), a whole one, or a network. */
export type KnownClient = { class: ClientClass } & (
  { agent: string; whole: boolean } | { network: [IPv4 | IPv6, number] }
);

/** The lines of a file that were read, and what is wrong with the others, each with its line number. */
export interface ParsedClients {
  clients: KnownClient[];
  faults: string[];
}

const LINE = /^(agent|network)\s+(\S+)\s+(\S.*)$/;
/** A shorter text is in the user agent of people, such as `Mac`. */
const SHORTEST_AGENT = 4;
/** Wider networks are a slip. */
const WIDEST = { ipv4: 8, ipv6: 19 };

/** Reads lines of `agent|network <class> <what>`; blank lines and those that begin with # count for nothing. */
export function parseKnownClients(text: string): ParsedClients {
  const clients: KnownClient[] = [];
  const faults: string[] = [];
  for (const [n, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.trim();
    if (line === '' || line.startsWith('#')) continue;
    const read = readLine(line);
    if (typeof read === 'string') faults.push(`line ${n + 1} ${read}`);
    else clients.push(read);
  }
  return { clients, faults };
}

function readLine(line: string): KnownClient | string {
  const [, what, named, value = ''] = LINE.exec(line) ?? [];
  if (what === undefined) return 'must be "agent" or "network", a class, and what to look for';
  const found = CLIENT_CLASSES.find((name) => name === named);
  if (!found) return `has the class "${named}", which must be one of ${CLIENT_CLASSES.join(', ')}`;
  if (what === 'network') return readNetwork(found, value);
  const whole = value.startsWith('=');
  const agent = value.slice(whole ? 1 : 0).trim();
  if (agent.length < SHORTEST_AGENT) return `has an agent of fewer than ${SHORTEST_AGENT} characters`;
  return { class: found, agent: agent.toLowerCase(), whole };
}

function readNetwork(found: ClientClass, value: string): KnownClient | string {
  if (!ipaddr.isValidCIDR(value)) return `has "${value}", which is no network in CIDR form, such as 192.0.2.0/24`;
  const network = ipaddr.parseCIDR(value);
  const widest = WIDEST[network[0].kind()];
  if (network[1] < widest) return `has "${value}", which is wider than /${widest}`;
  return { class: found, network };
}

/** Classifies what the public pages see of a request. The first line that fits counts; `added` ones come first. */
export class KnownClients {
  private readonly agents: { class: ClientClass; agent: string; whole: boolean }[] = [];
  private readonly networks: { class: ClientClass; network: [IPv4 | IPv6, number] }[] = [];

  constructor(added: readonly KnownClient[] = []) {
    for (const client of [...added, ...parseKnownClients(KNOWN_CLIENTS).clients]) {
      if ('agent' in client) this.agents.push(client);
      else this.networks.push(client);
    }
  }

  agentOf(userAgent: string): ClientClass | null {
    const text = userAgent.trim().toLowerCase();
    if (text === '') return null;
    return this.agents.find(({ agent, whole }) => (whole ? text === agent : text.includes(agent)))?.class ?? null;
  }

  networkOf(address: string): ClientClass | null {
    if (!ipaddr.isValid(address)) return null;
    const found = ipaddr.process(address);
    return (
      this.networks.find(({ network: [base, bits] }) => found.kind() === base.kind() && matches(found, base, bits))
        ?.class ?? null
    );
  }
}

function matches(address: IPv4 | IPv6, base: IPv4 | IPv6, bits: number): boolean {
  if (address instanceof IPv4) return base instanceof IPv4 && address.match(base, bits);
  return base instanceof IPv6 && address.match(base, bits);
}
