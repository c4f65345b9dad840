import { expect, it } from '@jest/globals';
import { loadClaimed } from '../../../consumers/webhooks/load-claimed';
import type { Message } from '../../../domain/messages/message';
import { TEST_EVENT, type WebhookDelivery } from '../../../domain/webhooks/webhook-delivery';
import type { Stores } from '../../../stores/ports';
import type { ClaimedTask } from '../../../stores/ports/due-tasks';

const task = (id: string): ClaimedTask => ({
  kind: 'webhook',
  id,
  workspaceId: 1,
  lane: '1',
  dueAt: 0,
  payload: {},
  attempt: 1,
  token: 'token',
});
const delivery = (id: string, messageId: string, event: WebhookDelivery['event'] = 'open'): WebhookDelivery =>
  ({ id, messageId, event, workspaceId: 1 }) as WebhookDelivery;
const message = (id: string): Message => ({ id, workspaceId: 1 }) as Message;

/** Stores that hold these, and note what is read. `hidden` messages are found by a single read only. */
function storesWith(deliveries: readonly WebhookDelivery[], messages: readonly Message[], hidden: string[] = []) {
  const reads: string[] = [];
  const stores = {
    deliveries: {
      getMany: (ids: readonly string[]) => {
        reads.push(`deliveries ${ids.join(' ')}`);
        return Promise.resolve(deliveries.filter(({ id }) => ids.includes(id)).reverse());
      },
    },
    messages: {
      getMany: (workspaceId: number, ids: readonly string[]) => {
        reads.push(`messages of ${workspaceId}: ${ids.join(' ')}`);
        return Promise.resolve(messages.filter(({ id }) => ids.includes(id) && !hidden.includes(id)));
      },
      get: (id: string) => {
        reads.push(`message ${id}`);
        return Promise.resolve(messages.find((one) => one.id === id) ?? null);
      },
    },
  };
  return { reads, stores: stores as unknown as Pick<Stores, 'deliveries' | 'messages'> };
}

it('reads the deliveries of a claim in one call and their messages in another, in the order of the claim', async () => {
  const deliveries = [delivery('a', 'm1'), delivery('b', 'm2'), delivery('c', 'm1')];
  const { reads, stores } = storesWith(deliveries, [message('m1'), message('m2')]);
  const loaded = await loadClaimed(stores, 1, [task('a'), task('b'), task('c'), task('gone')]);
  expect(reads).toEqual(['deliveries a b c gone', 'messages of 1: m1 m2']);
  expect(loaded.map((one) => [one.task.id, one.delivery?.id, one.message?.id])).toEqual([
    ['a', 'a', 'm1'],
    ['b', 'b', 'm2'],
    ['c', 'c', 'm1'],
    ['gone', undefined, undefined],
  ]);
});

it('asks once more for a message that was not found, since its recipient would be left out', async () => {
  const { reads, stores } = storesWith([delivery('a', 'm1')], [message('m1')], ['m1']);
  const [loaded] = await loadClaimed(stores, 1, [task('a')]);
  expect(loaded?.message).toEqual(message('m1'));
  expect(reads.at(-1)).toBe('message m1');
});

it('reads no message for a test, and nothing for an empty claim', async () => {
  const { reads, stores } = storesWith([delivery('a', 'none', TEST_EVENT)], []);
  expect(await loadClaimed(stores, 1, [])).toEqual([]);
  expect(await loadClaimed(stores, 1, [task('a')])).toMatchObject([{ delivery: { id: 'a' }, message: null }]);
  expect(reads).toEqual(['deliveries a']);
});
