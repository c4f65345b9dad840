import type { Command } from 'commander';
import { CAMPAIGN_CONTENT_VERBS } from './campaign-content';
import { links } from './campaign-links';
import { CAMPAIGN_PREVIEW_VERBS } from './campaign-preview';
import { CAMPAIGN_RUN_VERBS } from './campaign-run';
import { answerCampaign, presentCampaign } from './support/campaign-answer';
import type { Commands, VerbSpec } from './support/command';
import { reference, whole } from './support/input';
import { findCampaign, findWorkspace } from './support/lookups';
import { table } from './support/table';
import { showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;

const list: VerbSpec = {
  name: 'list',
  summary: 'the campaigns of a workspace, newest first',
  args: [WORKSPACE],
  examples: [['campaign list "Toko Melati"', 'one per line']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    return async ({ stores, paint }) => {
      const campaigns = await stores.campaigns.list((await findWorkspace(stores, ref)).id);
      return {
        text: table(
          paint,
          [
            { title: 'id' },
            { title: 'subject' },
            { title: 'status', status: true },
            { title: 'audience' },
            { title: 'sent' },
            { title: 'created' },
          ],
          campaigns.map((campaign) => [
            campaign.id,
            campaign.subject,
            campaign.status,
            campaign.audienceId,
            showTime(campaign.sentAt),
            showTime(campaign.createdAt),
          ]),
          'No campaigns yet. Create one: kurir campaign create <workspace>',
        ),
        json: { data: campaigns.map(presentCampaign) },
      };
    };
  },
};

const show: VerbSpec = {
  name: 'show',
  summary: 'one campaign and how far it is; --json includes its content',
  args: [WORKSPACE, ['<campaign>', 'id']],
  examples: [['campaign show "Toko Melati" 12', 'its content and its state']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const id = input.arg('campaign', whole(1, Number.MAX_SAFE_INTEGER));
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      return answerCampaign(session, await findCampaign(session.stores, workspace.id, id));
    };
  },
};

/** The `kurir campaign` commands. */
export const campaignCommand = (commands: Commands): Command =>
  commands.group('campaign', 'campaigns: mails to the members of an audience', [
    ...CAMPAIGN_CONTENT_VERBS,
    list,
    show,
    links,
    ...CAMPAIGN_PREVIEW_VERBS,
    ...CAMPAIGN_RUN_VERBS,
  ]);
