import { describe, expect, it } from '@jest/globals';
import { NOT_IN_STORE } from '../../../consumers/not-in-store';
import { createWebhooksConsumer } from '../../../consumers/webhooks';
import { decodeRecord } from '../../../streams/decode-record';
import { ok } from '../../../streams/results';
import { openTemporary } from '../../contract/embedded/open';
import { sharedEngine } from '../../contract/harness';
import { acceptMessage, createSender, messageId, storedRecord } from '../../support/builders';
import { TEST_START } from '../../support/clock';

describe('the webhooks consumer', () => {
  const subject = sharedEngine(openTemporary);
  const handle = async (workspaceId: number, id: string) => {
    const value = { workspaceId, messageId: id, event: 'delivered', occurredAt: TEST_START };
    const { record } = decodeRecord(storedRecord('message.events', value));
    return createWebhooksConsumer({ stores: subject.stores, clock: subject.clock, wake: () => {} }).handle(record!);
  };

  it('parks an event of a message that is not in the store, or is another workspace’s', async () => {
    const [mine, other] = [await createSender(subject.stores), await createSender(subject.stores)];
    const [own, theirs] = [await acceptMessage(subject.stores, mine), await acceptMessage(subject.stores, other)];
    expect(await handle(mine.workspace.id, own.id)).toEqual(ok);
    const parked = { kind: 'dead', reason: NOT_IN_STORE };
    expect(await handle(mine.workspace.id, messageId())).toEqual(parked);
    expect(await handle(mine.workspace.id, theirs.id)).toEqual(parked);
  });
});
