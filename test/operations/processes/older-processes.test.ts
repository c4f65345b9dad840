import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { OlderProcesses } from '../../../operations/processes/older-processes';
import { ProcessRegister } from '../../../operations/processes/process-register';
import { schemaGate } from '../../../app/engines/schema-gate';
import { PROCESS_LEASES } from '../../../operations/processes/process-register';
import type { Installation } from '../../../proof/crash/installation';
import { SECOND } from '../../../lib/clock';
import type { Engine } from '../../../stores/ports/engine';
import { describeOnEngines } from '../../support/engines';
import { TEST_START } from '../../support/clock';
import { until } from '../../contract/helpers';

const SCHEMA = 7;

describeOnEngines('processes of an older schema', (install) => {
  let installation: Installation;
  let engine: Engine;
  let time: number;
  let older: OlderProcesses;
  beforeEach(async () => {
    installation = install();
    engine = await installation.open();
    time = 0;
    older = new OlderProcesses(engine.stores, SCHEMA, () => time);
  });
  afterEach(async () => {
    await engine.close();
    await installation.remove();
  });

  /** A process with a lease, which it took at `at` by its own clock. */
  const lives = async (name: string, schema?: number, at = TEST_START): Promise<number> => {
    const epoch = await engine.stores.leases.acquire(PROCESS_LEASES + name, name, at, 10 * SECOND);
    const entry = { name: `api on ${name}, process 1`, settings: {}, skew: 0 };
    const said = schema === undefined ? entry : { ...entry, schema, release: '0.1.0' };
    await new ProcessRegister(engine.stores).put(name, said, at);
    return epoch ?? 0;
  };
  const found = async () => (await older.look()).map(({ lease }) => lease);
  const gate = (wait: number, told: (string | null)[] = []) =>
    schemaGate({ older, wait, signal: null, onWait: (reason) => void told.push(reason) });

  it('are those that say an older one, those that say none, and those that have not said a word', async () => {
    await lives('same', SCHEMA);
    await lives('before', SCHEMA - 1);
    await lives('long-before');
    await engine.stores.leases.acquire(`${PROCESS_LEASES}mute`, 'mute', TEST_START, 10 * SECOND);
    await engine.stores.leases.acquire('throttle/0', 'mute', TEST_START, 10 * SECOND);
    expect((await found()).sort()).toEqual(['before', 'long-before', 'mute']);
  });

  it('count as dead only when nothing was heard of them for longer than a lease, whatever anybody’s clock says', async () => {
    const ago = TEST_START - 365 * 24 * 3_600 * SECOND;
    const epoch = await lives('slow-clock', 1, ago);
    expect(await found()).toEqual(['slow-clock']);
    time += 11_999;
    expect(await found()).toEqual(['slow-clock']);
    await engine.stores.leases.renew(`${PROCESS_LEASES}slow-clock`, 'slow-clock', epoch, ago + 5 * SECOND, 10 * SECOND);
    time += 1;
    expect(await found()).toEqual(['slow-clock']);
    time += 12_000;
    expect(await found()).toEqual([]);
  });

  it('are gone once they gave their lease back', async () => {
    const epoch = await lives('one', 1);
    const told: (string | null)[] = [];
    const waiting = gate(60_000, told)();
    await until(() => told.length !== 0, 5);
    await engine.stores.leases.release(`${PROCESS_LEASES}one`, 'one', epoch);
    await waiting;
    expect(told).toEqual([
      'This release upgrades the schema of the data, but processes of an older release are still running: api on one, process 1 (kurir 0.1.0). Stop them; waiting for up to 1m (KURIR_UPGRADE_WAIT).',
      null,
    ]);
  });

  it('that stay end the start, which names them', async () => {
    await lives('one', 1);
    await lives('two');
    await expect(gate(0)()).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /still running: api on one, process 1 \(kurir 0\.1\.0\); api on two, process 1 \(an older release\)\. Stop them, then start this one; nothing was changed\./,
      ) as unknown,
    });
  });
});
