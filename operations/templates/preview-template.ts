import type { Variables } from '../../domain/messages/message';
import type { Template } from '../../domain/templates/template';
import type { Workspace } from '../../domain/settings/workspace';
import { compose } from '../../email/compose';
import { mergeValues } from '../../email/merge-values';
import { headerBlock } from '../../email/mail-headers';
import { readContent } from '../../sandbox/mail-content';

/** In the place of ids and addresses: there is no message. */
const ID = '00000000-0000-0000-0000-000000000000';
const DOMAIN = 'example.com';

/**
 * What a message of a template would say to a contact without a name, composed as mail is: links as they are written,
 * without the open pixel; the link to unsubscribe leads nowhere. `now` in ms.
 */
export async function previewTemplate(
  { template, workspace, variables }: { template: Template; workspace: Workspace; variables: Variables },
  now: number,
): Promise<{ subject: string; html: string; text: string }> {
  const shared = {
    to: `budi@${DOMAIN}`,
    contactName: null,
    business: { name: workspace.businessName, address: workspace.businessAddress },
    preheader: null,
    now,
  };
  const unsubscribeUrl = `https://${DOMAIN}/u/preview`;
  const { subject } = template;
  const { headers, body } = compose({
    ...shared,
    message: {
      id: ID,
      contactId: 0,
      campaignId: null,
      subject,
      fromEmail: `no-reply@${DOMAIN}`,
      fromName: workspace.businessName,
      replyTo: null,
      thread: null,
    },
    body: { html: template.html, text: template.text, variables },
    attachments: [],
    language: workspace.language,
    marketing: true,
    trackConversions: false,
    unmarkedHosts: [],
    links: { clicks: null, open: null, unsubscribe: unsubscribeUrl, browser: null },
    feedback: null,
    sendingDomain: DOMAIN,
  });
  const mail = Buffer.concat([Buffer.from(`${headerBlock(headers)}\r\n`, 'utf8'), body]);
  const { html, text } = await readContent(mail);
  const merged = mergeValues({ ...shared, subject, unsubscribeUrl, browserUrl: null, variables });
  return { subject: merged.subject, html: html ?? '', text: text ?? '' };
}
