import type { Journey } from '../../domain/journeys/journey';
import type { EnrollmentCounts, JourneyStepCount, StepCountsPage } from '../../stores/ports/journey-runs';
import type { Stores } from '../../stores/ports';

/** Contacts at one step of a journey. */
export type StepCount = Omit<JourneyStepCount, 'step'>;

/** The contacts of a journey by step of its newest version, and those who began another version. */
export interface JourneyCounts {
  contacts: EnrollmentCounts;
  /** By the number of the step; one that nobody reached is not there. */
  steps: ReadonlyMap<number, StepCount>;
  /** Contacts on versions before the newest: their steps have other numbers, so they are not in `steps`. */
  earlier: number;
}

export const NO_COUNT: StepCount = { now: 0, passed: 0, sent: 0, refused: 0 };

/** Contacts that are counted together: what waits for the store waits no longer than for them. */
const PAGE = 2_000;

/** Counts the contacts of a journey by step, page by page. Rejects with UnavailableError. */
export async function countJourney(
  { journeyRuns }: Pick<Stores, 'journeyRuns'>,
  journey: Journey,
): Promise<JourneyCounts> {
  const contacts = await journeyRuns.count(journey);
  const steps = new Map<number, StepCount>();
  let earlier = 0;
  for (let after: number | null = 0; after !== null;) {
    const page: StepCountsPage = await journeyRuns.countSteps(journey, after, PAGE);
    for (const count of page.steps) add(steps, count);
    earlier += page.otherVersions;
    after = page.last;
  }
  return { contacts, steps, earlier };
}

function add(steps: Map<number, StepCount>, { step, now, passed, sent, refused }: JourneyStepCount): void {
  const sum = steps.get(step) ?? NO_COUNT;
  steps.set(step, {
    now: sum.now + now,
    passed: sum.passed + passed,
    sent: sum.sent + sent,
    refused: sum.refused + refused,
  });
}

/** The counts of a step in one line: `now 3, passed 12, sent 11, refused 1`; nothing where nobody was. */
export function countText({ now, passed, sent, refused }: StepCount): string {
  if (now === 0 && passed === 0) return '';
  const parts = [`now ${now}`, `passed ${passed}`];
  if (sent > 0) parts.push(`sent ${sent}`);
  if (refused > 0) parts.push(`refused ${refused}`);
  return parts.join(', ');
}
