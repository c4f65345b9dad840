import { afterAll, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../proof/crash/free-ports';
import { EVERYTHING } from '../support/everything';
import { limitFor } from '../support/limits';
import { Caller, temporaryDir } from '../support/running';
import { readFirstRun, Service } from '../support/service';

/** Ms from the request to the kill: before, about and after the commit. */
const MOMENTS = EVERYTHING ? [0, 5, 10, 20, 40, 60, 80, 120, 160, 240] : [15, 120];
const MESSAGES = 500;

const dataDir = temporaryDir();
let service: Service | null = null;
afterAll(async () => {
  await service?.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Result {
  message_id: string;
  status: string;
}

describe('kill -9 in the middle of a batch', () => {
  // spec: docs/contract.md#batch-of-messages: one commit: a kill leaves none or all
  it(
    'leaves none or all of it, and the second use of its key answers the same ids',
    async () => {
      const [http = '', bounce = '', sandbox = ''] = (await freePorts(3)).map(String);
      const env = { KURIR_HTTP_PORT: http, KURIR_BOUNCE_PORT: bounce, KURIR_SANDBOX_PORT: sandbox };
      service = await Service.start(dataDir, env);
      const demo = readFirstRun(dataDir);
      const api = new Caller(demo.base_url, demo.api_key);
      const total = async (): Promise<number> => Number((await api.get('/messages?channel=api')).body['total']);
      let before = 0;
      for (const [round, ms] of MOMENTS.entries()) {
        const messages = Array.from({ length: MESSAGES }, (_, n) => ({
          to: `orang${round}-${n}@pelanggan.test`,
          subject: 'Halo',
          html: '<p>Halo</p>',
          sending_domain_id: demo.sending_domain_id,
        }));
        const headers = { 'idempotency-key': `kiriman-${round}` };
        const send = async (): Promise<Result[]> => {
          const { status, body } = await api.request('POST', '/messages/batch', { messages }, headers);
          if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
          return body['data'] as Result[];
        };
        const first = send().catch(() => null);
        await sleep(ms);
        await service.kill();
        const answered = await first;
        service = await Service.start(dataDir, env);
        const left = (await total()) - before;
        expect([0, MESSAGES]).toContain(left);
        if (answered) expect(left).toBe(MESSAGES);
        const again = await send();
        const ids = again.map(({ message_id: id }) => id);
        expect(new Set(ids).size).toBe(MESSAGES);
        if (answered) expect(ids).toEqual(answered.map(({ message_id: id }) => id));
        expect((await send()).map(({ message_id: id }) => id)).toEqual(ids);
        before += MESSAGES;
        expect(await total()).toBe(before);
      }
    },
    limitFor(2),
  );
});
