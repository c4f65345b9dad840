import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { checkOneClick, postOneClick } from '../../../operations/domains/check-one-click';
import { checkServer } from '../../../operations/domains/check-server';
import { DomainDns } from '../../../operations/domains/domain-dns';
import { domainWarnings } from '../../../operations/domains/domain-warnings';
import { explained, finding } from '../../../domain/deliverability/finding';
import { DAY } from '../../../lib/clock';
import { certificate } from '../../smtp/reports/certificate';
import { certificateFacts } from '../../../lib/certificate';
import { DnsServer } from '../../support/dns-server';
import { Running } from '../../support/running';

let dns: DnsServer;
beforeAll(async () => {
  dns = await DnsServer.start();
  dns.set('A', 'mta.kurir.example', '203.0.113.7');
});
afterAll(() => dns.stop());

/** What is found of a real SMTP server, as if it were on another machine. */
async function examined(options: SMTPServerOptions, now = Date.now()): Promise<string[]> {
  const server = new SMTPServer({ disabledCommands: ['AUTH'], logger: false, ...options });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const asked = checkServer(new DomainDns([dns.address]), `smtp://127.0.0.1:${port}`, { now, isLocal: () => false });
  try {
    return (await asked).map(({ check }) => check);
  } finally {
    await new Promise<void>((resolve) => server.close(resolve));
  }
}

describe('the sending server', () => {
  const good = { name: 'mta.kurir.example', ...certificate };

  it('with a name, an address and TLS is fine', async () => expect(await examined(good)).toEqual([]));

  it.each<[string, SMTPServerOptions, string]>([
    ['a name that is none', { ...good, name: 'localhost' }, 'helo-no-name'],
    ['an address for a name', { ...good, name: '203.0.113.7' }, 'helo-no-name'],
    ['a name of the local network', { ...good, name: 'mail.lan' }, 'helo-no-name'],
    ['a name without an address', { ...good, name: 'gone.kurir.example' }, 'helo-no-address'],
    ['no TLS', { name: good.name, disabledCommands: ['AUTH', 'STARTTLS'] }, 'server-no-tls'],
  ])('with %s is named', async (_what, options, check) => expect(await examined(options)).toEqual([check]));

  it('whose certificate ends soon is named', async () => {
    expect(await examined(good, certificateFacts(certificate.cert).validTo - 3 * DAY)).toEqual(['server-certificate']);
  });

  it('that does not answer is named', async () => {
    const found = await checkServer(new DomainDns([dns.address]), 'smtp://127.0.0.1:1', { now: 0 });
    expect(found).toMatchObject([{ check: 'server-silent' }]);
  });
});

describe('unsubscribing in one click', () => {
  const answering = async (status: number, headers = {}): Promise<HttpServer> => {
    const server = createHttp((request, answer) =>
      request.resume().on('end', () => answer.writeHead(status, headers).end()),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  };

  it('comes through to the pages of Kurir, and unsubscribes nobody', async () => {
    const running = await Running.start();
    try {
      expect(await postOneClick(running.kurir.baseUrl.replace('/v1', ''))).toEqual([]);
    } finally {
      await running.stop();
    }
  });

  it.each([
    ['a redirect', 301, { location: 'https://www.toko.example/' }, 'one-click-redirect'],
    ['a filter in front', 403, {}, 'one-click-refused'],
    ['another site', 200, {}, 'one-click-refused'],
    ['a page that is not found elsewhere', 404, {}, 'one-click-refused'],
    ['a proxy without Kurir', 502, {}, 'one-click-refused'],
  ])('is named with %s', async (_what, status, headers, check) => {
    const server = await answering(status, headers);
    const found = await postOneClick(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.close();
    expect(found).toMatchObject([{ check }]);
  });

  it('is named when nothing answers, and when recipients cannot reach the address', async () => {
    expect(await postOneClick('http://127.0.0.1:1')).toMatchObject([{ check: 'one-click-unreachable' }]);
    const mtaUrl = 'smtp://mta.kurir.example';
    for (const publicUrl of [null, 'http://mail.kurir.example', 'https://localhost']) {
      expect(await checkOneClick({ publicUrl, mtaUrl })).toMatchObject([{ check: 'public-address' }]);
    }
  });
});

describe('the warnings of a campaign', () => {
  const findings = explained([finding('dkim-missing', 'nothing'), finding('spf-ptr', 'ptr')]);

  it('name what blocks mail, and ask again only after a while', async () => {
    let asked = 0;
    const ask = () => domainWarnings({ domain: 'a.example', replyTo: null }, async () => ((asked += 1), findings));
    expect(String(await ask())).toMatch(/^a\.example: dkim-missing \(nothing\): /);
    expect(await ask()).toHaveLength(1);
    expect(asked).toBe(1);
    const [warning] = await domainWarnings({ domain: 'a.example', replyTo: 'cs@b.example' }, async () => findings);
    expect(String(warning)).toMatch(/ See kurir domain doctor a\.example --reply-to cs@b\.example\.$/);
  });

  it('wait no longer than their bound for the DNS, and have the answer the next time', async () => {
    let answer = (_found: typeof findings): void => undefined;
    const slow = new Promise<typeof findings>((resolve) => (answer = resolve));
    expect(await domainWarnings({ domain: 'b.example', replyTo: null }, () => slow, 20)).toEqual([]);
    answer(findings);
    expect(await domainWarnings({ domain: 'b.example', replyTo: null }, () => slow, 5_000)).toHaveLength(1);
  });

  it('leave out what could not be looked up, and ask for it again', async () => {
    expect(
      await domainWarnings({ domain: 'c.example', replyTo: null }, () => Promise.reject(new Error('no DNS'))),
    ).toEqual([]);
    expect(await domainWarnings({ domain: 'c.example', replyTo: null }, async () => findings)).toHaveLength(1);
  });
});
