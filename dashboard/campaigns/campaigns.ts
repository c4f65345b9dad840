import type { Fault, Input } from '../../operations/spec';
import { formOf, inputOf, sentOf, type FieldOptions } from '../kit/forms';
import { html, NOTHING, type Html } from '../kit/html';
import { action, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import {
  campaignView,
  listView,
  livePart,
  recipientsView,
  storedView,
  type CampaignLink,
  type ListedCampaign,
  type Recipient,
  type ShownCampaign,
} from './views';

const workspaceOf = ({ workspace }: Visit): number => workspace?.id ?? 0;
const mayEdit = ({ access, workspace }: Visit): boolean => workspace !== null && access.may('editor', workspace.id);
const chosen = (visit: Visit): Input => ({ workspace: workspaceOf(visit), campaign: visit.params['id'] ?? '' });
const shown = (visit: Visit): Promise<ShownCampaign> => visit.read('campaign.show', chosen(visit));

const list = screen('/campaigns', 'viewer', async (visit) => {
  const { data } = await visit.read<{ data: ListedCampaign[] }>('campaign.list', { workspace: workspaceOf(visit) });
  return page(visit.t.navCampaigns, listView(visit, data, mayEdit(visit)));
});

async function fieldsOf(visit: Visit): Promise<Record<string, FieldOptions>> {
  const { t } = visit;
  const workspace = workspaceOf(visit);
  const audiences = await visit.read<{ data: { id: number; name: string }[] }>('audience.list', { workspace });
  const domains = await visit.read<{ data: { id: number; domain: string }[] }>('domain.list', { workspace });
  return {
    subject: { label: t.campaignsSubject },
    audience: {
      label: t.campaignsAudience,
      choices: audiences.data.map(({ id, name }) => ({ value: id, label: name })),
    },
    domain: {
      label: t.campaignsDomain,
      choices: domains.data.map(({ id, domain }) => ({ value: id, label: domain })),
    },
    preheader: { label: t.campaignsPreheader, help: t.campaignsPreheaderHelp },
    from: { label: t.campaignsFrom, help: t.campaignsFromHelp },
    from_name: { label: t.campaignsFromName },
    reply_to: { label: t.campaignsReplyTo },
    html: { label: t.campaignsHtml, lines: 'code' },
    text: { label: t.campaignsText, help: t.campaignsTextHelp, lines: 'text' },
  };
}

type Stored = ShownCampaign & { warnings: string[] };

async function editor(visit: Visit, id: string | null, values: object, fault: Fault | null = null): Promise<Answer> {
  const { t, base, csrf } = visit;
  const form = await formOf({
    operation: id === null ? 'campaign.create' : 'campaign.edit',
    fields: await fieldsOf(visit),
    to: id === null ? `${base}/campaigns/new` : `${base}/campaigns/${id}/edit`,
    button: id === null ? t.campaignsCreate : t.save,
    ...{ t, csrf, values: values as Record<string, unknown>, fault },
  });
  const title = id === null ? t.campaignsNew : t.campaignsEdit;
  return page(title, html`<h1>${title}</h1>${form}`, fault ? 422 : 200);
}

/** Warnings are shown once, after the content was stored; without any the campaign follows. */
function stored(visit: Visit, { id, warnings }: Stored): Answer {
  if (warnings.length > 0) return page(visit.t.campaignsSaved, storedView(visit, id, warnings));
  return redirect(`${visit.base}/campaigns/${id}`, visit.t.campaignsSaved);
}

const create = action('/campaigns/new', 'editor', async (visit) => {
  const input = await inputOf('campaign.create', visit.form, { workspace: workspaceOf(visit) });
  const done = await visit.perform('campaign.create', input);
  return done.ok ? stored(visit, done.json as unknown as Stored) : editor(visit, null, sentOf(visit.form), done.fault);
});

/** The fields that are empty in the form and are set back to their defaults, by their options. */
const CLEARED = { text: 'text', preheader: 'preheader', from: 'from', from_name: 'from-name', reply_to: 'reply-to' };

const edit = action('/campaigns/:id/edit', 'editor', async (visit) => {
  const given = await inputOf('campaign.edit', visit.form, chosen(visit));
  const clear = Object.entries(CLEARED).flatMap(([field, option]) => (given[field] === null ? [option] : []));
  const input = { ...given, ...(clear.length > 0 && { clear: clear.join(',') }) };
  const done = await visit.perform('campaign.edit', input);
  if (done.ok) return stored(visit, done.json as unknown as Stored);
  return editor(visit, visit.params['id'] ?? '', sentOf(visit.form), done.fault);
});

const showEdit = screen('/campaigns/:id/edit', 'editor', async (visit) => {
  const of = (await shown(visit)) as ShownCampaign & { from_email: string | null };
  const values = { ...of, audience: of.audience_id, domain: of.domain_id, from: of.from_email };
  return editor(visit, String(of.id), values);
});

async function draftForms(visit: Visit, { id, status }: ShownCampaign, fault: Fault | null): Promise<Html> {
  const { t, base, csrf } = visit;
  const shared = { t, csrf, values: sentOf(visit.form) };
  const test = await formOf({
    ...shared,
    operation: 'campaign.test',
    fields: { address: { label: t.campaignsTestTo, help: t.campaignsTestHelp } },
    to: `${base}/campaigns/${id}/test`,
    button: t.campaignsTest,
    fault: fault?.field === 'address' ? fault : null,
  });
  const schedule = await formOf({
    ...shared,
    operation: 'campaign.schedule',
    fields: { at: { label: t.campaignsAt, help: t.campaignsAtHelp } },
    to: `${base}/campaigns/${id}/schedule`,
    button: t.campaignsSchedule,
    fault: fault?.field === 'at' ? fault : null,
  });
  const mayStart = status === 'draft' || status === 'scheduled';
  return html`<h2>${t.campaignsTest}</h2>
    ${test}${mayStart && html`<h2>${t.campaignsSchedule}</h2>${schedule}`}`;
}

async function showCampaign(visit: Visit, fault: Fault | null = null): Promise<Answer> {
  const campaign = await shown(visit);
  const may = mayEdit(visit);
  if (visit.isPart) return { kind: 'part', main: livePart(visit, campaign, may) };
  const { data: links } = await visit.read<{ data: CampaignLink[] }>('campaign.links', chosen(visit));
  const forms = may ? await draftForms(visit, campaign, fault) : NOTHING;
  const refusal = fault && !['address', 'at'].includes(fault.field ?? '') ? fault.message : null;
  const main = campaignView(visit, { campaign, links, mayEdit: may, forms, refusal });
  return page(campaign.subject, main, fault ? 422 : 200);
}

const recipients = screen('/campaigns/:id/recipients', 'viewer', async (visit) => {
  const campaign = await shown(visit);
  const rows = await visit.read<{ data: Recipient[]; next_after: number | null }>('campaign.recipients', {
    ...chosen(visit),
    after: visit.query['after'] ?? null,
  });
  return page(visit.t.campaignsWho, recipientsView(visit, campaign, rows));
});

/** A form of the page of a campaign; the page shows it again when it is refused. */
const doing = (name: string, notice: 'campaignsDone' | 'campaignsTested' = 'campaignsDone'): Screen =>
  action(`/campaigns/:id/${name}`, 'editor', async (visit) => {
    const input = await inputOf(`campaign.${name}`, visit.form, chosen(visit));
    const done = await visit.perform(`campaign.${name}`, input);
    if (!done.ok) return showCampaign(visit, done.fault);
    // A copy is another campaign; a test mail has no id of one.
    const { id = visit.params['id'] } = done.json as { id?: number };
    const to = name === 'delete' ? '' : `/${id}`;
    return redirect(`${visit.base}/campaigns${to}`, visit.t[notice]);
  });

export const CAMPAIGNS: readonly Screen[] = [
  list,
  screen('/campaigns/new', 'editor', (visit) => editor(visit, null, {})),
  create,
  screen('/campaigns/:id', 'viewer', (visit) => showCampaign(visit)),
  showEdit,
  edit,
  recipients,
  ...['send', 'schedule', 'unschedule', 'pause', 'resume', 'cancel', 'copy', 'delete'].map((name) => doing(name)),
  doing('test', 'campaignsTested'),
];
