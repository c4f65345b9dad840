import type { HandOffJob, Message } from '../../domain/messages/message';
import type { Workspace } from '../../domain/settings/workspace';
import { compose } from '../../email/compose';
import { headerBlock } from '../../email/mail-headers';
import { readContent } from '../../sandbox/mail-content';

/** A message whose content is still there: its contact was not deleted. */
export type KeptMail = HandOffJob & {
  message: Message & { toText: string };
  body: NonNullable<HandOffJob['body']>;
};

export const isKept = (job: HandOffJob): job is KeptMail => job.body !== null && job.message.toText !== null;

/** In the place of a token: no signed one reads so. */
const NO_TOKEN = 'shown';

/** A mail as it is shown to members of the workspace. */
export interface SentMail {
  /** Headers and their values as they were sent, without the signature and those for complaints. */
  source: string;
  html: string | null;
  text: string | null;
}

/**
 * The mail of a message as its recipient got it, or will get it, composed again: unsigned, without its attachments, its
 * links as they were written and without the open pixel. Whoever looks at it can neither unsubscribe the recipient nor
 * count as one, and nobody accepts an invitation to the dashboard so: those links lead to a 404.
 */
export async function sentMail(
  { message, contact, body, preheader }: KeptMail,
  { workspace, domain, publicUrl, now }: { workspace: Workspace; domain: string; publicUrl: string; now: number },
): Promise<SentMail> {
  const { headers, body: content } = compose({
    message,
    to: message.toText,
    contactName: contact?.name ?? null,
    body: { ...body, html: withoutClaim(body.html), text: body.text && withoutClaim(body.text) },
    preheader,
    attachments: [],
    business: { name: workspace.businessName, address: workspace.businessAddress },
    language: workspace.language,
    marketing: message.category === null,
    trackConversions: false,
    unmarkedHosts: [],
    links: {
      clicks: null,
      open: null,
      unsubscribe: `${publicUrl}/u/${NO_TOKEN}`,
      browser: message.campaignId === null ? null : `${publicUrl}/m/${NO_TOKEN}`,
    },
    feedback: null,
    sendingDomain: domain,
    now: message.dispatchedAt ?? now,
  });
  const source = Buffer.concat([Buffer.from(`${headerBlock(headers)}\r\n`, 'utf8'), content]);
  const { html, text } = await readContent(source);
  return { source: source.toString('utf8'), html, text };
}

/** Whoever may look at a mail must not become the person that it invites. */
const withoutClaim = (content: string): string => content.replaceAll(/(\/app\/claim\/)\w+/g, `$1${NO_TOKEN}`);
