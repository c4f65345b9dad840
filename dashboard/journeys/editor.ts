import { JOURNEY } from '../../operations/journeys/journey';
import type { WrittenJourney } from '../../operations/journeys/journey-file-format';
import type { Fault } from '../../operations/definition';
import { formOf, sentOf } from '../kit/forms';
import { html } from '../kit/html';
import { Refused } from '../kit/perform';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { editSteps, flatSteps, type Place, type StepEdit } from './edit-steps';
import { editing, keep, stepFault, type Editing } from './editor-read';
import { editorPath, editorView, kindsView } from './editor-views';
import { kindText } from './labels';
import { chosen } from './read';
import { STEP_TYPES, stepForm, stepOf, valuesOf, type StepType } from './step-form';
import { pathOf } from './views';
import { fileOf } from './journey-file-format';

const notFound = (): Refused => new Refused({ status: 404, message: '', field: null });

async function showEditor(visit: Visit, refused: string | null = null): Promise<Answer> {
  const of = await editing(visit);
  return page(
    filled(visit.t.journeysEditing, { name: of.journey.name }),
    editorView(visit, of, refused),
    refused ? 422 : 200,
  );
}

/** The definition that the editor works on. A draft that is only text is edited as text. */
function nextOf({ next }: Editing): WrittenJourney {
  if (next) return next;
  throw notFound();
}

/** Where the step of a form is: one that is there, or the place of a new one. */
function placeOf(values: (name: string) => string): { step: number } | Place {
  const number = (name: string): number => Number(/^\d{1,3}$/.exec(values(name))?.[0] ?? NaN);
  if (values('step') !== '') return { step: number('step') };
  const way = values('way');
  if (way === 'then' || way === 'else') return { in: number('in'), way };
  return { after: number('after') };
}

/** The change that a form of a step makes; null for no such step. */
function changeOf(
  next: WrittenJourney,
  place: { step: number } | Place,
  type: StepType,
  step: ReturnType<typeof stepOf>,
) {
  const edit: StepEdit = 'step' in place ? { do: 'replace', number: place.step, step } : { do: 'add', place, step };
  if ('step' in place && flatSteps(next.steps)[place.step - 1]?.type !== type) return null;
  return editSteps(next.steps, edit);
}

const typeOf = (text: string): StepType | undefined => STEP_TYPES.find((type) => type === text);

/** Stands for a step that is not written yet. */
const NO_STEP = { type: 'wait', for: '' } as const;

interface StepPage {
  type: StepType;
  place: { step: number } | Place;
  values: Readonly<Record<string, unknown>>;
  revision: string | number;
  fault: Fault | null;
}

async function stepPage(
  visit: Visit,
  of: Editing,
  { type, place, values, revision, fault }: StepPage,
): Promise<Answer> {
  const { t } = visit;
  const next = nextOf(of);
  const number =
    'step' in place ? place.step : (editSteps(next.steps, { do: 'add', place, step: NO_STEP })?.number ?? 0);
  if (number === 0) throw notFound();
  const { schema, fields } = await stepForm(visit, type, next, number);
  const path = editorPath(visit, of.journey);
  const form = formOf(visit, {
    operation: schema,
    fields,
    values,
    fault,
    to: `${path}/step`,
    button: 'step' in place ? t.save : t.journeysAddStep,
    hidden: { ...place, type, revision },
  });
  const title = `${number} · ${kindText(t, type)}`;
  return page(
    title,
    html`<h1>${title}</h1>
      ${type === 'branch' && html`<p class="soft">${t.journeysAboutBranch}</p>`}${form}
      <p><a href="${path}">${t.back}</a></p>`,
    fault ? 422 : 200,
  );
}

const showStep = screen('/journeys/:id/edit/step', 'editor', async (visit) => {
  const of = await editing(visit);
  const place = placeOf((name) => visit.query[name] ?? '');
  const step = 'step' in place ? flatSteps(nextOf(of).steps)[place.step - 1] : undefined;
  const type = step?.type ?? typeOf(visit.query['type'] ?? '');
  if ('step' in place && !step) throw notFound();
  if (!type) {
    const { after = '', in: inside = '', way = '' } = visit.query;
    return page(visit.t.journeysAddStep, kindsView(visit, editorPath(visit, of.journey), { after, in: inside, way }));
  }
  const ids = new Map([...of.audiences].map(([id, name]) => [name, id]));
  const values = step ? valuesOf(step, ids) : type === 'wait' ? { for: 1, unit: 'd' } : {};
  return stepPage(visit, of, { type, place, values, revision: of.revision, fault: null });
});

const saveStep = action('/journeys/:id/edit/step', 'editor', async (visit) => {
  const { form } = visit;
  const of = await editing(visit);
  const next = nextOf(of);
  const type = typeOf(fieldOf(form, 'type'));
  const place = placeOf((name) => fieldOf(form, name));
  const changed = type && changeOf(next, place, type, stepOf(type, form));
  if (!type || !changed) throw notFound();
  const revision = fieldOf(form, 'revision');
  const journey = { ...next, steps: changed.steps };
  // A question gets its steps after it is there.
  const wrong = type === 'branch' ? null : await stepFault(visit, journey, changed.number);
  const again = (fault: Fault): Promise<Answer> =>
    stepPage(visit, of, { type, place, values: sentOf(form), revision, fault });
  if (wrong) return again(wrong);
  const done = await keep(visit, fileOf(journey), revision);
  return done.ok ? redirect(editorPath(visit, of.journey), visit.t.journeysKept) : again(done.fault);
});

const move = action('/journeys/:id/edit/move', 'editor', async (visit) => {
  const { form } = visit;
  const of = await editing(visit);
  const what = (['up', 'down', 'remove'] as const).find((one) => one === fieldOf(form, 'do'));
  const next = nextOf(of);
  const changed = what && editSteps(next.steps, { do: what, number: Number(fieldOf(form, 'step')) });
  if (!changed) throw notFound();
  const done = await keep(visit, fileOf({ ...next, steps: changed.steps }), fieldOf(form, 'revision'));
  return done.ok ? redirect(editorPath(visit, of.journey)) : showEditor(visit, done.fault.message);
});

const publish = action('/journeys/:id/edit/publish', 'editor', async (visit) => {
  const { t } = visit;
  const of = await editing(visit);
  if (String(of.revision) !== fieldOf(visit.form, 'revision')) return showEditor(visit, t.journeysChangedMeanwhile);
  const edited = await visit.read(JOURNEY.edit, { ...chosen(visit), file: of.text });
  if ('errors' in edited) return showEditor(visit, t.journeysFaults);
  // What somebody keeps at this moment stays as the draft of the version after this one.
  await visit.perform(JOURNEY.discard, { ...chosen(visit), revision: of.revision });
  return redirect(pathOf(visit, of.journey.id), t.journeysPublished);
});

const discard = action('/journeys/:id/edit/discard', 'editor', async (visit) => {
  const { id } = await visit.read(JOURNEY.discard, chosen(visit));
  return redirect(pathOf(visit, id), visit.t.journeysDiscarded);
});

/** The forms in which the next version of a journey is written. */
export const JOURNEY_EDITOR: readonly Screen[] = [
  screen('/journeys/:id/edit', 'editor', (visit) => showEditor(visit)),
  showStep,
  saveStep,
  move,
  publish,
  discard,
];
