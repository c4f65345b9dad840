import ipaddr from 'ipaddr.js';
import { isIPv4, isIPv6 } from 'node:net';

export type Qualifier = '+' | '-' | '~' | '?';
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** A mechanism of an SPF record (RFC 7208 section 5). */
export interface SpfTerm {
  /** As it is written. */
  text: string;
  qualifier: Qualifier;
  name: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists';
  /** With its macros; null: the domain of the record. */
  spec: string | null;
  /** Of `ip4` and `ip6`. */
  network: Network | null;
  /** Bits of an address that count, of `a` and `mx`. */
  bits: Readonly<Record<'ipv4' | 'ipv6', number>>;
}

/** An SPF record; one with terms in `wrong` is an error as a whole (RFC 7208 section 4.6). */
export interface SpfRecord {
  terms: SpfTerm[];
  /** With its macros. */
  redirect: string | null;
  wrong: string[];
}

/** True for a TXT record that is an SPF record (RFC 7208 section 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/** The terms of a record as they are written, without its version. */
export const termsOf = (record: string): string[] => record.split(/ +/).slice(1).filter(Boolean);

const MACRO = String.raw`%(?:[%_-]|\{[slodiphv]0*(?:[1-9]\d*)?r?[-.+,/_=]*\})`;
const MACRO_STRING = new RegExp(`^(?:${MACRO}|[!-$&-~])*$`, 'i');
const DOMAIN_END = new RegExp(
  String.raw`(?:${MACRO}|\.(?:[a-z0-9]*[a-z][a-z0-9]*|[a-z0-9]+-[a-z0-9-]*[a-z0-9])\.?)$`,
  'i',
);
const isMacroString = (text: string): boolean => MACRO_STRING.test(text) && !/%\{[a-z]0+(?!\d)/i.test(text);
const isDomainSpec = (text: string): boolean => isMacroString(text) && DOMAIN_END.test(text);

/** Reads an SPF record by the grammar of RFC 7208 section 12; what does not follow it is listed. */
export function parseSpf(record: string): SpfRecord {
  const read: SpfRecord = { terms: [], redirect: null, wrong: [] };
  const once = new Set<string>();
  for (const text of termsOf(record)) {
    const [, modifier, value = ''] = /^([a-z][a-z0-9._-]*)=(.*)$/is.exec(text) ?? [];
    if (modifier === undefined) {
      const term = readMechanism(text);
      if (term === null) read.wrong.push(text);
      else read.terms.push(term);
    } else if (isModifier(modifier.toLowerCase(), value, once)) {
      if (modifier.toLowerCase() === 'redirect') read.redirect = value;
    } else read.wrong.push(text);
  }
  return read;
}

/** `redirect` and `exp` stand once at most (RFC 7208 section 6); those that are not known count for nothing. */
function isModifier(name: string, value: string, once: Set<string>): boolean {
  if (name !== 'redirect' && name !== 'exp') return isMacroString(value);
  const isFirst = !once.has(name);
  once.add(name);
  return isFirst && isDomainSpec(value);
}

const ALL_BITS = { ipv4: 32, ipv6: 128 };

function readMechanism(text: string): SpfTerm | null {
  const [, qualifier = '', written = '', rest = ''] = /^([+?~-]?)([a-z0-9]+)(.*)$/is.exec(text) ?? [];
  const name = written.toLowerCase() as SpfTerm['name'];
  const term: SpfTerm = {
    text,
    name,
    qualifier: (qualifier || '+') as Qualifier,
    spec: null,
    network: null,
    bits: ALL_BITS,
  };
  return Object.hasOwn(READERS, name) ? READERS[name](term, rest) : null;
}

type ReadRest = (term: SpfTerm, rest: string) => SpfTerm | null;

const withSpec: ReadRest = (term, rest) =>
  rest.startsWith(':') && isDomainSpec(rest.slice(1)) ? { ...term, spec: rest.slice(1) } : null;

/** Bits of a network; null for what is no number of them. */
const bitsOf = (written: string | undefined, most: number): number | null =>
  written === undefined ? most : /^(?:0|[1-9]\d*)$/.test(written) && Number(written) <= most ? Number(written) : null;

function readHost(term: SpfTerm, rest: string): SpfTerm | null {
  const read = /^(:.*?)?(?:\/(\d+))?(?:\/\/(\d+))?$/s.exec(rest);
  if (read === null) return null;
  const [ipv4, ipv6] = [bitsOf(read[2], 32), bitsOf(read[3], 128)];
  if (ipv4 === null || ipv6 === null) return null;
  const bits = { ipv4, ipv6 };
  return read[1] === undefined ? { ...term, bits } : withSpec({ ...term, bits }, read[1]);
}

function readNetwork(term: SpfTerm, rest: string): SpfTerm | null {
  const [, address = '', written] = /^:([0-9a-f.:]+)(?:\/(\d+))?$/i.exec(rest) ?? [];
  const isFour = term.name === 'ip4';
  const bits = bitsOf(written, isFour ? 32 : 128);
  if (bits === null || !(isFour ? isIPv4(address) : isIPv6(address))) return null;
  return { ...term, network: [ipaddr.parse(address), bits] };
}

const READERS: Readonly<Record<SpfTerm['name'], ReadRest>> = {
  all: (term, rest) => (rest === '' ? term : null),
  include: withSpec,
  exists: withSpec,
  ptr: (term, rest) => (rest === '' ? term : withSpec(term, rest)),
  a: readHost,
  mx: readHost,
  ip4: readNetwork,
  ip6: readNetwork,
};
