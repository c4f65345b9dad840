import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JourneyStep } from '../../../domain/journeys/journey';
import { countSteps, nextStep, numberSteps, type BranchFacts } from '../../../domain/journeys/journey-flow';

const wait: JourneyStep = { kind: 'wait', ms: 60_000 };
const branch = (then: JourneyStep[], otherwise: JourneyStep[]): JourneyStep => ({
  kind: 'branch',
  on: { kind: 'goal' },
  then,
  else: otherwise,
});
const nothing: BranchFacts = { goalReached: false, opened: new Set(), clicked: new Set() };

/** The numbers of the steps on the way of a contact. */
function way(steps: readonly JourneyStep[], facts: BranchFacts): number[] {
  const numbered = numberSteps(steps);
  const passed: number[] = [];
  for (let at = numbered[0]; at;) {
    passed.push(at.number);
    const next = nextStep(at, facts);
    at = next === null ? undefined : numbered[next - 1];
  }
  return passed;
}

describe('steps of a journey', () => {
  test('count from 1 in the order of the file, nested ones included', () => {
    const steps = [wait, branch([wait, wait], [wait]), wait];
    expect(countSteps(steps)).toBe(6);
    expect(numberSteps(steps).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('go on behind the branch on both ways', () => {
    const steps = [wait, branch([wait, wait], [wait]), wait];
    expect(way(steps, nothing)).toEqual([1, 2, 5, 6]);
    expect(way(steps, { ...nothing, goalReached: true })).toEqual([1, 2, 3, 4, 6]);
  });

  test('an empty way of a branch leads behind it, or ends the journey', () => {
    expect(way([branch([], [wait]), wait], { ...nothing, goalReached: true })).toEqual([1, 3]);
    expect(way([branch([wait], [])], nothing)).toEqual([1]);
  });

  test('a branch within a branch ends behind the outer one', () => {
    const steps = [branch([branch([wait], [])], [wait]), wait];
    expect(way(steps, { ...nothing, goalReached: true })).toEqual([1, 2, 3, 5]);
    expect(way(steps, nothing)).toEqual([1, 4, 5]);
  });

  test('a click counts as an open, an open not as a click', () => {
    const on = (kind: 'opened' | 'clicked'): JourneyStep[] => [
      { kind: 'branch', on: { kind, step: 1 }, then: [wait], else: [] },
    ];
    expect(way(on('opened'), { ...nothing, clicked: new Set([1]) })).toEqual([1, 2]);
    expect(way(on('opened'), { ...nothing, opened: new Set([1]) })).toEqual([1, 2]);
    expect(way(on('clicked'), { ...nothing, opened: new Set([1]) })).toEqual([1]);
  });

  test('every way goes forward only and ends', () => {
    const { steps } = fc.letrec<{ steps: JourneyStep[]; step: JourneyStep }>((tie) => ({
      steps: fc.array(tie('step'), { maxLength: 4, depthIdentifier: 'steps' }),
      step: fc.oneof(
        { depthIdentifier: 'steps', maxDepth: 4 },
        fc.constant(wait),
        fc.tuple(tie('steps'), tie('steps')).map(([then, otherwise]) => branch(then, otherwise)),
      ),
    }));
    fc.assert(
      fc.property(steps, fc.boolean(), (made, goalReached) => {
        const numbers = numberSteps(made).map(({ number }) => number);
        expect(numbers).toEqual(Array.from({ length: countSteps(made) }, (_, place) => place + 1));
        const passed = way(made, { ...nothing, goalReached });
        expect(passed).toEqual([...passed].sort((a, b) => a - b));
      }),
    );
  });
});
