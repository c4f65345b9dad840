import { expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createTimers } from '../../../consumers/timers';
import { Activity } from '../../../lib/activity';
import { DAY, HOUR, MINUTE } from '../../../lib/clock';
import { HAND_OFF_LEASE } from '../../../domain/messages/retry-schedule';
import { openEmbedded } from '../../../stores/embedded/open';
import type { OutgoingRecord } from '../../../streams/records';
import { claimRequest } from '../../contract/claiming';
import { eventually, present } from '../../contract/helpers';
import { acceptMessage, createSender } from '../../support/builders';
import { frozenClock, TEST_START as NOW } from '../../support/clock';
import { temporaryDir } from '../../support/running';
import { noReport } from '../../support/due-work';

it('hands a claim whose record was lost to dispatch again, also when the log refuses at first', async () => {
  const dir = temporaryDir();
  const clock = frozenClock();
  const { stores, log, close } = await openEmbedded({ file: join(dir, 'kurir.sqlite'), clock });
  const sender = await createSender(stores);
  const { id } = await acceptMessage(stores, sender);
  const epoch = present(await stores.leases.acquire('shard', 'owner', NOW, DAY));
  const lease = { name: 'shard', owner: 'owner', epoch };
  await stores.queue.claim(claimRequest(lease, sender, { leaseUntil: NOW + HAND_OFF_LEASE }));

  const published: OutgoingRecord[] = [];
  let refusals = 1;
  const publish = async (records: readonly OutgoingRecord[]): Promise<void> => {
    if (refusals-- > 0) throw new Error('no broker answers');
    published.push(...records);
  };
  const failures: unknown[] = [];
  const logger = {
    error: (facts: object) => void failures.push(facts),
    warn: () => {},
    info: () => {},
    debug: () => {},
  };
  clock.advance(3 * MINUTE);
  const timers = createTimers({
    stores,
    log: { publish, trim: (now, limit) => log.trim(now, limit) },
    clock,
    activity: new Activity(),
    evidenceWait: HOUR,
    deliveriesKept: 30 * DAY,
    logger,
    work: noReport,
  });
  timers.start();
  await eventually(async () => expect(published).toHaveLength(1));
  await timers.stop();
  await close();
  rmSync(dir, { recursive: true });
  expect(published).toEqual([{ topic: 'messages.dispatch', key: id, value: { messageId: id, attempt: 1 } }]);
  expect(failures).toHaveLength(1);
});
