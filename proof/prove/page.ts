import { VERSION } from '../../lib/version';
import { DAY } from '../../lib/clock';
import { gatesFor } from './enough';
import type { Options } from './options';
import { realLines, type RealHalf } from './real/prove-real';
import { commandOf, type Smallest } from './shrink';
import type { Totals } from './totals';

/** What a run says: nothing, unless something was found, or enough happened without. */
export type Verdict = 'nothing_found' | 'fault_found' | 'nothing_proven';

/** 2 is for wrong arguments. */
export const EXIT_CODES: Readonly<Record<Verdict, number>> = { nothing_found: 0, fault_found: 1, nothing_proven: 3 };

export interface PageContext {
  options: Options;
  seconds: number;
  smallest: Smallest | null;
  real: RealHalf | null;
}

/** What is shown in the end, for people and for programs. */
export function page(totals: Totals, context: PageContext): { text: string; json: Result } {
  const json = resultOf(totals, context);
  return { text: textOf(json, totals, context), json };
}

function resultOf(totals: Totals, { options, seconds, smallest, real }: PageContext) {
  const gates = gatesFor(totals, options);
  const isFull = [...gates, ...(real?.gates ?? [])].every(({ isOpen }) => isOpen);
  const faults = [totals.found, totals.broken, real?.found ?? [], real?.broken ?? []].flat().length;
  const verdict: Verdict = faults > 0 ? 'fault_found' : isFull ? 'nothing_found' : 'nothing_proven';
  return {
    verdict,
    version: VERSION,
    engine: `${options.engine ?? 'embedded and cluster'}, simulated`,
    seed: options.seed,
    seeds: totals.seeds,
    seconds: Math.round(seconds),
    simulated_days: Math.round(totals.simulated / DAY),
    operations: totals.operations,
    events: totals.events,
    kills: totals.kills,
    without: options.trim.without,
    worlds: totals.worlds,
    faults: totals.faults,
    covered: totals.counts,
    gates,
    found: totals.found.map(({ story: _story, ...rest }) => rest),
    broken: totals.broken,
    real,
    smallest: smallest && { command: commandOf({ seed: smallest.outcome.seed, seeds: 1 }, smallest.trim, options) },
    bound: verdict === 'nothing_found' ? 3 / (totals.counts['messages'] ?? 0) : null,
    command: `${commandOf({ seed: options.seed, seeds: totals.seeds }, options.trim, options)} --seconds 86400`,
  };
}

type Result = ReturnType<typeof resultOf>;

function textOf(of: Result, totals: Totals, { options, smallest }: PageContext): string {
  const rows: [string, string | number][] = [
    ['version', of.version],
    ['engine', of.engine],
    ['seeds', `${of.seeds}, from ${of.seed}`],
    ['seconds', of.seconds],
    ['simulated days', of.simulated_days],
    ['operations', of.operations],
    ['messages', of.covered['messages'] ?? 0],
    ['kills', of.kills],
    ['left out', of.without.join(', ') || 'nothing'],
    ['faults found', of.found.length],
  ];
  const lines = rows.map(([name, value]) => `${name.padEnd(18)} ${value}`);
  lines.push('', 'covered                seen   at least');
  for (const { name, seen, least, isOpen } of of.gates)
    lines.push(
      `${name.padEnd(20)} ${String(seen).padStart(7)} ${String(least).padStart(10)}${isOpen ? '' : '   too few'}`,
    );
  for (const { seed, error } of totals.broken.slice(0, 3)) lines.push('', `seed ${seed} could not be played: ${error}`);
  lines.push(...realLines(of.real), '', ...storyOf(totals, smallest && { ...smallest, ...of.smallest! }));
  lines.push(verdictOf(of, options), `To repeat: ${of.command}`);
  return `${lines.join('\n')}\n`;
}

function verdictOf({ verdict, bound, without, gates, real }: Result, { seeds }: Options): string {
  if (verdict === 'fault_found') return 'Fault found, or a world that could not be played: see above.';
  if (verdict === 'nothing_proven') {
    if (seeds === 1) return 'Replayed: nothing found in this one seed. One seed proves nothing.';
    const few = [...gates, ...(real?.gates ?? [])].flatMap(({ name, isOpen }) => (isOpen ? [] : [name]));
    return `Nothing proven: nothing was found, but too little happened (${few.join(', ')}). Give it more --seconds.`;
  }
  const left = without.length > 0 ? ` This says nothing of what was left out: ${without.join(', ')}.` : '';
  const rate = `fewer than 1 in ${Math.floor(1 / bound!)} is, at 95 %`;
  return `Nothing found: no message was lost, doubled or mischarged. Of all messages, ${rate}.${left}`;
}

function storyOf({ found }: Totals, smallest: (Smallest & { command: string }) | null): string[] {
  const byRule = new Map<string, number>();
  for (const { rule } of found) byRule.set(rule, (byRule.get(rule) ?? 0) + 1);
  const lines = [...byRule].map(
    ([rule, n]) => `${rule.padEnd(18)} ${n} times, first in seed ${found.find((one) => one.rule === rule)?.seed}`,
  );
  const first = smallest?.outcome.findings[0] ?? found[0];
  if (first) lines.push('', `${first.rule}: ${first.subject}: ${first.text}`, first.story);
  if (smallest) lines.push(`To play it again: ${smallest.command}`);
  return lines.length > 0 ? [...lines, ''] : [];
}
