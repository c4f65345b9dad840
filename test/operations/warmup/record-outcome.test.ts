import { describe, expect, it } from '@jest/globals';
import { builtInRules } from '../../../domain/bounces/bounce-rules';
import type { Message } from '../../../domain/messages/message';
import type { WarmupState } from '../../../domain/warmup/warmup-state';
import type { EndedHandOff, MailOutcome } from '../../../operations/messages/mail-outcome';
import { WarmupOutcomes, type WarmupOutcomesDeps } from '../../../operations/warmup/record-outcome';
import { frozenClock } from '../../support/clock';
import { aMessage } from '../../support/message';
import { refusedHandOff } from '../../support/outcomes';

/** What the warm-up of a domain over `server` counts; null: over any. */
async function counted(outcome: MailOutcome, server: string | null): Promise<string[]> {
  const clock = frozenClock();
  const counts: string[] = [];
  const body = { domainId: 1, server, volumes: [50], startedAt: clock.now() };
  const records = {
    change: async (_kind: unknown, _id: string, rule: (before: null) => WarmupState) => {
      const { today } = rule(null);
      const kinds = ['unsent', 'deferred', 'bounced', 'complained', 'refused'] as const;
      counts.push(...kinds.flatMap((kind) => Array.from({ length: today[kind] }, () => kind)));
    },
  };
  const deps = {
    warmups: { refresh: async () => undefined, of: () => ({ id: 'toko.test', body }) },
    routes: { found: async (domain: string) => domain },
    rules: { isNamed: () => false },
    records,
    clock,
    firstServer: 'main',
    bounceRules: builtInRules,
  } as unknown as WarmupOutcomesDeps;
  await new WarmupOutcomes(deps).stored(outcome);
  return counts;
}
/** The same of a hand-off that was to go over the server `new`. */
function ofHandOff(ended: EndedHandOff, before: Partial<Message> = {}, server: string | null = 'new') {
  const message = aMessage({ refusedAt: null, fencedAt: null, ...before });
  const handOff = { attempt: before.attempt ?? 1, fence: null };
  return counted({ from: 'hand-off', message, handOff, ended, over: 'new' }, server);
}
const refused = (reply: string, more: object = {}): EndedHandOff => ({
  ...refusedHandOff(aMessage(), reply, 'new').ended,
  ...more,
});

describe('the warm-up of a domain counts of a hand-off', () => {
  it.each([
    ['450 4.2.0 later', 'deferred'],
    ['550 5.1.1 no such user', 'bounced'],
    ['554 5.7.1 blocked for spam', 'refused'],
  ])('%s as %s', async (reply, outcome) => {
    expect(await ofHandOff(refused(reply))).toEqual([outcome]);
    expect(await ofHandOff(refused(reply), {}, null)).toEqual([outcome]);
    expect(await ofHandOff(refused(reply), {}, 'main')).toEqual([]);
  });

  it.each<[string, EndedHandOff]>([
    ['our own refusal', refused('554 5.7.1 blocked for spam', { unasked: true })],
    ['a session that the server refused', refused('554 5.7.1 not you', { unopened: true })],
    ['the end of a session', refused('421 4.7.0 too many connections')],
    ['a connection that failed', { kind: 'not_sent', reason: 'connect ECONNREFUSED' }],
  ])('%s as unsent, once', async (_name, ended) => {
    expect(await ofHandOff(ended)).toEqual(['unsent']);
    expect(await ofHandOff(ended, { attempt: 2 })).toEqual([]);
  });

  it('nothing for the size of the mail', async () =>
    expect(await ofHandOff(refused('552 5.3.4 Message size exceeds fixed limit'))).toEqual([]));

  it('a mail that went over another server as unsent, and what that one said as its own', async () => {
    const moved: EndedHandOff = { kind: 'sent', reply: '250 ok', server: 'main' };
    expect(await ofHandOff(moved)).toEqual(['unsent']);
    expect(await ofHandOff(moved, {}, null)).toEqual([]);
    expect(await ofHandOff({ ...moved, server: 'new' })).toEqual([]);
    const elsewhere = refused('550 5.1.1 no', { server: 'main' });
    expect(await ofHandOff(elsewhere)).toEqual(['unsent']);
    expect(await ofHandOff(elsewhere, {}, 'main')).toEqual(['bounced']);
  });

  it('of the refusals for now the first, and the last one for good', async () => {
    const again = { refusedAt: 1, attempt: 2 };
    expect(await ofHandOff(refused('450 4.2.0 later'), again)).toEqual([]);
    expect(await ofHandOff(refused('550 5.1.1 no such user'), again)).toEqual(['bounced']);
  });

  it('and a promise only when there is something', () => {
    const outcomes = new WarmupOutcomes({ bounceRules: builtInRules } as WarmupOutcomesDeps);
    const taken: EndedHandOff = { kind: 'sent', reply: '250 ok', server: 'new' };
    expect(outcomes.stored({ ...refusedHandOff(aMessage(), '', 'new'), ended: taken })).toBeUndefined();
  });
});

describe('the warm-up of a domain counts of a report', () => {
  const feedback = { trusted: true, text: '550 no', class: null, hard: false, at: 0 };

  it('what it says over the server that the mail went over', async () => {
    const message = aMessage({ fence: 'lease.1.new' });
    const bounce: MailOutcome = { from: 'report', message, feedback: { ...feedback, kind: 'bounced' } };
    expect(await counted(bounce, 'new')).toEqual(['bounced']);
    expect(await counted(bounce, 'main')).toEqual([]);
    expect(await counted({ ...bounce, feedback: { ...feedback, kind: 'delivered' } }, 'new')).toEqual([]);
  });
});
