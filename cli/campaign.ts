import type { Command } from 'commander';
import { presentProgress } from '../campaigns/present-progress';
import { NEW_CAMPAIGN, type Campaign } from '../domain/campaign';
import type { SendingDomain } from '../domain/sending-domain';
import type { CampaignProgress } from '../stores/ports/campaign-runs';
import { splitAddress } from '../schemas/email-address';
import { CAMPAIGN_RUN_VERBS } from './campaign-run';
import type { Commands, Session, VerbSpec } from './support/command';
import { CommandError } from './support/errors';
import { fileText, mailAddress, reference, text, whole, type Input } from './support/input';
import { findAudience, findCampaign, findOwnDomain, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import type { Paint } from './support/paint';
import { fields, table, type Cell } from './support/table';
import { jsonTime, showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;
/** Maximum characters of a body (docs/contract.md#sizes). */
const MAX_BODY = 500_000;

type Item = Omit<Campaign, 'html' | 'text'>;

const present = (campaign: Item) => ({
  id: campaign.id,
  subject: campaign.subject,
  status: campaign.status,
  audience_id: campaign.audienceId,
  domain_id: campaign.domainId,
  scheduled_at: jsonTime(campaign.scheduledAt),
  sent_at: jsonTime(campaign.sentAt),
  recipients: campaign.recipients,
  created_at: jsonTime(campaign.createdAt),
});

const size = (content: string | null): string | null => content && `${content.length} characters`;

async function answerCampaign({ paint, stores }: Session, campaign: Campaign): Promise<Answer> {
  const progress = await stores.campaignRuns.progress(campaign);
  return {
    text: campaignText(paint, campaign, progress),
    json: { ...presentWhole(campaign), ...(progress && presentProgress(progress)) },
  };
}

const campaignText = (paint: Paint, campaign: Campaign, progress: CampaignProgress | null): string =>
  fields(paint, [
    ['id', campaign.id],
    ['subject', campaign.subject],
    ['status', campaign.status, 'status'],
    ['audience', campaign.audienceId],
    ['domain', campaign.domainId],
    ['html', size(campaign.html)],
    ['text', size(campaign.text)],
    ['preheader', campaign.preheader],
    ['from', campaign.fromEmail],
    ['from name', campaign.fromName],
    ['reply to', campaign.replyTo],
    ['scheduled', showTime(campaign.scheduledAt)],
    ['sent', showTime(campaign.sentAt)],
    ['recipients', campaign.recipients],
    ['created', showTime(campaign.createdAt)],
    ...(progress && campaign.sentAt !== null ? progressFields(progress) : []),
    ...(campaign.scheduleError === null ? [] : [['not started', campaign.scheduleError] as const]),
  ]);

const progressFields = ({ campaign, counts, opens, clicks, unsubscribes, complaints }: CampaignProgress) => {
  const { recipients, delivered, bounced, failed, skipped, pending, inHand } = counts;
  const became = { delivered, bounced, failed, skipped, pending, 'in hand': inHand };
  return [
    ['cancelled', showTime(campaign.cancelledAt)],
    ['paused', campaign.pauseReason],
    ['listed', recipients],
    ...Object.entries({ ...became, opens, clicks, unsubscribes, complaints }),
  ] as [string, Cell][];
};

const presentWhole = (campaign: Campaign) => ({
  ...present(campaign),
  html: campaign.html,
  text: campaign.text,
  preheader: campaign.preheader,
  from_email: campaign.fromEmail,
  from_name: campaign.fromName,
  reply_to: campaign.replyTo,
  cancelled_at: jsonTime(campaign.cancelledAt),
});

const readContent = (input: Input) => ({
  subject: input.needed('subject', text(255)),
  html: input.option('html', fileText(MAX_BODY)) ?? null,
  text: input.option('text', fileText(MAX_BODY)) ?? null,
  preheader: input.option('preheader', text(255)) ?? null,
  fromEmail: input.option('from', mailAddress) ?? null,
  fromName: input.option('fromName', text(100)) ?? null,
  replyTo: input.option('replyTo', mailAddress) ?? null,
});

function refuseOtherDomain(fromEmail: string | null, { domain }: SendingDomain): void {
  if (fromEmail === null || splitAddress(fromEmail).domain === domain) return;
  throw new CommandError(
    `--from: ${fromEmail} is not an address at ${domain}.`,
    'Give one, or leave it out.',
    '--from',
  );
}

const create: VerbSpec = {
  name: 'create',
  summary: 'create a draft campaign: a mail to the members of an audience',
  args: [WORKSPACE],
  options: [
    ['--subject <text>', 'subject; may contain merge tags'],
    ['--audience <audience>', 'id or name of the audience it goes to'],
    ['--domain <domain>', 'id or name of the sending domain'],
    ['--html <file>', 'file with the HTML; without it the campaign cannot be sent yet'],
    ['--text <file>', 'file with the plain text; default: made from the HTML'],
    ['--preheader <text>', 'what mail programs show next to the subject'],
    ['--from <address>', 'sender address at the sending domain; default: no-reply@<domain>'],
    ['--from-name <text>', 'name of the sender; default: the business name'],
    ['--reply-to <address>', 'where answers go'],
  ],
  examples: [
    [
      'campaign create melati --subject "Promo" --audience Pelanggan --domain melati.example --html promo.html',
      'a draft',
    ],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const audienceName = input.needed('audience', reference);
    const domainName = input.needed('domain', reference);
    const content = readContent(input);
    return async (session) => {
      const { stores, clock } = session;
      const workspace = await findWorkspace(stores, ref);
      const audience = await findAudience(stores, workspace.id, audienceName, '--audience');
      const domain = await findOwnDomain(stores, workspace.id, domainName, '--domain');
      refuseOtherDomain(content.fromEmail, domain);
      await session.note('campaign create', content.subject, workspace.id);
      const campaign = await stores.campaigns.create({
        ...content,
        workspaceId: workspace.id,
        audienceId: audience.id,
        domainId: domain.id,
        ...NEW_CAMPAIGN,
        createdAt: clock.now(),
      });
      return answerCampaign(session, campaign);
    };
  },
};

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
        json: { data: campaigns.map(present) },
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
    create,
    list,
    show,
    ...CAMPAIGN_RUN_VERBS,
  ]);
