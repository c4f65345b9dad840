import type { AnswerOf, RowOf } from '../../operations/definition';
import { JOURNEY } from '../../operations/journeys/journey';
import { workspaceOf } from '../kit/workspace-scope';
import { Refused } from '../kit/perform';
import type { Visit } from '../kit/screen';

export type ListedJourney = RowOf<typeof JOURNEY.list>;
export type ShownJourney = AnswerOf<typeof JOURNEY.show>;
/** The contacts of a journey, and what each did. */
export type Enrollments = AnswerOf<typeof JOURNEY.enrollments>;
export type Enrolled = RowOf<typeof JOURNEY.enrollments>;
export type DoneStep = Enrolled['steps'][number];
export type Post = RowOf<typeof JOURNEY.posts>;
export type Version = RowOf<typeof JOURNEY.versions>;
/** How one contact would go through. */
export type DryPath = NonNullable<AnswerOf<typeof JOURNEY.dryRun>['paths']>[number];

/** The journey of the address, as operations take it. Addresses have ids: a name could be that of another one. */
export function chosen(visit: Visit) {
  const journey = visit.id;
  if (!/^[1-9]\d{0,14}$/.test(journey)) throw new Refused({ status: 404, message: '', field: null });
  return { workspace: workspaceOf(visit), journey };
}

/** The journey of the address. */
export async function shown(visit: Visit): Promise<ShownJourney> {
  const found = await visit.read(JOURNEY.show, chosen(visit));
  if (String(found.id) === visit.id) return found;
  throw new Refused({ status: 404, message: '', field: null });
}
