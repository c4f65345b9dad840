import type { Clock } from '../../../domain/clock';
import type { Keyring } from '../../../domain/keyring';
import type { HandOffJob } from '../../../domain/message';
import { messageLinks, verpLocalPart } from '../../../domain/message-tokens';
import { bounceDomain } from '../../../domain/sending-domain';
import type { MailFacts } from '../../../email/mail-headers';
import type { MadeMail, MailMaker } from '../../../email/making/make-mail';
import type { Envelope } from '../../../email/transports/transport';
import type { WorkspaceStore } from '../../../stores/ports/workspace-store';
import type { DomainKeys } from '../domain-keys';

export interface ReadyMail extends MadeMail {
  envelope: Envelope;
}

export interface ComposeDeps {
  workspaces: Pick<WorkspaceStore, 'get'>;
  keys: DomainKeys;
  maker: MailMaker;
  keyring: Keyring;
  clock: Clock;
  publicUrl: () => string;
}

/** Has the mail of a job built and signed. Throws when it cannot be; nothing is sent unsigned. */
export const composeMail = (deps: ComposeDeps) =>
  async function composeMail({ message, contact, body, attachments }: HandOffJob): Promise<ReadyMail> {
    // As the caller wrote it: the case of a local part is its server's business.
    const to = message.toText;
    const workspace = await deps.workspaces.get(message.workspaceId);
    if (to === null || !workspace) throw new Error(`message ${message.id} has lost its recipient or workspace`);
    const signing = await deps.keys.get(message.domainId);
    const { clickBase, open, unsubscribe } = messageLinks(deps.keyring, deps.publicUrl(), message.id);
    const made = await deps.maker.make({
      message: mailFacts(message),
      to,
      contactName: contact?.name ?? null,
      body,
      attachments,
      business: { name: workspace.businessName, address: workspace.businessAddress },
      trackConversions: workspace.trackConversions,
      links: { clickBase, open, unsubscribe },
      sendingDomain: signing.domain,
      selector: signing.selector,
      privateKeyPem: signing.privateKeyPem,
      now: deps.clock.now(),
    });
    const from = `${verpLocalPart(deps.keyring, message.id)}@${bounceDomain(signing.domain)}`;
    return { envelope: { from, to, envid: message.id }, ...made };
  };

/** No more than the mail is made of: the rest would be copied to another thread for nothing. */
function mailFacts({ id, contactId, campaignId, subject, fromEmail, fromName, replyTo }: MailFacts): MailFacts {
  return { id, contactId, campaignId, subject, fromEmail, fromName, replyTo };
}
