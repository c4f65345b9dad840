import type { Services } from '../../../app/services';
import type { Journey } from '../../../domain/journeys/journey';
import { MINUTE } from '../../../lib/clock';
import type { Stores } from '../../../stores/ports';
import type { EnrolledContact } from '../../../stores/ports/journey-runs';
import type { CampaignOrder } from '../campaigns';

/** A journey of one contact: a mail, a list, a minute, and the list again. `key` is its name. */
export type JourneyOrder = CampaignOrder;

interface Found {
  journey: Journey;
  enrolled: EnrolledContact | null;
}

/** The journey with the key, and the contact in it. */
export async function findJourney(
  { journeys, journeyRuns }: Pick<Stores, 'journeys' | 'journeyRuns'>,
  { workspaceId, key }: Pick<JourneyOrder, 'workspaceId' | 'key'>,
): Promise<Found | null> {
  const journey = (await journeys.list(workspaceId)).find(({ name }) => name === key);
  if (!journey) return null;
  const [enrolled = null] = await journeyRuns.list(journey, 0, 1);
  return { journey, enrolled };
}

/**
 * Creates the journey and enrolls the contact, unless an earlier process did, and pauses it for a moment in the same
 * call: later the contact may have done its first step. Returns the id of the mail once it has one.
 */
export async function orderJourney(services: Services, order: JourneyOrder): Promise<string | null> {
  const { engine, keyring, clock, newId } = services;
  const { journeys, journeyRuns } = engine.stores;
  const { workspaceId, to: email } = order;
  const { journey, enrolled } = (await findJourney(engine.stores, order)) ?? (await create(services, order));
  const at = clock.now();
  if (!enrolled) {
    const contact = { workspaceId, email, emailHash: keyring.hashAddress(email), name: null, at };
    await journeyRuns.enroll({ id: newId(), workspaceId, journeyId: journey.id, contact, at, by: 'api' });
  }
  if (!enrolled || enrolled.steps.length === 0 || journey.status === 'paused') {
    for (const status of ['paused', 'active'] as const) await journeys.setStatus(workspaceId, journey.id, status, at);
  }
  return enrolled?.steps[0]?.messageId ?? null;
}

async function create({ engine, clock }: Services, { workspaceId, domainId, key }: JourneyOrder): Promise<Found> {
  const { audiences, journeys } = engine.stores;
  const createdAt = clock.now();
  const list = { name: key, description: null, publicToken: key, optInMode: 'single' as const, createdAt };
  const { id: audienceId } = await audiences.create({ ...list, workspaceId });
  const journey = await journeys.create({
    workspaceId,
    name: key,
    status: 'active',
    triggerType: 'api',
    audienceId: null,
    steps: [
      { kind: 'email', domainId, subject: key, html: '<p>Halo {{nama|Kak}}</p>', text: null },
      { kind: 'add_to_audience', audienceId },
      { kind: 'wait', ms: MINUTE },
      { kind: 'add_to_audience', audienceId },
    ],
    goal: null,
    secretSealed: 'none',
    createdAt,
  });
  return { journey, enrolled: null };
}
