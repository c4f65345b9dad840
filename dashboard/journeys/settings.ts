import { placeOf } from '../../schemas/journeys/file-faults';
import type { LineFault } from '../../schemas/journeys/faults';
import { AUDIENCE } from '../../operations/contacts/audience';
import type { Fault, ObjectSchema } from '../../operations/definition';
import { JOURNEY } from '../../operations/journeys/journey';
import type { WrittenJourney } from '../../operations/journeys/journey-file-format';
import { formOf, type FieldOptions } from '../kit/forms';
import { html } from '../kit/html';
import { workspaceOf } from '../kit/workspace-scope';
import { fieldOf, page, type Answer, type FormFields, type Visit } from '../kit/screen';
import { faultsView } from './editor-views';

/** A journey that is not written yet. */
export const EMPTY: WrittenJourney = { name: '', trigger: 'api', steps: [] };
const TEXT = { type: 'string' } as const;

/** What a journey is beside its steps. */
export async function settingsFields(visit: Visit): Promise<Readonly<Record<string, FieldOptions>>> {
  const { t } = visit;
  const { data } = await visit.read(AUDIENCE.list, { workspace: workspaceOf(visit) });
  const choice = (value: string, label: string): { value: string; label: string } => ({ value, label });
  return {
    name: { label: t.journeysName },
    trigger: {
      label: t.journeysTrigger,
      choices: [
        choice('form_subscribe', t.journeysByForm),
        choice('audience_join', t.journeysByJoin),
        choice('api', t.journeysByApi),
      ],
    },
    audience: {
      label: t.journeysAudience,
      help: t.journeysAudienceHelp,
      choices: data.map(({ id, name }) => ({ value: id, label: name })),
    },
    goal: {
      label: t.journeysGoal,
      help: t.journeysGoalHelp,
      choices: [
        choice('conversion', t.journeysGoalSale),
        choice('click', t.journeysGoalClick),
        choice('open', t.journeysGoalOpen),
      ],
    },
    ends: { label: t.journeysEndsLabel },
  };
}

/** What the settings must be. */
export const SETTINGS: ObjectSchema = {
  properties: {
    name: { ...TEXT, maxLength: 255 },
    trigger: TEXT,
    audience: TEXT,
    goal: TEXT,
    ends: { type: 'boolean' },
  },
  required: ['name', 'trigger'],
};

/** A definition with the settings of a form. */
export function withSettings(form: FormFields, { steps }: WrittenJourney): WrittenJourney {
  const [audience, event] = [fieldOf(form, 'audience'), fieldOf(form, 'goal')];
  return {
    name: fieldOf(form, 'name'),
    trigger: fieldOf(form, 'trigger'),
    ...(audience !== '' && { audience }),
    ...(event !== '' && { goal: { event, ends: fieldOf(form, 'ends') === 'on' } }),
    steps,
  };
}

/** A fault of a file at its field, if it is about one of these; `of` is their step, if they are those of one. */
export function faultAt(
  { language }: Visit,
  errors: readonly LineFault[],
  fields: readonly string[],
  of: number | null = null,
): Fault | null {
  for (const { reason } of errors) {
    const { step, field, fault } = placeOf(reason);
    if (step === of && field !== null && fields.includes(field))
      return { status: 422, message: fault.in(language), field };
  }
  return null;
}

/** A page with the file of a journey. */
export interface TextPage {
  text: string;
  errors: readonly LineFault[];
  to: string;
  button: string;
  back: string;
  hidden?: Readonly<Record<string, string | number>>;
  refused?: string | null;
}

/** The file of a journey in a field, and what is wrong with it. */
export function textPage(visit: Visit, of: TextPage, status: number): Answer {
  const { t } = visit;
  const form = formOf(visit, {
    operation: JOURNEY.create,
    fields: { file: { label: t.journeysFile, help: t.journeysFileHelp, lines: 'code' } },
    to: of.to,
    button: of.button,
    hidden: of.hidden ?? {},
    values: { file: of.text },
    fault: of.refused ? { status: 422, message: of.refused, field: null } : null,
  });
  const main = html`<h1>${t.journeysAsText}</h1>
    ${faultsView(visit, of.errors, of.text)}${form}
    <p><a href="${of.back}">${t.back}</a></p>`;
  return page(t.journeysAsText, main, status);
}
