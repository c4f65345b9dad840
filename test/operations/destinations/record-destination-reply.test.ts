import { describe, expect, it } from '@jest/globals';
import type { DestinationState } from '../../../domain/destinations/destination-state';
import type { Feedback } from '../../../domain/messages/feedback';
import type { Message } from '../../../domain/messages/message';
import {
  destinationReplies,
  type DestinationRepliesDeps,
} from '../../../operations/destinations/record-destination-reply';
import { frozenClock, TEST_START } from '../../support/clock';
import { aMessage } from '../../support/message';
import { refusedHandOff } from '../../support/outcomes';

/** Every reply stops its destination, which stays as it was when the message was sent before `resumedAt`. */
function subscriber(resumedAt = 0) {
  const changed: string[] = [];
  const deps = {
    rules: { replyRule: () => ({ name: 'stop', do: 'stop', minutes: 120 }) },
    routes: { found: async (domain: string) => domain },
    records: {
      change: async (_kind: unknown, id: string, rule: (before: DestinationState) => DestinationState | null) => {
        const why = { rule: 'stop', reply: '450', messageId: 'earlier', at: resumedAt };
        const after = rule({ factor: 1, factorUntil: 0, factorFor: 0, stoppedUntil: null, why });
        if (after) changed.push(id);
        return after;
      },
    },
    clock: frozenClock(),
    logger: { warn: () => undefined },
  } as unknown as DestinationRepliesDeps;
  return { replies: destinationReplies(deps), changed };
}
const DONE = 'sending to toko.test was stopped for 120 minutes';
const REPORT: Feedback = {
  kind: 'delayed',
  trusted: true,
  text: '450 4.7.1 go away',
  class: 'rate_limited',
  hard: false,
  at: TEST_START,
};
const message = (change: Partial<Message> = {}) => aMessage({ to: 'ana@toko.test', ...change });

describe('a destination', () => {
  it('is stopped by the refusal of a hand-off and by that of a trusted report', async () => {
    const { replies, changed } = subscriber();
    expect(await replies.beforeStored!(refusedHandOff(message(), '450 4.7.1 go away'))).toBe(DONE);
    expect(await replies.beforeStored!({ from: 'report', message: message(), feedback: REPORT })).toBe(DONE);
    expect(changed).toEqual(['toko.test', 'toko.test']);
  });

  it.each<[string, Partial<Feedback>]>([
    ['a report that anybody may have sent', { trusted: false }],
    ['a report without a refusal', { kind: 'delivered', class: null }],
  ])('hears nothing of %s, and no promise is made', (_name, change) => {
    const feedback = { ...REPORT, ...change };
    expect(subscriber().replies.beforeStored!({ from: 'report', message: message(), feedback })).toBeNull();
  });

  it('stays as it is when the message went before the last change of its pace', async () => {
    const { replies } = subscriber(TEST_START);
    const before = message({ fencedAt: TEST_START - 1, dispatchedAt: null });
    expect(await replies.beforeStored!(refusedHandOff(before, '450 4.7.1 go away'))).toBeNull();
    expect(await replies.beforeStored!({ from: 'report', message: before, feedback: REPORT })).toBeNull();
    const after = { ...before, dispatchedAt: TEST_START };
    expect(await replies.beforeStored!({ from: 'report', message: after, feedback: REPORT })).toBe(DONE);
  });
});
