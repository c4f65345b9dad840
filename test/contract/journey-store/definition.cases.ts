import { describe, expect, it } from '@jest/globals';
import type { Journey, JourneyStep } from '../../../domain/journeys/journey';
import { aWorkspace } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { aJourney, anEnrollment } from '../../support/marketing';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';
import { atOnce } from '../helpers';

const UNKNOWN = 999_999_999;
const LATER = TEST_START + 60_000;
const newWorkspace = async ({ stores }: Subject): Promise<number> => (await stores.workspaces.create(aWorkspace())).id;
const newJourney = async (subject: Subject, overrides = {}): Promise<Journey> =>
  subject.stores.journeys.create(aJourney(await newWorkspace(subject), overrides));

const MAIL: JourneyStep = { kind: 'email', domainId: 1, subject: 'Halo \0', html: '<p>🌸 \0</p>', text: 'Halo' };
const BRANCH: JourneyStep = { kind: 'branch', on: { kind: 'clicked', step: 1 }, then: [MAIL], else: [] };
const CHANGED = {
  name: 'Lain \0',
  triggerType: 'audience_join',
  audienceId: 7,
  goal: { event: 'open', ends: false },
  steps: [MAIL, BRANCH],
} as const;
const changed = { ...CHANGED, steps: [...CHANGED.steps] };

/** Journeys that are edited, deleted, and get a new secret. */
export function describeDefinition(open: OpenEngine): void {
  describe('journeys', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#versions-of-a-journey: each edit makes a version, and the ones before stay
    it('edited, are a new version; the ones before stay as they were', async () => {
      const first = await newJourney(subject, { steps: [MAIL], goal: { event: 'click', ends: true } });
      const { workspaceId, id } = first;
      const edited = await subject.stores.journeys.edit(workspaceId, id, changed, LATER);
      expect(edited).toEqual({ ...first, ...changed, version: 2 });
      const third = { ...changed, steps: first.steps, goal: null };
      await subject.stores.journeys.edit(workspaceId, id, third, LATER + 1);
      await subject.crash();
      const { journeys } = subject.stores;
      expect(await journeys.get(workspaceId, id)).toEqual({ ...first, ...third, version: 3 });
      const versions = await Promise.all([1, 2, 3, 4].map((version) => journeys.version(workspaceId, id, version)));
      expect(versions).toEqual([
        { journeyId: id, version: 1, steps: first.steps, goal: first.goal, createdAt: TEST_START },
        { journeyId: id, version: 2, steps: changed.steps, goal: changed.goal, createdAt: LATER },
        { journeyId: id, version: 3, steps: first.steps, goal: null, createdAt: LATER + 1 },
        null,
      ]);
    });

    it('edited by 10 callers at once, have a version of each', async () => {
      const { workspaceId, id } = await newJourney(subject);
      const { journeys } = subject.stores;
      const edits = await atOnce(10, () => journeys.edit(workspaceId, id, changed, LATER));
      const numbers = edits.map((edited) => edited?.version ?? 0).sort((a, b) => a - b);
      expect(numbers).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      expect(await journeys.get(workspaceId, id)).toMatchObject({ version: 11 });
    });

    it('keep the version that a contact began, when they are edited', async () => {
      const journey = await newJourney(subject);
      const { journeys, journeyRuns } = subject.stores;
      await journeyRuns.enroll(anEnrollment(journey));
      await journeys.edit(journey.workspaceId, journey.id, { ...changed, triggerType: 'api', audienceId: null }, LATER);
      await journeyRuns.enroll(anEnrollment(journey));
      const rows = await journeyRuns.list(journey, 0, 10);
      expect(rows.map(({ version }) => version)).toEqual([1, 2]);
    });

    it('get a new secret, and nothing else', async () => {
      const journey = await newJourney(subject);
      const { workspaceId, id } = journey;
      expect(await subject.stores.journeys.replaceSecret(workspaceId, id, 'k1.next')).toBe(true);
      await subject.crash();
      expect(await subject.stores.journeys.get(workspaceId, id)).toEqual({ ...journey, secretSealed: 'k1.next' });
    });

    it('are deleted as drafts that no contact entered; any other stays', async () => {
      const draft = await newJourney(subject, { status: 'draft', steps: [MAIL] });
      const { journeys, journeyRuns } = subject.stores;
      const running = await newJourney(subject);
      const entered = await newJourney(subject);
      await journeyRuns.enroll(anEnrollment(entered));
      await journeys.setStatus(entered.workspaceId, entered.id, 'draft', LATER);
      const remove = ({ workspaceId, id }: Journey) => journeys.delete(workspaceId, id);
      expect(await remove(running)).toBe('in_use');
      expect(await remove(entered)).toBe('in_use');
      expect(await remove(draft)).toBe('deleted');
      expect(await remove(draft)).toBe('no_journey');
      await subject.crash();
      const { get, version } = subject.stores.journeys;
      expect(await get(running.workspaceId, running.id)).toEqual(running);
      expect(await get(entered.workspaceId, entered.id)).toEqual({ ...entered, status: 'draft' });
      expect(await get(draft.workspaceId, draft.id)).toBeNull();
      expect(await version(draft.workspaceId, draft.id, 1)).toBeNull();
    });

    it('are deleted or begun, and never both', async () => {
      const { journeys } = subject.stores;
      for (let n = 0; n < 5; n += 1) {
        const { workspaceId, id } = await newJourney(subject, { status: 'draft' });
        const [deletion, begun] = await Promise.all([
          journeys.delete(workspaceId, id),
          journeys.setStatus(workspaceId, id, 'active', LATER),
        ]);
        expect(deletion).toBe(begun ? 'in_use' : 'deleted');
        expect(await journeys.get(workspaceId, id)).toEqual(begun);
      }
    });

    it('of another workspace, or of nobody, cannot be changed', async () => {
      const theirs = await newJourney(subject, { status: 'draft' });
      const ours = await newWorkspace(subject);
      const { journeys } = subject.stores;
      for (const id of [theirs.id, UNKNOWN]) {
        expect(await journeys.edit(ours, id, changed, LATER)).toBeNull();
        expect(await journeys.version(ours, id, 1)).toBeNull();
        expect(await journeys.replaceSecret(ours, id, 'k1.theirs')).toBe(false);
        expect(await journeys.delete(ours, id)).toBe('no_journey');
      }
      expect(await journeys.get(theirs.workspaceId, theirs.id)).toEqual(theirs);
      expect(await journeys.version(theirs.workspaceId, theirs.id, 2)).toBeNull();
    });
  });
}
