import { Agent, request } from 'undici';
import { Keyring } from '../../../domain/keyring';
import { messageLinks } from '../../../domain/messages/message-tokens';
import { sleep } from '../../../lib/sleep';
import { SECRET } from '../seed';

/** Link `n` of a mail leads to this and n. */
export const PAGE_OF_LINK = 'https://toko.example/p/';
/** Tracked links of a mail. Each is clicked once, and the mail is opened once. */
const LINKS = 38;
/** Events of a mail: delivered, an open, and the clicks. */
export const EVENTS_OF_MAIL = LINKS + 2;
export const HTML = `<p>Halo</p>${Array.from({ length: LINKS }, (_, n) => `<a href="${PAGE_OF_LINK}${n}">${n}</a>`).join(' ')}`;

const CALLERS = 24;
const PATIENCE = 10_000;

/** A visit of a page of one message. */
export interface Hit {
  /** As `Receivers` name it. */
  event: string;
  path: string;
}

export interface HitResult {
  /** The events that were answered. */
  events: string[];
  /** Events with visits that got no answer, and how many those were. Each may have become an event as well. */
  unanswered: Map<string, number>;
}

/** What is needed of a webhook's body to name its event. */
export interface Payload {
  message_id: string;
  event: string;
  url?: string;
}

/** `<message id> delivered`, `<message id> open`, or `<message id> click <number of the link>`. */
export function eventName({ message_id, event, url }: Payload): string {
  return url === undefined ? `${message_id} ${event}` : `${message_id} ${event} ${url.slice(PAGE_OF_LINK.length)}`;
}

/** The events of mails that were delivered, as `Receivers` name them. */
export const deliveredEvents = (messageIds: readonly string[]): string[] => messageIds.map((id) => `${id} delivered`);

/** Opens every mail and clicks all of its links, as mail programs and browsers do, each until there is an answer. */
export async function visitAll(origins: readonly string[], messageIds: readonly string[]): Promise<HitResult> {
  const agent = new Agent({ connections: CALLERS, headersTimeout: PATIENCE });
  const hits = visitsOf(messageIds, new Keyring(SECRET));
  const result: HitResult = { events: [], unanswered: new Map() };
  let current = 0;
  const visit = async ({ event, path }: Hit): Promise<void> => {
    for (;;) {
      const origin = origins[current % origins.length] ?? '';
      try {
        const { statusCode, body } = await request(`${origin}${path}`, { dispatcher: agent });
        await body.dump();
        if (statusCode === 302 || statusCode === 200) return void result.events.push(event);
        throw new Error(`${path} answered ${statusCode}`);
      } catch (error) {
        // Where nothing listened, nothing was visited.
        const isVisit = (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
        if (isVisit) result.unanswered.set(event, (result.unanswered.get(event) ?? 0) + 1);
        current += 1;
        await sleep(100);
      }
    }
  };
  const call = async (): Promise<void> => {
    for (let next = hits.next(); !next.done; next = hits.next()) await visit(next.value);
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  await agent.destroy();
  return result;
}

/** An open and every click of these mails. */
export function* visitsOf(messageIds: readonly string[], keyring: Keyring): Generator<Hit, undefined> {
  for (let n = -1; n < LINKS; n += 1) {
    for (const id of messageIds) {
      const { open, clicks } = messageLinks(keyring, '', id);
      yield n < 0 ? { event: `${id} open`, path: open } : { event: `${id} click ${n}`, path: `${clicks}${n}` };
    }
  }
}
