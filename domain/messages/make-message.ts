import type { SendingDomain } from '../settings/sending-domain';
import type { Workspace } from '../settings/workspace';
import type { MessageFacts } from './message';

/** Who sends a message. */
export interface MessageSender {
  workspace: Pick<Workspace, 'id' | 'businessName' | 'name'>;
  domain: Pick<SendingDomain, 'id' | 'domain'>;
}

/**
 * What is known of a message before its sender fills in the rest: its id, its recipient, its time and its attachments.
 */
export type Addressed = Pick<MessageFacts, 'id' | 'to' | 'toText' | 'createdAt'> & { attachmentCount?: number };

type Own = Omit<MessageFacts, keyof Addressed | 'contactId' | 'workspaceId' | 'domainId'>;
type Always = 'channel' | 'lane' | 'subject';

/** What a message says of itself. What is left out, or null, is as most messages have it. */
export type Draft = Pick<Own, Always> & { [Name in Exclude<keyof Own, Always>]?: Own[Name] | null | undefined };

/**
 * The sender as the recipient sees it: `no-reply@` the domain, and the name of the business, unless the draft says
 * otherwise.
 */
export const shownSender = (
  { workspace: { businessName, name }, domain: { domain } }: MessageSender,
  { fromEmail, fromName }: Pick<Draft, 'fromEmail' | 'fromName'> = {},
): Pick<MessageFacts, 'fromEmail' | 'fromName'> => ({
  fromEmail: fromEmail ?? `no-reply@${domain}`,
  fromName: fromName ?? (businessName || name),
});

/**
 * Makes the facts of every message: of REST, SMTP, campaigns, journeys, confirmations and tests. Field by field, since
 * spreading twenty fields costs as much as checking them.
 */
export function makeMessage(
  sender: MessageSender,
  draft: Draft,
  { id, to, toText, createdAt, attachmentCount = 0 }: Addressed,
): Omit<MessageFacts, 'contactId'> {
  const { fromEmail, fromName } = shownSender(sender, draft);
  return {
    id,
    workspaceId: sender.workspace.id,
    domainId: sender.domain.id,
    channel: draft.channel,
    lane: draft.lane,
    campaignId: draft.campaignId ?? null,
    journeyId: draft.journeyId ?? null,
    journeyVersion: draft.journeyVersion ?? null,
    journeyStep: draft.journeyStep ?? null,
    category: draft.category ?? null,
    trackClicks: draft.trackClicks ?? false,
    sendAt: draft.sendAt ?? null,
    to,
    toText,
    subject: draft.subject,
    fromEmail,
    fromName,
    replyTo: draft.replyTo ?? null,
    metadata: draft.metadata ?? null,
    attachmentsLeftOut: draft.attachmentsLeftOut ?? 0,
    attachmentCount,
    thread: draft.thread ?? null,
    createdAt,
  };
}
