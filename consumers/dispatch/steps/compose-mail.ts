import type { Clock } from '../../../lib/clock';
import type { Keyring } from '../../../domain/keyring';
import { filledSizeRefusal, mailSizeRefusal, type FilledSize } from '../../../domain/messages/mail-size';
import { browserLink, messageLinks, verpLocalPart } from '../../../domain/messages/message-tokens';
import type { Message } from '../../../domain/messages/message';
import { bounceDomain } from '../../../domain/settings/sending-domain';
import type { Composer, SignedMail } from '../../../email/composing/composer';
import type { MailLinks } from '../../../email/mail-links';
import type { Envelope, Transport } from '../../../email/transports/transport';
import type { WorkspaceStore } from '../../../stores/ports/workspace-store';
import type { DomainKeys } from '../domain-keys';
import type { FullJob } from './load-job';

export interface ReadyMail extends SignedMail {
  envelope: Envelope;
}

/** A mail that is not handed over: it is too large for the sending server, or it needs more memory first. */
export type NotComposed = { refused: string } | { needs: FilledSize };

export interface ComposeDeps {
  workspaces: Pick<WorkspaceStore, 'get'>;
  keys: DomainKeys;
  keyring: Keyring;
  clock: Clock;
  publicUrl: () => string;
  composer: Pick<Composer, 'compose'>;
  transport: Pick<Transport, 'largestMail'>;
  /** The largest mail that is composed, bytes. */
  maxMail: number;
  /** See ComposeInput. */
  unmarkedHosts: readonly string[];
}

/**
 * Builds and signs the mail of a job. One that would be larger than the sending server or we allow is refused before its
 * merge tags are filled (docs/contract.md#size-of-a-filled-mail); one that takes more than `room` bytes is not filled
 * either. Throws when it cannot be built or signed. Nothing is sent unsigned.
 */
export const composeMail = (deps: ComposeDeps) => {
  const linksOf = ({ id, campaignId, category, trackClicks }: Message): MailLinks => ({
    ...messageLinks(deps.keyring, deps.publicUrl(), id),
    ...(category === 'transactional' && { open: null, ...(!trackClicks && { clicks: null }) }),
    browser: campaignId === null ? null : browserLink(deps.keyring, deps.publicUrl(), id),
  });
  const largestMail = (): number => Math.min(deps.transport.largestMail() ?? Infinity, deps.maxMail);
  return async function composeMail(
    { message, contact, body, attachments, preheader }: FullJob,
    room: number,
  ): Promise<ReadyMail | NotComposed> {
    // Keep the address as the caller wrote it: only the receiving server may interpret the case of a local part.
    const to = message.toText;
    const workspace = await deps.workspaces.get(message.workspaceId);
    if (!workspace) throw new Error(`message ${message.id} has lost its workspace`);
    const signing = await deps.keys.get(message.domainId);
    const largest = largestMail();
    const job = {
      message,
      to,
      contactName: contact?.name ?? null,
      body,
      attachments,
      business: { name: workspace.businessName, address: workspace.businessAddress },
      language: workspace.language,
      marketing: message.category === null,
      trackConversions: workspace.trackConversions,
      unmarkedHosts: deps.unmarkedHosts,
      links: linksOf(message),
      preheader,
      sendingDomain: signing.domain,
      now: deps.clock.now(),
      selector: signing.selector,
      key: signing.key,
      largest,
      room,
    };
    const mail = await deps.composer.compose(job, message.workspaceId);
    if ('size' in mail) {
      const refused = filledSizeRefusal(mail.size, largest);
      return refused === null ? { needs: mail.size } : { refused };
    }
    const refused = mailSizeRefusal(mail.raw.length, deps.maxMail);
    if (refused !== null) return { refused };
    const from = `${verpLocalPart(deps.keyring, message.id)}@${bounceDomain(signing.domain)}`;
    return { envelope: { from, to, envid: message.id }, ...mail };
  };
};
