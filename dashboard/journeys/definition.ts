import type { Fault } from '../../operations/definition';
import { JOURNEY } from '../../operations/journeys/journey';
import { formOf, sentOf } from '../kit/forms';
import { html, NOTHING } from '../kit/html';
import { workspaceOf } from '../kit/workspace-scope';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { editing, keep, type Editing } from './editor-read';
import { editorPath } from './editor-views';
import { EMPTY, faultAt, SETTINGS, settingsFields, textPage, withSettings, type TextPage } from './settings';
import { fileOf } from './journey-file-format';

function editText(visit: Visit, of: Editing, more: Partial<TextPage> & { revision?: string } = {}, status = 200) {
  const path = editorPath(visit, of.journey);
  const shared = { text: of.text, errors: of.errors, to: `${path}/text`, button: visit.t.journeysKeep, back: path };
  return textPage(visit, { ...shared, hidden: { revision: more.revision ?? of.revision }, ...more }, status);
}

/** What has faults is kept as well, and shown with them. */
const saveText = action('/journeys/:id/edit/text', 'editor', async (visit) => {
  const [text, revision] = [fieldOf(visit.form, 'file'), fieldOf(visit.form, 'revision')];
  const done = await keep(visit, text, revision);
  const of = await editing(visit);
  if (!done.ok) return editText(visit, of, { text, errors: [], revision, refused: done.fault.message }, 422);
  if (of.errors.length > 0) return editText(visit, of, {}, 422);
  return redirect(editorPath(visit, of.journey), visit.t.journeysKept);
});

async function settingsPage(visit: Visit, of: Editing, fault: Fault | null): Promise<Answer> {
  const { t, form } = visit;
  const path = editorPath(visit, of.journey);
  const { name, trigger, audience = '', goal } = of.next ?? EMPTY;
  const id = [...of.audiences].find(([key, called]) => String(key) === audience || called === audience)?.[0];
  const values = { name, trigger, audience: id ?? '', goal: goal?.event ?? '', ends: goal?.ends ?? false };
  const main = html`<h1>${t.journeysChangeSettings}</h1>
    ${of.journey.status === 'active' ? html`<p class="soft">${t.journeysSettingsAtOnce}</p>` : NOTHING}
    ${formOf(visit, {
      operation: SETTINGS,
      fields: await settingsFields(visit),
      fault,
      to: `${path}/settings`,
      button: t.save,
      values: form.size > 0 ? sentOf(form) : values,
      hidden: { revision: fieldOf(form, 'revision') || of.revision },
    })}
    <p><a href="${path}">${t.back}</a></p>`;
  return page(t.journeysChangeSettings, main, fault ? 422 : 200);
}

const saveSettings = action('/journeys/:id/edit/settings', 'editor', async (visit) => {
  const of = await editing(visit);
  const file = fileOf(withSettings(visit.form, of.next ?? EMPTY));
  if (!of.next) return settingsPage(visit, of, { status: 422, message: visit.t.journeysOnlyText, field: null });
  const { errors } = await visit.read(JOURNEY.validate, { workspace: workspaceOf(visit), file });
  const fault = faultAt(visit, errors, ['name', 'trigger', 'audience', 'goal']);
  if (fault) return settingsPage(visit, of, fault);
  const done = await keep(visit, file, fieldOf(visit.form, 'revision'));
  return done.ok ? redirect(editorPath(visit, of.journey), visit.t.journeysKept) : settingsPage(visit, of, done.fault);
});

/** Where the settings and the text of the next version are changed. */
export const JOURNEY_DEFINITION: readonly Screen[] = [
  screen('/journeys/:id/edit/settings', 'editor', async (visit) => settingsPage(visit, await editing(visit), null)),
  saveSettings,
  screen('/journeys/:id/edit/text', 'editor', async (visit) => editText(visit, await editing(visit))),
  saveText,
];
