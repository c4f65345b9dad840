import { placeOf } from '../../schemas/journeys/file-faults';
import type { LineFault } from '../../schemas/journeys/faults';
import { AUDIENCE } from '../../operations/contacts/audience';
import type { Fault } from '../../operations/definition';
import { JOURNEY } from '../../operations/journeys/journey';
import type { ShownStep } from '../../operations/journeys/journey-view';
import type { WrittenJourney, WrittenStep } from '../../operations/journeys/journey-file-format';
import { workspaceOf } from '../kit/workspace-scope';
import type { Visit } from '../kit/screen';
import { chosen, shown, type ShownJourney } from './read';
import { fileOf, readWritten } from './journey-file-format';

/** What is being edited: the draft of the next version, or what would begin one. */
export interface Editing {
  journey: ShownJourney;
  /** Null: the draft has faults that only its text helps with. */
  next: WrittenJourney | null;
  text: string;
  errors: readonly LineFault[];
  /** Of the draft; 0 while there is none. */
  revision: number;
  /** The names of the audiences by id. */
  audiences: ReadonlyMap<number, string>;
}

/** Reads what is being edited. */
export async function editing(visit: Visit): Promise<Editing> {
  const journey = await shown(visit);
  const { data } = await visit.read(AUDIENCE.list, { workspace: workspaceOf(visit) });
  const { draft, definition } = journey;
  return {
    journey,
    next: draft ? readWritten(draft.definition) : definition,
    text: draft?.text ?? fileOf(definition),
    errors: draft?.errors ?? [],
    revision: draft?.revision ?? 0,
    audiences: new Map(data.map(({ id, name }) => [id, name])),
  };
}

/** Keeps a file as the draft, unless somebody else changed it since `revision`. */
export const keep = (visit: Visit, file: string, revision: string) =>
  visit.perform(JOURNEY.draft, { ...chosen(visit), file, revision });

/** What is wrong with one step of a definition, and in which field. */
export async function stepFault(visit: Visit, journey: WrittenJourney, number: number): Promise<Fault | null> {
  const { errors } = await visit.read(JOURNEY.validate, { workspace: workspaceOf(visit), file: fileOf(journey) });
  for (const { reason } of errors) {
    const { step, field, fault } = placeOf(reason);
    if (step === number) return { status: 422, message: fault.in(visit.language), field };
  }
  return null;
}

/** The steps of a definition as they are shown. */
export function asSteps(steps: readonly WrittenStep[], { audiences }: Pick<Editing, 'audiences'>): ShownStep[] {
  let number = 0;
  const shownStep = (of: WrittenStep): ShownStep => {
    const step = (number += 1);
    switch (of.type) {
      case 'email':
        return { step, ...of, domain_id: 0, text: of.text ?? null };
      case 'add_to_audience':
        return { step, type: of.type, audience_id: 0, audience: audiences.get(Number(of.audience)) ?? of.audience };
      case 'branch':
        return { step, ...of, then: of.then.map(shownStep), else: of.else.map(shownStep) };
      default:
        return { step, ...of };
    }
  };
  return steps.map(shownStep);
}
