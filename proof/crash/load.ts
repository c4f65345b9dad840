import { sleep } from '../../lib/sleep';
import type { Sender } from './seed';
import { KINDS, type Kind } from './sink/behaviour';
import type { Scene } from './stage/play';

/** What to send, and how fast. */
export interface Load {
  messages: number;
  /** Messages handed in per second. */
  pace: number;
  /** Ends the load: messages not yet started are not sent. */
  until?: AbortSignal;
}

/** Concurrent callers. */
const CALLERS = 16;
const HTML = '<p>Halo {{nama|Kak}}, <a href="https://toko.example/pesanan">pesanan Anda</a>.</p>';

/** Does it for every item, some at the same time. */
export async function forEach<T>(
  items: Iterable<T>,
  work: (item: T, caller: string) => Promise<unknown>,
  callers = CALLERS,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async (_: unknown, n: number): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value, `caller-${n}`);
  };
  await Promise.all(Array.from({ length: callers }, worker));
}

/** Hands a mail in until it is answered, under a key of its own. Its id. */
export async function send(
  { outside }: Pick<Scene, 'outside'>,
  { workspaceId, apiKey, domainId }: Sender,
  { to, caller, html = HTML, key = `crash-${to}` }: { to: string; caller: string; html?: string; key?: string },
): Promise<string> {
  const answer = await outside.insist('send', {
    name: caller,
    value: { workspace: workspaceId, key, to },
    path: '/v1/messages',
    isStubborn: true,
    asked: {
      key: apiKey,
      headers: { 'idempotency-key': key },
      body: { to, subject: 'Halo', html, sending_domain_id: domainId },
    },
    said: ({ status, body }) => ({ status, message: String(body.message_id), state: String(body.status) }),
  });
  if (!answer) throw new Error(`The mail to ${to} was refused.`);
  return answer.message;
}

/** Hands every message in at the given pace: every kind equally often, in an order that follows from the seed. */
export async function sendAll(scene: Scene, { messages, pace, until }: Load): Promise<void> {
  const { senders, random, progress } = scene;
  const mails = Array.from({ length: messages }, (_, n) => ({
    sender: senders[Math.floor(n / KINDS.length) % senders.length]!,
    to: `${KINDS[n % KINDS.length] as Kind}+${n}@pelanggan.test`,
  }));
  for (let i = mails.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [mails[i], mails[j]] = [mails[j]!, mails[i]!];
  }
  const began = performance.now();
  let handed = 0;
  await forEach(mails, async ({ sender, to }, caller) => {
    const n = (handed += 1);
    const due = (n / pace) * 1_000 - (performance.now() - began);
    if (due > 0 && !until?.aborted) await sleep(due);
    if (until?.aborted) return;
    await send(scene, sender, { to, caller });
    if (n % 100 === 0) progress(`${n} of ${messages} handed in`);
  });
}
