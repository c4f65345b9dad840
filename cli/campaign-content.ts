import { NEW_CAMPAIGN, type Campaign, type CampaignContent } from '../domain/campaigns/campaign';
import { splitAddress } from '../schemas/rules/email-address';
import { answerCampaign, withWarnings } from './support/campaign-answer';
import type { Session, VerbSpec } from './support/command';
import { CommandError, UsageError } from './support/errors';
import { fileText, mailAddress, oneOf, reference, text, whole, type Input, type Read } from './support/input';
import { findAudience, findCampaign, findOwnDomain, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';

const WORKSPACE = ['<workspace>', 'id or name'] as const;
const CAMPAIGN = [WORKSPACE, ['<campaign>', 'id']] as const;
const ANY_ID = whole(1, Number.MAX_SAFE_INTEGER);
/** Maximum characters of a body (docs/contract.md#sizes). */
const MAX_BODY = 500_000;

const OPTIONS = [
  ['--subject <text>', 'subject; may contain merge tags'],
  ['--audience <audience>', 'id or name of the audience it goes to'],
  ['--domain <domain>', 'id or name of the sending domain'],
  ['--html <file>', 'file with the HTML; without it the campaign cannot be sent'],
  ['--text <file>', 'file with the plain text; default: made from the HTML'],
  ['--preheader <text>', 'what mail programs show next to the subject; may contain merge tags'],
  ['--from <address>', 'sender address at the sending domain; default: no-reply@<domain>'],
  ['--from-name <text>', 'name of the sender; default: the business name'],
  ['--reply-to <address>', 'where answers go'],
] as const;

/** The fields that `--clear` sets back to their defaults, by their options. */
const CLEARABLE = {
  text: 'text',
  preheader: 'preheader',
  from: 'fromEmail',
  'from-name': 'fromName',
  'reply-to': 'replyTo',
} as const;
const CLEAR = [
  '--clear <options>',
  `back to the default: any of ${Object.keys(CLEARABLE).join(', ')}, with commas`,
] as const;

type Changes = Partial<Omit<CampaignContent, 'audienceId' | 'domainId'>>;

/** The parts of the content that the options give, each checked. */
function readChanges(input: Input): Changes {
  const given = <T>(name: string, read: Read<T>): T | undefined => input.option(name, read);
  return withoutUndefined({
    subject: given('subject', text(255)),
    html: given('html', fileText(MAX_BODY)),
    text: given('text', fileText(MAX_BODY)),
    preheader: given('preheader', text(255)),
    fromEmail: given('from', mailAddress),
    fromName: given('fromName', text(100)),
    replyTo: given('replyTo', mailAddress),
  });
}

const withoutUndefined = (changes: { [F in keyof Changes]: Changes[F] | undefined }): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

const readClear: Read<Changes> = (raw) => {
  const names = raw.split(',').map((name) => oneOf(...(Object.keys(CLEARABLE) as (keyof typeof CLEARABLE)[]))(name));
  return Object.fromEntries(names.map((name) => [CLEARABLE[name], null]));
};

/** Which audience and domain are meant; the function finds them, and fails when there are none. */
function readTargets(input: Input) {
  const [audienceName, domainName] = [input.option('audience', reference), input.option('domain', reference)];
  return async ({ stores }: Session, workspaceId: number, now: { audienceId?: number; domainId?: number }) => {
    const audience =
      audienceName === undefined ? null : await findAudience(stores, workspaceId, audienceName, '--audience');
    const domain = await findOwnDomain(stores, workspaceId, domainName ?? String(now.domainId), '--domain');
    return { audienceId: audience?.id ?? now.audienceId ?? 0, domainId: domain.id, domain: domain.domain };
  };
}

function refuseOtherDomain(fromEmail: string | null, domain: string): void {
  if (fromEmail === null || splitAddress(fromEmail).domain === domain) return;
  throw new CommandError(
    `--from: ${fromEmail} is not an address at ${domain}.`,
    'Give one, or leave it out.',
    '--from',
  );
}

const answerWithWarnings = async (session: Session, campaign: Campaign): Promise<Answer> =>
  withWarnings(session, await answerCampaign(session, campaign), campaign);

const EMPTY: Omit<CampaignContent, 'audienceId' | 'domainId' | 'subject'> = {
  html: null,
  text: null,
  preheader: null,
  fromEmail: null,
  fromName: null,
  replyTo: null,
};

const create: VerbSpec = {
  name: 'create',
  summary: 'create a draft campaign: a mail to the members of an audience',
  args: [WORKSPACE],
  options: OPTIONS,
  examples: [
    [
      'campaign create melati --subject "Promo" --audience Pelanggan --domain melati.example --html promo.html',
      'a draft',
    ],
  ],
  notes: 'Warnings name what to look at in the content; the campaign is made all the same.',
  run: (input) => {
    const ref = input.arg('workspace', reference);
    for (const name of ['audience', 'domain']) input.needed(name, reference);
    const subject = input.needed('subject', text(255));
    const findTargets = readTargets(input);
    const changes = readChanges(input);
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const { domain, ...targets } = await findTargets(session, workspace.id, {});
      const content = { ...EMPTY, ...changes, subject, ...targets };
      refuseOtherDomain(content.fromEmail, domain);
      return store(session, workspace.id, content, 'campaign create');
    };
  },
};

