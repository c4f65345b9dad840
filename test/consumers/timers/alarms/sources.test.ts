import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DESTINATIONS } from '../../../../operations/destinations/destination-states';
import { DOMAIN_REPORTS } from '../../../../operations/domains/read-reports';
import { domainSource, dmarcSource } from '../../../../consumers/timers/alarms/domain-sources';
import { blocklistSource, certificateSource } from '../../../../consumers/timers/alarms/server-sources';
import { sendingAddresses } from '../../../../operations/domains/check-names';
import { DomainDns } from '../../../../operations/domains/domain-dns';
import { LookUpError } from '../../../../lib/look-up-error';
import type { AlarmSource, Evaluation } from '../../../../consumers/timers/alarms/source';
import { storeSources } from '../../../../consumers/timers/alarms/store-sources';
import { reportKey, type DomainReport } from '../../../../domain/domain-reports/domain-report';
import { dnsRecords } from '../../../../domain/settings/dns-records';
import { DAY } from '../../../../lib/clock';
import { selfSigned } from '../../../../smtp/relay/tls/self-signed';
import { openTemporary } from '../../../contract/embedded/open';
import { sharedEngine } from '../../../contract/harness';
import { acceptMessage, createSender, type Sender } from '../../../support/builders';
import { TEST_START as NOW } from '../../../support/clock';
import { DnsServer } from '../../../support/dns-server';
import { KEY, OTHER_KEY } from '../../../operations/domains/set-up';

const subject = sharedEngine(openTemporary);
let server: DnsServer;
beforeAll(async () => {
  server = await DnsServer.start();
});
beforeEach(() => {
  server.records.clear();
  server.asked.length = 0;
  server.failing = null;
});
afterAll(() => server.stop());

/** What a look at a source finds, in time. */
const sight = (source: AlarmSource, round: Partial<Evaluation> = {}) =>
  source.evaluate({ now: NOW, from: 0, active: [], late: new AbortController().signal, ...round });
const foundBy = async (source: AlarmSource, round: Partial<Evaluation> = {}) => (await sight(source, round)).found;

const PATIENCE = { timeout: 300, tries: 1 };
const dns = () => new DomainDns([server.address], PATIENCE);

describe('blocklists', () => {
  const look = (...addresses: string[]) =>
    foundBy(blocklistSource(dns, ['zen.test', 'other.test'], async () => ({ known: addresses, failed: [] })));

  it('that have the address of the sending server are named, with its reverse name', async () => {
    server.set('A', '7.113.0.203.zen.test', '127.0.0.2', '127.0.0.4');
    server.set('PTR', '7.113.0.203.in-addr.arpa', 'mta.kurir.test');
    const found = await look('203.0.113.7');
    expect(found).toMatchObject([{ kind: 'blocklist', subject: '203.0.113.7 zen.test', workspaceId: null }]);
    expect(JSON.stringify(found)).toMatch(
      /203\.0\.113\.7 \(mta\.kurir\.test\) is on the blocklist zen\.test \(127\.0\.0\.2, 127/,
    );
    expect(server.asked).toContain('7.113.0.203.other.test');
  });

  it('are asked for addresses of IPv6 by their nibbles', async () => {
    await look('2001:db8::1');
    expect(server.asked).toContain(`1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.zen.test`);
  });

  it('that refuse to answer this DNS server, or do not answer, are not known', async () => {
    server.set('A', '7.113.0.203.zen.test', '127.255.255.254');
    server.set('A', '7.113.0.203.other.test', '203.0.113.99');
    const subjects = ['203.0.113.7 zen.test', '203.0.113.7 other.test'];
    const unknown = subjects.map((of) => ({ kind: 'blocklist', subject: of, unknown: true }));
    expect(await look('203.0.113.7')).toEqual(unknown);
    server.failing = 2;
    expect(await look('203.0.113.7')).toEqual(unknown);
  });

  it('are asked for the other addresses when the name of one has no answer; alarms of that one stay', async () => {
    server.set('A', '7.113.0.203.zen.test', '127.0.0.2');
    const addresses = () => sendingAddresses(new DomainDns(['127.0.0.1:9'], PATIENCE), 'a:gone.test ip4:203.0.113.7');
    const source = blocklistSource(dns, ['zen.test'], addresses);
    const active = ['203.0.113.7 zen.test', '198.51.100.1 zen.test'];
    const found = await foundBy(source, { active });
    expect(found).toMatchObject([
      { subject: active[0], text: expect.stringContaining('zen.test') },
      { subject: active[1], unknown: true },
    ]);
  });

  it('without the address are no alarm', async () => {
    expect(await look('203.0.113.7')).toEqual([]);
  });
});

describe('certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-alarm-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const files = (name: string, days: number) => {
    const certFile = join(folder, name);
    // They are made for 3,650 days.
    writeFileSync(certFile, selfSigned(['kurir.test'], NOW - (3_650 - days) * DAY).cert);
    return { certFile, keyFile: certFile };
  };
  const look = (days: number) =>
    foundBy(
      certificateSource({
        tls: files('http.pem', days),
        smtpTls: null,
        mtaServers: [{ name: 'mta', url: 'smtp://127.0.0.1:1' }],
      }),
    );

  it('raise an alarm two weeks before their end', async () => {
    expect(await look(15)).toEqual([]);
    expect(await look(13)).toMatchObject([
      { kind: 'certificate', subject: 'KURIR_TLS_CERT', text: expect.stringContaining('expires in 13 days') },
    ]);
    expect(await look(-1)).toMatchObject([{ text: expect.stringContaining('has expired') }]);
  });

  it('that cannot be read, or not be seen, are not known', async () => {
    const missing = { certFile: join(folder, 'missing'), keyFile: '' };
    expect(await foundBy(certificateSource({ tls: null, smtpTls: missing, mtaServers: [] }))).toEqual([
      { kind: 'certificate', subject: 'KURIR_SMTP_TLS_CERT', unknown: true },
    ]);
    const mtaServers = [{ name: 'mta', url: 'smtp://mta.invalid:25' }];
    expect(await foundBy(certificateSource({ tls: null, smtpTls: null, mtaServers }))).toEqual([
      { kind: 'certificate', subject: 'mta.invalid', unknown: true },
    ]);
  });
});

