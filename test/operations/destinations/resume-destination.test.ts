import { afterAll, expect, it } from '@jest/globals';
import { DESTINATION_PACES } from '../../../operations/destinations/destination-states';
import { resumeDestination } from '../../../operations/destinations/resume-destination';
import { NEW_PACE } from '../../../domain/destinations/pace';
import { HOUR, MINUTE } from '../../../lib/clock';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';
import { acceptMessage, createSender } from '../../support/builders';

let opened: OpenedEngine;
afterAll(() => opened.destroy());

it('after a resume transactional mail goes first, though bulk mail had the earlier turns', async () => {
  opened = await openTemporary();
  const { clock, engine } = opened;
  const { stores } = engine;
  const now = clock.now();
  const sender = await createSender(stores);
  const lanes = ['campaign', 'campaign', 'journey', 'transactional', 'transactional'] as const;
  const ids: string[] = [];
  for (const lane of lanes) ids.push((await acceptMessage(stores, sender, { facts: { lane, createdAt: now } })).id);
  const holds = ids.map((messageId, n) => ({ messageId, dueAt: now + HOUR + n, heldFor: 'google' }));
  await stores.queue.hold(sender.workspace.id, holds, now);
  const rules = { limitsOf: () => ({ perMinute: 61, perHour: null }), slowedFrom: 100 } as never;
  const { records, queue } = stores;
  const pace = { ...NEW_PACE, planned: { transactional: now + MINUTE, bulk: now + MINUTE } };
  await records.add(DESTINATION_PACES, { id: 'google', body: pace }, now);
  expect(await resumeDestination({ rules, records, queue, clock }, 'google')).toBe(5);
  const after = await stores.messages.getMany(sender.workspace.id, ids);
  const dues = new Map(after.map(({ id, dueAt }) => [id, dueAt! - now]));
  expect(ids.map((id) => dues.get(id))).toEqual([2_000, 3_000, 4_000, 0, 1_000]);
  // New bulk mail goes behind the transactional mail that was let go, and new transactional mail before the bulk mail.
  const planned = (await records.get(DESTINATION_PACES, 'google', now))?.body.planned;
  expect(planned).toEqual({ transactional: now + 2_000, bulk: now + 5_000 });
});
