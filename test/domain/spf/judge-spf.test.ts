import { describe, expect, it } from '@jest/globals';
import { judgeSpf } from '../../../domain/spf/judge-spf';
import { dnsOf, plain } from './zone';

const BOUNCE = 'bounce.example.com';
const SERVER = 'ip4:203.0.113.7';
const ZONE = `
  _spf.google.com TXT v=spf1 ip4:192.0.2.0/24 ~all
  spf.relay.@ TXT v=spf1 ip4:203.0.113.0/28 include:more.relay.@ -all
  more.relay.@ TXT v=spf1 ip4:198.51.100.8 ip6:2001:db8:7::/64 ?all
  all-of.relay.@ TXT v=spf1 include:spf.relay.@ ip4:192.0.2.9 ~all
  half.relay.@ TXT v=spf1 ip4:203.0.113.0/29 ip4:203.0.113.9 include:more.relay.@ -all
  soft.relay.@ TXT v=spf1 ~include:spf.relay.@ -all
  open.relay.@ TXT v=spf1 +all
  typo.relay.@ TXT v=spf1 ipv4:203.0.113.7 -all
  twice.relay.@ TXT v=spf1 -all
  twice.relay.@ TXT v=spf1 +all
  loop.relay.@ TXT v=spf1 include:loop.relay.@ -all
  dead.relay.@ TIMEOUT
  by-macro.relay.@ TXT v=spf1 exists:%{ir}.list.relay.@ -all
  7.113.0.203.list.relay.@ A 127.0.0.2
  mta.@ A 203.0.113.7
  mta.@ AAAA 2001:db8::7
  bounce.@ MX mta.@
  bounce.@ A 203.0.113.7
  7.113.0.203.in-addr.arpa PTR mta.@
  xn--bcher-kva.@ TXT v=spf1 ${SERVER} -all`;

/** As JSON says it. */
const judged = async (found: readonly string[], terms = SERVER): Promise<unknown> => {
  const wanted = { name: BOUNCE, value: plain(`v=spf1 ${terms} -all`) };
  return JSON.parse(JSON.stringify(await judgeSpf(dnsOf(ZONE), wanted, found.map(plain))));
};

describe('an SPF record that lets the server send is right, however it is written', () => {
  it.each([
    [`v=spf1 ${SERVER} -all`],
    [`V=SPF1 IP4:203.0.113.7 -ALL`],
    [`v=spf1 +${SERVER} ~all`],
    ['v=spf1 ip4:203.0.113.0/24 -all'],
    ['v=spf1 ip4:203.0.113.7/32 -all'],
    ['v=spf1 ip4:203.0.113.7/25 ?all'],
    ['v=spf1 include:spf.relay.@ -all'],
    ['v=spf1 include:spf.relay.@. -all'],
    ['v=spf1 include:_spf.google.com include:all-of.relay.@ ~all'],
    ['v=spf1 redirect=spf.relay.@'],
    ['v=spf1 include:_spf.google.com redirect=all-of.relay.@'],
    ['v=spf1 a -all'],
    ['v=spf1 mx -all'],
    ['v=spf1 a:mta.@ -all'],
    ['v=spf1 a:mta.@/24//64 -all'],
    ['v=spf1 exists:%{ir}.list.relay.@ -all'],
    ['v=spf1 include:by-macro.relay.@ -all'],
    ['v=spf1 ptr:@ -all'],
    ['v=spf1 include:xn--bcher-kva.@ -all'],
    [`v=spf1 ${SERVER} include:nothing.@ -all`],
    [`v=spf1 ${SERVER} exp=why.@ unknown=1 -all`],
    ['v=spf1 -ip4:203.0.113.8 ip4:203.0.113.0/24 -all'],
  ])('%s', async (record) => {
    expect(await judged([record])).toEqual({ status: 'ok', fault: null, check: null });
  });

  it.each([
    ['include:spf.relay.@', 'v=spf1 include:spf.relay.@ -all'],
    ['include:spf.relay.@', 'v=spf1 include:all-of.relay.@ ~all'],
    ['include:spf.relay.@', 'v=spf1 redirect=all-of.relay.@'],
    ['include:spf.relay.@', 'v=spf1 ip4:203.0.113.0/24 ip4:198.51.100.8 ip6:2001:db8::/32 -all'],
    ['include:spf.relay.@', 'v=spf1 ip4:203.0.113.0/29 ip4:203.0.113.8/29 include:more.relay.@ -all'],
    ['a:mta.@', 'v=spf1 ip4:203.0.113.7 ip6:2001:db8::7 -all'],
    ['a:mta.@', 'v=spf1 mx -all'],
    ['ip4:203.0.113.0/30', 'v=spf1 ip4:203.0.113.0/31 ip4:203.0.113.2 ip4:203.0.113.3 -all'],
    ['exists:%{ir}.list.relay.@', 'v=spf1 exists:%{ir}.list.relay.@ -all'],
    ['include:by-macro.relay.@', 'v=spf1 include:by-macro.relay.@ ~all'],
    ['a:not-yet.@', 'v=spf1 a:not-yet.@ -all'],
  ])('where %s is expected: %s', async (terms, record) => {
    expect(await judged([record], terms)).toMatchObject({ status: 'ok' });
  });
});

