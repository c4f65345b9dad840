import { refusingStatus } from '../../domain/contacts/contact';
import type { AcceptDeps } from '../../operations/messages/accept/accept-deps';
import { acceptMessages } from '../../operations/messages/accept/accept-messages';
import type { PreparedMessage } from '../../operations/messages/accept/accept-request';
import { Refusal } from '../../operations/messages/accept/refusal';
import { journeyMessageId, type LeaveReason } from '../../domain/journeys/enrollment';
import type { JourneyStep } from '../../domain/journeys/journey';
import type { Stores } from '../../stores/ports';
import { senderOf, type StepSender } from '../../operations/journeys/step-refusals';
import type { Walk } from '../../operations/journeys/walk';

export interface MailStepDeps {
  stores: Pick<Stores, 'workspaces' | 'contacts'>;
  accept: AcceptDeps;
}

/** A walk that stands at an email step. */
export interface AtMail {
  walk: Walk;
  number: number;
  step: Extract<JourneyStep, { kind: 'email' }>;
}

interface Prepared {
  walk: Walk;
  /** The walk as it is if the mail is accepted. Its round is written in the same commit. */
  ahead: Walk;
  message: PreparedMessage;
}

/**
 * Accepts the mails of email steps in one commit, each with the round that did it: the mail is there exactly if the
 * step is, and none is made for an enrollment that ended. The id of each comes from its enrollment and step.
 */
export async function takeMailSteps(deps: MailStepDeps, at: readonly AtMail[]): Promise<void> {
  const senders = await readSenders(deps, at);
  const prepared: Prepared[] = [];
  for (const { walk, number, step } of at) {
    const { enrollment, contact } = walk.opened;
    const sender = senders(enrollment.workspaceId, step.domainId);
    if (typeof sender === 'string') walk.done({ outcome: 'refused', reason: sender });
    else if (contact) {
      const messageId = journeyMessageId(enrollment.id, number, enrollment.dueAt ?? enrollment.enrolledAt);
      const ahead = walk.pastMail(messageId);
      const recipient = { contact, messageId, round: ahead.round() };
      prepared.push({ walk, ahead, message: prepare({ walk, number, step }, recipient, sender) });
    }
  }
  if (prepared.length === 0) return;
  const results = await acceptMessages(
    deps.accept,
    prepared.map(({ message }) => message),
  );
  for (const [n, result] of results.entries()) {
    const { walk, ahead } = prepared[n]!;
    if (!(result instanceof Refusal)) {
      if (result.kind === 'accepted') walk.goOnFrom(ahead);
      else walk.done({ outcome: 'done', messageId: result.id });
    } else if (result.reason === 'stale_step') walk.drop();
    else if (result.reason === 'suppressed') walk.leave('suppressed');
    else if (result.reason === 'unsubscribed') walk.leave(await readWhyLeft(deps, walk));
    else walk.done({ outcome: 'refused', reason: result.message });
  }
}

/** The status of the contact, which changed since the walk began. */
async function readWhyLeft({ stores }: MailStepDeps, { opened }: Walk): Promise<LeaveReason> {
  const { workspaceId, contactId } = opened.enrollment;
  const contact = await stores.contacts.get(workspaceId, contactId);
  // Subscribed again by now: it had left all the same.
  return contact ? (refusingStatus(contact.status) ?? 'unsubscribed') : 'deleted';
}

/** The sender for a workspace and a domain, or why it may not send. Each is read once for the batch. */
async function readSenders(
  { stores, accept }: MailStepDeps,
  at: readonly AtMail[],
): Promise<(workspaceId: number, domainId: number) => StepSender | string> {
  const unique = (ids: readonly number[]): number[] => [...new Set(ids)];
  const read = async <T>(ids: readonly number[], get: (id: number) => Promise<T>): Promise<Map<number, T>> =>
    new Map(await Promise.all(unique(ids).map(async (id): Promise<[number, T]> => [id, await get(id)])));
  const workspaces = await read(
    at.map(({ walk }) => walk.opened.enrollment.workspaceId),
    (id) => stores.workspaces.get(id),
  );
  const domains = await read(
    at.map(({ step }) => step.domainId),
    (id) => accept.stores.domains.get(id),
  );
  return (workspaceId, domainId) => senderOf(workspaces.get(workspaceId) ?? null, domains.get(domainId) ?? null);
}

/** The content stays with the version of the journey. */
function prepare(
  { walk, number, step }: AtMail,
  recipient: PreparedMessage['recipient'],
  sender: StepSender,
): PreparedMessage {
  const { journeyId, version: journeyVersion } = walk.opened.enrollment;
  const draft = { lane: 'journey', channel: 'app', subject: step.subject } as const;
  return { sender, draft: { ...draft, journeyId, journeyVersion, journeyStep: number }, recipient, body: null };
}