describe('sending domains', () => {
  /** The alarm of a new active domain whose zone is in order but for `change`. */
  async function look(change: Record<string, string[]> = {}, { now = NOW, ...round }: Partial<Evaluation> = {}) {
    const { domain: of } = await createSender(subject.stores);
    const { domain } = of;
    const hosts = { mxHost: 'mail.kurir.example', spf: 'ip4:203.0.113.7' };
    const records = dnsRecords(domain, { selector: of.dkimSelector, value: KEY }, hosts);
    const zone: Record<string, string[]> = {
      'A mail.kurir.example': ['203.0.113.9'],
      'A mta.kurir.example': ['203.0.113.7'],
      'PTR 7.113.0.203.in-addr.arpa': ['mta.kurir.example'],
      [`MX ${domain}`]: ['10 mail.kurir.example'],
    };
    for (const { purpose, type, name, value } of records) {
      const found = type === 'MX' ? ['10 mail.kurir.example'] : [value ?? ''];
      zone[`${type} ${name}`] = change[purpose] ?? found;
    }
    server.records.clear();
    for (const [record, values] of Object.entries(zone)) if (values.length > 0) server.records.set(record, values);
    const setUp = async () => ({
      domain,
      records,
      hosts,
      replyTo: null,
      servers: [server.address],
      patience: PATIENCE,
    });
    const found = await foundBy(domainSource(subject.stores, setUp), { now, from: of.id - 1, ...round });
    return found.filter((one) => one.subject === domain);
  }

  it('that are in order are no alarm', async () => {
    expect(await look()).toEqual([]);
  });

  it('with what receivers refuse mail for are named, with the finding', async () => {
    expect(await look({ dkim: [OTHER_KEY] })).toMatchObject([
      { kind: 'domain', text: expect.stringMatching(/dkim-other-key .* kurir domain doctor /s) },
    ]);
    expect(await look({ dmarc: [] })).toMatchObject([{ text: expect.stringContaining('dmarc-missing') }]);
  });

  it('with a DKIM key of more than a year are named', async () => {
    const [alarm] = await look({}, { now: NOW + 366 * DAY });
    expect(alarm).toMatchObject({
      text: expect.stringMatching(/the DKIM key is 36\d days old; rotate it: kurir domain rotate/),
    });
  });

  it('of which the DNS says nothing are not known', async () => {
    server.failing = 2;
    expect(await look()).toMatchObject([{ kind: 'domain', unknown: true }]);
  });

  it('that cannot be looked at are not known, and hold up no other', async () => {
    const [first, second] = [(await createSender(subject.stores)).domain, (await createSender(subject.stores)).domain];
    const source = domainSource(subject.stores, async () => Promise.reject(new Error('a damaged key')));
    const { found, next } = await sight(source, { from: first.id - 1 });
    expect(found.map((of) => [of.subject, 'error' in of])).toEqual([first, second].map(({ domain }) => [domain, true]));
    expect(next).toBe(0);
  });

  it('that are looked up too slowly are not known, and the next look goes on behind them', async () => {
    const domains = [];
    for (let n = 0; n < 20; n += 1) domains.push((await createSender(subject.stores)).domain);
    const answer = new Promise<never>(() => undefined);
    const source = domainSource(subject.stores, () => answer);
    const round = { from: domains[0]!.id - 1, late: AbortSignal.timeout(100) };
    const { found, next } = await sight(source, round);
    expect(found).toEqual(domains.map(({ domain }) => ({ kind: 'domain', subject: domain, unknown: true })));
    expect(next).toBe(domains[15]!.id);
    expect((await sight(source, { ...round, from: domains[19]!.id })).next).toBe(0);
  });
});

