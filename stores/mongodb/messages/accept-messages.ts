import type { ClientSession } from 'mongodb';
import { mailClassOf, type MailClass } from '../../../domain/destinations/pace';
import { judgeAcceptance, type AcceptanceLookup, type FirstMessage } from '../../../domain/messages/judge-acceptance';
import type { MessageBody } from '../../../domain/messages/message';
import type { OutgoingRecord } from '../../../streams/records';
import { DuplicateError } from '../../../lib/errors';
import type { NewContact } from '../../ports/contact-store';
import type { StepRun } from '../../ports/journey-runs';
import type { Acceptance, AcceptOutcome } from '../../ports/message-store';
import { lookUp } from './acceptance-lookup';
import { attachmentDocuments } from './attachments';
import type { Mongo } from '../database/client';
import { newContact } from '../contacts/contact-store';
import { validStepRuns, writeStepRuns, type CurrentEnrollment } from '../journeys/advance';
import { Conflict, type Attempt } from '../transactions/contention';
import { documents, type ContactDocument, type MessageDocument } from '../database/documents';
import { isDuplicate } from '../transactions/guard';
import type { IdBlock } from '../database/ids';
import { newMessage } from './message-codec';
import { writeOutbox } from '../log/outbox-entries';
import type { Outbox, Written } from '../log/outbox';
import { lockContacts } from '../transactions/lock-contacts';
import { transact } from '../transactions/transact';

/** The parts that accepting needs. */
export interface AcceptParts {
  mongo: Mongo;
  outbox: Outbox;
  now: () => number;
  /** Ids of new contacts. */
  contactIds: IdBlock;
}

/** What a group writes, and the answer for each of its callers. */
interface Plan {
  outcomes: AcceptOutcome[];
  accepted: { acceptance: Acceptance; document: MessageDocument }[];
  newContacts: ContactDocument[];
  /** Contacts that must still exist at the commit. */
  touched: Set<number>;
  /** Those of them that are subscribed from now on, and since when. */
  subscribed: Map<number, number>;
  /** Rounds of journeys that are written with their mails. */
  rounds: Map<StepRun, CurrentEnrollment>;
}

type ValidStepRuns = ReadonlyMap<StepRun, CurrentEnrollment>;

const stepRunOf = ({ recipient }: Acceptance): StepRun[] =>
  'checked' in recipient && recipient.checked.round ? [recipient.checked.round] : [];

/**
 * Accepts messages in one transaction: each with its body, attachments, idempotency key, contact and records
 * (docs/architecture.md#the-commit-point-and-the-outbox). In order of arrival, each seeing those before it. Throws when
 * one of them cannot be written; then none was written.
 */
export async function acceptMessages(
  parts: AcceptParts,
  items: readonly Acceptance[],
  how: Attempt,
): Promise<AcceptOutcome[]> {
  const attempt = async (session: ClientSession) => {
    const rounds = await validStepRuns(parts.mongo, session, items.flatMap(stepRunOf));
    const plan = await makePlan(parts, items, rounds);
    try {
      return { plan, written: await writePlan(parts, session, plan) };
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      await refuseTakenIds(parts.mongo, items);
      // Another caller was faster with an idempotency key or a contact: look again.
      throw new Conflict('A message or a contact was written in the meantime.', { cause: error });
    }
  };
  const { plan, written } = await transact(parts.mongo, attempt, how);
  if (written) parts.outbox.enqueue(written);
  return plan.outcomes;
}

/** Ids are random, so they are only checked when there is a reason to. */
async function refuseTakenIds({ db }: Mongo, items: readonly Acceptance[]): Promise<void> {
  // A message of a checked contact that is there already is a duplicate, and no fault.
  const fresh = items.filter(({ recipient }) => !('checked' in recipient));
  const ids = new Set(fresh.map(({ facts }) => facts.id));
  const found = await documents(db, 'messages').findOne({ _id: { $in: [...ids] } }, { projection: { _id: 1 } });
  if (found || ids.size < fresh.length) throw new DuplicateError('There is a message with this id already.');
}

async function makePlan(
  { mongo, contactIds }: AcceptParts,
  items: readonly Acceptance[],
  rounds: ValidStepRuns,
): Promise<Plan> {
  const lookup = await lookUp(mongo, items);
  const unknown = items.filter(
    ({ facts, recipient }) => 'address' in recipient && isUnknown(lookup, facts.workspaceId, recipient.address),
  );
  return planAcceptances(items, lookup, { contactIds: await contactIds.take(unknown.length), rounds });
}

const isUnknown = (lookup: AcceptanceLookup, workspaceId: number, { emailHash, email }: NewContact): boolean =>
  lookup.recipientState(workspaceId, emailHash, email).contact === null;

interface PlanMeans {
  /** Ids for contacts that are made. */
  contactIds: number[];
  rounds: ValidStepRuns;
}

/** Decides one acceptance after the other, each seeing those before it. Pure. */
export function planAcceptances(items: readonly Acceptance[], lookup: AcceptanceLookup, means: PlanMeans): Plan {
  const planner = new Planner(lookup, means);
  return { ...planner.plan, outcomes: items.map((item) => planner.accept(item)) };
}

