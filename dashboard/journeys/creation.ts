import type { LineFault } from '../../schemas/journeys/faults';
import type { Fault } from '../../operations/definition';
import { DOMAIN } from '../../operations/domains/domain';
import { JOURNEY } from '../../operations/journeys/journey';
import { formOf, sentOf } from '../kit/forms';
import { html } from '../kit/html';
import { workspaceOf } from '../kit/workspace-scope';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { EMPTY, faultAt, SETTINGS, settingsFields, textPage, withSettings } from './settings';
import { stepForm, stepOf } from './step-form';
import { pathOf, secretView } from './views';
import { fileOf } from './journey-file-format';

async function newPage(visit: Visit, values: Readonly<Record<string, unknown>>, fault: Fault | null): Promise<Answer> {
  const { t, base } = visit;
  const mail = await stepForm(visit, 'email', EMPTY, 1);
  const form = formOf(visit, {
    operation: {
      properties: { ...SETTINGS.properties, ...mail.schema.properties },
      required: [...(SETTINGS.required ?? []), ...(mail.schema.required ?? [])],
    },
    fields: { ...(await settingsFields(visit)), ...mail.fields },
    to: `${base}/journeys/new`,
    button: t.journeysCreate,
    values,
    fault,
  });
  const main = html`<h1>${t.journeysNew}</h1>
    <p>${t.journeysNewNote} <a href="${base}/journeys/new/text">${t.journeysNewText}</a></p>
    ${form}`;
  return page(t.journeysNew, main, fault ? 422 : 200);
}

const make = (visit: Visit, file: string) => visit.read(JOURNEY.create, { workspace: workspaceOf(visit), file });

const create = action('/journeys/new', 'editor', async (visit) => {
  const { form } = visit;
  const journey = withSettings(form, { ...EMPTY, steps: [stepOf('email', form)] });
  const made = await make(visit, fileOf(journey));
  if (!('errors' in made)) return redirect(`${pathOf(visit, made.id)}/edit`, visit.t.journeysCreated1);
  const mail = ['domain', 'subject', 'html', 'text'];
  const fault =
    faultAt(visit, made.errors, ['name', 'trigger', 'audience', 'goal']) ?? faultAt(visit, made.errors, mail, 1);
  const first = { status: 422, message: made.errors[0]?.reason.in(visit.language) ?? '', field: null } as const;
  return newPage(visit, sentOf(form), fault ?? first);
});

/** A file to begin with, from the first domain of the workspace. */
async function skeleton(visit: Visit): Promise<string> {
  const { data } = await visit.read(DOMAIN.list, { workspace: workspaceOf(visit) });
  const mail = {
    type: 'email',
    domain: data[0]?.domain ?? 'toko.example',
    subject: 'Halo',
    html: '<p>Halo {{nama|Kak}}</p>',
  } as const;
  return fileOf({ name: visit.t.journeysNew, trigger: 'api', steps: [mail, { type: 'wait', for: '3d' }] });
}

const newText = (visit: Visit, text: string, errors: readonly LineFault[], status = 200): Answer => {
  const base = `${visit.base}/journeys/new`;
  return textPage(visit, { text, errors, to: `${base}/text`, button: visit.t.journeysCreate, back: base }, status);
};

/** The secret is shown once, to whoever makes a journey with webhook steps. */
const createText = action('/journeys/new/text', 'editor', async (visit) => {
  const text = fieldOf(visit.form, 'file');
  const made = await make(visit, text);
  return 'errors' in made
    ? newText(visit, text, made.errors, 422)
    : page(visit.t.journeysSecret, secretView(visit, made));
});

/** Where a journey is made: by its name and its first mail, or as text. */
export const JOURNEY_CREATION: readonly Screen[] = [
  screen('/journeys/new', 'editor', (visit) => newPage(visit, { trigger: 'form_subscribe' }, null)),
  create,
  screen('/journeys/new/text', 'editor', async (visit) => newText(visit, await skeleton(visit), [])),
  createText,
];
