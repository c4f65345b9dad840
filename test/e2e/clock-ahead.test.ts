import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { StoreClock } from '../../operations/processes/store-clock';
import { AdvancingClock } from '../../lib/advancing-clock';
import type { Message } from '../../domain/messages/message';
import { DAY, HOUR, SECOND } from '../../lib/clock';
import type { Installation } from '../../proof/crash/installation';
import { eventually } from '../contract/helpers';
import { describeOnEngines } from '../support/engines';
import { limitFor } from '../support/limits';
import { Running } from '../support/running';

const LIMIT = limitFor(3);

/** The clocks of the machine and of its servers, which are `ahead` of the real time together, ms. */
class Machine {
  ahead = 0;

  clock(): StoreClock {
    const storeClock = new StoreClock({ wall: () => Date.now() + this.ahead });
    const measure = storeClock.measure.bind(storeClock);
    storeClock.measure = (time) => measure(async () => (await time()) + this.ahead);
    return storeClock;
  }
}

describeOnEngines('a clock that was two days ahead', (install) => {
  let installation: Installation;
  let machine: Machine;
  let running: Running;
  const start = async (): Promise<Running> => {
    const storeClock = machine.clock();
    return Running.startOn(installation, {}, new AdvancingClock(0, () => storeClock.now()), { storeClock });
  };
  const isNow = (at: number | null): boolean => at !== null && Math.abs(at - Date.now()) < HOUR;
  const delivered = (id: string): Promise<Message> => running.untilStatus(id, 'delivered');
  const workspaceId = async (): Promise<number> => (await running.stores.workspaces.list())[0]!.id;
  const limit = async (perMinute: number): Promise<void> =>
    void (await running.stores.workspaces.setRate(await workspaceId(), { perMinute }, running.clock.now()));
  const sendMany = (count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => running.send(`delivered+${n}@a.test`)));
  const untilRight = async (): Promise<void> => {
    await eventually(async () => expect(isNow(running.clock.now()) || new Date(running.clock.now())).toBe(true));
  };

  beforeEach(async () => {
    installation = install();
    machine = new Machine();
    machine.ahead = 2 * DAY;
    running = await start();
  });
  afterEach(async () => {
    await running.stop();
  });

  // spec: docs/contract.md#time: what is made after the clock was ahead has the right time
  it(
    'is right again at once: new mail has the right times and is delivered, and nothing that waited stays behind',
    async () => {
      await delivered(await running.send('delivered@a.test'));
      const slow = await running.send('slow@a.test');
      const retried = await running.send('defer@a.test');
      await running.until(retried, 'its first attempt', ({ attempt, status }) => attempt === 1 && status === 'queued');
      machine.ahead = 0;
      await untilRight();
      const id = await running.send('delivered+now@a.test');
      const message = await delivered(id);
      expect([message.createdAt, message.dispatchedAt].map(isNow)).toEqual([true, true]);
      await delivered(slow);
      const again = await running.until(retried, 'its next attempt', ({ attempt }) => attempt > 1);
      expect(isNow(again.dueAt)).toBe(true);
      const { data } = (await (
        await fetch(running.demo.inbox_url!, { headers: { accept: 'application/json' } })
      ).json()) as {
        data: { id: number; to: string }[];
      };
      const sources = await Promise.all(
        data.map(async (mail) => (await fetch(`${running.demo.inbox_url!}/${mail.id}/source`)).text()),
      );
      const source = sources.find((text) => text.includes(id))!;
      expect(isNow(Date.parse(/^Date: (.*)$/im.exec(source)![1]!))).toBe(true);
      expect(isNow(Number(/\bt=(\d+)/.exec(source)![1]) * SECOND)).toBe(true);
    },
    LIMIT,
  );

  // spec: docs/contract.md#send-rate: claims of a clock that was ahead do not block an account
  it(
    'does not hold up mail or an account whose rate it has used up, also after a restart; doctor and /readyz name what is of the future',
    async () => {
      await limit(3);
      const ids = await sendMany(5);
      const at = async (status: Message['status']): Promise<string[]> =>
        (await running.stores.messages.getMany(await workspaceId(), ids)).flatMap((m) =>
          m.status === status ? [m.id] : [],
        );
      await eventually(async () => expect(await at('delivered')).toHaveLength(3));
      expect(await at('queued')).toHaveLength(2);
      await running.rest();
      machine.ahead = 0;
      running = await start();
      await Promise.all(ids.map(delivered));
      const health = (await (await fetch(running.kurir.baseUrl.replace(/v1$/, 'readyz'))).json()) as {
        degraded_by: unknown;
      };
      const reason = expect.stringMatching(
        /^5 messages were created in the future, the last at 20.*: the clock of this/,
      ) as unknown;
      expect(health.degraded_by).toContainEqual({ name: 'rows of the future', reason });
    },
    LIMIT,
  );
});
