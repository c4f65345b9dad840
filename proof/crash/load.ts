import { sleep } from '../../lib/sleep';
import { FINAL, type ApiCaller, type Offer } from './caller';
import type { Sender } from './seed';
import { KINDS } from './sink/behaviour';

/** What to send, and how fast. */
export interface Load {
  seed: number;
  messages: number;
  /** Messages offered per second. */
  pace: number;
  progress: (text: string) => void;
  /** Ends the load: messages not yet started are not sent. */
  until?: AbortSignal;
}

/** Concurrent callers. */
const CALLERS = 16;

/** Creates the messages: every kind equally often, in an order that follows from the seed. */
export function makeOffers(
  { messages, seed }: Pick<Load, 'messages' | 'seed'>,
  senders: readonly Sender[],
  random: () => number,
): Offer[] {
  const offers = Array.from({ length: messages }, (_, n): Offer => {
    const kind = KINDS[n % KINDS.length] ?? 'delivered';
    const sender = senders[Math.floor(n / KINDS.length) % senders.length] as Sender;
    return { sender, kind, key: `crash-${seed}-${n}`, to: `${kind}+${n}@pelanggan.test`, id: null };
  });
  for (let i = offers.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [offers[i], offers[j]] = [offers[j] as Offer, offers[i] as Offer];
  }
  return offers;
}

/** Sends every message at the given pace, and retries each until it is accepted. */
export async function acceptAll(
  offers: readonly Offer[],
  caller: ApiCaller,
  { pace, progress, until }: Pick<Load, 'pace' | 'progress' | 'until'>,
): Promise<void> {
  const began = performance.now();
  const waiting = [...offers];
  let accepted = 0;
  const call = async (): Promise<void> => {
    for (let offer = waiting.shift(); offer; offer = waiting.shift()) {
      const due = ((offers.length - waiting.length) / pace) * 1_000 - (performance.now() - began);
      if (due > 0) await sleep(due);
      if (until?.aborted) return;
      while (!(await caller.submit(offer))) await sleep(50);
      if (++accepted % 100 === 0) progress(`${accepted} of ${offers.length} accepted`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}

/** Returns the messages that are not known to be final. */
export async function stillOpen(offers: readonly Offer[], caller: ApiCaller): Promise<Offer[]> {
  const open: Offer[] = [];
  for (const sender of new Set(offers.map((offer) => offer.sender))) {
    const own = offers.filter((offer) => offer.sender === sender);
    for (let from = 0; from < own.length; from += 100) {
      const page = own.slice(from, from + 100);
      const statuses = await caller.statuses(
        sender.apiKey,
        page.map(({ id }) => id ?? ''),
      );
      open.push(...page.filter(({ id }) => !FINAL.has(statuses?.get(id ?? '') ?? '')));
    }
  }
  return open;
}
