import type { Role } from '../../domain/people/role';
import type { Fault, Input } from '../../operations/definition';
import { filtersOf } from '../kit/filters';
import { formOf, inputOf, sentOf, wibTimeOf } from '../kit/forms';
import { html, NOTHING, type Html } from '../kit/html';
import { count, facts } from '../kit/parts';
import { action, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { approvalView } from './approval';
import { EDITOR } from './editor';
import { previewFrame, PREVIEWS } from './preview';
import type { CampaignLink, ListedCampaign, Recipient, Rendered, ShownCampaign } from './shape';
import { campaignView, linksTable, linksView, listView, livePart, pathOf, recipientsView, warningsView } from './views';

const workspaceOf = ({ workspace }: Visit): number => workspace?.id ?? 0;
const mayEdit = ({ access, workspace }: Visit): boolean => workspace !== null && access.may('editor', workspace.id);
const chosen = (visit: Visit): Input => ({ workspace: workspaceOf(visit), campaign: visit.params['id'] ?? '' });
const shown = (visit: Visit): Promise<ShownCampaign> => visit.read('campaign.show', chosen(visit));

/** Campaigns of a page. */
const LIMIT = 50;

const list = screen('/campaigns', 'viewer', async (visit) => {
  const asked = { workspace: workspaceOf(visit), limit: LIMIT, ...filtersOf(visit.query, ['before']) };
  const { data } = await visit.read<{ data: ListedCampaign[] }>('campaign.list', asked);
  const before = data.length === LIMIT ? (data.at(-1)?.id ?? null) : null;
  return page(visit.t.navCampaigns, listView(visit, data, { mayEdit: mayEdit(visit), before }));
});

async function draftForms(
  visit: Visit,
  { id, status, content_hash: seen }: ShownCampaign,
  fault: Fault | null,
): Promise<Html> {
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
    csrf: html`${csrf}<input type="hidden" name="seen" value="${seen}" />`,
    operation: 'campaign.schedule',
    fields: { at: { label: t.campaignsAt, type: 'datetime-local' } },
    to: `${base}/campaigns/${id}/schedule`,
    button: t.campaignsSchedule,
    fault: fault?.field === 'at' ? fault : null,
  });
  const mayStart = status === 'draft' || status === 'scheduled';
  return html`<h2>${t.campaignsTest}</h2>
    ${test}${mayStart && html`<h2>${t.campaignsSchedule}</h2>${schedule}`}`;
}

/** What has to be looked at before a draft goes out. */
async function warnings(visit: Visit, { status }: ShownCampaign): Promise<Html> {
  if (status !== 'draft' && status !== 'scheduled') return NOTHING;
  const done = await visit.perform('campaign.render', chosen(visit));
  return warningsView(visit, done.ok ? (done.json as unknown as Rendered).warnings : [done.fault.message]);
}

/** The mail, and what is to be done before it goes out. */
const middleOf = async (visit: Visit, of: ShownCampaign, fault: Fault | null): Promise<Html> =>
  html`${await warnings(visit, of)}${approvalView(visit, of)}${
    mayEdit(visit) ? await draftForms(visit, of, fault) : NOTHING
  }${of.html !== null && previewFrame(visit, `${pathOf(visit, of.id)}/preview`)}`;

async function showCampaign(visit: Visit, fault: Fault | null = null): Promise<Answer> {
  const campaign = await shown(visit);
  const may = mayEdit(visit);
  if (visit.isPart) return { kind: 'part', main: livePart(visit, campaign, may) };
  const middle = await middleOf(visit, campaign, fault);
  const refusal = fault && !['address', 'at'].includes(fault.field ?? '') ? fault.message : null;
  const main = campaignView(visit, { campaign, mayEdit: may, middle, refusal });
  return page(campaign.subject, main, fault ? 422 : 200);
}

/** Apart from the page, which must not wait for it: all clicks of a large campaign are counted. */
const links = screen('/campaigns/:id/links', 'viewer', async (visit) => {
  const { data } = await visit.read<{ data: CampaignLink[] }>('campaign.links', chosen(visit));
  if (visit.isPart) return { kind: 'part', main: linksTable(visit, data) };
  return page(visit.t.campaignsLinks, linksView(visit, await shown(visit), data));
});

const recipients = screen('/campaigns/:id/recipients', 'viewer', async (visit) => {
  const campaign = await shown(visit);
  const rows = await visit.read<{ data: Recipient[]; next_after: number | null }>('campaign.recipients', {
    ...chosen(visit),
    after: visit.query['after'] ?? null,
  });
  return page(visit.t.campaignsWho, recipientsView(visit, campaign, rows));
});

/** A form of the page of a campaign; the page shows it again when it is refused. */
const doing = (
  name: string,
  {
    role = 'editor',
    notice = 'campaignsDone',
    facts,
  }: { role?: Role; notice?: 'campaignsDone' | 'campaignsTested'; facts?: Screen['facts'] } = {},
): Screen => ({
  ...(facts && { facts }),
  ...action(`/campaigns/:id/${name}`, role, async (visit) => {
    const at = name === 'schedule' && { at: wibTimeOf(visit.form, 'at') };
    const input = await inputOf(`campaign.${name}`, visit.form, { ...chosen(visit), ...at });
    const done = await visit.perform(`campaign.${name}`, input);
    if (!done.ok) return showCampaign(visit, done.fault);
    // A copy is another campaign; a test mail has no id of one.
    const { id = visit.params['id'] } = done.json as { id?: number };
    const to = name === 'delete' ? '' : `/${id}`;
    return redirect(`${visit.base}/campaigns${to}`, visit.t[notice]);
  }),
});

/** To how many it goes at most, and what that costs. */
async function sendFacts(visit: Visit): Promise<Html> {
  const { t, language } = visit;
  const workspace = workspaceOf(visit);
  const { subject, audience_id: audience } = await shown(visit);
  const [members, coins] = await Promise.all([
    visit.read<{ name: string; contacts_count: number }>('audience.show', { workspace, audience }),
    visit.read<{ balance: number }>('coins.balance', { workspace }),
  ]);
  const most = count(members.contacts_count, language);
  return facts([
    [t.campaignsSubject, subject],
    [t.campaignsAudience, members.name],
    [t.campaignsAtMost, most],
    [t.campaignsCost, filled(t.campaignsCostOf, { coins: most, balance: count(coins.balance, language) })],
  ]);
}

/** How many mails are not sent any more. */
async function cancelFacts(visit: Visit): Promise<Html> {
  const { subject, counts } = await shown(visit);
  return facts([
    [visit.t.campaignsSubject, subject],
    [visit.t.campaignsNotSent, count(counts.pending, visit.language)],
  ]);
}

const subjectFacts = async (visit: Visit): Promise<Html> =>
  facts([[visit.t.campaignsSubject, (await shown(visit)).subject]]);

export const CAMPAIGNS: readonly Screen[] = [
  list,
  ...EDITOR,
  ...PREVIEWS,
  screen('/campaigns/:id', 'viewer', (visit) => showCampaign(visit)),
  recipients,
  links,
  doing('send', { facts: sendFacts }),
  doing('cancel', { facts: cancelFacts }),
  doing('delete', { facts: subjectFacts }),
  ...['schedule', 'unschedule', 'pause', 'resume', 'copy', 'ask'].map((name) => doing(name)),
  ...['approve', 'decline'].map((name) => doing(name, { role: 'owner' })),
  doing('test', { notice: 'campaignsTested' }),
];
