import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { canFillDisk } from '../../proof/crash/stage/child';
import { auditOf } from '../support/auditing';
import { giveUpAt } from '../support/limits';
import { Caller, temporaryDir } from '../support/running';
import { readFirstRun, Service } from '../support/service';

const BIG = `<p>${'Pesanan Anda. '.repeat(4_000)}</p>`;

const dataDir = temporaryDir();
let service: Service;
let api: Caller;
let domain: number;
const accepted: string[] = [];
beforeAll(async () => {
  service = await Service.start(dataDir, { KURIR_HTTP_PORT: '0' });
  const demo = readFirstRun(dataDir);
  [api, domain] = [new Caller(demo.base_url, demo.api_key), demo.sending_domain_id];
});
afterAll(async () => {
  await service.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

const walSize = (): number => statSync(join(dataDir, 'kurir.sqlite-wal')).size;

/** The status of the answer; a message that was acknowledged is remembered. */
async function post(n: number): Promise<number> {
  const mail = { to: `delivered+${n}@x.test`, subject: 'Halo', html: BIG, sending_domain_id: domain };
  const { status, body } = await api.request('POST', '/messages', mail);
  if (status === 201) accepted.push(String(body.message_id));
  else expect({ status, body }).toEqual({ status: 500, body: { message: 'Server Error', code: 'server_error' } });
  return status;
}

async function untilDelivered(): Promise<void> {
  for (const end = giveUpAt(); ;) {
    const answers = await Promise.all(accepted.map((id) => api.get(`/messages/${id}`)));
    if (answers.every(({ body }) => body.status === 'delivered')) return;
    if (performance.now() > end) throw new Error(JSON.stringify(answers.map(({ body }) => body)));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// Only Linux can limit a process that runs; what the program does then is the same everywhere (store-trouble.test.ts).
(canFillDisk() ? describe : describe.skip)('a disk that refuses writes while the service runs', () => {
  it('answers 500 and acknowledges nothing it did not store, still reads, and goes on by itself when there is room', async () => {
    expect(await post(0)).toBe(201);
    await untilDelivered();
    service.limitFiles(walSize() + 100_000);
    const refused: number[] = [];
    for (let n = 1; n <= 20; n++) refused.push(await post(n));
    expect(refused).toContain(500);
    expect(refused.at(-1)).toBe(500);
    expect((await api.get('/account')).status).toBe(200);
    expect(await api.get(`/messages/${accepted[0]}`)).toMatchObject({ status: 200, body: { status: 'delivered' } });

    service.limitFiles(null);
    await untilAccepted();
    await untilDelivered();
    expect(service.printed).toMatch(/The data file \S+ cannot be used right now/);
    expect((await service.terminate()).code).toBe(0);
    const { summary, found } = await auditOf(dataDir);
    expect(found).toEqual([]);
    expect(summary.checked).toMatchObject({ messages: accepted.length });
  });
});

async function untilAccepted(): Promise<void> {
  for (let n = 100; (await post(n)) !== 201; n++) await new Promise((resolve) => setTimeout(resolve, 100));
}
