import { describe, expect, test } from '@jest/globals';
import type { Acts, Line } from '../../../proof/judge/history';
import { judge } from '../../../proof/judge/judge';
import { DAY, HOUR, MINUTE, Play } from './play';

type Export = Acts['export'][1];
type Counts = Export['campaigns'][number]['counts'];

const CAMPAIGN = { workspace: 1, campaign: 3 };
const COUNTS: Counts = { recipients: 1, delivered: 1, bounced: 0, failed: 0, skipped: 0, pending: 0, in_hand: 0 };
const MAIL = 'm@a.test';
/** When the second mail of the journey is due, ms after its first. */
const WAIT = HOUR;

/** A mail that was made by itself, from its hand-off to its end. */
function arrives(play: Play, message: string, to: string): void {
  play.take(message, { to }).report(message, 'delivered').state(message, 'delivered', null, to);
}

/** One campaign, one journey, one form and one sale, as they should be; `change` spoils what is told of them. */
function told(change: (of: Export, play: Play) => void, before: (play: Play) => void = () => undefined): Line[] {
  const play = new Play();
  const of: Export = { campaigns: [], journeys: [], audiences: [], sales: [] };
  play.tell('operator', 'journey', {
    workspace: 1,
    journey: 5,
    audience: null,
    goal: true,
    steps: [
      { type: 'email', wait: 0 },
      { type: 'wait', wait: WAIT },
      { type: 'email', wait: 0 },
    ],
  });
  play.act('caller-1', 'join', { workspace: 1, audience: 4, to: MAIL, double: false }, { status: 201 });
  play.act('caller-1', 'campaign', { ...CAMPAIGN, audience: 4 }, { state: 'live' });
  arrives(play, 'c', MAIL);
  play.act('caller-1', 'progress', CAMPAIGN, { state: 'completed', counts: COUNTS });
  play.act('caller-1', 'enroll', { workspace: 1, journey: 5, to: 'j@a.test' }, { status: 201 });
  const first = play.t;
  arrives(play, 'j1', 'j@a.test');
  play.wait(WAIT);
  const second = play.t;
  arrives(play, 'j2', 'j@a.test');
  play.act('person', 'join', { workspace: 1, audience: 6, to: 'f@a.test', double: true }, { status: 200 });
  arrives(play, 'f', 'f@a.test');
  play.act('person', 'confirm', { workspace: 1, audience: 6, to: 'f@a.test' }, { status: 200 });
  play.wait(MINUTE).act('person', 'click', { message: 'c', link: 0 }, { status: 302 });
  play.wait(MINUTE);
  const sale = { workspace: 1, order: 'INV-1', amount: 5_000, message: 'c' };
  play.act('caller-1', 'sale', sale, { status: 201, duplicate: false });
  play.act('caller-1', 'sale', sale, { status: 200, duplicate: true });
  before(play);
  const step = (n: number, type: string, at: number, message: string | null = null) => ({ step: n, type, at, message });
  of.campaigns.push({
    campaign: 3,
    state: 'completed',
    counts: COUNTS,
    recipients: [{ to: MAIL, state: 'delivered', reason: null, message: 'c' }],
  });
  of.journeys.push({
    journey: 5,
    contacts: [
      {
        to: 'j@a.test',
        state: 'completed',
        reason: null,
        steps: [step(1, 'email', first, 'j1'), step(2, 'wait', second), step(3, 'email', second, 'j2')],
      },
    ],
  });
  of.audiences.push({ audience: 4, members: [{ to: MAIL, confirmed: true }] });
  of.audiences.push({ audience: 6, members: [{ to: 'f@a.test', confirmed: true }] });
  of.sales.push({ order: 'INV-1', amount: 5_000, message: 'c' });
  change(of, play);
  play.wait(DAY).final();
  play.act('operator', 'export', { workspace: 1 }, { ...of });
  return play.lines;
}

/** The rules that it breaks, each once, in order of their names. */
async function broken(lines: Line[]): Promise<string[]> {
  return [...new Set((await judge(lines)).findings.map(({ rule }) => rule))].sort();
}

