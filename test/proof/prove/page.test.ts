import { describe, expect, it } from '@jest/globals';
import { isEnough } from '../../../proof/prove/enough';
import { readOptions } from '../../../proof/prove/options';
import { unplayed, type Outcome } from '../../../proof/prove/play';
import { EXIT_CODES, page } from '../../../proof/prove/page';
import { Totals } from '../../../proof/prove/totals';
import { PARTS, type Part } from '../../../proof/world/profile';
import { CLASSES } from '../../../proof/judge/counts';

const DAY = 86_400_000;
/** More than any gate asks of one of so many worlds. */
const EACH = 100;

/** A world in which everything happened. */
const rich = (seed: number, parts: readonly Part[] = PARTS): Outcome => ({
  ...unplayed(seed, null),
  parts,
  operations: 200,
  simulated: 3 * DAY,
  counts: Object.fromEntries(
    [...CLASSES, ...['kill', 'power', 'freeze', 'clock', 'reset', 'error', 'disk'].map((kind) => `faults.${kind}`)].map(
      (name) => [name, EACH],
    ),
  ),
  faults: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`kill before call ${n}`, 1])),
});

const totalsOf = (...outcomes: Outcome[]): Totals => {
  const totals = new Totals();
  for (const outcome of outcomes) totals.add(outcome);
  return totals;
};
const worlds = (count: number, parts?: readonly Part[]): Outcome[] =>
  Array.from({ length: count }, (_, n) => rich(n, parts));

function told(totals: Totals, ...args: string[]) {
  const options = readOptions(args, 1)!;
  const { text, json } = page(totals, { options, seconds: 1, smallest: null, real: null });
  return { text, json, code: EXIT_CODES[json.verdict], isEnough: isEnough(totals, options) };
}

describe('what a run says', () => {
  it('is that nothing was found, once enough has happened', () => {
    const { json, code, text, isEnough: enough } = told(totalsOf(...worlds(60)));
    expect(json.gates.filter(({ isOpen }) => !isOpen)).toEqual([]);
    expect([json.verdict, code, json.bound, enough]).toEqual(['nothing_found', 0, 3 / 6_000, true]);
    expect(text).toContain('Of all messages, fewer than 1 in 2000 is');
  });

  it.each([
    ['no world', []],
    ['one world, however much happened in it', [rich(1)]],
    ['few worlds', worlds(7)],
    ['one operation in each seed', worlds(7), '--operations', '1'],
    ['many worlds in which nothing happened', Array.from({ length: 200 }, (_, n) => unplayed(n, null))],
    ['worlds without deaths', worlds(60).map((one) => ({ ...one, faults: {} })), '--without', 'kill'],
    ['hardly any days', worlds(60).map((one) => ({ ...one, simulated: 1_000 }))],
    ['few messages', worlds(60).map((one) => ({ ...one, counts: { ...one.counts, messages: 1 } }))],
    ['few operations', worlds(60).map((one) => ({ ...one, operations: 1 }))],
    [
      'a part in no world',
      worlds(
        60,
        PARTS.filter((part) => part !== 'freeze'),
      ),
    ],
  ] as [string, Outcome[], ...string[]][])('is nothing with %s', (_with, outcomes, ...args) => {
    const { json, code, text, isEnough: enough } = told(totalsOf(...outcomes), ...args);
    expect([json.verdict, code, json.bound, enough]).toEqual(['nothing_proven', 3, null, false]);
    expect(text).toContain('Nothing proven');
    expect(text).not.toContain('No message was lost');
    expect(text).not.toContain('at 95 %');
  });

  it('does not ask for what was left out, and names it', () => {
    const parts = PARTS.filter((part) => part !== 'sales');
    const outcomes = worlds(60, parts).map((one) => ({
      ...one,
      counts: { ...one.counts, sales: 0, linkedSales: 0, repeatedSales: 0 },
    }));
    const { json, code, text } = told(totalsOf(...outcomes), '--without', 'sales');
    expect([json.verdict, code, json.without]).toEqual(['nothing_found', 0, ['sales']]);
    expect(text).toContain('This says nothing of what was left out: sales.');
    expect(json.command).toContain('--without sales');
    expect(told(totalsOf(...outcomes)).code).toBe(3);
  });

  it('is a fault however little happened', () => {
    const finding = { rule: 'lost', subject: 'message m', text: 'It is lost.', story: '' };
    const found = told(totalsOf({ ...rich(1), findings: [finding] }), '--seeds', '1');
    expect([found.json.verdict, found.code]).toEqual(['fault_found', 1]);
    const broken = told(totalsOf(...worlds(60), unplayed(61, 'The program spins.')));
    expect([broken.json.verdict, broken.code, broken.json.bound]).toEqual(['fault_found', 1, null]);
    expect(broken.text).toContain('seed 61 could not be played: The program spins.');
  });

  it('is, of one seed that is played again, that one seed proves nothing', () => {
    const { json, code, text } = told(totalsOf(rich(7)), '--seed', '7', '--seeds', '1');
    expect([json.verdict, code]).toEqual(['nothing_proven', 3]);
    expect(text).toContain('Replayed: nothing found in this one seed. One seed proves nothing.');
  });
});
