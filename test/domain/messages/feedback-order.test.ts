import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applyFeedback } from '../../../domain/messages/apply-feedback';
import { BOUNCE_CLASSES, isHardClass, type BounceClass } from '../../../domain/bounces/bounce-class';
import { DAY, MINUTE } from '../../../lib/clock';
import type { LedgerEntry } from '../../../domain/ledger/coins';
import type { Feedback, FeedbackKind } from '../../../domain/messages/feedback';
import { becameUnknown, overdue, passFence, sent, TRANSITIONS, type Outcome } from '../../../domain/messages/lifecycle';
import { shownAsTaken } from '../../../domain/messages/log-settled';
import type { Message } from '../../../domain/messages/message';
import { aMessage } from '../../support/message';

const WAIT = 4 * DAY;
const START = 1_000_000;
/** A report as the property draws it: a kind, with a class for those that tell of a refusal. */
interface Drawn {
  kind: FeedbackKind;
  class: BounceClass | null;
}
const report = ({ kind, class: found }: Drawn, trusted = true): Feedback => ({
  kind,
  trusted,
  text: '5.1.1 no',
  class: found,
  hard: kind === 'bounced' && found !== null && isHardClass(found),
  at: START + MINUTE,
});

/** A message with everything that was booked and said for it. */
class History {
  readonly ledger = new Map<string, LedgerEntry>();
  readonly events: string[] = [];
  /** What was done to the recipient, each once. */
  readonly effects = new Set<string>();
  readonly statuses: Message['status'][] = ['sending'];
  constructor(public message: Message) {
    this.ledger.set('debit', { ...aRow(message), id: 'debit', amount: -1 });
  }
  hear(feedback: Feedback): void {
    const found = applyFeedback(this.message, feedback, WAIT);
    if (found?.effects) this.effects.add(found.effects.suppress);
    this.take(found?.outcome ?? null);
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
    const { status, complainedAt, dueAt, reopenable, hardBouncedAt } = this.message;
    const refused = status === 'bounced' ? this.message.refusedClass : null;
    const hard = hardBouncedAt !== null;
    return {
      status,
      refused,
      hard,
      effects: [...this.effects].sort(),
      complained: complainedAt !== null,
      final: dueAt === null,
      reopenable,
      coins: this.coins,
    };
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

const kinds = fc.oneof(
  fc.record<Drawn>({
    kind: fc.constantFrom('delivered', 'delayed', 'complaint', 'unclear'),
    class: fc.constant(null),
  }),
  fc.record<Drawn>({ kind: fc.constantFrom('bounced', 'expired'), class: fc.constantFrom(...BOUNCE_CLASSES) }),
);
const ADDRESS_UNKNOWN: Drawn = { kind: 'bounced', class: 'address_unknown' };
const shuffled = <T>(items: T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray(items, { minLength: items.length, maxLength: items.length });

describe('I7: any order and repetition of the same feedback', () => {
  // spec: docs/contract.md#transitions: reports in any order and repetition end alike
  // spec: docs/contract.md#classes-of-bounces: the strongest of several bounces decides, in any order
  it('ends in the same status, with the same coins', () => {
    const cases = fc
      .array(kinds, { minLength: 1, maxLength: 6 })
      .chain((reports) => fc.tuple(shuffled([...reports, ...reports]), shuffled(reports), fc.boolean()));
    fc.assert(
      fc.property(cases, ([one, other, answered]) => {
        const play = (order: Drawn[]): History => {
          const history = new History(handedOver());
          if (answered) history.take(sent(history.message, { attempt: 1, fence: 'token' }, '250', START, WAIT));
          for (const kind of order) history.hear(report(kind));
          return history;
        };
        expect(play(one).summary).toEqual(play(other).summary);
      }),
      { numRuns: 2_000 },
    );
  });

  // spec: docs/contract.md#transitions: reports in any order and repetition end alike
  it('ends alike also when our own 250 is stored in between', () => {
    fc.assert(
      fc.property(fc.array(kinds, { minLength: 1, maxLength: 6 }), fc.nat(6), (order, at) => {
        const play = (position: number): object => {
          const history = new History(handedOver());
          order.forEach((kind, i) => {
            if (i === position) history.take(sent(history.message, { attempt: 1, fence: 'token' }, '250', START, WAIT));
            history.hear(report(kind));
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

/** Every order of every choice of up to six of the items. */
function* orders<T>(items: readonly T[], most = 6): Generator<T[]> {
  yield [];
  if (most === 0) return;
  for (const [n, item] of items.entries()) {
    for (const rest of orders([...items.slice(0, n), ...items.slice(n + 1)], most - 1)) yield [item, ...rest];
  }
}

describe('I7: every order of up to six different reports', () => {
  const MAILBOX_FULL: Drawn = { kind: 'bounced', class: 'mailbox_full' };
  const steps: (Drawn | 'the log')[] = [
    { kind: 'delivered', class: null },
    { kind: 'delayed', class: 'rate_limited' },
    { kind: 'expired', class: 'expired' },
    MAILBOX_FULL,
    ADDRESS_UNKNOWN,
    { kind: 'complaint', class: null },
    'the log',
  ];
  it.each(['at a hand-off that is answered later', 'at one without an answer, which the log of Postfix settles'])(
    'ends alike %s',
    (where) => {
      const isUnknown = where.startsWith('at one');
      const ends = new Map<string, string>();
      let count = 0;
      for (const order of orders(steps)) {
        const history = new History(handedOver());
        if (isUnknown) history.take(becameUnknown(history.message, 'lost', START, { evidenceWait: WAIT }));
        for (const step of order) {
          if (step !== 'the log') history.hear(report(step));
          else if (isUnknown) history.take(shownAsTaken(history.message, 'token', START, WAIT));
          else history.take(sent(history.message, { attempt: 1, fence: 'token' }, '250', START, WAIT));
        }
        const chosen = steps.map((step) => (order.includes(step) ? '1' : '0')).join('');
        const end = JSON.stringify(history.summary);
        if (ends.has(chosen) && ends.get(chosen) !== end) expect([chosen, end]).toEqual([chosen, ends.get(chosen)]);
        ends.set(chosen, end);
        count++;
      }
      expect(ends.size).toBe(2 ** steps.length - 1);
      expect(count).toBe(8_660);
    },
  );
});

describe('I4 and I6, whatever is reported and however late', () => {
  // spec: docs/contract.md#transitions: the moves a message makes
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
            history.hear(report(ADDRESS_UNKNOWN, false));
          } else history.hear(report(kind));
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
