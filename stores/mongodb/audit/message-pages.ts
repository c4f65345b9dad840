import {
  AUDITED_FACTS,
  type AuditedMessage,
  type BookedRow,
  type MessageRecord,
} from '../../../domain/audit/message-record';
import { ledgerKey } from '../ledger/booking';
import { documents, type LedgerDocument, type MessageDocument } from '../database/documents';
import { guard } from '../transactions/guard';
import { mailId } from '../journeys/enrollment-fields';
import { MESSAGE, STATE_FIELDS } from '../messages/message-fields';
import { pages, type Snapshot } from '../transactions/snapshot';

/** Messages checked together. */
const PAGE = 500;

/** The fields of a message that the audit checks. */
const AUDITED = MESSAGE.only([...AUDITED_FACTS, ...STATE_FIELDS]);
const WHOLE = {
  ...AUDITED.projection,
  history: 1,
  attempts: 1,
  metadata: 1,
  domainId: 1,
  contactId: 1,
  campaignId: 1,
  journeyId: 1,
  journeyVersion: 1,
  journeyStep: 1,
  to: 1,
  dropping: 1,
} as const;

type WholeFields = Pick<MessageDocument, '_id' | keyof typeof WHOLE>;

/** A BookedRow from its document. */
export const toBooked = ({ _id, workspaceId, kind, amount, messageId, at }: LedgerDocument): BookedRow => ({
  id: _id.slice(_id.indexOf(':') + 1),
  workspaceId,
  kind,
  amount,
  messageId,
  at,
});

/** The states of the messages with these ids, in any order. */
export async function readStates({ db }: Pick<Snapshot, 'db'>, ids: readonly string[]): Promise<AuditedMessage[]> {
  const found = documents(db, 'messages').find({ _id: { $in: [...ids] } }, { projection: AUDITED.projection });
  return (await guard(() => found.toArray())).map((document) => AUDITED.decode(document));
}

/** The messages of a workspace in the order of acceptance, each with everything stored about it. */
export async function* messagePages(snapshot: Snapshot, workspaceId: number): AsyncGenerator<MessageRecord[]> {
  const { db, moment } = snapshot;
  const cursor = documents(db, 'messages')
    .find<WholeFields>({ workspaceId }, { ...moment, projection: WHOLE, batchSize: PAGE })
    .sort({ _id: 1 });
  for await (const page of pages(cursor, PAGE)) yield await guard(() => withBelongings(snapshot, workspaceId, page));
}

async function withBelongings(
  snapshot: Snapshot,
  workspaceId: number,
  page: readonly WholeFields[],
): Promise<MessageRecord[]> {
  const ids = page.map(({ _id }) => _id);
  const coins = await readCoins(snapshot, workspaceId, ids);
  const bodies = await readBodies(snapshot, ids);
  const contents = await readContents(snapshot, page);
  const mails = await readMails(snapshot, page);
  const attachments = await countAttachments(snapshot, ids);
  const domains = await readOwners(
    snapshot,
    'domains',
    page.map(({ domainId }) => domainId),
  );
  const contacts = await readOwners(
    snapshot,
    'contacts',
    page.map(({ contactId }) => contactId),
  );
  const leaving = await readOwners(
    snapshot,
    'anonymising',
    page.map(({ contactId }) => contactId),
  );
  const leavingOf = ({ contactId, to }: WholeFields) => (to === null ? undefined : leaving.get(contactId));
  return page.map((document) => ({
    message: AUDITED.decode(document),
    history: document.history,
    attempts: document.attempts.map((attempt) => ({ ...attempt, reply: null, messageId: document._id, workspaceId })),
    coins: coins.get(document._id) ?? [],
    hasBody:
      bodies.has(document._id) ||
      (document.lane === 'campaign' && contents.has(document.campaignId)) ||
      mails.has(mailOf(document)),
    metadataReadable: isReadable(document.metadata),
    // Attachments marked for deletion no longer count, as for the hand-off.
    attachments: isDropping(document) ? 0 : (attachments.get(document._id) ?? 0),
    domainWorkspaceId: domains.get(document.domainId)?.workspaceId ?? null,
    contactWorkspaceId: (contacts.get(document.contactId) ?? leavingOf(document))?.workspaceId ?? null,
    contactStatus: (contacts.get(document.contactId)?.status as MessageRecord['contactStatus'] | undefined) ?? null,
    hasRecipient: document.to !== null,
  }));
}

