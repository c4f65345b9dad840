import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RenewedProcessLease } from '../../../app/cluster-settings/renewed-process-lease';
import { PROCESS_LEASES } from '../../../operations/processes/process-register';
import { recoverProcesses } from '../../../app/engines/recover-processes';
import { handOff } from '../../../consumers/dispatch/steps/hand-off';
import { recordOutcome } from '../../../consumers/dispatch/steps/record-outcome';
import { DAY, SECOND } from '../../../lib/clock';
import type { Message } from '../../../domain/messages/message';
import type { HandOffOutcome, Transport } from '../../../email/transports/transport';
import { UnavailableError } from '../../../lib/errors';
import { openTemporary } from '../../contract/embedded/open';
import { claimRequest } from '../../contract/claiming';
import type { OpenedEngine } from '../../contract/harness';
import { acceptMessage, createSender, type Sender } from '../../support/builders';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const config = { postfixLog: null, evidenceWait: 4 * DAY };
const MAIL = { envelope: { from: 'b@x.test', to: 'a@x.test', envid: '1' }, raw: Buffer.from('x'), destinations: [] };

let opened: OpenedEngine;
let sender: Sender;
beforeAll(async () => {
  opened = await openTemporary();
  sender = await createSender(opened.engine.stores);
});
const begun: RenewedProcessLease[] = [];
afterAll(async () => {
  for (const life of begun) await life.end();
  await opened.destroy();
});

/** Never renews by itself: the test says when time goes on. */
const newLife = async (): Promise<RenewedProcessLease> => {
  const life = new RenewedProcessLease({
    leases: opened.engine.stores.leases,
    clock: opened.clock,
    logger,
    renewEvery: 1e6,
  });
  await life.begin();
  begun.push(life);
  return life;
};
const leases = async () =>
  (await opened.engine.stores.leases.list()).filter(({ name }) => name.startsWith(PROCESS_LEASES));
const recover = () => recoverProcesses({ engine: opened.engine, clock: opened.clock, config, logger });

async function claimed(): Promise<Message> {
  const { stores } = opened.engine;
  const { clock } = opened;
  const { id } = await acceptMessage(stores, sender, { facts: { createdAt: clock.now() } });
  const epoch = (await stores.leases.acquire('throttle/0', 'owner', clock.now(), DAY)) ?? 0;
  const lease = { name: 'throttle/0', owner: 'owner', epoch };
  await stores.queue.claim({ ...claimRequest(lease, sender), now: clock.now(), leaseUntil: clock.now() + DAY });
  return (await stores.messages.get(id))!;
}

/** Passes the fence after `during`, then `after`; answers `sent` when it may. */
function transport(steps: { before?: () => void; after?: () => void; ends?: HandOffOutcome }): Transport {
  return {
    handOff: async (_envelope, _raw, fence) => {
      steps.before?.();
      if (!(await fence())) return { kind: 'fenced_out', reason: 'no' };
      steps.after?.();
      return steps.ends ?? { kind: 'sent', reply: '250 ok' };
    },
    largestMail: () => null,
    close: async () => undefined,
  };
}

async function hand(message: Message, life: RenewedProcessLease, by: Transport): Promise<void> {
  const { messages } = opened.engine.stores;
  const { clock } = opened;
  const step = handOff({
    messages,
    transport: by,
    clock,
    newToken: () => life.newToken(),
    isLeaseValid: (token) => life.isLeaseValid(token),
  });
  await recordOutcome({ messages, clock, logger, ...config })(await step(message, MAIL));
}
const read = async ({ id }: Message): Promise<Message> => (await opened.engine.stores.messages.get(id))!;

describe('the life of a process', () => {
  it('stands while its lease does by its own clock, and a little less', async () => {
    const life = await newLife();
    const token = life.newToken();
    expect(life.newToken()).not.toBe(token);
    expect(life.isLeaseValid(token)).toBe(true);
    expect(life.isLeaseValid('another.1')).toBe(false);
    opened.clock.advance(8_999);
    expect(life.isLeaseValid(token)).toBe(true);
    opened.clock.advance(1);
    expect(life.isLeaseValid(token)).toBe(false);
    await life.end();
  });

  it('does not stand while its clock is wrong, and does again when it is right', async () => {
    let right = true;
    const life = new RenewedProcessLease({
      leases: opened.engine.stores.leases,
      clock: opened.clock,
      logger,
      renewEvery: 1e6,
      mayAct: () => right,
    });
    await life.begin();
    const token = life.newToken();
    right = false;
    expect([life.isLeaseValid(token), life.isHeld()]).toEqual([false, false]);
    right = true;
    expect(life.isLeaseValid(token)).toBe(true);
    await life.end();
    await recover();
  });

  it('asks whether the data is still its own when it takes a lease, and when it renews one that has expired', async () => {
    let asked = 0;
    const checkData = async (): Promise<void> => void (asked += 1);
    const { leases: store } = opened.engine.stores;
    const life = new RenewedProcessLease({ leases: store, clock: opened.clock, logger, renewEvery: 1e6, checkData });
    await life.begin();
    opened.clock.advance(8 * SECOND);
    await life.renewNow();
    expect(asked).toBe(1);
    opened.clock.advance(9 * SECOND);
    await life.renewNow();
    expect([asked, life.isHeld()]).toEqual([2, true]);
    await life.end();
    await recover();
  });

  it('that ended in order leaves nothing once it was looked after', async () => {
    const life = await newLife();
    await life.end();
    expect((await leases()).map(({ owner }) => owner)).toContain(null);
    await recover();
    expect(await leases()).toEqual([]);
  });

  it('is left alone while its lease is renewed', async () => {
    const life = await newLife();
    opened.clock.advance(5 * SECOND);
    expect(await recover()).toBe(0);
    expect(await leases()).toHaveLength(1);
    await life.end();
    await recover();
  });
});

