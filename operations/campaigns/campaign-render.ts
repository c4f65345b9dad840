import { previewMail, readPreview, SAMPLE_RECIPIENT } from '../messages/preview-mail';
import { makeNewId } from '../../lib/new-id';
import { NEW_CAMPAIGN, type Campaign } from '../../domain/campaigns/campaign';
import { checkContent } from '../../email/check-content';
import { compiledOf, checkBody, CONTENT, EMPTY } from './campaign-content';
import { refusalError, sendWarnings } from './campaign-refusals';
import { publicUrl } from '../installation/public-url';
import { campaign, contact, operation, OperationError, optional, workspace, why } from '../definition';

/** A campaign that is written and not stored yet. */
const UNSTORED: Omit<Campaign, 'workspaceId'> = {
  ...EMPTY,
  ...NEW_CAMPAIGN,
  id: 0,
  audienceId: 0,
  domainId: 0,
  subject: '',
  createdAt: 0,
};

const render = operation('campaign.render', 'viewer', {
  summary:
    'render the email of a campaign, or of content that is not saved yet, as a contact or a sample recipient would get it',
  arguments: {
    workspace,
    campaign: optional(campaign),
    contact: optional({ ...contact, about: 'contact id or email address; default: a sample without a name' }),
  },
  options: {
    subject: optional(CONTENT.subject),
    domain: optional(CONTENT.domain),
    html: CONTENT.html,
    blocks: CONTENT.blocks,
    preheader: CONTENT.preheader,
  },
  examples: [['campaign render "Toko Melati" 12', 'its HTML and warnings']],
  check: checkBody,
  handler: async ({ workspace: of, campaign: stored, contact: given, domain, ...content }, session) => {
    const now = session.clock.now();
    const one: Campaign = {
      ...(stored ?? { ...UNSTORED, workspaceId: of.id }),
      ...(await compiledOf(content, of)),
      ...(domain && { domainId: domain.id, fromEmail: null }),
    };
    const { html } = one;
    if (html === null) throw refusalError({ reason: 'no_content' }, one);
    const sender = domain ?? (stored && (await session.stores.domains.get(stored.domainId)));
    if (!sender) throw new OperationError(why('missing', { label: '--domain' }), 'Choose the sending domain.');
    const to = given ?? SAMPLE_RECIPIENT;
    const mail = previewMail(
      { workspace: of, domain: sender, campaign: { ...one, html }, contact: to },
      { publicUrl: publicUrl(session), newId: makeNewId(session.clock), now },
    );
    return {
      to: to.email,
      sample: given === undefined,
      size: mail.length,
      ...(await readPreview(mail)),
      warnings: [...(stored ? await sendWarnings(session, stored) : []), ...checkContent(one)],
    };
  },
  text: ({ text }) => text ?? '',
});

/** The operations that show a campaign as its recipients will see it. */
export const CAMPAIGN_RENDER = { render };
