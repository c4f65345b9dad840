import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { postLarge } from './large-mails/post-large';
import { SlowSink } from './large-mails/slow-sink';
import { freePorts } from '../../proof/crash/free-ports';
import { Caller, temporaryDir } from '../support/running';
import { readFirstRun, Service } from '../support/service';
import { giveUpAt, limitFor } from '../support/limits';

const MAILS = 12;
const MB = 1_000_000;
/** Memory for two such mails at a time. */
const MAIL_MEMORY = 32;
const PACE = 20 * MB;
const LONG = limitFor(2);

const dataDir = temporaryDir();
const content = randomBytes(10 * 1024 * 1024).toString('base64');
const sink = new SlowSink();
let env: Record<string, string>;
let service: Service;
let api: Caller;
let sender: { apiKey: string; domainId: number };
let port: number;
beforeAll(async () => {
  const [http = 0] = await freePorts(1);
  port = http;
  env = {
    KURIR_HTTP_PORT: String(http),
    KURIR_MTA_URL: `smtp://127.0.0.1:${await sink.listen()}`,
    KURIR_DEMO: 'true',
    KURIR_MAIL_MEMORY: String(MAIL_MEMORY),
    KURIR_BODY_MEMORY: '32',
  };
  service = await Service.start(dataDir, env);
  const demo = readFirstRun(dataDir);
  sender = { apiKey: demo.api_key, domainId: demo.sending_domain_id };
  api = new Caller(demo.base_url, demo.api_key);
}, LONG);
afterAll(async () => {
  await service.kill();
  sink.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function untilArrived(mails: number): Promise<void> {
  for (const end = giveUpAt(); sink.count().mails < mails; await pause(50)) {
    if (performance.now() > end) throw new Error(`only ${sink.count().mails} of ${mails} arrived`);
  }
}

/** Declares a large body, sends nothing of it, and holds the memory for it until it is destroyed. */
async function idleUpload(): Promise<{ destroy(): void }> {
  const headers = {
    authorization: `Bearer ${sender.apiKey}`,
    'content-type': 'application/json',
    'content-length': 14 * MB,
  };
  const req = request({ host: '127.0.0.1', port, path: '/v1/messages', method: 'POST', headers, agent: false });
  req.on('error', () => undefined).flushHeaders();
  await pause(500);
  // The server has read its head once a later request is answered.
  await api.get('/account');
  return { destroy: () => void req.destroy() };
}

const post = (bytes: number): Promise<Response> =>
  fetch(`${api.baseUrl}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sender.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      to: 'budi@pelanggan.test',
      subject: 'Halo',
      html: '<p>Halo</p>',
      sending_domain_id: sender.domainId,
      ...(bytes > 0 && { attachments: [{ filename: 'a.bin', content: content.slice(0, bytes) }] }),
    }),
  });

describe('twelve mails of 10 MB with memory for two', () => {
  it(
    '503 with Retry-After while there is no memory for a request; small ones are accepted meanwhile',
    async () => {
      const idle = await idleUpload();
      const refused = await post(12 * MB);
      expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'busy' }]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('x-ratelimit-remaining')).not.toBeNull();
      expect((await post(0)).status).toBe(201);
      idle.destroy();
    },
    LONG,
  );

  it(
    'are accepted at once or later, survive kill -9, and arrive once each, two at a time',
    async () => {
      const posted = await postLarge({ port, sender }, content, { count: MAILS, atOnce: MAILS });
      expect(posted.accepted).toBe(MAILS);
      await pause(1_000);
      await service.kill();
      expect(sink.count().mails).toBe(0);
      service = await Service.start(dataDir, env);
      sink.pace = PACE;
      await untilArrived(MAILS + 1);
      expect(sink.count()).toMatchObject({ mails: MAILS + 1, duplicates: 0 });
      // The small mail passes them.
      expect(sink.count().mostAtOnce).toBeLessThanOrEqual(3);
      expect((await service.terminate()).code).toBe(0);
    },
    LONG,
  );
});
