import { acceptMessage } from '../messages/accept/accept-messages';
import { Refusal } from '../messages/accept/refusal';
import { shownSender } from '../../domain/messages/make-message';
import { RECIPIENT_TEXTS } from '../../domain/recipient-texts';
import { firstActive, type SendingDomain } from '../../domain/settings/sending-domain';
import type { Workspace } from '../../domain/settings/workspace';
import { noticeMail, plain } from '../../email/notice-mail';
import { makeNewId } from '../../lib/new-id';
import type { Operator } from '../definition/operator';

export interface PersonalLink {
  email: string;
  /** Makes the link once it is known who sends it: only the mail has it. */
  link: () => Promise<string>;
  /** Where it leads: the workspace, or the host of the installation. */
  place: string;
}

/** Who sends and pays: a workspace from its domain. */
export interface LinkSender {
  workspace: Workspace;
  /** Null: its first active one. */
  domain: SendingDomain | null;
}

/**
 * Mails a link that works once, of an invitation or for a new password, as a transactional mail that the sender pays
 * for. Null once it is accepted; otherwise why it was not, in words. The address passes the checks of any recipient,
 * with their penalty (docs/contract.md#penalty-for-a-forced-send). Rejects when a store or the log does.
 */
export async function mailLink(
  operator: Pick<Operator, 'stores' | 'log' | 'clock' | 'keyring'>,
  about: 'invitation' | 'reset',
  { email, link, place }: PersonalLink,
  { workspace, domain: named }: LinkSender,
): Promise<string | null> {
  const { stores, log, clock } = operator;
  if (workspace.suspended || !workspace.emailModule) return `Workspace ${workspace.name} cannot send email.`;
  const domain = named ?? firstActive(await stores.domains.list(workspace.id));
  if (domain?.status !== 'active') return `Workspace ${workspace.name} has no active sending domain.`;
  const { language, businessAddress: address } = workspace;
  const words = RECIPIENT_TEXTS[language][about];
  const subject = words.subject(plain(place));
  const business = { name: shownSender({ workspace, domain }).fromName, address };
  const ask = (press: string): string => words.ask(plain(place), press);
  const deps = { stores, log, clock, keyring: await operator.keyring(), newId: makeNewId(clock) };
  const accepted = await acceptMessage(deps, {
    sender: { workspace, domain },
    draft: { channel: 'app', lane: 'transactional', category: 'transactional', subject },
    recipient: { address: email, ofService: true },
    body: noticeMail({ language, subject, ask, words, link: await link(), business }),
  });
  return accepted instanceof Refusal ? accepted.message : null;
}
