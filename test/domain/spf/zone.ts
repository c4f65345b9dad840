import ipaddr from 'ipaddr.js';
import type { SpfDns } from '../../../domain/spf/check-host';
import { LookUpError } from '../../../lib/look-up-error';

/** `@` is example.com, and `␠` a space in a name. */
export const plain = (text: string): string => text.trim().replaceAll('@', 'example.com').replaceAll('␠', ' ');
export const linesOf = (text: string): string[] => text.trim().split('\n').map(plain);
const unescaped = (text: string): string =>
  text.replaceAll(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

function reverseName(address: string): string {
  const parsed = ipaddr.parse(address);
  const bytes = parsed.toByteArray();
  if (parsed.kind() === 'ipv4') return `${bytes.reverse().join('.')}.in-addr.arpa`;
  return `${[...Buffer.from(bytes).toString('hex')].reverse().join('.')}.ip6.arpa`;
}

/** A DNS of the lines of a zone, `<name> <type> <value>`; a name of the type TIMEOUT gets no answer. */
export function dnsOf(zone: string): SpfDns {
  const records = linesOf(zone).map(
    (line) => /^(.+?) (TXT|A|AAAA|MX|PTR|TIMEOUT)(?: (.*))?$/.exec(line)?.slice(1) ?? [],
  );
  const ask = (type: string) => async (asked: string) => {
    const of = records.filter(([known]) => known?.toLowerCase() === asked.toLowerCase());
    const found = of.filter(([, kind]) => kind === type).map(([, , value = '']) => unescaped(value));
    if (found.length === 0 && of.some(([, kind]) => kind === 'TIMEOUT')) {
      throw new LookUpError(`${type} ${asked}: ETIMEOUT`);
    }
    return found.map((value) => (value === '.' ? '' : value));
  };
  return {
    txt: ask('TXT'),
    a: ask('A'),
    aaaa: ask('AAAA'),
    mx: ask('MX'),
    ptr: (address) => ask('PTR')(reverseName(address)),
  };
}
