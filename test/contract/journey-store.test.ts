import { describe, expect, it } from '@jest/globals';
import type { Journey } from '../../domain/journeys/journey';
import { aWorkspace } from '../support/builders';
import { TEST_START } from '../support/clock';
import { aJourney } from '../support/marketing';
import { describeDefinition } from './journey-store/definition.cases';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine, type Subject } from './harness';

const UNKNOWN = 999_999_999;
const newWorkspace = async ({ stores }: Subject): Promise<number> => (await stores.workspaces.create(aWorkspace())).id;
const newJourney = async (subject: Subject, overrides = {}): Promise<Journey> =>
  subject.stores.journeys.create(aJourney(await newWorkspace(subject), overrides));

function describeJourneys(open: OpenEngine): void {
  describe('journeys', () => {
    const subject = sharedEngine(open);

    it('are stored as they were given, also through a crash', async () => {
      const given = aJourney(await newWorkspace(subject), {
        name: 'Selamat \0 datang 🌸',
        status: 'draft',
        triggerType: 'audience_join',
        audienceId: 3,
        steps: [
          { kind: 'email', domainId: 1, subject: 'Halo \0', html: '<p>{{nama}}</p>', text: null },
          { kind: 'wait', ms: 60_000 },
          { kind: 'webhook', url: 'https://contoh.test/h' },
          { kind: 'add_to_audience', audienceId: 4 },
        ],
        goal: { event: 'click', ends: true },
      });
      const created = await subject.stores.journeys.create(given);
      expect(created).toEqual({ ...given, id: created.id, version: 1 });
      await subject.crash();
      const { journeys } = subject.stores;
      expect(await journeys.get(given.workspaceId, created.id)).toEqual(created);
      const { steps, goal, createdAt } = given;
      const version = { journeyId: created.id, version: 1, steps, goal, createdAt };
      expect(await journeys.version(given.workspaceId, created.id, 1)).toEqual(version);
      expect(await journeys.version(given.workspaceId, created.id, 2)).toBeNull();
    });

    it('are listed in order of their id, those of the workspace only', async () => {
      const first = await newJourney(subject);
      await newJourney(subject);
      const second = await subject.stores.journeys.create(aJourney(first.workspaceId));
      expect(await subject.stores.journeys.list(first.workspaceId)).toEqual([first, second]);
    });

    it('change their status, and nothing else', async () => {
      const journey = await newJourney(subject);
      const { journeys } = subject.stores;
      expect(await journeys.setStatus(journey.workspaceId, journey.id, 'paused', TEST_START)).toEqual({
        ...journey,
        status: 'paused',
      });
      expect(await journeys.get(journey.workspaceId, journey.id)).toMatchObject({ status: 'paused' });
    });

    it('of another workspace, or of nobody, are not there', async () => {
      const theirs = await newJourney(subject);
      const ours = await newWorkspace(subject);
      for (const id of [theirs.id, UNKNOWN]) {
        expect(await subject.stores.journeys.get(ours, id)).toBeNull();
        expect(await subject.stores.journeys.version(ours, id, 1)).toBeNull();
        expect(await subject.stores.journeys.setStatus(ours, id, 'paused', TEST_START)).toBeNull();
      }
      expect(await subject.stores.journeys.get(theirs.workspaceId, theirs.id)).toEqual(theirs);
    });
  });
}

/** The JourneyStore behaviour required of every driver. */
function describeJourneyStore(open: OpenEngine): void {
  describe('JourneyStore', () => {
    describeJourneys(open);
    describeDefinition(open);
  });
}

onEveryDriver(describeJourneyStore);
