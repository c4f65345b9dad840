import { describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { MINUTE } from '../../lib/clock';
import { openEmbedded } from '../../stores/embedded/open';
import { logTable } from '../../stores/embedded/database/schema';
import { TOPIC_NAMES } from '../../streams/topics';
import { frozenClock } from '../support/clock';
import { SOME_FACTS } from '../support/message';
import { Running } from '../support/running';

const HAND_OFF_LEASE = 12 * MINUTE;

// On the cluster engine: npm run crash -- --engine cluster --scenario topic-deleted, on running processes.
describe('deleting whole command topics, on the embedded engine', () => {
  // spec: docs/contract.md#at-most-one-hand-off: what was accepted or claimed survives the loss of whole topics
  it('loses nothing: what was accepted and what was claimed still ends delivered, once', async () => {
    const clock = frozenClock();
    const first = await Running.start({}, clock);
    const { demo } = first;
    const { dataDir } = first;
    const installation = await first.rest();

    const engine = await openEmbedded({ file: join(dataDir, 'kurir.sqlite'), clock });
    const ids = await acceptAndClaimSome(engine, demo.sending_domain_id, clock.now());
    await engine.close();
    const db = new DatabaseSync(join(dataDir, 'kurir.sqlite'));
    for (const topic of TOPIC_NAMES) db.exec(`DELETE FROM ${logTable(topic)}`);
    db.close();

    const second = await Running.startOn(installation, {}, clock);
    await Promise.all(ids.waiting.map((id) => second.untilStatus(id, 'delivered')));
    await Promise.all(ids.claimed.map((id) => second.untilStatus(id, 'delivered')));
    for (const id of [...ids.waiting, ...ids.claimed]) {
      expect(second.kurir.sandbox!.countByMessage(id)).toBe(1);
      await second.coinsOf(id, -1);
    }
    await second.stop();
  });
});

/** Ten messages accepted while nothing runs, the first five of them claimed by an owner that then died. */
async function acceptAndClaimSome(
  { stores }: Awaited<ReturnType<typeof openEmbedded>>,
  domainId: number,
  now: number,
): Promise<{ waiting: string[]; claimed: string[] }> {
  const { contactId: _contactId, ...facts } = SOME_FACTS;
  const ids: string[] = [];
  for (let i = 0; i < 10; i += 1) {
    const id = `019b8c18-e380-7000-8002-0000000000${10 + i}`;
    const email = `delivered+${i}@x.test`;
    await stores.messages.accept([
      {
        facts: {
          ...facts,
          id,
          domainId,
          to: email,
          toText: email,
          fromEmail: 'no-reply@demo.kurir.test',
          createdAt: now,
        },
        recipient: { address: { workspaceId: 1, email, emailHash: `hash-${i}`, name: null, at: now } },
        body: { html: '<p>Halo</p>', text: null },
        attachments: [],
        attachmentsUntil: null,
        idempotencyKey: null,
        records: [],
      },
    ]);
    ids.push(id);
  }
  const lease = { name: 'throttle/1', owner: 'gone' };
  const epoch = (await stores.leases.acquire(lease.name, lease.owner, now - MINUTE, 1))!;
  const result = await stores.queue.claim({
    workspaceId: 1,
    lane: 'transactional',
    limit: 5,
    now,
    leaseUntil: now + HAND_OFF_LEASE,
    lease: { ...lease, epoch },
    day: '2026-01-05',
    workspaceDayCap: null,
    platformDayCap: null,
  });
  if (result.kind !== 'claimed') throw new Error('the claim was fenced off');
  const { claimed } = result;
  return { claimed, waiting: ids.filter((id) => !claimed.includes(id)) };
}
