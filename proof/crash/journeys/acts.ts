import { Keyring } from '../../../domain/keyring';
import { messageLinks } from '../../../domain/messages/message-tokens';
import { sleep } from '../../../lib/sleep';
import type { EnrolledContact } from '../../../stores/ports/journey-runs';
import type { ApiCaller } from '../caller';
import { SECRET, type Sender } from '../seed';
import type { Stage } from '../stage/stage';
import { traveller, type Traveller } from './people';

/** Requests at the same time. */
const AT_ONCE = 16;
/** Between two tries of a request that got no answer, ms. */
const PAUSE = 100;
/** A program of a person: others count as machines. */
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36';

/** Does it for every item, some at the same time. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/**
 * Enrolls all contacts by the API, each until it is answered, and each tenth a second time. Returns what was answered
 * that should not have been.
 */
export async function enrollAll(
  caller: ApiCaller,
  { apiKey }: Sender,
  journeyId: number,
  contacts: number,
): Promise<string[]> {
  const faults: string[] = [];
  const enroll = async ({ email }: Traveller, expected: readonly number[]): Promise<void> => {
    for (;;) {
      const reply = await caller.request(apiKey, `/journeys/${journeyId}/enroll`, { email, consent: true });
      if (reply && expected.includes(reply.status)) return;
      if (reply && reply.status < 500 && reply.status !== 408) {
        faults.push(`enrolling ${email} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
        return;
      }
      await sleep(PAUSE);
    }
  };
  const people = Array.from({ length: contacts }, (_, n) => traveller(n));
  // 200: a try before had no answer, and was taken.
  await forEach(people, (person) => enroll(person, [200, 201]));
  await forEach(
    people.filter(({ n }) => n % 10 === 0),
    (person) => enroll(person, [200]),
  );
  return faults;
}

/** Lets those act that do, by links of their first mail and by the API, each until it is answered. */
export async function actAll(
  stage: Stage,
  caller: ApiCaller,
  { apiKey }: Sender,
  rows: readonly { person: Traveller; row: EnrolledContact }[],
): Promise<void> {
  const keyring = new Keyring(SECRET);
  let turn = 0;
  const visit = async (path: string, method: 'GET' | 'POST'): Promise<void> => {
    for (;;) {
      const origin = stage.origins[turn % stage.origins.length] ?? '';
      const response = await fetch(`${origin}${path}`, {
        method,
        redirect: 'manual',
        headers: { 'user-agent': BROWSER },
      }).catch(() => null);
      await response?.arrayBuffer().catch(() => undefined);
      if (response && response.status < 400) return;
      turn += 1;
      await sleep(PAUSE);
    }
  };
  await forEach(rows, async ({ person: { act }, row: { contactId, steps } }) => {
    const links = messageLinks(keyring, '', steps[0]?.messageId ?? '');
    if (act === 'click') await visit(`${links.clicks}0`, 'GET');
    if (act === 'unsubscribe') await visit(links.unsubscribe, 'POST');
    if (act !== 'delete') return;
    // 404: a try before had no answer, and was done.
    const isDone = async (): Promise<boolean> => {
      const reply = await caller.request(apiKey, `/contacts/${contactId}`, undefined, {}, 'DELETE');
      return reply?.status === 200 || reply?.status === 404;
    };
    while (!(await isDone())) await sleep(PAUSE);
  });
}
