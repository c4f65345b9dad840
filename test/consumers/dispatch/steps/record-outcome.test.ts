import { describe, expect, it } from '@jest/globals';
import { recordOutcome } from '../../../../consumers/dispatch/steps/record-outcome';
import type { HandOffOutcome } from '../../../../email/transports/transport';
import { silentLogger } from '../../../../lib/logger';
import type { MailOutcome } from '../../../../operations/messages/mail-outcome';
import type { MessageChange, MessageStore } from '../../../../stores/ports/message-store';
import { frozenClock } from '../../../support/clock';
import { aMessage } from '../../../support/message';

/** What is told and stored, in order, when a hand-off ends so. */
async function told(outcome: HandOffOutcome, { applied = true, says = [] as string[] } = {}) {
  const known = aMessage({ status: 'sending', attempt: 1, fence: 'mine' });
  const steps: string[] = [];
  const seen: MailOutcome[] = [];
  const change: MessageStore['change'] = async (_id, decide) => {
    const changed: MessageChange | null = decide(known);
    steps.push(`stored ${changed?.attempt?.reply}`);
    return { applied, message: known };
  };
  const hear = (when: string, heard: MailOutcome): void => {
    steps.push(when);
    seen.push(heard);
  };
  const outcomes = {
    beforeStored: async (heard: MailOutcome) => (hear('before', heard), says),
    stored: async (heard: MailOutcome) => hear('after', heard),
  };
  const record = recordOutcome({
    messages: { change },
    clock: frozenClock(),
    evidenceWait: 60_000,
    outcomes,
    logger: silentLogger,
  });
  await record({ known, handOff: { attempt: 1, fence: 'mine' }, outcome, unconfirmedFence: null, over: 'new' });
  return { steps, seen };
}

describe('who hears the outcomes of hand-offs', () => {
  it('is told before and after the outcome is stored, and what it did becomes a part of the attempt', async () => {
    const reply = '450 <ana@toko.test> later';
    const { steps, seen } = await told(
      { kind: 'refused', permanent: false, reply, server: 'new' },
      { says: ['mail is slowed'] },
    );
    expect(steps).toEqual([
      'before',
      expect.stringMatching(/^stored 450 .* later \[over new\] \[mail is slowed\]$/),
      'after',
    ]);
    expect(seen[0]).toMatchObject({ from: 'hand-off', handOff: { attempt: 1 }, over: 'new' });
    expect(JSON.stringify(seen[0])).not.toContain('ana@toko.test');
    expect(seen[1]).toBe(seen[0]);
  });

  it('is not told that an outcome is stored when another process settled the claim', async () => {
    const { steps } = await told({ kind: 'sent', reply: '250 ok' }, { applied: false });
    expect(steps).toEqual(['before', 'stored 250 ok']);
  });

  it('is told nothing of a hand-off that lost its claim', async () => {
    expect((await told({ kind: 'fenced_out', reason: 'no' })).steps).toEqual([]);
  });
});
