import { describe, expect, it } from '@jest/globals';
import { countJourney, countText } from '../../../operations/journeys/journey-counts';
import { journeyTree } from '../../../operations/journeys/journey-tree';
import type { StepCountsPage } from '../../../stores/ports/journey-runs';
import { aJourney } from '../../support/marketing';

const journey = { ...aJourney(1), id: 1, version: 2 };
describe('countJourney', () => {
  it('adds up the pages: those at a step now, those that passed it, mails made and refused', async () => {
    const page = (last: number | null, otherVersions: number, ...counts: number[][]): StepCountsPage => ({
      steps: counts.map(([step = 0, now = 0, passed = 0, sent = 0, refused = 0]) => ({
        step,
        now,
        passed,
        sent,
        refused,
      })),
      otherVersions,
      last,
    });
    const pages = new Map([
      [0, page(4, 0, [1, 1, 3, 2, 1], [2, 2, 1, 0, 0])],
      [4, page(6, 1, [1, 0, 1, 1, 0])],
      [6, page(null, 0)],
    ]);
    const contacts = { active: 4, completed: 1, left: 1 };
    const journeyRuns = {
      count: async () => contacts,
      countSteps: async (_: object, after: number) => pages.get(after),
    };
    const stores = { journeyRuns } as unknown as Parameters<typeof countJourney>[0];
    const counts = await countJourney(stores, journey);
    expect({ ...counts, steps: Object.fromEntries(counts.steps) }).toEqual({
      contacts: { active: 4, completed: 1, left: 1 },
      steps: { 1: { now: 1, passed: 4, sent: 3, refused: 1 }, 2: { now: 2, passed: 1, sent: 0, refused: 0 } },
      earlier: 1,
    });
    expect(journeyTree(journey, { domains: new Map(), audiences: new Map() }, counts)).toContain(
      '1 wait 1d  [now 1, passed 4, sent 3, refused 1]\n',
    );
  });

  it('says nothing of a step that nobody reached', () => {
    expect(countText({ now: 0, passed: 0, sent: 0, refused: 0 })).toBe('');
  });
});
