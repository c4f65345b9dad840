import { describe, expect, it } from '@jest/globals';
import { checkHost } from '../../../domain/spf/check-host';
import { SUBJECTS } from './rfc7208-cases';
import { dnsOf, linesOf, plain } from './zone';

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
