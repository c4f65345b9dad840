import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import { aContact, acceptMessage, aSignal, createSender, messageId, type Sender } from '../support/builders';
import { TEST_START } from '../support/clock';
import { aConversion } from '../support/marketing';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile();
let workspace: string;
/** Sales of a campaign, a journey and a mail of its own, one of which waits. */
const sold: Record<'campaign' | 'journey' | 'plain' | 'waiting', string> = {
  campaign: '',
  journey: '',
  plain: '',
  waiting: '',
};
const mails: Record<'campaign' | 'journey' | 'plain', string> = { campaign: '', journey: '', plain: '' };
const ask = (verb: string, ...rest: string[]) => operator.ask('conversion', verb, ...rest);
const run = (...argv: string[]) => operator.run(['conversion', ...argv]);

/** A mail that was clicked an hour before the sales, and its sale. */
async function sell(stores: Stores, sender: Sender, facts: object, sale: object): Promise<[string, string]> {
  const contact = await stores.contacts.ensure(aContact(sender.workspace.id));
  const { id } = await acceptMessage(stores, { ...sender, contact }, { facts });
  await stores.signals.store(aSignal(id, { kind: 'click', at: TEST_START - HOUR, link: 0 }), sender.workspace.id, []);
  const made = aConversion(sender.workspace.id, { messageId: id, occurredAt: TEST_START, ...sale });
  await stores.conversions.accept(made);
  await stores.conversions.link(made.id);
  return [id, made.id];
}

beforeAll(async () => {
  await operator.with(async ({ stores }) => {
    const sender = await createSender(stores);
    workspace = sender.workspace.name;
    [mails.campaign, sold.campaign] = await sell(stores, sender, { lane: 'campaign', campaignId: 31 }, { amount: 100 });
    const ofJourney = { lane: 'journey', journeyId: 7, journeyVersion: 1, journeyStep: 1 };
    [mails.journey, sold.journey] = await sell(stores, sender, ofJourney, { amount: 10_000_000_000 });
    const order = { amount: 30, orderId: 'INV\u001b[31m-1', occurredAt: TEST_START + DAY };
    [mails.plain, sold.plain] = await sell(stores, sender, {}, order);
    for (const [at, machine] of [
      [TEST_START - 2 * HOUR, null],
      [TEST_START + HOUR, 'agent'],
      [TEST_START + 2 * DAY, null],
      [TEST_START - 8 * DAY, null],
    ] as const) {
      const click = aSignal(mails.plain, { kind: 'click', at, link: 0, machine });
      await stores.signals.store(click, sender.workspace.id, []);
    }
    const waiting = aConversion(sender.workspace.id, { messageId: messageId(), receivedAt: TEST_START });
    await stores.conversions.accept(waiting);
    sold.waiting = waiting.id;
  });
});

describe('kurir conversion list', () => {
  it('shows linked sales, newest first, by campaign, journey, message and time', async () => {
    const ids = async (...filter: string[]) => {
      const { total, data } = (await ask('list', workspace, ...filter)) as { total: number; data: { id: string }[] };
      expect(total).toBe(data.length);
      return data.map(({ id }) => id);
    };
    expect((await ids()).sort()).toEqual([sold.campaign, sold.journey, sold.plain].sort());
    expect((await ids())[0]).toBe(sold.plain);
    expect(await ids('--campaign', '31')).toEqual([sold.campaign]);
    expect(await ids('--journey', '7')).toEqual([sold.journey]);
    expect(await ids('--message', mails.plain.toUpperCase())).toEqual([sold.plain]);
    expect(await ids('--since', '2026-01-06T00:00Z')).toEqual([sold.plain]);
    expect(await ids('--journey', '8')).toEqual([]);
  });

  it('prints an order id of a caller without what it would do to the terminal', async () => {
    const { code, out } = await run('list', workspace, '--limit', '1');
    expect([code, out.includes('\u001b')]).toEqual([0, false]);
    expect(out).toContain('-1');
    expect(out.split('\n').filter((line) => line.includes('01'))).toHaveLength(1);
  });

  it('takes the time of its example', async () => {
    const { out } = await operator.run(['conversion', 'list', '--help']);
    const since = /--campaign 31 --since (\S+)/.exec(out)?.[1] ?? '';
    expect((await run('list', workspace, '--since', since)).code).toBe(0);
  });

  it.each([
    [['--campaign', '0'], '--campaign'],
    [['--journey', 'x'], '--journey'],
    [['--message', 'x'], '--message'],
    [['--limit', '1001'], '--limit'],
    [['--since', 'kemarin'], '--since'],
  ])('refuses %j', async (filter, named) => {
    const { code, err } = await run('list', workspace, ...filter);
    expect([code, err.includes(named)]).toEqual([2, true]);
  });
});

