import { describe, expect, it, jest } from '@jest/globals';
import type { OutcomeSubscriber } from '../../../operations/messages/mail-outcome';
import { OutcomePublisher } from '../../../operations/messages/publish-outcome';
import { aMessage } from '../../support/message';
import { refusedHandOff } from '../../support/outcomes';

const OUTCOME = refusedHandOff(aMessage({ id: 'm-1' }), '450 4.2.0 later');
const PATIENCE = 20;

function publisherOf(...subscribers: Omit<OutcomeSubscriber, 'name'>[]) {
  const warn = jest.fn<(facts: { err?: Error; subscriber?: string }, text: string) => void>();
  const named = subscribers.map((subscriber, n) => ({ name: `subscriber ${n + 1}`, ...subscriber }));
  const failures = () => warn.mock.calls.map(([{ subscriber, err }]) => `${subscriber}: ${err?.message}`);
  return { publisher: new OutcomePublisher(named, { warn }, PATIENCE), warn, failures };
}
const throws = (): never => {
  throw new Error('at once');
};
const never = (): Promise<never> => new Promise(() => undefined);

describe('an outcome', () => {
  it('reaches all subscribers in their order, and what they say is in that order, however late it comes', async () => {
    const calls: string[] = [];
    const { publisher } = publisherOf(
      {
        beforeStored: async (outcome) => {
          calls.push(`1 ${outcome.message.id}`);
          await new Promise(setImmediate);
          return 'one';
        },
      },
      { beforeStored: () => (calls.push('2'), 'two'), stored: () => void calls.push('2 stored') },
      { beforeStored: () => (calls.push('3'), null), stored: async () => void calls.push('3 stored') },
    );
    const said = publisher.beforeStored(OUTCOME);
    expect(calls).toEqual(['1 m-1', '2', '3']);
    expect(await said).toEqual(['one', 'two']);
    await publisher.stored(OUTCOME);
    expect(calls.slice(3)).toEqual(['2 stored', '3 stored']);
  });

  it('makes no promise while no subscriber does', () => {
    const { publisher } = publisherOf(
      {},
      { beforeStored: () => 'two', stored: () => undefined },
      { beforeStored: throws },
    );
    expect(publisher.beforeStored(OUTCOME)).toEqual(['two']);
    expect(publisher.stored(OUTCOME)).toBeUndefined();
  });

  it('is waited for when a subscriber takes time over it', async () => {
    let isCounted = false;
    const { publisher } = publisherOf({
      stored: async () => {
        await new Promise(setImmediate);
        isCounted = true;
      },
    });
    await publisher.stored(OUTCOME);
    expect(isCounted).toBe(true);
  });
});

describe('a subscriber that fails', () => {
  it('harms no other, and is named in the log with the message', async () => {
    const heard: string[] = [];
    const { publisher, warn, failures } = publisherOf(
      { beforeStored: throws, stored: throws },
      { beforeStored: () => Promise.reject(new Error('later')), stored: () => Promise.reject(new Error('later')) },
      { beforeStored: () => 'three', stored: () => void heard.push('three') },
    );
    expect(await publisher.beforeStored(OUTCOME)).toEqual(['three']);
    expect(failures()).toEqual(['subscriber 1: at once', 'subscriber 2: later']);
    await publisher.stored(OUTCOME);
    expect(heard).toEqual(['three']);
    expect(warn).toHaveBeenCalledTimes(4);
    expect(warn.mock.calls[0]).toEqual([expect.objectContaining({ messageId: 'm-1' }), expect.any(String)]);
  });

  it('does so when it does not end, and the outcome goes on without it', async () => {
    const { publisher, failures } = publisherOf({ beforeStored: never, stored: never }, { beforeStored: () => 'two' });
    expect(await publisher.beforeStored(OUTCOME)).toEqual(['two']);
    await publisher.stored(OUTCOME);
    expect(failures()).toEqual([
      `subscriber 1: no answer within ${PATIENCE} ms`,
      `subscriber 1: no answer within ${PATIENCE} ms`,
    ]);
  });
});
