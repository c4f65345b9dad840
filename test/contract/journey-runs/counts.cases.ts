import { describe, expect, it } from '@jest/globals';
import { TEST_START } from '../../support/clock';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, present } from '../helpers';
import { aRound, claimSteps, enrollSome, MAIL, newJourney, WAIT } from './support';

/** How many contacts stand at each step, and what was done there. */
export function countCases(open: OpenEngine): void {
  const subject = sharedEngine(open);

  describe('countSteps', () => {
    it('counts who stands at a step and what was done there, page by page, for one version', async () => {
      const { journeys, journeyRuns } = subject.stores;
      const journey = await newJourney(subject);
      const { workspaceId, id } = journey;
      const enrolled = await enrollSome(subject, journey, 6);
      const tasks = new Map((await claimSteps(subject, journey)).map((task) => [task.id, task]));
      const round = (n: number, ...more: [Parameters<typeof aRound>[1]?]) =>
        aRound(present(tasks.get(at(enrolled, n).id)), ...more);
      const mailed = round(0).steps;
      const refused = [{ ...at(mailed, 0), outcome: 'refused' as const, reason: 'suppressed', messageId: null }];
      const waited = { step: 2, type: 'wait', at: TEST_START, outcome: 'done', reason: null, messageId: null } as const;
      await journeyRuns.advance([
        round(0),
        round(1, { steps: refused }),
        round(2, { steps: [...mailed, waited], end: { kind: 'completed', at: TEST_START } }),
        round(3, { end: { kind: 'left', reason: 'goal', at: TEST_START } }),
      ]);
      await journeys.edit(workspaceId, id, { ...journey, steps: [WAIT, MAIL] }, TEST_START);
      await enrollSome(subject, journey);
      await subject.crash();
      const one = { workspaceId, id, version: 1 };
      const count = (...[of, after, limit]: Parameters<typeof journeyRuns.countSteps>) =>
        subject.stores.journeyRuns.countSteps(of, after, limit);
      const all = (await subject.stores.journeyRuns.list(one, 0, 9)).map(({ contactId }) => contactId);
      expect(all).toHaveLength(7);
      expect(await count(one, 0, 100)).toEqual({
        steps: [
          { step: 1, now: 2, passed: 4, sent: 3, refused: 1 },
          { step: 2, now: 2, passed: 1, sent: 0, refused: 0 },
        ],
        otherVersions: 1,
        last: at(all, 6),
      });
      const first = { steps: [{ step: 1, now: 0, passed: 1, sent: 1, refused: 0 }], otherVersions: 0 };
      const standing = { step: 2, now: 1, passed: 0, sent: 0, refused: 0 };
      expect(await count(one, 0, 1)).toEqual({ ...first, steps: [...first.steps, standing], last: at(all, 0) });
      const end = { step: 1, now: 2, passed: 0, sent: 0, refused: 0 };
      expect(await count(one, at(all, 3), 100)).toEqual({ steps: [end], otherVersions: 1, last: at(all, 6) });
      expect(await count({ ...one, version: 2 }, 0, 100)).toEqual({
        steps: [{ ...end, now: 1 }],
        otherVersions: 6,
        last: at(all, 6),
      });
      for (const [of, after] of [[{ ...one, workspaceId: workspaceId + 1 }, 0] as const, [one, at(all, 6)] as const]) {
        expect(await count(of, after, 100)).toEqual({ steps: [], otherVersions: 0, last: null });
      }
    });
  });
}
