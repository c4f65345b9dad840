import { blankObject } from '../../lib/fields';
import type { SendingDomain } from '../settings/sending-domain';
import type { Workspace } from '../settings/workspace';
import { initialOf } from '../field';
import { MESSAGE_FACTS, type MessageFacts } from './message';

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

const { contactId: _contactId, ...MADE } = MESSAGE_FACTS;
const BLANK = { ...blankObject<Omit<MessageFacts, 'contactId'>>(Object.keys(MADE)), ...initialOf(MADE) };

/**
 * Makes the facts of every message: of REST, SMTP, campaigns, journeys, confirmations and tests. What the draft leaves
 * out is as most messages have it.
 */
export function makeMessage(
  sender: MessageSender,
  draft: Draft,
  { id, to, toText, createdAt, attachmentCount = 0 }: Addressed,
): Omit<MessageFacts, 'contactId'> {
  const facts: Omit<MessageFacts, 'contactId'> = { ...BLANK };
  for (const name in draft) {
    const value: unknown = draft[name as keyof Draft];
    if (value != null) (facts as Record<string, unknown>)[name] = value;
  }
  const { fromEmail, fromName } = shownSender(sender, draft);
  facts.fromEmail = fromEmail;
  facts.fromName = fromName;
  facts.id = id;
  facts.workspaceId = sender.workspace.id;
  facts.domainId = sender.domain.id;
  facts.to = to;
  facts.toText = toText;
  facts.attachmentCount = attachmentCount;
  facts.createdAt = createdAt;
  return facts;
}
