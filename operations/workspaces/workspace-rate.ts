import { ValueError } from '../../lib/reason';
import { isPremium } from '../../domain/ledger/coins';
import { sendRate } from '../../domain/queue/send-rate';
import type { Workspace } from '../../domain/settings/workspace';
import { defined } from '../../lib/defined';
import { setSendRate } from './change-workspace';
import {
  flag,
  operation,
  OperationError,
  option,
  type Read,
  requireChange,
  UsageError,
  whole,
  workspace,
  why,
  rule,
} from '../definition';

/** The highest rate that can be given. */
const MAX = 10_000_000;

/** The rate in force; `own_rate`: whether an operator gave any of it. */
export const rateOf = ({ rates }: Workspace, premium: boolean) => {
  const { perMinute, perDay } = sendRate(premium, rates);
  const own = rates.at(-1);
  const isOwn = own !== undefined && (own.perMinute !== null || own.perDay !== null);
  return { send_per_minute: perMinute, send_per_day: perDay, own_rate: isOwn };
};

/** As `workspace show` says it. */
export const rateText = (of: ReturnType<typeof rateOf> & { premium: boolean }): string => {
  const { send_per_minute: perMinute, send_per_day: perDay, own_rate: isOwn, premium } = of;
  const account = premium ? 'premium' : 'free';
  return `${perMinute}/minute${perDay === null ? '' : `, ${perDay}/day`} (${isOwn ? `its own; ${account}` : account})`;
};

/** A daily cap, or none. */
const cap: Read<number | 'none'> = (raw) => {
  if (raw.trim() === 'none') return 'none';
  try {
    return whole(1, MAX)(raw);
  } catch {
    throw new ValueError(rule('whole_or', { min: 1, max: MAX, word: 'none' }));
  }
};

/** `kurir workspace rate`. */
export const rate = operation('workspace.rate', 'operator', {
  summary: 'set the send rate of a workspace, or reset it to the plan default',
  arguments: { workspace },
  options: {
    perMinute: option('<n>', `emails per minute, 1 to ${MAX}`, whole(1, MAX)),
    perDay: option('<n>', `emails per day (WIB), 1 to ${MAX}, or none for no limit`, cap),
    default: flag('reset to the rate of its plan, free or premium'),
  },
  examples: [
    ['workspace rate melati --per-minute 20000', 'a million emails in fifty minutes'],
    ['workspace rate melati --per-minute 100 --per-day 5000', 'with a daily limit'],
    ['workspace rate melati --default', 'back to the plan default'],
  ],
  notes: 'Options you leave out do not change. Takes effect within seconds.',
  check: ({ perMinute, perDay, default: isDefault }) => {
    const own = { perMinute, perDay };
    if (!isDefault) return requireChange(own, 'Use --per-minute, --per-day or --default.');
    if (Object.keys(defined(own)).length === 0) return;
    throw new UsageError(why('rate_or_default', { label: '--default' }), 'Leave one of them out.');
  },
  handler: async ({ workspace: { id, name }, perMinute, perDay, ...given }, session) => {
    const change = given.default ? { perMinute: null, perDay: null } : defined({ perMinute, perDay });
    const what = Object.entries(change).map(([field, value]) => `${field}=${value ?? 'default'}`);
    await session.note('workspace rate', `${name}: ${what.join(', ')}`, id);
    const now = session.clock.now();
    const changed = await setSendRate(session.stores, id, change, now);
    if (!changed) throw new OperationError(why('workspace_gone', { id }), '', '<workspace>');
    const premium = isPremium(await session.stores.coins.account(id), now);
    return { id, name, premium, ...rateOf(changed, premium) };
  },
  details: { id: 'id', name: 'name', 'send rate': (of) => rateText(of) },
});
