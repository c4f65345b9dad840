import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DomainReport } from '../../../../domain/domain-reports/domain-report';
import { gzipSync } from 'node:zlib';
import { HOUR } from '../../../../lib/clock';
import { Keyring } from '../../../../domain/keyring';
import type { SendingDomain } from '../../../../domain/settings/sending-domain';
import { createReportListener, type ReportListener } from '../../../../smtp/reports/report-listener';
import { frozenClock } from '../../../support/clock';
import { sendMail } from '../smtp-client';
import { bare, DOMAIN, SENDERS } from './senders';

const keyring = new Keyring('a master secret of thirty-two characters');
const warned: { reason?: string }[] = [];
let kept: { id: string; body: DomainReport }[];
let listener: ReportListener;
let port: number;
let now: number;
let isTrusted: boolean;
const clock = Object.assign(frozenClock(), { now: () => now });
beforeEach(async () => {
  [kept, warned.length, now, isTrusted] = [[], 0, frozenClock().now(), false];
  listener = createReportListener({
    keyring,
    clock,
    log: { publish: async () => undefined },
    reportStores: {
      domains: {
        findByName: async (name) => (name === DOMAIN ? ({ domain: name, workspaceId: 1 } as SendingDomain) : null),
      },
      records: {
        list: async () => [],
        add: async (_, entry) => {
          if (kept.some(({ id }) => id === entry.id)) return null;
          kept.push({ id: entry.id, body: entry.body as DomainReport });
          return entry as never;
        },
      },
    },
    port: 0,
    hostname: 'reports.kurir.test',
    isTrustedPeer: () => isTrusted,
    logger: { info: () => undefined, warn: (facts) => void warned.push(facts) },
  });
  ({ port } = await listener.listen());
});
afterEach(() => listener.close());

const mailTo = (to: string, raw: Buffer) => sendMail(port, { from: 'noreply@receiver.example', to }, raw);

describe('the report listener', () => {
  it('keeps the reports of all receivers at dmarc@ of the bounce domain, and each once', async () => {
    for (const [, mail] of SENDERS) expect((await mailTo(`dmarc@bounce.${DOMAIN}`, mail)).code).toBe(250);
    expect(kept.map(({ body }) => body.org)).toEqual(SENDERS.map(([org]) => org));
    expect((await mailTo(`DMARC+2@bounce.${DOMAIN}`, SENDERS[0]![1])).code).toBe(250);
    expect(kept).toHaveLength(SENDERS.length);
    expect(warned).toMatchObject([{ reason: 'it was received before' }]);
  });

  it('takes and drops what is no report, and refuses what is too large', async () => {
    expect((await mailTo(`tls@bounce.${DOMAIN}`, Buffer.from('Subject: x\r\n\r\nhello'))).code).toBe(250);
    expect(warned).toMatchObject([{ reason: 'no report in it' }]);
    const large = bare('application/zip', 'x.zip', Buffer.alloc(5 * 1024 * 1024, 'x'));
    expect((await mailTo(`dmarc@bounce.${DOMAIN}`, large)).code).toBe(552);
    expect((await mailTo(`dmarc@${DOMAIN}`, large)).code).toBe(550);
  });

  const bomb = bare('application/gzip', 'r.xml.gz', gzipSync(`<feedback>${'<a/>'.repeat(1_000_000)}`));
  it('takes nothing more of this kind from a network that sent one larger than any, for an hour, then for two', async () => {
    const honest = () => mailTo(`dmarc@bounce.${DOMAIN}`, SENDERS[0]![1]).then(({ code }) => code);
    expect((await mailTo(`dmarc@bounce.${DOMAIN}`, bomb)).code).toBe(250);
    expect(warned).toMatchObject([{ reason: expect.stringContaining('elements') }]);
    expect(await honest()).toBe(450);
    expect((await mailTo(`tls@bounce.${DOMAIN}`, SENDERS[0]![1])).code).toBe(450);
    now += HOUR - 1;
    expect(await honest()).toBe(450);
    now += 1;
    expect((await mailTo(`dmarc@bounce.${DOMAIN}`, bomb)).code).toBe(250);
    now += HOUR;
    expect(await honest()).toBe(450);
    now += HOUR;
    expect(await honest()).toBe(250);
    expect(kept).toHaveLength(1);
  });

  it('goes on taking from our own server, which passes on what others send', async () => {
    isTrusted = true;
    expect((await mailTo(`dmarc@bounce.${DOMAIN}`, bomb)).code).toBe(250);
    expect((await mailTo(`dmarc@bounce.${DOMAIN}`, SENDERS[0]![1])).code).toBe(250);
    expect(kept).toHaveLength(1);
  });

  it('has few of them in hand at once, and the others come again', async () => {
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        mailTo(`dmarc@bounce.${DOMAIN}`, SENDERS[n % 10]![1]).then(({ code }) => code),
      ),
    );
    expect(codes.filter((code) => code !== 250 && code !== 451)).toEqual([]);
    expect((await mailTo(`dmarc@bounce.${DOMAIN}`, SENDERS[0]![1])).code).toBe(250);
  });
});
