import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestOperator } from '../support/test-operator';
import { DnsServer } from '../support/dns-server';

const SPF = 'ip4:203.0.113.7';
let operator: TestOperator;
let dns: DnsServer;
beforeAll(async () => {
  operator = await TestOperator.open({
    env: { KURIR_PUBLIC_URL: 'https://mail.example.net', KURIR_SANDBOX_PUBLIC: 'true' },
  });
  await operator.ask('workspace', 'create', 'Toko Melati');
  await operator.ask('domain', 'dns', '--spf', SPF);
});
afterAll(() => operator.remove());
beforeEach(async () => {
  dns = await DnsServer.start();
});
afterEach(() => dns.stop());

interface DnsRow {
  purpose: string;
  name: string;
  type: 'TXT' | 'MX';
  value: string;
  zone: string;
}
let serial = 0;
const newDomain = async (name = `toko${(serial += 1)}.example`): Promise<{ name: string; dns: DnsRow[] }> => {
  const added = await operator.ask('domain', 'add', 'Toko Melati', name);
  return { name: added.domain as string, dns: added.dns as DnsRow[] };
};
/** Puts the records into the DNS as they were printed. */
const publish = (records: DnsRow[]): void => {
  for (const { type, name, value } of records) dns.set(type, name, value.replace(/\.$/, ''));
};
const check = async (name: string) => {
  const said = await operator.run(['domain', 'check', name, '--resolver', dns.address, '--json']);
  const records = said.json.records as { purpose: string; status: string; fault: string | null; found: string[] }[];
  const of = (purpose: string) => records.find((record) => record.purpose === purpose)!;
  return {
    code: said.code,
    ok: said.json.ok,
    of,
    statuses: Object.fromEntries(records.map((r) => [r.purpose, r.status])),
  };
};

describe('kurir domain check and activate evaluate SPF', () => {
  it.each([
    ['v=spf1 include:relay.example -all'],
    ['v=spf1 ip4:203.0.113.0/24 ~all'],
    ['v=spf1 redirect=relay.example'],
    ['v=spf1 a:mta.relay.example -all'],
    ['v=spf1 mx -all'],
  ])('takes an SPF record that lets the server send by other terms: %s', async (record) => {
    const { name, dns: records } = await newDomain();
    publish(records);
    dns.set('TXT', `bounce.${name}`, record);
    dns.set('TXT', 'relay.example', 'v=spf1 ip4:192.0.2.0/24 ip4:203.0.113.0/28 -all');
    dns.set('A', 'mta.relay.example', '203.0.113.7');
    dns.set('A', 'mail.example.net', '203.0.113.7');
    expect((await check(name)).of('spf')).toMatchObject({ status: 'ok', fault: null });
    expect((await operator.run(['domain', 'activate', name, '--resolver', dns.address])).code).toBe(0);
  });

  it('refuses one that lists the server and refuses it before, and says what to publish', async () => {
    const { name, dns: records } = await newDomain();
    publish(records);
    dns.set('TXT', `bounce.${name}`, `v=spf1 -all ${SPF}`);
    const { of } = await check(name);
    expect(of('spf')).toMatchObject({ status: 'differs', fault: `${SPF} stands after -all, which decides before it` });
    dns.set('TXT', '_spf.google.com', 'v=spf1 ip4:192.0.2.0/24 ~all');
    dns.set('TXT', `bounce.${name}`, 'v=spf1 include:_spf.google.com ~all');
    const { out } = await operator.run(['domain', 'check', name, '--resolver', dns.address]);
    expect(out).toContain(`${SPF} is missing\n`);
    expect(out).toContain(`expected  v=spf1 include:_spf.google.com ${SPF} ~all\n`);
    const doctor = await operator.run(['domain', 'doctor', name, '--resolver', dns.address]);
    expect(doctor.out).toContain(`bounce.${name}. 3600 IN TXT "v=spf1 include:_spf.google.com ${SPF} ~all"`);
  });

  it('takes a record of several strings, and none that is in quotation marks', async () => {
    const { name, dns: records } = await newDomain();
    publish(records);
    const networks = Array.from({ length: 25 }, (_, n) => `ip4:192.0.2.${n}`).join(' ');
    dns.set('TXT', `bounce.${name}`, `v=spf1 ${networks} ${SPF} -all`);
    expect((await check(name)).of('spf')).toMatchObject({ status: 'ok' });
    dns.set('TXT', `bounce.${name}`, `"v=spf1 ${SPF} -all"`);
    expect((await check(name)).of('spf')).toMatchObject({
      ...{ status: 'differs', expected: `v=spf1 ${SPF} -all` },
      fault: expect.stringContaining('quotation mark') as unknown,
    });
  });

  it('no answer for a name that SPF leads to is no verdict, and leaves the status as it is', async () => {
    const { name, dns: records } = await newDomain();
    publish(records);
    dns.set('TXT', `bounce.${name}`, 'v=spf1 a:mta.example.net -all');
    Object.assign(dns, { failing: 2, failingOn: 'A' });
    expect((await check(name)).of('spf')).toMatchObject({
      ...{ status: 'unknown', fault: 'could not be looked up (A mta.example.net: ESERVFAIL): try again later' },
    });
    const { code, out } = await operator.run(['domain', 'activate', name, '--resolver', dns.address]);
    expect({ code, end: out.includes(`${name} is pending_dns\n`) }).toEqual({ code: 1, end: true });
    dns.failing = null;
    expect((await operator.run(['domain', 'activate', name, '--resolver', dns.address])).code).toBe(1);
    expect((await operator.ask('domain', 'show', name)).status).toBe('dns_failed');
  });
});