describe('what is told of campaigns, journeys, audiences and sales', () => {
  test('is right', async () => {
    expect((await judge(told(() => undefined))).findings).toEqual([]);
  });

  const wrong: [string, string, (of: Export, play: Play) => void][] = [
    ['a member that is no recipient', 'campaign', (of) => void of.campaigns[0]!.recipients.pop()],
    [
      'a recipient that stands twice',
      'campaign',
      ({ campaigns: [one] }) => void one!.recipients.push(one!.recipients[0]!),
    ],
    [
      'counts that are not those of the recipients',
      'equation',
      ({ campaigns: [one] }) => void (one!.counts = { ...COUNTS, delivered: 0, failed: 1 }),
    ],
    ['a campaign that does not end', 'unfinished', ({ campaigns: [one] }) => void (one!.state = 'live')],
    [
      'a mail of a campaign that is of no row',
      'unsent',
      ({ campaigns: [one] }) => void (one!.recipients[0]!.message = null),
    ],
    ['a contact that is not in its journey', 'journey', (of) => void of.journeys[0]!.contacts.pop()],
    ['a contact that is in it twice', 'journey', ({ journeys: [one] }) => void one!.contacts.push(one!.contacts[0]!)],
    ['a step that is left out', 'path', ({ journeys: [one] }) => void one!.contacts[0]!.steps.splice(1, 1)],
    ['a wait that was not kept', 'path', ({ journeys: [one] }) => void (one!.contacts[0]!.steps[1]!.at -= 30 * MINUTE)],
    ['a journey that was left for nothing', 'path', ({ journeys: [one] }) => void (one!.contacts[0]!.state = 'left')],
    ['a member that is missing', 'member', (of) => void of.audiences[0]!.members.pop()],
    ['a confirmation that does not count', 'member', (of) => void (of.audiences[1]!.members[0]!.confirmed = false)],
    [
      'a member that nobody asked for',
      'member',
      (of) => void of.audiences[1]!.members.push({ to: 'x@a.test', confirmed: true }),
    ],
    ['a sale that is missing', 'sale', (of) => void of.sales.pop()],
    ['a sale that is linked to another mail', 'sale', (of) => void (of.sales[0]!.message = 'j1')],
    ['a sale of another amount', 'sale', (of) => void (of.sales[0]!.amount = 1)],
    ['a sale that stands twice', 'sale', (of) => void of.sales.push(of.sales[0]!)],
  ];
  test.each(wrong)('%s', async (_name, rule, change) => {
    expect(await broken(told(change))).toContain(rule);
  });

  test('counts that do not close at a moment', async () => {
    const look = (play: Play): void =>
      play.act('caller-1', 'progress', CAMPAIGN, { state: 'live', counts: { ...COUNTS, recipients: 2 } });
    expect(await broken(told(() => undefined, look))).toEqual(['equation']);
  });

  test('a member of double opt-in that counts without a confirmation', async () => {
    const lines = told(() => undefined).filter(({ f }) => f !== 'confirm');
    expect(await broken(lines)).toEqual(['member']);
  });

  test('an order that is taken as new twice', async () => {
    const again = (play: Play): void => {
      const sale = { workspace: 1, order: 'INV-1', amount: 5_000, message: 'c' };
      play.act('caller-1', 'sale', sale, { status: 201, duplicate: false });
    };
    expect(await broken(told(() => undefined, again))).toEqual(['sale']);
  });

  test('a mail of a campaign that comes long after its pause', async () => {
    const late = (play: Play): void => {
      play.act('caller-1', 'join', { workspace: 1, audience: 4, to: 'n@a.test', double: false }, { status: 201 });
      play.act('caller-1', 'move', { ...CAMPAIGN, move: 'pause' }, { state: 'paused' });
      play.wait(5 * MINUTE);
      arrives(play, 'n', 'n@a.test');
    };
    const row = { to: 'n@a.test', state: 'delivered', reason: null, message: 'n' };
    const lines = told((of) => {
      of.campaigns[0]!.recipients.push(row);
      of.campaigns[0]!.counts = { ...COUNTS, recipients: 2, delivered: 2 };
      of.audiences[0]!.members.push({ to: 'n@a.test', confirmed: true });
    }, late);
    expect(await broken(lines)).toEqual(['paused']);
  });

  test('a send without an answer explains no mail of a campaign that was cancelled', async () => {
    const [to, reason] = ['n@a.test', 'Campaign dibatalkan.'];
    const cancelled = (play: Play): void => {
      play.act('caller-1', 'join', { workspace: 1, audience: 4, to, double: false }, { status: 201 });
      play.act('caller-1', 'move', { ...CAMPAIGN, move: 'cancel' }, { state: 'completed' });
      play.unknownSend(to).state('n', 'failed', reason, to);
    };
    const lines = told((of) => {
      of.campaigns[0]!.recipients.push({ to, state: 'failed', reason, message: 'n' });
      of.campaigns[0]!.counts = { ...COUNTS, recipients: 2, failed: 1 };
      of.audiences[0]!.members.push({ to, confirmed: true });
    }, cancelled);
    expect(await broken(lines)).toEqual([]);
  });

  test.each([
    ['right when the clock was set back so far meanwhile', 30 * MINUTE, HOUR / 2, []],
    ['wrong when it was set back less', 20 * MINUTE, HOUR / 2, ['path']],
    ['wrong when it was set back before the wait', 30 * MINUTE, -1, ['path']],
    ['wrong when it was set back later', 30 * MINUTE, 3 * HOUR, ['path']],
  ] as const)('a wait that ends half an hour early: %s', async (_name, behind, after, rules) => {
    const lines = told(({ journeys: [one] }, play) => {
      const { steps } = one!.contacts[0]!;
      for (const step of steps.slice(1)) step.at -= 30 * MINUTE;
      const value = { kind: 'clock', behind };
      play.lines.push({ t: steps[0]!.at + after, process: 'nemesis', type: 'invoke', f: 'fault', n: 99, value });
    });
    lines.sort((a, b) => a.t - b.t);
    expect(await broken(lines)).toEqual(rules);
  });

  test('a step after the contact complained', async () => {
    const lines = told(
      ({ journeys: [one] }, play) => void (one!.contacts[0]!.steps[2]!.at = play.t + HOUR),
      (play) => void play.report('j1', 'complaint').penalty('j1'),
    );
    expect(await broken(lines)).toEqual(['path']);
  });
});
