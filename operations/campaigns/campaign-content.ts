import { campaignReason } from './campaign-refusals';
import { ValueError } from '../../lib/reason';
import type { Block } from '../../domain/campaigns/block';
import { contentOf, type Campaign, type CampaignContent } from '../../domain/campaigns/campaign';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { Workspace } from '../../domain/settings/workspace';
import { defined } from '../../lib/defined';
import { blockFaults, readBlocks } from '../../schemas/campaigns/blocks';
import { compileBlocks } from '../../email/blocks/compile-blocks';
import { splitAddress } from '../../schemas/rules/email-address';
import { ownerOf } from './campaign-approval';
import { CAMPAIGN_SHOWN, withWarnings } from './campaign-view';
import { createCampaign, deleteCampaign, editCampaign } from './change-campaign';
import {
  audience,
  campaign,
  FileFault,
  fileOption,
  fileText,
  mailAddress,
  needed,
  neededFound,
  oneOf,
  operation,
  OperationError,
  option,
  optional,
  ownDomain,
  type Read,
  type ReadFile,
  type Session,
  text,
  UsageError,
  type Values,
  workspace,
  why,
  rule,
} from '../definition';

/** Maximum characters of a body (docs/contract.md#sizes). */
const MAX_BODY = 500_000;

const readBlocksOf: ReadFile<readonly Block[]> = ({ name, text }) => {
  try {
    return readBlocks(JSON.parse(text));
  } catch (error) {
    if (error instanceof ValueError) throw new FileFault(name, error.reason);
    throw error instanceof SyntaxError ? new FileFault(name, rule('not_json')) : error;
  }
};

/** What a campaign consists of, as options. */
export const CONTENT = {
  subject: needed('<text>', 'subject; can contain merge tags', text(255)),
  audience: neededFound('<audience>', 'id or name of the audience', audience),
  domain: neededFound('<domain>', 'id or name of the sending domain', ownDomain),
  html: fileOption('file with the HTML; required before the campaign can be sent', fileText(MAX_BODY)),
  blocks: fileOption('file with the content blocks as JSON (docs/campaigns.md#blocks), instead of HTML', readBlocksOf),
  text: fileOption('file with the plain text; default: generated from the HTML', fileText(MAX_BODY)),
  preheader: option('<text>', 'preview text, shown after the subject in the inbox; can contain merge tags', text(255)),
  from: option('<address>', 'sender address at the sending domain; default: no-reply@<domain>', mailAddress),
  fromName: option('<text>', 'sender name; default: the business name', text(100)),
  replyTo: option('<address>', 'reply-to address', mailAddress),
};

type Changes = Partial<Omit<CampaignContent, 'audienceId' | 'domainId'>>;

/** The fields that `--clear` sets back to their defaults, by their options. */
const CLEARABLE = {
  text: 'text',
  preheader: 'preheader',
  from: 'fromEmail',
  'from-name': 'fromName',
  'reply-to': 'replyTo',
} as const;
const CLEARABLE_OPTIONS = Object.keys(CLEARABLE) as (keyof typeof CLEARABLE)[];

const readClear: Read<Changes> = (raw) => {
  const names = raw.split(',').map((name) => oneOf(...CLEARABLE_OPTIONS)(name));
  return Object.fromEntries(names.map((name) => [CLEARABLE[name], null]));
};

const CHANGES = {
  ...CONTENT,
  subject: optional(CONTENT.subject),
  audience: optional(CONTENT.audience),
  domain: optional(CONTENT.domain),
  clear: option(
    '<options>',
    `reset to the default, comma-separated: any of ${CLEARABLE_OPTIONS.join(', ')}`,
    readClear,
  ),
};

type Change = Values<typeof CHANGES>;
/** The content that some options give. */
export type Given = Partial<Omit<Change, 'audience' | 'domain'>>;

/** The content that the options give. */
const optionsOf = ({ subject, html, blocks, text, preheader, from: fromEmail, fromName, replyTo }: Given): Changes => ({
  ...defined({ subject, html, text, preheader, fromEmail, fromName, replyTo }),
  ...(blocks ? { blocks } : html !== undefined && { blocks: null }),
});

/**
 * The content that the options give, with the HTML that complete blocks make. Throws OperationError when that is too
 * long.
 */
export async function compiledOf(given: Given, { language }: Workspace): Promise<Changes> {
  const content = optionsOf(given);
  if (!content.blocks) return content;
  // A draft is kept whatever is missing. Without HTML it is not sent, by any interface.
  if (content.blocks.length === 0 || blockFaults(content.blocks).length > 0) return { ...content, html: null };
  const html = await compileBlocks(content.blocks, language);
  if (html.length <= MAX_BODY) return { ...content, html };
  throw new OperationError(campaignReason('long_blocks', { label: '--blocks', most: MAX_BODY }), 'Shorten them.');
}

/** Throws UsageError for a mail that is given in both forms. */
export function checkBody({ html, blocks }: { html?: unknown; blocks?: unknown }): void {
  if (html === undefined || blocks === undefined) return;
  throw new UsageError(why('exclude', { one: '--html', other: '--blocks' }), 'Use only one of them.', '--blocks');
}

