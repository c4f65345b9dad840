import { PENALTY_COINS } from '../../domain/ledger/coins';
import type { Message } from '../../domain/messages/message';
import type { Stores } from '../../stores/ports';
import { FINAL, type Offer } from './caller';
import type { Installation } from './installation';
import type { Sender } from './seed';
import { SINK_BEHAVIOURS, kindOf } from './sink/behaviour';
import { readJournal, type Entry } from './sink/journal';

/** The faults found, one line each, with some figures. */
export interface Verdict {
  lost: string[];
  doubled: string[];
  coinsWrong: string[];
  /** Number of mails the sink took. */
  taken: number;
  /** Messages that failed because it was unknown whether the sink took them, and that it did not take. */
  neverSent: number;
}

export interface Evidence {
  installation: Installation;
  journal: string;
  senders: readonly Sender[];
  offers: readonly Offer[];
}

const PAGE = 1_000;

/** Compares the data of the stopped service with what callers requested and what the sink received. */
export async function judge({ installation, journal, senders, offers }: Evidence): Promise<Verdict> {
  const engine = await installation.open();
  try {
    const messages = new Map<string, Message>();
    for (const { workspaceId } of senders) {
      for await (const message of allMessages(engine.stores, workspaceId)) messages.set(message.id, message);
    }
    const entries = readJournal(journal);
    const taken = new Map<string, number>();
    for (const entry of entries) if (entry.what === 'mail') taken.set(entry.to, (taken.get(entry.to) ?? 0) + 1);
    return {
      lost: [...offers.flatMap((offer) => lost(offer, messages, taken)), ...sinkFindings(entries)],
      doubled: [
        ...doubled(offers, messages),
        ...[...taken].flatMap(([to, n]) => (n > 1 ? [`${to} got ${n} mails`] : [])),
      ],
      coinsWrong: await wrongCoins(engine.stores, senders, messages),
      taken: taken.size,
      neverSent: offers.filter((offer) => isNeverSent(offer, messages, taken)).length,
    };
  } finally {
    await engine.close();
  }
}

/** All messages of a workspace. */
export async function* allMessages(stores: Stores, workspaceId: number): AsyncGenerator<Message> {
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await stores.messages.list(workspaceId, { offset, limit: PAGE });
    yield* items;
    if (items.length < PAGE) return;
  }
}

/** An accepted message that is missing, not final, or has another final status than the sink's behaviour implies. */
function lost({ id, to }: Offer, messages: Map<string, Message>, taken: Map<string, number>): string[] {
  const message = id === null ? undefined : messages.get(id);
  if (!message) return [`${to}: accepted as ${id}, but missing`];
  const ends = taken.has(to) ? SINK_BEHAVIOURS[kindOf(to)].ends : 'failed';
  if (message.status === ends) return [];
  const state = FINAL.has(message.status) ? `ended as ${message.status}` : `is still ${message.status}`;
  return [`${to}: ${message.id} ${state}, and should have ended as ${ends}`];
}

/** Mails that the sink finds faulty, and reports that the listener refused. */
function sinkFindings(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => {
    if (entry.what === 'mail') return entry.fault === null ? [] : [`${entry.to}: ${entry.fault}`];
    return entry.reply.startsWith('2') ? [] : [`a report ${entry.kind} of ${entry.messageId} got ${entry.reply}`];
  });
}

/** Messages in the store that no caller requested. */
function doubled(offers: readonly Offer[], messages: Map<string, Message>): string[] {
  const requested = new Set(offers.map(({ id }) => id));
  return [...messages.values()].flatMap(({ id, toText }) =>
    requested.has(id) ? [] : [`${toText}: no caller requested ${id}`],
  );
}

function isNeverSent({ id, kind, to }: Offer, messages: Map<string, Message>, taken: Map<string, number>): boolean {
  const refusedAlways = kind === 'reject' || kind === 'defer';
  return !refusedAlways && !taken.has(to) && messages.get(id ?? '')?.status === 'failed';
}

/**
 * Checks every message and balance: one coin for delivered or bounced, none for failed, four more for a hard bounce or
 * complaint.
 */
export async function wrongCoins(
  stores: Stores,
  senders: readonly Sender[],
  messages: Map<string, Message>,
): Promise<string[]> {
  const wrong: string[] = [];
  const left = new Map(senders.map(({ workspaceId, coins }) => [workspaceId, coins]));
  for (const { id, workspaceId, status, toText } of messages.values()) {
    const rows = await stores.coins.ofMessage(workspaceId, id);
    const found = rows.reduce((sum, { amount }) => sum + amount, 0);
    const penalty = status !== 'failed' && SINK_BEHAVIOURS[kindOf(toText ?? '')].penalty ? PENALTY_COINS : 0;
    const expected = (status === 'failed' ? 0 : -1) - penalty;
    if (found !== expected) wrong.push(`${toText}: ${id} moved ${found} coins, not ${expected}`);
    left.set(workspaceId, (left.get(workspaceId) ?? 0) + expected);
  }
  for (const [workspaceId, expected] of left) {
    const { balance } = await stores.coins.account(workspaceId);
    if (balance !== expected) wrong.push(`workspace ${workspaceId} has ${balance} coins, not ${expected}`);
  }
  return wrong;
}