describe('kurir conversion show', () => {
  it('names the click that was chosen, and those that were not with the reason', async () => {
    const json = await ask('show', sold.plain);
    expect(json).toMatchObject({ id: sold.plain, amount: 30, message_id: mails.plain, journey_id: null });
    expect(json['click']).toMatchObject({ at: '2026-01-05T02:00:00.000000Z', message_id: mails.plain });
    expect((json['passed_over'] as { why: string }[]).map(({ why }) => why)).toEqual([
      'after the sale',
      'a machine: agent',
      'a later click was chosen',
      'more than 7 days before the sale',
    ]);
    const { out } = await run('show', sold.plain);
    expect(out).toMatch(/state +linked/);
    expect(out).toMatch(/a machine: agent/);
  });

  it('says until when a sale waits, and finds no other', async () => {
    const { out } = await run('show', sold.waiting);
    expect(out).toMatch(/state +waiting for its click, until 2026-01-05 11:00:00 WIB/);
    expect((await run('show', messageId())).code).toBe(1);
    expect((await run('show', 'x')).code).toBe(2);
  });
});

describe('kurir conversion revenue', () => {
  it.each([
    ['campaign', { null: 10_000_000_030, 31: 100 }],
    ['journey', { 7: 10_000_000_000, null: 130 }],
    ['day', { '2026-01-06': 30, '2026-01-05': 10_000_000_100 }],
  ])('adds up by %s', async (by, sums) => {
    const { data, ...all } = await ask('revenue', workspace, '--by', by);
    expect(all).toEqual({ by, conversions: 3, revenue: 10_000_000_130 });
    const rows = (data as { of: string | null; revenue: number }[]).map(({ of, revenue }) => [String(of), revenue]);
    expect(Object.fromEntries(rows)).toEqual(sums);
  });

  it('adds up by message, the most first, within the filters', async () => {
    const { data } = await ask('revenue', workspace, '--by', 'message', '--until', '2026-01-05T23:00Z');
    expect(data).toEqual([
      { of: mails.journey, conversions: 1, revenue: 10_000_000_000 },
      { of: mails.campaign, conversions: 1, revenue: 100 },
    ]);
    const { out } = await run('revenue', workspace, '--by', 'journey', '--limit', '1');
    expect(out).toMatch(/^7 +1 +10000000000$/m);
    expect(out).toContain('3 conversions, 10000000130 rupiah');
    expect((await run('revenue', workspace, '--campaign', '99')).out).toBe('No sales matched to an email.\n');
    expect((await run('revenue', workspace, '--by', 'year')).code).toBe(2);
  });
});

describe('kurir journey show', () => {
  it('has the sales of the mails of the journey', async () => {
    const id = await operator.with(async ({ stores }) => {
      const sender = await createSender(stores);
      const steps = [{ kind: 'wait', ms: MINUTE }] as const;
      const journey = await stores.journeys.create({
        workspaceId: sender.workspace.id,
        name: 'Sambutan',
        status: 'active',
        triggerType: 'api',
        audienceId: null,
        steps: [...steps],
        goal: null,
        secretSealed: 'none',
        createdAt: TEST_START,
      });
      const facts = { lane: 'journey', journeyId: journey.id, journeyVersion: 1, journeyStep: 1 };
      for (const amount of [2, 3]) await sell(stores, sender, facts, { amount });
      return [String(sender.workspace.id), String(journey.id)] as const;
    });
    expect(await operator.ask('journey', 'show', ...id)).toMatchObject({ conversions: 2, revenue: 5 });
    expect((await operator.run(['journey', 'show', ...id])).out).toMatch(/^conversions +2\nrevenue +5$/m);
  });
});
