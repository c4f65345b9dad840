import { afterAll, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AdvancingClock } from '../../lib/advancing-clock';
import type { Message } from '../../domain/messages/message';
import { createSandbox } from '../../sandbox/sandbox';
import { openEmbedded } from '../../stores/embedded/open';
import { Caller, temporaryDir } from '../support/running';
import { freePorts } from '../../proof/crash/free-ports';
import { readFirstRun, Service } from '../support/service';

const KILLS = 10;
const BURST = 12;
/** Each kind as often as it says; all of these end without a wait of minutes. */
const RECIPIENTS = ['delivered', 'drop', 'delivered', 'hardbounce', 'delivered', 'reject', 'complaint', 'expired'];
const FINAL = new Set(['delivered', 'bounced', 'failed']);

const dataDir = temporaryDir();
let service: Service | null = null;
afterAll(async () => {
  await service?.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('kill -9 during hand-off, ten times, with restarts', () => {
  // spec: docs/contract.md#at-most-one-hand-off: handed over at most once, also when no answer came
  it('loses no accepted mail, hands none over twice, and the balance is the ledger', async () => {
    const [http = '', bounce = '', sandbox = ''] = (await freePorts(3)).map(String);
    const env = {
      KURIR_HTTP_PORT: http,
      KURIR_BOUNCE_PORT: bounce,
      KURIR_SANDBOX_PORT: sandbox,
      KURIR_EVIDENCE_WAIT: '6s',
    };
    service = await Service.start(dataDir, env);
    const demo = readFirstRun(dataDir);
    const api = new Caller(demo.base_url, demo.api_key);
    const accepted: string[] = [];
    let n = 0;
    const post = async (): Promise<void> => {
      const to = `${RECIPIENTS[n++ % RECIPIENTS.length]}+${n}@pelanggan.test`;
      try {
        accepted.push(await api.send(to, demo.sending_domain_id));
      } catch {
        // Killed before the answer: nobody was promised anything.
      }
    };
    for (let life = 0; life < KILLS; life += 1) {
      const posts = Array.from({ length: BURST }, post);
      // Not the same moment of the way twice: during acceptance, during hand-off, among the reports.
      if (life % 3 !== 0) await Promise.all(posts);
      await pause(life % 3 === 0 ? 80 : life * 8);
      await service.kill();
      await Promise.all(posts);
      service = await Service.start(dataDir, env);
    }
    expect(accepted.length).toBeGreaterThan((KILLS * BURST) / 2);

    const statuses = new Map<string, string>();
    const end = Date.now() + 120_000;
    while (accepted.some((id) => !FINAL.has(statuses.get(id) ?? ''))) {
      if (Date.now() > end) throw new Error(`not final: ${JSON.stringify([...statuses])}`);
      await pause(200);
      for (const id of accepted) {
        const { status, body } = await api.get(`/messages/${id}`);
        expect(status).toBe(200);
        statuses.set(id, String(body.status));
      }
    }
    await pause(500);
    expect((await service.terminate()).code).toBe(0);
    await examine(accepted);
  });
});

/** Looks at what is left, with nothing running. */
async function examine(accepted: readonly string[]): Promise<void> {
  const clock = new AdvancingClock();
  const sandbox = createSandbox({
    file: join(dataDir, 'sandbox.sqlite'),
    clock,
    port: 0,
    reports: () => ({ host: '127.0.0.1', port: 9 }),
    hostname: 'sandbox.test',
  });
  const { stores, close } = await openEmbedded({ file: join(dataDir, 'kurir.sqlite'), clock });
  const { items } = await stores.messages.list(1, { offset: 0, limit: 10_000 });
  const ids = new Set(items.map(({ id }) => id));
  expect(accepted.filter((id) => !ids.has(id))).toEqual([]);
  for (const message of items) {
    const times = sandbox.countByMessage(message.id);
    expect(times).toBeLessThanOrEqual(1);
    expect(FINAL).toContain(message.status);
    const rows = await stores.coins.ofMessage(1, message.id);
    const penalties = rows.filter(({ kind }) => kind === 'penalty').length;
    const coins = rows.reduce((sum, { amount }) => sum + amount, 0) + 4 * penalties;
    expect({ id: message.id, coins }).toEqual({ id: message.id, coins: costs(message) });
    if (message.status === 'delivered' || message.status === 'bounced') expect(times).toBe(1);
  }
  const ledger = await stores.coins.rows(1, 0, 100_000);
  const { balance } = await stores.coins.account(1);
  expect(ledger.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance);
  await close();
  await sandbox.close();
}

/** One coin for what the recipient's server took or bounced, none for what failed. */
const costs = ({ status }: Message): number => (status === 'failed' ? 0 : -1);
