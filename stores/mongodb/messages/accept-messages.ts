import { ObjectId, type ClientSession } from 'mongodb';
import { mayReceive } from '../../../domain/claim';
import { COIN_PER_MAIL } from '../../../domain/coins';
import type { ContactStatus } from '../../../domain/contact';
import type { MessageBody, MessageFacts, MessageStatus } from '../../../domain/message';
import type { OutgoingRecord } from '../../../streams/records';
import { DuplicateError } from '../../../lib/errors';
import type { NewContact } from '../../ports/contact-store';
import type { JourneyTurn } from '../../ports/journey-runs';
import type { Acceptance, AcceptOutcome, CheckedContact, Recipient } from '../../ports/message-store';
import { lookUp, type LookUps } from './acceptance-look-ups';
import { attachmentDocuments } from './attachments';
import type { Mongo } from '../database/client';
import { newContact } from '../contacts/contact-store';
import { validTurns, writeTurns, type Standing } from '../journeys/advance';
import { Conflict, type Attempt } from '../transactions/contention';
import { documents, type ContactDocument, type MessageDocument } from '../database/documents';
import { isDuplicate } from '../transactions/guard';
import type { IdBlock } from '../database/ids';
import { newMessage, outboxEntries, type FoundContact } from './message-codec';
import type { Outbox } from '../log/outbox';
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
  /** Turns of journeys that are written with their mails. */
  turns: Map<JourneyTurn, Standing>;
}

type ValidTurns = ReadonlyMap<JourneyTurn, Standing>;

const turnOf = ({ recipient }: Acceptance): JourneyTurn[] =>
  'checked' in recipient && recipient.checked.turn ? [recipient.checked.turn] : [];

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
    const turns = await validTurns(parts.mongo, session, items.flatMap(turnOf));
    const plan = await makePlan(parts, items, turns);
    try {
      return { plan, written: await write(parts, session, plan) };
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      await refuseTakenIds(parts.mongo, items);
      // Another caller was faster with an idempotency key or a contact: look again.
      throw new Conflict('A message or a contact was written meanwhile.', { cause: error });
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
  turns: ValidTurns,
): Promise<Plan> {
  const look = await lookUp(mongo, items);
  const unknown = items.filter(({ recipient }) => 'address' in recipient && !look.contactOf(recipient.address));
  const ids = await contactIds.take(unknown.length);
  const planner = new Planner(look, ids, turns);
  return { ...planner.plan, outcomes: items.map((item) => planner.accept(item)) };
}

/** Decides one acceptance after the other. Pure. */
class Planner {
  readonly plan: Omit<Plan, 'outcomes'> = {
    ...{ accepted: [], newContacts: [], touched: new Set(), turns: new Map() },
  };
  private readonly firsts = new Map<string, { id: string; status: MessageStatus }>();
  private readonly made = new Map<string, number>();

  constructor(
    private readonly look: LookUps,
    private readonly ids: number[],
    private readonly turns: ValidTurns,
  ) {}

  accept(acceptance: Acceptance): AcceptOutcome {
    const { facts, idempotencyKey } = acceptance;
    const key = `${facts.workspaceId} ${idempotencyKey}`;
    if (idempotencyKey !== null) {
      const first = this.firsts.get(key) ?? this.look.firstOf(facts.workspaceId, idempotencyKey);
      if (first) return { kind: 'duplicate', ...first };
    }
    if ('checked' in acceptance.recipient) {
      const first = this.firsts.get(facts.id) ?? this.look.messageOf(facts.id);
      if (first) return { kind: 'duplicate', ...first };
    }
    const contact = this.contactFor(acceptance.recipient, facts);
    if ('kind' in contact) return contact;
    if (!turnOf(acceptance).every((turn) => this.takes(turn))) return { kind: 'refused', because: 'late_turn' };
    if (idempotencyKey !== null) this.firsts.set(key, { id: facts.id, status: 'queued' });
    if ('checked' in acceptance.recipient) this.firsts.set(facts.id, { id: facts.id, status: 'queued' });
    this.plan.accepted.push({ acceptance, document: newMessage(acceptance, contact) });
    return { kind: 'accepted' };
  }

  private takes(turn: JourneyTurn): boolean {
    const standing = this.turns.get(turn);
    if (standing) this.plan.turns.set(turn, standing);
    return standing !== undefined;
  }

  private contactFor(
    recipient: Recipient,
    { workspaceId, category }: Pick<MessageFacts, 'workspaceId' | 'category'>,
  ): FoundContact | AcceptOutcome {
    if ('contact' in recipient) {
      const deleted = this.look.statusOf(recipient.contact) === undefined;
      if (!deleted) this.plan.touched.add(recipient.contact);
      return { id: recipient.contact, deleted };
    }
    const { emailHash } = 'checked' in recipient ? recipient.checked : recipient.address;
    if (this.look.balanceOf(workspaceId) < COIN_PER_MAIL) return { kind: 'refused', because: 'no_coins' };
    if (this.look.suppressed(workspaceId, emailHash)) return { kind: 'refused', because: 'suppressed' };
    const contact = 'checked' in recipient ? this.checked(recipient.checked) : this.look.contactOf(recipient.address);
    if (!contact) {
      if ('checked' in recipient) return { id: recipient.checked.id, deleted: true };
      return { id: this.createdFor(recipient.address), deleted: false };
    }
    if (!mayReceive(contact.status, category)) return { kind: 'refused', because: 'unsubscribed' };
    this.plan.touched.add(contact.id);
    return { id: contact.id, deleted: false };
  }

  private checked({ id }: CheckedContact): { id: number; status: ContactStatus } | undefined {
    const status = this.look.statusOf(id);
    return status && { id, status };
  }

  private createdFor(address: NewContact): number {
    const key = `${address.workspaceId} ${address.email}`;
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const id = this.ids.pop()!;
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

async function write({ mongo, now }: AcceptParts, session: ClientSession, plan: Plan) {
  const { accepted, newContacts, touched, turns } = plan;
  const { db } = mongo;
  if (accepted.length === 0) return null;
  await touchContacts(db, session, touched);
  if (turns.size > 0) await writeTurns(mongo, session, turns);
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
  const id = new ObjectId();
  await documents(db, 'outbox').insertOne({ _id: id, outbox: outboxEntries(records, 1), outboxAt: now() }, { session });
  return { holder: 'outbox' as const, id, v: 1, records };
}

/** A deletion at the same time conflicts with this write; an earlier one shows in the count. */
async function touchContacts(db: Mongo['db'], session: ClientSession, ids: ReadonlySet<number>): Promise<void> {
  if (ids.size === 0) return;
  const { matchedCount } = await documents(db, 'contacts').updateMany(
    { _id: { $in: [...ids] } },
    { $inc: { touched: 1 } },
    { session },
  );
  if (matchedCount !== ids.size) throw new Conflict('A contact was deleted meanwhile.');
}

/** One record wakes the throttle for a workspace, however many of its messages share the transaction. */
function recordsOf(accepted: readonly Acceptance[]): OutgoingRecord[] {
  const woken = new Set<number>();
  return accepted.flatMap(({ facts: { workspaceId, id }, records }) => {
    if (woken.has(workspaceId)) return records;
    woken.add(workspaceId);
    const value = { workspaceId, messageId: id };
    return [{ topic: 'messages.accepted' as const, key: String(workspaceId), value }, ...records];
  });
}
