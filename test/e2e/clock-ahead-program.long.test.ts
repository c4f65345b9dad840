import { afterAll, expect, it } from '@jest/globals';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY, HOUR, SECOND } from '../../lib/clock';
import { giveUpAt, limitFor } from '../support/limits';
import { Caller, temporaryDir } from '../support/running';
import { kurir, PROGRAM_DIR, readFirstRun, Service } from '../support/service';

/** Each of the waits. */
const LIMIT = limitFor(3);
const folder = temporaryDir();
const dataDir = join(folder, 'data');
const clockFile = join(folder, 'clock');
/** The machine shows a time that is so far off, from now on, ms. */
const shift = (ms: number): void => writeFileSync(clockFile, String(ms).padStart(20));
const env = {
  NODE_OPTIONS: `--require ${join(PROGRAM_DIR, 'shifted-clock.js')}`,
  KURIR_PROOF_CLOCK: clockFile,
};
let service: Service | null = null;
afterAll(async () => {
  await service?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const isNow = (time: unknown): boolean => Math.abs(Date.parse(time as string) - Date.now()) < HOUR;

async function untilDelivered(caller: Caller, ids: readonly string[]): Promise<void> {
  for (const end = giveUpAt(); ; await pause(100)) {
    const found = await Promise.all(ids.map(async (id) => (await caller.get(`/messages/${id}`)).body));
    if (found.every(({ status }) => status === 'delivered')) return;
    if (performance.now() > end) throw new Error(`not delivered: ${JSON.stringify(found)}`);
  }
}

// spec: docs/contract.md#time: a machine that shows two days too many for a while, and is right again
it(
  'the program whose machine was two days ahead sends with the right dates as soon as it is right, and after a kill as well',
  async () => {
    mkdirSync(dataDir);
    shift(2 * DAY);
    service = await Service.start(dataDir, env);
    const run = readFirstRun(dataDir);
    const caller = new Caller(run.base_url, run.api_key);
    const send = (n: number): Promise<string> => caller.send(`delivered+${n}@a.test`, run.transactional_domain_id);
    await untilDelivered(caller, [await send(0)]);

    // Right again while it runs.
    shift(0);
    await pause(2 * SECOND);
    const fresh = await send(1);
    await untilDelivered(caller, [fresh]);
    const { body } = await caller.get(`/messages/${fresh}`);
    const { data } = (await (await fetch(run.inbox_url!, { headers: { accept: 'application/json' } })).json()) as {
      data: { id: number; message_id: string }[];
    };
    const { id } = data.find((mail) => mail.message_id === fresh)!;
    const source = await (await fetch(`${run.inbox_url!}/${id}/source`)).text();
    const signedAt = new Date(Number(/\bt=(\d+)/.exec(source)![1]) * SECOND).toISOString();
    const dates = [body.dispatched_at, /^Date: (.*)$/im.exec(source)![1], signedAt];
    expect(dates.filter((date) => !isNow(date))).toEqual([]);

    // Ahead once more: the rate is used up, and it is killed with mail that waits for its turn.
    shift(2 * DAY);
    await pause(2 * SECOND);
    await kurir(dataDir, ['workspace', 'rate', '1', '--per-minute', '3'], env);
    const ids = await Promise.all([2, 3, 4, 5, 6].map(send));
    await pause(5 * SECOND);
    await service.kill();
    shift(0);
    service = await Service.start(dataDir, env);
    const restarted = new Caller(service.baseUrl, run.api_key);
    // The one of before, which was sent at the right time, counts for its minute.
    await untilDelivered(restarted, ids);

    const said = await kurir(dataDir, ['doctor', '--json'], env).catch((error: unknown) => error as { stdout: string });
    const { checks } = JSON.parse(said.stdout) as { checks: { check: string; status: string; detail: string }[] };
    const clock = checks.filter(({ check }) => check === 'clock');
    expect(clock).toMatchObject([
      { status: 'wrong', detail: expect.stringMatching(/6 messages were created in the future/) },
    ]);
    const { stdout } = await kurir(dataDir, ['audit', '--json'], env).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(JSON.parse(stdout)).toMatchObject({ differences: 0 });
  },
  LIMIT,
);
