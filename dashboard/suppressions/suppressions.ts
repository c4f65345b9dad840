import { SUPPRESS } from '../../operations/suppressions/suppress';
import { csvFile } from '../kit/csv';
import { filtersOf } from '../kit/filters';
import { refusedForm } from '../kit/forms';
import { workspaceOf } from '../kit/workspace-scope';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { suppressionsView, type Said } from './views';

async function show(
  visit: Visit,
  said: Said,
  filters: { email?: string; after?: string },
  status = 200,
): Promise<Answer> {
  const listed = await visit.read(SUPPRESS.list, { workspace: workspaceOf(visit), ...filters });
  return page(visit.t.suppressionsTitle, suppressionsView(visit, listed, said), status);
}

const list = screen('/suppressions', 'viewer', async (visit) => {
  const filters = filtersOf(visit.query, ['email', 'after']);
  const { email } = filters;
  if (email === undefined) return show(visit, { checked: null, why: null }, filters);
  const done = await visit.perform(SUPPRESS.check, { workspace: workspaceOf(visit), email });
  if (!done.ok) return show(visit, { checked: null, why: done.fault.message }, {}, 422);
  return show(visit, { checked: done.json, why: null }, { email });
});

const add = action('/suppressions/add', 'developer', async (visit) => {
  const { form, base, t } = visit;
  const emails = fieldOf(form, 'emails');
  const done = await visit.submit(SUPPRESS.add, { workspace: workspaceOf(visit) });
  if (!done.ok) return show(visit, { checked: null, why: null, sent: refusedForm(visit, done.fault) }, {}, 422);
  return redirect(
    `${base}/suppressions`,
    filled(t.suppressionsAdded, {
      email: emails
        .trim()
        .split(/\s*\n\s*/)
        .join(', '),
    }),
  );
});

const remove = action('/suppressions/remove', 'developer', async (visit) => {
  const { form, base, t } = visit;
  const email = fieldOf(form, 'email');
  const workspace = workspaceOf(visit);
  const done = await visit.read(SUPPRESS.remove, { workspace, email });
  const reason = done.still_blocked_by;
  const said = reason === null ? t.suppressionsRemoved : t.suppressionsStill;
  return redirect(`${base}/suppressions`, filled(said, { email, reason: reason ?? '' }));
});

const COLUMNS = ['email', 'address_hash', 'reason', 'message_id', 'created_at'] as const;

const exported = screen('/suppressions/export', 'developer', async (visit) => {
  await visit.note('suppress export', 'all suppressions');
  return csvFile('suppressions.csv', COLUMNS, (after) =>
    visit.read(SUPPRESS.list, { workspace: workspaceOf(visit), limit: 1_000, after }),
  );
});

export const SUPPRESSIONS: readonly Screen[] = [list, exported, add, remove];
