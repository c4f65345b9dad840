import { CAMPAIGN } from '../../operations/campaigns/campaign';
import { AUDIENCE } from '../../operations/contacts/audience';
import type { Fault, Operation } from '../../operations/definition';
import { COINS } from '../../operations/ledger/coins';
import { filtersOf } from '../kit/filters';
import { formOf, sentOf, wibTimeOf } from '../kit/forms';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere, workspaceOf } from '../kit/workspace-scope';
import { count, facts } from '../kit/components';
import { action, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { approvalView } from './approval';
import { EDITOR } from './editor';
import { previewFrame, PREVIEWS } from './preview';
import {
  campaignView,
  linksTable,
  linksView,
  listView,
  livePart,
  pathOf,
  recipientsView,
  warningsView,
  type ShownCampaign,
} from './views';

const chosen = (visit: Visit) => ({ workspace: workspaceOf(visit), campaign: visit.id });
const shown = (visit: Visit): Promise<ShownCampaign> => visit.read(CAMPAIGN.show, chosen(visit));

/** Campaigns of a page. */
const LIMIT = 50;

const list = screen('/campaigns', 'viewer', async (visit) => {
  const asked = { workspace: workspaceOf(visit), limit: LIMIT, ...filtersOf(visit.query, ['before']) };
  const { data } = await visit.read(CAMPAIGN.list, asked);
  const before = data.length === LIMIT ? (data.at(-1)?.id ?? null) : null;
  return page(visit.t.navCampaigns, listView(visit, data, { mayEdit: mayHere(visit, 'editor'), before }));
});

function draftForms(visit: Visit, { id, status, content_hash: seen }: ShownCampaign, fault: Fault | null): Html {
  const { t, base } = visit;
  const values = sentOf(visit.form);
  const test = formOf(visit, {
    values,
    operation: CAMPAIGN.test,
    fields: { address: { label: t.campaignsTestTo, help: t.campaignsTestHelp } },
    to: `${base}/campaigns/${id}/test`,
    button: t.campaignsTest,
    fault: fault?.field === 'address' ? fault : null,
  });
  const schedule = formOf(visit, {
    values,
    hidden: { seen },
    operation: CAMPAIGN.schedule,
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
  const done = await visit.perform(CAMPAIGN.render, chosen(visit));
  return warningsView(visit, done.ok ? done.json.warnings : [done.fault.message]);
}

/** The mail, and what is to be done before it goes out. */
const middleOf = async (visit: Visit, of: ShownCampaign, fault: Fault | null): Promise<Html> =>
  html`${await warnings(visit, of)}${approvalView(visit, of)}${
    mayHere(visit, 'editor') && draftForms(visit, of, fault)
  }${of.html !== null && previewFrame(visit, `${pathOf(visit, of.id)}/preview`)}`;

async function showCampaign(visit: Visit, fault: Fault | null = null): Promise<Answer> {
  const campaign = await shown(visit);
  const may = mayHere(visit, 'editor');
  if (visit.isPart) return { kind: 'part', main: livePart(visit, campaign, may) };
  const middle = await middleOf(visit, campaign, fault);
  const refusal = fault && !['address', 'at'].includes(fault.field ?? '') ? fault.message : null;
  const main = campaignView(visit, { campaign, mayEdit: may, middle, refusal });
  return page(campaign.subject, main, fault ? 422 : 200);
}

/** Apart from the page, which must not wait for it: all clicks of a large campaign are counted. */
const links = screen('/campaigns/:id/links', 'viewer', async (visit) => {
  const { data } = await visit.read(CAMPAIGN.links, chosen(visit));
  if (visit.isPart) return { kind: 'part', main: linksTable(visit, data) };
  return page(visit.t.campaignsLinks, linksView(visit, await shown(visit), data));
});

const recipients = screen('/campaigns/:id/recipients', 'viewer', async (visit) => {
  const campaign = await shown(visit);
  const rows = await visit.read(CAMPAIGN.recipients, { ...chosen(visit), after: visit.query['after'] ?? null });
  return page(visit.t.campaignsWho, recipientsView(visit, campaign, rows));
});

interface Doing<J> extends Partial<Pick<Screen, 'role' | 'facts'>> {
  notice?: 'campaignsDone' | 'campaignsTested';
  /** Where it leads below the list, if not back to the campaign. */
  to?: (answer: J) => string;
}

/** A form of the page of a campaign; the page shows it again when it is refused. */
const doing = <J extends object>(
  name: string,
  operation: Operation<ReturnType<typeof chosen> & { at: string; address: string }, J>,
  { role = 'editor', notice = 'campaignsDone', facts, to }: Doing<J> = {},
): Screen => ({
  ...(facts && { facts }),
  ...action(`/campaigns/:id/${name}`, role, async (visit) => {
    const at = name === 'schedule' && { at: wibTimeOf(visit.form, 'at') };
    const done = await visit.submit(operation, { ...chosen(visit), ...at });
    if (!done.ok) return showCampaign(visit, done.fault);
    const path = to ? to(done.json) : `/${chosen(visit).campaign}`;
    return redirect(`${visit.base}/campaigns${path}`, visit.t[notice]);
  }),
});

/** To how many it goes at most, and what that costs. */
async function sendFacts(visit: Visit): Promise<Html> {
  const { t, language } = visit;
  const workspace = workspaceOf(visit);
  const { subject, audience_id: audience } = await shown(visit);
  const [members, coins] = await Promise.all([
    visit.read(AUDIENCE.show, { workspace, audience }),
    visit.read(COINS.balance, { workspace }),
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
  doing('send', CAMPAIGN.send, { facts: sendFacts }),
  doing('cancel', CAMPAIGN.cancel, { facts: cancelFacts }),
  doing('delete', CAMPAIGN.delete, { facts: subjectFacts, to: () => '' }),
  doing('schedule', CAMPAIGN.schedule),
  doing('unschedule', CAMPAIGN.unschedule),
  doing('pause', CAMPAIGN.pause),
  doing('resume', CAMPAIGN.resume),
  doing('copy', CAMPAIGN.copy, { to: ({ id }) => `/${id}` }),
  doing('ask', CAMPAIGN.ask),
  doing('approve', CAMPAIGN.approve, { role: 'owner' }),
  doing('decline', CAMPAIGN.decline, { role: 'owner' }),
  doing('test', CAMPAIGN.test, { notice: 'campaignsTested' }),
];
