import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applyFeedback } from '../../domain/apply-feedback';
import { DAY, MINUTE } from '../../lib/clock';
import type { LedgerEntry } from '../../domain/coins';
import type { Feedback, FeedbackKind } from '../../domain/feedback';
import { overdue, passFence, sent, TRANSITIONS, type Outcome } from '../../domain/lifecycle';
import type { Message } from '../../domain/message';
import { aMessage } from '../support/message';

const WAIT = 4 * DAY;
const START = 1_000_000;
const report = (kind: FeedbackKind, trusted = true): Feedback => ({
  kind,
  trusted,
  text: '5.1.1 no',
  at: START + MINUTE,
});

/** A message with everything that was booked and said for it. */
class History {
  readonly ledger = new Map<string, LedgerEntry>();
  readonly events: string[] = [];
  readonly statuses: Message['status'][] = ['sending'];
  constructor(public message: Message) {
    this.ledger.set('debit', { ...aRow(message), id: 'debit', amount: -1 });
  }
  take(outcome: Outcome | null): void {
    if (!outcome) return;
    const next = outcome.set.status;
    if (next && next !== this.message.status) this.statuses.push(next);
    this.message = { ...this.message, ...outcome.set };
    for (const entry of outcome.ledger) this.ledger.set(entry.id, entry);
    this.events.push(...outcome.events.map(({ name }) => name));
  }
  get coins(): number {
    return [...this.ledger.values()].reduce((sum, { amount }) => sum + amount, 0);
  }
  get summary(): object {
    const { status, complainedAt, dueAt, reopenable } = this.message;
    return { status, complained: complainedAt !== null, final: dueAt === null, reopenable, coins: this.coins };
  }
}

const aRow = (message: Message): Omit<LedgerEntry, 'id' | 'amount'> => ({
  workspaceId: message.workspaceId,
  kind: 'debit',
  messageId: message.id,
  at: START,
});

const handedOver = (): Message => {
  const message = aMessage({ status: 'sending', attempt: 1, firstClaimedAt: START, dueAt: START + MINUTE });
  return { ...message, ...passFence(message, 1, 'token', START)!.set };
};

const kinds = fc.constantFrom<FeedbackKind>('delivered', 'bounced', 'expired', 'delayed', 'complaint', 'unclear');
const shuffled = <T>(items: T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray(items, { minLength: items.length, maxLength: items.length });

describe('I7: any order and repetition of the same feedback', () => {
  it('ends in the same status, with the same coins', () => {
    const cases = fc
      .array(kinds, { minLength: 1, maxLength: 5 })
      .chain((reports) => fc.tuple(shuffled([...reports, ...reports]), shuffled(reports), fc.boolean()));
    fc.assert(
      fc.property(cases, ([one, other, answered]) => {
        const play = (order: FeedbackKind[]): History => {
          const history = new History(handedOver());
          if (answered) history.take(sent(history.message, { attempt: 1, fence: 'token' }, '250', START, WAIT));
          for (const kind of order) history.take(applyFeedback(history.message, report(kind), WAIT)?.outcome ?? null);
          return history;
        };
        expect(play(one).summary).toEqual(play(other).summary);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ends alike also when our own 250 is stored in between', () => {
    fc.assert(
      fc.property(fc.array(kinds, { minLength: 1, maxLength: 4 }), fc.nat(4), (order, at) => {
        const play = (position: number): object => {
          const history = new History(handedOver());
          order.forEach((kind, i) => {
            if (i === position) history.take(sent(history.message, { attempt: 1, fence: 'token' }, '250', START, WAIT));
            history.take(applyFeedback(history.message, report(kind), WAIT)?.outcome ?? null);
          });
          if (position >= order.length) {
            history.take(sent(history.message, { attempt: 1, fence: 'token' }, '250', START, WAIT));
          }
          return history.summary;
        };
        expect(play(at)).toEqual(play(0));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('I4 and I6, whatever is reported and however late', () => {
  it('per message the coins are 0 or -1 plus at most one penalty, and every status history is a path of the table', () => {
    const step = fc.oneof(kinds, fc.constant('deadline' as const), fc.constant('stranger' as const));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const history = new History(handedOver());
        let now = START;
        for (const kind of steps) {
          now += 2 * DAY;
          if (kind === 'deadline') history.take(overdue(history.message, now + 30 * DAY, WAIT));
          else if (kind === 'stranger') {
            history.take(applyFeedback(history.message, report('bounced', false), WAIT)?.outcome ?? null);
          } else history.take(applyFeedback(history.message, report(kind), WAIT)?.outcome ?? null);
        }
        const penalties = [...history.ledger.values()].filter(({ kind }) => kind === 'penalty').length;
        expect(penalties).toBeLessThanOrEqual(1);
        expect([0, -1]).toContain(history.coins + 4 * penalties);
        const lost = history.message.status === 'failed';
        expect(history.coins + 4 * penalties).toBe(lost ? 0 : -1);
        history.statuses.slice(1).forEach((status, i) => {
          expect(TRANSITIONS[history.statuses[i]!]).toContain(status);
        });
      }),
      { numRuns: 2_000 },
    );
  });
});
