import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { MailRoutes } from '../../../operations/destinations/mail-routes';
import { destinationReplies } from '../../../operations/destinations/record-destination-reply';
import { Warmups } from '../../../operations/warmup/warmups';
import { resumeDestination } from '../../../operations/destinations/resume-destination';
import { queuedServer } from '../../../app/services/queued-server';
import { DestinationGate, type GateSettings } from '../../../consumers/throttle/destination-gate';
import { DestinationRules } from '../../../domain/destinations/destination-rules';
import { SEEN_AFTER } from '../../../domain/destinations/destination-state';
import type { ReplyRule, WrittenDestination } from '../../../domain/destinations/rules-file';
import type { Lane } from '../../../domain/messages/message';
import { HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';
import { acceptMessage, createSender, type Sender } from '../../support/builders';
import { aMessage } from '../../support/message';
import { refusedHandOff } from '../../support/outcomes';
import { until } from '../../contract/helpers';

const source = 'test';
const REPLIES: ReplyRule[] = [
  { name: 'slow', text: ['slow down'], do: 'slow', minutes: 30, sample: 'slow down', source },
  { name: 'stop', text: ['go away'], do: 'stop', minutes: 120, sample: 'go away', source },
  { name: 'own', text: ['not you'], do: 'stop_workspace', minutes: 60, sample: 'not you', source },
];
const ONE: WrittenDestination = { name: 'satu', title: 'Satu', domains: ['satu.test'], per_minute: 60, source };

let opened: OpenedEngine;
afterEach(() => opened.destroy());

async function setUp(destinations: WrittenDestination[] = [ONE]) {
  opened = await openTemporary();
  const { clock, engine } = opened;
  const { stores } = engine;
  const logger = { debug: () => undefined, warn: jest.fn() };
  const rules = new DestinationRules({
    destinations,
    others: { source },
    slowed_from: { per_minute: 60, source },
    replies: REPLIES,
  });
  const routes = new MailRoutes({ rules, records: stores.records, lookUp: null, clock, logger });
  const due = jest.spyOn(stores.queue, 'due');
  const hold = jest.spyOn(stores.queue, 'hold');
  const warmups = new Warmups({ records: stores.records, clock });
  const newGate = (more: Pick<GateSettings, 'serverOf'> = {}) =>
    new DestinationGate({ rules, routes, warmups, ...stores, ...more });
  const sender = await createSender(stores);
  const acceptFor = async (whose: Sender, domain: string, lane: Lane = 'campaign') => {
    const facts = { lane, createdAt: clock.now(), to: `ana@${domain}`, toText: `ana@${domain}` };
    return (await acceptMessage(stores, whose, { facts })).id;
  };
  const accept = (domain: string, lane?: Lane) => acceptFor(sender, domain, lane);
  const { id } = sender.workspace;
  const pass = async (gate: DestinationGate, lane: Lane = 'campaign', limit = 50) => [
    ...((await gate.pass(id, lane, limit, clock.now()))?.keys() ?? ['free']),
  ];
  const replies = destinationReplies({ rules, routes, records: stores.records, clock, logger });
  const reply = (domain: string, text: string) => {
    const message = aMessage({ workspaceId: id, to: `ana@${domain}`, fencedAt: clock.now() });
    return replies.beforeStored!(refusedHandOff(message, text));
  };
  return { clock, stores, id, rules, newGate, accept, acceptFor, pass, reply, due, hold };
}

describe('the gate of destinations', () => {
  it('lets all pass, and reads nothing, while no destination has a limit', async () => {
    const { accept, pass, newGate, due } = await setUp([]);
    await accept('toko.test');
    expect(await pass(newGate())).toEqual(['free']);
    expect(due).not.toHaveBeenCalled();
  });

  it('holds up no other destination when one is stopped, and looks at what waits there once', async () => {
    const { clock, stores, accept, pass, reply, newGate, hold } = await setUp([]);
    for (let n = 0; n < 120; n += 1) await accept('dua.test');
    const other = await accept('toko.test');
    expect(await reply('dua.test', '450 4.7.1 go away')).toBe('sending to dua.test was stopped for 120 minutes');
    const gate = newGate();
    expect(await pass(gate)).toEqual([other]);
    expect(await pass(gate)).toEqual([other]);
    expect(hold.mock.calls.flatMap(([, holds]) => holds)).toHaveLength(120);
    const end = clock.now() + 120 * MINUTE;
    clock.advance(120 * MINUTE - SECOND);
    expect(await pass(gate)).toEqual([other]);
    const waiting = await stores.messages.list((await stores.queue.workspacesWaiting(0, 1))[0]!, {
      status: 'queued',
      offset: 0,
      limit: 200,
    });
    const turns = waiting.items.filter(({ heldFor }) => heldFor === 'dua.test').map(({ dueAt }) => dueAt! - end);
    // After a stop it begins at half of 60 a minute.
    expect(Math.min(...turns)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...turns)).toBeGreaterThan(119 * 2 * SECOND);
  });

  it('lets mail go that was held by a process which had not seen the end of the stop', async () => {
    const { stores, id, rules, accept, pass, reply, newGate, clock } = await setUp([]);
    await accept('dua.test');
    await reply('dua.test', '450 4.7.1 go away');
    const gate = newGate();
    expect(await pass(gate)).toEqual([]);
    const resume = resumeDestination({ rules, clock, ...stores }, 'dua.test');
    const isDue = async () => ((await stores.queue.nextDue(id)).campaign ?? Infinity) <= clock.now();
    await until(isDue, 5);
    expect(await pass(gate)).toEqual([]);
    expect(await isDue()).toBe(false);
    expect(await resume).toBe(2);
    expect(await isDue()).toBe(true);
    expect(await pass(gate)).toHaveLength(1);
  });

  it('stops one workspace alone when the reply is about it', async () => {
    const { stores, id, accept, acceptFor, pass, reply, newGate, clock } = await setUp([]);
    await accept('dua.test');
    expect(await reply('dua.test', '450 4.7.1 not you')).toMatch(/^sending of this workspace to dua.test was stopped/);
    const gate = newGate();
    expect(await pass(gate)).toEqual([]);
    expect(await stores.queue.nextDue(id)).toEqual({ campaign: expect.any(Number) });
    const stranger = await createSender(stores);
    const theirs = await acceptFor(stranger, 'dua.test');
    expect([...(await gate.pass(stranger.workspace.id, 'campaign', 50, clock.now()))!.keys()]).toEqual([theirs]);
  });

  it('keeps a rate over two processes, and every message goes once, at nearly the whole pace', async () => {
    const { clock, stores, acceptFor, newGate } = await setUp([{ ...ONE, per_minute: 120 }]);
    const sides = await Promise.all([1, 2].map(async () => ({ gate: newGate(), sender: await createSender(stores) })));
    for (const { sender } of sides) for (let n = 0; n < 60; n += 1) await acceptFor(sender, 'satu.test');
    const times: number[] = [];
    for (let tick = 0; tick < 300 && times.length < 120; tick += 1) {
      const now = clock.now();
      const found = sides.map(async ({ gate, sender: { workspace } }) => {
        const passing = [...(await gate.pass(workspace.id, 'campaign', 50, now))!.keys()];
        // As the claim would take them.
        const gone = passing.map((messageId) => ({ messageId, dueAt: now + HOUR, heldFor: 'gone' }));
        await stores.queue.hold(workspace.id, gone, now);
        return passing;
      });
      times.push(...(await Promise.all(found)).flat().map(() => now));
      clock.advance(250);
    }
    expect(times).toHaveLength(120);
    const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 30 * SECOND).length));
    // 60 in half a minute, and a portion.
    expect(most).toBeLessThanOrEqual(62);
    expect(times.at(-1)! - times[0]!).toBeLessThan(66 * SECOND);
  });

  it('keeps the rate of each sending server apart, and a stop holds for all', async () => {
    const { clock, stores, accept, acceptFor, newGate, id, reply } = await setUp();
    const other = await createSender(stores);
    const servers = ['main', 'bulk'].map((name) => ({ name, url: `smtp://${name}.test` }));
    const route = { of: 'domain', value: other.domain.domain, server: 'bulk' } as const;
    const serverOf = queuedServer({ mtaServers: servers, mtaRoutes: [route] }, stores.domains)!;
    const gates = [newGate({ serverOf }), newGate({ serverOf })];
    const passed = async (workspaceId: number) => {
      const found = gates.map(async (gate) => [...(await gate.pass(workspaceId, 'campaign', 50, clock.now()))!.keys()]);
      return (await Promise.all(found)).flat();
    };
    for (let n = 0; n < 3; n += 1) await Promise.all([accept('satu.test'), acceptFor(other, 'satu.test')]);
    expect(await passed(id)).toHaveLength(1);
    expect(await passed(other.workspace.id)).toHaveLength(1);
    expect(await passed(id)).toEqual([]);
    await reply('satu.test', '450 4.7.1 go away');
    clock.advance(MINUTE);
    await sleep(SEEN_AFTER + 100);
    expect(await passed(id)).toEqual([]);
    expect(await passed(other.workspace.id)).toEqual([]);
    expect(queuedServer({ mtaServers: servers.slice(0, 1), mtaRoutes: [] }, stores.domains)).toBeUndefined();
  });

  it('has its whole pace over each sending server once an operator has resumed it', async () => {
    const { clock, stores, rules, accept, newGate, reply, pass } = await setUp();
    const gate = newGate({ serverOf: async () => 'bulk' });
    await reply('satu.test', '450 4.7.1 slow down');
    for (let n = 0; n < 20; n += 1) await accept('satu.test', 'transactional');
    expect(await pass(gate, 'transactional')).toHaveLength(1);
    expect(await resumeDestination({ rules, clock, ...stores }, 'satu')).toBe(19);
    for (let n = 0; n < 19; n += 1) {
      clock.advance(1_100);
      expect(await pass(gate, 'transactional', 1)).toHaveLength(1);
    }
    const campaign = await accept('satu.test');
    clock.advance(2_000);
    expect(await pass(gate)).toEqual([campaign]);
  });

  it('lets transactional mail go before a campaign that waits', async () => {
    const { clock, accept, pass, newGate } = await setUp();
    for (let n = 0; n < 100; n += 1) await accept('satu.test');
    const gate = newGate();
    expect(await pass(gate)).toHaveLength(1);
    const reset = await accept('satu.test', 'transactional');
    expect(await pass(gate, 'transactional')).toEqual([]);
    clock.advance(1_500);
    expect(await pass(gate, 'campaign')).toEqual([]);
    expect(await pass(gate, 'transactional')).toEqual([reset]);
  });

  it('goes at half the pace after a reply, and at the whole one when its time is over', async () => {
    const { clock, stores, id, accept, pass, reply, newGate } = await setUp();
    const gate = newGate();
    await reply('satu.test', '450 4.7.1 slow down');
    for (let n = 0; n < 30; n += 1) await accept('satu.test');
    await pass(gate);
    const turns = async () => {
      const { items } = await stores.messages.list(id, { status: 'queued', offset: 0, limit: 100 });
      return items.map(({ dueAt }) => dueAt!).sort((a, b) => a - b);
    };
    const slow = await turns();
    expect(slow.at(-1)! - slow[1]!).toBeGreaterThan(28 * 2 * SECOND);
    clock.advance(30 * MINUTE);
    for (let n = 0; n < 10; n += 1) await accept('satu.test', 'transactional');
    await pass(gate, 'transactional');
    const whole = (await turns()).filter((at) => at > clock.now());
    expect(whole.length).toBeGreaterThan(5);
    expect(whole.at(-1)! - whole[0]!).toBeLessThan(whole.length * 1.1 * SECOND);
  });
});
