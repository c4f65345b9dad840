import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FindingName } from '../../../domain/deliverability/finding';
import { DnsServer } from '../../support/dns-server';
import { DOMAIN, examined, KEY, NAMES, OTHER_KEY, SHORT_KEY, type Zone } from './set-up';

let dns: DnsServer;
beforeAll(async () => {
  dns = await DnsServer.start();
});
afterAll(() => dns.stop());

const spf = (record: string, more: Zone = {}): Zone => ({ [NAMES.spf]: [record], ...more });
const dmarc = (record: string, more: Zone = {}): Zone => ({ [NAMES.dmarc]: [record], ...more });
const OURS = 'ip4:203.0.113.7';
const RUA = `rua=mailto:dmarc@bounce.${DOMAIN}`;
const many = Array.from({ length: 11 }, (_, n) => `a:h${n}.${DOMAIN}`).join(' ');

const BROKEN: readonly (readonly [what: string, zone: Zone, found: readonly FindingName[]])[] = [
  ['no DKIM key', { [NAMES.dkim]: [] }, ['dkim-missing']],
  ['two DKIM keys', { [NAMES.dkim]: [KEY, OTHER_KEY] }, ['dkim-several']],
  ['a revoked key', { [NAMES.dkim]: ['v=DKIM1; p='] }, ['dkim-revoked']],
  ['the key of somebody else', { [NAMES.dkim]: [OTHER_KEY] }, ['dkim-other-key']],
  ['a text in the place of the key', { [NAMES.dkim]: ['google-site-verification=1'] }, ['dkim-no-key']],
  ['a key of another kind', { [NAMES.dkim]: [KEY.replace('k=rsa', 'k=ed25519')] }, ['dkim-no-key']],
  ['a key of 1024 bits', { [NAMES.dkim]: [SHORT_KEY] }, ['dkim-other-key', 'dkim-short-key']],
  ['DKIM in testing', { [NAMES.dkim]: [`${KEY}; t=s:y`] }, ['dkim-testing']],
  ['a key for SHA-1', { [NAMES.dkim]: [`${KEY}; h=sha1`] }, ['dkim-hash']],
  ['a key for another service', { [NAMES.dkim]: [`${KEY}; s=chat`] }, ['dkim-service']],
  ['no SPF', { [NAMES.spf]: [] }, ['spf-missing']],
  ['two SPF records', { [NAMES.spf]: [`v=spf1 ${OURS} -all`, 'v=spf1 mx -all'] }, ['spf-several']],
  ['SPF without the server', spf('v=spf1 mx -all'), ['spf-lacks-server']],
  ['SPF for anybody', spf(`v=spf1 ${OURS} +all`), ['spf-open']],
  ['SPF that ends nowhere', spf(`v=spf1 ${OURS} ?all`), ['spf-no-end']],
  ['SPF with a slip of the pen', spf(`v=spf1 ${OURS} ipv4:1.2.3.4 -all`), ['spf-syntax']],
  ['SPF with an address that is none', spf(`v=spf1 ${OURS} ip4:300.1.1.1 -all`), ['spf-syntax']],
  ['SPF with eleven look-ups', spf(`v=spf1 ${OURS} ${many} -all`), ['spf-look-ups']],
  ['SPF that includes itself', spf(`v=spf1 ${OURS} include:bounce.${DOMAIN} -all`), ['spf-look-ups']],
  ['SPF with an include of nothing', spf(`v=spf1 ${OURS} include:none.example -all`), ['spf-include']],
  ['SPF with ptr', spf(`v=spf1 ${OURS} ptr -all`), ['spf-ptr']],
  ['no way back for bounces', { [NAMES.bounce]: [] }, ['return-path-missing']],
  ['bounces that go elsewhere', { [NAMES.bounce]: ['10 mx.other.example'] }, ['return-path-elsewhere']],
  ['bounces for two', { [NAMES.bounce]: ['10 mail.kurir.example', '20 mx.other.example'] }, ['return-path-shared']],
  ['an MX host without address', { 'A mail.kurir.example': [] }, ['return-path-host']],
  ['no DMARC', { [NAMES.dmarc]: [] }, ['dmarc-missing']],
  ['two DMARC records', { [NAMES.dmarc]: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }, ['dmarc-several']],
  ['DMARC without policy', dmarc(`v=DMARC1; ${RUA}`), ['dmarc-policy']],
  ['DMARC with a made-up policy', dmarc(`v=DMARC1; p=block; ${RUA}`), ['dmarc-policy']],
  ['DMARC without reports', dmarc('v=DMARC1; p=reject'), ['dmarc-no-reports']],
  ['DMARC reports to a web page', dmarc('v=DMARC1; p=none; rua=https://toko.example/r'), ['dmarc-address']],
  ['DMARC reports to a stranger', dmarc('v=DMARC1; p=none; rua=mailto:r@dmarc.other.example'), ['dmarc-agreement']],
  ['DMARC for half of the mail', dmarc(`v=DMARC1; p=reject; pct=50; ${RUA}`), ['dmarc-partial']],
  ['DMARC that aligns SPF strictly', dmarc(`v=DMARC1; p=none; aspf=s; ${RUA}`), ['dmarc-strict-spf']],
  ['a From that nobody can answer', { [NAMES.from]: [] }, ['from-no-host']],
  ['a From whose MX host has no address', { 'A mx.toko.example': [] }, ['from-no-host']],
  ['a From with a null MX', { [NAMES.from]: ['0 .'] }, ['from-null-mx']],
  ['a logo without a policy', { [NAMES.bimi]: ['v=BIMI1; l=https://toko.example/logo.svg'] }, ['bimi-policy']],
  [
    'a logo that is no SVG',
    { [NAMES.bimi]: ['v=BIMI1; l=https://toko.example/logo.png'], ...dmarc(`v=DMARC1; p=reject; ${RUA}`) },
    ['bimi-logo'],
  ],
  ['no reverse name', { [NAMES.ptr]: [] }, ['ptr-missing']],
  ['a reverse name of another', { 'A mta.kurir.example': ['203.0.113.8'] }, ['ptr-unconfirmed']],
  [
    'a reverse name of an end user',
    { [NAMES.ptr]: ['host-203-0-113-7.isp.example'], 'A host-203-0-113-7.isp.example': ['203.0.113.7'] },
    ['ptr-generic'],
  ],
  [
    'three faults at once',
    { [NAMES.dkim]: [], [NAMES.ptr]: [], ...dmarc('v=DMARC1; p=none') },
    ['dkim-missing', 'ptr-missing', 'dmarc-no-reports'],
  ],
];