describe('an SPF record that does not is refused, with the one to publish', () => {
  const missing = `${SERVER} is missing`;
  it.each([
    [
      'spf-lacks-server',
      missing,
      'v=spf1 include:_spf.google.com ~all',
      `v=spf1 include:_spf.google.com ${SERVER} ~all`,
    ],
    ['spf-lacks-server', missing, 'v=spf1 mx:none.@ -all', `v=spf1 mx:none.@ ${SERVER} -all`],
    ['spf-lacks-server', missing, 'v=spf1', `v=spf1 ${SERVER} ~all`],
    ['spf-lacks-server', missing, 'v=spf1 redirect=_spf.google.com', `v=spf1 ${SERVER} redirect=_spf.google.com`],
    ['spf-lacks-server', missing, 'v=spf1 -a ip4:203.0.113.0/24 -all', `v=spf1 ${SERVER} -a ip4:203.0.113.0/24 -all`],
    ['spf-lacks-server', missing, 'v=spf1 include:soft.relay.@ -all', `v=spf1 include:soft.relay.@ ${SERVER} -all`],
    ['spf-lacks-server', missing, 'v=spf1 ip4:203.0.113.70 -all', `v=spf1 ip4:203.0.113.70 ${SERVER} -all`],
    [
      ...['spf-lacks-server', `${SERVER} comes after -all, which decides first`],
      ...[`v=spf1 -all ${SERVER}`, `v=spf1 ${SERVER} -all`],
    ],
    [
      ...['spf-lacks-server', `${SERVER} comes after ~ip4:203.0.113.0/24, which decides first`],
      ...[`v=spf1 ~ip4:203.0.113.0/24 ${SERVER} -all`, `v=spf1 ${SERVER} ~ip4:203.0.113.0/24 -all`],
    ],
    ['spf-open', 'it allows any server to send (+all)', 'v=spf1 +all', `v=spf1 ${SERVER} ~all`],
    ['spf-open', 'it allows any server to send (+all)', `v=spf1 ${SERVER} ip4:0.0.0.0/0 -all`, undefined],
    ['spf-open', 'it allows any server to send (+all)', `v=spf1 ${SERVER} ip6:::/0 -all`, undefined],
    ['spf-open', 'it allows any server to send (+all)', 'v=spf1 redirect=open.relay.@', undefined],
    [
      ...['spf-syntax', 'ipv4:203.0.113.7 is not an SPF term, which makes the whole record invalid'],
      ...['v=spf1 mx ipv4:203.0.113.7 -all', `v=spf1 ${SERVER} mx -all`],
    ],
    [
      ...['spf-syntax', 'a:bücher.example is not an SPF term, which makes the whole record invalid'],
      ...[`v=spf1 ${SERVER} a:bücher.example -all`, `v=spf1 ${SERVER} -all`],
    ],
    [
      'spf-syntax',
      'in the record of typo.relay.@: ipv4:203.0.113.7 is not an SPF term, which makes the whole record invalid',
      ...['v=spf1 include:typo.relay.@ -all', `v=spf1 ${SERVER} include:typo.relay.@ -all`],
    ],
    [
      ...['spf-include', 'nothing.@ has no SPF record, which makes the record that includes it invalid'],
      ...[`v=spf1 include:nothing.@ ${SERVER} -all`, `v=spf1 ${SERVER} -all`],
    ],
    [
      ...['spf-include', 'twice.relay.@ has several SPF records, which makes all of them invalid'],
      ...['v=spf1 include:twice.relay.@ -all', undefined],
    ],
    [
      ...[
        'spf-look-ups',
        'in the record of loop.relay.@: it needs more than 10 DNS look-ups, which makes the record invalid',
      ],
      ...[`v=spf1 include:loop.relay.@ ${SERVER} -all`, `v=spf1 ${SERVER} include:loop.relay.@ -all`],
    ],
    [
      ...['spf-void', 'more than two of its names do not exist, which makes the record invalid'],
      ...[`v=spf1 a:n1.@ a:n2.@ mx:n3.@ ${SERVER} -all`, `v=spf1 ${SERVER} a:n1.@ a:n2.@ mx:n3.@ -all`],
    ],
  ] as const)('%s: %s in %s', async (check, fault, record, publish) => {
    expect(await judged([record])).toMatchObject({
      status: 'differs',
      check,
      fault: plain(fault),
      ...(publish !== undefined && { publish: plain(publish) }),
    });
  });

  it.each([
    ['include:spf.relay.@', 'v=spf1 include:half.relay.@ -all'],
    ['a:mta.@', 'v=spf1 ip4:203.0.113.7 -all'],
    ['ip4:203.0.113.0/24', 'v=spf1 -ip4:203.0.113.99 ip4:203.0.113.0/24 -all'],
    ['ip6:2001:db8::/32', 'v=spf1 ip6:2001:db8::/33 -all'],
    ['include:by-macro.relay.@', 'v=spf1 -all include:by-macro.relay.@'],
    ['include:by-macro.relay.@', 'v=spf1 ?include:by-macro.relay.@ -all'],
  ])('where %s is expected, which it holds in part: %s', async (terms, record) => {
    expect(await judged([record], terms)).toMatchObject({ status: 'differs', check: 'spf-lacks-server' });
  });

  it('names each term that is missing, and no other', async () => {
    const terms = `${SERVER} ip4:198.51.100.1 include:_spf.google.com`;
    expect(await judged(['v=spf1 ip4:203.0.113.0/24 ~all'], terms)).toMatchObject({
      fault: 'ip4:198.51.100.1 include:_spf.google.com is missing',
      publish: 'v=spf1 ip4:203.0.113.0/24 ip4:198.51.100.1 include:_spf.google.com ~all',
    });
  });

  it('several become one', async () => {
    expect(await judged(['v=spf1 mx -all', 'v=spf1 include:_spf.google.com mx ~all'])).toMatchObject({
      check: 'spf-several',
      publish: `v=spf1 mx include:_spf.google.com ${SERVER} ~all`,
    });
  });

  it.each([`"v=spf1 ${SERVER} -all"`, ` v=spf1 ${SERVER} -all`, `“v=spf1 ${SERVER} -all”`, `v=spf1\t${SERVER} -all`])(
    'one that does not begin as an SPF record does is told from none: %s',
    async (text) => {
      const { check, publish } = await judgeSpf(dnsOf(ZONE), { name: BOUNCE, value: `v=spf1 ${SERVER} -all` }, [text]);
      expect({ check, publish }).toEqual({ check: 'spf-syntax', publish: `v=spf1 ${SERVER} -all` });
    },
  );

  it('none is missing', async () => {
    expect(await judged(['google-site-verification=1', 'v=spf10 -all'])).toMatchObject({ status: 'missing' });
  });
});

describe('a look-up without an answer is no verdict', () => {
  it.each([
    [SERVER, 'v=spf1 include:dead.relay.@ -all'],
    [SERVER, 'v=spf1 redirect=dead.relay.@'],
    ['a:dead.relay.@', `v=spf1 ${SERVER} -all`],
    [`ip4:198.51.100.1 ${SERVER}`, `v=spf1 ${SERVER} include:dead.relay.@ -all`],
  ])('where %s is expected: %s', async (terms, record) => {
    expect(await judged([record], terms)).toEqual({
      status: 'unknown',
      check: 'dns-failed',
      fault: expect.stringMatching(/^could not be looked up \(\w+ dead\.relay\.example\.com: ETIMEOUT\)/) as unknown,
    });
  });

  it('before which the server is let send is right', async () => {
    expect(await judged([`v=spf1 ${SERVER} include:dead.relay.@ -all`])).toMatchObject({ status: 'ok' });
  });
});