class Planner {
  readonly plan: Omit<Plan, 'outcomes'> = {
    accepted: [],
    newContacts: [],
    touched: new Set(),
    subscribed: new Map(),
    rounds: new Map(),
  };
  private readonly firsts = new Map<string, FirstMessage>();
  private readonly made = new Map<string, number>();
  private readonly lookup: AcceptanceLookup;

  constructor(
    lookup: AcceptanceLookup,
    private readonly means: PlanMeans,
  ) {
    this.lookup = {
      ...lookup,
      withKey: (workspaceId, key) => this.firsts.get(`${workspaceId} ${key}`) ?? lookup.withKey(workspaceId, key),
      withId: (id) => this.firsts.get(id) ?? lookup.withId(id),
    };
  }

  accept(acceptance: Acceptance): AcceptOutcome {
    const { facts, recipient, idempotencyKey } = acceptance;
    const judged = judgeAcceptance(acceptance, this.lookup);
    if (judged.kind !== 'accepted') return judged;
    if (!stepRunOf(acceptance).every((round) => this.takes(round))) return { kind: 'refused', reason: 'stale_step' };
    const id = judged.contactId ?? this.createdFor((recipient as { address: NewContact }).address);
    if (judged.contactId !== null && !judged.deleted) this.plan.touched.add(id);
    if (judged.subscribes) this.plan.subscribed.set(id, facts.createdAt);
    const first = { id: facts.id, status: 'queued' as const };
    if (idempotencyKey !== null) this.firsts.set(`${facts.workspaceId} ${idempotencyKey}`, first);
    if ('checked' in recipient) this.firsts.set(facts.id, first);
    this.plan.accepted.push({ acceptance, document: newMessage(acceptance, { id, deleted: judged.deleted }) });
    return { kind: 'accepted' };
  }

  private takes(round: StepRun): boolean {
    const enrollment = this.means.rounds.get(round);
    if (enrollment) this.plan.rounds.set(round, enrollment);
    return enrollment !== undefined;
  }

  private createdFor(address: NewContact): number {
    const key = `${address.workspaceId} ${address.email}`;
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const id = this.means.contactIds.pop()!;
    this.made.set(key, id);
    this.plan.newContacts.push({ _id: id, ...newContact(address) });
    return id;
  }
}

const bodyDocument = ({ html, text, variables }: MessageBody) => ({
  html,
  text,
  ...(variables && { variables: JSON.stringify(variables) }),
});

/** Writes what was planned; null when that is nothing. A contact that was deleted meanwhile conflicts. */
export async function writePlan(
  { mongo, now }: Pick<AcceptParts, 'mongo' | 'now'>,
  session: ClientSession,
  plan: Plan,
): Promise<Written | null> {
  const { accepted, newContacts, touched, rounds } = plan;
  const { db } = mongo;
  if (accepted.length === 0) return null;
  await lockContacts(db, session, touched);
  for (const [_id, at] of plan.subscribed) {
    const $set = { status: 'subscribed', subscribedAt: at, updatedAt: at } as const;
    await documents(db, 'contacts').updateOne({ _id, status: 'not_subscribed' }, { $set }, { session });
  }
  if (rounds.size > 0) await writeStepRuns(mongo, session, rounds);
  if (newContacts.length > 0) await documents(db, 'contacts').insertMany(newContacts, { session });
  await documents(db, 'messages').insertMany(
    accepted.map(({ document }) => document),
    { session },
  );
  // A message whose contact is being deleted at this moment has lost its body and attachments with its recipient.
  const whole = accepted.filter(({ document }) => document.to !== null).map(({ acceptance }) => acceptance);
  const bodies = whole.flatMap(({ facts, body }) => (body ? [{ _id: facts.id, ...bodyDocument(body) }] : []));
  if (bodies.length > 0) await documents(db, 'bodies').insertMany(bodies, { session });
  const attachments = whole.flatMap(({ facts, attachments: files }) => attachmentDocuments(facts.id, files));
  if (attachments.length > 0) await documents(db, 'attachments').insertMany(attachments, { session });
  const records = recordsOf(accepted.map(({ acceptance }) => acceptance));
  return writeOutbox(mongo, session, records, now());
}

/**
 * One record wakes the throttle for a workspace, however many of its messages share the transaction; a second one if
 * transactional mail comes behind bulk mail.
 */
function recordsOf(accepted: readonly Acceptance[]): OutgoingRecord[] {
  const woken = new Map<number, MailClass>();
  return accepted.flatMap(({ facts: { workspaceId, id, lane }, records }) => {
    const mails = mailClassOf(lane);
    const before = woken.get(workspaceId);
    if (before === 'transactional' || before === mails) return records;
    woken.set(workspaceId, mails);
    const value = { workspaceId, messageId: id, ...(mails === 'bulk' && { bulk: true as const }) };
    return [{ topic: 'messages.accepted' as const, key: String(workspaceId), value }, ...records];
  });
}
