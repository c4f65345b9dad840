import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fencedOnStandby } from '../../../app/cluster-settings/fenced-on-standby';
import { DAY, MINUTE } from '../../../lib/clock';
import type { Engine } from '../../../stores/ports/engine';
import { claimRequest } from '../../contract/claiming';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';
import { acceptMessage, createSender } from '../../support/builders';
import { TEST_START } from '../../support/clock';

let opened: OpenedEngine;
let engine: Engine;
let mayAct = true;
beforeAll(async () => {
  opened = await openTemporary();
  engine = fencedOnStandby(opened.engine, () => mayAct);
});
afterAll(() => opened.destroy());

it('on standby a process claims nothing, takes and keeps no lease, and settles nothing that is due', async () => {
  const { stores } = engine;
  const sender = await createSender(stores);
  const { id } = await acceptMessage(stores, sender);
  const epoch = (await stores.leases.acquire('throttle/0', 'me', TEST_START, DAY))!;
  const lease = { name: 'throttle/0', owner: 'me', epoch };
  const claim = () =>
    stores.queue.claim({ ...claimRequest(lease, sender), now: TEST_START, leaseUntil: TEST_START + MINUTE });
  const late = TEST_START + 2 * MINUTE;

  mayAct = false;
  expect(await claim()).toEqual({ kind: 'fenced' });
  expect(await stores.leases.renew('throttle/0', 'me', epoch, TEST_START, DAY)).toBe(false);
  expect(await stores.leases.renewAll([lease], 'me', TEST_START, DAY)).toBe(false);
  expect(await stores.leases.acquire('throttle/1', 'me', TEST_START, DAY)).toBeNull();
  expect((await stores.messages.get(id))?.status).toBe('queued');

  mayAct = true;
  expect(await claim()).toMatchObject({ kind: 'claimed', claimed: [id] });
  expect(await stores.deadlines.overdue(late, 10)).toEqual([id]);
  mayAct = false;
  expect(await stores.deadlines.overdue(late, 10)).toEqual([]);
  expect(await stores.deadlines.unfenced(late, 10)).toEqual([]);
  expect(await stores.dueTasks.claim({ kind: 'x', now: late, leaseUntil: late, limit: 1 })).toEqual([]);
  expect(await stores.deadlines.nextDeadline()).toBeNull();
  expect(await engine.log.trim(late + 30 * DAY, 100)).toBe(0);
});
