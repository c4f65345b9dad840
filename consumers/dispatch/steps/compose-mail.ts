import type { Clock } from '../../../lib/clock';
import type { Keyring } from '../../../domain/keyring';
import { filledSizeRefusal, mailSizeRefusal } from '../../../domain/messages/mail-size';
import { feedbackId } from '../../../domain/messages/feedback-id';
import { browserLink, messageLinks, verpLocalPart } from '../../../domain/messages/message-tokens';
import type { Message } from '../../../domain/messages/message';
import { bounceDomain } from '../../../domain/settings/sending-domain';
import { AttachmentsGoneError, type Composer, type SignedMail } from '../../../email/composing/composer';
import type { RoutedMail } from '../../../domain/sending/server-routes';
import type { MailLinks } from '../../../email/mail-links';
import type { Envelope, Transport } from '../../../email/transports/transport';
import type { Logger } from '../../../lib/logger';
import type { WorkspaceStore } from '../../../stores/ports/workspace-store';
import type { Result } from '../../../streams/results';
import { endedBefore, type AttemptEnd } from '../attempt-end';
import type { DomainKeys } from '../domain-keys';
import { memoryFilled } from '../mails-in-hand';
import type { FullJob, NeedsMemory } from './load-job';

export interface ReadyMail extends SignedMail {
  envelope: Envelope;
}

export interface Prepared {
  message: Message;
  mail: ReadyMail;
}

/** `room` bytes to fill it in, and the server that the claim names for it. */
interface ComposeHow {
  room: number;
  server?: string | undefined;
}

type Composed = Prepared | NeedsMemory | AttemptEnd;
type Loaded = FullJob | NeedsMemory | AttemptEnd | Result;

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
  /** Names the installation in Feedback-ID, see feedbackSender. */
  feedbackSender: string;
  /** See ComposeInput. */
  unmarkedHosts: readonly string[];
  /** See DispatchDeps. */
  serverOf?: (mail: RoutedMail) => string | null;
  logger: Logger;
}

/**
 * Builds and signs the mail of a job. One that would be larger than the sending server or we allow is refused before
 * its merge tags are filled, as that server would (docs/contract.md#size-of-a-filled-mail); one that takes more than
 * `room` bytes is not filled either. One that cannot be built or signed is a definite failure: the coin is refunded,
 * and the message is retried like any other. Nothing is sent unsigned. `loadAgain` is called when the attachments were
 * lost with the compose worker.
 */
export const composeMail = (deps: ComposeDeps) => {
  const compose = composeOnce(deps);
  const composeOrAgain = async (job: FullJob, how: ComposeHow, loadAgain: () => Promise<Loaded>) => {
    try {
      return await compose(job, how);
    } catch (error) {
      if (!(error instanceof AttachmentsGoneError)) throw error;
      const again = await loadAgain();
      return 'body' in again ? compose(again, how) : again;
    }
  };
  return async function composeMail(
    job: FullJob,
    how: ComposeHow,
    loadAgain: () => Promise<Loaded>,
  ): Promise<Composed | Result> {
    try {
      return await composeOrAgain(job, how, loadAgain);
    } catch (error) {
      const { message } = job;
      deps.logger.error({ err: error, messageId: message.id }, 'a message could not be composed');
      const reason = `The mail could not be composed: ${error instanceof Error ? error.message : String(error)}`;
      return endedBefore(message, { kind: 'not_sent', reason });
    }
  };
};

/** Throws when the mail cannot be built or signed. */
function composeOnce(deps: ComposeDeps) {
  const linksOf = ({ id, campaignId, category, trackClicks }: Message): MailLinks => ({
    ...messageLinks(deps.keyring, deps.publicUrl(), id),
    ...(category === 'transactional' && { open: null, ...(!trackClicks && { clicks: null }) }),
    browser: campaignId === null ? null : browserLink(deps.keyring, deps.publicUrl(), id),
  });
  const largestMail = (server?: string): number =>
    Math.min(deps.transport.largestMail(server) ?? Infinity, deps.maxMail);
  const refused = (message: Message, reply: string): AttemptEnd =>
    endedBefore(message, { kind: 'refused', permanent: true, reply, unasked: true });
  return async (
    { message, contact, body, attachments, preheader }: FullJob,
    { room, server: claimed }: ComposeHow,
  ): Promise<Composed> => {
    // Keep the address as the caller wrote it: only the receiving server may interpret the case of a local part.
    const to = message.toText;
    const workspace = await deps.workspaces.get(message.workspaceId);
    if (!workspace) throw new Error(`message ${message.id} has lost its workspace`);
    const signing = await deps.keys.get(message.domainId);
    const usual = deps.serverOf?.({ ...message, domain: signing.domain }) ?? undefined;
    const server = claimed ?? usual;
    const largest = largestMail(server);
    const from = `${verpLocalPart(deps.keyring, message.id)}@${bounceDomain(signing.domain)}`;
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
      feedback: { id: feedbackId(message, deps.feedbackSender), address: from },
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
      const reply = filledSizeRefusal(mail.size, largest);
      return reply === null ? { message, needs: memoryFilled(mail.size) } : refused(message, reply);
    }
    const reply = mailSizeRefusal(mail.raw.length, deps.maxMail);
    if (reply !== null) return refused(message, reply);
    return { message, mail: { envelope: { from, to, envid: message.id, lane: message.lane, server, usual }, ...mail } };
  };
}
