import { afterEach, describe, expect, it } from '@jest/globals';
import { MailRoutes } from '../../../operations/destinations/mail-routes';
import type { EndedHandOff } from '../../../operations/messages/mail-outcome';
import { WarmupOutcomes } from '../../../operations/warmup/record-outcome';
import { stopWarmup } from '../../../operations/warmup/stop-warmup';
import { WARMUP_STATES, WARMUPS, Warmups } from '../../../operations/warmup/warmups';
import { DestinationGate } from '../../../consumers/throttle/destination-gate';
import { decideWith } from '../../../consumers/outcome-change';
import { builtInRules } from '../../../domain/bounces/bounce-rules';
import { DestinationRules } from '../../../domain/destinations/destination-rules';
import { refusedTemporarily } from '../../../domain/messages/lifecycle';
import type { Lane, Message } from '../../../domain/messages/message';
import { stateId, stateNow, type WarmupState } from '../../../domain/warmup/warmup-state';
import { nextWibMidnight, wibDay } from '../../../domain/wib';
import { DAY, HOUR } from '../../../lib/clock';
import { claim } from '../../contract/claiming';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';
import { acceptMessage, createSender } from '../../support/builders';
import { aMessage } from '../../support/message';
import { refusedHandOff } from '../../support/outcomes';

const source = 'test';
/** A refusal that blames the sender. */
const BLOCKED = '554 5.7.1 blocked for spam';
const logger = { debug: () => undefined, warn: () => undefined };

let opened: OpenedEngine;
afterEach(() => opened.destroy());

async function setUp(volumes: number[], server: string | null = null, perMinute?: number) {
  opened = await openTemporary();
  const { clock, engine } = opened;
  const { stores } = engine;
  const { records, queue } = stores;
  clock.advance(nextWibMidnight(clock.now()) + HOUR - clock.now());
  const satu = {
    name: 'satu',
    title: 'Satu',
    domains: ['satu.test'],
    source,
    ...(perMinute && { per_minute: perMinute }),
  };
  const rules = new DestinationRules({
    destinations: [satu],
    others: { source },
    slowed_from: { per_minute: 60, source },
    replies: [],
  });
  const routes = new MailRoutes({ rules, records, lookUp: null, clock, logger });
  // A process sees a change after a second of real time, here at once.
  let realTime = 0;
  const newProcess = () => {
    const warmups = new Warmups({ records, clock }, () => (realTime += 2_000));
    const parts = { rules, routes, warmups, records };
    const outcomes = new WarmupOutcomes({ ...parts, clock, firstServer: 'main', bounceRules: builtInRules });
    return { gate: new DestinationGate({ ...parts, queue }), outcomes };
  };
  const sender = await createSender(stores);
  const { workspace, domain } = sender;
  const warmup = { domainId: domain.id, server, volumes, startedAt: clock.now() };
  await records.add(WARMUPS, { id: domain.domain, workspaceId: workspace.id, body: warmup }, clock.now());
  const accept = (count: number, lane: Lane = 'campaign', to = 'ana@satu.test') =>
    Promise.all(
      Array.from({ length: count }, () =>
        acceptMessage(stores, sender, { facts: { lane, createdAt: clock.now(), to, toText: to } }),
      ),
    );
  /** What passes until nothing more does, as the claim would take it. */
  const drain = async ({ gate }: ReturnType<typeof newProcess>, lane: Lane = 'campaign') => {
    const gone: [string, string | undefined][] = [];
    for (;;) {
      const now = clock.now();
      const passing = await gate.pass(workspace.id, lane, 50, now);
      if (passing === null) throw new Error('nothing is limited');
      if (passing.size === 0 && ((await queue.nextDue(workspace.id))[lane] ?? Infinity) > now) return gone;
      gone.push(...passing);
      const taken = [...passing.keys()].map((messageId) => ({ messageId, dueAt: now + 400 * DAY, heldFor: 'gone' }));
      await queue.hold(workspace.id, taken, now);
    }
  };
  const state = async (destination = 'satu'): Promise<WarmupState> => {
    const found = await records.get(WARMUP_STATES, stateId(domain.domain, destination), clock.now());
    return stateNow(warmup, found?.body ?? null, clock.now());
  };
  const message = aMessage({ to: 'ana@satu.test', domainId: domain.id });
  /** The process hears that mail was refused, over `over`; undefined: over the first server. */
  const refused = async ({ outcomes }: ReturnType<typeof newProcess>, reply = BLOCKED, over?: string) =>
    outcomes.stored(refusedHandOff(message, reply, over));
  /** The process hears that mail for `over` went over another server, or over none. */
  const unsent = ({ outcomes }: ReturnType<typeof newProcess>, over: string, movedTo?: string) => {
    const ended: EndedHandOff = movedTo
      ? { kind: 'sent', reply: '250 ok', server: movedTo }
      : { kind: 'not_sent', reason: 'connect ECONNREFUSED' };
    return outcomes.stored({ ...refusedHandOff(message, '', over), ended });
  };
  return { clock, stores, sender, newProcess, accept, drain, state, refused, unsent };
}