const TWO = { mxHost: 'mail.kurir.example', spf: 'ip6:2001:db8::7' };
const BY_NAME = { mxHost: 'mail.kurir.example', spf: 'a:mta.kurir.example' };
const NIBBLES = `${'7.0.0.0.'.concat('0.'.repeat(20))}8.b.d.0.1.0.0.2.ip6.arpa`;

const FINE: readonly (readonly [what: string, zone: Zone, more?: Parameters<typeof examined>[2]])[] = [
  ['what kurir domain add prints', {}],
  [
    'DMARC that rejects, with all tags',
    dmarc(`v=DMARC1; p=reject; sp=reject; adkim=s; aspf=r; pct=100; fo=1; ${RUA}!10m`),
  ],
  [
    'SPF that includes others',
    spf(`v=spf1 include:_spf.mail.example ${OURS} ~all`, { 'TXT _spf.mail.example': ['v=spf1 ip4:192.0.2.0/24 -all'] }),
  ],
  [
    'SPF that redirects',
    spf(`v=spf1 ${OURS} redirect=_spf.mail.example`, { 'TXT _spf.mail.example': ['v=spf1 -all'] }),
  ],
  [
    'reports to another domain, which agrees',
    dmarc('v=DMARC1; p=none; rua=mailto:a@dmarc.other.example', {
      [`TXT ${DOMAIN}._report._dmarc.dmarc.other.example`]: ['v=DMARC1;'],
    }),
  ],
  ['a From with an address and no MX', { [NAMES.from]: [], [`A ${DOMAIN}`]: ['203.0.113.20'] }],
  ['a key with its other tags', { [NAMES.dkim]: [`${KEY}; t=s; s=email; h=sha1:sha256; n=kurir`] }],
  [
    'a logo',
    { [NAMES.bimi]: ['v=BIMI1; l=https://toko.example/logo.svg; a='], ...dmarc(`v=DMARC1; p=quarantine; ${RUA}`) },
  ],
  [
    'a sending server with IPv6',
    spf('v=spf1 ip6:2001:db8::7 -all', {
      [`PTR ${NIBBLES}`]: ['mta6.kurir.example'],
      'AAAA mta6.kurir.example': ['2001:db8::7'],
    }),
    { hosts: TWO },
  ],
  [
    'a sending server by its name, and a Reply-To',
    spf('v=spf1 a:mta.kurir.example -all', {
      'MX answers.example': ['10 mx.answers.example'],
      'A mx.answers.example': ['203.0.113.26'],
    }),
    { hosts: BY_NAME, replyTo: 'cs@answers.example' },
  ],
];

describe('kurir domain doctor', () => {
  it.each(BROKEN)('names %s', async (_what, zone, names) => {
    expect((await examined(dns, zone)).map(({ check }) => check).sort()).toEqual([...names].sort());
  });

  // A row of two values would get a callback as its third.
  it.each(FINE.map(([what, zone, more = {}]) => [what, zone, more] as const))(
    'finds nothing in %s',
    async (_what, zone, more) => {
      expect(await examined(dns, zone, more)).toEqual([]);
    },
  );

  it('names a Reply-To whose domain takes no mail', async () => {
    const found = await examined(dns, {}, { replyTo: 'cs@nowhere.example' });
    expect(found.map(({ check }) => check)).toEqual(['reply-to-no-host']);
  });

  it('says what it found, what is expected and why, and gives the line to publish; what blocks comes first', async () => {
    const found = await examined(dns, { [NAMES.spf]: [], ...dmarc('v=DMARC1; p=none; rua=mailto:r@other.example') });
    expect(found).toEqual([
      {
        check: 'spf-missing',
        level: 'blocking',
        found: 'nothing',
        expected: 'an SPF record of the return path',
        why: 'Gmail, Yahoo and Microsoft require it of bulk senders (RFC 7208)',
        publish: `bounce.${DOMAIN}. 3600 IN TXT "v=spf1 ${OURS} -all"`,
      },
      expect.objectContaining({
        check: 'dmarc-agreement',
        publish: `${DOMAIN}._report._dmarc.other.example. 3600 IN TXT "v=DMARC1"`,
      }),
    ]);
  });

  it('says when the DNS does not answer, and blames nothing on it', async () => {
    dns.failing = 2;
    try {
      const found = await examined(dns, {});
      expect(new Set(found.map(({ check }) => check))).toEqual(new Set(['dns-failed']));
      expect(found.every(({ publish }) => publish === null)).toBe(true);
    } finally {
      dns.failing = null;
    }
  });
});
