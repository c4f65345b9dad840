import { noun } from '../../schemas/rules/nouns';
import { linkReport } from '../../schemas/responses/present-link-report';
import { sendTestMail } from './test-mail';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { Stores } from '../../stores/ports';
import { CAMPAIGN_APPROVAL } from './campaign-approval';
import { CAMPAIGN_CONTENT } from './campaign-content';
import { testRefusalError } from './campaign-refusals';
import { CAMPAIGN_RENDER } from './campaign-render';
import { CAMPAIGN_RUN } from './campaign-run';
import { CAMPAIGN_SHOWN, presentCampaign, showCampaign } from './campaign-view';
import {
  argument,
  campaign,
  flag,
  mailAddress,
  operation,
  OperationError,
  option,
  status,
  whole,
  workspace,
  why,
} from '../definition';

const list = operation('campaign.list', 'viewer', {
  summary: 'list campaigns, newest first',
  arguments: { workspace },
  options: {
    limit: option('<n>', 'maximum number of campaigns; default: all', whole(1, 1_000)),
    before: option('<id>', 'only campaigns before this one, for the next page', whole(1, Number.MAX_SAFE_INTEGER)),
    asked: flag('only drafts that await approval'),
  },
  examples: [
    ['campaign list "Toko Melati"', 'one per line'],
    ['campaign list "Toko Melati" --asked', 'those that await approval of an owner'],
  ],
  handler: async ({ workspace: { id }, limit, before, asked }, { stores }) => {
    const found = await stores.campaigns.list(id, { limit, before, asked });
    return { data: found.map(presentCampaign) };
  },
  columns: {
    id: 'id',
    subject: 'subject',
    status: status('status'),
    audience: 'audience_id',
    sent: 'sent_at',
    created: 'created_at',
  },
  none: 'No campaigns yet. Create one: kurir campaign create <workspace>',
});

const show = operation('campaign.show', 'viewer', {
  summary: 'show a campaign and its progress; --json includes its content',
  arguments: { workspace, campaign },
  examples: [['campaign show "Toko Melati" 12', 'its content and status']],
  handler: (input, session) => showCampaign(session, input.campaign),
  ...CAMPAIGN_SHOWN,
});

const links = operation('campaign.links', 'viewer', {
  summary: 'show the tracked links of a campaign, and how many recipients clicked them',
  arguments: { workspace, campaign },
  examples: [['campaign links "Toko Melati" 12', 'in the order of the email']],
  notes: 'Bots are left out, and each recipient counts once per link; percentages are of delivered emails.',
  handler: async (input, { stores }) => {
    const rows = await linkReport(stores, input.campaign);
    return {
      data: rows.map(({ link, url, varies, clicks, clicksByPeople, people, percent }) => ({
        link,
        url,
        varies,
        clicks,
        clicks_by_people: clicksByPeople,
        people,
        percent,
      })),
    };
  },
  columns: {
    link: 'link',
    clicks: 'clicks',
    'clicks without bots': 'clicks_by_people',
    recipients: 'people',
    '% of delivered': 'percent',
    URL: {
      of: ({ url, varies }) => `${url ?? 'unknown'}${varies ? ' (differs by recipient)' : ''}`,
      max: 80,
    },
  },
  none: 'No tracked links: nothing was sent yet, or the email has none.',
});

/** The sending domain of a campaign. */
export async function domainOf({ domains }: Pick<Stores, 'domains'>, domainId: number): Promise<SendingDomain> {
  const found = await domains.get(domainId);
  if (found) return found;
  throw new OperationError(
    why('unknown', { label: '<domain>', what: noun('sending_domain'), text: domainId }),
    'kurir domain list shows the sending domains.',
    null,
  );
}

const test = operation('campaign.test', 'editor', {
  summary: 'send a test email of a campaign; it costs one coin',
  arguments: { workspace, campaign, address: argument('email address of the recipient', mailAddress) },
  examples: [['campaign test "Toko Melati" 12 siti@melati.example', 'its subject starts with [Test]']],
  notes: "The address is added to your contacts if it is new. Test emails are not counted in the campaign's numbers.",
  handler: async ({ address, ...input }, session) => {
    const domain = await domainOf(session.stores, input.campaign.domainId);
    await session.note('campaign test', String(input.campaign.id), input.workspace.id);
    const sent = await sendTestMail(session, { ...input, domain }, address);
    if ('refused' in sent) throw testRefusalError(sent.refused, input.campaign);
    return { message_id: sent.id };
  },
  text: ({ message_id: id }) => `Message ${id} is on its way: kurir message show ${id}\n`,
});

export const CAMPAIGN = {
  ...CAMPAIGN_CONTENT,
  list,
  show,
  links,
  test,
  ...CAMPAIGN_RENDER,
  ...CAMPAIGN_APPROVAL,
  ...CAMPAIGN_RUN,
};