/** A receiver that trusts a sender with so many mails a day, refuses what is above, and blocks who goes on. */
class Receiver {
  blocked = false;
  private today = 0;
  private refusedToday = 0;

  constructor(private trust: number) {}

  /** True when it takes the mail. `moody`: a day on which it likes nobody. */
  takes(moody: boolean): boolean {
    this.today += 1;
    const takes = !this.blocked && this.today <= this.trust && !(moody && this.today % 10 === 0);
    if (!takes) this.refusedToday += 1;
    if (this.refusedToday > 20) this.blocked = true;
    return takes;
  }

  endOfDay(): void {
    if (this.refusedToday > 0) this.trust = Math.ceil(this.today * 0.6);
    else if (this.today > 0) this.trust = Math.max(this.trust, this.today * 6);
    this.today = 0;
    this.refusedToday = 0;
  }
}

describe('thirty days of a warm-up', () => {
  it('pass without a block, with a bad day that halves the volume, and reach the plan', async () => {
    const { clock, newProcess, accept, drain, state, refused } = await setUp([20, 40, 200, 400]);
    const receiver = new Receiver(25);
    let took = 0;
    let accepted = 0;
    for (let day = 0; day < 30; day += 1) {
      // A week of little mail, then a sale; processes come and go.
      const few = day >= 8 && day < 15;
      const wanted = few ? 10 : day >= 15 && day < 20 ? 350 : 100;
      accepted += wanted;
      await accept(wanted);
      const by = newProcess();
      const gone = (await drain(by)).length;
      for (let n = 0; n < gone; n += 1) if (!receiver.takes(day === 4)) await refused(by);
      if (day === 6) for (let n = 0; n < gone / 10; n += 1) await refused(by, '450 4.2.0 later');
      took += gone;
      receiver.endOfDay();
      clock.advance(DAY);
    }
    expect(receiver.blocked).toBe(false);
    const { done, past } = await state();
    expect(done).toBe(true);
    expect(past.every(({ sent, volume }) => sent <= volume)).toBe(true);
    const story = past.map(({ volume, verdict }) => `${volume} ${verdict}`);
    expect(story.slice(0, 8)).toEqual([
      ...['20 clean', '40 clean', '200 clean', '400 little', '400 bad', '50 clean', '200 not clean', '200 little'],
    ]);
    expect(story.at(-1)).toBe('400 clean');
    expect(past.length).toBeLessThan(25);
    // Nothing is lost: what waited has gone.
    expect(took).toBe(accepted);
  });

  it('while the same mail without it is blocked on the first day', async () => {
    const receiver = new Receiver(60);
    opened = await openTemporary();
    for (let n = 0; n < 300; n += 1) receiver.takes(false);
    expect(receiver.blocked).toBe(true);
  });
});

