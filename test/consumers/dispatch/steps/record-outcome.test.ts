import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { recordOutcome } from '../../../../consumers/dispatch/steps/record-outcome';
import type { Message } from '../../../../domain/messages/message';
import type { HandOffOutcome } from '../../../../email/transports/transport';
import { frozenClock } from '../../../support/clock';
import { aMessage } from '../../../support/message';

/** What the warm-up of the domain hears of the outcome of a hand-off. */
async function heard(outcome: HandOffOutcome, before: Partial<Message> = {}, over = 'new'): Promise<string[]> {
  const known = aMessage({ refusedAt: null, fencedAt: null, ...before });
  const fates: string[] = [];
  const record = recordOutcome({
    messages: { change: async () => ({ applied: true, message: known }) },
    clock: frozenClock(),
    evidenceWait: 60_000,
    noteFate: async ({ server, movedTo }, fate) =>
      void fates.push(`${fate} over ${server}${movedTo === undefined ? '' : `, moved to ${movedTo}`}`),
    logger: pino({ level: 'silent' }),
  });
  const handOff = { attempt: before.attempt ?? 1, fence: null };
  await record({ known, handOff, outcome, unconfirmedFence: null, over });
  return fates;
}
const refused = (reply: string, more: object = {}): HandOffOutcome => ({
  ...{ kind: 'refused', permanent: reply.startsWith('5'), reply, server: 'new' },
  ...more,
});

describe('the warm-up of a domain counts of a hand-off', () => {
  it.each([
    ['450 4.2.0 later', 'deferred'],
    ['550 5.1.1 no such user', 'bounced'],
    ['554 5.7.1 blocked for spam', 'refused'],
  ])('%s as %s', async (reply, fate) => expect(await heard(refused(reply))).toEqual([`${fate} over new`]));

  it.each<[string, HandOffOutcome]>([
    ['our own refusal', refused('554 5.7.1 blocked for spam', { unasked: true })],
    ['a session that the server refused', refused('554 5.7.1 not you', { unopened: true })],
    ['the end of a session', refused('421 4.7.0 too many connections')],
    ['a connection that failed', { kind: 'not_sent', reason: 'connect ECONNREFUSED' }],
  ])('%s as unsent, once', async (_name, outcome) => {
    expect(await heard(outcome)).toEqual(['unsent over new']);
    expect(await heard(outcome, { attempt: 2 })).toEqual([]);
  });

  it('nothing for the size of the mail', async () =>
    expect(await heard(refused('552 5.3.4 Message size exceeds fixed limit'))).toEqual([]));

  it('a mail that went over another server as unsent, and what that one said as its own', async () => {
    expect(await heard({ kind: 'sent', reply: '250 ok', server: 'main' })).toEqual(['unsent over new, moved to main']);
    expect(await heard({ kind: 'sent', reply: '250 ok', server: 'new' })).toEqual([]);
    expect(await heard(refused('550 5.1.1 no', { server: 'main' }))).toEqual([
      'unsent over new, moved to main',
      'bounced over main',
    ]);
  });

  it('of the refusals for now the first, and the last one for good', async () => {
    const again = { refusedAt: 1, attempt: 2 };
    expect(await heard(refused('450 4.2.0 later'), again)).toEqual([]);
    expect(await heard(refused('550 5.1.1 no such user'), again)).toEqual(['bounced over new']);
  });
});