describe('a process that was frozen', () => {
  it('before the fence hands nothing over: the claim stays as it was, to be handed over by another', async () => {
    const life = await newLife();
    const message = await claimed();
    const frozen = transport({ before: () => opened.clock.advance(60 * SECOND) });
    await expect(hand(message, life, frozen)).rejects.toThrow(UnavailableError);
    expect(await read(message)).toMatchObject({ status: 'sending', fence: null, attempt: 1 });
    const other = await newLife();
    await hand(await read(message), other, transport({}));
    expect(await read(message)).toMatchObject({ status: 'sent_to_mta' });
    await other.end();
    await recover();
  });

  it('while the fence was written gives the claim back, since no byte went out', async () => {
    const life = await newLife();
    const message = await claimed();
    const { change } = opened.engine.stores.messages;
    const slow: typeof change = async (...args) => {
      const changed = await change(...args);
      opened.clock.advance(60 * SECOND);
      return changed;
    };
    const messages = { ...opened.engine.stores.messages, change: slow };
    const step = handOff({
      messages,
      transport: transport({}),
      clock: opened.clock,
      newToken: () => life.newToken(),
      isLeaseValid: (token) => life.isLeaseValid(token),
    });
    const end = await step(message, MAIL);
    expect(await read(message)).toMatchObject({ status: 'sending', fence: end.handOff.fence });
    expect(end.outcome.kind).toBe('not_sent');
    // Meanwhile it was thought dead, and the message unknown.
    await recover();
    expect(await read(message)).toMatchObject({ status: 'sending', unknown: true });
    const deps = { messages: opened.engine.stores.messages, clock: opened.clock, logger, ...config };
    await recordOutcome(deps)(end);
    expect(await read(message)).toMatchObject({ status: 'queued', fence: null, unknown: false });
  });

  it('past the fence is thought dead and its message unknown; the answer still counts when it comes', async () => {
    const life = await newLife();
    const living = await newLife();
    const message = await claimed();
    const theirs = await claimed();
    let recovered = Promise.resolve(0);
    const frozen = transport({
      after: () => {
        opened.clock.advance(13 * SECOND);
        recovered = recover();
      },
    });
    await hand(message, life, frozen);
    await recovered;
    expect(await read(message)).toMatchObject({ status: 'sent_to_mta' });
    expect(await read(theirs)).toMatchObject({ status: 'sending', unknown: false });
    await living.end();
    await recover();
  });

  it('begins a new life under another name when its lease was taken, and hands over with it', async () => {
    const quick = new RenewedProcessLease({
      leases: opened.engine.stores.leases,
      clock: opened.clock,
      logger,
      renewEvery: 5,
    });
    await quick.begin();
    const token = quick.newToken();
    const { leases: store } = opened.engine.stores;
    const name = PROCESS_LEASES + token.split('.')[0]!;
    // As the recovery does: the lease is over by the clock of another.
    const taken = await store.acquire(name, 'recovery', opened.clock.now() + 20 * SECOND, SECOND);
    expect(taken).not.toBeNull();
    while (quick.newToken().startsWith(token.split('.')[0]!) || !quick.isHeld()) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(quick.isLeaseValid(token)).toBe(false);
    expect(quick.isLeaseValid(quick.newToken())).toBe(true);
    await quick.end();
  });
});

describe('what a dead process left past the fence', () => {
  it('waits for evidence with its attachments kept, once, by whoever looks first', async () => {
    opened.clock.advance(60 * SECOND);
    await recover();
    const life = await newLife();
    const message = await claimed();
    const { messages } = opened.engine.stores;
    const step = handOff({
      messages,
      transport: transport({}),
      clock: opened.clock,
      newToken: () => life.newToken(),
      isLeaseValid: (token) => life.isLeaseValid(token),
    });
    await step(message, MAIL);
    opened.clock.advance(14 * SECOND);
    const found = await Promise.all([recover(), recover(), recover()]);
    expect(found.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await read(message)).toMatchObject({ status: 'sending', unknown: true });
    expect(await leases()).toEqual([]);
  });
});
