import { AUDIENCE } from '../../operations/contacts/audience';
import type { Fault } from '../../operations/definition';
import { csvFile } from '../kit/csv';
import { filtersOf } from '../kit/filters';
import { formOf, refusedForm, sentOf, type FieldOptions, type Sent } from '../kit/forms';
import { mailPolicy } from '../kit/guard';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere, workspaceOf } from '../kit/workspace-scope';
import { Refused } from '../kit/perform';
import { action, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { audienceView, formView, listView, optInChoices, type Audience } from './views';

const list = screen('/audiences', 'viewer', async (visit) => {
  const { data } = await visit.read(AUDIENCE.list, { workspace: workspaceOf(visit) });
  return page(visit.t.navAudiences, listView(visit, data));
});

const optIn = ({ t }: Visit): FieldOptions => ({
  label: t.audiencesOptIn,
  help: t.audiencesOptInHelp,
  choices: optInChoices(t),
});

function creating(visit: Visit, sent: Sent | null): Answer {
  const { t, base } = visit;
  const form = formOf(visit, {
    operation: AUDIENCE.create,
    fields: {
      name: { label: t.audiencesName, help: t.audiencesNameHelp },
      description: { label: t.audiencesDescription, help: t.audiencesDescriptionHelp },
      opt_in: optIn(visit),
    },
    to: `${base}/audiences/new`,
    button: t.audiencesCreate,
    values: { opt_in: 'double' },
    sent,
  });
  return page(t.audiencesNew, html`<h1>${t.audiencesNew}</h1>${form}`, sent ? 422 : 200);
}

const create = action('/audiences/new', 'editor', async (visit) => {
  const done = await visit.submit(AUDIENCE.create, { workspace: workspaceOf(visit) });
  if (!done.ok) return creating(visit, refusedForm(visit, done.fault));
  return redirect(`${visit.base}/audiences/${done.json.id}`, visit.t.audiencesCreated);
});

/** The audience is looked up in the workspace of the address: another's is not found. */
const chosen = (visit: Visit) => ({ workspace: workspaceOf(visit), audience: visit.id });
const shown = (visit: Visit) => visit.read(AUDIENCE.show, chosen(visit));

function settings(visit: Visit, of: Audience, fault: Fault | null): Html {
  const { t, base, form } = visit;
  if (!mayHere(visit, 'editor')) return NOTHING;
  const now = { opt_in: of.opt_in_mode, redirect_hosts: of.redirect_hosts.join(', ') || 'none' };
  return html`<h2>${t.audiencesSettings}</h2>
    ${formOf(visit, {
      operation: AUDIENCE.set,
      fields: { opt_in: optIn(visit), redirect_hosts: { label: t.audiencesHosts, help: t.audiencesHostsHelp } },
      to: `${base}/audiences/${of.id}/set`,
      button: t.save,
      values: fault ? sentOf(form) : now,
      fault,
    })}`;
}

async function showAudience(visit: Visit, fault: Fault | null = null): Promise<Answer> {
  const of = await shown(visit);
  const input = { ...chosen(visit), ...filtersOf(visit.query, ['after']) };
  const members = await visit.read(AUDIENCE.members, input);
  return page(of.name, audienceView(visit, of, members, settings(visit, of, fault)), fault ? 422 : 200);
}

const set = action('/audiences/:id/set', 'editor', async (visit) => {
  const { id } = await shown(visit);
  const done = await visit.submit(AUDIENCE.set, chosen(visit));
  if (!done.ok) return showAudience(visit, done.fault);
  return redirect(`${visit.base}/audiences/${id}`, visit.t.audiencesSaved);
});

const resumeForm = action('/audiences/:id/resume-form', 'editor', async (visit) => {
  const { id } = await visit.read(AUDIENCE.set, { ...chosen(visit), resume_form: true });
  return redirect(`${visit.base}/audiences/${id}`, visit.t.audiencesResumed);
});

const publicForm = (visit: Visit) => visit.read(AUDIENCE.form, chosen(visit));

const form = screen('/audiences/:id/form', 'viewer', async (visit) =>
  page(visit.t.audiencesForm, formView(visit, await shown(visit), await publicForm(visit))),
);

/** The mail in the frame. */
const confirmation = screen('/audiences/:id/confirmation', 'viewer', async (visit) => {
  const { confirmation: mail } = await publicForm(visit);
  if (!mail) throw new Refused({ status: 404, message: '', field: null });
  return { kind: 'file', type: 'html', body: mail.html, policy: mailPolicy(visit.services.publicUrl()) };
});

const COLUMNS = ['email', 'name', 'status', 'joined_at', 'confirmed_at'] as const;

const exported = screen('/audiences/:id/export', 'editor', async (visit) => {
  const { id, name } = await shown(visit);
  await visit.note('audience export', name);
  return csvFile(`audience-${id}.csv`, COLUMNS, async (after) =>
    visit.read(AUDIENCE.members, { ...chosen(visit), limit: 1_000, after }),
  );
});

export const AUDIENCES: readonly Screen[] = [
  list,
  screen('/audiences/new', 'editor', async (visit) => creating(visit, null)),
  create,
  screen('/audiences/:id', 'viewer', (visit) => showAudience(visit)),
  set,
  resumeForm,
  form,
  confirmation,
  exported,
];
