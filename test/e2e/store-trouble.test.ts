import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MINUTE, SECOND } from '../../lib/clock';
import { UnavailableError } from '../../lib/errors';
import { describeOnEngines } from '../support/engines';
import { Running } from '../support/running';

describeOnEngines('a store that cannot be written for a moment', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install());
  });
  afterAll(() => running.stop());

  /** The store refuses the next so many changes of messages, as with a full disk. */
  function refuseChanges(times: number): void {
    const { messages } = running.stores;
    const change = messages.change.bind(messages);
    let left = times;
    messages.change = (id, decide) => {
      if (left === 0) return change(id, decide);
      left -= 1;
      return Promise.reject(new UnavailableError('the disk is full'));
    };
  }

  it('at the fence: nothing is sent, the coin goes back, and the mail is tried again', async () => {
    refuseChanges(1);
    const id = await running.send('delivered@x.test');
    await running.until(id, 'the certain no', ({ status, attempt }) => status === 'queued' && attempt === 1);
    expect(running.kurir.sandbox!.countByMessage(id)).toBe(0);
    running.clock.advance(MINUTE + SECOND);
    await running.untilStatus(id, 'delivered');
    expect(await running.coinsOf(id, -1)).toEqual(['debit:m:1', 'debit:m:2', 'refund:m:1']);
    expect(running.kurir.sandbox!.countByMessage(id)).toBe(1);
  });

  it('at the outcome: the word of the sending server is kept until the store takes it', async () => {
    const { messages } = running.stores;
    const change = messages.change.bind(messages);
    let fenced = false;
    let refusals = 3;
    messages.change = async (id, decide) => {
      if (fenced && refusals > 0) {
        refusals -= 1;
        throw new UnavailableError('the disk is full');
      }
      fenced = true;
      return change(id, decide);
    };
    const id = await running.send('norecord@x.test');
    await running.untilStatus(id, 'sent_to_mta');
    expect(refusals).toBe(0);
    expect((await running.stores.messages.attempts(id)).map(({ outcome }) => outcome)).toEqual(['sent']);
    expect(running.kurir.sandbox!.countByMessage(id)).toBe(1);
  });
});
