import { describe, expect, it } from '@jest/globals';
import { countJourney, countText } from '../../operations/journey-counts';
import { journeyTree } from '../../operations/journey-tree';
import { newEnrollment, type EnrollmentStep } from '../../domain/journeys/enrollment';
import type { EnrolledContact } from '../../stores/ports/journey-runs';
import { messageId } from '../support/builders';
import { TEST_START } from '../support/clock';
import { aJourney } from '../support/marketing';

const journey = { ...aJourney(1), id: 1, version: 2 };
const done = (step: number, type: EnrollmentStep['type'], outcome: EnrollmentStep['outcome']): EnrollmentStep => ({
  ...{ step, type, outcome, at: TEST_START, reason: null },
  messageId: type === 'email' && outcome === 'done' ? messageId() : null,
});
const contact = (contactId: number, more: Partial<EnrolledContact>): EnrolledContact => ({
  ...newEnrollment({ id: messageId(), workspaceId: 1, journeyId: 1, version: 2, contactId }, TEST_START),
  email: null,
  steps: [],
  ...more,
});

describe('countJourney', () => {
  it('counts all contacts, page by page: those at a step now, those that passed it, mails made and refused', async () => {
    const mailed = [done(1, 'email', 'done')];
    const all = [
      contact(1, {}),
      contact(2, { step: 2, steps: mailed }),
      contact(3, { step: 2, steps: [done(1, 'email', 'refused')] }),
      contact(4, { step: 2, steps: [...mailed, done(2, 'wait', 'done')], status: 'completed' }),
      contact(5, { step: 2, steps: mailed, status: 'left', reason: 'unsubscribed' }),
      contact(6, { version: 1, step: 7, steps: [done(5, 'email', 'done')] }),
    ];
    const list = async (_ref: object, after: number) => all.filter(({ contactId }) => contactId > after).slice(0, 4);
    const stores = { journeyRuns: { list } } as unknown as Parameters<typeof countJourney>[0];
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
