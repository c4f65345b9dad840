import { describe, expect, it } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { checkHost, LookUpError, type SpfDns } from '../../../domain/spf/check-host';
import { SUBJECTS } from './rfc7208-cases';

const plain = (text: string): string => text.trim().replaceAll('@', 'example.com').replaceAll('␠', ' ');
const linesOf = (text: string): string[] => text.trim().split('\n').map(plain);
const unescaped = (text: string): string =>
  text.replaceAll(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** A DNS of the lines of a zone. */
function dnsOf(zone: string): SpfDns {
  const records = linesOf(zone).map((line) => /^(.+?) (TXT|A|AAAA|MX|PTR|TIMEOUT)(?: (.*))?$/.exec(line)!.slice(1));
  const ask = (type: string) => async (asked: string) => {
    const name = asked.toLowerCase();
    const of = records.filter(([known]) => known!.toLowerCase() === name);
    const found = of.filter(([, kind]) => kind === type).map(([, , value = '']) => unescaped(value));
    if (found.length === 0 && of.some(([, kind]) => kind === 'TIMEOUT')) throw new LookUpError(`${type} ${name}`);
    return found.map((value) => (value === '.' ? '' : value));
  };
  const reversed = (address: string): string => {
    const parsed = ipaddr.parse(address);
    const bytes = parsed.toByteArray();
    if (parsed.kind() === 'ipv4') return `${bytes.reverse().join('.')}.in-addr.arpa`;
    return `${[...Buffer.from(bytes).toString('hex')].reverse().join('.')}.ip6.arpa`;
  };
  return {
    ...{ txt: ask('TXT'), a: ask('A'), aaaa: ask('AAAA'), mx: ask('MX') },
    ptr: (address) => ask('PTR')(reversed(address)),
  };
}

describe.each(SUBJECTS)('check_host() of RFC 7208: $subject', ({ zone, cases }) => {
  const dns = dnsOf(zone);
  it.each(linesOf(cases))('%s', async (line) => {
    const [results = '', ip = '', domain = ''] = line.split(' ');
    const helo = / helo=(.+?)(?= local=|$)/.exec(line)?.[1] ?? 'mail.example.com';
    const local = / local=(\S+)/.exec(line)?.[1] ?? 'foo';
    const { result } = await checkHost(dns, domain, { ip, helo, sender: `${local}@${domain}` });
    expect(results.split('|')).toContain(result);
  });
});

describe('the outcome of a check', () => {
  const dns = dnsOf(`
    a.@ TXT v=spf1 include:b.@ ~all
    b.@ TXT v=spf1 ip4:1.2.3.4 nonsense -all
    c.@ TXT v=spf1 include:nothing.@ -all
    d.@ TXT v=spf1 ip4:1.2.3.4 ~all
    e.@ TXT v=spf1 include:f.@ -all
    f.@ TIMEOUT`);
  const check = (domain: string) =>
    checkHost(dns, plain(domain), { ip: '1.2.3.5', helo: 'x.example.com', sender: 'a@b.example.com' });

  it('names the term that decided', async () => {
    expect(await check('d.@')).toEqual({ result: 'softfail', by: '~all', fault: null });
  });

  it('names the record and the term that is wrong, however deep', async () => {
    expect((await check('a.@')).fault).toEqual({ kind: 'syntax', at: 'b.example.com', what: 'nonsense' });
    expect((await check('c.@')).fault).toEqual({ kind: 'include', at: 'c.example.com', what: 'nothing.example.com' });
  });

  it('is no verdict where a look-up gets no answer', async () => {
    expect(await check('e.@')).toMatchObject({ result: 'temperror', fault: { kind: 'dns' } });
  });
});
