import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mailHosts } from '../../../app/services/mail-hosts';
import { MailRoutes } from '../../../operations/destinations/mail-routes';
import { BUILT_IN_FILE, DestinationRules } from '../../../domain/destinations/destination-rules';
import { DAY, MINUTE } from '../../../lib/clock';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';
import { DnsServer } from '../../support/dns-server';

let dns: DnsServer;
let opened: OpenedEngine;
beforeAll(async () => {
  dns = await DnsServer.start();
  dns.set('MX', 'toko.co.id', '20 mx.toko.co.id', '10 aspmx.l.google.com');
  dns.set('MX', 'kantor.co.id', '0 kantor-co-id.mail.protection.outlook.com');
  dns.set('A', 'sendiri.co.id', '192.0.2.1');
  opened = await openTemporary();
});
beforeEach(() => {
  dns.asked.length = 0;
  dns.failing = null;
});
afterAll(async () => {
  await dns.stop();
  await opened.destroy();
});

const logger = { debug: () => undefined };
const rules = new DestinationRules(BUILT_IN_FILE);
/** Those of one process. */
const newRoutes = (lookUp: ((domain: string) => Promise<string[]>) | null = mailHosts([dns.address])) =>
  new MailRoutes({ rules, records: opened.engine.stores.records, lookUp, clock: opened.clock, logger });

describe('who is behind a domain', () => {
  it('is the domain itself until the DNS has told, which is asked once for all processes and a day', async () => {
    const routes = newRoutes();
    expect(routes.of('toko.co.id')).toBe('toko.co.id');
    expect(routes.of('toko.co.id')).toBe('toko.co.id');
    await routes.settled();
    expect(routes.of('toko.co.id')).toBe('google');
    expect(await newRoutes().found('toko.co.id')).toBe('google');
    expect(dns.asked).toEqual(['toko.co.id']);
    opened.clock.advance(DAY);
    expect(routes.of('toko.co.id')).toBe('google');
    await routes.settled();
    expect(dns.asked).toEqual(['toko.co.id', 'toko.co.id']);
  });

  it('is the domain itself without MX records', async () => {
    expect(await newRoutes().found('sendiri.co.id')).toBe('sendiri.co.id');
  });

  it('is asked for again some minutes after the DNS did not answer', async () => {
    dns.failing = 2;
    const routes = newRoutes();
    expect(await routes.found('kantor.co.id')).toBe('kantor.co.id');
    dns.failing = null;
    expect(await routes.found('kantor.co.id')).toBe('kantor.co.id');
    opened.clock.advance(10 * MINUTE);
    expect(await routes.found('kantor.co.id')).toBe('microsoft365');
  });

  it('stays what it was while the DNS does not answer', async () => {
    const routes = newRoutes();
    expect(await routes.found('toko.co.id')).toBe('google');
    opened.clock.advance(DAY);
    dns.failing = 2;
    expect(await routes.found('toko.co.id')).toBe('google');
    expect(routes.of('toko.co.id')).toBe('google');
  });

  it('is the domain itself for many that ask at a DNS which is silent', async () => {
    const routes = newRoutes(() => new Promise(() => undefined));
    for (let n = 0; n < 100; n += 1) expect(await routes.found(`diam${n}.co.id`)).toBe(`diam${n}.co.id`);
  });

  it('needs no DNS for well-known names and those of no network, nor has any when it is off', async () => {
    const routes = newRoutes();
    expect([routes.of('gmail.com'), routes.of('toko.test'), routes.of('')]).toEqual(['google', 'toko.test', '']);
    expect(await newRoutes(null).found('ada.co.id')).toBe('ada.co.id');
    expect(newRoutes(null).of('gmail.com')).toBe('google');
    await routes.settled();
    expect(dns.asked).toEqual([]);
  });
});
