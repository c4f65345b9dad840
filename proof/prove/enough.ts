import { DAY } from '../../lib/clock';
import { gatesOf, type Gate } from '../judge/gates';
import { PARTS, type Part } from '../world/profile';
import type { Options } from './options';
import type { Totals } from './totals';

/** What a run must have, however it was asked for: less says nothing of the promise. */
const FLOOR = { worlds: 40, operations: 4_000, messages: 400, kills: 40, days: 40 };
/** Worlds that must have had each part that is not left out. */
const WORLDS = 3;

/** Twice what a run of 4,000 operations of callers covers at least, by class of the judge. */
const LEAST: Readonly<Record<string, number>> = {
  sends: 1_000,
  unknownSends: 20,
  repeats: 40,
  takes: 800,
  unansweredTakes: 20,
  refusals: 100,
  threeDayRetries: 4,
  doubledReports: 100,
  delivered: 300,
  bounced: 100,
  failed: 50,
  penalties: 40,
  refunds: 50,
  topUps: 30,
  blocks: 10,
  webhooks: 100,
  failedWebhooks: 50,
  opens: 30,
  clicks: 50,
  relayed: 60,
  relayRepeats: 4,
  relayRefusals: 10,
  members: 100,
  campaigns: 40,
  campaignMails: 100,
  skippedRecipients: 4,
  pauses: 6,
  resumptions: 6,
  cancellations: 4,
  enrollments: 40,
  journeyMails: 60,
  journeyWaits: 40,
  completed: 30,
  leftJourneys: 10,
  goals: 2,
  forms: 30,
  confirmations: 10,
  sales: 30,
  linkedSales: 10,
  repeatedSales: 6,
  blockedMessages: 20,
  forcedSends: 40,
  withoutRecord: 60,
  withoutCoins: 30,
  lateDebits: 20,
  'faults.kill': 50,
  'faults.power': 20,
  'faults.freeze': 10,
  'faults.clock': 10,
  points: 60,
  'faults.reset': 60,
  'faults.error': 300,
  'faults.disk': 60,
};
const LEAST_OF = 4_000;
/** The share of it that the smallest run must have. */
const LEAST_SHARE = 0.2;

/** The classes that are not there without a part; nothing takes deaths out of the floor. */
const CLASSES: Readonly<Partial<Record<Part, readonly string[]>>> = {
  power: ['faults.power'],
  freeze: ['faults.freeze'],
  clock: ['faults.clock'],
  reset: ['faults.reset'],
  error: ['faults.error'],
  refusal: ['faults.disk'],
  doubled: ['doubledReports'],
  hooks: ['webhooks', 'failedWebhooks'],
  relay: ['relayed', 'relayRepeats', 'relayRefusals'],
  campaigns: ['campaigns', 'campaignMails', 'skippedRecipients', 'pauses', 'resumptions', 'cancellations', 'members'],
  journeys: ['enrollments', 'journeyMails', 'journeyWaits', 'completed', 'leftJourneys', 'goals'],
  forms: ['forms', 'confirmations'],
  sales: ['sales', 'linkedSales', 'repeatedSales'],
};

/**
 * What a run covered, against the least that says something. No option lowers the floor, except that a part that is
 * left out is not asked for; the page names it.
 */
export function gatesFor(totals: Totals, { trim }: Pick<Options, 'trim'>): Gate[] {
  const { seeds, operations, kills, simulated, worlds, counts, points } = totals;
  const { messages = 0 } = counts;
  const floor = gatesOf({ worlds: seeds, operations, messages, kills, days: Math.floor(simulated / DAY) }, FLOOR);
  const parts = PARTS.filter((part) => !trim.without.includes(part));
  const inWorlds = parts.map((part) => [`worlds: ${part}`, worlds[part] ?? 0] as const);
  const leastWorlds = Object.fromEntries(inWorlds.map(([name]) => [name, WORLDS]));
  const share = Math.min(1, Math.max(LEAST_SHARE, (seeds * trim.operations) / LEAST_OF));
  const left = new Set(trim.without.flatMap((part) => CLASSES[part] ?? []));
  const least = Object.entries(LEAST).filter(([name]) => !left.has(name));
  const covered = gatesOf(
    { ...counts, points },
    Object.fromEntries(least.map(([name, n]) => [name, Math.floor((n * share) / 2)])),
  );
  return [...floor, ...gatesOf(Object.fromEntries(inWorlds), leastWorlds), ...covered];
}

/** True once nothing more has to happen. */
export const isEnough = (totals: Totals, options: Pick<Options, 'trim'>): boolean =>
  gatesFor(totals, options).every(({ isOpen }) => isOpen);
