import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ProcessRegister } from '../../../operations/processes/process-register';
import { PROCESS_LEASES } from '../../../operations/processes/process-register';
import type { Installation } from '../../../proof/crash/installation';
import { SECOND } from '../../../lib/clock';
import type { Engine } from '../../../stores/ports/engine';
import { describeOnEngines } from '../../support/engines';
import { TEST_START } from '../../support/clock';

describeOnEngines('the register of processes', (install) => {
  let installation: Installation;
  let engine: Engine;
  let register: ProcessRegister;
  beforeEach(async () => {
    installation = install();
    engine = await installation.open();
    register = new ProcessRegister(engine.stores);
  });
  afterEach(async () => {
    await engine.close();
    await installation.remove();
  });
  const lease = (name: string): Promise<number | null> =>
    engine.stores.leases.acquire(PROCESS_LEASES + name, name, TEST_START, 10 * SECOND);
  const entry = (name: string) => ({ name, settings: { KURIR_EVIDENCE_WAIT: '4d' }, skew: 0 });
  const living = async (at = TEST_START) => [...(await register.look(at)).living.keys()].sort();

  it('shows the processes whose lease has not expired', async () => {
    expect(await living()).toEqual([]);
    await lease('one');
    await register.put('one', entry('one'), TEST_START);
    await register.put('unleased', entry('unleased'), TEST_START);
    expect(await living()).toEqual(['one']);
    expect((await register.look(TEST_START)).living.get('one')).toEqual(entry('one'));
    expect(await living(TEST_START + 10 * SECOND)).toEqual([]);
  });

  it('takes entries of many at once, and loses none', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `process-${n}`);
    for (const name of names) await lease(name);
    await Promise.all(names.map((name) => register.put(name, entry(name), TEST_START)));
    expect(await living()).toEqual(names);
  });

  it('forgets an entry that is taken back, and those whose lease is gone', async () => {
    for (const name of ['one', 'two']) {
      await lease(name);
      await register.put(name, entry(name), TEST_START);
    }
    await register.put('one', null, TEST_START);
    expect(await living()).toEqual(['two']);
    await engine.stores.leases.acquire(`${PROCESS_LEASES}three`, 'three', TEST_START + 20 * SECOND, 10 * SECOND);
    await register.put('three', entry('three'), TEST_START + 20 * SECOND);
    expect(Object.keys((await engine.stores.settings.get('processes')) as object)).toEqual(['three']);
  });
});