describe('DMARC reports', () => {
  const source = (ip: string, passed: number, failed: number) => ({
    ip,
    from: 'a.example',
    passed,
    failed,
    quarantined: 0,
    rejected: failed,
  });

  const OWN = ['203.0.113.7', '2001:db8::7'];
  const dmarc = (failed: LookUpError[] = []) => dmarcSource(subject.stores, async () => ({ known: OWN, failed }));

  async function look(sources: DomainReport['sources'], begin = NOW - DAY) {
    const { domain, workspace } = await createSender(subject.stores);
    const of = { kind: 'dmarc' as const, org: 'google.com', reportId: '1', begin, end: begin + DAY, failures: [] };
    const body = { ...of, passed: 0, failed: 0, sources };
    const entry = { id: reportKey(domain.domain, body), workspaceId: workspace.id, body };
    await subject.stores.records.add(DOMAIN_REPORTS, entry, NOW);
    const found = await foundBy(dmarc(), { from: domain.id - 1 });
    return found.filter((one) => one.subject === domain.domain);
  }

  it('of own mail that fails raise an alarm; strangers and single failures do not', async () => {
    expect(await look([source('203.0.113.7', 800, 20), source('198.51.100.1', 0, 900)])).toMatchObject([
      { kind: 'dmarc', text: expect.stringContaining('20 of 820 emails') },
    ]);
    expect(await look([source('2001:db8:0:0::7', 80, 20)])).toHaveLength(1);
    expect(await look([source('203.0.113.7', 5_000, 20), source('198.51.100.1', 0, 900)])).toEqual([]);
    expect(await look([source('203.0.113.7', 1, 9)])).toEqual([]);
    expect(await look([source('203.0.113.7', 80, 20)], NOW - 5 * DAY)).toEqual([]);
  });

  it('do not end an alarm while an address of ours cannot be looked up', async () => {
    const { domain } = await createSender(subject.stores);
    const [one] = await foundBy(dmarc([new LookUpError('no answer')]), { from: domain.id - 1 });
    expect(one).toEqual({ kind: 'dmarc', subject: domain.domain, unknown: true });
  });

  it('are read by turns, and an alarm of a domain whose turn it is not stays while the domain is active', async () => {
    const senders = [];
    for (let n = 0; n < 501; n += 1) senders.push(await createSender(subject.stores));
    const [first, last] = [senders[0]!.domain, senders[500]!.domain];
    const gone = (await createSender(subject.stores)).domain;
    await subject.stores.domains.setStatus(gone.id, 'suspended');
    const active = [first, last, gone].map(({ domain }) => domain);
    const { found, next } = await sight(dmarc(), { from: first.id - 1, active });
    expect(found).toEqual([{ kind: 'dmarc', subject: last.domain, unknown: true }]);
    expect(next).toBe(senders[499]!.domain.id);
    const rest = await sight(dmarc(), { from: next!, active });
    expect(rest).toEqual({ found: [{ kind: 'dmarc', subject: first.domain, unknown: true }], next: 0 });
  });
});

describe('the stores', () => {
  const look = async (name: string) => {
    const source = storeSources(subject.stores).find((one) => one.name === name);
    return source ? foundBy(source) : [];
  };

  it('name destinations that are stopped, for all or one workspace, with the words of the server', async () => {
    const why = { rule: 'away', reply: '421 go away', messageId: 'm', at: NOW };
    const put = (id: string, stoppedUntil: number) =>
      subject.stores.records.add(
        DESTINATIONS,
        {
          id,
          body: { factor: 0.5, factorUntil: NOW, factorFor: 1, stoppedUntil, why },
        },
        NOW,
      );
    await put('google', NOW + DAY);
    await put('yahoo 3', NOW + DAY);
    await put('apple', NOW);
    expect(await look('destinations')).toMatchObject([
      {
        subject: 'google',
        workspaceId: null,
        text: expect.stringMatching(/^Email to google is stopped .*421 go away$/),
      },
      { subject: 'yahoo 3', workspaceId: 3, text: expect.stringMatching(/^Email of workspace 3 to yahoo is stopped/) },
    ]);
  });

  it('name the workspace whose mail bounces hard too often, and no other', async () => {
    const { stores } = subject;
    const mailOf = async (sender: Sender, hard: number): Promise<void> => {
      for (let n = 0; n < 200; n += 1) {
        const { id } = await acceptMessage(stores, sender, { facts: { createdAt: NOW } });
        const bounced = {
          status: 'bounced',
          refusedClass: 'address_unknown',
          refusedAt: NOW,
          hardBouncedAt: NOW,
        } as const;
        const set = n < hard ? bounced : ({ status: 'delivered' } as const);
        await stores.messages.change(id, () => ({ set, at: NOW, records: [] }));
      }
    };
    const [bad, good] = [await createSender(stores), await createSender(stores)];
    await mailOf(bad, 5);
    await mailOf(good, 4);
    const found = await look('rates');
    expect(found).toMatchObject([
      { kind: 'hard_bounces', subject: String(bad.workspace.id), text: expect.stringContaining('2.50 %') },
    ]);
  });
});