async function store(
  session: Session,
  workspaceId: number,
  content: CampaignContent,
  action: string,
  target = content.subject,
): Promise<Answer> {
  const { stores, clock } = session;
  await session.note(action, target, workspaceId);
  const campaign = await stores.campaigns.create({
    ...content,
    ...NEW_CAMPAIGN,
    workspaceId,
    createdAt: clock.now(),
  });
  return answerWithWarnings(session, campaign);
}

/** Throws UsageError for a field that is both cleared and set. */
function mergeChanges(cleared: Changes, set: Changes): Changes {
  const both = (Object.keys(CLEARABLE) as (keyof typeof CLEARABLE)[]).find(
    (option) => CLEARABLE[option] in cleared && CLEARABLE[option] in set,
  );
  if (both === undefined) return { ...cleared, ...set };
  throw new UsageError(`--clear: ${both} is given by --${both} as well.`, 'Clear it or set it.', '--clear');
}

/** Reads a campaign and how its content is to change; the function finds both. */
function readChanged(input: Input) {
  const ref = input.arg('workspace', reference);
  const id = input.arg('campaign', ANY_ID);
  const findTargets = readTargets(input);
  const changes = mergeChanges(input.option('clear', readClear) ?? {}, readChanges(input));
  const isChanged =
    Object.keys(changes).length > 0 || ['audience', 'domain'].some((name) => input.option(name, reference));
  const find = async (session: Session): Promise<{ campaign: Campaign; content: CampaignContent }> => {
    const workspace = await findWorkspace(session.stores, ref);
    const campaign = await findCampaign(session.stores, workspace.id, id);
    const { domain, ...targets } = await findTargets(session, workspace.id, campaign);
    const content = { ...contentOf(campaign), ...changes, ...targets };
    refuseOtherDomain(content.fromEmail, domain);
    return { campaign, content };
  };
  return { isChanged, find };
}

const contentOf = (campaign: Campaign): CampaignContent => ({
  audienceId: campaign.audienceId,
  domainId: campaign.domainId,
  subject: campaign.subject,
  html: campaign.html,
  text: campaign.text,
  preheader: campaign.preheader,
  fromEmail: campaign.fromEmail,
  fromName: campaign.fromName,
  replyTo: campaign.replyTo,
});

const edit: VerbSpec = {
  name: 'edit',
  summary: 'change a draft or a scheduled campaign; what no option names stays',
  args: CAMPAIGN,
  options: [...OPTIONS, CLEAR],
  examples: [
    ['campaign edit "Toko Melati" 12 --html promo.html --preheader "Hanya hari ini"', 'new content'],
    ['campaign edit "Toko Melati" 12 --clear text,reply-to', 'the text is made from the HTML again'],
  ],
  run: (input) => {
    const { isChanged, find } = readChanged(input);
    if (!isChanged) throw new UsageError('No option says what to change.', 'see --help');
    return async (session) => {
      const { campaign, content } = await find(session);
      const { id, workspaceId } = campaign;
      await session.note('campaign edit', `${id} ${content.subject}`, workspaceId);
      const outcome = await session.stores.campaigns.edit(workspaceId, id, content);
      if (outcome.kind === 'edited') return answerWithWarnings(session, outcome.campaign);
      throw refused(
        id,
        outcome,
        'only a draft or a scheduled campaign can be edited',
        'kurir campaign copy makes a draft of it.',
      );
    };
  },
};

const copy: VerbSpec = {
  name: 'copy',
  summary: 'make a draft from another campaign, in any state; options change the copy',
  args: CAMPAIGN,
  options: [...OPTIONS, CLEAR],
  examples: [['campaign copy "Toko Melati" 12 --subject "Promo Februari"', 'the same mail with another subject']],
  run: (input) => {
    const { find } = readChanged(input);
    return async (session) => {
      const { campaign, content } = await find(session);
      return store(session, campaign.workspaceId, content, 'campaign copy', `${campaign.id} ${content.subject}`);
    };
  },
};

const remove: VerbSpec = {
  name: 'delete',
  summary: 'delete a draft',
  args: CAMPAIGN,
  examples: [['campaign delete "Toko Melati" 12', 'only drafts: what was sent stays on record']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const id = input.arg('campaign', ANY_ID);
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const { subject } = await findCampaign(session.stores, workspace.id, id);
      await session.note('campaign delete', `${id} ${subject}`, workspace.id);
      const outcome = await session.stores.campaigns.delete(workspace.id, id);
      if (outcome.kind === 'deleted') return { text: `Campaign ${id} is deleted.\n`, json: { id, deleted: true } };
      const isScheduled = outcome.kind === 'refused' && outcome.status === 'scheduled';
      const fix = isScheduled ? 'kurir campaign unschedule makes it a draft again.' : 'What was sent stays on record.';
      throw refused(id, outcome, 'only a draft can be deleted', fix);
    };
  },
};

function refused(
  id: number,
  outcome: { kind: 'refused'; status: string } | { kind: 'unknown' },
  why: string,
  fix: string,
): CommandError {
  const state = outcome.kind === 'refused' ? `is ${outcome.status}: ${why}` : 'was deleted meanwhile';
  return new CommandError(`<campaign>: campaign ${id} ${state}.`, outcome.kind === 'refused' ? fix : '', '<campaign>');
}

/** The verbs that write the content of a campaign. */
export const CAMPAIGN_CONTENT_VERBS: readonly VerbSpec[] = [create, edit, copy, remove];
