import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openThreaded } from '../../../../stores/embedded/threaded/open-threaded';
import { QueryClient } from '../../../../stores/embedded/threaded/query-client';
import type { EngagementQuery } from '../../../../stores/ports/engagement-store';
import { UnavailableError } from '../../../../lib/errors';
import { atOnce } from '../../../contract/helpers';
import { acceptMessage, aSignal, createSender } from '../../../support/builders';
import { frozenClock, TEST_START } from '../../../support/clock';

const PROGRAM = join(__dirname, '../../../../dist/store-thread.js');
const QUERY: EngagementQuery = { by: 'opens', since: null, audienceId: null, offset: 0, limit: 10 };

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kurir-queries-'));
  file = join(dir, 'kurir.db');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const fail = (error: Error): void => {
  throw error;
};
const program = (text: string): string => {
  const path = join(dir, 'program.js');
  writeFileSync(path, `const { parentPort } = require('node:worker_threads');\n${text}`);
  return path;
};

describe('the query worker', () => {
  it('is closed with the engine, also while queries wait, and the file alone is the data then', async () => {
    const engine = await openThreaded({ file, clock: frozenClock(), program: PROGRAM, onGone: fail });
    const sender = await createSender(engine.stores);
    const message = await acceptMessage(engine.stores, sender);
    await engine.stores.signals.store(aSignal(message.id, { at: TEST_START }), sender.workspace.id, []);
    const asked = atOnce(5, (limit) =>
      engine.stores.engagement.top(sender.workspace.id, { ...QUERY, limit: limit + 1 }).then(
        ({ total }) => total,
        (error: unknown) => error,
      ),
    );
    await engine.close();
    const [first, ...others] = await asked;
    expect(first).toBe(1);
    for (const other of others) expect(other).toBeInstanceOf(UnavailableError);
    await expect(engine.stores.engagement.top(1, QUERY)).rejects.toBeInstanceOf(UnavailableError);
    expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
  });

  it('asks equal queries that wait once, and refuses those beyond the limit', async () => {
    const counting = program(`let n = 0;
      parentPort.on('message', (asked) => {
        if (asked === null) return parentPort.close();
        n += 1;
        setTimeout(() => parentPort.postMessage({ value: { total: n, items: [] } }), 20);
      });`);
    const client = new QueryClient(counting, file);
    const totals = await atOnce(20, () => client.top(1, QUERY));
    expect([...new Set(totals.map(({ total }) => total))]).toEqual([1, 2]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 70 }, (_, limit) => client.top(limit, { ...QUERY, limit })),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    const ofOne = Promise.allSettled(Array.from({ length: 40 }, (_, limit) => client.top(1, { ...QUERY, limit })));
    expect((await client.top(2, QUERY)).total).toBeGreaterThan(0);
    expect((await ofOne).filter(({ status }) => status === 'rejected')).toHaveLength(23);
    await client.close();
  });

  it('starts again after it ended by itself; the query under way is refused', async () => {
    const dying = program(`parentPort.on('message', () => process.exit(3));`);
    const client = new QueryClient(dying, file);
    for (let n = 0; n < 3; n += 1) {
      await expect(client.top(1, QUERY)).rejects.toThrow('The query worker has ended (code 3).');
    }
    await client.close();
  });
});
