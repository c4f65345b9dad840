import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document, UpdateFilter } from 'mongodb';
import { HAND_OFF_LEASE } from '../../../../domain/messages/retry-schedule';
import { acceptMessage, anAcceptance, createSender, nextSerial, refundRecord } from '../../../support/builders';
import { TEST_START as NOW } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { claimRequest } from '../../../contract/claiming';
import { present } from '../../../contract/helpers';
import { FlakyLog, ownDatabase } from '../support';
import { findingsIn } from './support';

interface Scene {
  workspace: number;
  /** Accepted, with an attachment and a record that waits in the outbox. */
  queued: string;
  claimed: string;
  pastFence: string;
}
type Finding = [subject: keyof Scene, expected: string, found: string];
interface Damage {
  what: string;
  collection: 'messages' | 'ledger' | 'accounts';
  of(scene: Scene): number | string;
  update: UpdateFilter<Document>;
  finds: Finding[];
}

const message = (
  what: string,
  of: Exclude<keyof Scene, 'workspace'>,
  update: UpdateFilter<Document>,
  ...finds: Finding[]
): Damage => ({ what, collection: 'messages', of: (scene) => scene[of], update, finds });

/** What only this driver keeps; where it is wrong, no rule about the rest of the data says so. */
const DAMAGES: Damage[] = [
  message('a claimed message that no timer sees', 'claimed', { $unset: { stage: '' } }, [
    'claimed',
    'stage claimed',
    'stage none',
  ]),
  message('a message at another stage', 'pastFence', { $set: { stage: 'claimed' } }, [
    'pastFence',
    'stage past_fence',
    'stage claimed',
  ]),
  message('a stage of a message that waits', 'queued', { $set: { stage: 'unknown' } }, [
    'queued',
    'stage none',
    'stage unknown',
  ]),
  message('a last claim at another time', 'claimed', { $inc: { claimedAt: 1 } }, [
    'claimed',
    `claimedAt ${NOW}`,
    `claimedAt ${NOW + 1}`,
  ]),
  message('a claim that the rate does not count', 'claimed', { $unset: { claimedAt: '' } }, [
    'claimed',
    `claimedAt ${NOW}`,
    'claimedAt none',
  ]),
  message('a claim that never was', 'queued', { $set: { claimedAt: NOW } }, [
    'queued',
    'claimedAt none',
    `claimedAt ${NOW}`,
  ]),
  message('attachments that are held and noted to be deleted', 'queued', { $set: { dropping: true } }, [
    'queued',
    'dropping none',
    'dropping true',
  ]),
  message('a note that no sweeper finds', 'claimed', { $set: { dropping: 'yes' } }, [
    'claimed',
    'dropping true',
    'dropping yes',
  ]),
  message('a message without a version', 'claimed', { $unset: { version: '' } }, [
    'claimed',
    'a version from 1 on',
    'version none',
  ]),
  message('a version that is no number', 'claimed', { $set: { version: '1' } }, [
    'claimed',
    'a version from 1 on',
    'version 1',
  ]),
  message('records that no sweeper finds', 'queued', { $unset: { outboxAt: '' } }, [
    'queued',
    'outboxAt: the time since when records wait',
    'outboxAt none',
  ]),
  message('a wait of no records', 'claimed', { $set: { outboxAt: 5 } }, [
    'claimed',
    'outboxAt: no time, since no records wait',
    'outboxAt 5',
  ]),
  {
    what: 'an account that is behind its ledger',
    collection: 'accounts',
    of: ({ workspace }) => workspace,
    update: { $inc: { seq: -1 } },
    finds: [['workspace', 'newest ledger row 3', '2']],
  },
  {
    what: 'an account that counts no rows',
    collection: 'accounts',
    of: ({ workspace }) => workspace,
    update: { $unset: { seq: '' } },
    finds: [['workspace', 'newest ledger row 3', 'none']],
  },
  {
    what: 'a gap in the ledger',
    collection: 'ledger',
    of: ({ workspace, pastFence }) => `${workspace}:debit:${pastFence}:1`,
    update: { $set: { seq: 7 } },
    finds: [
      ['workspace', 'ledger row 3', '7 after 2'],
      ['workspace', 'newest ledger row 7', '3'],
    ],
  },
  {
    what: 'a row of the ledger without a number',
    collection: 'ledger',
    of: ({ workspace, pastFence }) => `${workspace}:debit:${pastFence}:1`,
    update: { $unset: { seq: '' } },
    finds: [
      ['workspace', 'ledger rows numbered from 1', 'one numbered none'],
      ['workspace', 'newest ledger row 2', '3'],
    ],
  },
];

describeOn(['mongodb'], 'the audit of what only MongoDB keeps', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  let scene: Scene;
  const mend: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const log = new FlakyLog();
    const { stores, kill } = await database.instance(log);
    const sender = await createSender(stores);
    const epoch = present(await stores.leases.acquire('shard', 'owner', NOW, 1));
    const claim = (): Promise<unknown> =>
      stores.queue.claim(
        claimRequest({ name: 'shard', owner: 'owner', epoch }, sender, { limit: 1, leaseUntil: NOW + HAND_OFF_LEASE }),
      );
    const { id: claimed } = await acceptMessage(stores, sender);
    await claim();
    const { id: pastFence } = await acceptMessage(stores, sender);
    await claim();
    await stores.messages.change(pastFence, () => ({
      set: { fence: 'token', fencedAt: NOW + 1 },
      attempt: { fencedAt: NOW + 1 },
      at: NOW + 1,
      records: [],
    }));
    log.mood = 'refuses';
    const attachments = [{ filename: 'nota.txt', contentType: 'text/plain', content: Buffer.from('x') }];
    const { facts, ...rest } = anAcceptance(sender, { attachments, attachmentsUntil: NOW + 1_000 });
    await stores.messages.accept([{ ...rest, facts }]);
    await stores.messages.change(facts.id, () => ({ set: {}, at: NOW, records: [refundRecord(facts, nextSerial())] }));
    scene = { workspace: sender.workspace.id, queued: facts.id, claimed, pastFence };
    await kill();
  });
  afterEach(async () => {
    for (const undo of mend.splice(0)) await undo();
  });

  const audit = () => findingsIn(database.mongo, mongodb);

  async function change(collection: string, _id: number | string, update: UpdateFilter<Document>): Promise<void> {
    const documents = database.mongo.db.collection<{ _id: number | string }>(collection);
    const { _id: _, ...before } = present(await documents.findOne({ _id }));
    mend.push(() => documents.replaceOne({ _id }, before));
    expect((await documents.updateOne({ _id }, update)).modifiedCount).toBe(1);
  }

  it('finds nothing while all is well', async () => {
    expect(await audit()).toEqual([]);
  });

  it('holds attachments that are about to be deleted for deleted', async () => {
    const status = { status: 'failed', failedReason: 'no', dueAt: null, attachmentsUntil: null, dropping: true };
    const history = { status: 'failed', at: NOW + 1 } as never;
    await change('messages', scene.queued, { $set: status, $push: { history } });
    expect(await audit()).toEqual([]);
  });

  describe('names', () => {
    it.each(DAMAGES.map((damage) => [damage.what, damage] as const))('%s', async (_, damage) => {
      await change(damage.collection, damage.of(scene), damage.update);
      const wanted = damage.finds.map(([subject, expected, found]) => ({
        rule: 'derived-fields',
        subject: subject === 'workspace' ? `workspace ${scene.workspace}` : scene[subject],
        expected,
        found,
      }));
      expect(await audit()).toEqual(wanted);
    });
  });
});
