import type { ClientSession, Db } from 'mongodb';
import type { JoinOutcome, NewMember } from '../../ports/audience-store';
import type { NewContact } from '../../ports/contact-store';
import type { Mongo } from '../database/client';
import { Conflict } from '../transactions/contention';
import { newContact, toContact } from './contact-store';
import { countItems } from './counted-list';
import { documents, type AudienceDocument, type ContactDocument, type MemberDocument } from '../database/documents';
import type { IdBlock } from '../database/ids';
import { transact } from '../transactions/transact';

/** A contact joins or leaves an audience. */
export type MemberChange = { workspaceId: number; at: number } & (
  { kind: 'join'; member: NewMember } | { kind: 'leave'; contactId: number }
);

/** For a join its outcome; for a leave whether there was such a member. */
export type MemberAnswer = JoinOutcome | boolean;

/** The facts the changes are decided on, all from one snapshot. */
interface Known {
  audience: AudienceDocument | null;
  contacts: ContactDocument[];
  members: MemberDocument[];
}

const NO_AUDIENCE: JoinOutcome = { kind: 'no_audience' };
/** The id of a member's document. */
export const memberId = (audienceId: number, contactId: number): string => `${audienceId}:${contactId}`;

/**
 * Applies changes of one audience in one transaction, in order of arrival, each seeing those before it: members, the
 * audience's count, the counts its pages are found by, and new contacts. A contact that joins is touched, so that its
 * deletion at the same time conflicts.
 */
export async function changeMembers(
  mongo: Mongo,
  contactIds: IdBlock,
  audienceId: number,
  changes: readonly MemberChange[],
): Promise<MemberAnswer[]> {
  const spare = await contactIds.take(changes.filter(givesAddress).length);
  return transact(mongo, async (session) => {
    const known = await look(mongo.db, session, audienceId, changes);
    const planner = new Planner(known, [...spare]);
    const answers = changes.map((change) => planner.apply(change));
    await write(mongo, session, audienceId, planner);
    return answers;
  });
}

const givesAddress = (change: MemberChange): boolean => change.kind === 'join' && 'contact' in change.member;

async function look(
  db: Db,
  session: ClientSession,
  audienceId: number,
  changes: readonly MemberChange[],
): Promise<Known> {
  const audience = await documents(db, 'audiences').findOne({ _id: audienceId }, { session });
  if (!audience) return { audience, contacts: [], members: [] };
  const own = changes.filter(({ workspaceId }) => workspaceId === audience.workspaceId);
  const emails = own.flatMap((change) => addressOf(change)?.email ?? []);
  const named = own.flatMap((change) => contactOf(change) ?? []);
  const byEmail =
    emails.length === 0
      ? []
      : await documents(db, 'contacts')
          .find({ workspaceId: audience.workspaceId, email: { $in: emails } }, { session })
          .toArray();
  const byId =
    named.length === 0
      ? []
      : await documents(db, 'contacts')
          .find({ _id: { $in: named }, workspaceId: audience.workspaceId }, { session })
          .toArray();
  const contacts = [...byEmail, ...byId];
  const ids = new Set([...named, ...contacts.map(({ _id }) => _id)]);
  const members =
    ids.size === 0
      ? []
      : await documents(db, 'members')
          .find({ _id: { $in: [...ids].map((id) => memberId(audienceId, id)) } }, { session })
          .toArray();
  return { audience, contacts, members };
}

const addressOf = (change: MemberChange): NewContact | undefined =>
  change.kind === 'join' && 'contact' in change.member ? change.member.contact : undefined;

function contactOf(change: MemberChange): number | undefined {
  if (change.kind === 'leave') return change.contactId;
  return 'contactId' in change.member ? change.member.contactId : undefined;
}

/** Decides one change after the other. Pure. */
class Planner {
  readonly made: ContactDocument[] = [];
  readonly touched = new Set<number>();
  /** The members that change, in their new state; null = none. */
  readonly members = new Map<number, MemberDocument | null>();
  /** The contacts that were members before. */
  readonly before: ReadonlySet<number>;
  /** The time of the newest change. */
  at = 0;
  private readonly byId: Map<number, ContactDocument>;
  private readonly byEmail: Map<string, ContactDocument>;

