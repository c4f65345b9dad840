import type { Clock } from '../../../domain/clock';
import type { Keyring } from '../../../domain/keyring';
import { messageLinks, verpLocalPart } from '../../../domain/message-tokens';
import { bounceDomain } from '../../../domain/sending-domain';
import { compose } from '../../../email/compose';
import { signMail } from '../../../email/dkim';
import type { Signatures } from '../../../email/signing/signatures';
import type { Envelope } from '../../../email/transports/transport';
import type { WorkspaceStore } from '../../../stores/ports/workspace-store';
import type { DomainKeys } from '../domain-keys';
import type { FullJob } from './load-job';

export interface ReadyMail {
  envelope: Envelope;
  raw: Buffer;
  /** Destinations of the tracked links, by number. */
  destinations: string[];
}

export interface ComposeDeps {
  workspaces: Pick<WorkspaceStore, 'get'>;
  keys: DomainKeys;
  keyring: Keyring;
  clock: Clock;
  publicUrl: () => string;
  signatures: Pick<Signatures, 'rsaSha256'>;
}

/** Builds and signs the mail of a job. Throws when it cannot be built or signed; nothing is sent unsigned. */
export const composeMail = (deps: ComposeDeps) =>
  async function composeMail({ message, contact, body, attachments }: FullJob): Promise<ReadyMail> {
    // As the caller wrote it: the case of a local part is its server's business.
    const to = message.toText;
    const workspace = await deps.workspaces.get(message.workspaceId);
    if (!workspace) throw new Error(`message ${message.id} has lost its workspace`);
    const signing = await deps.keys.get(message.domainId);
    const now = deps.clock.now();
    const mail = compose({
      message,
      to,
      contactName: contact?.name ?? null,
      body,
      attachments,
      business: { name: workspace.businessName, address: workspace.businessAddress },
      trackConversions: workspace.trackConversions,
      links: messageLinks(deps.keyring, deps.publicUrl(), message.id),
      sendingDomain: signing.domain,
      now,
    });
    const { domain, selector, key } = signing;
    const raw = await signMail(mail, { domain, selector, key, now, signatures: deps.signatures });
    const from = `${verpLocalPart(deps.keyring, message.id)}@${bounceDomain(signing.domain)}`;
    return { envelope: { from, to, envid: message.id }, raw, destinations: mail.destinations };
  };
