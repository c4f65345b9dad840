import { csvFile } from '../kit/csv';
import { filtersOf } from '../kit/filters';
import { inputOf } from '../kit/forms';
import { workspaceOf } from '../kit/own';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { suppressionsView, type Checked, type Listed, type Said } from './views';

async function show(visit: Visit, said: Said, filters: object, status = 200): Promise<Answer> {
  const listed = await visit.read<Listed>('suppress.list', { workspace: workspaceOf(visit), ...filters });
  return page(visit.t.suppressionsTitle, await suppressionsView(visit, listed, said), status);
}

const list = screen('/suppressions', 'viewer', async (visit) => {
  const filters = filtersOf(visit.query, ['email', 'after']);
  const email = filters['email'];
  if (email === undefined) return show(visit, { checked: null, why: null }, filters);
  const done = await visit.perform('suppress.check', { workspace: workspaceOf(visit), email });
  if (!done.ok) return show(visit, { checked: null, why: done.fault.message }, {}, 422);
  return show(visit, { checked: done.json as unknown as Checked, why: null }, { email });
});

const add = action('/suppressions/add', 'developer', async (visit) => {
  const { form, base, t } = visit;
  const emails = fieldOf(form, 'emails');
  const input = await inputOf('suppress.add', form, { workspace: workspaceOf(visit) });
  const done = await visit.perform('suppress.add', input);
  if (!done.ok) return show(visit, { checked: null, why: null, sent: { emails, fault: done.fault } }, {}, 422);
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
  const done = await visit.read<{ still_blocked_by: string | null }>('suppress.remove', { workspace, email });
  const reason = done.still_blocked_by;
  const said = reason === null ? t.suppressionsRemoved : t.suppressionsStill;
  return redirect(`${base}/suppressions`, filled(said, { email, reason: reason ?? '' }));
});

const COLUMNS = ['email', 'address_hash', 'reason', 'message_id', 'created_at'];

const exported = screen('/suppressions/export', 'developer', async (visit) => {
  await visit.note('suppress export', 'the whole list');
  return csvFile('suppressions.csv', COLUMNS, (after) =>
    visit.read<Listed>('suppress.list', { workspace: workspaceOf(visit), limit: 1_000, after }),
  );
});

export const SUPPRESSIONS: readonly Screen[] = [list, exported, add, remove];