describe('the volume of a day', () => {
  it('is kept by all processes together, to the mail, and what they waste is not given out again', async () => {
    const { clock, sender, newProcess, accept, state } = await setUp([50, 100]);
    await accept(200, 'transactional');
    const passing = await Promise.all(
      [1, 2, 3].map(() => newProcess().gate.pass(sender.workspace.id, 'transactional', 40, clock.now())),
    );
    const counts = passing.map((found) => found!.size);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(50);
    expect((await state()).today.sent).toBe(counts.reduce((sum, count) => sum + count, 0));
    expect(
      (await newProcess().gate.pass(sender.workspace.id, 'transactional', 40, clock.now()))!.size,
    ).toBeLessThanOrEqual(50 - counts.reduce((sum, count) => sum + count, 0));
  });

  it('leaves a fifth to transactional mail, which goes first on the next day; others wait for their day', async () => {
    const { clock, stores, sender, newProcess, accept, drain } = await setUp([50, 100, 500]);
    const by = newProcess();
    await accept(200);
    expect(await drain(by)).toHaveLength(40);
    await accept(20, 'transactional');
    expect(await drain(by, 'transactional')).toHaveLength(10);
    const { items } = await stores.messages.list(sender.workspace.id, { status: 'queued', offset: 0, limit: 400 });
    const waits = items.filter(({ heldFor }) => heldFor?.startsWith('warmup '));
    const days = waits.map(({ dueAt, lane }) => `${lane} ${wibDay(dueAt!)}`);
    const [tomorrow, after] = [wibDay(clock.now() + DAY), wibDay(clock.now() + 2 * DAY)];
    const count = (what: string) => days.filter((day) => day === what).length;
    expect([count(`transactional ${tomorrow}`), count(`campaign ${tomorrow}`), count(`campaign ${after}`)]).toEqual([
      ...[10, 80, 80],
    ]);
    clock.advance(DAY);
    expect(await drain(by)).toHaveLength(80);
    expect(await drain(by, 'transactional')).toHaveLength(10);
  });

  it('is not asked for by mail that is tried again, which has three days only', async () => {
    const { clock, stores, sender, newProcess, accept, drain, state } = await setUp([10]);
    const by = newProcess();
    const tried = (await accept(12)).map(({ id }) => id);
    const { claimed } = await claim({ stores }, sender, { lane: 'campaign', now: clock.now(), limit: 12 });
    expect(claimed).toHaveLength(12);
    for (const id of tried) {
      const refused = { reply: '450 later', outcome: 'refused_temporarily' } as const;
      const decide = (message: Message) =>
        refusedTemporarily(message, { attempt: 1, fence: null }, refused, clock.now());
      await stores.messages.change(id, decideWith(decide));
    }
    await accept(20);
    clock.advance(HOUR);
    const gone = (await drain(by)).map(([id]) => id);
    expect(gone).toHaveLength(12 + 8);
    expect(gone).toEqual(expect.arrayContaining(tried));
    expect((await state()).today.sent).toBe(8);
  });

  it('holds up no other destination and no other domain', async () => {
    const { stores, clock, newProcess, accept, drain } = await setUp([10]);
    const by = newProcess();
    await accept(30);
    await accept(5, 'campaign', 'ana@dua.test');
    const stranger = await createSender(stores);
    const facts = { lane: 'campaign' as const, createdAt: clock.now(), to: 'ana@satu.test', toText: 'ana@satu.test' };
    await acceptMessage(stores, stranger, { facts });
    expect(await drain(by)).toHaveLength(8 + 5);
    expect((await by.gate.pass(stranger.workspace.id, 'campaign', 50, clock.now()))!.size).toBe(1);
  });

  it('goes over the server of the warm-up, and the rest the usual way at once', async () => {
    const { newProcess, accept, drain, refused, state } = await setUp([50], 'new');
    const by = newProcess();
    await accept(100);
    const gone = await drain(by);
    expect(gone).toHaveLength(100);
    expect(gone.filter(([, server]) => server === 'new')).toHaveLength(40);
    // What the other server was told says nothing about this one.
    await refused(by);
    await refused(by, BLOCKED, 'new');
    expect((await state()).today).toMatchObject({ sent: 40, refused: 1 });
  });

  it('has no end at the goal when that day turns out bad, whatever the process knew', async () => {
    const { clock, newProcess, accept, drain, refused } = await setUp([50]);
    const by = newProcess();
    await accept(200, 'transactional');
    expect(await drain(by, 'transactional')).toHaveLength(50);
    for (let n = 0; n < 20; n += 1) await refused(newProcess());
    clock.advance(DAY);
    expect(await drain(by, 'transactional')).toHaveLength(50);
    // That day was clean.
    clock.advance(DAY);
    expect(await drain(newProcess(), 'transactional')).toHaveLength(100);
  });

  it('is given back by what could not be claimed', async () => {
    const { clock, sender, newProcess, accept, state } = await setUp([50]);
    const { gate } = newProcess();
    await accept(40);
    const passing = (await gate.pass(sender.workspace.id, 'campaign', 50, clock.now()))!;
    expect([passing.size, (await state()).today.sent]).toEqual([40, 40]);
    const claimed = [...passing.keys()].slice(0, 15);
    await gate.settled(passing, claimed);
    await gate.settled(passing, []);
    expect((await state()).today.sent).toBe(15);
    const again = (await gate.pass(sender.workspace.id, 'campaign', 50, clock.now()))!;
    await gate.settled(again, null);
    expect((await state()).today.sent).toBe(15 + 25);
  });

  it('is not held against a day for mail that went over another server, or over none', async () => {
    const { clock, newProcess, accept, drain, unsent, state } = await setUp([50, 100], 'new');
    const by = newProcess();
    await accept(50);
    await drain(by);
    for (let n = 0; n < 10; n += 1) await unsent(by, 'new', 'main');
    for (let n = 0; n < 10; n += 1) await unsent(by, 'new');
    await unsent(by, 'main');
    expect((await state()).today).toMatchObject({ sent: 40, unsent: 20 });
    clock.advance(DAY);
    expect(await state()).toMatchObject({ past: [{ verdict: 'little' }], today: { volume: 50 } });
  });

  it('keeps the pace of the destination over the server that is warmed up', async () => {
    const { newProcess, accept, drain } = await setUp([5_000], 'new', 600);
    await accept(700);
    const gone = await drain(newProcess());
    const over = (server: string | undefined) => gone.filter(([, by]) => by === server).length;
    expect(over('new')).toBeLessThanOrEqual(10);
    expect(over('new')).toBeGreaterThan(0);
  });

  it('is that of the new warm-up when one is stopped and another begun', async () => {
    const { clock, stores, sender, newProcess, accept, drain } = await setUp([50]);
    const [one, other] = [newProcess(), newProcess()];
    await accept(200, 'transactional');
    const entry = (await stores.records.get(WARMUPS, sender.domain.domain, clock.now()))!;
    expect(await drain(one, 'transactional')).toHaveLength(50);
    const { records, queue } = stores;
    await stopWarmup({ rules: { names: ['satu'] }, records, queue, clock }, sender.domain.domain);
    clock.advance(1);
    await records.add(WARMUPS, { ...entry, body: { ...entry.body, startedAt: clock.now() } }, clock.now());
    expect(await drain(other, 'transactional')).toHaveLength(50);
    await accept(50, 'transactional');
    expect(await drain(one, 'transactional')).toEqual([]);
  });

  it('is given up when the warm-up is stopped: what waits goes', async () => {
    const { clock, stores, sender, newProcess, accept, drain } = await setUp([10]);
    const by = newProcess();
    await accept(30);
    expect(await drain(by)).toHaveLength(8);
    const { records, queue } = stores;
    const stop = () => stopWarmup({ rules: { names: ['satu'] }, records, queue, clock }, sender.domain.domain);
    expect(await stop()).toBe(22);
    expect(await stop()).toBe(0);
    clock.advance(1);
    expect(await by.gate.pass(sender.workspace.id, 'campaign', 50, clock.now())).toBeNull();
    expect(await queue.due(sender.workspace.id, 'campaign', clock.now(), 50)).toHaveLength(22);
  });
});

it('what became of many mails at once is counted to the mail', async () => {
  const { newProcess, refused, state } = await setUp([50]);
  const by = newProcess();
  await Promise.all(Array.from({ length: 60 }, (_, n) => refused(by, n % 2 === 0 ? '450 4.2.0 later' : BLOCKED)));
  expect((await state()).today).toMatchObject({ deferred: 30, refused: 30 });
});
