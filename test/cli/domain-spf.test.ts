import { describe, expect, it } from '@jest/globals';
import { DomainScene, SPF } from './domain-scene';

const scene = DomainScene.ofFile();
const { newDomain, publish, check } = scene;

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
    scene.dns.set('TXT', `bounce.${name}`, record);
    scene.dns.set('TXT', 'relay.example', 'v=spf1 ip4:192.0.2.0/24 ip4:203.0.113.0/28 -all');
    scene.dns.set('A', 'mta.relay.example', '203.0.113.7');
    scene.dns.set('A', 'mail.example.net', '203.0.113.7');
    expect((await check(name)).of('spf')).toMatchObject({ status: 'ok', fault: null });
    expect((await scene.operator.run(['domain', 'activate', name, '--resolver', scene.dns.address])).code).toBe(0);
  });

  it('refuses one that lists the server and refuses it before, and says what to publish', async () => {
    const { name, dns: records } = await newDomain();
    publish(records);
    scene.dns.set('TXT', `bounce.${name}`, `v=spf1 -all ${SPF}`);
    const { of } = await check(name);
    expect(of('spf')).toMatchObject({ status: 'differs', fault: `${SPF} comes after -all, which decides first` });
    scene.dns.set('TXT', '_spf.google.com', 'v=spf1 ip4:192.0.2.0/24 ~all');
    scene.dns.set('TXT', `bounce.${name}`, 'v=spf1 include:_spf.google.com ~all');
    const { out } = await scene.operator.run(['domain', 'check', name, '--resolver', scene.dns.address]);
    expect(out).toContain(`${SPF} is missing\n`);
    expect(out).toContain(`expected  v=spf1 include:_spf.google.com ${SPF} ~all\n`);
    const doctor = await scene.operator.run(['domain', 'doctor', name, '--resolver', scene.dns.address]);
    expect(doctor.out).toContain(`bounce.${name}. 3600 IN TXT "v=spf1 include:_spf.google.com ${SPF} ~all"`);
  });

  it('takes a record of several strings, and none that is in quotation marks', async () => {
    const { name, dns: records } = await newDomain();
    publish(records);
    const networks = Array.from({ length: 25 }, (_, n) => `ip4:192.0.2.${n}`).join(' ');
    scene.dns.set('TXT', `bounce.${name}`, `v=spf1 ${networks} ${SPF} -all`);
    expect((await check(name)).of('spf')).toMatchObject({ status: 'ok' });
    scene.dns.set('TXT', `bounce.${name}`, `"v=spf1 ${SPF} -all"`);
    expect((await check(name)).of('spf')).toMatchObject({
      status: 'differs',
      expected: `v=spf1 ${SPF} -all`,
      fault: expect.stringContaining('quotation mark') as unknown,
    });
  });

  it('no answer for a name that SPF leads to is no verdict, and leaves the status as it is', async () => {
    const { name, dns: records } = await newDomain();
    publish(records);
    scene.dns.set('TXT', `bounce.${name}`, 'v=spf1 a:mta.example.net -all');
    Object.assign(scene.dns, { failing: 2, failingOn: 'A' });
    expect((await check(name)).of('spf')).toMatchObject({
      status: 'unknown',
      fault: 'could not be looked up (A mta.example.net: ESERVFAIL); try again later',
    });
    const { code, out } = await scene.operator.run(['domain', 'activate', name, '--resolver', scene.dns.address]);
    expect({ code, end: out.includes(`${name} is pending_dns\n`) }).toEqual({ code: 1, end: true });
    scene.dns.failing = null;
    expect((await scene.operator.run(['domain', 'activate', name, '--resolver', scene.dns.address])).code).toBe(1);
    expect((await scene.operator.ask('domain', 'show', name)).status).toBe('dns_failed');
  });
});
