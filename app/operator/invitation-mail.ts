import { acceptMessage } from '../../commands/accept/accept-messages';
import { Refusal } from '../../commands/accept/refusal';
import { shownSender } from '../../domain/messages/make-message';
import { RECIPIENT_TEXTS } from '../../domain/recipient-texts';
import { firstActive, type SendingDomain } from '../../domain/settings/sending-domain';
import type { Workspace } from '../../domain/settings/workspace';
import { noticeMail, plain } from '../../email/notice-mail';
import { makeNewId } from '../services';
import type { Operator } from './operator';

export interface Invitation {
  email: string;
  link: string;
  /** Where the person is to work: the workspace, or for an operator the host of the installation. */
  place: string;
}

/** Who sends and pays: a workspace from its domain. */
export interface InvitationSender {
  workspace: Workspace;
  /** Null: its first active one. */
  domain: SendingDomain | null;
}

/**
 * Mails the link of an invitation, as a transactional mail that the sender pays for. Null once it is accepted;
 * otherwise why it was not, in words. The address passes the checks of any recipient, with their penalty
 * (docs/contract.md#penalty-for-a-forced-send). Rejects when a store or the log does.
 */
export async function mailInvitation(
  operator: Pick<Operator, 'stores' | 'log' | 'clock' | 'keyring'>,
  { email, link, place }: Invitation,
  { workspace, domain: named }: InvitationSender,
): Promise<string | null> {
  const { stores, log, clock } = operator;
  if (workspace.suspended || !workspace.emailModule) return `Workspace ${workspace.name} may not send mail.`;
  const domain = named ?? firstActive(await stores.domains.list(workspace.id));
  if (domain?.status !== 'active') return `Workspace ${workspace.name} has no active sending domain.`;
  const { language, businessAddress: address } = workspace;
  const words = RECIPIENT_TEXTS[language].invitation;
  const subject = words.subject(plain(place));
  const business = { name: shownSender({ workspace, domain }).fromName, address };
  const ask = (press: string): string => words.ask(plain(place), press);
  const deps = { stores, log, clock, keyring: await operator.keyring(), newId: makeNewId(clock) };
  const accepted = await acceptMessage(deps, {
    sender: { workspace, domain },
    draft: { channel: 'app', lane: 'transactional', category: 'transactional', subject },
    recipient: { address: email },
    body: noticeMail({ language, subject, ask, words, link, business }),
  });
  return accepted instanceof Refusal ? accepted.message : null;
}
