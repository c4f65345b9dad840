import { ValueError } from '../../lib/reason';
import { isPremium } from '../../domain/ledger/coins';
import { wibDayEnd } from '../../domain/wib';
import type { Workspace } from '../../domain/settings/workspace';
import type { PostOutcome } from '../../stores/ports/coin-ledger';
import { newReference, repeatable } from '../definition/repeatable';
import {
  anyId,
  argument,
  type Columns,
  duration,
  jsonTime,
  limit,
  operation,
  option,
  type Session,
  text,
  upTo,
  UsageError,
  type View,
  whole,
  workspace,
  why,
  rule,
} from '../definition';
import { counted } from '../../lib/counted';

const coins = argument('whole number from 1 to 1000000000', whole(1, 1_000_000_000));
const reference = option('<text>', 'order or invoice number; each reference is booked only once', text(100));

/** An end date as a function of now: a duration from now, or a day (through its last moment in WIB). */
const expiry = (raw: string): ((now: number) => number) => {
  const end = wibDayEnd(raw.trim());
  if (end !== null) return () => end;
  try {
    const length = duration(raw);
    return (now) => now + length;
  } catch {
    throw new ValueError(rule('last_day'));
  }
};

async function balanceOf({ stores, clock }: Session, { id, name }: Workspace) {
  const account = await stores.coins.account(id);
  const { balance, purchase } = account;
  return {
    workspace: { id, name },
    balance,
    premium: isPremium(account, clock.now()),
    purchase: purchase ? { expires_at: jsonTime(purchase.expiresAt) } : null,
  };
}

const BALANCE: Columns<Awaited<ReturnType<typeof balanceOf>>> = {
  workspace: (of) => `${of.workspace.id} ${of.workspace.name}`,
  balance: 'balance',
  account: ({ premium }) => (premium ? 'premium' : 'free'),
  'purchased coins': ({ purchase }, view) => {
    if (!purchase) return 'never';
    return purchase.expires_at === null ? 'no expiry' : `until ${view.time(purchase.expires_at)}`;
  },
};

async function booked(session: Session, of: Workspace, amount: number, key: string, booking: Promise<PostOutcome>) {
  const outcome = await repeatable(key, booking);
  return { booked: outcome === 'posted', coins: amount, reference: key, ...(await balanceOf(session, of)) };
}

function bookedText(of: Awaited<ReturnType<typeof booked>>, view: View): string {
  const line = of.booked
    ? `added ${counted(of.coins, 'coin')}`
    : `reference ${of.reference} was already booked; nothing changed`;
  return `${line}\n${view.details(of, BALANCE)}`;
}

const topUp = operation('coins.top-up', 'operator', {
  irreversible: true,
  summary: 'add purchased coins; the workspace is premium while it holds them',
  arguments: { workspace, coins },
  options: {
    expires: option('<when>', 'premium ends: a duration (90d) or a day (2027-01-31); default: never', expiry),
    reference,
  },
  examples: [
    ['coins top-up "Toko Melati" 10000', 'premium without expiry'],
    ['coins top-up 3 5000 --expires 90d --reference INV-2026-118', 'booked once, even if you run it again'],
  ],
  handler: async ({ coins: amount, expires, reference: key = newReference(), ...input }, session) => {
    const now = session.clock.now();
    const expiresAt = expires?.(now) ?? null;
    if (expiresAt !== null && expiresAt <= now) {
      const fix = 'Leave it out for coins that do not expire.';
      throw new UsageError(why('value', { label: '--expires', rule: rule('future') }), fix);
    }
    const { id } = input.workspace;
    const accounts = await session.accounts();
    await session.note('coins top-up', `${amount} coins, reference ${key}`, id);
    return booked(session, input.workspace, amount, key, accounts.topUp(id, amount, key, expiresAt));
  },
  text: bookedText,
});

const grant = operation('coins.grant', 'operator', {
  irreversible: true,
  summary: 'add coins as a gift; a workspace on the free plan stays on it',
  arguments: { workspace, coins },
  options: { reference },
  examples: [['coins grant "Toko Melati" 300', 'coins without premium']],
  handler: async ({ coins: amount, reference: key = newReference(), ...input }, session) => {
    const { id } = input.workspace;
    const accounts = await session.accounts();
    await session.note('coins grant', `${amount} coins, reference ${key}`, id);
    return booked(session, input.workspace, amount, key, accounts.grant(id, amount, key));
  },
  text: bookedText,
});

const balance = operation('coins.balance', 'viewer', {
  summary: 'show the balance of a workspace, and whether it is premium',
  arguments: { workspace },
  examples: [['coins balance Demo', 'balance and plan']],
  handler: (input, session) => balanceOf(session, input.workspace),
  details: BALANCE,
});

const ledger = operation('coins.ledger', 'viewer', {
  summary: 'list the ledger entries of a workspace, newest first',
  arguments: { workspace },
  options: {
    limit: limit('entries'),
    before: option('<row>', 'only entries before this one, for the next page', anyId),
  },
  examples: [
    ['coins ledger Demo', 'the last 50 entries'],
    ['coins ledger Demo --before 1200 --limit 500', 'the page before entry 1200'],
  ],
  handler: async ({ limit, before, ...input }, { stores }) => {
    const rows = await stores.coins.newest(input.workspace.id, limit, before);
    return {
      data: rows.map((row) => ({
        row: row.seq,
        id: row.id,
        kind: row.kind,
        coins: row.amount,
        message_id: row.messageId,
        at: jsonTime(row.at),
      })),
      next_before: rows.length === limit ? (rows.at(-1)?.seq ?? null) : null,
    };
  },
  columns: { row: 'row', time: 'at', kind: 'kind', coins: 'coins', id: upTo(90, 'id') },
  none: ({ workspace: { name }, before }) =>
    `No ledger entries in ${name}${before === undefined ? ' yet' : ' before that one'}.`,
});

export const COINS = { topUp, grant, balance, ledger };