  constructor(
    private readonly known: Known,
    private readonly ids: number[],
  ) {
    this.before = new Set(known.members.map(({ contactId }) => contactId));
    this.byId = new Map(known.contacts.map((contact) => [contact._id, contact]));
    this.byEmail = new Map(known.contacts.map((contact) => [contact.email, contact]));
  }

  apply(change: MemberChange): MemberAnswer {
    const { audience } = this.known;
    const owned = audience !== null && audience.workspaceId === change.workspaceId;
    if (change.kind === 'leave') return owned && this.leave(change.contactId, change.at);
    return owned ? this.join(audience, change.member, change.at) : NO_AUDIENCE;
  }

  private isMember(contactId: number): boolean {
    const planned = this.members.get(contactId);
    return planned === undefined ? this.before.has(contactId) : planned !== null;
  }

  private leave(contactId: number, at: number): boolean {
    if (!this.isMember(contactId)) return false;
    this.members.set(contactId, null);
    this.at = Math.max(this.at, at);
    return true;
  }

  private join(audience: AudienceDocument, member: NewMember, at: number): JoinOutcome {
    const contact = 'contact' in member ? this.ensure(member.contact) : this.byId.get(member.contactId);
    if (!contact) return { kind: 'no_contact' };
    const { _id: contactId } = contact;
    if (this.isMember(contactId)) return { kind: 'member', contact: toContact(contact) };
    const { _id: audienceId, optInMode } = audience;
    const confirmedAt = optInMode === 'single' ? at : null;
    const joined = { _id: memberId(audienceId, contactId), audienceId, contactId, joinedAt: at, confirmedAt };
    this.members.set(contactId, joined);
    this.at = Math.max(this.at, at);
    if (!this.made.includes(contact)) this.touched.add(contactId);
    return { kind: 'joined', contact: toContact(contact) };
  }

  private ensure(given: NewContact): ContactDocument {
    const there = this.byEmail.get(given.email);
    if (there) return there;
    const id = this.ids.pop();
    if (id === undefined) throw new Error('no id is left for a contact');
    const contact = { _id: id, ...newContact(given) };
    this.made.push(contact);
    this.byId.set(id, contact);
    this.byEmail.set(given.email, contact);
    return contact;
  }
}

async function write(
  mongo: Mongo,
  session: ClientSession,
  audienceId: number,
  { made, touched, members, before, at }: Planner,
): Promise<void> {
  const { db } = mongo;
  const gone = [...members.keys()].filter((id) => before.has(id));
  const joined = [...members.values()].filter((member) => member !== null);
  if (gone.length + joined.length === 0) return;
  await touchContacts(db, session, touched);
  if (made.length > 0) await documents(db, 'contacts').insertMany(made, { session });
  if (gone.length > 0) {
    const ids = gone.map((id) => memberId(audienceId, id));
    await documents(db, 'members').deleteMany({ _id: { $in: ids } }, { session });
  }
  if (joined.length > 0) await documents(db, 'members').insertMany(joined, { session });
  const items = (ids: readonly number[]) => ids.map((id) => ({ owner: audienceId, id }));
  await countItems(mongo, session, 'members', items(gone), -1);
  await countItems(mongo, session, 'members', items(joined.map(({ contactId }) => contactId)), 1);
  await documents(db, 'audiences').updateOne(
    { _id: audienceId },
    { $inc: { contactsCount: joined.length - gone.length }, $max: { updatedAt: at } },
    { session },
  );
}

/** Makes a deletion of these contacts at the same time conflict. */
export async function touchContacts(db: Db, session: ClientSession, ids: ReadonlySet<number>): Promise<void> {
  if (ids.size === 0) return;
  const { matchedCount } = await documents(db, 'contacts').updateMany(
    { _id: { $in: [...ids] } },
    { $inc: { touched: 1 } },
    { session },
  );
  if (matchedCount !== ids.size) throw new Conflict('A contact was deleted meanwhile.');
}