/** Throws UsageError for a field that is both cleared and set. */
function checkClear(given: Given): void {
  checkBody(given);
  const [cleared, set] = [given.clear ?? {}, optionsOf(given)];
  const both = CLEARABLE_OPTIONS.find((name) => CLEARABLE[name] in cleared && CLEARABLE[name] in set);
  if (both === undefined) return;
  const reason = campaignReason('clear_and_set', { label: '--clear', name: both, option: `--${both}` });
  throw new UsageError(reason, 'Either clear it or set it.');
}

function refuseOtherDomain(fromEmail: string | null, domain: SendingDomain | null): void {
  if (fromEmail === null || !domain || splitAddress(fromEmail).domain === domain.domain) return;
  const reason = campaignReason('other_domain', { label: '--from', email: fromEmail, domain: domain.domain });
  throw new OperationError(reason, 'Choose one, or leave it out.');
}

/** The content of a campaign that nobody wrote yet. */
export const EMPTY = {
  html: null,
  blocks: null,
  text: null,
  preheader: null,
  fromEmail: null,
  fromName: null,
  replyTo: null,
};

/** The content of a campaign with the changes that are given. */
async function changed(
  { stores }: Session,
  now: Campaign,
  given: Change & { workspace: Workspace },
): Promise<CampaignContent> {
  const content = {
    ...contentOf(now),
    audienceId: given.audience?.id ?? now.audienceId,
    domainId: given.domain?.id ?? now.domainId,
    ...given.clear,
    ...(await compiledOf(given, given.workspace)),
  };
  refuseOtherDomain(content.fromEmail, given.domain ?? (await stores.domains.get(now.domainId)));
  return content;
}

const create = operation('campaign.create', 'editor', {
  summary: 'create a draft campaign: one email to an audience',
  arguments: { workspace },
  options: CONTENT,
  examples: [
    [
      'campaign create melati --subject "Promo" --audience Pelanggan --domain melati.example --html promo.html',
      'a draft',
    ],
  ],
  notes: 'Warnings point out possible problems in the content; the campaign is created anyway.',
  check: checkBody,
  handler: async (input, session) => {
    const targets = { audienceId: input.audience.id, domainId: input.domain.id };
    const content = { ...EMPTY, ...(await compiledOf(input, input.workspace)), subject: input.subject, ...targets };
    refuseOtherDomain(content.fromEmail, input.domain);
    return withWarnings(session, await createCampaign(session, input.workspace.id, content));
  },
  ...CAMPAIGN_SHOWN,
});

const edit = operation('campaign.edit', 'editor', {
  summary: 'edit a draft or scheduled campaign; options you leave out stay as they are',
  arguments: { workspace, campaign },
  options: CHANGES,
  examples: [
    ['campaign edit "Toko Melati" 12 --html promo.html --preheader "Hanya hari ini"', 'new content'],
    ['campaign edit "Toko Melati" 12 --clear text,reply-to', 'plain text generated from the HTML again'],
  ],
  check: (given) => {
    checkClear(given);
    const { audience, domain } = given;
    if (Object.keys(defined({ ...given.clear, ...optionsOf(given), audience, domain })).length > 0) return;
    throw new UsageError(why('no_change'), 'see --help');
  },
  handler: async (input, session) => {
    const { workspace: home, campaign: of } = input;
    const content = await changed(session, of, input);
    const outcome = await editCampaign(session, home, of, content, ownerOf(session, home.id));
    if (outcome.kind === 'edited') return withWarnings(session, outcome.campaign);
    throw refused(of.id, outcome, 'not_editable', 'kurir campaign copy creates a draft from it.');
  },
  ...CAMPAIGN_SHOWN,
});

const copy = operation('campaign.copy', 'editor', {
  summary: 'create a draft from another campaign, whatever its status; options change the copy',
  arguments: { workspace, campaign },
  options: CHANGES,
  examples: [['campaign copy "Toko Melati" 12 --subject "Promo Februari"', 'the same email with another subject']],
  check: checkClear,
  handler: async (input, session) => {
    const content = await changed(session, input.campaign, input);
    return withWarnings(session, await createCampaign(session, input.workspace.id, content, input.campaign));
  },
  ...CAMPAIGN_SHOWN,
});

const remove = operation('campaign.delete', 'editor', {
  irreversible: true,
  summary: 'delete a draft',
  arguments: { workspace, campaign },
  examples: [['campaign delete "Toko Melati" 12', 'drafts only: sent campaigns are kept']],
  handler: async ({ campaign: of }, session) => {
    const { id } = of;
    const outcome = await deleteCampaign(session, of);
    if (outcome.kind === 'deleted') return { id, deleted: true };
    const isScheduled = outcome.kind === 'refused' && outcome.status === 'scheduled';
    const fix = isScheduled ? 'kurir campaign unschedule makes it a draft again.' : 'Sent campaigns are kept.';
    throw refused(id, outcome, 'only_draft', fix);
  },
  text: ({ id }) => `Campaign ${id} was deleted.\n`,
});

function refused(
  id: number,
  outcome: { kind: 'refused'; status: string } | { kind: 'unknown' },
  code: 'only_draft' | 'not_editable',
  fix: string,
): OperationError {
  const of = { label: '<campaign>', id };
  if (outcome.kind === 'unknown') return new OperationError(campaignReason('unknown', of));
  return new OperationError(campaignReason(code, { ...of, status: outcome.status }), fix);
}

/** The operations that write the content of a campaign. */
export const CAMPAIGN_CONTENT = { create, edit, copy, delete: remove };
