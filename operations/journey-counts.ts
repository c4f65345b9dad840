import type { Journey } from '../domain/journeys/journey';
import type { EnrolledContact } from '../stores/ports/journey-runs';
import type { Stores } from '../stores/ports';

/** Contacts at one step of a journey. */
export interface StepCount {
  /** In the journey, with this step as their next. */
  now: number;
  /** Done with it, also those who left the journey later. */
  passed: number;
  /** Mails that it made; 0 for other steps. */
  sent: number;
  /** Mails that it did not make, since the contact may get none. */
  refused: number;
}

/** The contacts of a journey by step of its newest version, and those who began another version. */
export interface JourneyCounts {
  contacts: { active: number; completed: number; left: number };
  /** By the number of the step; one that nobody reached is not there. */
  steps: ReadonlyMap<number, StepCount>;
  /** Contacts on versions before the newest: their steps have other numbers, so they are not in `steps`. */
  earlier: number;
}

export const NO_COUNT: StepCount = { now: 0, passed: 0, sent: 0, refused: 0 };

/** Contacts that are read together. */
const PAGE = 200;

/**
 * Counts the contacts of a journey by step. Reads them in pages, and keeps only sums. Rejects with UnavailableError.
 */
export async function countJourney(stores: Pick<Stores, 'journeyRuns'>, journey: Journey): Promise<JourneyCounts> {
  const contacts = { active: 0, completed: 0, left: 0 };
  const steps = new Map<number, StepCount>();
  let earlier = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: EnrolledContact[] = await stores.journeyRuns.list(journey, after, PAGE);
    for (const contact of page) {
      contacts[contact.status] += 1;
      if (contact.version === journey.version) addContact(steps, contact);
      else earlier += 1;
    }
    after = page.at(-1)?.contactId;
  }
  return { contacts, steps, earlier };
}

function addContact(steps: Map<number, StepCount>, contact: EnrolledContact): void {
  const countOf = (step: number): StepCount => {
    const count = steps.get(step) ?? { ...NO_COUNT };
    steps.set(step, count);
    return count;
  };
  if (contact.status === 'active') countOf(contact.step).now += 1;
  for (const { step, type, outcome } of contact.steps) {
    const count = countOf(step);
    count.passed += 1;
    if (outcome === 'refused') count.refused += 1;
    else if (type === 'email') count.sent += 1;
  }
}

/** The counts of a step in one line: `now 3, passed 12, sent 11, refused 1`; nothing where nobody was. */
export function countText({ now, passed, sent, refused }: StepCount): string {
  if (now === 0 && passed === 0) return '';
  const parts = [`now ${now}`, `passed ${passed}`];
  if (sent > 0) parts.push(`sent ${sent}`);
  if (refused > 0) parts.push(`refused ${refused}`);
  return parts.join(', ');
}
