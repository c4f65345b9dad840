import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { isPremium } from '../domain/ledger/coins';
import { wibDayEnd } from '../domain/wib';
import type { Workspace } from '../domain/settings/workspace';
import type { PostOutcome } from '../stores/ports/coin-ledger';
import type { Commands, Session, VerbSpec } from './support/command';
import { UsageError } from './support/errors';
import { duration, reference, text, whole } from './support/input';
import { findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { repeatable } from './support/repeatable';
import { fields, table } from './support/table';
import { jsonTime, showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;
const COINS = ['<coins>', 'whole number from 1 to 1000000000'] as const;
const REFERENCE = [
  '--reference <text>',
  'number of an order or invoice; the same reference is booked only once',
] as const;
const coins = whole(1, 1_000_000_000);

/** An end date as a function of now: a duration from now, or a day (through its last moment in WIB). */
const expiry = (raw: string): ((now: number) => number) => {
  const end = wibDayEnd(raw.trim());
  if (end !== null) return () => end;
  try {
    const length = duration(raw);
    return (now) => now + length;
  } catch {
    throw new RangeError('must be a duration such as 90d, or a last day such as 2027-01-31 (WIB)');
  }
};

const topUp: VerbSpec = {
  name: 'top-up',
  summary: 'book purchased coins; the account is premium while it holds them',
  args: [WORKSPACE, COINS],
  options: [['--expires <when>', 'premium ends: a duration (90d) or a day (2027-01-31); default: never'], REFERENCE],
  examples: [
    ['coins top-up "Toko Melati" 10000', 'premium that does not expire'],
    ['coins top-up 3 5000 --expires 90d --reference INV-2026-118', 'booked once, however often it runs'],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const amount = input.arg('coins', coins);
    const until = input.option('expires', expiry);
    const key = input.option('reference', text(100)) ?? randomBytes(12).toString('hex');
    return async (session) => {
      const now = session.clock.now();
      const expiresAt = until?.(now) ?? null;
      if (expiresAt !== null && expiresAt <= now) {
        throw new UsageError(
          '--expires must be in the future.',
          'Leave it out for coins that do not expire.',
          '--expires',
        );
      }
      const workspace = await findWorkspace(session.stores, ref);
      const accounts = await session.accounts();
      await session.note('coins top-up', `${amount} coins, reference ${key}`, workspace.id);
      const outcome = await repeatable(key, accounts.topUp(workspace.id, amount, key, expiresAt));
      return booked(session, workspace, { amount, key, outcome });
    };
  },
};

const grant: VerbSpec = {
  name: 'grant',
  summary: 'give coins as a gift; a free account stays free',
  args: [WORKSPACE, COINS],
  options: [REFERENCE],
  examples: [['coins grant "Toko Melati" 300', 'coins without premium']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const amount = input.arg('coins', coins);
    const key = input.option('reference', text(100)) ?? randomBytes(12).toString('hex');
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const accounts = await session.accounts();
      await session.note('coins grant', `${amount} coins, reference ${key}`, workspace.id);
      const outcome = await repeatable(key, accounts.grant(workspace.id, amount, key));
      return booked(session, workspace, { amount, key, outcome });
    };
  },
};

async function booked(
  session: Session,
  workspace: Workspace,
  { amount, key, outcome }: { amount: number; key: string; outcome: PostOutcome },
): Promise<Answer> {
  const answer = await showBalance(session, workspace);
  const done = outcome === 'posted';
  const line = done ? `booked ${amount} coins` : `reference ${key} was booked before; nothing changed`;
  return { text: `${line}\n${answer.text}`, json: { booked: done, coins: amount, reference: key, ...answer.json } };
}

async function showBalance({ stores, clock, paint }: Session, workspace: Workspace): Promise<Answer> {
  const account = await stores.coins.account(workspace.id);
  const premium = isPremium(account, clock.now());
  const end = account.purchase?.expiresAt ?? null;
  return {
    text: fields(paint, [
      ['workspace', `${workspace.id} ${workspace.name}`],
      ['balance', account.balance],
      ['account', premium ? 'premium' : 'free'],
      ['purchased coins', account.purchase ? (end === null ? 'without an end' : `until ${showTime(end)}`) : 'never'],
    ]),
    json: {
      workspace: { id: workspace.id, name: workspace.name },
      balance: account.balance,
      premium,
      purchase: account.purchase ? { expires_at: jsonTime(end) } : null,
    },
  };
}

const balance: VerbSpec = {
  name: 'balance',
  summary: 'the balance of a workspace, and whether it is premium',
  args: [WORKSPACE],
  examples: [['coins balance Demo', 'balance and account']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    return async (session) => showBalance(session, await findWorkspace(session.stores, ref));
  },
};

const ledger: VerbSpec = {
  name: 'ledger',
  summary: 'the coin rows of a workspace, newest first',
  args: [WORKSPACE],
  options: [
    ['--limit <n>', 'rows at most, 1 to 1000; default: 50'],
    ['--before <row>', 'only rows before this one: the next page'],
  ],
  examples: [
    ['coins ledger Demo', 'the last 50 rows'],
    ['coins ledger Demo --before 1200 --limit 500', 'the page before row 1200'],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const limit = input.option('limit', whole(1, 1_000)) ?? 50;
    const before = input.option('before', whole(1, Number.MAX_SAFE_INTEGER));
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const rows = await session.stores.coins.newest(workspace.id, limit, before);
      return {
        text: table(
          session.paint,
          [{ title: 'row' }, { title: 'time' }, { title: 'kind' }, { title: 'coins' }, { title: 'id', max: 90 }],
          rows.map((row) => [row.seq, showTime(row.at), row.kind, row.amount, row.id]),
          `No coin rows in ${workspace.name}${before === undefined ? ' yet' : ' before that row'}.`,
        ),
        json: {
          data: rows.map((row) => ({
            row: row.seq,
            id: row.id,
            kind: row.kind,
            coins: row.amount,
            message_id: row.messageId,
            at: jsonTime(row.at),
          })),
          next_before: rows.length === limit ? (rows.at(-1)?.seq ?? null) : null,
        },
      };
    };
  },
};

/** The `kurir coins` commands. */
export const coinsCommand = (commands: Commands): Command =>
  commands.group('coins', 'coins: top-ups, gifts, balances, the ledger', [topUp, grant, balance, ledger]);
