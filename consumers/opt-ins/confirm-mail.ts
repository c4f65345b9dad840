import { refusingStatus } from '../../domain/contacts/contact';
import type { AcceptDeps } from '../../operations/messages/accept/accept-deps';
import { acceptMessage } from '../../operations/messages/accept/accept-messages';
import { mailboxOf } from '../../domain/addresses/mailbox-of';
import { confirmLink } from '../../domain/contacts/confirm-token';
import { shownSender } from '../../domain/messages/make-message';
import {
  CONFIRM_WITHIN,
  CONFIRMATIONS_A_DAY,
  CONFIRMATIONS_OF_A_WORKSPACE,
  confirmationKeys,
  confirmationMessageId,
  hasLeft,
} from '../../domain/contacts/opt-in';
import type { Language } from '../../domain/settings/language';
import { firstActive, type SendingDomain } from '../../domain/settings/sending-domain';
import { nextWibMidnight } from '../../domain/wib';
import type { Workspace } from '../../domain/settings/workspace';
import { MINUTE } from '../../lib/clock';
import { DuplicateError } from '../../lib/errors';
import type { Logger } from '../../lib/logger';
import type { Stores } from '../../stores/ports';
import type { MemberRef, OptIn } from '../../stores/ports/opt-ins';
import { done, type DueOutcome, type EachTask } from '../due-work/due-work';
import { confirmationMail } from '../../email/confirmation-mail';

export interface ConfirmMailDeps extends Omit<AcceptDeps, 'stores'> {
  stores: AcceptDeps['stores'] & {
    domains: Pick<Stores['domains'], 'list'>;
    messages: Pick<Stores['messages'], 'get' | 'findByIdempotencyKey'>;
    workspaces: Pick<Stores['workspaces'], 'get'>;
    optIns: Pick<Stores['optIns'], 'find'>;
  };
  publicUrl: () => string;
  logger: Pick<Logger, 'warn'>;
}

/** Between two looks for an active domain, or for the end of a suspension or of a pause of the form. */
const RETRY = 15 * MINUTE;

type Outcome = DueOutcome<'confirm-mail'>;

/**
 * Sends the mail that asks a member to confirm (docs/contract.md#double-opt-in). A mailbox gets three a WIB day of a
 * workspace and ten of all at most; the next one goes out the day after. A repeat after a crash makes no second mail:
 * the request has an idempotency key.
 */
export function confirmMail(deps: ConfirmMailDeps): EachTask<'confirm-mail'> {
  return {
    each: async ({ id, workspaceId, payload }) => {
      const [audienceId, contactId, asked] = id.split(':').map(Number) as [number, number, number];
      const ref = { workspaceId, audienceId, contactId };
      const now = deps.clock.now();
      const optIn = await deps.stores.optIns.find(ref);
      if (!optIn || !mayAsk(optIn, asked, now)) return done;
      const { pausedAt, since } = optIn.audience.formBrake;
      if (pausedAt !== null) return again(now + RETRY);
      // What came in with the bounces would only pause the form again, at the owner's cost.
      if (optIn.member!.pendingUntil! - CONFIRM_WITHIN <= since) return done;
      const workspace = await deps.stores.workspaces.get(workspaceId);
      if (!workspace) return done;
      const domain = workspace.suspended ? null : firstActive(await deps.stores.domains.list(workspaceId));
      if (!domain) {
        if (!workspace.suspended)
          deps.logger.warn({ workspaceId }, 'no active domain to send confirmation emails from');
        return again(now + RETRY);
      }
      const language = payload.language ?? workspace.language;
      return send(deps, { ref, optIn, workspace, domain, language }, now);
    },
  };
}

const again = (dueAt: number): Outcome => ({ kind: 'again', next: { dueAt } });

/** False when the request is no longer open, was followed by another, or the address takes no mail. */
function mayAsk({ member, contact, suppressed }: OptIn, asked: number, now: number): boolean {
  if (member?.asked !== asked || member.confirmedAt !== null) return false;
  if (member.pendingUntil === null || member.pendingUntil <= now || suppressed) return false;
  return refusingStatus(contact.status) === null || (contact.status === 'unsubscribed' && !hasLeft(member, contact));
}

interface Asking {
  ref: MemberRef;
  optIn: OptIn;
  workspace: Workspace;
  domain: SendingDomain;
  language: Language;
}

async function send(deps: ConfirmMailDeps, asking: Asking, now: number): Promise<Outcome> {
  const { messages } = deps.stores;
  const { ref, optIn } = asking;
  const { asked, pendingUntil } = optIn.member!;
  const key = `${confirmationKeys(ref.audienceId, ref.contactId)}${asked}:${pendingUntil}`;
  if (await messages.findByIdempotencyKey(ref.workspaceId, key)) return done;
  const mailbox = deps.keyring.hashAddress(mailboxOf(optIn.contact.email));
  let own = 0;
  // The numbers are taken in their order: whoever takes one has seen all before it, and counted those of its workspace.
  for (let n = 1; n <= CONFIRMATIONS_A_DAY && own < CONFIRMATIONS_OF_A_WORKSPACE; n += 1) {
    const id = confirmationMessageId(mailbox, now, n);
    let taken = await messages.get(id);
    if (!taken && (await accept(deps, asking, id, key))) return done;
    taken ??= await messages.get(id);
    // Another process has just made the mail of this request.
    if (!taken) return again(now);
    if (taken.workspaceId === ref.workspaceId) own += 1;
  }
  return again(nextWibMidnight(now));
}

/** False when another request took the id at the same moment. */
async function accept(
  deps: ConfirmMailDeps,
  { ref, optIn, workspace, domain, language }: Asking,
  id: string,
  idempotencyKey: string,
): Promise<boolean> {
  const { contact, audience } = optIn;
  const { subject, body } = confirmationMail({
    language,
    audience: audience.name,
    business: { name: shownSender({ workspace, domain }).fromName, address: workspace.businessAddress },
    link: confirmLink(deps.keyring, deps.publicUrl(), ref),
  });
  try {
    await acceptMessage(
      { ...deps, newId: () => id },
      {
        sender: { workspace, domain },
        draft: { channel: 'app', lane: 'transactional', category: 'transactional', subject },
        recipient: { contact },
        body,
        idempotencyKey,
      },
    );
    return true;
  } catch (error) {
    if (error instanceof DuplicateError) return false;
    throw error;
  }
}
