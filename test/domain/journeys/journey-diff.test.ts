import { describe, expect, it } from '@jest/globals';
import type { JourneyStep } from '../../../domain/journeys/journey';
import { stepChanges } from '../../../domain/journeys/journey-diff';

const mail = (subject: string): JourneyStep => ({ kind: 'email', domainId: 1, subject, html: '<p>x</p>', text: null });
const wait = (ms: number): JourneyStep => ({ kind: 'wait', ms });
const ask = (step: number, then: JourneyStep[], otherwise: JourneyStep[] = []): JourneyStep => ({
  kind: 'branch',
  on: { kind: 'opened', step },
  then,
  else: otherwise,
});
const changes = (before: JourneyStep[], now: JourneyStep[]) =>
  stepChanges({ steps: before }, { steps: now }).map((one) => [one.change, one.before?.number, one.now?.number]);

describe('the differences of two versions', () => {
  it('are none between equal steps', () => {
    expect(changes([mail('a'), wait(1)], [mail('a'), wait(1)])).toEqual([]);
  });

  it('are the steps that came, went and changed', () => {
    expect(changes([mail('a'), wait(1)], [mail('a'), mail('b'), wait(1)])).toEqual([['came', undefined, 2]]);
    expect(changes([mail('a'), wait(1), mail('b')], [mail('a'), mail('b')])).toEqual([['went', 2, undefined]]);
    expect(changes([mail('a'), wait(1)], [mail('a'), wait(2)])).toEqual([['changed', 2, 2]]);
    expect(changes([wait(1)], [mail('a')])).toEqual([
      ['went', 1, undefined],
      ['came', undefined, 1],
    ]);
  });

  it('do not count a question whose mail only has another number', () => {
    const before = [mail('a'), ask(1, [wait(1)])];
    expect(changes(before, [wait(9), mail('a'), ask(2, [wait(1)])])).toEqual([['came', undefined, 1]]);
    expect(changes(before, [mail('a'), mail('b'), ask(2, [wait(1)])])).toEqual([
      ['came', undefined, 2],
      ['changed', 2, 3],
    ]);
  });

  it('tell the ways of a branch apart', () => {
    expect(changes([mail('a'), ask(1, [wait(1)])], [mail('a'), ask(1, [], [wait(1)])])).toEqual([['changed', 3, 3]]);
  });
});