const isDropping = ({ dropping, attachmentsUntil }: WholeFields): boolean =>
  dropping !== undefined && attachmentsUntil === null;

/**
 * The ids of a message's rows start with one of three prefixes. So messages that follow each other have rows that do
 * too.
 */
async function readCoins(
  { db, moment }: Snapshot,
  workspaceId: number,
  ids: readonly string[],
): Promise<Map<string, BookedRow[]>> {
  const coins = new Map(ids.map((id): [string, BookedRow[]] => [id, []]));
  for (const kind of ['debit', 'refund', 'penalty']) {
    const from = ledgerKey(workspaceId, `${kind}:${ids[0] ?? ''}`);
    const to = ledgerKey(workspaceId, `${kind}:${ids.at(-1) ?? ''};`);
    const rows = await documents(db, 'ledger')
      .find({ _id: { $gte: from, $lt: to } }, moment)
      .toArray();
    for (const row of rows.map(toBooked)) coins.get(row.id.split(':')[1] ?? '')?.push(row);
  }
  return coins;
}

async function readBodies({ db, moment }: Snapshot, ids: readonly string[]): Promise<Set<string>> {
  const found = await documents(db, 'bodies')
    .find({ _id: { $in: [...ids] }, html: { $type: 'string', $ne: '' } }, { ...moment, projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}

/** The campaigns of these messages that have content. */
async function readContents({ db, moment }: Snapshot, page: readonly WholeFields[]): Promise<Set<number | null>> {
  const ids = [...new Set(page.flatMap(({ campaignId }) => campaignId ?? []))];
  if (ids.length === 0) return new Set();
  const found = await documents(db, 'campaigns')
    .find({ _id: { $in: ids }, html: { $type: 'string', $ne: '' } }, { ...moment, projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}

/** The id of the content that a message of a journey has; null for others, also those from before journeys. */
const mailOf = ({ journeyId, journeyVersion, journeyStep }: WholeFields): string | null =>
  journeyId == null || journeyVersion === null || journeyStep === null
    ? null
    : mailId(journeyId, journeyVersion, journeyStep);

async function readMails({ db, moment }: Snapshot, page: readonly WholeFields[]): Promise<Set<string | null>> {
  const ids = [...new Set(page.flatMap((document) => mailOf(document) ?? []))];
  if (ids.length === 0) return new Set();
  const found = await documents(db, 'journeyMails')
    .find({ _id: { $in: ids } }, { ...moment, projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}

/** An attachment of several parts is counted once. */
async function countAttachments({ db, moment }: Snapshot, ids: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const parts = await documents(db, 'attachments')
    .find({ $or: ids.map((id) => ({ _id: { $gte: `${id}:`, $lt: `${id};` } })) }, { ...moment, projection: { _id: 1 } })
    .toArray();
  const attachments = new Set(parts.map(({ _id }) => _id.slice(0, _id.lastIndexOf(':'))));
  for (const attachment of attachments) {
    const id = attachment.slice(0, attachment.lastIndexOf(':'));
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

async function readOwners(
  { db, moment }: Snapshot,
  name: 'domains' | 'contacts' | 'anonymising',
  ids: readonly number[],
): Promise<Map<number, { workspaceId: number; status: string }>> {
  const found = await db
    .collection<{ _id: number; workspaceId: number; status: string }>(name)
    .find({ _id: { $in: [...new Set(ids)] } }, { ...moment, projection: { workspaceId: 1, status: 1 } })
    .toArray();
  return new Map(found.map((owner) => [owner._id, owner]));
}

function isReadable(metadata: string | null): boolean {
  if (metadata === null) return true;
  try {
    const value: unknown = JSON.parse(metadata);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
