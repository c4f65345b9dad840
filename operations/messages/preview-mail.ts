import type { Campaign } from '../../domain/campaigns/campaign';
import { campaignMessage } from '../../domain/campaigns/campaign-run';
import type { Contact } from '../../domain/contacts/contact';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { Workspace } from '../../domain/settings/workspace';
import { compose } from '../../email/compose';
import { headerBlock } from '../../email/mail-headers';
import { readContent } from '../../sandbox/mail-content';
import { MailFile } from '../../sandbox/mail-file';
import { MailStore } from '../../sandbox/mail-store';

/** What a preview is made of. */
export interface PreviewOf {
  workspace: Workspace;
  domain: SendingDomain;
  campaign: Campaign & { html: string };
  contact: Pick<Contact, 'id' | 'email' | 'name'>;
}

/** A recipient for a preview without a contact: it has no name, so the fallbacks of merge tags are seen. */
export const SAMPLE_RECIPIENT: PreviewOf['contact'] = { id: 0, email: 'budi@example.com', name: null };

export interface PreviewDeps {
  publicUrl: string;
  newId: () => string;
  /** ms */
  now: number;
}

/** In the place of a token: no signed one reads so. */
const NO_MESSAGE = 'preview';

/**
 * The mail that a contact would get of a campaign, without a message behind it: unsigned, its links as they were
 * written and without the open pixel. Its links to unsubscribe and to the page lead to a 404, since there is no
 * message: a mail program may follow them.
 */
export function previewMail(
  { workspace, domain, campaign, contact }: PreviewOf,
  { publicUrl, newId, now }: PreviewDeps,
): Buffer {
  const id = newId();
  const { html, text, preheader } = campaign;
  const { headers, body } = compose({
    message: {
      ...campaignMessage({ campaign: { ...campaign, sentAt: now }, workspace, domain }, contact, now),
      id,
      contactId: contact.id,
    },
    to: contact.email,
    contactName: contact.name,
    body: { html, text },
    preheader,
    attachments: [],
    business: { name: workspace.businessName, address: workspace.businessAddress },
    language: workspace.language,
    marketing: true,
    trackConversions: false,
    unmarkedHosts: [],
    links: {
      clicks: null,
      open: null,
      unsubscribe: `${publicUrl}/u/${NO_MESSAGE}`,
      browser: `${publicUrl}/m/${NO_MESSAGE}`,
    },
    feedback: null,
    sendingDomain: domain.domain,
    now,
  });
  // The audit holds each mail with this header in the sandbox against its message.
  const shown = headers.filter(({ name }) => name !== 'X-Message-id');
  return Buffer.concat([Buffer.from(`${headerBlock(shown)}\r\n`, 'utf8'), body]);
}

/** The html part of a composed mail; null when it has none. */
export const htmlOf = async (mail: Buffer): Promise<string | null> => (await readContent(mail)).html;

/** A composed mail as its recipient reads it. */
export async function readPreview(
  mail: Buffer,
): Promise<{ subject: string; from: string; html: string | null; text: string | null }> {
  const { headers, html, text } = await readContent(mail);
  const header = (wanted: string): string => headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
  return { subject: header('subject'), from: header('from'), html, text };
}

/**
 * Puts a mail into the sandbox's inbox, beside the running service or without it; it triggers no report. Resolves with
 * its id there. Rejects with the errors of the sandbox's file.
 */
export async function putInInbox(path: string, mail: Buffer, recipient: string, now: number): Promise<number> {
  const file = new MailFile(path);
  try {
    return await new MailStore(file).keep({
      receivedAt: now,
      mailFrom: '',
      recipients: [{ address: recipient, notify: null, orcpt: null }],
      envid: null,
      ret: null,
      source: mail,
    });
  } finally {
    file.close();
  }
}
