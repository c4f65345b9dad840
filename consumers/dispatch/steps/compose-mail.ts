import type { Clock } from '../../../lib/clock';
import type { Keyring } from '../../../domain/keyring';
import { browserLink, messageLinks, verpLocalPart } from '../../../domain/message-tokens';
import type { Message } from '../../../domain/message';
import { bounceDomain } from '../../../domain/sending-domain';
import type { Composer, SignedMail } from '../../../email/composing/composer';
import type { MailLinks } from '../../../email/mail-links';
import type { Envelope } from '../../../email/transports/transport';
import type { WorkspaceStore } from '../../../stores/ports/workspace-store';
import type { DomainKeys } from '../domain-keys';
import type { FullJob } from './load-job';

export interface ReadyMail extends SignedMail {
  envelope: Envelope;
}

export interface ComposeDeps {
  workspaces: Pick<WorkspaceStore, 'get'>;
  keys: DomainKeys;
  keyring: Keyring;
  clock: Clock;
  publicUrl: () => string;
  composer: Pick<Composer, 'compose'>;
  /** See ComposeInput. */
  unmarkedHosts: readonly string[];
}

/** Builds and signs the mail of a job. Throws when it cannot be built or signed. Nothing is sent unsigned. */
export const composeMail = (deps: ComposeDeps) => {
  const linksOf = ({ id, campaignId, category, trackClicks }: Message): MailLinks => ({
    ...messageLinks(deps.keyring, deps.publicUrl(), id),
    ...(category === 'transactional' && { open: null, ...(!trackClicks && { clicks: null }) }),
    browser: campaignId === null ? null : browserLink(deps.keyring, deps.publicUrl(), id),
  });
  return async function composeMail({ message, contact, body, attachments, preheader }: FullJob): Promise<ReadyMail> {
    // Keep the address as the caller wrote it: only the receiving server may interpret the case of a local part.
    const to = message.toText;
    const workspace = await deps.workspaces.get(message.workspaceId);
    if (!workspace) throw new Error(`message ${message.id} has lost its workspace`);
    const signing = await deps.keys.get(message.domainId);
    const mail = await deps.composer.compose({
      message,
      to,
      contactName: contact?.name ?? null,
      body,
      attachments,
      business: { name: workspace.businessName, address: workspace.businessAddress },
      marketing: message.category === null,
      trackConversions: workspace.trackConversions,
      unmarkedHosts: deps.unmarkedHosts,
      links: linksOf(message),
      preheader,
      sendingDomain: signing.domain,
      now: deps.clock.now(),
      selector: signing.selector,
      key: signing.key,
    });
    const from = `${verpLocalPart(deps.keyring, message.id)}@${bounceDomain(signing.domain)}`;
    return { envelope: { from, to, envid: message.id }, ...mail };
  };
};
