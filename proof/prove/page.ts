import { VERSION } from '../../app/core/version';
import { DAY } from '../../lib/clock';
import { gatesOf } from '../judge/gates';
import type { Options } from './options';
import { realLines, type RealHalf } from './real/prove-real';
import { commandOf, type Smallest } from './shrink';
import type { Totals } from './totals';

/**
 * Twice what a run of 4,000 operations covers at least, by class of the judge; smaller runs cover a part of it, and
 * one so small that the part is none is held to nothing.
 */
const LEAST: Readonly<Record<string, number>> = {
  ...{ sends: 1_000, unknownSends: 20, repeats: 40, takes: 800, unansweredTakes: 20, refusals: 100 },
  ...{ threeDayRetries: 4, doubledReports: 100, delivered: 300, bounced: 100, failed: 50, penalties: 40 },
  ...{ refunds: 50, topUps: 30, blocks: 10, webhooks: 100, failedWebhooks: 50, opens: 30, clicks: 50 },
  ...{ relayed: 60, relayRepeats: 4, relayRefusals: 10, members: 100, campaigns: 40, campaignMails: 100 },
  ...{ skippedRecipients: 4, pauses: 6, resumptions: 6, cancellations: 4, enrollments: 40, journeyMails: 60 },
  ...{ journeyWaits: 40, completed: 30, leftJourneys: 10, goals: 2, forms: 30, confirmations: 10 },
  ...{ sales: 30, linkedSales: 10, repeatedSales: 6 },
  ...{ blockedMessages: 20, forcedSends: 40, withoutRecord: 60, withoutCoins: 30, lateDebits: 20 },
  ...{ 'faults.kill': 50, 'faults.power': 20, 'faults.freeze': 10, 'faults.clock': 10, points: 60 },
  ...{ 'faults.reset': 60, 'faults.error': 300, 'faults.disk': 60 },
};
const LEAST_OF = 4_000;

export interface PageContext {
  options: Options;
  seconds: number;
  smallest: Smallest | null;
  real: RealHalf | null;
}

/** What is shown in the end, for people and for programs. */
export function page(totals: Totals, context: PageContext): { text: string; json: Result; isGood: boolean } {
  const json = resultOf(totals, context);
  const isFull = json.gates.every(({ isOpen }) => isOpen) && json.seeds > 0;
  const isRight = json.found.length === 0 && json.broken.length === 0 && (json.real?.isGood ?? true);
  const isGood = isFull && isRight;
  return { text: textOf(json, totals, context.smallest), json, isGood };
}

function resultOf(totals: Totals, { options, seconds, smallest, real }: PageContext) {
  const share = Math.min(1, (totals.seeds * options.trim.operations) / LEAST_OF);
  const least = Object.fromEntries(Object.entries(LEAST).map(([name, n]) => [name, Math.floor((n * share) / 2)]));
  const counts = { ...totals.counts, points: totals.points };
  const gates = options.seeds === 1 ? [] : gatesOf(counts, least);
  return {
    version: VERSION,
    engine: `${options.engine ?? 'embedded and cluster'}, simulated`,
    seed: options.seed,
    seeds: totals.seeds,
    seconds: Math.round(seconds),
    simulated_days: Math.round(totals.simulated / DAY),
    operations: totals.operations,
    events: totals.events,
    kills: totals.kills,
    faults: totals.faults,
    covered: totals.counts,
    gates,
    found: totals.found.map(({ story: _story, ...rest }) => rest),
    broken: totals.broken,
    real,
    smallest: smallest && { command: commandOf(smallest.outcome.seed, smallest.trim, options) },
    bound: totals.found.length === 0 ? 3 / Math.max(totals.counts['messages'] ?? 0, 1) : null,
    command: commandFor(options, totals.seeds),
  };
}

type Result = ReturnType<typeof resultOf>;

const commandFor = ({ seed, trim, engine }: Options, seeds: number): string =>
  `npx kurir prove --seed ${seed} --seeds ${seeds} --operations ${trim.operations}${engine === null ? '' : ` --engine ${engine}`} --seconds 86400`;

function textOf(of: Result, totals: Totals, smallest: Smallest | null): string {
  const rows: [string, string | number][] = [
    ['version', of.version],
    ['engine', of.engine],
    ['seeds', `${of.seeds}, from ${of.seed}`],
    ['seconds', of.seconds],
    ['simulated days', of.simulated_days],
    ['operations', of.operations],
    ['messages', of.covered['messages'] ?? 0],
    ['kills', of.kills],
    ['faults found', of.found.length],
  ];
  const lines = rows.map(([name, value]) => `${name.padEnd(18)} ${value}`);
  lines.push('', 'covered            seen   at least');
  for (const { name, seen, least, isOpen } of of.gates)
    lines.push(
      `${name.padEnd(16)} ${String(seen).padStart(7)} ${String(least).padStart(10)}${isOpen ? '' : '   too few'}`,
    );
  for (const { seed, error } of totals.broken.slice(0, 3)) lines.push('', `seed ${seed} could not be played: ${error}`);
  lines.push(...realLines(of.real), '', ...storyOf(totals, smallest && { ...smallest, ...of.smallest! }));
  if (of.bound !== null)
    lines.push(
      `No message was lost, doubled or mischarged: of all messages, fewer than 1 in ${Math.floor(1 / of.bound)} is, at 95 %.`,
    );
  lines.push(`To repeat: ${of.command}`);
  return `${lines.join('\n')}\n`;
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
