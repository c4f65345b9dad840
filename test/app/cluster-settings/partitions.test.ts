import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PartitionKeeper } from '../../../app/cluster-settings/partition-keeper';
import { grown, notePartitions, partitionsOf } from '../../../app/cluster-settings/partition-setting';
import { installationId } from '../../../operations/installation/installation-id';
import { MINUTE } from '../../../lib/clock';
import { evenCounts, Partitions, type PartitionCounts } from '../../../streams/partitions';
import { TEST_START as NOW } from '../../support/clock';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';

let opened: OpenedEngine;
beforeAll(async () => void (opened = await openTemporary()));
afterAll(() => opened.destroy());

it('a new installation gets what is wanted, once; one of an earlier release has eight', async () => {
  const { settings } = opened.engine.stores;
  expect(await partitionsOf(settings, 24)).toEqual(evenCounts(24));
  await notePartitions(settings, 24);
  await notePartitions(settings, 32);
  expect(await partitionsOf(settings, 32)).toEqual(evenCounts(24));

  const earlier = await openTemporary();
  await installationId(earlier.engine.stores.settings);
  expect(await partitionsOf(earlier.engine.stores.settings, 24)).toEqual(evenCounts(8));
  await earlier.destroy();
});

it('topics grow each for itself, keep their past, and never shrink', () => {
  const counts = grown(evenCounts(8), ['messages.dispatch'], 32);
  expect(counts).toEqual({ ...evenCounts(8), 'messages.dispatch': [8, 32] });
  expect(grown(counts, ['messages.dispatch'], 32)).toEqual(counts);
  expect(grown(counts, ['conversions', 'messages.dispatch'], 40)['messages.dispatch']).toEqual([8, 32, 40]);
  expect(() => grown(counts, ['conversions', 'messages.dispatch'], 16)).toThrow(
    'messages.dispatch has 32 partitions, and a topic cannot shrink to 16.',
  );
});

it('a process follows: the leases on the old shards end before it uses the new ones, and stay over', async () => {
  const { settings, leases } = opened.engine.stores;
  const epoch = (await leases.acquire('throttle/3', 'old', NOW, MINUTE))!;
  const partitions = new Partitions(evenCounts(8));
  const used: PartitionCounts[] = [];
  const keeper = new PartitionKeeper({
    leases,
    logger: { info: () => undefined },
    log: {
      partitions: () => partitions,
      usePartitions: async (counts) => {
        expect(await leases.renew('throttle/3', 'old', epoch, NOW, MINUTE)).toBe(false);
        partitions.use(counts);
        used.push(counts);
      },
    },
  });
  const counts = grown(evenCounts(8), ['messages.accepted'], 12);
  await settings.set('partitions', counts);
  await keeper.look(settings);
  await keeper.look(settings);
  expect(used).toEqual([counts]);
  expect(await leases.acquire('throttle/3', 'old', NOW + 2 * MINUTE, MINUTE)).toBeNull();
  expect(await leases.acquire('throttle/12/3', 'new', NOW, MINUTE)).not.toBeNull();
});
